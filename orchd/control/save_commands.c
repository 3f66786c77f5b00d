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
 * to go on. */

#include <config.h>

#include <string.h>

#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/db/redis.h"
#include "orchd/files/config_file.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"

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

/* The result while rows are corrected. */
struct saving {
    bool all;
    json_t *rows, *notes;
};

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
save_row(void *saving_, const struct row_status *status)
{
    const struct saving *saving = saving_;
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

/* Ends the call: all rows have been fetched. */
static void
save_done(struct call *call)
{
    struct saving saving = {.all = call_flag(call, "all"),
                            .rows = json_object_get(call->arguments, ROWS),
                            .notes = json_array()};
    struct err err = {0};

    if (!json_is_true(json_object_get(call->arguments, LISTED))) {
        json_decref(saving.notes);
        err_set(&err, ST_IO, "redis-refused",
                "Redis refused to list the keys of CONFIG_DB");
        call_no(call, &err, NULL);
        return;
    }
    agent_each_row(call->context->services.agent, save_row, &saving);
    call_done(call, json_pack("{s:o, s:I, s:o}", "tables",
                              config_file_tables(saving.rows), "rows",
                              (json_int_t)json_object_size(saving.rows),
                              "notes", saving.notes));
}

/* Implements redis_done_fn for a barrier behind all fetches. */
static void
on_fetched(void *call_, enum st status, const struct err *err)
{
    struct call *call = call_;

    if (status) {
        call_end(call, err, NULL);
    } else {
        call_when_settled(call, save_done);
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
    redis_find(call->context->services.redis, CONFIG_DB, "*", on_key,
               on_keys_end, call);
    save_wait(call);
}

static void
config_save(struct call *call)
{
    json_object_set_new(call->arguments, ROWS, json_object());
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
