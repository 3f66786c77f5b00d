/* SPDX-License-Identifier: Apache-2.0 */

/* Rows of a breakpoint session: parsed, written, and answered with their
 * status. */

#include <config.h>

#include "orchd/control/breakpoint_rows.h"

#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/control/command.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"

/* Returns whether orchd knows the table of the row "TABLE|key"; other rows are
 * not written. */
static bool
is_known(const char *key)
{
    const char *bar = strchr(key, '|');
    enum table table;

    return bar && table_find(key, (size_t)(bar - key), &table);
}

/* Fills the answer of a row. */
static void
set_answer(json_t *answer, const char *state, const char *code,
           const char *reason)
{
    row_answers_add_text(answer, "state", state);
    row_answers_add_text(answer, "code", code);
    row_answers_add_text(answer, "reason", reason);
}

/* Notes the status of a row that was asked for. */
static void
note_answer(void *context, const struct row_status *status)
{
    json_t *answers = context;
    struct text key = {0};
    json_t *answer;

    text_addf(&key, "%s|%s", table_name(status->table), status->key);
    answer = json_object_get(answers, key.bytes);
    if (answer) {
        const struct err *err = &status->err;

        text_clear(&key);
        text_addf(&key, "%s%s%s", err->reason,
                  *err->allowed ? "; allowed: " : "", err->allowed);
        set_answer(answer, row_state_name(status->state), err->code, key.bytes);
    }
    text_fini(&key);
}

/* Answers with the status of the rows: {"TABLE|key": {"state", ...}, ...}; {}
 * for a row that does not exist. */
static void
configured(struct call *call)
{
    json_t *answers = json_object();
    const char *key;
    json_t *row;

    json_object_foreach(json_object_get(call->arguments, "rows"), key, row)
    {
        json_t *answer = json_object();

        if (!is_known(key)) {
            set_answer(answer, "unsupported", "unknown-table",
                       "orchd has no table of that name");
        }
        json_object_set_new(answers, key, answer);
    }
    agent_each_row(call->context->services.agent, note_answer, answers);
    call_done(call, answers);
}

/* Parses one row; null removes it. */
static enum st
parse_row(const char *key, const json_t *json, struct arena *arena,
          struct field_row *row, struct err *err)
{
    struct field *fields =
        arena_alloc(arena, json_object_size(json) + 1, sizeof *fields);
    const char *name;
    json_t *value;

    *row = (struct field_row){key, json_is_null(json) ? NULL : fields, 0};
    if (!json_is_null(json) && !json_is_object(json)) {
        return err_set(err, ST_INVALID, "usage",
                       "%s must be a JSON object of fields, or null", key);
    }
    json_object_foreach((json_t *)(uintptr_t)json, name, value)
    {
        if (!json_is_string(value) && !json_is_null(value)) {
            return err_set(err, ST_INVALID, "usage",
                           "%s %s has to be a string, or null", key, name);
        }
        fields[row->n_fields++] =
            (struct field){name, json_string_value(value)};
    }
    return ST_OK;
}

void
breakpoint_rows_configure(struct call *call, enum session_mode mode)
{
    json_t *json = json_object_get(call->arguments, "rows");
    struct arena *arena = arena_create(0);
    struct field_row *rows =
        arena_alloc(arena, json_object_size(json) + 1, sizeof *rows);
    struct err err = {0};
    const char *key;
    json_t *row;
    size_t n = 0;

    json_object_foreach(json, key, row)
    {
        if (!err.status && is_known(key) &&
            !parse_row(key, row, arena, &rows[n], &err)) {
            n++;
        }
    }
    if (err.status) {
        call_usage(call, &err);
    } else if (session_take(call->context->session, call)) {
        session_configure(call->context->session, call, rows, n, mode,
                          configured);
    }
    arena_destroy(arena);
}
