/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_DELIVERY_HARNESS_H
#define ORCHD_TESTS_SUPPORT_DELIVERY_HARNESS_H

/* orchd with output=orchagent in virtual time, on a Redis in memory
 * (memory_redis.h). */

#include <stdbool.h>
#include <stdint.h>

#include "base/timeline.h"
#include "orchd/orchagent/delivery.h"
#include "orchd/reconcile/agent.h"
#include "tests/support/memory_redis.h"

/* How long a row waits for its evidence. */
#define DELIVERY_HARNESS_CONFIRM_NS (INT64_C(30) * 1000 * 1000 * 1000)

struct delivery_harness {
    struct schema *schema; /* Borrowed. */
    struct timeline *timeline;
    struct redis *redis;
    struct agent *agent;       /* NULL: orchd does not run. */
    struct delivery *delivery; /* Likewise. */
    bool usable;               /* The agent has the switch. */
    int64_t now;
};

/* Sets up an empty Redis at the time 'now'. */
void delivery_harness_init(struct delivery_harness *harness,
                           struct schema *schema, int64_t now);
void delivery_harness_fini(struct delivery_harness *harness);

/* Starts orchd, which begins to read CONFIG_DB: the caller hands in the rows,
 * then calls delivery_note_reading().  And ends it, if it runs. */
void delivery_harness_start(struct delivery_harness *harness);
void delivery_harness_stop(struct delivery_harness *harness);

/* Runs turns until nothing is left to do at this time. */
void delivery_harness_turns(struct delivery_harness *harness);

/* Lets 'ns' pass, with all timers that fall due. */
void delivery_harness_pass(struct delivery_harness *harness, int64_t ns);

/* Lets everything that is under way arrive. */
void delivery_harness_drain(struct delivery_harness *harness);

#endif /* tests/support/delivery_harness.h */
