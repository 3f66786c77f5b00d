/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_REPORT_ROW_ANSWERS_H
#define ORCHD_REPORT_ROW_ANSWERS_H

/* The status of rows, as JSON: for orchctl, which prints it, and for scripts.
 *
 *   {"counts": {"applied": 412, "rejected": 1, ...},
 *    "rows": [{"table", "key", "state", "code", "reason", ...}, ...]}
 *
 * "counts" covers all rows that were asked for; "rows" lists all but those that
 * are applied without a warning.  Members that do not apply are left out. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "orchd/intent/table.h"
#include "orchd/reconcile/listener.h"

struct agent;

/* The search, and its result. */
struct row_answers {
    bool one_table; /* Only rows of 'table', */
    enum table table;
    const char *key;      /* only this row, whatever its state, */
    const json_t *tables; /* only rows that this configuration has. */

    json_t *rows; /* Borrowed from the result of row_answers_find(). */
    size_t counts[N_ROW_STATES];
    size_t n_trouble; /* Rows that their authors should look at. */
};

/* Searches all rows of 'agent'.  The caller releases the result. */
json_t *row_answers_find(struct row_answers *answers,
                         const struct agent *agent);

/* Adds 'value' to 'object' unless it is "".  Strings come from databases and
 * vendors: one that is not UTF-8 is replaced by a note. */
void row_answers_add_text(json_t *object, const char *name, const char *value);

/* Returns 'err' as JSON: the members that are not empty. */
json_t *row_answers_error(const struct err *err);

#endif /* orchd/report/row_answers.h */
