/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_REPLAY_H
#define ORCHD_SAI_REPLAY_REPLAY_H

/* Makes recorded calls again, on any backend, and compares the results.
 *
 * Motivation: a record shows what a vendor library did in the field.  A replay
 * on another library, or on the same one after a fix, shows what has changed.
 *
 * The vendor chooses object ids, so the replay translates those of the record:
 * a created object is the object that the same creation returns now; existing
 * ports are found by their lanes; any other object that a result refers to for
 * the first time (queues and priority groups of a port, ...) is the object at
 * the same position of the result now.  So a record must begin before its
 * objects appear, or with a snapshot of them (sai/stack/record_snapshot.h),
 * which the replay creates first.
 *
 * The replay compares statuses and values, lists of objects as sets.  It
 * neither compares addresses of callbacks nor passes them to the library.  It
 * skips a call that did not return, and a call with a value that has no text
 * form. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/core/backend.h"

struct replay_options {
    sai_object_id_t switch_id; /* As recorded. */
    bool skip_counters;        /* Counters are read, but not compared. */
};

struct replay_report {
    uint64_t n_calls;   /* Made, the one that differs included. */
    uint64_t n_skipped; /* Not made. */
    size_t line;        /* The last one that was looked at. */

    /* The first difference. */
    bool differs;
    char what[96]; /* "status", or the attribute or counter. */
    char recorded[512];
    char found[512];
};

/* Makes the calls in 'n' lines (sai/trace/trace.h) on 'backend', whose switch
 * exists, until a result differs.  ST_OK: '*report' says whether one differed.
 * ST_INVALID: line 'report->line' is not a call.  ST_NOT_FOUND: the line refers
 * to an object that is unknown at this point of the record. */
enum st replay_run(struct sai_backend *backend,
                   const struct replay_options *options,
                   const char *const *lines, size_t n,
                   struct replay_report *report,
                   struct err *err) ST_WARN_UNUSED;

#endif /* sai/replay/replay.h */
