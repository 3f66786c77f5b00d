/* SPDX-License-Identifier: Apache-2.0 */

/* "asic snapshot" and "asic clear": the counters of objects, at one moment. */

#include <config.h>

#include "orchd/control/command.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/backend.h"
#include "vendors/softasic/softasic.h"

/* Finds the object that a request names. */
static enum st
find_wanted(const struct call *call, const json_t *wanted,
            struct switch_query_object *object, struct err *err)
{
    const char *kind = json_string_value(json_object_get(wanted, "kind"));
    const char *name = json_string_value(json_object_get(wanted, "name"));
    json_int_t index = json_integer_value(json_object_get(wanted, "index"));

    if (!kind || !name || index < 0 || index >= SWITCH_QUERY_CHILDREN_MAX) {
        return err_set(err, ST_INVALID, "usage",
                       "an object is {\"kind\": port, pg, queue or pool, "
                       "\"name\": string, \"index\": number}");
    }
    return switch_query_find(call->context->query, kind, name,
                             (unsigned int)index, object, err);
}

/* Returns whether an object is or was in use: only such objects are listed when
 * the request names none. */
static bool
snapshot_busy(const json_t *snapshot)
{
    static const char *const signs[] = {
        "curr_occupancy_bytes",
        "watermark_bytes",
        "dropped_packets",
        "dropped",
        "queued",
        "rx_frames",
        "tx_frames",
        "if_in_octets",
        "if_out_octets",
    };
    const json_t *stats = json_object_get(snapshot, "stats");

    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (json_integer_value(json_object_get(stats, signs[i]))) {
            return true;
        }
    }
    return false;
}

/* Adds an object if it is or was in use. */
static void
snapshot_if_busy(const struct call *call,
                 const struct switch_query_object *object, json_t *list)
{
    json_t *snapshot = switch_query_snapshot(call->context->query, object);

    if (snapshot_busy(snapshot)) {
        json_array_append(list, snapshot);
    }
    json_decref(snapshot);
}

/* Adds a port with its priority groups and queues. */
static void
snapshot_port(const struct call *call, const struct object *port, json_t *list)
{
    static const enum switch_query_kind places[] = {SWITCH_QUERY_PG,
                                                    SWITCH_QUERY_QUEUE};
    sai_object_id_t oids[SWITCH_QUERY_CHILDREN_MAX];
    struct switch_query_object object = {SWITCH_QUERY_PORT, port->name.name, 0,
                                         port->oid};

    snapshot_if_busy(call, &object, list);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        uint32_t n = switch_query_children(call->context->query, port->oid,
                                           places[i], oids);

        for (uint32_t k = 0; k < n; k++) {
            object = (struct switch_query_object){places[i], port->name.name, k,
                                                  oids[k]};
            snapshot_if_busy(call, &object, list);
        }
    }
}

/* The context of a snapshot of all objects. */
struct everything {
    const struct call *call;
    json_t *list;
};

/* Adds the objects that can be in use: ports with their PGs and queues, and
 * pools. */
static void
snapshot_visit(void *context, const struct object *object)
{
    const struct everything *everything = context;

    if (object->oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    if (object->name.table == TABLE_PORT) {
        snapshot_port(everything->call, object, everything->list);
    } else if (object->name.table == TABLE_BUFFER_POOL) {
        struct switch_query_object pool = {SWITCH_QUERY_POOL, object->name.name,
                                           0, object->oid};

        snapshot_if_busy(everything->call, &pool, everything->list);
    }
}

/* Reads the objects that the request names, or all that are or were in use, at
 * one moment of time. */
static void
asic_snapshot(struct call *call)
{
    const json_t *wanted = json_object_get(call->arguments, "objects");
    json_t *list = json_array();
    struct everything everything = {call, list};
    struct err err = {0};
    int64_t now_ps = 0;
    json_t *item;
    size_t i;
    enum st st = switch_query_check(call->context->query, &err);

    if (!st && !wanted) {
        agent_each_object(call->context->services.agent, snapshot_visit,
                          &everything);
    }
    json_array_foreach(wanted, i, item)
    {
        struct switch_query_object object;

        st = st ? st : find_wanted(call, item, &object, &err);
        if (!st) {
            json_array_append_new(
                list, switch_query_snapshot(call->context->query, &object));
        }
    }
    if (!st && call->context->softasic) {
        st = switch_query_status(call->context->softasic->now(&now_ps),
                                 "read the time", &err);
    }
    if (st) {
        json_decref(list);
        call_end(call, &err, NULL);
        return;
    }
    call_done(call, json_pack("{s:I, s:o}", "now_ps", (json_int_t)now_ps,
                              "objects", list));
}

/* Clears watermarks in the given order, up to the first object that does not
 * exist. */
static void
asic_clear(struct call *call)
{
    const json_t *wanted = json_object_get(call->arguments, "objects");
    struct err err = {0};
    json_t *item;
    size_t i;
    enum st st = switch_query_check(call->context->query, &err);

    json_array_foreach(wanted, i, item)
    {
        struct switch_query_object object;

        st = st ? st : find_wanted(call, item, &object, &err);
        st = st ? st : switch_query_clear(call->context->query, &object, &err);
    }
    call_end(call, &err, NULL);
}

static const struct argument clear_arguments[] = {
    {"objects", ARGUMENT_ARRAY, true, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument snapshot_arguments[] = {
    {"objects", ARGUMENT_ARRAY, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

const struct command snapshot_commands[] = {
    {"asic", "clear", asic_clear, clear_arguments, COMMAND_CHANGES},
    {"asic", "snapshot", asic_snapshot, snapshot_arguments, COMMAND_VIEWS},
    {NULL, NULL, NULL, NULL, COMMAND_VIEWS},
};
