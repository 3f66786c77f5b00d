/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_INTENT_H
#define ORCHD_INTENT_INTENT_H

/* What the user wants: the rows of CONFIG_DB in memory, each with a verdict.
 *
 * Level, not edge: whoever watches the database hands in a row *as it is now*
 * (intent_put) or says that it is not there (intent_remove).  Intent decides
 * what that means and hands on the rows whose effective content or verdict
 * changed (intent_take).  It replays no edits, so repeated, reordered or
 * missing notifications cannot harm.
 *
 * Content and verdict.  A row has an *effective* content, the last one that
 * was accepted, and a verdict on its *newest* content.  A change for the worse
 * therefore leaves in force what was good before, and says so.
 *
 * Quiet.  Tools delete a row and write it anew, or write it field by field, so
 * not everything is believed at once:
 *   - new content that is valid and lacks no field that is in force takes
 *     effect in the same call;
 *   - the removal of a row or of a field, and a bad verdict, wait until the row
 *     was quiet for INTENT_QUIET_NS, but not longer than INTENT_PATIENCE_NS
 *     after the first of them.
 *
 * Hold.  Nothing destructive comes from silence: while held (intent_hold), no
 * removal matures, however long it has waited.
 *
 * References to other rows are not judged here: a missing one is an edge of
 * the graph in reconcile/.  Only the content of the row itself is: types,
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
    ROW_UNDECIDED,   /* Its first content looks bad but is not quiet yet.
                      * intent_take() never returns such a row. */
    ROW_ACCEPTED,    /* The newest content is the effective one. */
    ROW_REJECTED,    /* The newest content is bad: see 'err'. */
    ROW_UNSUPPORTED, /* The table, or this form of its key, has no effect in
                      * this version: see 'err'.  It has no content here. */
    ROW_WITHHELD,    /* A row of which what is derived cannot be had: see 'err'.
                      * Its content is what it may keep. */
};

/* What was made of the content of a row before it is translated. */
enum row_form {
    ROW_AS_WRITTEN,
    ROW_COMPLETED,  /* It got what the user left out (orchd/derive/dynamic.h).
                     * Fields of a BUFFER_PG that are not "profile" are then the
                     * names of ports, whose profiles differ. */
    ROW_IDLE,       /* It only says something for others. */
    ROW_OVERRIDING, /* It is generated, and wins over the user's. */
};

/* A row.  All pointers are owned by the intent and valid until the next call
 * that takes a non-const intent, or runs its timeline. */
struct row {
    /* Identity. */
    enum table table;
    const char *key; /* Without the table: "Ethernet0|3-4". */

    /* The parsed key; NULL and zero if the key itself was rejected or is
     * unsupported.  "PORT_QOS_MAP|global" has the one port "global". */
    const char *const *ports; /* KEY_PORTS and KEY_PORTS_RANGE, else NULL. */
    size_t n_ports;
    unsigned int first, last; /* KEY_PORTS_RANGE, inclusive. */

    /* Whether the row is in CONFIG_DB: false while it is undecided, and once
     * its removal has matured.  A row that is not present has no effective
     * fields. */
    bool present;

    /* The effective content: sorted by name, blanks trimmed, numbers without
     * leading zeros, legacy references ("[BUFFER_PROFILE|x]") reduced to the
     * name, "field@" renamed to "field", unknown fields and the NULL
     * placeholder left out.  'effective' is false while no content was ever
     * accepted. */
    bool effective;
    const struct field *fields;
    size_t n_fields;
    struct content *content; /* The same in one piece, for who wants to keep it
                              * (content_ref()); NULL: it is in none. */

    /* The verdict on the newest content. */
    enum row_verdict verdict;
    const struct err *err; /* Why not; NULL if accepted or undecided. */
    const char *warnings;  /* Comma list of slugs with detail, "" if none:
                            * "unknown-field pol, legacy-reference pool". */

    /* Derived from other rows (orchd/derive), not in CONFIG_DB itself. */
    bool generated;
    enum row_form form;
};

/* Creates an intent that judges with 'schema' and keeps its timers in
 * 'timeline'; both are borrowed and must outlive it.  With 'strict' an unknown
 * field is an error instead of a warning. */
struct intent *intent_create(struct schema *schema, struct timeline *timeline,
                             bool strict);

/* Frees 'intent' with all rows.  Accepts NULL. */
void intent_destroy(struct intent *intent);

/* Hands in the present content of a row of a known 'table': 'n' fields in any
 * order, borrowed for the call.  A row without fields is not a row. */
void intent_put(struct intent *intent, enum table table, const char *key,
                const struct field *fields, size_t n, int64_t now);

/* Says that CONFIG_DB has no such row (any more). */
void intent_remove(struct intent *intent, enum table table, const char *key,
                   int64_t now);

/* Brackets a full reading of the database: rows that were in memory but not
 * handed in between the two calls are removed, subject to quiet and hold. */
void intent_reading_begin(struct intent *intent);
void intent_reading_end(struct intent *intent, int64_t now);

/* Returns whether one is under way. */
bool intent_is_reading(const struct intent *intent);

/* While 'held', no removal of a row or field matures.  Not held at first. */
void intent_hold(struct intent *intent, bool held, int64_t now);

/* Returns the next row whose effective content, presence or verdict changed
 * since it was last returned, NULL when there is none.  In order of change.
 * A row that is returned as not present is freed by the next call. */
const struct row *intent_take(struct intent *intent);

/* Returns whether a row waits for quiet: a removal, or a verdict.  Removals
 * that only the hold keeps back do not count: no time will bring them about. */
bool intent_unsettled(const struct intent *intent);

/* Returns of how many rows the removal, or that of fields, had its quiet and is
 * kept back by the hold. */
size_t intent_withheld(const struct intent *intent);

/* Returns a row, NULL if it is not in memory. */
const struct row *intent_get(const struct intent *intent, enum table table,
                             const char *key);

/* Calls 'visit' for every row in memory, ordered by table, then key. */
void intent_each(const struct intent *intent,
                 void (*visit)(const struct row *row, void *context),
                 void *context);

/* Returns the value of a field in the effective content of 'row', or NULL. */
const char *row_field(const struct row *row, const char *name);

#endif /* orchd/intent/intent.h */
