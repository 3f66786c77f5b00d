/* SPDX-License-Identifier: Apache-2.0 */

/* Rows as JSON. */

#include <config.h>

#include "orchd/report/row_answers.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph_walk.h"

/* The end of the reason for waiting for a row (orchd/reconcile/row_answer.c).
 */
#define MISSING " does not exist"

enum { HINTS_MAX = 64 };

/* What a row costs that is listed: it becomes twelve strings. */
enum { LISTED_COST = 16 };

/* A search in progress. */
struct row_search {
    struct graph_walk walk;
    bool visited;  /* All rows. */
    json_t *hints; /* {"TABLE|KEY": HINT}, of rows that do not exist. */
    size_t next;   /* The next listed row that may get a hint. */
};

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

static void
try_key(void *nearest, const char *key)
{
    nearest_try(nearest, key);
}

const char *
row_answers_hint(const struct agent *agent, const char *id,
                 char hint[NEAREST_HINT_SIZE])
{
    const char *bar = strchr(id, '|');
    struct nearest nearest;
    enum table table;

    *hint = '\0';
    if (bar && table_find(id, (size_t)(bar - id), &table)) {
        nearest_init(&nearest, bar + 1, strlen(bar + 1));
        agent_each_key(agent, table, try_key, &nearest);
        (void)nearest_hint(&nearest, hint);
    }
    return hint;
}

/* Appends to the reason of a row that waits for one which does not exist the
 * name that may be meant.  Returns whether that needed a walk over the rows. */
static bool
suggest_reference(const struct agent *agent, json_t *hints, json_t *row)
{
    const char *code = json_string_value(json_object_get(row, "code"));
    const char *reason = json_string_value(json_object_get(row, "reason"));
    struct text text = {0};
    char buffer[NEAREST_HINT_SIZE];
    bool walked = false;
    json_t *hint;

    if (!code || strcmp(code, "missing-ref") || !reason ||
        !strstr(reason, MISSING)) {
        return false;
    }
    text_add_bytes(&text, reason, (size_t)(strstr(reason, MISSING) - reason));
    hint = json_object_get(hints, text_string(&text));
    if (!hint) {
        walked = true;
        hint = row_answers_text(
            row_answers_hint(agent, text_string(&text), buffer));
        json_object_set_new(hints, text_string(&text), hint);
    }
    text_add(&text, MISSING);
    text_add(&text, json_string_value(hint));
    row_answers_add_text(row, "reason", text_string(&text));
    text_fini(&text);
    return walked;
}

/* Adds hints to about 'budget' listed rows, up to one that needs a walk over
 * the rows.  Ends after as many missing rows as a person reads.  Returns
 * whether some are left. */
static bool
suggest_some(const struct row_answers *answers, size_t budget)
{
    struct row_search *search = answers->search;

    while (budget-- && search->next < json_array_size(answers->rows) &&
           json_object_size(search->hints) <= HINTS_MAX) {
        if (suggest_reference(answers->agent, search->hints,
                              json_array_get(answers->rows, search->next++))) {
            break;
        }
    }
    return search->next < json_array_size(answers->rows) &&
           json_object_size(search->hints) <= HINTS_MAX;
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

void
row_answers_begin(struct row_answers *answers, struct agent *agent)
{
    orch_assert(!answers->search);
    answers->agent = agent;
    answers->rows = json_array();
    answers->search = check_calloc(1, sizeof *answers->search);
    answers->search->hints = json_object();
}

/* Visits the one row that is wanted. */
static void
visit_one(struct row_answers *answers)
{
    struct row_answer answer = {0};
    const struct row_status *status =
        agent_row_status(answers->agent, answers->table, answers->key, &answer);

    if (status) {
        visit(answers, status);
    }
    row_answer_fini(&answer);
    answers->search->visited = true;
}

/* Visits rows that cost about 'budget'. */
static void
visit_some(struct row_answers *answers, size_t budget)
{
    struct row_search *search = answers->search;
    const size_t n_before = json_array_size(answers->rows);
    size_t n = 0, n_listed = 0;

    while (!search->visited && n + LISTED_COST * n_listed < budget) {
        const struct row_status *status =
            agent_walk_row(answers->agent, &search->walk);

        if (status) {
            visit(answers, status);
        }
        search->visited = !status;
        n_listed = json_array_size(answers->rows) - n_before;
        n++;
    }
}

bool
row_answers_continue(struct row_answers *answers, size_t budget)
{
    struct row_search *search = answers->search;

    if (search->visited) {
        return suggest_some(answers, budget);
    }
    if (answers->one_table && answers->key) {
        visit_one(answers);
        (void)suggest_some(answers, 1);
        return false;
    }
    visit_some(answers, budget);
    return !search->visited || json_array_size(answers->rows);
}

/* Frees what a search needs, but not its result. */
static void
end_search(struct row_answers *answers)
{
    graph_walk_fini(&answers->search->walk);
    json_decref(answers->search->hints);
    free(answers->search);
    answers->search = NULL;
}

json_t *
row_answers_end(struct row_answers *answers)
{
    json_t *json =
        json_pack("{s:o, s:o}", "counts", counts_json(answers->counts), "rows",
                  answers->rows);
    json_t *gap;

    end_search(answers);
    if (answers->key || answers->one_table) {
        return json;
    }
    json_object_set_new(json, "derived", counts_json(answers->derived));
    gap = lossless_gap_json(&answers->gap, answers->agent);
    if (gap) {
        json_object_set_new(json, "lossless_gap", gap);
    }
    return json;
}

void
row_answers_cancel(struct row_answers *answers)
{
    if (answers->search) {
        end_search(answers);
        json_decref(answers->rows);
        answers->rows = NULL;
    }
}

json_t *
row_answers_find(struct row_answers *answers, struct agent *agent)
{
    row_answers_begin(answers, agent);
    while (row_answers_continue(answers, SIZE_MAX)) {
    }
    return row_answers_end(answers);
}
