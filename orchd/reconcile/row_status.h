/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_ROW_STATUS_H
#define ORCHD_RECONCILE_ROW_STATUS_H

/* The answer to a row of CONFIG_DB: what became of it, and why.
 *
 * row_answer.h works it out; a listener (listener.h) receives it; publish/
 * writes it to STATE_DB, where `orchctl config status` reads it. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "orchd/intent/table.h"

/* X(member, name).  The state of a row.  The names are published. */
#define ROW_STATE_LIST(X)                                                      \
    X(APPLIED, "applied") /* The ASIC holds what the row says. */              \
    X(WAITING,                                                                 \
      "waiting") /* Something that it needs does not exist, or is in use. */   \
    X(REJECTED, "rejected") /* The row itself is wrong. */                     \
    X(FAILED, "failed")     /* SAI refused. */                                 \
    X(SHADOWED, "shadowed") /* A more specific row is in force. */             \
    X(PENDING_DELETE,                                                          \
      "pending-delete")           /* Deleted, but others still refer to it. */ \
    X(UNSUPPORTED, "unsupported") /* This switch cannot do it. */

enum row_state {
#define X(member, name) ROW_STATE_##member,
    ROW_STATE_LIST(X)
#undef X
        N_ROW_STATES
};

/* Returns the published name of 'state'. */
const char *row_state_name(enum row_state state);

/* The answer to one row. */
struct row_status {
    enum table table;
    const char *key;
    enum row_state state;
    uint64_t generation; /* Of the plan that led to it. */
    uint64_t changed_in; /* The generation since when the content and the state
                          * of the row are what they are. */

    /* The reason, for everything but a plain "applied": err.code, .field,
     * .value, .allowed, .reason and .remedy; zeroed otherwise. */
    struct err err;

    const char *blocked_by;    /* Comma-separated rows "TABLE|key", or "". */
    const char *referenced_by; /* Likewise. */
    const char *warnings;      /* Comma-separated slugs with detail, or "". */
    const char *origin;        /* "user", "auto", or "user+auto": the user has
                                * written some fields of a derived row. */
    unsigned int attempts;     /* Consecutive failed SAI calls. */
    bool unconfirmed; /* Another program is to make a change, and still has time
                       * (confirmation.h). */

    /* The content that the ASIC is to have, sorted by name; NULL: none. */
    const struct field *fields;
    size_t n_fields;

    /* The content that it has, likewise: the same if the row is applied, else
     * the last one that was, while the ASIC holds something of the row. */
    const struct field *accepted;
    size_t n_accepted;
};

/* Returns the value in force of a field of a row, or NULL.  Borrowed. */
const char *row_status_field(const struct row_status *status, const char *name);

#endif /* orchd/reconcile/row_status.h */
