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
#include "orchd/control/command.h"
#include "orchd/control/session.h"
#include "orchd/reconcile/agent.h"
#include "orchd/report/row_answers.h"
#include "orchd/switch/switch_query.h"
#include "orchd/testbench/testbench.h"
#include "twin/chip/chip_parameters.h"
#include "vendors/softasic/softasic.h"

/* The most that one call may do. */
#define FRAMES_MAX  INT64_C(1000000)
#define RUN_NS_MAX  (INT64_C(100) * 1000 * 1000)
#define OBJECTS_MAX 100000

/* The longest times of flows and storms: eleven days. */
#define NS_MAX (INT64_C(1000000) * 1000 * 1000 * 1000)

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

/* Returns a number whose range was checked. */
static uint64_t
call_u64(const struct call *call, const char *name, int64_t otherwise)
{
    return (uint64_t)call_number(call, name, otherwise);
}

static uint8_t
call_u8(const struct call *call, const char *name)
{
    return (uint8_t)call_number(call, name, 0);
}

/* Returns the header of the frames to send. */
static struct target_header
call_header(const struct call *call)
{
    return (struct target_header){
        .has_tag = call_flag(call, "tag"),
        .vlan = (uint16_t)call_number(call, "vlan", 0),
        .pcp = call_u8(call, "pcp"),
        .ttl = (uint8_t)call_number(call, "ttl", 64),
        .ip_id = (uint16_t)call_number(call, "ip_id", 0),
        .is_not_ip = call_flag(call, "not_ip"),
    };
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

/* Why a row is not written, as code and reason of its answer. */
struct row_refusal {
    const char *code;
    const char *reason; /* NULL: the row is written. */
};

/* Returns whether and why the row "TABLE|key" must not be written. */
static struct row_refusal
refuse_row(const struct command_context *context, const char *key)
{
    const char *bar = strchr(key, '|');
    enum table table;

    if (!bar || !table_find(key, (size_t)(bar - key), &table)) {
        return (struct row_refusal){"unknown-table",
                                    "orchd has no table of that name"};
    }
    if (table == TABLE_PFC_WD && context->softasic) {
        return (struct row_refusal){
            "clock",
            "the watchdog of a running orchd polls by the clock of the host, "
            "and the time of softasic passes only in steps of the scenario: "
            "run it without --live"};
    }
    return (struct row_refusal){"", NULL};
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
        const struct row_refusal refusal = refuse_row(call->context, key);
        json_t *answer = json_object();

        if (refusal.reason) {
            set_answer(answer, "unsupported", refusal.code, refusal.reason);
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
                       "%s has to be an object of fields, or null", key);
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

/* Rows are {"TABLE|key": {"field": "value"}}; null removes a row, and in mode
 * "add" a field. */
static void
breakpoint_configure(struct call *call)
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
        if (!err.status && !refuse_row(call->context, key).reason &&
            !parse_row(key, row, arena, &rows[n], &err)) {
            n++;
        }
    }
    if (err.status) {
        call_usage(call, &err);
    } else if (session_take(call->context->session, call)) {
        session_configure(
            call->context->session, call, rows, n,
            (enum session_mode)call_word(call, "mode", mode_words), configured);
    }
    arena_destroy(arena);
}

/* --- Attributes ---------------------------------------------------------- */

static void
breakpoint_block(struct call *call)
{
    const struct target_block block = {
        .port = call_text(call, "port", ""),
        .way = (enum target_block_way)call_word(call, "way", block_words),
        .queues = (uint32_t)call_number(call, "queues", 0),
    };
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->block(&bench->target, &block,
                                        call_flag(call, "blocked"), &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_set(struct call *call)
{
    const json_t *json = json_object_get(call->arguments, "object");
    struct target_object object;
    struct testbench *bench = take(call);
    struct err err = {0};

    if (!bench) {
        return;
    }
    if (!parse_object(json, &object, &err)) {
        (void)!bench->target.ops->set(&bench->target, &object,
                                      call_text(call, "attribute", ""),
                                      call_text(call, "value", ""), &err);
    }
    call_end(call, &err, NULL);
}

/* --- Traffic and time ---------------------------------------------------- */

static void
breakpoint_send(struct call *call)
{
    const struct target_send send = {
        .from = call_text(call, "from", ""),
        .to = call_text(call, "to", ""),
        .until = (enum target_until)call_word(call, "until", until_words),
        .count = call_u64(call, "count", 0),
        .size_bytes = (uint32_t)call_number(call, "size", 64),
        .dscp = call_u8(call, "dscp"),
        .ecn = call_u8(call, "ecn"),
        .header = call_header(call),
        .flows = (uint32_t)call_number(call, "flows", 1),
    };
    struct testbench *bench = take(call);
    struct target_sent sent;
    struct err err = {0};
    json_t *data = NULL;

    if (!bench) {
        return;
    }
    if (!bench->target.ops->send(&bench->target, &send, &sent, &err)) {
        data = json_pack("{s:I, s:I, s:I, s:b, s:b, s:i, s:i}", "sent",
                         (json_int_t)sent.sent, "dropped_ingress",
                         (json_int_t)sent.dropped_ingress, "dropped_egress",
                         (json_int_t)sent.dropped_egress, "reached",
                         (int)sent.reached, "xoff", (int)sent.xoff, "pg",
                         (int)sent.pg, "queue", (int)sent.queue);
    }
    call_end(call, &err, data);
}

static void
breakpoint_settle(struct call *call)
{
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->settle(&bench->target, &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_run(struct call *call)
{
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->run(&bench->target, call_u64(call, "ns", 0),
                                      &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_peer(struct call *call)
{
    const struct target_peer peer = {
        .port = call_text(call, "port", ""),
        .cable_m = (uint32_t)call_number(call, "cable", 0),
        .obeys = call_u8(call, "obeys"),
        .obeys_global = call_flag(call, "obeys_global"),
        .response_ns = call_u64(call, "response_ns", 0),
    };
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->peer(&bench->target, &peer, &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_flow(struct call *call)
{
    const struct target_flow flow = {
        .name = call_text(call, "name", ""),
        .from = call_text(call, "from", ""),
        .to = call_text(call, "to", ""),
        .pattern =
            (enum target_pattern)call_word(call, "pattern", pattern_words),
        .rate_ppm = call_u64(call, "rate_ppm", 0),
        .rate_bps = call_u64(call, "rate_bps", 0),
        .count = call_u64(call, "count", 0),
        .delay_ns = call_u64(call, "delay_ns", 0),
        .burst = call_u64(call, "burst", 0),
        .on_ns = call_u64(call, "on_ns", 0),
        .off_ns = call_u64(call, "off_ns", 0),
        .size_bytes = (uint32_t)call_number(call, "size", 64),
        .dscp = call_u8(call, "dscp"),
        .ecn = call_u8(call, "ecn"),
        .priority = call_u8(call, "prio"),
        .header = call_header(call),
    };
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->flow_start(&bench->target, &flow, &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_flow_stop(struct call *call)
{
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->flow_stop(&bench->target,
                                            call_text(call, "name", ""), &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_storm(struct call *call)
{
    const struct target_storm storm = {
        .port = call_text(call, "port", ""),
        .is_global = call_flag(call, "global"),
        .priorities = call_u8(call, "priorities"),
        .quanta = (uint16_t)call_number(call, "quanta", UINT16_MAX),
        .interval_ns = call_u64(call, "interval_ns", 10000),
        .count = call_u64(call, "count", 0),
        .zero_source = call_flag(call, "zero_src_mac"),
    };
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->storm_start(&bench->target, &storm, &err);
        call_end(call, &err, NULL);
    }
}

static void
breakpoint_storm_stop(struct call *call)
{
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->storm_stop(&bench->target,
                                             call_text(call, "port", ""), &err);
        call_end(call, &err, NULL);
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
            json_array_append_new(list, reading_json(&readings[i]));
        }
    }
    if (bench) {
        call_end(call, &err, err.status ? NULL : json_incref(list));
    }
    json_decref(list);
    arena_destroy(arena);
}

/* Calls 'fn' with the list of objects. */
static void
call_objects(struct call *call,
             enum st (*fn)(struct target *target,
                           const struct target_object *objects, size_t n,
                           struct err *err))
{
    struct arena *arena = arena_create(0);
    struct target_object *objects = NULL;
    struct testbench *bench = take(call);
    struct err err = {0};
    size_t n = 0;

    if (bench && !parse_objects(call, arena, &objects, &n, &err)) {
        (void)!fn(&bench->target, objects, n, &err);
    }
    if (bench) {
        call_end(call, &err, NULL);
    }
    arena_destroy(arena);
}

static void
breakpoint_clear(struct call *call)
{
    call_objects(call, testbench_target_ops.clear);
}

static void
breakpoint_start(struct call *call)
{
    call_objects(call, testbench_target_ops.start);
}

static void
breakpoint_trace(struct call *call)
{
    struct testbench *bench = take(call);
    struct err err = {0};

    if (bench) {
        (void)!bench->target.ops->trace(&bench->target,
                                        call_text(call, "port", ""), &err);
        call_end(call, &err, NULL);
    }
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

/* --- The table ----------------------------------------------------------- */

#define TEXT(name)                                                             \
    {                                                                          \
        name, ARGUMENT_TEXT, true, 0, 0, NULL                                  \
    }
#define WORD(name, words)                                                      \
    {                                                                          \
        name, ARGUMENT_TEXT, true, 0, 0, words                                 \
    }
#define NUMBER(name, min, max)                                                 \
    {                                                                          \
        name, ARGUMENT_NUMBER, false, min, max, NULL                           \
    }
#define FLAG(name)                                                             \
    {                                                                          \
        name, ARGUMENT_FLAG, false, 0, 0, NULL                                 \
    }
#define END                                                                    \
    {                                                                          \
        NULL, ARGUMENT_TEXT, false, 0, 0, NULL                                 \
    }

/* The size and the header of frames. */
#define FRAME_ARGUMENTS                                                        \
    NUMBER("size", SOFTASIC_FRAME_BYTES_MIN, SOFTASIC_FRAME_BYTES_MAX),        \
        NUMBER("dscp", 0, 63), NUMBER("ecn", 0, 3), FLAG("tag"),               \
        NUMBER("vlan", 0, 4094), NUMBER("pcp", 0, 7), NUMBER("ttl", 0, 255),   \
        NUMBER("ip_id", 0, UINT16_MAX), FLAG("not_ip")

static const struct argument configure_arguments[] = {
    {"rows", ARGUMENT_OBJECT, true, 0, 0, NULL},
    WORD("mode", mode_words),
    END,
};
static const struct argument block_arguments[] = {
    TEXT("port"),
    WORD("way", block_words),
    NUMBER("queues", 0, UINT32_MAX),
    FLAG("blocked"),
    END,
};
static const struct argument set_arguments[] = {
    {"object", ARGUMENT_OBJECT, true, 0, 0, NULL},
    TEXT("attribute"),
    TEXT("value"),
    END,
};
static const struct argument send_arguments[] = {
    TEXT("from"),
    TEXT("to"),
    WORD("until", until_words),
    NUMBER("count", 0, FRAMES_MAX),
    NUMBER("flows", 1, 16384),
    FRAME_ARGUMENTS,
    END,
};
static const struct argument run_arguments[] = {
    NUMBER("ns", 0, RUN_NS_MAX),
    END,
};
static const struct argument peer_arguments[] = {
    TEXT("port"),
    NUMBER("cable", 0, 1000000),
    NUMBER("obeys", 0, UINT8_MAX),
    FLAG("obeys_global"),
    NUMBER("response_ns", 0, NS_MAX),
    END,
};
static const struct argument flow_arguments[] = {
    TEXT("name"),
    TEXT("from"),
    TEXT("to"),
    WORD("pattern", pattern_words),
    NUMBER("rate_ppm", 0, 1000000),
    NUMBER("rate_bps", 0, INT64_MAX),
    NUMBER("count", 0, INT64_MAX),
    NUMBER("delay_ns", 0, NS_MAX),
    NUMBER("burst", 0, INT64_MAX),
    NUMBER("on_ns", 0, NS_MAX),
    NUMBER("off_ns", 0, NS_MAX),
    NUMBER("prio", 0, UINT8_MAX),
    FRAME_ARGUMENTS,
    END,
};
static const struct argument storm_arguments[] = {
    TEXT("port"),
    FLAG("global"),
    NUMBER("priorities", 0, UINT8_MAX),
    NUMBER("quanta", 0, UINT16_MAX),
    NUMBER("interval_ns", 1, NS_MAX),
    NUMBER("count", 0, INT64_MAX),
    FLAG("zero_src_mac"),
    END,
};
static const struct argument objects_arguments[] = {
    {"objects", ARGUMENT_ARRAY, true, 0, 0, NULL},
    END,
};
static const struct argument port_arguments[] = {TEXT("port"), END};
static const struct argument name_arguments[] = {TEXT("name"), END};

const struct command breakpoint_commands[] = {
    {"breakpoint", "begin", breakpoint_begin, NULL},
    {"breakpoint", "block", breakpoint_block, block_arguments},
    {"breakpoint", "clear", breakpoint_clear, objects_arguments},
    {"breakpoint", "configure", breakpoint_configure, configure_arguments},
    {"breakpoint", "flow", breakpoint_flow, flow_arguments},
    {"breakpoint", "flow_stop", breakpoint_flow_stop, name_arguments},
    {"breakpoint", "peer", breakpoint_peer, peer_arguments},
    {"breakpoint", "read", breakpoint_read, objects_arguments},
    {"breakpoint", "received", breakpoint_received, port_arguments},
    {"breakpoint", "restore", breakpoint_restore, NULL},
    {"breakpoint", "run", breakpoint_run, run_arguments},
    {"breakpoint", "send", breakpoint_send, send_arguments},
    {"breakpoint", "set", breakpoint_set, set_arguments},
    {"breakpoint", "settle", breakpoint_settle, NULL},
    {"breakpoint", "start", breakpoint_start, objects_arguments},
    {"breakpoint", "storm", breakpoint_storm, storm_arguments},
    {"breakpoint", "storm_stop", breakpoint_storm_stop, port_arguments},
    {"breakpoint", "trace", breakpoint_trace, port_arguments},
    {NULL, NULL, NULL, NULL},
};
