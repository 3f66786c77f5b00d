/* SPDX-License-Identifier: Apache-2.0 */

/* Rows as JSON. */

#include <config.h>

#include "orchd/report/row_answers.h"

#include <string.h>

#include "base/nearest.h"
#include "base/text.h"
#include "orchd/reconcile/agent.h"

/* The end of the reason for waiting for a row (orchd/reconcile/row_answer.c).
 */
#define MISSING " does not exist"

enum { HINTS_MAX = 64 };

json_t *
row_answers_text(const char *value)
{
    json_t *json = json_string(value);
    struct text text = {0};

    if (!json) {
        text_add_escaped(&text, value, strlen(value));
        json = json_string(text_string(&text));
        text_fini(&text);
    }
    return json;
}

void
row_answers_add_text(json_t *object, const char *name, const char *value)
{
    if (*value) {
        json_object_set_new(object, name, row_answers_text(value));
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
    const bool wanted = is_wanted(answers, status);
    const bool derived = !strcmp(status->origin, "auto");

    lossless_gap_add(&answers->gap, answers->agent, status);
    answers->derived[status->state] += derived;
    if (!wanted && !(derived && answers->tables)) {
        return;
    }
    if (wanted) {
        answers->counts[status->state]++;
    }
    if (answers->only_changed && status->changed_in <= answers->since) {
        answers->n_other += wanted && row_is_trouble(status);
        return;
    }
    if (wanted) {
        answers->n_changed++;
        answers->n_trouble += row_is_trouble(status);
    }
    if (answers->key || status->state != ROW_STATE_APPLIED ||
        *status->warnings) {
        json_array_append_new(answers->rows, status_json(status));
    }
}

/* Returns the number of rows in each state, including 0, so that readers of the
 * JSON need not check which states are present. */
static json_t *
counts_json(const size_t n[N_ROW_STATES])
{
    json_t *counts = json_object();

    for (size_t i = 0; i < N_ROW_STATES; i++) {
        json_object_set_new(counts, row_state_name((enum row_state)i),
                            json_integer((json_int_t)n[i]));
    }
    return counts;
}

/* A search for a row that has almost the name of a missing one. */
struct search {
    enum table table;
    struct nearest nearest;
};

static void
try_row(void *search_, const struct row_status *status)
{
    struct search *search = search_;

    if (status->table == search->table) {
        nearest_try(&search->nearest, status->key);
    }
}

const char *
row_answers_hint(const struct agent *agent, const char *id,
                 char hint[NEAREST_HINT_SIZE])
{
    const char *bar = strchr(id, '|');
    struct search search;

    *hint = '\0';
    if (bar && table_find(id, (size_t)(bar - id), &search.table)) {
        nearest_init(&search.nearest, bar + 1, strlen(bar + 1));
        agent_each_row(agent, try_row, &search);
        (void)nearest_hint(&search.nearest, hint);
    }
    return hint;
}

/* Appends to the reason of each row that waits for a row which does not exist
 * the name that may be meant.  Each walk looks at all rows, so this is left to
 * the one who asks, and ends after as many missing rows as a person reads. */
static void
suggest_references(const struct row_answers *answers, const struct agent *agent)
{
    json_t *hints = json_object(), *row;
    size_t i;

    json_array_foreach(answers->rows, i, row)
    {
        const char *code = json_string_value(json_object_get(row, "code"));
        const char *reason = json_string_value(json_object_get(row, "reason"));
        struct text text = {0};
        char buffer[NEAREST_HINT_SIZE];
        json_t *hint;

        if (!code || strcmp(code, "missing-ref") || !reason ||
            !strstr(reason, MISSING) || json_object_size(hints) > HINTS_MAX) {
            continue;
        }
        text_add_bytes(&text, reason,
                       (size_t)(strstr(reason, MISSING) - reason));
        hint = json_object_get(hints, text_string(&text));
        if (!hint) {
            hint = row_answers_text(
                row_answers_hint(agent, text_string(&text), buffer));
            json_object_set_new(hints, text_string(&text), hint);
        }
        text_add(&text, MISSING);
        text_add(&text, json_string_value(hint));
        row_answers_add_text(row, "reason", text_string(&text));
        text_fini(&text);
    }
    json_decref(hints);
}

enum st
row_answers_select(struct row_answers *answers, const char *selector,
                   struct err *err)
{
    const char *bar = strchr(selector, '|');
    size_t length = bar ? (size_t)(bar - selector) : strlen(selector);

    if (!table_find(selector, length, &answers->table)) {
        char table[100];

        text_format(table, sizeof table, "%.*s",
                    (int)(length < sizeof table ? length : sizeof table - 1),
                    selector);
        err_set(err, ST_INVALID, "usage",
                "there is no table '%s' (use TABLE or 'TABLE|KEY')", table);
        return table_explain("row", table, err);
    }
    answers->one_table = true;
    answers->key = bar ? bar + 1 : NULL;
    return ST_OK;
}

json_t *
row_answers_find(struct row_answers *answers, struct agent *agent)
{
    json_t *json, *gap;

    answers->agent = agent;
    answers->rows = json_array();
    agent_each_row(agent, visit, answers);
    suggest_references(answers, agent);
    json = json_pack("{s:o, s:o}", "counts", counts_json(answers->counts),
                     "rows", answers->rows);
    if (answers->key || answers->one_table) {
        return json;
    }
    json_object_set_new(json, "derived", counts_json(answers->derived));
    gap = lossless_gap_json(&answers->gap, agent);
    if (gap) {
        json_object_set_new(json, "lossless_gap", gap);
    }
    return json;
}
