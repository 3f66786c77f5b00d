/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_CHAIN_H
#define ORCHD_SAI_STACK_CHAIN_H

/* The backends between callers and the vendor, in this order:
 *
 *   caller -> recorder -> meter -> guard -> faults -> vendor
 *
 * The recorder is outermost, so that a record has each call and the result that
 * the caller got, refusals of the guard included, and a replay through a guard
 * gives the same results.  The meter is next: it measures the time that the
 * caller waits, without the time to write the record.  The faults are behind
 * the guard because they simulate the vendor: they cannot make the guard accept
 * a call that it refuses, and the guard does not record a call that they fail
 * as done. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/core/backend.h"
#include "sai/stack/recorder.h"

struct chain;
struct faults;
struct guard;
struct meter;

/* System functions that the parts need. */
struct chain_system {
    struct recorder_clock clock;
    void (*sleep)(void *context, int64_t ns); /* With the clock's context. */
};

/* Returns a chain around 'vendor', which is borrowed.  'record' has the options
 * of recordings; it is copied, its strings are borrowed, and its path may be
 * NULL. Recording is off.  Destroy with chain_destroy(). */
struct chain *chain_create(struct sai_backend *vendor,
                           const struct chain_system *system,
                           const struct recorder_options *record);

/* Frees 'chain'.  Accepts NULL. */
void chain_destroy(struct chain *chain);

/* Return the chain as a backend, and its parts.  Borrowed. */
struct sai_backend *chain_backend(struct chain *chain);
struct recorder *chain_recorder(struct chain *chain);
struct meter *chain_meter(struct chain *chain);
struct guard *chain_guard(struct chain *chain);
struct faults *chain_faults(struct chain *chain);

/* Starts recording to 'path'; NULL: to the path of chain_create(), or the last
 * path that was given.  'late': there have been calls before, so the record
 * begins with a snapshot of the existing objects (sai/stack/record_snapshot.h).
 * ST_INVALID if no path is known; else as recorder_start(). */
enum st chain_record(struct chain *chain, const char *path, bool late,
                     struct err *err) ST_WARN_UNUSED;

#endif /* sai/stack/chain.h */
