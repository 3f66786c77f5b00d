/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_WATCHDOG_H
#define ORCHD_OFFLINE_OFFLINE_WATCHDOG_H

/* The PFC watchdog of a scenario, which also advances the time: polls happen
 * exactly when they are due by the clock of the switch, and their effects are
 * on the switch before time continues.
 *
 * It is the daemon's watchdog (orchd/watchdog) with a store in memory, whose
 * fields appear as counters of the watched queues
 * (orchd/watchdog/storm_counters.h). */

#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "orchd/watchdog/memory_store.h"

struct arena;
struct offline_trace;
struct pipeline;
struct pfcwd;
struct sai_backend;
struct softasic_ops;
struct target;
struct target_object;
struct target_reading;

/* Zeroed, it has no switch, and time cannot pass. */
struct offline_watchdog {
    struct pipeline *pipeline;           /* Borrowed. */
    const struct softasic_ops *softasic; /* Of the switch. */
    struct memory_store store;
    struct pfcwd *pfcwd;
    const struct offline_trace *trace; /* Gets the storms; borrowed. */
};

/* Starts the watchdog on 'pipeline', whose switch is behind 'backend'.  Storms
 * are reported to 'trace', borrowed; NULL: to nobody. */
void offline_watchdog_start(struct offline_watchdog *watchdog,
                            struct pipeline *pipeline,
                            struct sai_backend *backend,
                            const struct softasic_ops *softasic,
                            const struct offline_trace *trace);

/* Destroys it.  Call it before 'pipeline' is destroyed. */
void offline_watchdog_fini(struct offline_watchdog *watchdog);

/* Stops the watchdog but keeps its store, from which offline_watchdog_start()
 * continues. */
void offline_watchdog_pause(struct offline_watchdog *watchdog);

/* Runs the pipeline and the watchdog until they are idle, after rows have
 * changed. */
void offline_watchdog_settle(struct offline_watchdog *watchdog);

/* The same if a poll has become due. */
void offline_watchdog_catch_up(struct offline_watchdog *watchdog);

/* Lets 'ns' pass on the switch of 'testbench' (orchd/testbench), poll by
 * poll. */
enum st offline_watchdog_run(struct offline_watchdog *watchdog,
                             struct target *testbench, uint64_t ns,
                             struct err *err) ST_WARN_UNUSED;

/* Appends the fields stored for the queue 'oid' to its counters; none if the
 * watchdog never watched it. */
void offline_watchdog_read(const struct offline_watchdog *watchdog,
                           const struct target_object *object,
                           sai_object_id_t oid, struct arena *arena,
                           struct target_reading *reading);

#endif /* offline/offline_watchdog.h */
