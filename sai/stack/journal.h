/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_JOURNAL_H
#define ORCHD_SAI_STACK_JOURNAL_H

/* Remembers the calls that change a switch, in memory: for a dry run, which
 * shows them to its user afterwards.
 *
 * A decorator: what it is asked it asks the backend behind it.  Reading calls
 * pass through without a trace.  (The recorder, sai/stack/recorder.h, writes
 * all calls to a file as they are made, for replay and after a crash.) */

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

/* Returns a journal before 'inner', which is borrowed, as is its switch: that
 * must have been created.  End with journal_destroy(), which accepts NULL. */
struct journal *journal_create(struct sai_backend *inner);
void journal_destroy(struct journal *journal);

/* The journal as a backend.  Borrowed. */
struct sai_backend *journal_backend(struct journal *journal);

/* Returns the calls in order, '*n' of them.  Borrowed until the next call or
 * journal_clear(), which forgets them. */
const struct journal_call *journal_calls(const struct journal *journal,
                                         size_t *n);
void journal_clear(struct journal *journal);

#endif /* sai/stack/journal.h */
