/* SPDX-License-Identifier: Apache-2.0 */

/* "config ...": rows into CONFIG_DB, and what became of them. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/agent.h"
#include "orchd/control/command.h"
#include "orchd/db/redis.h"
#include "orchd/document/config_file.h"

/* Returns whether a row in 'state' is something for its author to look at;
 * what a later version will do something with is not. */
static bool
state_is_trouble(enum row_state state)
{
    switch (state) {
    case ROW_STATE_WAITING:
    case ROW_STATE_REJECTED:
    case ROW_STATE_FAILED:
    case ROW_STATE_PENDING_DELETE:
        return true;
    case ROW_STATE_APPLIED:
    case ROW_STATE_SHADOWED:
    case ROW_STATE_UNSUPPORTED:
    case N_ROW_STATES:
    default:
        return false;
    }
}

/* Returns the answer to a row, leaving out what does not apply. */
static json_t *
status_json(const struct row_status *status)
{
    json_t *row = json_object();

    command_add_text(row, "table", table_name(status->table));
    command_add_text(row, "key", status->key);
    command_add_text(row, "state", row_state_name(status->state));
    command_add_text(row, "code", status->err.code);
    command_add_text(row, "field", status->err.field);
    command_add_text(row, "value", status->err.value);
    command_add_text(row, "allowed", status->err.allowed);
    command_add_text(row, "reason", status->err.reason);
    command_add_text(row, "remedy", status->err.remedy);
    command_add_text(row, "blocked_by", status->blocked_by);
    command_add_text(row, "referenced_by", status->referenced_by);
    command_add_text(row, "warnings", status->warnings);
    command_add_text(row, "origin", status->origin);
    json_object_set_new(row, "generation",
                        json_integer((json_int_t)status->generation));
    if (status->attempts) {
        json_object_set_new(row, "attempts", json_integer(status->attempts));
    }
    return row;
}

/* What a walk over the rows looks for, and what it found. */
struct walk {
    bool one_table; /* Only rows of 'table', */
    enum table table;
    const char *key;      /* only this row, whatever its state, */
    const json_t *tables; /* only rows that this configuration has. */
    json_t *rows;         /* Those with something to say, or the one. */
    size_t counts[N_ROW_STATES];
    size_t n_trouble;
};

/* Returns whether the walk is about this row. */
static bool
walk_wants(const struct walk *walk, const struct row_status *status)
{
    const json_t *table;

    if (walk->one_table && status->table != walk->table) {
        return false;
    }
    if (walk->key && strcmp(walk->key, status->key)) {
        return false;
    }
    if (walk->tables) {
        table = json_object_get(walk->tables, table_name(status->table));
        return json_object_get(table, status->key) != NULL;
    }
    return true;
}

/* Counts each row, and keeps those that are not simply applied: a warning may
 * be a field name with a typing error. */
static void
walk_visit(void *context, const struct row_status *status)
{
    struct walk *walk = context;

    if (!walk_wants(walk, status)) {
        return;
    }
    walk->counts[status->state]++;
    walk->n_trouble += state_is_trouble(status->state);
    if (walk->key || status->state != ROW_STATE_APPLIED || *status->warnings) {
        json_array_append_new(walk->rows, status_json(status));
    }
}

/* Returns the number of rows in each state, 0 included: a reader of JSON need
 * not ask whether a state is there. */
static json_t *
walk_counts(const struct walk *walk)
{
    json_t *counts = json_object();

    for (size_t i = 0; i < N_ROW_STATES; i++) {
        json_object_set_new(counts, row_state_name((enum row_state)i),
                            json_integer((json_int_t)walk->counts[i]));
    }
    return counts;
}

/* Walks and returns {"counts": {...}, "rows": [...]}. */
static json_t *
walk_run(struct walk *walk, const struct command_context *context)
{
    walk->rows = json_array();
    agent_each_row(context->agent, walk_visit, walk);
    return json_pack("{s:o, s:o}", "counts", walk_counts(walk), "rows",
                     walk->rows);
}

/* Ends 'call' with what 'walk' found: "no" if there is trouble. */
static void
walk_end(struct call *call, struct walk *walk, json_t *data)
{
    struct err err = {0};

    if (walk->n_trouble) {
        err_set(&err, ST_BUSY, "not-applied", "%zu row%s not applied",
                walk->n_trouble, walk->n_trouble == 1 ? " is" : "s are");
        call_no(call, &err, data);
    } else {
        call_done(call, data);
    }
}

/* How the database is doing, which explains most surprises. */
static json_t *
redis_json(const struct command_context *context)
{
    struct redis_status status;
    json_t *object = json_object();

    redis_status(context->redis, &status);
    json_object_set_new(object, "up", json_boolean(status.up));
    json_object_set_new(object, "notified", json_boolean(status.notified));
    command_add_text(object, "endpoint", status.endpoint);
    command_add_text(object, "reason", status.reason);
    return object;
}

/* Adds the fields in force of the row that 'walk' looked for. */
static void
add_fields(const struct command_context *context, const struct walk *walk,
           json_t *data)
{
    const struct row *row =
        intent_get(agent_intent(context->agent), walk->table, walk->key);
    json_t *fields = json_object();

    for (size_t i = 0; row && row->effective && i < row->n_fields; i++) {
        json_t *value = json_string(row->fields[i].value);

        json_object_set_new(fields, row->fields[i].name,
                            value ? value : json_string("(not UTF-8)"));
    }
    json_object_set_new(json_array_get(json_object_get(data, "rows"), 0),
                        "fields", fields);
}

/* Takes "TABLE" or "TABLE|KEY" apart. */
static enum st
parse_selector(const char *selector, struct walk *walk, struct err *err)
{
    const char *bar = strchr(selector, '|');
    size_t length = bar ? (size_t)(bar - selector) : strlen(selector);
    enum st st;

    if (!table_find(selector, length, &walk->table)) {
        st = err_set(err, ST_INVALID, "usage",
                     "orchd knows no table '%.*s' (use TABLE or 'TABLE|KEY')",
                     (int)(length > 100 ? 100 : length), selector);
        err_set_field(err, "row", selector, NULL);
        return st;
    }
    walk->one_table = true;
    walk->key = bar ? bar + 1 : NULL;
    return ST_OK;
}

/* Answers "no" if there is something to be done about the rows that were asked
 * for. */
static void
config_status(struct call *call)
{
    const char *selector = call_text(call, "row", NULL);
    struct walk walk = {0};
    struct err err = {0};
    json_t *data;

    if (selector && parse_selector(selector, &walk, &err)) {
        call_usage(call, &err);
        return;
    }
    data = walk_run(&walk, call->context);
    if (walk.key && !json_array_size(walk.rows)) {
        json_decref(data);
        err_set(&err, ST_NOT_FOUND, "no-row", "CONFIG_DB has no row %s",
                selector);
        call_no(call, &err, NULL);
        return;
    }
    if (walk.key) {
        add_fields(call->context, &walk, data);
    } else {
        json_object_set_new(data, "redis", redis_json(call->context));
    }
    walk_end(call, &walk, data);
}

/* There is nothing to wait for: what this allows happens in the next turn. */
static void
config_resume(struct call *call)
{
    if (call->context->resume) {
        call->context->resume(call->context->resume_context);
    }
    call_done(call, NULL);
}

/* Ends a call that waited for what was written to be applied or judged. */
static void
sync_settled(struct call *call)
{
    struct walk walk = {0};
    json_t *data = walk_run(&walk, call->context);

    json_object_del(data, "rows");
    call_done(call, data);
}

/* Implements redis_done_fn for "config sync". */
static void
sync_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_settled(call, sync_settled);
    }
}

/* The barrier first: what was written may not have been read yet.  Only then
 * does it mean something that the agent has settled. */
static void
sync_start(struct call *call)
{
    redis_barrier(call->context->redis, sync_seen, call);
}

static void
config_sync(struct call *call)
{
    call_when_connected(call, sync_start);
}

/* A load under way. */
struct loading {
    size_t n_rows;
};

/* Returns what was written, for the reply. */
static json_t *
loading_json(const struct call *call)
{
    const struct loading *loading = call->state;
    const json_t *tables = json_object_get(call->arguments, "tables");

    return json_pack("{s:I, s:I}", "tables",
                     (json_int_t)json_object_size(tables), "rows_written",
                     (json_int_t)loading->n_rows);
}

/* Ends a load that waited: only the rows that it has loaded count. */
static void
load_settled(struct call *call)
{
    struct walk walk = {.tables = json_object_get(call->arguments, "tables")};
    json_t *found = walk_run(&walk, call->context);
    json_t *data = loading_json(call);

    json_object_update(data, found);
    json_decref(found);
    walk_end(call, &walk, data);
}

/* Implements redis_done_fn for the barrier after a load. */
static void
load_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_settled(call, load_settled);
    }
}

/* Implements redis_done_fn for the writing of a load. */
static void
load_written(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        call_end(call, err, NULL);
    } else if (call_flag(call, "wait")) {
        redis_barrier(call->context->redis, load_seen, call);
    } else {
        call_done(call, loading_json(call));
    }
}

/* Converts the whole file before anything is written: a file that is wrong
 * somewhere changes nothing. */
static void
load_start(struct call *call)
{
    const json_t *tables = json_object_get(call->arguments, "tables");
    struct loading *loading = check_calloc(1, sizeof *loading);
    struct arena *arena = arena_create(0);
    struct field_row *rows = NULL;
    struct err err = {0};

    call->state = loading;
    if (config_file_rows(tables, arena, &rows, &loading->n_rows, &err)) {
        call_usage(call, &err);
    } else {
        redis_write_rows(call->context->redis, rows, loading->n_rows,
                         call_flag(call, "replace"), load_written, call);
    }
    arena_destroy(arena);
}

static void
config_load(struct call *call)
{
    call_when_connected(call, load_start);
}

static const struct argument load_arguments[] = {
    {"tables", ARGUMENT_OBJECT, true, 0, 0, NULL},
    {"replace", ARGUMENT_FLAG, false, 0, 0, NULL},
    {"wait", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument status_arguments[] = {
    {"row", ARGUMENT_TEXT, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command config_commands[] = {
    {"config", "load", config_load, load_arguments},
    {"config", "resume", config_resume, NULL},
    {"config", "status", config_status, status_arguments},
    {"config", "sync", config_sync, NULL},
    {NULL, NULL, NULL, NULL},
};
