/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_WATCHDOG_H
#define ORCHD_OFFLINE_OFFLINE_WATCHDOG_H

/* The PFC watchdog of a scenario, and with it the passing of time: polls happen
 * exactly when they are due by the clock of the switch, and what they lead to
 * is on the switch before time goes on.
 *
 * It is the daemon's (orchd/watchdog) with a store in memory.  What a tool
 * would read in Redis of a queue that is watched are counters of that queue:
 *
 *   COUNTERS:<queue>   PFC_WD_STATUS            stormed: 1, or 0 (operational)
 *                      PFC_WD_QUEUE_STATS_name  storm_name, in lower case
 *   PFC_WD_TABLE_INSTORM:<port>                 storm_noted: 1 if it has the
 *                                               queue, else 0 */

#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "offline/memory_store.h"

struct agent;
struct arena;
struct pipeline;
struct pfcwd;
struct sai_backend;
struct softasic_ops;
struct target;
struct target_object;
struct target_reading;

/* Zeroed, it is empty: time cannot pass. */
struct offline_watchdog {
    struct pipeline *pipeline;           /* Borrowed. */
    const struct softasic_ops *softasic; /* Of its switch. */
    struct memory_store store;
    struct pfcwd *pfcwd;
};

/* Begins: 'pipeline' has its switch by now, behind 'backend'. */
void offline_watchdog_start(struct offline_watchdog *watchdog,
                            struct pipeline *pipeline,
                            struct sai_backend *backend,
                            const struct softasic_ops *softasic);

/* Ends it, before 'pipeline' is destroyed. */
void offline_watchdog_fini(struct offline_watchdog *watchdog);

/* Ends it and keeps what is in its store: offline_watchdog_start() goes on from
 * there. */
void offline_watchdog_pause(struct offline_watchdog *watchdog);

/* Rows have changed: lets the flow, and the watchdog, do all there is to do. */
void offline_watchdog_settle(struct offline_watchdog *watchdog);

/* The same if time has passed beyond a poll. */
void offline_watchdog_catch_up(struct offline_watchdog *watchdog);

/* Lets 'ns' pass on the switch of 'testbench' (orchd/testbench), poll by poll.
 */
enum st offline_watchdog_run(struct offline_watchdog *watchdog,
                             struct target *testbench, uint64_t ns,
                             struct err *err) ST_WARN_UNUSED;

/* Appends what is noted of a queue, whose id is 'oid', to its counters;
 * nothing if it was never watched. */
void offline_watchdog_read(const struct offline_watchdog *watchdog,
                           const struct target_object *object,
                           sai_object_id_t oid, struct arena *arena,
                           struct target_reading *reading);

#endif /* offline/offline_watchdog.h */
