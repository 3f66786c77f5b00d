/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_AGENT_HARNESS_H
#define ORCHD_TESTS_SUPPORT_AGENT_HARNESS_H

/* The whole flow in memory for tests: rows in, an attribute store as the ASIC,
 * a clock that stands still, and a record of all answers. */

#include <stdbool.h>
#include <stdint.h>

#include "base/timeline.h"
#include "orchd/reconcile/agent.h"
#include "vendors/store/store.h"

struct answer; /* The newest answer to one row. */

struct harness {
    struct timeline *timeline;
    struct schema *schema;
    struct sai_backend *backend; /* Of the ASIC. */
    struct store *store;         /* That it is; NULL: one of the caller's. */
    struct agent *agent;
    struct listener observer;
    struct answer *answers; /* By "TABLE|key". */
    int64_t now;
    size_t n_answers; /* Answers reported, in all. */
};

/* Sets up an agent and an ASIC with 'n_ports' ports of the lanes 1-4, 5-8, ...
 * that it starts with.  The agent is attached. */
void harness_init(struct harness *harness, uint32_t n_ports);

/* The same with 'memory_kb' of packet memory, and ports that bound their
 * headroom (0: that do not). */
void harness_init_memory(struct harness *harness, uint32_t n_ports,
                         uint64_t memory_kb, uint32_t max_headroom_bytes);

/* The same with an ASIC that has the default VLAN and bridge, of which these
 * ports are members. */
void harness_init_bridge(struct harness *harness, uint32_t n_ports);

/* The same with the ASIC behind 'backend', which must outlive the harness. */
void harness_init_backend(struct harness *harness, struct sai_backend *backend);

/* Ends it.  Fails the test if the agent and the store disagree. */
void harness_fini(struct harness *harness);

/* Writes a row as "field=value;field=value", or removes it (NULL). */
void harness_put(struct harness *harness, const char *table, const char *key,
                 const char *fields);

/* Lets time pass until the agent has settled, retries aside. */
void harness_settle(struct harness *harness);

/* Both: writes a row, or removes it, and lets that have its effect. */
void harness_apply(struct harness *harness, const char *table, const char *key,
                   const char *fields);

/* Lets 'ns' pass, with all timers and turns that fall due. */
void harness_pass(struct harness *harness, int64_t ns);

/* Returns the newest answer to a row: the name of its state ("applied"), its
 * code, what it waits for, who refers to it; "" if there is nothing, and the
 * state "gone" after the row is. */
const char *harness_state(const struct harness *harness, const char *table,
                          const char *key);
const struct row_status *harness_status(const struct harness *harness,
                                        const char *table, const char *key);

/* Asserts that the newest answer to a row is 'state', or says what it is and
 * why. */
void harness_assert_state(const struct harness *harness, const char *table,
                          const char *key, const char *state);

/* Returns the store's dump, without masks of PFC that are not in force.  The
 * caller frees it. */
char *harness_dump(const struct harness *harness);

/* Fails the test unless the store's dump is 'before', which it frees. */
void harness_assert_dump(const struct harness *harness, char *before);

/* Returns the number of creates, sets and removes that the store has seen. */
uint64_t harness_changes(const struct harness *harness);

/* Writes a small but complete configuration: two ports, three pools, profiles,
 * bindings, maps.  Row 'i' of harness_rows() counts from 0. */
struct harness_row {
    const char *table, *key, *fields;
};
extern const struct harness_row harness_rows[];
extern const size_t harness_n_rows;

/* Sets up two ports, writes those rows and lets the agent settle. */
void harness_init_applied(struct harness *harness);

/* Fixtures of cmocka: '*state' is such a harness, and is ended. */
int harness_setup_applied(void **state);
int harness_teardown(void **state);

#endif /* tests/support/agent_harness.h */
