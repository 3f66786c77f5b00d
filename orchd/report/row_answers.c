/* SPDX-License-Identifier: Apache-2.0 */

/* Rows as JSON. */

#include <config.h>

#include "orchd/report/row_answers.h"

#include <string.h>

#include "orchd/reconcile/agent.h"

void
row_answers_add_text(json_t *object, const char *name, const char *value)
{
    if (*value) {
        json_t *text = json_string(value);

        json_object_set_new(object, name,
                            text ? text : json_string("(not UTF-8)"));
    }
}

json_t *
row_answers_error(const struct err *err)
{
    json_t *object = json_object();

    json_object_set_new(object, "status", json_string(st_name(err->status)));
    row_answers_add_text(object, "code", err->code);
    row_answers_add_text(object, "field", err->field);
    row_answers_add_text(object, "value", err->value);
    row_answers_add_text(object, "allowed", err->allowed);
    row_answers_add_text(object, "reason", err->reason);
    row_answers_add_text(object, "remedy", err->remedy);
    return object;
}

/* Returns whether the author of the row should look at it.  That holds for rows
 * that the device does not support, but not for those that this version of
 * orchd does not support yet. */
static bool
row_is_trouble(const struct row_status *status)
{
    switch (status->state) {
    case ROW_STATE_WAITING:
    case ROW_STATE_REJECTED:
    case ROW_STATE_FAILED:
    case ROW_STATE_PENDING_DELETE:
        return true;
    case ROW_STATE_APPLIED:
    case ROW_STATE_SHADOWED:
    case N_ROW_STATES:
        return false;
    case ROW_STATE_UNSUPPORTED:
    default:
        return status->attempts > 0;
    }
}

/* Returns the status of a row, without members that do not apply. */
static json_t *
status_json(const struct row_status *status)
{
    json_t *row = json_object();

    row_answers_add_text(row, "table", table_name(status->table));
    row_answers_add_text(row, "key", status->key);
    row_answers_add_text(row, "state", row_state_name(status->state));
    row_answers_add_text(row, "code", status->err.code);
    row_answers_add_text(row, "field", status->err.field);
    row_answers_add_text(row, "value", status->err.value);
    row_answers_add_text(row, "allowed", status->err.allowed);
    row_answers_add_text(row, "reason", status->err.reason);
    row_answers_add_text(row, "remedy", status->err.remedy);
    row_answers_add_text(row, "blocked_by", status->blocked_by);
    row_answers_add_text(row, "referenced_by", status->referenced_by);
    row_answers_add_text(row, "warnings", status->warnings);
    row_answers_add_text(row, "origin", status->origin);
    json_object_set_new(row, "generation",
                        json_integer((json_int_t)status->generation));
    if (status->attempts) {
        json_object_set_new(row, "attempts", json_integer(status->attempts));
    }
    return row;
}

/* Returns whether the search covers this row. */
static bool
is_wanted(const struct row_answers *answers, const struct row_status *status)
{
    const json_t *table;

    if (answers->one_table && status->table != answers->table) {
        return false;
    }
    if (answers->key && strcmp(answers->key, status->key)) {
        return false;
    }
    if (answers->tables) {
        table = json_object_get(answers->tables, table_name(status->table));
        return json_object_get(table, status->key) != NULL;
    }
    return true;
}

/* Counts each row, and lists those that are not plainly applied: a warning may
 * point to a misspelled field. */
static void
visit(void *context, const struct row_status *status)
{
    struct row_answers *answers = context;

    if (!is_wanted(answers, status)) {
        return;
    }
    answers->counts[status->state]++;
    answers->n_trouble += row_is_trouble(status);
    if (answers->key || status->state != ROW_STATE_APPLIED ||
        *status->warnings) {
        json_array_append_new(answers->rows, status_json(status));
    }
}

/* Returns the number of rows in each state, including 0, so that readers of the
 * JSON need not check which states are present. */
static json_t *
counts_json(const struct row_answers *answers)
{
    json_t *counts = json_object();

    for (size_t i = 0; i < N_ROW_STATES; i++) {
        json_object_set_new(counts, row_state_name((enum row_state)i),
                            json_integer((json_int_t)answers->counts[i]));
    }
    return counts;
}

json_t *
row_answers_find(struct row_answers *answers, const struct agent *agent)
{
    answers->rows = json_array();
    agent_each_row(agent, visit, answers);
    return json_pack("{s:o, s:o}", "counts", counts_json(answers), "rows",
                     answers->rows);
}
