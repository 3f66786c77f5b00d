/* SPDX-License-Identifier: Apache-2.0 */

/* "breakpoint ...": the operations of breakpoint/target.h on the switch behind
 * orchd, one command each, with the members of their structures as arguments.
 *
 * "orchctl breakpoint run --live" uses them; users have "asic ...".  The first
 * client that calls one gets the session (session.h).  A client asks for long
 * traffic and long times in parts, so that orchd serves others in between. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/target.h"
#include "orchd/control/advance.h"
#include "orchd/control/breakpoint_rows.h"
#include "orchd/control/command.h"
#include "orchd/control/effort.h"
#include "orchd/control/session.h"
#include "orchd/report/row_answers.h"
#include "orchd/switch/switch_query.h"
#include "orchd/testbench/sending.h"
#include "orchd/testbench/testbench.h"
#include "twin/chip/chip_parameters.h"
#include "vendors/softasic/softasic.h"

#define OBJECTS_MAX 100000 /* Per call. */

/* Packets sent in the first turn of the loop; less than a millisecond. */
#define FIRST_FRAMES 64

static const char *const until_words[] = {
#define X(member, word) word,
    TARGET_UNTIL_LIST(X)
#undef X
        NULL,
};

static const char *const block_words[] = {
#define X(member, word) word,
    TARGET_BLOCK_LIST(X)
#undef X
        NULL,
};

static const char *const pattern_words[] = {
#define X(member, word) word,
    TARGET_PATTERN_LIST(X)
#undef X
        NULL,
};

static const char *const mode_words[] = {
    [SESSION_EXACT] = "exact",
    [SESSION_ADD] = "add",
    [SESSION_ALL] = "all",
    NULL,
};

/* --- Arguments ----------------------------------------------------------- */

/* Returns the index of argument 'name' in 'words', 0 if it is not given.  The
 * value is one of the words: check_words() has checked it. */
static size_t
call_word(const struct call *call, const char *name, const char *const *words)
{
    const char *word = call_text(call, name, words[0]);
    size_t i = 0;

    while (words[i] && strcmp(words[i], word)) {
        i++;
    }
    orch_assert(words[i]);
    return i;
}

/* Parses one object. */
static enum st
parse_object(const json_t *json, struct target_object *object, struct err *err)
{
    const char *kind = json_string_value(json_object_get(json, "kind"));
    const char *name = json_string_value(json_object_get(json, "name"));
    json_int_t index = json_integer_value(json_object_get(json, "index"));

    if (!kind || !name || index < 0 || index >= SWITCH_QUERY_CHILDREN_MAX ||
        !target_kind_find(kind, strlen(kind), &object->kind)) {
        return err_set(err, ST_INVALID, "usage",
                       "an object is {\"kind\": port, pg, queue, pool, flow or "
                       "peer, \"name\": string, \"index\": number}");
    }
    object->name = name;
    object->index = (unsigned int)index;
    return ST_OK;
}

/* Parses the list of objects into 'arena'. */
static enum st
parse_objects(const struct call *call, struct arena *arena,
              struct target_object **objects, size_t *n, struct err *err)
{
    const json_t *list = json_object_get(call->arguments, "objects");
    enum st st = ST_OK;

    *n = json_array_size(list);
    if (*n > OBJECTS_MAX) {
        return err_set(err, ST_INVALID, "usage", "more than %d objects",
                       OBJECTS_MAX);
    }
    *objects = arena_alloc(arena, *n + 1, sizeof **objects);
    for (size_t i = 0; !st && i < *n; i++) {
        st = parse_object(json_array_get(list, i), &(*objects)[i], err);
    }
    return st;
}

/* The types and ranges of arguments, as the members of target.h say. */
#define CHECK_TEXT(key, member) {key, ARGUMENT_TEXT, true, 0, 0, NULL},
#define CHECK_WORD(key, member, type, word)                                    \
    {key, ARGUMENT_TEXT, true, 0, 0, word##_words},
#define CHECK_NUMBER(key, member, type, min, max, otherwise)                   \
    {key, ARGUMENT_NUMBER, false, min, max, NULL},
#define CHECK_FLAG(key, member)   {key, ARGUMENT_FLAG, false, 0, 0, NULL},
#define CHECK_OBJECT(key, member) {key, ARGUMENT_OBJECT, true, 0, 0, NULL},
#define CHECK_END                                                              \
    {                                                                          \
        NULL, ARGUMENT_TEXT, false, 0, 0, NULL                                 \
    }

/* Reads an argument, which was checked, into its member. */
#define READ_TEXT(key, member) arguments->member = call_text(call, key, "");
#define READ_WORD(key, member, type, word)                                     \
    arguments->member = (type)call_word(call, key, word##_words);
#define READ_NUMBER(key, member, type, min, max, otherwise)                    \
    arguments->member = (type)call_number(call, key, otherwise);
#define READ_FLAG(key, member) arguments->member = call_flag(call, key);
#define READ_OBJECT(key, member)                                               \
    st = st ? st                                                               \
            : parse_object(json_object_get(call->arguments, key),              \
                           &arguments->member, err);

/* OPERATION_arguments[] is the table of arguments of an operation, and
 * OPERATION_read() reads them into '*arguments'. */
#define DEFINE_ARGUMENTS(operation, verb, type, MEMBERS)                       \
    static const struct argument operation##_arguments[] = {                   \
        MEMBERS(CHECK) CHECK_END,                                              \
    };                                                                         \
                                                                               \
    static enum st operation##_read(const struct call *call, type *arguments,  \
                                    struct err *err)                           \
    {                                                                          \
        enum st st = ST_OK;                                                    \
                                                                               \
        (void)err; /* Only objects can be wrong. */                            \
        memset(arguments, 0, sizeof *arguments);                               \
        MEMBERS(READ)                                                          \
        return st;                                                             \
    }
DEFINE_ARGUMENTS(send, "send", struct target_send, TARGET_SEND_MEMBERS)
TARGET_STRUCT_OPERATION_LIST(DEFINE_ARGUMENTS)

/* Returns the test bench and gives the session to the client of 'call'; NULL if
 * the call has ended, because there is no switch or another client has the
 * session. */
static struct testbench *
take(struct call *call)
{
    struct err err = {0};

    if (switch_query_check(call->context->query, &err)) {
        call_end(call, &err, NULL);
        return NULL;
    }
    return session_take(call->context->session, call);
}

/* --- The session --------------------------------------------------------- */

/* Everything is restored: answers which switch this is. */
static void
begun(struct call *call)
{
    const struct command_context *context = call->context;
    char *left = session_take_left(context->session);
    struct text chip = {0};
    struct err err = {0};
    json_t *data = json_pack("{s:b}", "softasic", context->softasic != NULL);

    if (context->chip &&
        !chip_parameter_get(context->chip, "name", &chip, &err)) {
        row_answers_add_text(data, "chip", chip.bytes);
    }
    row_answers_add_text(data, "left", left ? left : "");
    text_fini(&chip);
    free(left);
    call_done(call, data);
}

static void
breakpoint_begin(struct call *call)
{
    if (take(call)) {
        session_restore(call->context->session, call, begun);
    }
}

static void
restored(struct call *call)
{
    call_done(call, NULL);
}

static void
breakpoint_restore(struct call *call)
{
    if (take(call)) {
        session_restore(call->context->session, call, restored);
    }
}

/* --- Rows ---------------------------------------------------------------- */

static void
breakpoint_configure(struct call *call)
{
    breakpoint_rows_configure(
        call, (enum session_mode)call_word(call, "mode", mode_words));
}

/* --- Traffic and time ---------------------------------------------------- */

/* A send in slices. */
struct slices {
    struct sending sending;
    struct effort effort;
};

static json_t *
sent_json(const struct target_sent *sent)
{
    return json_pack("{s:I, s:I, s:I, s:b, s:b, s:i, s:i, s:i}", "sent",
                     (json_int_t)sent->sent, "dropped_ingress",
                     (json_int_t)sent->dropped_ingress, "dropped_egress",
                     (json_int_t)sent->dropped_egress, "reached",
                     (int)sent->reached, "xoff", (int)sent->xoff, "tc",
                     (int)sent->tc, "pg", (int)sent->pg, "queue",
                     (int)sent->queue);
}

/* Sends as much as one turn allows. */
static void
send_some(struct call *call)
{
    struct slices *slices = call->state;
    struct sending *sending = &slices->sending;
    const uint64_t before = sending->sent.sent;
    bool is_done = false;
    struct err err = {0};

    if (!moment_move(&call->context->moment)) {
        call_each_turn(call, send_some);
        return;
    }
    if (!switch_query_check_soft(call->context->query, &err)) {
        effort_begin(&slices->effort);
        (void)!sending_continue(sending, slices->effort.n, &is_done, &err);
        effort_end(&slices->effort, sending->sent.sent - before);
    }
    if (!err.status && !is_done) {
        call_each_turn(call, send_some);
        return;
    }
    call_end(call, &err, err.status ? NULL : sent_json(&sending->sent));
}

static void
breakpoint_send(struct call *call)
{
    const struct testbench *bench = take(call);
    struct slices *slices;
    struct target_send send;
    struct err err = {0};

    if (!bench) {
        return;
    }
    slices = check_calloc(1, sizeof *slices);
    call->state = slices;
    effort_init(&slices->effort, FIRST_FRAMES, SOFTASIC_FRAMES_MAX);
    if (send_read(call, &send, &err) ||
        sending_begin(&slices->sending, bench->softasic, bench->query, &send,
                      &err)) {
        call_end(call, &err, NULL);
        return;
    }
    send_some(call);
}

/* Ends 'call' after the last slice of a settle or run. */
static void
time_passed(struct call *call)
{
    call_done(call, NULL);
}

static void
breakpoint_settle(struct call *call)
{
    if (take(call)) {
        advance_settle(call, time_passed);
    }
}

static void
breakpoint_run(struct call *call)
{
    if (take(call)) {
        advance_run(call, call_number(call, "ns", 0), time_passed);
    }
}

/* --- Counters and frames -------------------------------------------------- */

/* Returns counters as {name: value}. */
static json_t *
reading_json(const struct target_reading *reading)
{
    json_t *stats = json_object();

    for (size_t i = 0; i < reading->n; i++) {
        json_object_set_new(stats, reading->stats[i].name,
                            json_integer((json_int_t)reading->stats[i].value));
    }
    return stats;
}

/* Adds what the PFC watchdog has published about a queue. */
static void
add_storms(const struct command_context *context,
           const struct target_object *object, json_t *stats)
{
    const struct control_services *services = &context->services;
    struct switch_query_object queue;
    struct err ignored;

    if (services->storms &&
        !switch_query_find(context->query, "queue", object->name, object->index,
                           &queue, &ignored)) {
        services->storms(services->context, object->name, object->index,
                         queue.oid, stats);
    }
}

static void
breakpoint_read(struct call *call)
{
    struct arena *arena = arena_create(0);
    struct target_object *objects = NULL;
    struct target_reading *readings;
    struct testbench *bench = take(call);
    struct err err = {0};
    json_t *list = json_array();
    size_t n = 0;

    if (bench && !parse_objects(call, arena, &objects, &n, &err)) {
        readings = arena_alloc(arena, n + 1, sizeof *readings);
        if (bench->target.ops->read(&bench->target, objects, n, arena, readings,
                                    &err)) {
            n = 0;
        }
        for (size_t i = 0; i < n; i++) {
            json_t *stats = reading_json(&readings[i]);

            if (objects[i].kind == TARGET_QUEUE) {
                add_storms(call->context, &objects[i], stats);
            }
            json_array_append_new(list, stats);
        }
    }
    if (bench) {
        call_end(call, &err, err.status ? NULL : json_incref(list));
    }
    json_decref(list);
    arena_destroy(arena);
}

/* Answers with frames as arrays of numbers, because there may be many: DSCP,
 * queue, ECN, PCP, VLAN, IP id, size, count. */
static void
breakpoint_received(struct call *call)
{
    struct arena *arena = arena_create(0);
    const struct target_frames *rows = NULL;
    struct testbench *bench = take(call);
    struct err err = {0};
    json_t *list = json_array();
    size_t n = 0;

    if (bench && !bench->target.ops->received(&bench->target,
                                              call_text(call, "port", ""),
                                              arena, &rows, &n, &err)) {
        for (size_t i = 0; i < n; i++) {
            json_array_append_new(
                list, json_pack("[i, i, i, i, i, i, i, I]", (int)rows[i].dscp,
                                (int)rows[i].queue, (int)rows[i].ecn,
                                (int)rows[i].pcp, (int)rows[i].vlan,
                                (int)rows[i].ip_id, (int)rows[i].size_bytes,
                                (json_int_t)rows[i].frames));
        }
    }
    if (bench) {
        call_end(call, &err, err.status ? NULL : json_incref(list));
    }
    json_decref(list);
    arena_destroy(arena);
}

/* --- Operations that return only a status -------------------------------- */

#define X(operation, verb, type, MEMBERS)                                      \
    static void breakpoint_##operation(struct call *call)                      \
    {                                                                          \
        struct testbench *bench = take(call);                                  \
        struct err err = {0};                                                  \
        type arguments;                                                        \
                                                                               \
        if (!bench) {                                                          \
            return;                                                            \
        }                                                                      \
        if (!operation##_read(call, &arguments, &err)) {                       \
            (void)!bench->target.ops->operation(&bench->target, &arguments,    \
                                                &err);                         \
        }                                                                      \
        call_end(call, &err, NULL);                                            \
    }
TARGET_STRUCT_OPERATION_LIST(X)
#undef X

#define X(operation, verb, key)                                                \
    static void breakpoint_##operation(struct call *call)                      \
    {                                                                          \
        struct testbench *bench = take(call);                                  \
        struct err err = {0};                                                  \
                                                                               \
        if (bench) {                                                           \
            (void)!bench->target.ops->operation(                               \
                &bench->target, call_text(call, key, ""), &err);               \
            call_end(call, &err, NULL);                                        \
        }                                                                      \
    }
TARGET_TEXT_OPERATION_LIST(X)
#undef X

#define X(operation, verb)                                                     \
    static void breakpoint_##operation(struct call *call)                      \
    {                                                                          \
        struct arena *arena = arena_create(0);                                 \
        struct target_object *objects = NULL;                                  \
        struct testbench *bench = take(call);                                  \
        struct err err = {0};                                                  \
        size_t n = 0;                                                          \
                                                                               \
        if (bench && !parse_objects(call, arena, &objects, &n, &err)) {        \
            (void)!bench->target.ops->operation(&bench->target, objects, n,    \
                                                &err);                         \
        }                                                                      \
        if (bench) {                                                           \
            call_end(call, &err, NULL);                                        \
        }                                                                      \
        arena_destroy(arena);                                                  \
    }
TARGET_OBJECTS_OPERATION_LIST(X)
#undef X

/* --- The table ----------------------------------------------------------- */

static const struct argument configure_arguments[] = {
    {"rows", ARGUMENT_OBJECT, true, 0, 0, NULL},
    CHECK_WORD("mode", mode, enum session_mode, mode) CHECK_END,
};
static const struct argument run_arguments[] = {
    CHECK_NUMBER("ns", ns, uint64_t, 0, TARGET_REQUEST_NS_MAX, 0) CHECK_END,
};
static const struct argument received_arguments[] = {
    CHECK_TEXT("port", port) CHECK_END,
};
static const struct argument objects_arguments[] = {
    {"objects", ARGUMENT_ARRAY, true, 0, 0, NULL},
    CHECK_END,
};

#define X(operation, verb, key)                                                \
    static const struct argument operation##_arguments[] = {                   \
        CHECK_TEXT(key, text) CHECK_END,                                       \
    };
TARGET_TEXT_OPERATION_LIST(X)
#undef X

const struct command breakpoint_commands[] = {
    {"breakpoint", "begin", breakpoint_begin, NULL, COMMAND_CHANGES},
    {"breakpoint", "configure", breakpoint_configure, configure_arguments,
     COMMAND_CHANGES},
    {"breakpoint", "read", breakpoint_read, objects_arguments, COMMAND_CHANGES},
    {"breakpoint", "received", breakpoint_received, received_arguments,
     COMMAND_CHANGES},
    {"breakpoint", "restore", breakpoint_restore, NULL, COMMAND_CHANGES},
    {"breakpoint", "run", breakpoint_run, run_arguments, COMMAND_CHANGES},
    {"breakpoint", "send", breakpoint_send, send_arguments, COMMAND_CHANGES},
    {"breakpoint", "settle", breakpoint_settle, NULL, COMMAND_CHANGES},
#define X(operation, verb, ...)                                                \
    {"breakpoint", verb, breakpoint_##operation, operation##_arguments,        \
     COMMAND_CHANGES},
    TARGET_STRUCT_OPERATION_LIST(X) TARGET_TEXT_OPERATION_LIST(X)
#undef X
#define X(operation, verb)                                                     \
    {"breakpoint", verb, breakpoint_##operation, objects_arguments,            \
     COMMAND_CHANGES},
        TARGET_OBJECTS_OPERATION_LIST(X)
#undef X
            {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
