/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REHEARSE_WATCH_H
#define ORCHD_REHEARSE_WATCH_H

/* The PFC watchdog of a scenario, and with it the passing of time: polls happen
 * exactly when they are due by the clock of the switch, and what they lead to
 * is on the switch before time goes on.
 *
 * It is the daemon's (orchd/pfcwd) with a store in memory.  What a tool would
 * read in Redis of a queue that is watched are counters of that queue:
 *
 *   COUNTERS:<queue>   PFC_WD_STATUS            stormed: 1, or 0 (operational)
 *                      PFC_WD_QUEUE_STATS_name  storm_name, in lower case
 *   PFC_WD_TABLE_INSTORM:<port>                 storm_noted: 1 if it has the
 *                                               queue, else 0 */

#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "orchd/rehearse/notes.h"

struct agent;
struct arena;
struct local;
struct pfcwd;
struct sai_backend;
struct softasic_ops;
struct target;
struct target_object;
struct target_reading;

/* Zeroed, it is empty: time cannot pass. */
struct watch {
    struct local *local;                 /* Borrowed. */
    const struct softasic_ops *softasic; /* Of its switch. */
    struct notes notes;
    struct pfcwd *pfcwd;
};

/* Begins: 'local' has its switch by now, behind 'backend'. */
void watch_start(struct watch *watch, struct local *local,
                 struct sai_backend *backend,
                 const struct softasic_ops *softasic);

/* Ends it, before 'local' is destroyed. */
void watch_fini(struct watch *watch);

/* Ends it and keeps what is in its store: watch_start() goes on from there. */
void watch_pause(struct watch *watch);

/* Rows have changed: lets the flow, and the watchdog, do all there is to do. */
void watch_settle(struct watch *watch);

/* The same if time has passed beyond a poll. */
void watch_catch_up(struct watch *watch);

/* Lets 'ns' pass on the switch of 'rig' (orchd/rig), poll by poll. */
enum st watch_run(struct watch *watch, struct target *rig, uint64_t ns,
                  struct err *err) ST_WARN_UNUSED;

/* Appends what is noted of a queue, whose id is 'oid', to its counters;
 * nothing if it was never watched. */
void watch_read(const struct watch *watch, const struct target_object *object,
                sai_object_id_t oid, struct arena *arena,
                struct target_reading *reading);

#endif /* orchd/rehearse/watch.h */
