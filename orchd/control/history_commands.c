/* SPDX-License-Identifier: Apache-2.0 */

/* "config history", "config comment" and "config rollback": earlier contents of
 * CONFIG_DB.
 *
 * Reading the file of the history, and listing what differs, is done in slices.
 * The answer is as of the moment when it began. */

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
#include "orchd/history/burst.h"
#include "orchd/history/history.h"
#include "orchd/history/history_query.h"
#include "orchd/report/row_answers.h"
#include "twin/chip/chip.h"

/* A rollback that removes more rows than this has to be confirmed. */
#define REMOVED_MAX 10

/* Lines that are read in one turn, rows that are compared, and changes that are
 * listed: a few milliseconds. */
#define LINES_PER_TURN   1024
#define CHANGES_PER_TURN 256

/* How often a rollback compares again, because rows have changed meanwhile. */
#define COMPARISONS_MAX 5

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

/* A question to the history, and its answer, in progress. */
struct asking {
    struct arena *arena;
    struct history_query *query;
    uint64_t version;            /* Of the rows when it began. */
    json_t *changes, *rows;      /* Owned; the answer so far. */
    size_t n_changes, n_rows;    /* In these. */
    unsigned int n_comparisons;  /* Of a rollback. */
    void (*done)(struct call *); /* The history has answered. */

    /* Of a rollback. */
    uint64_t generation;
    size_t n_written, n_removed;
};

/* Frees what a question owns; see struct call. */
static void
ask_forget(struct call *call)
{
    struct asking *asking = call->state;

    history_query_destroy(asking->query);
    arena_destroy(asking->arena);
    json_decref(asking->changes);
    json_decref(asking->rows);
}

/* Begins a question. */
static struct asking *
ask_create(struct call *call)
{
    struct asking *asking = check_calloc(1, sizeof *asking);

    call->state = asking;
    call->forget = ask_forget;
    asking->changes = json_array();
    asking->rows = json_object();
    return asking;
}

/* Reads some more. */
static void
ask_some(struct call *call)
{
    struct asking *asking = call->state;
    struct err err = {0};
    enum st status;

    if (history_query_continue(asking->query, LINES_PER_TURN, &status, &err)) {
        call_each_turn(call, ask_some);
    } else if (status) {
        call_no(call, &err, NULL);
    } else {
        asking->done(call);
    }
}

/* Asks for the list of generations, or with 'diff' for the changes between two,
 * and then calls 'done'. */
static void
ask(struct call *call, bool diff, uint64_t from, uint64_t to,
    void (*done)(struct call *call))
{
    const struct history *history = call->context->services.history;
    struct asking *asking = call->state;
    struct err err = {0};
    enum st status;

    history_query_destroy(asking->query);
    asking->query = NULL;
    arena_destroy(asking->arena);
    asking->arena = arena_create(0);
    asking->version = history_version(history);
    asking->done = done;
    status =
        diff ? history_query_diff(history, from, to, asking->arena,
                                  &asking->query, &err)
             : history_query_list(history, asking->arena, &asking->query, &err);
    if (status) {
        call_no(call, &err, NULL);
    } else {
        ask_some(call);
    }
}

/* The generations are known. */
static void
history_asked(struct call *call)
{
    const struct asking *asking = call->state;
    const struct history_result *result = history_query_result(asking->query);
    json_t *list = json_array();

    for (size_t i = result->n_entries; i-- > 0;) {
        json_array_append_new(list, entry_json(&result->entries[i]));
    }
    call_done(call, json_pack("{s:o, s:I}", "generations", list, "rows_since",
                              (json_int_t)history_n_news(
                                  call->context->services.history)));
}

static void
config_history(struct call *call)
{
    if (history_check_kept(call)) {
        (void)ask_create(call);
        ask(call, false, 0, 0, history_asked);
    }
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

/* Lists some more changes.  Returns whether some are left. */
static bool
list_changes(struct asking *asking)
{
    const struct history_result *result = history_query_result(asking->query);

    for (int i = 0;
         i < CHANGES_PER_TURN && asking->n_changes < result->n_changes; i++) {
        const struct history_change *change =
            &result->changes[asking->n_changes++];

        json_array_append_new(asking->changes,
                              json_pack("{s:s, s:o, s:o}", "row", change->key,
                                        "before", fields_json(change->before),
                                        "after", fields_json(change->after)));
    }
    return asking->n_changes < result->n_changes;
}

/* Returns the generation in argument 'name', HISTORY_NOW if there is none. */
static uint64_t
generation_argument(const struct call *call, const char *name)
{
    return json_object_get(call->arguments, name)
               ? (uint64_t)call_number(call, name, 0)
               : HISTORY_NOW;
}

/* Lists some more changes, and ends with them. */
static void
diff_some(struct call *call)
{
    struct asking *asking = call->state;
    const struct history_result *result = history_query_result(asking->query);
    json_t *data;

    if (list_changes(asking)) {
        call_each_turn(call, diff_some);
        return;
    }
    data = json_pack("{s:I, s:o}", "from", (json_int_t)result->from, "changes",
                     asking->changes);
    asking->changes = NULL;
    if (result->to != HISTORY_NOW) {
        json_object_set_new(data, "to", json_integer((json_int_t)result->to));
    }
    call_done(call, data);
}

static void
config_history_diff(struct call *call)
{
    if (history_check_kept(call)) {
        (void)ask_create(call);
        ask(call, true, generation_argument(call, "from"),
            generation_argument(call, "to"), diff_some);
    }
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
    if (!history_check_kept(call) || !history_check_comment(call)) {
        return;
    }
    if (json_object_get(call->arguments, "generation")) {
        comment_settled(call);
    } else {
        call_when_connected(call, comment_start);
    }
}

/* --- Rollback ----------------------------------------------------------- */

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
add_extent(const struct asking *rollback, json_t *data)
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
    const struct asking *rollback = call->state;
    char comment[64];

    text_format(comment, sizeof comment, "rollback to generation %llu",
                (unsigned long long)rollback->generation);
    burst_end_load(call->context->services.burst, comment);
    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_confirmed(call, rollback_settled);
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
    const struct asking *rollback = call->state;
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
measure(struct asking *rollback, const struct field_row *rows, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        *(rows[i].fields ? &rollback->n_written : &rollback->n_removed) += 1;
    }
}

static void rollback_start(struct call *call);

/* The rows to write are known, unless some have changed meanwhile. */
static void
rollback_asked(struct call *call)
{
    struct asking *rollback = call->state;
    const struct history_result *result = history_query_result(rollback->query);
    const struct control_services *services = &call->context->services;
    struct field_row *rows;

    if (history_version(services->history) != rollback->version &&
        ++rollback->n_comparisons < COMPARISONS_MAX) {
        rollback_start(call);
        return;
    }
    rollback->generation = result->to;
    history_changed_rows(result->changes, result->n_changes, rollback->arena,
                         &rows);
    measure(rollback, rows, result->n_changes);
    if (rollback->n_removed > REMOVED_MAX && !call_flag(call, "yes")) {
        rollback_asks(call);
    } else {
        note_rows(call, rows, result->n_changes);
        burst_begin_load(services->burst);
        redis_write_rows(services->redis, rows, result->n_changes,
                         REDIS_WRITE_ROWS, rollback_written, call);
    }
}

static void
rollback_start(struct call *call)
{
    ask(call, true, HISTORY_NOW, (uint64_t)call_number(call, "generation", 0),
        rollback_asked);
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
    if (history_check_kept(call)) {
        (void)ask_create(call);
        call_when_connected(call, rollback_connected);
    }
}

/* Adds some more of the current rows, which a dry run needs.  Returns whether
 * some are left. */
static bool
list_rows(struct asking *asking)
{
    const struct history_result *result = history_query_result(asking->query);

    for (int i = 0; i < CHANGES_PER_TURN && asking->n_rows < result->n_rows;
         i++) {
        const struct field_row *row = result->rows[asking->n_rows++];

        json_object_set_new(asking->rows, row->key, fields_json(row));
    }
    return asking->n_rows < result->n_rows;
}

/* Lists some more of what a rollback would write, and ends with that. */
static void
plan_some(struct call *call)
{
    const struct control_services *services = &call->context->services;
    struct asking *asking = call->state;
    const struct history_result *result = history_query_result(asking->query);
    json_t *data;

    if (list_changes(asking) || list_rows(asking)) {
        call_each_turn(call, plan_some);
        return;
    }
    data =
        json_pack("{s:I, s:o, s:o, s:o}", "generation", (json_int_t)result->to,
                  "changes", asking->changes, "rows", asking->rows, "settings",
                  services->settings(services->context));
    asking->changes = asking->rows = NULL;
    if (call->context->chip) {
        row_answers_add_text(data, "model", call->context->chip->name);
    }
    call_done(call, data);
}

/* Answers with what a rollback would write, and with what a dry run of it
 * needs. */
static void
config_rollback_plan(struct call *call)
{
    if (history_check_kept(call)) {
        (void)ask_create(call);
        ask(call, true, HISTORY_NOW,
            (uint64_t)call_number(call, "generation", 0), plan_some);
    }
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
    {"seconds", ARGUMENT_NUMBER, false, 0, 86400, NULL},
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
