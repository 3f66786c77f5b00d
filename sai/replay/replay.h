/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_REPLAY_H
#define ORCHD_SAI_REPLAY_REPLAY_H

/* Makes recorded calls again, on any backend, and compares.
 *
 * Motivation: a record tells what a vendor did in the field.  Made again on
 * another library, or on the same after a fix, it tells what has changed.
 *
 * Object ids are the vendor's own, so those of the record are translated: what
 * was created is what creating it again gives; ports that were there before are
 * found by their lanes; what else answers name for the first time (queues and
 * priority groups of a port, ...) is what the answer has now in the same place.
 * So a record must begin where the objects it speaks of appear, or introduce
 * them (sai/stack/record_snapshot.h): what it says to be there is made first.
 *
 * Compared are statuses and what was read; lists of objects as sets.  Not
 * compared are addresses of callbacks, which are also not given to the library.
 * A call that was never answered, and one with a value that has no text, is not
 * made. */

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
 * exists, until one differs.  ST_OK: '*report' says whether one did.
 * ST_INVALID: line 'report->line' is none; ST_NOT_FOUND: it speaks of an object
 * that the record does not explain. */
enum st replay_run(struct sai_backend *backend,
                   const struct replay_options *options,
                   const char *const *lines, size_t n,
                   struct replay_report *report,
                   struct err *err) ST_WARN_UNUSED;

#endif /* sai/replay/replay.h */
