/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_INTENT_H
#define ORCHD_INTENT_INTENT_H

/* What the user wants: the rows of CONFIG_DB in memory, each with a verdict.
 *
 * Level, not edge: the database code hands in each row *as it is now*
 * (intent_put) or reports that it does not exist (intent_remove).  Intent
 * decides what that means and returns the rows whose effective content or
 * verdict changed (intent_take). It replays no edits, so repeated, reordered or
 * missing notifications do no harm.
 *
 * Content and verdict.  A row has an *effective* content, the last one that was
 * accepted, and a verdict on its *newest* content.  After a bad change the
 * previous content stays in force and the verdict reports the error.
 *
 * Settling.  Tools delete a row and write it again, or write it field by field,
 * so some changes have to wait:
 *   - new content that is valid and lacks no field in force takes effect in the
 *     same call;
 *   - the removal of a row or of a field, and a bad verdict, wait until the row
 *     has not changed for INTENT_QUIET_NS, but at most INTENT_PATIENCE_NS after
 *     the first of them.
 *
 * Hold.  While held (intent_hold), no removal takes effect, however long it has
 * waited.  This keeps the configuration in force when the database is silent or
 * incomplete.
 *
 * Intent does not check references to other rows: a missing one is an edge of
 * the graph in reconcile/. It checks the content of the row itself: types,
 * ranges, mandatory fields and rules among its own fields, all of which come
 * from the YANG modules (schema.h).
 *
 * Times are nanoseconds of any monotonic clock. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/intent/field.h"
#include "orchd/intent/table.h"

#define INTENT_QUIET_NS    (INT64_C(50) * 1000 * 1000)
#define INTENT_PATIENCE_NS (INT64_C(500) * 1000 * 1000)

struct content;
struct intent;
struct schema;
struct timeline;

enum row_verdict {
    ROW_UNDECIDED,   /* The first content looks bad but has not settled.
                      * intent_take() never returns such a row. */
    ROW_ACCEPTED,    /* The newest content is in force. */
    ROW_REJECTED,    /* The newest content is bad: see 'err'. */
    ROW_UNSUPPORTED, /* This form of the key has no effect in this version: see
                      * 'err'.  The row has no content here. */
    ROW_WITHHELD,    /* A derived row whose value cannot be computed: see 'err'.
                      * Its content is what it keeps. */
};

/* How the content of a row is modified before it is translated. */
enum row_form {
    ROW_AS_WRITTEN,
    ROW_COMPLETED,  /* orchd filled in what the user left out
                     * (orchd/derive/dynamic.h).  Fields of a BUFFER_PG other
                     * than "profile" are then names of ports, each with its own
                     * profile. */
    ROW_IDLE,       /* An input of derived rows; no effect of its own. */
    ROW_OVERRIDING, /* Generated; overrides the user's row. */
};

/* A row.  All pointers are owned by the intent and valid until the next call
 * that takes a non-const intent, or runs its timeline. */
struct row {
    /* Identity. */
    const char *key; /* Without the table: "Ethernet0|3-4". */
    enum table table;

    /* Derived from other rows (orchd/derive), not in CONFIG_DB itself. */
    bool generated;

    /* The effective content has fields of a derived row of the same key,
     * because the row in CONFIG_DB has only some: see intent_set_base(). */
    bool partial;

    /* Whether the row is in CONFIG_DB: false while it is undecided, and once
     * its removal has taken effect.  A row that is not present has no effective
     * fields. */
    bool present;

    bool effective; /* False until a content was accepted. */
    enum row_form form;
    enum row_verdict verdict; /* On the newest content. */

    /* The parsed key; NULL and zero if the key itself is bad or unsupported.
     * "PORT_QOS_MAP|global" has the one port "global". */
    const char *const *ports; /* KEY_PORTS and KEY_PORTS_RANGE, else NULL. */
    size_t n_ports;
    unsigned int first, last; /* KEY_PORTS_RANGE, inclusive. */

    /* The ports are system ports of this ASIC: their device and ASIC are
     * 'hostname' and 'asic_name' of DEVICE_METADATA|localhost. */
    bool is_own;

    /* The effective content: sorted by name, blanks trimmed, numbers without
     * leading zeros, legacy references ("[BUFFER_PROFILE|x]") reduced to the
     * name, "field@" renamed to "field", without unknown fields and the NULL
     * placeholder. */
    const struct field *fields;
    size_t n_fields;
    struct content *content; /* The same as an object to keep with
                              * content_ref(), or NULL. */

    /* The reason of the verdict; NULL if accepted or undecided. */
    const struct err *err;
    const char *warnings; /* Comma list of slugs with detail, or "":
                           * "unknown-field pol, legacy-reference pool". */
};

/* Creates an intent that validates rows with 'schema' and keeps its timers in
 * 'timeline'.  It borrows both, and they must outlive it.  If 'strict', an
 * unknown field is an error instead of a warning. */
struct intent *intent_create(struct schema *schema, struct timeline *timeline,
                             bool strict);

/* Returns ST_OK if rows of 'table' can have 'field'; as schema_check_name(). */
enum st intent_check_field(const struct intent *intent, enum table table,
                           const char *field, struct err *err) ST_WARN_UNUSED;

/* Frees 'intent' with all rows.  Accepts NULL. */
void intent_destroy(struct intent *intent);

/* Sets a function that returns the derived row of a key, NULL if there is none.
 * A row of BUFFER_PROFILE that lacks mandatory fields is then completed from it
 * before it is validated: it overrides just the fields that it has.  'context'
 * is borrowed. */
typedef const struct row *intent_base_fn(void *context, enum table table,
                                         const char *key);
void intent_set_base(struct intent *intent, intent_base_fn *base,
                     void *context);

/* Reports that the derived row of a key may have changed.  Returns whether
 * intent_take() has a row to return because of that. */
bool intent_base_changed(struct intent *intent, enum table table,
                         const char *key, int64_t now);

/* Hands in the current content of a row of 'table': 'n' fields in any order,
 * borrowed for the call.  A row without fields counts as removed. */
void intent_put(struct intent *intent, enum table table, const char *key,
                const struct field *fields, size_t n, int64_t now);

/* Reports that CONFIG_DB has the row, but no content that could be handed in:
 * a bad verdict, 'err' (copied), as if the content did not validate. */
void intent_put_bad(struct intent *intent, enum table table, const char *key,
                    const struct err *err, int64_t now);

/* Reports that CONFIG_DB does not have the row. */
void intent_remove(struct intent *intent, enum table table, const char *key,
                   int64_t now);

/* Brackets a resync, which reads the whole database: rows in memory that are
 * not handed in between the two calls are removed, subject to settling and
 * hold. */
void intent_resync_begin(struct intent *intent);
void intent_resync_end(struct intent *intent, int64_t now);

/* Returns whether a resync is in progress. */
bool intent_is_resyncing(const struct intent *intent);

/* While 'held', no removal of a row or field takes effect.  Initially not
 * held. */
void intent_hold(struct intent *intent, bool held, int64_t now);

/* Returns the next row whose effective content, presence or verdict changed
 * since it was last returned, in order of change; NULL if there is none.  The
 * next call frees a row that is returned as not present. */
const struct row *intent_take(struct intent *intent);

/* Returns whether a removal or verdict waits for its row to settle.  Removals
 * that only the hold keeps back do not count, because no time ends them. */
bool intent_unsettled(const struct intent *intent);

/* Returns how many rows have a removal (of the row or of fields) that has
 * settled and that the hold keeps back. */
size_t intent_withheld(const struct intent *intent);

/* Returns a row, or NULL if it is not in memory. */
const struct row *intent_get(const struct intent *intent, enum table table,
                             const char *key);

/* Calls 'visit' for every row in memory, ordered by table, then key. */
void intent_each(const struct intent *intent,
                 void (*visit)(const struct row *row, void *context),
                 void *context);

/* Returns the value of a field in the effective content of 'row', or NULL. */
const char *row_field(const struct row *row, const char *name);

#endif /* orchd/intent/intent.h */
