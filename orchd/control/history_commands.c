/* SPDX-License-Identifier: Apache-2.0 */

/* "config history", "config comment" and "config rollback": earlier contents of
 * CONFIG_DB. */

#include <config.h>

#include "orchd/control/history_commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/find_rows.h"
#include "orchd/db/redis.h"
#include "orchd/history/burst.h"
#include "orchd/history/history.h"
#include "orchd/report/row_answers.h"
#include "twin/chip/chip.h"

/* A rollback that removes more rows than this has to be confirmed. */
#define REMOVED_MAX 10

bool
history_commands_may(struct call *call)
{
    const struct control_services *services = &call->context->services;
    struct err err = {0};

    if (services->history) {
        return true;
    }
    err_set(&err, ST_UNSUPPORTED, "no-history",
            "orchd keeps no history of CONFIG_DB");
    err_set_remedy(&err, "start it with --state-dir DIR");
    if (services->history_trouble && services->history_trouble->status) {
        err = *services->history_trouble;
    }
    call_no(call, &err, NULL);
    return false;
}

bool
history_commands_may_comment(struct call *call)
{
    const char *comment = call_text(call, "comment", NULL);
    struct err err = {0};

    if (!comment) {
        return true;
    }
    if (strlen(comment) > HISTORY_COMMENT_MAX) {
        err_set(&err, ST_INVALID, "usage",
                "the comment has %zu bytes, more than %d", strlen(comment),
                HISTORY_COMMENT_MAX);
        err_set_field(&err, "comment", NULL, "at most 1000 bytes");
        call_usage(call, &err);
        return false;
    }
    return history_commands_may(call);
}

/* Returns one generation as JSON. */
static json_t *
entry_json(const struct history_entry *entry)
{
    json_t *json =
        json_pack("{s:I, s:s}", "generation", (json_int_t)entry->generation,
                  "time", entry->time);

    if (entry->summary) {
        json_object_set_new(json, "rows_changed",
                            json_integer((json_int_t)entry->n_changed));
        json_object_set_new(json, "summary", json_string(entry->summary));
    }
    row_answers_add_text(json, "comment", entry->comment);
    return json;
}

static void
config_history(struct call *call)
{
    struct arena *arena;
    struct history_entry *entries;
    struct err err = {0};
    json_t *list;
    size_t n;

    if (!history_commands_may(call)) {
        return;
    }
    arena = arena_create(0);
    if (history_list(call->context->services.history, arena, &entries, &n,
                     &err)) {
        call_no(call, &err, NULL);
    } else {
        list = json_array();
        for (size_t i = n; i-- > 0;) {
            json_array_append_new(list, entry_json(&entries[i]));
        }
        call_done(call,
                  json_pack("{s:o, s:I}", "generations", list, "rows_since",
                            (json_int_t)history_n_news(
                                call->context->services.history)));
    }
    arena_destroy(arena);
}

/* --- Differences -------------------------------------------------------- */

static int
compare_fields(const void *a_, const void *b_)
{
    const struct field *a = a_, *b = b_;

    return strcmp(a->name, b->name);
}

/* Returns the fields of a row as JSON, sorted by name, null if it does not
 * exist. */
static json_t *
fields_json(const struct field_row *row)
{
    json_t *json = row ? json_object() : json_null();
    const size_t n = row ? row->n_fields : 0;
    struct field *sorted = check_calloc(n + 1, sizeof *sorted);

    if (n) {
        memcpy(sorted, row->fields, n * sizeof *sorted);
        qsort(sorted, n, sizeof *sorted, compare_fields);
    }
    for (size_t i = 0; i < n; i++) {
        json_object_set_new(json, sorted[i].name, json_string(sorted[i].value));
    }
    free(sorted);
    return json;
}

static json_t *
changes_json(const struct history_change *changes, size_t n)
{
    json_t *list = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(
            list, json_pack("{s:s, s:o, s:o}", "row", changes[i].key, "before",
                            fields_json(changes[i].before), "after",
                            fields_json(changes[i].after)));
    }
    return list;
}

/* Returns the generation in argument 'name', HISTORY_NOW if there is none. */
static uint64_t
generation_argument(const struct call *call, const char *name)
{
    return json_object_get(call->arguments, name)
               ? (uint64_t)call_number(call, name, 0)
               : HISTORY_NOW;
}

static void
config_history_diff(struct call *call)
{
    uint64_t from = generation_argument(call, "from");
    uint64_t to = generation_argument(call, "to");
    struct arena *arena;
    struct history_change *changes;
    struct err err = {0};
    json_t *data;
    size_t n;

    if (!history_commands_may(call)) {
        return;
    }
    arena = arena_create(0);
    if (history_diff(call->context->services.history, &from, &to, arena,
                     &changes, &n, &err)) {
        call_no(call, &err, NULL);
    } else {
        data = json_pack("{s:I, s:o}", "from", (json_int_t)from, "changes",
                         changes_json(changes, n));
        if (to != HISTORY_NOW) {
            json_object_set_new(data, "to", json_integer((json_int_t)to));
        }
        call_done(call, data);
    }
    arena_destroy(arena);
}

/* --- Comments ----------------------------------------------------------- */

/* Comments on a generation; without one, on the newest, which now has all that
 * was written before. */
static void
comment_settled(struct call *call)
{
    struct history *history = call->context->services.history;
    uint64_t generation = generation_argument(call, "generation");
    struct err err = {0};

    if (generation == HISTORY_NOW) {
        generation = history_generation(history);
    }
    if (history_comment(history, generation, call_text(call, "comment", ""),
                        &err)) {
        call_no(call, &err, NULL);
    } else {
        call_done(call,
                  json_pack("{s:I}", "generation", (json_int_t)generation));
    }
}

/* Implements redis_done_fn. */
static void
comment_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        call_end(call, err, NULL);
    } else {
        burst_complete(call->context->services.burst);
        call_when_settled(call, comment_settled);
    }
}

static void
comment_start(struct call *call)
{
    redis_barrier(call->context->services.redis, comment_seen, call);
}

static void
config_comment(struct call *call)
{
    if (!history_commands_may(call) || !history_commands_may_comment(call)) {
        return;
    }
    if (json_object_get(call->arguments, "generation")) {
        comment_settled(call);
    } else {
        call_when_connected(call, comment_start);
    }
}

/* --- Rollback ----------------------------------------------------------- */

/* A rollback in progress. */
struct rollback {
    uint64_t generation;
    size_t n_written, n_removed;
};

/* Stores the keys of 'rows' by table in the arguments of 'call', for
 * find_rows() at its end. */
static void
note_rows(struct call *call, const struct field_row *rows, size_t n)
{
    json_t *tables = json_object();

    for (size_t i = 0; i < n; i++) {
        const char *bar = strchr(rows[i].key, '|');
        json_t *table;
        char *name;

        if (!bar || !rows[i].fields) {
            continue;
        }
        name = strndup(rows[i].key, (size_t)(bar - rows[i].key));
        table = name ? json_object_get(tables, name) : NULL;
        if (name && !table) {
            table = json_object();
            json_object_set_new(tables, name, table);
        }
        json_object_set_new(table, bar + 1, json_true());
        free(name);
    }
    json_object_set_new(call->arguments, "tables", tables);
}

/* Adds what a rollback writes, or would write, to 'data'. */
static void
add_extent(const struct rollback *rollback, json_t *data)
{
    json_object_set_new(data, "generation",
                        json_integer((json_int_t)rollback->generation));
    json_object_set_new(data, "rows_written",
                        json_integer((json_int_t)rollback->n_written));
    json_object_set_new(data, "rows_removed",
                        json_integer((json_int_t)rollback->n_removed));
}

/* Implements find_rows_fn. */
static void
rollback_found(struct call *call, const struct row_answers *answers,
               json_t *data)
{
    add_extent(call->state, data);
    call_answers(call, answers, data);
}

/* Ends a rollback with the status of the rows that it has written. */
static void
rollback_settled(struct call *call)
{
    const struct row_answers written = {
        .tables = json_object_get(call->arguments, "tables")};

    sync_point_reach(&call->context->synced, call->context->services.agent);
    find_rows(call, &written, rollback_found);
}

/* Implements redis_done_fn for the barrier after the write. */
static void
rollback_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;
    const struct rollback *rollback = call->state;
    char comment[64];

    text_format(comment, sizeof comment, "rollback to generation %llu",
                (unsigned long long)rollback->generation);
    burst_end_load(call->context->services.burst, comment);
    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_settled(call, rollback_settled);
    }
}

/* Implements redis_done_fn for the write. */
static void
rollback_written(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        burst_end_load(call->context->services.burst, NULL);
        call_end(call, err, NULL);
    } else {
        redis_barrier(call->context->services.redis, rollback_seen, call);
    }
}

/* Ends a rollback that would remove many rows. */
static void
rollback_asks(struct call *call)
{
    const struct rollback *rollback = call->state;
    json_t *data = json_object();
    struct err err = {0};

    add_extent(rollback, data);
    err_set(&err, ST_BUSY, "removes-rows",
            "a rollback to generation %llu removes %zu rows",
            (unsigned long long)rollback->generation, rollback->n_removed);
    err_set_remedy(&err,
                   "look at them with orchctl config rollback %llu --dry-run; "
                   "then confirm with --yes",
                   (unsigned long long)rollback->generation);
    call_no(call, &err, data);
}

/* Counts the rows that a rollback writes and removes. */
static void
measure(struct rollback *rollback, const struct field_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *(rows[i].fields ? &rollback->n_written : &rollback->n_removed) += 1;
    }
}

static void
rollback_start(struct call *call)
{
    struct rollback *rollback = check_calloc(1, sizeof *rollback);
    struct arena *arena = arena_create(0);
    struct field_row *rows;
    struct err err = {0};
    size_t n;

    call->state = rollback;
    rollback->generation = (uint64_t)call_number(call, "generation", 0);
    if (history_rows(call->context->services.history, &rollback->generation,
                     arena, &rows, &n, &err)) {
        call_no(call, &err, NULL);
        arena_destroy(arena);
        return;
    }
    measure(rollback, rows, n);
    if (rollback->n_removed > REMOVED_MAX && !call_flag(call, "yes")) {
        rollback_asks(call);
    } else {
        note_rows(call, rows, n);
        burst_begin_load(call->context->services.burst);
        redis_write_rows(call->context->services.redis, rows, n,
                         REDIS_WRITE_ROWS, rollback_written, call);
    }
    arena_destroy(arena);
}

/* The rows are compared with the current ones, so all that other clients have
 * written has to be read first. */
static void
rollback_read(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        call_end(call, err, NULL);
    } else {
        rollback_start(call);
    }
}

static void
rollback_connected(struct call *call)
{
    redis_barrier(call->context->services.redis, rollback_read, call);
}

static void
config_rollback(struct call *call)
{
    if (history_commands_may(call)) {
        call_when_connected(call, rollback_connected);
    }
}

/* Returns "TABLE|KEY": fields of the current rows, for a dry run. */
static enum st
current_json(const struct history *history, json_t **rows, struct err *err)
{
    struct arena *arena = arena_create(0);
    struct field_row *list;
    size_t n;
    enum st status = history_now(history, arena, &list, &n, err);

    *rows = json_object();
    for (size_t i = 0; !status && i < n; i++) {
        json_object_set_new(*rows, list[i].key, fields_json(&list[i]));
    }
    arena_destroy(arena);
    return status;
}

/* Answers with what a rollback would write, and with what a dry run of it
 * needs. */
static void
config_rollback_plan(struct call *call)
{
    const struct control_services *services = &call->context->services;
    uint64_t now = HISTORY_NOW;
    uint64_t generation = (uint64_t)call_number(call, "generation", 0);
    struct arena *arena;
    struct history_change *changes;
    struct err err = {0};
    json_t *data = NULL, *rows = NULL;
    size_t n;

    if (!history_commands_may(call)) {
        return;
    }
    arena = arena_create(0);
    if (history_diff(services->history, &now, &generation, arena, &changes, &n,
                     &err) ||
        current_json(services->history, &rows, &err)) {
        json_decref(rows);
        call_no(call, &err, NULL);
    } else {
        data = json_pack("{s:I, s:o, s:o, s:o}", "generation",
                         (json_int_t)generation, "changes",
                         changes_json(changes, n), "rows", rows, "settings",
                         services->settings(services->context));
        if (call->context->chip) {
            row_answers_add_text(data, "model", call->context->chip->name);
        }
        call_done(call, data);
    }
    arena_destroy(arena);
}

static const struct argument diff_arguments[] = {
    {"from", ARGUMENT_NUMBER, true, 0, INT64_MAX, NULL},
    {"to", ARGUMENT_NUMBER, false, 0, INT64_MAX, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument comment_arguments[] = {
    {"comment", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"generation", ARGUMENT_NUMBER, false, 0, INT64_MAX, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument plan_arguments[] = {
    {"generation", ARGUMENT_NUMBER, true, 0, INT64_MAX, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument rollback_arguments[] = {
    {"generation", ARGUMENT_NUMBER, true, 0, INT64_MAX, NULL},
    {"yes", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command history_commands[] = {
    {"config", "comment", config_comment, comment_arguments, COMMAND_CHANGES},
    {"config", "history", config_history, NULL, COMMAND_VIEWS},
    {"config", "history-diff", config_history_diff, diff_arguments,
     COMMAND_VIEWS},
    {"config", "rollback", config_rollback, rollback_arguments,
     COMMAND_CHANGES},
    {"config", "rollback-plan", config_rollback_plan, plan_arguments,
     COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
