/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_ORCHAGENT_MODEL_H
#define ORCHD_TESTS_SUPPORT_ORCHAGENT_MODEL_H

/* A model of orchagent, syncd and a switch, as far as buffers go, on a Redis in
 * memory (memory_redis.h): the counterpart of orchagent_double.py for many
 * seeds.
 *
 * It takes what is published in the buffer tables of APPL_DB, reads PORT,
 * DSCP_TO_TC_MAP, PORT_QOS_MAP, SCHEDULER and QUEUE in CONFIG_DB, and writes
 * ASIC_DB, the name maps of COUNTERS_DB and the limits in STATE_DB.  Nothing
 * happens by itself.  With a seed, a step does a part of what is due, or
 * something that goes wrong: it writes rows field by field, refuses a request
 * (and forgets it, unless it is a removal), restarts, or lets another process
 * change the switch. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct orchagent_model;
struct redis;

enum { ORCHAGENT_MODEL_PGS = 8, ORCHAGENT_MODEL_QUEUES = 8 };

/* How it may restart. */
enum orchagent_restart {
    RESTART_AT_ONCE, /* What it has created is gone from the switch. */
    RESTART_VIEW,    /* The same, but later: syncd first builds the new view
                      * beside the old one, with ids of its own. */
    RESTART_COLD,    /* syncd restarts as well: databases are emptied, and all
                      * ids are new. */
};

/* Counts what has gone wrong. */
struct orchagent_model_figures {
    unsigned int n_restarts, n_views, n_colds, n_refused, n_forgotten,
        n_tampered;
};

/* Returns a model with the ports Ethernet0, Ethernet4, ..., which it creates
 * and removes as CONFIG_DB says, borrowing 'redis'; 'seed' 0: nothing goes
 * wrong.  orchagent_model_boot() creates its switch. */
struct orchagent_model *orchagent_model_create(struct redis *redis,
                                               size_t n_ports, uint64_t seed);
void orchagent_model_destroy(struct orchagent_model *model);
void orchagent_model_boot(struct orchagent_model *model);
void orchagent_model_restart(struct orchagent_model *model,
                             enum orchagent_restart how);

/* Does what is due, or, with a seed, some of it or worse. */
void orchagent_model_step(struct orchagent_model *model);

/* From now on nothing goes wrong. */
void orchagent_model_calm(struct orchagent_model *model);

struct orchagent_model_figures
orchagent_model_figures(const struct orchagent_model *model);

#endif /* tests/support/orchagent_model.h */
