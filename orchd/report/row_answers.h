/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_ROW_ANSWERS_H
#define ORCHD_REPORT_ROW_ANSWERS_H

/* The status of rows, as JSON: for orchctl, which prints it, and for scripts.
 *
 *   {"counts": {"applied": 412, "rejected": 1, ...},
 *    "derived": {"applied": 33, "waiting": 64, ...},
 *    "rows": [{"table", "key", "state", "code", "reason", ...}, ...]}
 *
 * "counts" covers all rows that were asked for; "rows" lists all but those that
 * are applied without a warning.  If all rows or those of a configuration were
 * asked for, "derived" counts the derived rows of the switch (which are among
 * "counts" if all rows were), "rows" lists those as well, and "lossless_gap" is
 * what lossless_gap.h finds.  Members that do not apply are left out.  The
 * reason of a row that waits for a row which does not exist ends with the name
 * that may be meant, if one is similar. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/nearest.h"
#include "base/status.h"
#include "orchd/intent/table.h"
#include "orchd/reconcile/listener.h"
#include "orchd/report/lossless_gap.h"

struct agent;
struct row_search;

/* The search, and its result. */
struct row_answers {
    bool one_table; /* Only rows of 'table', */
    enum table table;
    const char *key;      /* only this row, whatever its state, */
    const json_t *tables; /* only rows that this configuration has. */
    bool only_changed;    /* List only rows that changed after generation */
    uint64_t since;       /* 'since'; the counts have all. */

    json_t *rows; /* Borrowed from the result of row_answers_find(). */
    size_t counts[N_ROW_STATES];
    size_t derived[N_ROW_STATES];
    size_t n_trouble; /* Rows that their authors should look at (of derived
                       * rows only those that were asked for), */
    size_t n_other;   /* and those of them that are not listed. */
    size_t n_changed; /* Rows that changed after 'since'. */

    /* Private. */
    struct agent *agent;
    struct lossless_gap gap;
    struct row_search *search; /* NULL: none is in progress. */
};

/* Limits the search to 'selector', "TABLE" or "TABLE|KEY", from which 'answers'
 * borrows the key.  ST_INVALID: there is no such table; 'err' has the nearest
 * ones. */
enum st row_answers_select(struct row_answers *answers, const char *selector,
                           struct err *err) ST_WARN_UNUSED;

/* Searches all rows of 'agent'.  The caller releases the result. */
json_t *row_answers_find(struct row_answers *answers, struct agent *agent);

/* Do the same in slices, between which turns of the agent may come: a row that
 * exists throughout counts exactly once, with the state that it has when the
 * search comes to it.  One row by its key is one slice.
 *
 * Begin; continue with rows that cost about 'budget' (1 for a row that is not
 * listed) while that returns that some are left; then take the result with
 * row_answers_end(), or give up with row_answers_cancel(), which may be called
 * when no search is in progress. */
void row_answers_begin(struct row_answers *answers, struct agent *agent);
bool row_answers_continue(struct row_answers *answers, size_t budget);
json_t *row_answers_end(struct row_answers *answers);
void row_answers_cancel(struct row_answers *answers);

/* Returns " (did you mean 'x'?)" in 'hint' if there is a row whose key is
 * similar to that of the missing row 'id', "TABLE|key"; else "". */
const char *row_answers_hint(const struct agent *agent, const char *id,
                             char hint[NEAREST_HINT_SIZE]);

/* Returns 'value' as a JSON string; bytes that are not UTF-8 become "\xNN". */
json_t *row_answers_text(const char *value);

/* Adds 'value' to 'object' unless it is "".  Strings come from databases and
 * vendors: one that is not UTF-8 is replaced by a note. */
void row_answers_add_text(json_t *object, const char *name, const char *value);

/* Returns 'err' as JSON: the members that are not empty. */
json_t *row_answers_error(const struct err *err);

#endif /* orchd/report/row_answers.h */
