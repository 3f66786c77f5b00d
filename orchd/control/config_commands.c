/* SPDX-License-Identifier: Apache-2.0 */

/* "config ...": writes rows to CONFIG_DB and reports their status. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/find_rows.h"
#include "orchd/control/history_check.h"
#include "orchd/db/redis.h"
#include "orchd/files/config_file.h"
#include "orchd/history/burst.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/differences.h"
#include "orchd/report/explain.h"
#include "orchd/report/findings.h"
#include "orchd/report/row_answers.h"
#include "orchd/report/unknown_tables.h"

/* Attributes that are read back in one turn: one or two milliseconds, also if
 * the switch is in another process. */
#define DIFF_PER_TURN 256

/* Attributes of a row that are explained in one turn, or terms: the same. */
#define EXPLAIN_PER_TURN 256

/* Returns whether removals are held back, and of how many rows. */
static json_t *
removals_json(const struct command_context *context)
{
    const struct control_state *state = &context->state;
    json_t *object = json_object();

    json_object_set_new(object, "held", json_boolean(*state->hold));
    json_object_set_new(object, "rows",
                        json_integer((json_int_t)state->withheld));
    row_answers_add_text(object, "reason", state->hold);
    return object;
}

/* Adds the fields in force of the row that 'answers' looked for. */
static void
add_fields(const struct command_context *context,
           const struct row_answers *answers, json_t *data)
{
    const struct row *row =
        agent_row(context->services.agent, answers->table, answers->key);
    json_t *fields = json_object();

    for (size_t i = 0; row && row->effective && i < row->n_fields; i++) {
        json_object_set_new(fields, row->fields[i].name,
                            row_answers_text(row->fields[i].value));
    }
    json_object_set_new(json_array_get(json_object_get(data, "rows"), 0),
                        "fields", fields);
}

/* Ends a call for the status of all rows.  The chip rows of STATE_DB are not
 * part of the configuration, but an operator may look for their errors here. */
static void
status_of_all(struct call *call, const struct row_answers *answers,
              json_t *data)
{
    const struct control_state *state = &call->context->state;

    if (state->refused && !state->trouble && !answers->n_trouble) {
        call_no(call, state->refused, data);
    } else {
        call_answers_all(call, answers, data);
    }
}

/* A status of all rows in progress. */
struct listing {
    json_t *seen; /* Rows of tables that orchd does not read. */
};

static void
note_key(void *call_, const char *key)
{
    const struct call *call = call_;
    const struct listing *listing = call->state;

    unknown_tables_note(listing->seen, key);
}

/* Frees what is left of a listing; see struct call. */
static void
status_forget(struct call *call)
{
    const struct listing *listing = call->state;

    json_decref(listing->seen);
}

/* Implements find_rows_fn. */
static void
status_found(struct call *call, const struct row_answers *answers, json_t *data)
{
    const struct listing *listing = call->state;

    json_object_set_new(data, "redis", command_redis_json(call->context));
    json_object_set_new(data, "removals", removals_json(call->context));
    json_object_set_new(data, "unknown_tables",
                        unknown_tables_list(listing->seen));
    status_of_all(call, answers, data);
}

/* All keys are known, or as many as could be read. */
static void
status_listed(void *call_, enum st status)
{
    const struct row_answers all = {0};

    (void)status; /* The data say whether Redis can be reached. */
    find_rows(call_, &all, status_found);
}

/* Starts a status of all rows with the keys of CONFIG_DB: rows of other tables
 * are not in memory. */
static void
status_list(struct call *call)
{
    struct listing *listing = check_calloc(1, sizeof *listing);

    listing->seen = json_object();
    call->state = listing;
    call->forget = status_forget;
    redis_list(call->context->services.redis, CONFIG_DB, NULL, note_key,
               status_listed, call);
}

/* Implements find_rows_fn: the status of a row or a table. */
static void
status_selected(struct call *call, const struct row_answers *answers,
                json_t *data)
{
    const char *selector = call_text(call, "row", "");
    char hint[NEAREST_HINT_SIZE];
    struct err err = {0};

    if (answers->key && !json_array_size(answers->rows)) {
        json_decref(data);
        err_set(
            &err, ST_NOT_FOUND, "no-row", "CONFIG_DB has no row %s%s", selector,
            row_answers_hint(call->context->services.agent, selector, hint));
        call_no(call, &err, NULL);
        return;
    }
    if (answers->key) {
        add_fields(call->context, answers, data);
    } else {
        json_object_set_new(data, "redis", command_redis_json(call->context));
        json_object_set_new(data, "removals", removals_json(call->context));
    }
    call_answers(call, answers, data);
}

/* Exits with CONTROL_NO if one of the rows needs attention. */
static void
config_status(struct call *call)
{
    const char *selector = call_text(call, "row", NULL);
    struct row_answers answers = {0};
    struct err err = {0};

    if (!selector) {
        status_list(call);
        return;
    }
    if (row_answers_select(&answers, selector, &err)) {
        call_usage(call, &err);
        return;
    }
    find_rows(call, &answers, status_selected);
}

/* Answers at once: the removals follow in the next turn. */
static void
config_resume(struct call *call)
{
    if (call->context->services.resume) {
        call->context->services.resume(call->context->services.context);
    }
    call_done(call, NULL);
}

/* A load in progress. */
struct loading {
    struct arena *arena; /* Of 'rows', until they are written. */
    struct field_row *rows;
    size_t n_rows;
};

/* Frees what is left of a load; see struct call. */
static void
load_forget(struct call *call)
{
    const struct loading *loading = call->state;

    arena_destroy(loading->arena);
}

/* Returns how much was written, for the reply. */
static json_t *
loading_json(const struct call *call)
{
    const struct loading *loading = call->state;
    const json_t *tables = json_object_get(call->arguments, "tables");

    return json_pack("{s:I, s:I, s:o}", "tables",
                     (json_int_t)json_object_size(tables), "rows_written",
                     (json_int_t)loading->n_rows, "unknown_tables",
                     unknown_tables_of(tables));
}

/* Implements find_rows_fn. */
static void
load_found(struct call *call, const struct row_answers *answers, json_t *found)
{
    json_t *data = loading_json(call);

    json_object_update(data, found);
    json_decref(found);
    call_answers(call, answers, data);
}

/* Ends a load that waited; only the status of the loaded rows counts. */
static void
load_settled(struct call *call)
{
    const struct row_answers loaded = {
        .tables = json_object_get(call->arguments, "tables")};

    sync_point_reach(&call->context->synced, call->context->services.agent);
    find_rows(call, &loaded, load_found);
}

/* Implements redis_done_fn for the barrier after a load that waits. */
static void
load_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    burst_end_load(call->context->services.burst,
                   call_text(call, "comment", NULL));
    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_confirmed(call, load_settled);
    }
}

/* The end of a load that does not wait, which outlives its call. */
struct load_end {
    struct burst *burst;
    char *comment; /* NULL: none. */
};

/* Implements redis_done_fn for the barrier after such a load. */
static void
load_ended(void *context, enum st status, const struct err *err)
{
    struct load_end *end = context;

    (void)status; /* An end is an end. */
    (void)err;
    burst_end_load(end->burst, end->comment);
    free(end->comment);
    free(end);
}

/* Answers at once; the history follows when the rows have been read. */
static void
load_leave(struct call *call)
{
    const struct control_services *services = &call->context->services;
    const char *comment = call_text(call, "comment", NULL);
    struct load_end *end;

    if (services->burst) {
        end = check_calloc(1, sizeof *end);
        end->burst = services->burst;
        end->comment = comment ? check_strdup(comment) : NULL;
        redis_barrier(services->redis, load_ended, end);
    }
    call_done(call, loading_json(call));
}

/* Implements redis_done_fn for the write of a load. */
static void
load_written(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        burst_end_load(call->context->services.burst, NULL);
        call_end(call, err, NULL);
    } else if (call_flag(call, "wait")) {
        redis_barrier(call->context->services.redis, load_seen, call);
    } else {
        load_leave(call);
    }
}

/* Writes the rows, in one atomic step. */
static void
load_write(struct call *call)
{
    struct loading *loading = call->state;
    struct arena *arena = loading->arena; /* The call may end at once. */

    loading->arena = NULL;
    burst_begin_load(call->context->services.burst);
    redis_write_rows(
        call->context->services.redis, loading->rows, loading->n_rows,
        call_flag(call, "replace") ? REDIS_WRITE_ALL : REDIS_WRITE_MERGE,
        load_written, call);
    arena_destroy(arena);
}

/* Converts the whole file before writing anything, so that a file with an error
 * changes nothing. */
static void
load_start(struct call *call)
{
    const json_t *tables = json_object_get(call->arguments, "tables");
    struct loading *loading = check_calloc(1, sizeof *loading);
    struct err err = {0};

    call->state = loading;
    call->forget = load_forget;
    loading->arena = arena_create(0);
    if (config_file_rows(tables, loading->arena, &loading->rows,
                         &loading->n_rows, &err)) {
        call_usage(call, &err);
    } else {
        call_each_turn(call, load_write);
    }
}

static void
config_load(struct call *call)
{
    if (history_check_comment(call)) {
        call_when_connected(call, load_start);
    }
}

/* Ends 'call' if there is no switch.  Returns whether there is one. */
static bool
has_switch(struct call *call)
{
    if (call->context->backend) {
        return true;
    }
    call_no_asic(call, NULL);
    return false;
}

/* Lint in progress. */
struct linting {
    struct findings *findings;
    const struct chip *chip;
    uint64_t first_generation; /* Of the configuration when it began. */
};

/* Frees what is left of it; see struct call. */
static void
lint_forget(struct call *call)
{
    const struct linting *linting = call->state;

    findings_destroy(linting->findings);
}

static void
lint_some(struct call *call)
{
    struct linting *linting = call->state;
    struct findings *findings = linting->findings;
    json_t *data;

    if (!call->context->backend || linting->chip != call->context->chip) {
        call_no_asic(call, NULL); /* The switch is gone, and its chip. */
    } else if (findings_continue(findings)) {
        call_each_turn(call, lint_some);
    } else {
        linting->findings = NULL;
        data = findings_end(findings);
        call_add_generations(call, linting->first_generation, data);
        call_done(call, data);
    }
}

/* Checks the rows in force now; a caller that has just written rows calls
 * "config sync" first. */
static void
config_lint(struct call *call)
{
    const struct command_context *context = call->context;
    struct linting *linting;

    if (!has_switch(call)) {
        return;
    }
    linting = check_calloc(1, sizeof *linting);
    linting->chip = context->chip;
    linting->first_generation = call_generation(call);
    linting->findings = findings_begin(context->services.agent,
                                       context->backend, context->chip);
    call->state = linting;
    call->forget = lint_forget;
    call_each_turn(call, lint_some);
}

/* A comparison in progress. */
struct comparison {
    struct differences *differences;
    uint64_t first_generation; /* Of the configuration when it began. */
};

/* Frees what is left of a comparison; see struct call. */
static void
diff_forget(struct call *call)
{
    struct comparison *comparison = call->state;

    differences_destroy(comparison->differences);
}

/* Ends a call with what was found. */
static void
diff_end(struct call *call)
{
    struct comparison *comparison = call->state;
    json_t *data = differences_end(comparison->differences);
    const size_t n = json_array_size(json_object_get(data, "differences"));
    struct err err = {0};

    comparison->differences = NULL;
    call_add_generations(call, comparison->first_generation, data);
    if (n) {
        err_set(&err, ST_BUSY, "differs", "%zu attribute%s", n,
                n == 1 ? " differs" : "s differ");
        call_no(call, &err, data);
    } else if (json_array_size(json_object_get(data, "unread")) &&
               !json_integer_value(json_object_get(data, "compared"))) {
        err_set(&err, ST_IO, "unread",
                "nothing could be compared: all reads of the switch failed");
        err_set_remedy(&err, "see \"orchctl status\" and the log");
        call_no(call, &err, data);
    } else {
        call_done(call, data);
    }
}

/* Compares some more objects. */
static void
diff_some(struct call *call)
{
    const struct command_context *context = call->context;
    struct comparison *comparison = call->state;

    if (!has_switch(call)) {
        return;
    }
    if (differences_read(comparison->differences, context->services.agent,
                         context->backend, DIFF_PER_TURN)) {
        call_each_turn(call, diff_some);
    } else {
        diff_end(call);
    }
}

static void
config_diff(struct call *call)
{
    struct comparison *comparison = check_calloc(1, sizeof *comparison);

    comparison->differences = differences_create();
    comparison->first_generation = call_generation(call);
    call->state = comparison;
    call->forget = diff_forget;
    diff_some(call);
}

/* An explanation in progress. */
struct explaining {
    struct explain *explain;
    struct row_answers answers; /* The row that it is about. */
    uint64_t first_generation;  /* Of the configuration when it began. */
};

/* Frees what is left of an explanation; see struct call. */
static void
explain_forget(struct call *call)
{
    const struct explaining *explaining = call->state;

    explain_destroy(explaining->explain);
}

/* Ends a call with what was found. */
static void
explain_done(struct call *call)
{
    struct agent *agent = call->context->services.agent;
    struct explaining *explaining = call->state;
    json_t *data = explain_end(explaining->explain, agent);
    json_t *found = row_answers_find(&explaining->answers, agent);

    explaining->explain = NULL;
    json_object_set(data, "status",
                    json_array_get(json_object_get(found, "rows"), 0));
    json_decref(found);
    call_add_generations(call, explaining->first_generation, data);
    call_done(call, data);
}

/* Explains some more objects of the row. */
static void
explain_some(struct call *call)
{
    const struct command_context *context = call->context;
    struct explaining *explaining = call->state;

    if (explain_continue(explaining->explain, context->services.agent,
                         context->backend, EXPLAIN_PER_TURN)) {
        call_each_turn(call, explain_some);
    } else {
        explain_done(call);
    }
}

static void
config_explain(struct call *call)
{
    const struct agent *agent = call->context->services.agent;
    const char *selector = call_text(call, "row", "");
    struct explaining *explaining = check_calloc(1, sizeof *explaining);
    struct row_answers *answers = &explaining->answers;
    char hint[NEAREST_HINT_SIZE];
    struct err err = {0};

    call->state = explaining;
    call->forget = explain_forget;
    explaining->first_generation = call_generation(call);
    if (row_answers_select(answers, selector, &err)) {
        call_usage(call, &err);
        return;
    }
    if (!answers->key) {
        err_set(&err, ST_INVALID, "usage",
                "%s is a table; name a row: 'TABLE|KEY'", selector);
        err_set_field(&err, "row", selector, NULL);
        call_usage(call, &err);
        return;
    }
    explaining->explain = explain_begin(agent, answers->table, answers->key);
    if (!explaining->explain) {
        err_set(&err, ST_NOT_FOUND, "no-row", "CONFIG_DB has no row %s%s",
                selector, row_answers_hint(agent, selector, hint));
        call_no(call, &err, NULL);
        return;
    }
    explain_some(call);
}

/* Answers with the row in force: the user-owned one, else the derived one. */
static void
config_row(struct call *call)
{
    const char *name = call_text(call, "row", "");
    const char *bar = strchr(name, '|');
    const struct row *row = NULL;
    struct err err = {0};
    enum table table;
    json_t *fields;

    if (bar && table_find(name, (size_t)(bar - name), &table)) {
        row = agent_row(call->context->services.agent, table, bar + 1);
    }
    if (!row) {
        err_set(&err, ST_NOT_FOUND, "no-row", "there is no row %s", name);
        call_end(call, &err, NULL);
        return;
    }
    fields = json_object();
    for (size_t i = 0; i < row->n_fields; i++) {
        row_answers_add_text(fields, row->fields[i].name, row->fields[i].value);
    }
    call_done(call, json_pack("{s:o}", "fields", fields));
}

/* Says whether rows like the one that the call names can have a field: orchd
 * ignores one that they cannot have, with a warning, which is too late for who
 * wants to see its effect. */
static void
config_field(struct call *call)
{
    const char *name = call_text(call, "row", "");
    const char *bar = strchr(name, '|');
    struct err err = {0};
    enum table table;

    if (bar && table_find(name, (size_t)(bar - name), &table)) {
        (void)!intent_check_field(agent_intent(call->context->services.agent),
                                  table, call_text(call, "field", ""), &err);
    }
    call_end(call, &err, NULL);
}

static const struct argument field_arguments[] = {
    {"row", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"field", ARGUMENT_TEXT, true, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument row_arguments[] = {
    {"row", ARGUMENT_TEXT, true, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument explain_arguments[] = {
    {"row", ARGUMENT_TEXT, true, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument load_arguments[] = {
    {"tables", ARGUMENT_OBJECT, true, 0, 0, NULL},
    {"replace", ARGUMENT_FLAG, false, 0, 0, NULL},
    {"wait", ARGUMENT_FLAG, false, 0, 0, NULL},
    {"comment", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"seconds", ARGUMENT_NUMBER, false, 0, 86400, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument status_arguments[] = {
    {"row", ARGUMENT_TEXT, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command config_commands[] = {
    {"config", "diff", config_diff, NULL, COMMAND_VIEWS},
    {"config", "explain", config_explain, explain_arguments, COMMAND_VIEWS},
    {"config", "field", config_field, field_arguments, COMMAND_VIEWS},
    {"config", "lint", config_lint, NULL, COMMAND_VIEWS},
    {"config", "load", config_load, load_arguments, COMMAND_CHANGES},
    {"config", "resume", config_resume, NULL, COMMAND_CHANGES},
    {"config", "row", config_row, row_arguments, COMMAND_VIEWS},
    {"config", "status", config_status, status_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
