/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_DRY_RUN_WATCHDOG_H
#define ORCHD_OFFLINE_DRY_RUN_WATCHDOG_H

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
struct dry_run_watchdog {
    struct pipeline *local;              /* Borrowed. */
    const struct softasic_ops *softasic; /* Of its switch. */
    struct memory_store notes;
    struct pfcwd *pfcwd;
};

/* Begins: 'local' has its switch by now, behind 'backend'. */
void dry_run_watchdog_start(struct dry_run_watchdog *watch,
                            struct pipeline *local, struct sai_backend *backend,
                            const struct softasic_ops *softasic);

/* Ends it, before 'local' is destroyed. */
void dry_run_watchdog_fini(struct dry_run_watchdog *watch);

/* Ends it and keeps what is in its store: dry_run_watchdog_start() goes on from
 * there. */
void dry_run_watchdog_pause(struct dry_run_watchdog *watch);

/* Rows have changed: lets the flow, and the watchdog, do all there is to do. */
void dry_run_watchdog_settle(struct dry_run_watchdog *watch);

/* The same if time has passed beyond a poll. */
void dry_run_watchdog_catch_up(struct dry_run_watchdog *watch);

/* Lets 'ns' pass on the switch of 'rig' (orchd/testbench), poll by poll. */
enum st dry_run_watchdog_run(struct dry_run_watchdog *watch, struct target *rig,
                             uint64_t ns, struct err *err) ST_WARN_UNUSED;

/* Appends what is noted of a queue, whose id is 'oid', to its counters;
 * nothing if it was never watched. */
void dry_run_watchdog_read(const struct dry_run_watchdog *watch,
                           const struct target_object *object,
                           sai_object_id_t oid, struct arena *arena,
                           struct target_reading *reading);

#endif /* offline/dry_run_watchdog.h */
