/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_JOURNAL_H
#define ORCHD_SAI_STACK_JOURNAL_H

/* Keeps the calls that change a switch in memory, for a dry run, which shows
 * them to the user.
 *
 * The journal wraps a backend and passes on all calls.  It does not keep calls
 * that read.  (The recorder, sai/stack/recorder.h, writes all calls to a file
 * when they are made, for replay and for the time after a crash.) */

#include <stddef.h>
#include <stdint.h>

#include "sai/core/backend.h"
#include "sai/core/op.h"

struct journal;

/* A call that was made. */
struct journal_call {
    enum op op; /* OP_CREATE, OP_REMOVE or OP_SET. */
    sai_object_type_t type;
    sai_object_id_t oid; /* Of a creation: what was created, or null. */
    sai_status_t status;
    const sai_attribute_t *attributes; /* Owned by the journal. */
    uint32_t n;
};

/* Returns a journal around 'inner', which is borrowed and whose switch exists.
 * Destroy it with journal_destroy(), which accepts NULL. */
struct journal *journal_create(struct sai_backend *inner);
void journal_destroy(struct journal *journal);

/* Returns the journal as a backend.  Borrowed. */
struct sai_backend *journal_backend(struct journal *journal);

/* Returns the calls in order, and their number in '*n'.  Borrowed until the
 * next call or journal_clear(), which drops them. */
const struct journal_call *journal_calls(const struct journal *journal,
                                         size_t *n);
void journal_clear(struct journal *journal);

#endif /* sai/stack/journal.h */
