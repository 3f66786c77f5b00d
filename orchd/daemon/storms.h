/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DAEMON_STORMS_H
#define ORCHD_DAEMON_STORMS_H

/* The PFC watchdog (orchd/pfcwd) in the daemon: its store is Redis, its lines
 * go to the log, its events to the publisher, and the loop wakes it when a poll
 * is due. */

#include <stdbool.h>

#include "orchd/pfcwd/pfcwd.h"

struct log;
struct loop;
struct publisher;
struct redis;
struct storms;

/* All are borrowed; 'log' may be NULL. */
struct storms_options {
    struct loop *loop;
    struct log *log;
    struct redis *redis;
    struct agent *agent;
    struct publisher *publisher;
    bool orders; /* APPL_DB PFC_WD_TABLE makes storms, too. */
};

/* Creates one without a switch.  End with storms_destroy(), which accepts
 * NULL. */
struct storms *storms_create(const struct storms_options *options);
void storms_destroy(struct storms *storms);

/* Gives it the switch, as pfcwd_attach() does.  'own_time': 'clock' is the
 * switch's own, which may stand still. */
void storms_attach(struct storms *storms, struct sai_backend *backend,
                   const struct storm_rule *rule, pfcwd_clock_fn *clock,
                   void *context, bool own_time);

/* The switch tells of dead queues, and so may guard them; to be called before
 * it is given.  It says that a queue is 'dead', or has recovered. */
void storms_guard(struct storms *storms);
void storms_deadlock(struct storms *storms, sai_object_id_t queue, bool dead);

/* Redis is there again; a message came over one of its channels. */
void storms_resync(struct storms *storms);
void storms_message(struct storms *storms, const char *channel,
                    const char *payload);

/* To be called after each turn of the agent.  Returns whether the agent has to
 * have another one. */
bool storms_turn(struct storms *storms);

#endif /* orchd/daemon/storms.h */
