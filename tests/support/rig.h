/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_RIG_H
#define ORCHD_TESTS_SUPPORT_RIG_H

/* The whole flow in memory for tests: rows in, an attribute store as the ASIC,
 * a clock that stands still, and a record of all that was told. */

#include <stdbool.h>
#include <stdint.h>

#include "base/timeline.h"
#include "orchd/reconcile/agent.h"
#include "vendors/store/store.h"

struct told; /* The newest answer to one row. */

struct testbench {
    struct timeline *timeline;
    struct schema *schema;
    struct store *store;
    struct agent *agent;
    struct listener observer;
    struct told *told; /* By "TABLE|key". */
    int64_t now;
    size_t n_told; /* Answers told, in all. */
};

/* Sets up an agent and an ASIC with 'n_ports' ports of the lanes 1-4, 5-8, ...
 * that it starts with.  The agent is attached. */
void rig_init(struct testbench *rig, uint32_t n_ports);

/* The same with 'memory_kb' of packet memory, and ports that bound their
 * headroom (0: that do not). */
void rig_init_memory(struct testbench *rig, uint32_t n_ports,
                     uint64_t memory_kb, uint32_t max_headroom_bytes);

/* Ends it.  Fails the test if the agent and the store disagree. */
void testbench_fini(struct testbench *rig);

/* Writes a row as "field=value;field=value", or removes it (NULL). */
void rig_put(struct testbench *rig, const char *table, const char *key,
             const char *fields);

/* Lets time pass until the agent has settled, retries aside. */
void rig_settle(struct testbench *rig);

/* Both: writes a row, or removes it, and lets that have its effect. */
void rig_apply(struct testbench *rig, const char *table, const char *key,
               const char *fields);

/* Lets 'ns' pass, with all timers and turns that fall due. */
void rig_pass(struct testbench *rig, int64_t ns);

/* Returns what was told last of a row: the name of its state ("applied"), its
 * code, what it waits for, who refers to it; "" if there is nothing, and the
 * state "gone" after the row is. */
const char *rig_state(const struct testbench *rig, const char *table,
                      const char *key);
const struct row_status *rig_status(const struct testbench *rig,
                                    const char *table, const char *key);

/* Asserts that the newest answer to a row is 'state', or says what it is and
 * why. */
void rig_assert_state(const struct testbench *rig, const char *table,
                      const char *key, const char *state);

/* Returns the store's dump, without masks of PFC that are not in force.  The
 * caller frees it. */
char *rig_dump(const struct testbench *rig);

/* Fails the test unless the store's dump is 'before', which it frees. */
void rig_assert_dump(const struct testbench *rig, char *before);

/* Returns the number of creates, sets and removes that the store has seen. */
uint64_t rig_changes(const struct testbench *rig);

/* Writes a small but complete configuration: two ports, three pools, profiles,
 * bindings, maps.  Row 'i' of rig_rows() counts from 0. */
struct rig_row {
    const char *table, *key, *fields;
};
extern const struct rig_row rig_rows[];
extern const size_t rig_n_rows;

/* Sets up two ports, writes those rows and lets the agent settle. */
void rig_init_applied(struct testbench *rig);

#endif /* tests/support/rig.h */
