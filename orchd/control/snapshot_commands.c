/* SPDX-License-Identifier: Apache-2.0 */

/* "asic snapshot" and "asic clear": the counters of objects, at one moment.
 *
 * A switch of 512 ports has 9,000 objects with counters, and reading them takes
 * 150 ms.  So these commands work in slices, and hold the moment (moment.h). */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "orchd/control/command.h"
#include "orchd/control/moment.h"
#include "orchd/reconcile/agent.h"
#include "orchd/switch/switch_query.h"
#include "sai/core/backend.h"
#include "vendors/softasic/softasic.h"

/* Ports, with their priority groups and queues, that are read in one turn, and
 * single objects: a few milliseconds. */
#define PORTS_PER_TURN   4
#define OBJECTS_PER_TURN 128

/* A port or pool to read. */
struct planned {
    enum table table;
    char *name;
};

/* A command in progress. */
struct reading {
    bool holds; /* The moment, until it ends. */
    int64_t now_ps;
    json_t *list;
    struct planned *planned; /* If the request names no objects. */
    size_t n_planned, size;
    size_t done; /* Of those, or of the objects that the request names. */
};

/* Frees what is left of a reading; see struct call. */
static void
reading_forget(struct call *call)
{
    struct reading *reading = call->state;

    if (reading->holds) {
        moment_end(&call->context->moment);
    }
    for (size_t i = 0; i < reading->n_planned; i++) {
        free(reading->planned[i].name);
    }
    free(reading->planned);
    json_decref(reading->list);
}

/* Ends a call: 'err', or the data. */
static void
reading_end(struct call *call, const struct err *err, json_t *data)
{
    struct reading *reading = call->state;

    reading->holds = false;
    moment_end(&call->context->moment);
    call_end(call, err, data);
}

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

/* Notes the objects that can be in use: ports, which have PGs and queues, and
 * pools. */
static void
plan_visit(void *reading_, const struct object *object)
{
    struct reading *reading = reading_;

    if (object->oid == SAI_NULL_OBJECT_ID ||
        (object->name.table != TABLE_PORT &&
         object->name.table != TABLE_BUFFER_POOL)) {
        return;
    }
    if (reading->n_planned == reading->size) {
        reading->size = reading->size ? 2 * reading->size : 64;
        reading->planned = check_realloc(
            reading->planned, reading->size * sizeof *reading->planned);
    }
    reading->planned[reading->n_planned++] =
        (struct planned){object->name.table, check_strdup(object->name.name)};
}

/* Reads a planned object, unless it was removed meanwhile. */
static void
snapshot_planned(const struct call *call, const struct planned *planned,
                 json_t *list)
{
    const struct object *object = agent_object(
        call->context->services.agent, planned->table, planned->name, -1);

    if (object && object->oid != SAI_NULL_OBJECT_ID) {
        if (planned->table == TABLE_PORT) {
            snapshot_port(call, object, list);
        } else {
            const struct switch_query_object pool = {
                SWITCH_QUERY_POOL, planned->name, 0, object->oid};

            snapshot_if_busy(call, &pool, list);
        }
    }
}

/* Reads some more planned objects.  Returns whether some are left. */
static bool
snapshot_some_planned(const struct call *call)
{
    struct reading *reading = call->state;

    for (int i = 0; i < PORTS_PER_TURN && reading->done < reading->n_planned;
         i++) {
        snapshot_planned(call, &reading->planned[reading->done++],
                         reading->list);
    }
    return reading->done < reading->n_planned;
}

/* Calls 'fn' for some more of the objects that the request names, up to one
 * that does not exist.  Returns whether some are left. */
static bool
wanted_some(const struct call *call,
            enum st (*fn)(const struct call *call,
                          const struct switch_query_object *object,
                          struct err *err),
            struct err *err)
{
    const json_t *wanted = json_object_get(call->arguments, "objects");
    struct reading *reading = call->state;
    enum st st = ST_OK;

    for (int i = 0;
         i < OBJECTS_PER_TURN && !st && reading->done < json_array_size(wanted);
         i++) {
        struct switch_query_object object;

        st = find_wanted(call, json_array_get(wanted, reading->done++), &object,
                         err);
        st = st ? st : fn(call, &object, err);
    }
    return !st && reading->done < json_array_size(wanted);
}

static enum st
snapshot_wanted(const struct call *call,
                const struct switch_query_object *object, struct err *err)
{
    const struct reading *reading = call->state;

    (void)err;
    json_array_append_new(reading->list,
                          switch_query_snapshot(call->context->query, object));
    return ST_OK;
}

/* Reads some more objects. */
static void
snapshot_some(struct call *call)
{
    const bool is_wanted = json_object_get(call->arguments, "objects") != NULL;
    struct reading *reading = call->state;
    json_t *data = NULL;
    struct err err = {0};
    enum st st = switch_query_check(call->context->query, &err);

    if (!st && (is_wanted ? wanted_some(call, snapshot_wanted, &err)
                          : snapshot_some_planned(call))) {
        call_each_turn(call, snapshot_some);
        return;
    }
    if (!err.status) {
        data = json_pack("{s:I, s:o}", "now_ps", (json_int_t)reading->now_ps,
                         "objects", reading->list);
        reading->list = NULL; /* It is freed while it is written. */
    }
    reading_end(call, &err, data);
}

/* Reads the objects that the request names, or all that are or were in use, at
 * one moment of time. */
static void
asic_snapshot(struct call *call)
{
    const struct command_context *context = call->context;
    struct reading *reading;
    struct err err = {0};
    enum st st = switch_query_check(context->query, &err);

    if (st) {
        call_end(call, &err, NULL);
        return;
    }
    if (!moment_hold(&call->context->moment)) {
        call_each_turn(call, asic_snapshot);
        return;
    }
    call->state = reading = check_calloc(1, sizeof *reading);
    call->forget = reading_forget;
    reading->holds = true;
    reading->list = json_array();
    if (context->softasic) {
        st = switch_query_status(context->softasic->now(&reading->now_ps),
                                 "read the time", &err);
    }
    if (st) {
        reading_end(call, &err, NULL);
        return;
    }
    if (!json_object_get(call->arguments, "objects")) {
        agent_each_object(context->services.agent, plan_visit, reading);
    }
    call_each_turn(call, snapshot_some);
}

static enum st
clear_wanted(const struct call *call, const struct switch_query_object *object,
             struct err *err)
{
    return switch_query_clear(call->context->query, object, err);
}

/* Clears some more watermarks. */
static void
clear_some(struct call *call)
{
    struct err err = {0};
    enum st st = switch_query_check(call->context->query, &err);

    if (!st && wanted_some(call, clear_wanted, &err)) {
        call_each_turn(call, clear_some);
    } else {
        reading_end(call, &err, NULL);
    }
}

/* Clears watermarks in the given order, up to the first object that does not
 * exist, at one moment of time. */
static void
asic_clear(struct call *call)
{
    struct reading *reading;

    if (!moment_hold_alone(&call->context->moment)) {
        call_each_turn(call, asic_clear);
    } else {
        call->state = reading = check_calloc(1, sizeof *reading);
        call->forget = reading_forget;
        reading->holds = true;
        clear_some(call);
    }
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
