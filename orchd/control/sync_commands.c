/* SPDX-License-Identifier: Apache-2.0 */

/* "config sync" and "config wait": wait for what was written to CONFIG_DB. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/control/command.h"
#include "orchd/control/find_rows.h"
#include "orchd/control/sync_point.h"
#include "orchd/db/redis.h"
#include "orchd/history/burst.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"
#include "process/loop.h"

#define NS_PER_S (INT64_C(1000) * 1000 * 1000)

/* --- config sync -------------------------------------------------------- */

/* A sync whose rows are being looked up. */
struct syncing {
    uint64_t generation; /* When all that was written before was settled. */
    bool held;           /* Removals are held back, and this call reports it. */
};

/* Implements find_rows_fn. */
static void
sync_found(struct call *call, const struct row_answers *answers, json_t *data)
{
    const struct syncing *syncing = call->state;
    struct err err = {0};

    json_object_set_new(data, "generation",
                        json_integer((json_int_t)syncing->generation));
    json_object_set_new(data, "rows_changed",
                        json_integer((json_int_t)answers->n_changed));
    json_object_set_new(data, "others_not_applied",
                        json_integer((json_int_t)answers->n_other));
    json_object_set_new(data, "still_changing", json_boolean(call->unsettled));
    if (!call->context->state.trouble && syncing->held &&
        call->context->state.withheld) {
        call_fail_held(call, &err); /* It explains the rest. */
        call_no(call, &err, data);
    } else {
        call_answers(call, answers, data);
    }
}

/* Ends a call that waited until the agent has applied or refused all rows. */
static void
sync_settled(struct call *call)
{
    struct command_context *context = call->context;
    const uint64_t point = sync_point_move(
        &context->synced, context->services.agent, &context->state);
    struct row_answers answers = {.only_changed = !call_flag(call, "all")};
    struct syncing *syncing = check_calloc(1, sizeof *syncing);
    struct agent_figures figures;
    struct err err = {0};

    call->state = syncing;
    syncing->held =
        sync_point_take_withheld(&context->synced, context->state.withheld) ||
        (context->state.withheld && call_flag(call, "all"));
    agent_figures(context->services.agent, &figures);
    syncing->generation = figures.generation;
    answers.since =
        (uint64_t)call_number(call, "since-generation", (int64_t)point);
    if (answers.since > figures.generation) {
        err_set(&err, ST_NOT_FOUND, "no-generation",
                "generation %llu does not exist yet; the newest is %llu",
                (unsigned long long)answers.since,
                (unsigned long long)figures.generation);
        call_no(call, &err, NULL);
    } else {
        find_rows(call, &answers, sync_found);
    }
}

/* Implements redis_done_fn for "config sync". */
static void
sync_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    if (status) {
        call_end(call, err, NULL);
    } else {
        burst_complete(call->context->services.burst);
        call_when_confirmed(call, sync_settled);
    }
}

/* Waits for the barrier first, because orchd may not have read the latest rows
 * yet.  Only then is it meaningful that the agent has settled. */
static void
sync_start(struct call *call)
{
    redis_barrier(call->context->services.redis, sync_seen, call);
}

static void
config_sync(struct call *call)
{
    call_when_connected(call, sync_start);
}

/* --- config wait -------------------------------------------------------- */

struct waiting {
    enum table table;
    const char *key; /* In the arguments of the call. */
    int64_t deadline;
};

/* Returns whether the row of the answer may still be applied without a further
 * change of it. */
static bool
may_follow(const json_t *row)
{
    const char *state = json_string_value(json_object_get(row, "state"));

    return !row || !strcmp(state, row_state_name(ROW_STATE_WAITING)) ||
           !strcmp(state, row_state_name(ROW_STATE_PENDING_DELETE));
}

/* Ends the call because time is up. */
static void
wait_over(struct call *call, const json_t *row, json_t *data)
{
    const char *reason = json_string_value(json_object_get(row, "reason"));
    const char *name = call_text(call, "row", "");
    char hint[NEAREST_HINT_SIZE];
    struct err err = {0};

    if (!row) {
        err_set(&err, ST_BUSY, "timeout", "CONFIG_DB still has no row %s%s",
                name,
                row_answers_hint(call->context->services.agent, name, hint));
    } else {
        err_set(&err, ST_BUSY, "timeout", "%s is still not applied: %s", name,
                reason ? reason
                       : json_string_value(json_object_get(row, "state")));
    }
    err_set_remedy(&err, "wait longer with --timeout SECONDS");
    call_no(call, &err, data);
}

/* Answers when the state of the row is final, or time is up. */
static void
wait_look(struct call *call)
{
    const struct waiting *waiting = call->state;
    const struct command_context *context = call->context;
    const bool late = loop_now(context->loop) >= waiting->deadline;
    struct row_answers answers = {
        .one_table = true, .table = waiting->table, .key = waiting->key};
    const json_t *row;
    json_t *data;

    if (!context->settled && !late) {
        call_next_turn(call, waiting->deadline, wait_look);
        return;
    }
    data = row_answers_find(&answers, context->services.agent);
    row = json_array_get(answers.rows, 0);
    if (!may_follow(row)) {
        call_answers(call, &answers, data);
    } else if (late) {
        wait_over(call, row, data);
    } else {
        json_decref(data);
        call_next_turn(call, waiting->deadline, wait_look);
    }
}

/* Implements redis_done_fn: a row that was just written has been read. */
static void
wait_seen(void *context, enum st status, const struct err *err)
{
    struct call *call = context;
    const struct waiting *waiting = call->state;

    if (status) {
        call_end(call, err, NULL);
    } else {
        call_next_turn(call, waiting->deadline, wait_look);
    }
}

static void
wait_start(struct call *call)
{
    redis_barrier(call->context->services.redis, wait_seen, call);
}

static void
config_wait(struct call *call)
{
    const char *name = call_text(call, "row", "");
    struct row_answers answers = {0};
    struct waiting *waiting;
    struct err err = {0};
    enum st status = row_answers_select(&answers, name, &err);

    if (!status && !answers.key) {
        status = err_set(&err, ST_INVALID, "usage",
                         "'%s' is a table, not a row: use 'TABLE|KEY'", name);
        err_set_field(&err, "row", name, NULL);
    }
    if (status) {
        call_usage(call, &err);
        return;
    }
    waiting = check_calloc(1, sizeof *waiting);
    waiting->table = answers.table;
    waiting->key = answers.key;
    waiting->deadline = loop_now(call->context->loop) +
                        call_number(call, "seconds", 60) * NS_PER_S;
    call->state = waiting;
    call_when_connected(call, wait_start);
}

static const struct argument sync_arguments[] = {
    {"since-generation", ARGUMENT_NUMBER, false, 0, INT64_MAX, NULL},
    {"all", ARGUMENT_FLAG, false, 0, 0, NULL},
    {"seconds", ARGUMENT_NUMBER, false, 0, 86400, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument wait_arguments[] = {
    {"row", ARGUMENT_TEXT, true, 0, 0, NULL},
    {"seconds", ARGUMENT_NUMBER, false, 1, 86400, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command sync_commands[] = {
    {"config", "sync", config_sync, sync_arguments, COMMAND_VIEWS},
    {"config", "wait", config_wait, wait_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
