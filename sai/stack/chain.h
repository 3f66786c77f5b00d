/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_CHAIN_H
#define ORCHD_SAI_STACK_CHAIN_H

/* What lies between those who make SAI calls and the vendor, in its order:
 *
 *   caller -> recorder -> meter -> guard -> faults -> vendor
 *
 * The recorder is outermost, so that a record has what was asked and what the
 * caller was told, refusals of the guard included, and a replay through a guard
 * gives the same.  The meter is next, for the caller's time without that of
 * writing the record.  Faults are behind the guard, because they stand for a
 * vendor: they cannot make a call pass that the guard refuses, and what they
 * refuse the guard does not note as done. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "sai/core/backend.h"
#include "sai/stack/recorder.h"

struct chain;
struct faults;
struct guard;
struct meter;

/* What the parts need of the system. */
struct chain_system {
    struct recorder_clock clock;
    void (*sleep)(void *context, int64_t ns); /* With the clock's context. */
};

/* Returns a chain before 'vendor', which is borrowed.  'record' says how to
 * record; it is copied, its strings are borrowed, and its path may be NULL.
 * Nothing is recorded yet.  End with chain_destroy(). */
struct chain *chain_create(struct sai_backend *vendor,
                           const struct chain_system *system,
                           const struct recorder_options *record);

/* Frees 'chain'.  Accepts NULL. */
void chain_destroy(struct chain *chain);

/* The chain as a backend, and its parts.  Borrowed. */
struct sai_backend *chain_backend(struct chain *chain);
struct recorder *chain_recorder(struct chain *chain);
struct meter *chain_meter(struct chain *chain);
struct guard *chain_guard(struct chain *chain);
struct faults *chain_faults(struct chain *chain);

/* Begins to record into 'path'; NULL: into the one of chain_create(), or the
 * last one that was named.  'late': calls have been made before, so what
 * is there is introduced (sai/stack/record_snapshot.h).  ST_INVALID if no path
 * is known; else as recorder_start(). */
enum st chain_record(struct chain *chain, const char *path, bool late,
                     struct err *err) ST_WARN_UNUSED;

#endif /* sai/stack/chain.h */
