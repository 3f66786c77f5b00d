/* SPDX-License-Identifier: Apache-2.0 */

/* "config history" and "config rollback": earlier contents of CONFIG_DB. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "orchd/control/command.h"
#include "orchd/db/redis.h"
#include "orchd/history/history.h"
#include "orchd/report/row_answers.h"

/* Ends 'call' if orchd keeps no history.  Returns whether it does. */
static bool
has_history(struct call *call)
{
    struct err err = {0};

    if (call->context->services.history) {
        return true;
    }
    err_set(&err, ST_UNSUPPORTED, "no-history",
            "orchd keeps no history of CONFIG_DB");
    err_set_remedy(&err, "start it with --state-dir DIR");
    call_no(call, &err, NULL);
    return false;
}

static void
config_history(struct call *call)
{
    struct arena *arena;
    struct history_entry *entries;
    struct err err = {0};
    json_t *list;
    size_t n;

    if (!has_history(call)) {
        return;
    }
    arena = arena_create(0);
    if (history_list(call->context->services.history, arena, &entries, &n,
                     &err)) {
        call_no(call, &err, NULL);
    } else {
        list = json_array();
        for (size_t i = n; i-- > 0;) {
            json_array_append_new(
                list, json_pack("{s:I, s:s, s:I}", "generation",
                                (json_int_t)entries[i].generation, "time",
                                entries[i].time, "rows_changed",
                                (json_int_t)entries[i].n_changed));
        }
        call_done(call, json_pack("{s:o}", "generations", list));
    }
    arena_destroy(arena);
}

/* A rollback in progress. */
struct rollback {
    size_t n_written, n_removed;
};

/* Stores the keys of 'rows' by table in the arguments of 'call', for
 * row_answers_find() at its end. */
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

/* Ends a rollback with the status of the rows that it has written. */
static void
rollback_settled(struct call *call)
{
    const struct rollback *rollback = call->state;
    struct row_answers answers = {
        .tables = json_object_get(call->arguments, "tables")};
    json_t *data = row_answers_find(&answers, call->context->services.agent);

    json_object_set_new(data, "rows_written",
                        json_integer((json_int_t)rollback->n_written));
    json_object_set_new(data, "rows_removed",
                        json_integer((json_int_t)rollback->n_removed));
    call_answers(call, &answers, data);
}

/* Implements redis_done_fn for the barrier after the write. */
static void
rollback_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

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
        call_end(call, err, NULL);
    } else {
        redis_barrier(call->context->services.redis, rollback_seen, call);
    }
}

static void
rollback_start(struct call *call)
{
    uint64_t generation = (uint64_t)call_number(call, "generation", 0);
    struct rollback *rollback = check_calloc(1, sizeof *rollback);
    struct arena *arena = arena_create(0);
    struct field_row *rows;
    struct err err = {0};
    size_t n;

    call->state = rollback;
    if (history_rows(call->context->services.history, generation, arena, &rows,
                     &n, &err)) {
        call_no(call, &err, NULL);
    } else {
        for (size_t i = 0; i < n; i++) {
            *(rows[i].fields ? &rollback->n_written : &rollback->n_removed) +=
                1;
        }
        note_rows(call, rows, n);
        redis_write_rows(call->context->services.redis, rows, n,
                         REDIS_WRITE_ROWS, rollback_written, call);
    }
    arena_destroy(arena);
}

static void
config_rollback(struct call *call)
{
    if (has_history(call)) {
        call_when_connected(call, rollback_start);
    }
}

static const struct argument rollback_arguments[] = {
    {"generation", ARGUMENT_NUMBER, true, 0, INT64_MAX, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command history_commands[] = {
    {"config", "history", config_history, NULL},
    {"config", "rollback", config_rollback, rollback_arguments},
    {NULL, NULL, NULL, NULL},
};
