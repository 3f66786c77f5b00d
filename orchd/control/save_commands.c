/* SPDX-License-Identifier: Apache-2.0 */

/* "config save": the configuration in force, for a config_db.json.
 *
 * A file that replaces /etc/sonic/config_db.json has to have all tables, also
 * those of other programs, and all fields.  So CONFIG_DB is read as it is, and
 * corrected by what orchd knows of its rows: a row that is not in force is left
 * out, and one whose new content is rejected has the content in force.
 *
 * The keys are listed first, then each is fetched.  Neither is answered if the
 * connection is lost, but barriers are: so a barrier after each step says when
 * to go on.
 *
 * Correcting 18,000 rows, and sorting them into tables, takes longer than other
 * rows should wait; so both are done in slices.  A row that changes meanwhile
 * is saved as it was fetched, or corrected to what is in force then; the answer
 * says whether orchd has acted on changes since it began. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/control/find_rows.h"
#include "orchd/db/redis.h"
#include "orchd/files/config_file.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph_walk.h"
#include "orchd/report/row_answers.h"
#include "process/loop.h"

/* Rows that are corrected, or sorted, in one turn: a few milliseconds. */
#define ROWS_PER_TURN 512

/* Members of the arguments of the call, which own what is read. */
#define ROWS   "rows"   /* {"TABLE|KEY": {FIELD: VALUE}} */
#define LISTED "listed" /* Present when all keys are known. */

static void save_wait(struct call *call);

/* Implements redis_fetch_fn. */
static void
on_fields(void *call_, const char *key, const struct field *fields, size_t n)
{
    const struct call *call = call_;
    json_t *row = json_object();

    for (size_t i = 0; i < n; i++) {
        json_t *value = json_string(fields[i].value);

        json_object_set_new(row, fields[i].name,
                            value ? value : json_string("(not UTF-8)"));
    }
    if (n) { /* Else it is not a hash, such as CONFIG_DB_INITIALIZED. */
        json_object_set(json_object_get(call->arguments, ROWS), key, row);
    }
    json_decref(row);
}

/* Implements redis_found_fn. */
static void
on_key(void *call_, const char *key)
{
    struct call *call = call_;
    json_t *rows = json_object_get(call->arguments, ROWS);

    if (strchr(key, '|') && !json_object_get(rows, key)) {
        json_object_set_new(rows, key, json_object());
        redis_fetch(call->context->services.redis, CONFIG_DB, key, on_fields,
                    call);
    }
}

static void
on_keys_end(void *call_, enum st status)
{
    const struct call *call = call_;

    json_object_set_new(call->arguments, LISTED, json_boolean(status == ST_OK));
}

/* A save in progress, and its result. */
struct saving {
    bool all;
    uint64_t first_generation; /* Of the configuration when it began. */
    int64_t patience_end;      /* See find_rows_must_wait(). */
    json_t *rows;              /* Borrowed. */
    json_t *notes, *tables;    /* Owned. */
    struct graph_walk walk;
    const char *sorted; /* The last row that is in 'tables'. */
};

/* Frees what is left of a save; see struct call. */
static void
save_forget(struct call *call)
{
    struct saving *saving = call->state;

    json_decref(saving->notes);
    json_decref(saving->tables);
    graph_walk_fini(&saving->walk);
}

/* Adds why a row is not saved as it is in CONFIG_DB. */
static void
add_note(const struct saving *saving, const char *row, const char *what,
         const struct row_status *status)
{
    json_t *note = json_pack("{s:s, s:s, s:s}", "row", row, "saved", what,
                             "state", row_state_name(status->state));

    row_answers_add_text(note, "reason", status->err.reason);
    json_array_append_new(saving->notes, note);
}

/* Makes the content in force that of the row. */
static void
save_fields(const struct saving *saving, const char *row,
            const struct row_status *status)
{
    json_t *fields = json_object();

    for (size_t i = 0; i < status->n_fields; i++) {
        row_answers_add_text(fields, status->fields[i].name,
                             status->fields[i].value);
    }
    json_object_set_new(saving->rows, row, fields);
}

/* Corrects a row that a user wrote. */
static void
save_user_row(const struct saving *saving, const char *row,
              const struct row_status *status)
{
    switch (status->state) {
    case ROW_STATE_REJECTED:
    case ROW_STATE_PENDING_DELETE:
        if (status->fields) {
            save_fields(saving, row, status);
            add_note(saving, row, "with the content in force", status);
            break;
        }
        /* fallthrough */
    case ROW_STATE_WAITING:
        json_object_del(saving->rows, row);
        add_note(saving, row, "no", status);
        break;
    case ROW_STATE_FAILED:
        add_note(saving, row, "as written", status);
        break;
    case ROW_STATE_APPLIED:
    case ROW_STATE_SHADOWED:
    case ROW_STATE_UNSUPPORTED:
    case N_ROW_STATES:
    default:
        break;
    }
}

static void
save_row(const struct saving *saving, const struct row_status *status)
{
    struct text name = {0};
    const char *row;

    table_add_row(&name, status->table, status->key);
    row = text_string(&name);
    if (strcmp(status->origin, "auto") != 0) {
        save_user_row(saving, row, status);
    } else if (saving->all && status->fields &&
               status->state == ROW_STATE_APPLIED) {
        save_fields(saving, row, status);
    } else {
        json_object_del(saving->rows, row); /* orchd wrote it (writeback). */
    }
    text_fini(&name);
}

/* Ends the call with the tables. */
static void
save_end(struct call *call)
{
    struct saving *saving = call->state;
    json_t *data = json_pack("{s:o, s:I, s:o}", "tables", saving->tables,
                             "rows", (json_int_t)json_object_size(saving->rows),
                             "notes", saving->notes);

    saving->tables = saving->notes = NULL;
    call_add_generations(call, saving->first_generation, data);
    call_done(call, data);
}

/* Adds some more rows to their tables.  (They no longer change.) */
static void
save_sort(struct call *call)
{
    struct saving *saving = call->state;
    void *iter = saving->sorted
                     ? json_object_iter_at(saving->rows, saving->sorted)
                     : json_object_iter(saving->rows);

    for (int i = 0; i < ROWS_PER_TURN && iter; i++) {
        config_file_add_row(saving->tables, json_object_iter_key(iter),
                            json_object_iter_value(iter));
        iter = json_object_iter_next(saving->rows, iter);
    }
    if (iter) {
        saving->sorted = json_object_iter_key(iter);
        call_each_turn(call, save_sort);
    } else {
        save_end(call);
    }
}

/* Corrects some more rows. */
static void
save_correct(struct call *call)
{
    const struct agent *agent = call->context->services.agent;
    struct saving *saving = call->state;
    const struct row_status *status = NULL;

    if (find_rows_must_wait(call, saving->patience_end)) {
        call_each_turn(call, save_correct);
        return;
    }
    for (int i = 0; i < ROWS_PER_TURN; i++) {
        status = agent_walk_row(agent, &saving->walk);
        if (!status) {
            break;
        }
        save_row(saving, status);
    }
    call_each_turn(call, status ? save_correct : save_sort);
}

/* All rows have been fetched. */
static void
save_fetched(struct call *call)
{
    struct saving *saving = call->state;
    struct err err = {0};

    if (!json_is_true(json_object_get(call->arguments, LISTED))) {
        err_set(&err, ST_IO, "redis-refused",
                "Redis refused to list the keys of CONFIG_DB");
        call_no(call, &err, NULL);
        return;
    }
    saving->patience_end = loop_now(call->context->loop) + COMMAND_SETTLE_NS;
    save_correct(call);
}

/* Implements redis_done_fn for a barrier behind all fetches. */
static void
on_fetched(void *call_, enum st status, const struct err *err)
{
    struct call *call = call_;

    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_settled(call, save_fetched);
    }
}

/* Implements redis_done_fn for a barrier while keys are listed. */
static void
on_listing(void *call_, enum st status, const struct err *err)
{
    struct call *call = call_;

    if (status) {
        call_end(call, err, NULL);
    } else {
        save_wait(call);
    }
}

static void
save_wait(struct call *call)
{
    redis_barrier(call->context->services.redis,
                  json_object_get(call->arguments, LISTED) ? on_fetched
                                                           : on_listing,
                  call);
}

static void
save_start(struct call *call)
{
    struct saving *saving = call->state;

    saving->first_generation = call_generation(call);
    redis_find(call->context->services.redis, CONFIG_DB, "*", on_key,
               on_keys_end, call);
    save_wait(call);
}

static void
config_save(struct call *call)
{
    struct saving *saving = check_calloc(1, sizeof *saving);

    call->state = saving;
    call->forget = save_forget;
    saving->all = call_flag(call, "all");
    saving->rows = json_object();
    saving->notes = json_array();
    saving->tables = json_object();
    json_object_set_new(call->arguments, ROWS, saving->rows);
    call_when_connected(call, save_start);
}

static const struct argument save_arguments[] = {
    {"all", ARGUMENT_FLAG, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command save_commands[] = {
    {"config", "save", config_save, save_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
