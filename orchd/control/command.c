/* SPDX-License-Identifier: Apache-2.0 */

/* Parses a request, calls its function, and sends the reply. */

#include <config.h>

#include "orchd/control/command.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "base/text.h"
#include "orchd/control/access.h"
#include "orchd/control/arguments.h"
#include "orchd/control/audit.h"
#include "orchd/control/columns.h"
#include "orchd/control/json_reader.h"
#include "orchd/control/json_writer.h"
#include "orchd/control/protocol.h"
#include "orchd/control/request.h"
#include "orchd/db/redis.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"
#include "process/loop.h"

static const struct command *const command_lists[] = {
    asic_commands, breakpoint_commands, config_commands,   history_commands,
    save_commands, sync_commands,       log_commands,      sai_commands,
    twin_commands, show_commands,       settings_commands, snapshot_commands,
    live_commands,
};

#define NS_PER_S (INT64_C(1000) * 1000 * 1000)

/* Values of a reply that are written, or freed, in one turn: one or two
 * milliseconds. */
#define REPLY_PER_TURN 4096

/* Bytes of a request that are parsed in one turn: the same. */
#define PARSE_PER_TURN ((size_t)64 * 1024)

#define N_COMMAND_LISTS (sizeof command_lists / sizeof command_lists[0])

const char command_text_too_long[] =
    "{\"exit\": 2, \"error\": {\"code\": \"too-long\", "
    "\"reason\": \"the request is longer than 16 MiB\"}}";
const char command_text_too_many[] =
    "{\"exit\": 1, \"error\": {\"code\": \"too-many\", "
    "\"reason\": \"orchd serves 64 clients at a time, and all are taken\", "
    "\"remedy\": \"try again later\"}}";

/* Whether a call of 'command' may change something. */
static bool
changes(const struct command *command, const json_t *arguments)
{
    return command->effect == COMMAND_CHANGES ||
           (command->effect == COMMAND_SETS && json_object_size(arguments));
}

/* Writes a call that may have changed something to the audit log. */
static void
audit_call(const struct call *call, const char *outcome)
{
    const struct command *command = call->command;

    if (command && changes(command, call->arguments)) {
        audit_note(call->context->audit, call->request, command->noun,
                   command->verb, outcome);
    }
}

/* Frees 'call', at once. */
static void
call_free(struct call *call)
{
    if (call->forget) {
        call->forget(call);
    }
    if (call->work) {
        call->forget_work(call->work);
    }
    json_reader_destroy(call->reader);
    json_writer_destroy(call->writer);
    text_fini(&call->reply);
    json_decref(call->arguments);
    free(call->state);
    free(call);
}

/* Frees some more of the arguments, which own what some commands have read, and
 * then 'call'. */
static void
free_some(struct call *call)
{
    if (json_writer_write(call->writer, REPLY_PER_TURN)) {
        call_each_turn(call, free_some);
    } else {
        call_free(call);
    }
}

/* The request of 'call' is answered: frees the rest. */
static void
call_forget(struct call *call)
{
    if (call->reader) {
        call->arguments = json_reader_give_up(call->reader);
    }
    call->writer = json_writer_create(call->arguments, NULL);
    call->arguments = NULL;
    free_some(call);
}

/* Writes some more of the reply, and sends it when it is complete. */
static void
reply_some(struct call *call)
{
    if (json_writer_write(call->writer, REPLY_PER_TURN)) {
        call_each_turn(call, reply_some);
        return;
    }
    request_reply(call->request, text_string(&call->reply));
    text_fini(&call->reply);
    json_writer_destroy(call->writer);
    call_forget(call);
}

/* Sends 'reply', and frees it and 'call': at once if it is short, else in the
 * next turns. */
static void
call_reply(struct call *call, json_t *reply)
{
    const char *code = json_string_value(
        json_object_get(json_object_get(reply, "error"), "code"));

    audit_call(call, code ? code : "done");
    if (call->request->ops->value) {
        call->request->ops->value(call->request, reply);
        call_forget(call);
        return;
    }
    call->writer = json_writer_create(reply, &call->reply);
    reply_some(call);
}

/* Makes a reply; copies 'err', and takes ownership of 'data'. */
static json_t *
reply_create(enum control_exit exit_code, const struct err *err, json_t *data)
{
    json_t *reply = json_object();

    json_object_set_new(reply, "exit", json_integer(exit_code));
    if (err) {
        json_object_set_new(reply, "error", row_answers_error(err));
    }
    if (data) {
        json_object_set_new(reply, "data", data);
    }
    return reply;
}

static void
set_ended(struct err *err)
{
    err_set(err, ST_BUSY, "orchd-ended",
            "orchd ends, or starts over with its switch, before this was done");
    err_set_remedy(err, "see \"orchctl status\", and try again");
}

void
call_done(struct call *call, json_t *data)
{
    call_reply(call, reply_create(CONTROL_DONE, NULL, data));
}

void
call_done_columns(struct call *call, struct columns *columns)
{
    if (call->request->ops->columns) {
        audit_call(call, "done");
        call->request->ops->columns(call->request, columns);
        call_forget(call);
    } else {
        json_t *data = columns_json(columns);

        columns_destroy(columns);
        call_done(call, data);
    }
}

void
call_no(struct call *call, const struct err *err, json_t *data)
{
    const struct err *trouble = call->context->state.trouble;
    struct err ended = {0};

    if (call->context->ending) {
        set_ended(&ended);
        err = &ended;
    }

    /* Say why there is no ASIC rather than only that there is none. */
    if (trouble && !strcmp(err->code, "no-asic")) {
        err = trouble;
    }
    call_reply(call, reply_create(CONTROL_NO, err, data));
}

void
call_usage(struct call *call, const struct err *err)
{
    if (call->request->outcome == REQUEST_ANSWERED) {
        call->request->outcome = REQUEST_INVALID;
    }
    call_reply(call, reply_create(CONTROL_USAGE, err, NULL));
}

void
call_end(struct call *call, const struct err *err, json_t *data)
{
    switch (err->status) {
    case ST_OK:
        call_done(call, data);
        break;
    case ST_INVALID:
        json_decref(data);
        call_usage(call, err);
        break;
    case ST_NOT_FOUND:
    case ST_EXISTS:
    case ST_BUSY:
    case ST_NO_RESOURCE:
    case ST_UNSUPPORTED:
    case ST_DEVICE:
    case ST_IO:
    default:
        call_no(call, err, data);
        break;
    }
}

void
call_no_asic(struct call *call, json_t *data)
{
    struct err err = {0};

    err_set(&err, ST_BUSY, "no-asic", "there is no switch yet");
    err_set_remedy(&err, "write the row DEVICE_METADATA|localhost with hwsku, "
                         "or PORT rows");
    call_no(call, &err, data);
}

void
call_answers(struct call *call, const struct row_answers *answers, json_t *data)
{
    struct err err = {0};

    if (call->context->state.trouble) {
        call_no(call, call->context->state.trouble, data);
    } else if (answers->tables && !call->context->backend) {
        call_no_asic(call, data);
    } else if (answers->n_trouble) {
        err_set(&err, ST_BUSY, "not-applied", "%zu row%s not applied",
                answers->n_trouble, answers->n_trouble == 1 ? " is" : "s are");
        call_no(call, &err, data);
    } else {
        call_done(call, data);
    }
}

void
call_fail_held(const struct call *call, struct err *err)
{
    const struct control_state *state = &call->context->state;

    err_set(err, ST_BUSY, "held",
            "%zu row%s removed from CONFIG_DB, or lost fields, but stay%s in "
            "force: %s",
            state->withheld, state->withheld == 1 ? " was" : "s were",
            state->withheld == 1 ? "s" : "", state->hold);
    err_set_remedy(err, "load the configuration again, or confirm that "
                        "CONFIG_DB is complete: orchctl config resume");
}

void
call_answers_all(struct call *call, const struct row_answers *answers,
                 json_t *data)
{
    const struct control_state *state = &call->context->state;
    struct err err = {0};

    if (state->trouble || answers->n_trouble || !state->withheld) {
        call_answers(call, answers, data);
    } else {
        call_fail_held(call, &err);
        call_no(call, &err, data);
    }
}

uint64_t
call_generation(const struct call *call)
{
    struct agent_figures figures;

    agent_figures(call->context->services.agent, &figures);
    return figures.generation;
}

void
call_add_generations(const struct call *call, uint64_t first, json_t *data)
{
    json_object_set_new(data, "first_generation",
                        json_integer((json_int_t)first));
    json_object_set_new(data, "generation",
                        json_integer((json_int_t)call_generation(call)));
}

const char *
call_text(const struct call *call, const char *name, const char *otherwise)
{
    const char *text =
        json_string_value(json_object_get(call->arguments, name));

    return text ? text : otherwise;
}

int64_t
call_number(const struct call *call, const char *name, int64_t otherwise)
{
    json_t *number = json_object_get(call->arguments, name);

    return number ? json_integer_value(number) : otherwise;
}

bool
call_flag(const struct call *call, const char *name)
{
    return json_is_true(json_object_get(call->arguments, name));
}

/* Implements timer_fn: wakes the loop, and command_turn() resumes the calls. */
static void
wake(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
}

/* Wakes the loop at 'deadline' at the latest. */
static void
wake_at(struct command_context *context, int64_t deadline)
{
    if (!timer_pending(&context->deadline) ||
        deadline < context->deadline.when) {
        context->deadline.fire = wake;
        timeline_set(loop_timeline(context->loop), &context->deadline,
                     deadline);
    }
}

void
call_when_settled(struct call *call, void (*resume)(struct call *call))
{
    struct command_context *context = call->context;
    struct agent_figures figures;

    agent_figures(context->services.agent, &figures);
    call->generation = figures.generation;
    call->patience_end = loop_now(context->loop) + COMMAND_SETTLE_NS;
    call->confirm_end = 0;
    call->unsettled = false;
    call->resume = resume;
    call->next = context->settling;
    context->settling = call;
    wake_at(context, call->patience_end);
}

void
call_when_confirmed(struct call *call, void (*resume)(struct call *call))
{
    call_when_settled(call, resume);
    call->confirm_end =
        loop_now(call->context->loop) +
        call_number(call, "seconds", COMMAND_CONFIRM_SECONDS) * NS_PER_S;
}

/* Returns whether 'call' is to wait for another program; then wakes the loop
 * when it gives up. */
static bool
awaits_confirmation(const struct call *call, int64_t now)
{
    struct agent_figures figures;

    agent_figures(call->context->services.agent, &figures);
    if (figures.n_unconfirmed == 0 || now >= call->confirm_end) {
        return false;
    }
    wake_at(call->context, call->confirm_end);
    return true;
}

/* In a turn without work: resumes the calls that have waited for one. */
static void
resume_settled(struct command_context *context)
{
    const int64_t now = loop_now(context->loop);
    struct call *call = context->settling, *next;

    context->settling = NULL;
    for (; call; call = next) {
        next = call->next;
        if (awaits_confirmation(call, now)) {
            call->next = context->settling;
            context->settling = call;
        } else {
            call->next = NULL;
            call->resume(call);
        }
    }
}

/* Implements redis_done_fn: Redis has what was published so far, or is lost. */
static void
settle_published(void *context, enum st status, const struct err *err)
{
    struct call *call = context;

    (void)status;
    (void)err;
    call->resume(call);
}

/* Ends the patience of calls that have waited long enough for the agent to
 * settle, and whose rows are carried out: the plan of the time when they began
 * to wait has ended, and one after it, if there is more to do. */
static void
end_patience(struct command_context *context)
{
    const int64_t now = loop_now(context->loop);
    struct call **link = &context->settling;
    struct agent_figures figures;

    agent_figures(context->services.agent, &figures);
    while (*link) {
        struct call *call = *link;
        const bool planning = figures.applied_generation < figures.generation;

        if (now < call->patience_end) {
            wake_at(context, call->patience_end);
            link = &call->next;
        } else if ((planning &&
                    figures.applied_generation <= call->generation) ||
                   awaits_confirmation(call, now)) {
            link = &call->next; /* The agent asks for more turns. */
        } else {
            *link = call->next;
            call->next = NULL;
            call->unsettled = true;
            redis_barrier(context->services.redis, settle_published, call);
        }
    }
}

void
call_each_turn(struct call *call, void (*resume)(struct call *call))
{
    call->resume = resume;
    call->next = call->context->working;
    call->context->working = call;
}

/* Returns whether CONFIG_DB can be written and waited for. */
static bool
redis_is_up(const struct command_context *context)
{
    struct redis_status status;

    redis_status(context->services.redis, &status);
    return status.up;
}

void
call_next_turn(struct call *call, int64_t deadline,
               void (*resume)(struct call *call))
{
    struct command_context *context = call->context;

    call->resume = resume;
    call->next = context->watching;
    context->watching = call;
    wake_at(context, deadline);
}

void
call_when_connected(struct call *call, void (*resume)(struct call *call))
{
    struct command_context *context = call->context;

    if (redis_is_up(context)) {
        resume(call);
        return;
    }
    call->resume = resume;
    call->next = context->connecting;
    context->connecting = call;
    if (!timer_pending(&context->patience)) {
        context->patience.fire = wake;
        timeline_set(loop_timeline(context->loop), &context->patience,
                     loop_now(context->loop) + COMMAND_PATIENCE_NS);
    }
}

json_t *
command_redis_json(const struct command_context *context)
{
    struct redis_status status;
    json_t *object = json_object();

    redis_status(context->services.redis, &status);
    json_object_set_new(object, "up", json_boolean(status.up));
    json_object_set_new(object, "notified", json_boolean(status.notified));
    row_answers_add_text(object, "endpoint", status.endpoint);
    row_answers_add_text(object, "reason", status.reason);
    return object;
}

/* Empties a list and resumes its calls, which may add themselves again. */
static void
calls_resume(struct call **list)
{
    struct call *call = *list;

    *list = NULL;
    while (call) {
        struct call *next = call->next;

        call->next = NULL;
        call->resume(call);
        call = next;
    }
}

/* Ends the calls that have more work to do, but whose client has disconnected.
 * Those that have an answer free it while they write it. */
static void
calls_end_abandoned(struct call **list)
{
    struct call *left = NULL, *call = *list, *next;
    struct err err = {0};

    *list = NULL;
    for (; call; call = next) {
        next = call->next;
        if (!call->writer && request_is_gone(call->request)) {
            err_set(&err, ST_IO, "client-gone", "the client has disconnected");
            call_no(call, &err, NULL);
        } else {
            call->next = left;
            left = call;
        }
    }
    *list = left;
}

bool
command_turn(struct command_context *context, bool settled)
{
    struct agent_figures figures;

    context->settled = settled;
    moment_turn(&context->moment);
    if (settled) {
        resume_settled(context);
        agent_figures(context->services.agent, &figures);
        if (redis_is_up(context) && figures.n_unconfirmed == 0) {
            sync_point_begin(&context->synced, context->services.agent,
                             &context->state);
        }
    } else {
        end_patience(context);
    }
    calls_resume(&context->watching);
    if (context->connecting &&
        (redis_is_up(context) || !timer_pending(&context->patience))) {
        timeline_cancel(loop_timeline(context->loop), &context->patience);
        calls_resume(&context->connecting);
    }
    calls_end_abandoned(&context->working);
    calls_resume(&context->working);
    return context->working != NULL;
}

/* Ends a call in one piece. */
static void
call_abandon(struct call *call)
{
    struct err err = {0};

    if (!call->writer) {
        set_ended(&err);
        call_no(call, &err, NULL);
        return;
    }
    while (json_writer_write(call->writer, SIZE_MAX)) {
    }
    if (call->reply.length) {
        request_reply(call->request, text_string(&call->reply));
    }
    call_free(call);
}

void
command_abandon(struct command_context *context)
{
    /* A call of another list may get into that of those that work. */
    struct call **lists[] = {&context->settling, &context->connecting,
                             &context->watching, &context->working};

    timeline_cancel(loop_timeline(context->loop), &context->patience);
    timeline_cancel(loop_timeline(context->loop), &context->deadline);

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        while (*lists[i]) {
            struct call *call = *lists[i];

            *lists[i] = call->next;
            call_abandon(call);
        }
    }
}

const struct command *
command_list(size_t i)
{
    return i < N_COMMAND_LISTS ? command_lists[i] : NULL;
}

/* Returns whether list 'i' is the first one with its noun. */
static bool
begins_noun(size_t i)
{
    for (size_t k = 0; k < i; k++) {
        if (!strcmp(command_lists[k]->noun, command_lists[i]->noun)) {
            return false;
        }
    }
    return true;
}

/* Adds the nouns there are, or the verbs of 'noun'. */
static void
add_words(const char *noun, struct choices *choices)
{
    for (size_t i = 0; i < N_COMMAND_LISTS; i++) {
        const struct command *command = command_lists[i];

        if (!noun && begins_noun(i)) {
            choices_add(choices, command->noun);
        }
        for (; noun && command->noun; command++) {
            if (!strcmp(command->noun, noun)) {
                choices_add(choices, command->verb);
            }
        }
    }
}

/* Appends the ranges of one command, after 'separator'; returns whether it has
 * any. */
static bool
add_ranges(const struct command *command, const char *separator,
           struct text *json)
{
    bool has = false;

    for (const struct argument *i = command->arguments; i && i->name; i++) {
        if (i->type == ARGUMENT_NUMBER && i->max > i->min) {
            if (has) {
                text_add(json, ", ");
            } else {
                text_addf(json, "%s\"%s\": {", separator, command->verb);
            }
            text_addf(json, "\"%s\": [%" PRId64 ", %" PRId64 "]", i->name,
                      i->min, i->max);
            has = true;
        }
    }
    text_add(json, has ? "}" : "");
    return has;
}

void
command_add_ranges(const char *noun, struct text *json)
{
    const char *separator = "";

    text_add_char(json, '{');
    for (size_t i = 0; i < N_COMMAND_LISTS; i++) {
        for (const struct command *command = command_lists[i]; command->noun;
             command++) {
            if (!strcmp(command->noun, noun) &&
                add_ranges(command, separator, json)) {
                separator = ", ";
            }
        }
    }
    text_add_char(json, '}');
}

/* Finds the command of a request; else fills 'err' with the nouns, or the verbs
 * of this noun, that exist. */
static const struct command *
command_find(const char *noun, const char *verb, struct err *err)
{
    struct choices choices;
    bool known = false;

    for (size_t i = 0; i < N_COMMAND_LISTS; i++) {
        for (const struct command *command = command_lists[i]; command->noun;
             command++) {
            if (!strcmp(command->noun, noun)) {
                known = true;
                if (!strcmp(command->verb, verb)) {
                    return command;
                }
            }
        }
    }
    choices_init(&choices, known ? verb : noun);
    add_words(known ? noun : NULL, &choices);
    if (known) {
        err_set(err, ST_INVALID, "usage", "%s has no verb '%s'", noun, verb);
    } else {
        err_set(err, ST_INVALID, "usage", "there is no noun '%s'", noun);
    }
    (void)choices_explain(&choices, known ? "verb" : "noun", err);
    return NULL;
}

/* Takes a request apart; takes ownership of 'root'.  On ST_OK the caller runs
 * '*command' with '*arguments', else it frees these; it owns them. */
static enum st
command_read(json_t *root, const struct command **command, json_t **arguments,
             struct err *err)
{
    const char *noun = json_string_value(json_object_get(root, "noun"));
    const char *verb = json_string_value(json_object_get(root, "verb"));
    json_t *args = json_object_get(root, "args");
    enum st st = ST_OK;

    if (!noun || !verb || (args && !json_is_object(args))) {
        st = err_set(err, ST_INVALID, "usage",
                     "a request is {\"noun\": string, \"verb\": string, "
                     "\"args\": object}");
    } else {
        *command = command_find(noun, verb, err);
        st = *command ? ST_OK : ST_INVALID;
    }
    if (st) {
        *arguments = root;
        return st;
    }
    *arguments = args ? json_incref(args) : json_object();
    json_decref(root);
    return ST_OK;
}

/* Ends a call whose request is no JSON, because of 'cause'. */
static void
fail_json(struct call *call, const char *cause)
{
    struct err err = {0};

    err_set(&err, ST_INVALID, "json", "the request is not a line of JSON: %s",
            cause);
    call_usage(call, &err);
}

/* Returns whether 'command' may change what a snapshot of the twin reads. */
static bool
moves(const struct command *command)
{
    return command->effect == COMMAND_CHANGES &&
           (!strcmp(command->noun, "asic") ||
            !strcmp(command->noun, "breakpoint"));
}

/* Runs the function of a call, as soon as no other call reads the moment that
 * it would change. */
static void
call_start(struct call *call)
{
    if (moves(call->command) && !moment_move(&call->context->moment)) {
        call_each_turn(call, call_start);
    } else {
        call->command->fn(call);
    }
}

/* Returns the arguments that a command has. */
static struct argument_list
arguments_of(const struct command *command)
{
    return (struct argument_list){command->noun, command->verb,
                                  command->arguments};
}

/* Starts a call. */
static struct call *
call_create(struct command_context *context, const struct access *access,
            struct request *request)
{
    struct call *call = check_calloc(1, sizeof *call);

    request->outcome = REQUEST_ANSWERED;
    call->context = context;
    call->access = access;
    call->request = request;
    return call;
}

/* Runs 'command' if its arguments are valid and the client may. */
static void
call_run(struct call *call, const struct command *command)
{
    const struct argument_list list = arguments_of(command);
    struct request *request = call->request;
    struct err err = {0};

    if (arguments_check(&list, call->arguments, &err)) {
        call_usage(call, &err);
    } else if (changes(command, call->arguments) &&
               access_check(call->access, request_peer(request), command->noun,
                            command->verb, &err)) {
        request->outcome = REQUEST_DENIED;
        audit_deny(call->context->audit, request, command->noun, command->verb);
        call_no(call, &err, NULL);
    } else {
        call->command = command;
        call_start(call);
    }
}

/* Runs the request 'root', which it releases. */
static void
call_run_value(struct call *call, json_t *root)
{
    const struct command *command = NULL;
    struct err err = {0};

    if (command_read(root, &command, &call->arguments, &err)) {
        call_usage(call, &err);
    } else {
        call_run(call, command);
    }
}

/* Parses some more of a long request. */
static void
parse_some(struct call *call)
{
    struct err err = {0};
    json_t *root;

    if (json_reader_read(call->reader, PARSE_PER_TURN)) {
        call_each_turn(call, parse_some);
        return;
    }
    root = json_reader_take(call->reader, &err);
    if (root) {
        json_reader_destroy(call->reader);
        call->reader = NULL;
        call_run_value(call, root);
    } else {
        fail_json(call, err.reason);
    }
}

void
command_run(struct command_context *context, const struct access *access,
            struct request *request, const char *line, size_t length)
{
    struct call *call = call_create(context, access, request);
    json_error_t cause;
    json_t *root;

    if (length > PARSE_PER_TURN) {
        call->reader = json_reader_create(line, length);
        parse_some(call);
        return;
    }
    root = json_loadb(line, length, JSON_REJECT_DUPLICATES, &cause);
    if (root) {
        call_run_value(call, root);
    } else {
        fail_json(call, cause.text);
    }
}

void
command_run_texts(struct command_context *context, const struct access *access,
                  struct request *request, const struct command_texts *texts)
{
    struct call *call = call_create(context, access, request);
    struct err err = {0};
    const struct command *command =
        command_find(texts->noun, texts->verb, &err);
    struct argument_list list;

    if (!command) {
        request->outcome = REQUEST_UNKNOWN;
        call_usage(call, &err);
        return;
    }
    list = arguments_of(command);
    if (arguments_parse(&list, texts->arguments, texts->n_arguments,
                        &call->arguments, &err)) {
        call_usage(call, &err);
    } else {
        call_run(call, command);
    }
}
