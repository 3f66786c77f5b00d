/* SPDX-License-Identifier: Apache-2.0 */

/* Joins the operands to a line of a record, parses it into a call, makes the
 * call, and prints call and result as a line again. */

#include <config.h>

#include "orchctl/call_verb.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchd/control/protocol.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "sai/core/status.h"
#include "sai/loader/loader.h"
#include "sai/remote/tester_rule.h"
#include "sai/trace/trace_parse.h"

/* Room for the elements of a list to read, unless the call gives a number. */
#define LIST_ROOM UINT32_C(1024)

/* The parts of a line of a record besides the call: a time, and the result,
 * which is not known yet. */
#define STAMP   "1970-01-01T00:00:00.000Z"
#define OUTCOME " => SAI_STATUS_FAILURE 0us"

const struct option call_options[] = {
    {"host", OPTION_TEXT, "SOCKET", 0, 0, "socket of the SAI host; required"},
    {"sai", OPTION_TEXT, "LIBRARY", 0, 0,
     "path of the SAI host client library"},
    {"rescue", OPTION_FLAG, NULL, 0, 0,
     "allow writing beside the owner; needs a host with --rescue"},
    {"tester", OPTION_FLAG, NULL, 0, 0,
     "change as a tester what suites that test a switch change"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* Parses the operands as one line. */
static enum st
parse(const struct invocation *invocation, struct arena *arena,
      struct trace_call *call, struct err *err)
{
    struct text line = {0};
    enum st st;

    text_add(&line, STAMP);
    for (size_t i = 0; i < invocation->n_operands; i++) {
        text_addf(&line, " %s", invocation->operands[i]);
    }
    text_add(&line, OUTCOME);
    st = trace_parse(arena, text_string(&line), call, err);
    if (st) {
        err_set_remedy(
            err, "use create, remove, set, get or get_stats, and SAI names: "
                 "get SAI_OBJECT_TYPE_PORT oid:0x1 SAI_PORT_ATTR_SPEED");
    } else if (op_is_many(call->op) || call->op == OP_SNAPSHOT) {
        st = err_set(err, ST_INVALID, "usage",
                     "%s is not a SAI call on one object", op_name(call->op));
        err_set_remedy(err, "use create, remove, set, get or get_stats");
    } else if (call->op == OP_SET && call->n != 1) {
        st = err_set(err, ST_INVALID, "usage",
                     "set takes one attribute, NAME=VALUE");
        err_set_remedy(err, "make a call for each attribute");
    } else if (!call->n && (call->op == OP_GET || call->op == OP_GET_STATS)) {
        st = err_set(err, ST_INVALID, "usage", "%s needs the name of %s",
                     op_name(call->op),
                     call->op == OP_GET ? "an attribute" : "a counter");
        err_set_remedy(err, "add names as SAI has them: %s",
                       call->op == OP_GET ? "SAI_PORT_ATTR_SPEED"
                                          : "SAI_PORT_STAT_IF_IN_OCTETS");
    } else if (call->opaque) {
        st = err_set(err, ST_INVALID, "usage",
                     "a value of this type cannot be given as text");
        err_set_remedy(err, "leave that attribute out");
    }
    text_fini(&line);
    return st;
}

static bool
changes(const struct trace_call *call)
{
    return call->op == OP_GET_STATS ? call->stats_mode != SAI_STATS_MODE_READ
                                    : call->op != OP_GET;
}

/* Connects to the host by means of its client library. */
static enum st
connect_host(const struct invocation *invocation, const struct trace_call *call,
             struct loader **loader, struct err *err)
{
    const json_t *arguments = invocation->arguments;
    const char *path = json_string_value(json_object_get(arguments, "host"));
    const char *sai = json_string_value(json_object_get(arguments, "sai"));
    const struct loader_pair profile[] = {
        {"SAI_REMOTE_SOCKET", path},
        {"SAI_REMOTE_ROLE",
         !changes(call)                                       ? "reader"
         : json_is_true(json_object_get(arguments, "rescue")) ? "rescue"
         : json_is_true(json_object_get(arguments, "tester")) ? "tester"
                                                              : "writer"},
    };
    const struct loader_options options = {
        .path = sai ? sai : PKGLIBDIR "/libsai-remote.so",
        .profile = profile,
        .n_profile = sizeof profile / sizeof *profile};
    enum st st;

    if (!path) {
        return err_set(err, ST_INVALID, "usage", "--host SOCKET is required");
    }
    st = loader_open(&options, loader, err);
    if (!st && call->op == OP_CREATE && call->type != SAI_OBJECT_TYPE_SWITCH) {
        /* Connects to the existing switch or creates one; only a create call
         * needs its id. */
        st = loader_create_switch(*loader, 0, NULL, err);
    }
    return st;
}

/* Allocates room for the values to read. */
static sai_attribute_t *
make_room(struct arena *arena, struct trace_call *call)
{
    sai_attribute_t *found = arena_alloc(arena, call->n + 1u, sizeof *found);
    uint32_t *rooms = arena_alloc(arena, call->n + 1u, sizeof *rooms);

    for (uint32_t i = 0; i < call->n; i++) {
        const struct metadata_attribute *meta =
            metadata_attribute(call->type, call->attributes[i].id);

        found[i].id = call->attributes[i].id;
        rooms[i] = call->capacities[i];
        if (meta && kind_has_list(meta->kind)) {
            rooms[i] =
                rooms[i] && rooms[i] < KIND_LIST_MAX ? rooms[i] : LIST_ROOM;
            kind_list_set(meta->kind, &found[i].value, rooms[i],
                          arena_alloc(arena, rooms[i],
                                      kind_layout(meta->kind)->element_size));
        }
    }
    call->capacities = rooms;
    return found;
}

static int64_t
monotonic_ns(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Makes the call and stores its result. */
static void
make(struct arena *arena, struct sai_backend *backend, struct trace_call *call)
{
    const struct sai_backend_ops *ops = backend->ops;
    sai_attribute_t *found;
    uint64_t *values;

    call->finished = true;
    call->latency_ns = -monotonic_ns();
    switch (call->op) {
    case OP_CREATE:
        call->status = ops->create(backend, call->type, call->n,
                                   call->attributes, &call->created);
        break;
    case OP_REMOVE:
        call->status = ops->remove(backend, call->type, call->oid);
        break;
    case OP_SET:
        call->status =
            ops->set(backend, call->type, call->oid, call->attributes);
        break;
    case OP_GET:
        found = make_room(arena, call);
        call->status = ops->get(backend, call->type, call->oid, call->n, found);
        call->answers = found;
        break;
    default:
        values = arena_alloc(arena, call->n + 1u, sizeof *values);
        call->status = ops->get_stats(backend, call->type, call->oid, call->n,
                                      call->stats, call->stats_mode, values);
        call->counters = values;
        break;
    }
    call->latency_ns += monotonic_ns();
}

/* Prints the call without its time stamp, and its result. */
static void
print(const struct invocation *invocation, const struct trace_call *call)
{
    char status[STATUS_NAME_SIZE];
    struct text line = {0};
    const char *text;

    trace_write_call(STAMP, call, &line);
    trace_write_result(call, &line);
    text = text_string(&line) + sizeof STAMP;
    if (invocation->json) {
        json_t *json =
            json_pack("{s:s, s:s#}", "status",
                      status_name(call->status, status, sizeof status), "line",
                      text, (int)strcspn(text, "\n"));

        verb_print_json(json);
        json_decref(json);
    } else {
        fputs(text, stdout);
    }
    text_fini(&line);
}

/* Says what a tester may do if 'call' is refused because it is one. */
static void
explain_tester(const struct invocation *invocation,
               const struct trace_call *call)
{
    if (json_is_true(json_object_get(invocation->arguments, "tester")) &&
        call->status == SAI_STATUS_OBJECT_IN_USE) {
        fprintf(stderr, "orchctl: %s\n", tester_rule_text());
    }
}

int
call_verb_run(struct invocation *invocation)
{
    struct arena *arena = arena_create(0);
    struct loader *loader = NULL;
    struct trace_call call;
    struct err err = {0};
    int code = CONTROL_NO;
    enum st st = parse(invocation, arena, &call, &err);

    st = st ? st : connect_host(invocation, &call, &loader, &err);
    if (st) {
        verb_complain(&err);
        code = st == ST_INVALID ? CONTROL_USAGE : CONTROL_NO;
    } else {
        make(arena, loader_backend(loader), &call);
        print(invocation, &call);
        explain_tester(invocation, &call);
        code = call.status == SAI_STATUS_SUCCESS ? CONTROL_DONE : CONTROL_NO;
    }
    loader_close(loader);
    arena_destroy(arena);
    return code;
}
