/* SPDX-License-Identifier: Apache-2.0 */

/* Executes calls on the backend of the library. */

#include <config.h>

#include "sai/remote/execute.h"

#include <string.h>

#include "base/arena.h"
#include "sai/core/kind.h"
#include "sai/core/metadata.h"
#include "sai/remote/host_objects.h"
#include "sai/remote/message.h"

/* A call that is being executed. */
struct work {
    const struct host_library *library;
    const struct notification_callbacks *callbacks;
    struct arena *arena;
    const struct call *call;
    struct call_answer *answer;
};

/* Returns the bulk operation of a call. */
static enum op
many_op(enum op op)
{
    switch (op_single(op)) {
    case OP_CREATE:
        return OP_CREATE_MANY;
    case OP_REMOVE:
        return OP_REMOVE_MANY;
    case OP_SET:
        return OP_SET_MANY;
    default:
        return OP_GET_MANY;
    }
}

/* Callbacks ------------------------------------------------------------- */

/* Replaces the callbacks of the client by those of the host: the library must
 * never get an address of another process. */
static void
replace_callbacks(const struct notification_callbacks *callbacks,
                  sai_object_type_t type, struct values *values)
{
    for (uint32_t i = 0; i < values->n; i++) {
        sai_attribute_t *attribute = &values->attributes[i];
        const struct metadata_attribute *meta =
            metadata_attribute(type, attribute->id);

        if (!meta || meta->kind != KIND_POINTER || !attribute->value.ptr) {
            continue;
        }
        attribute->value.ptr =
            type == SAI_OBJECT_TYPE_SWITCH
                ? notification_callback(callbacks, attribute->id)
                : NULL;
        if (!attribute->value.ptr && values->status == SAI_STATUS_SUCCESS) {
            values->status = SAI_STATUS_ATTR_NOT_SUPPORTED_0 - (sai_status_t)i;
        }
    }
}

/* The switch ------------------------------------------------------------ */

/* Connects to the switch; only callbacks among the attributes are set.  One of
 * NULL means that this client wants none, and others may. */
static sai_status_t
connect_switch(const struct host_library *library, const struct values *values,
               sai_object_id_t *oid)
{
    struct sai_backend *backend = library->backend;

    if (backend->switch_id == SAI_NULL_OBJECT_ID) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    for (uint32_t i = 0; i < values->n; i++) {
        const sai_attribute_t *attribute = &values->attributes[i];
        const struct metadata_attribute *meta =
            metadata_attribute(SAI_OBJECT_TYPE_SWITCH, attribute->id);

        if (meta && meta->kind == KIND_POINTER && attribute->value.ptr) {
            const sai_status_t status = backend->ops->set(
                backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id, attribute);

            if (status != SAI_STATUS_SUCCESS) {
                return status;
            }
        }
    }
    *oid = backend->switch_id;
    return SAI_STATUS_SUCCESS;
}

/* Calls ------------------------------------------------------------------ */

/* Makes the call on objects 'first' to 'first' + 'n', whose attributes are all
 * known. */
static void
do_objects(const struct work *work, uint32_t first, uint32_t n)
{
    const struct call *call = work->call;
    struct sai_backend *backend = work->library->backend;
    uint32_t *counts = arena_alloc(work->arena, n, sizeof *counts);
    uint32_t total = 0, at = 0;
    sai_attribute_t *attributes;
    struct backend_many many = {
        .op = many_op(call->op),
        .type = call->type,
        .mode = call->mode,
        .n = n,
        .keys = call->keys + first,
        .counts = op_single(call->op) == OP_REMOVE ? NULL : counts,
        .statuses = work->answer->statuses + first,
    };

    for (uint32_t i = 0; i < n; i++) {
        counts[i] = call->values[first + i].n;
        total += counts[i];
    }
    attributes = arena_alloc(work->arena, total, sizeof *attributes);
    for (uint32_t i = 0; i < n; i++) {
        if (counts[i]) {
            memcpy(attributes + at, call->values[first + i].attributes,
                   counts[i] * sizeof *attributes);
        }
        at += counts[i];
    }
    many.attributes = total ? attributes : NULL;
    (void)backend_do_many(backend, &many);
    at = 0;
    for (uint32_t i = 0; i < n; i++) { /* The results of get. */
        if (counts[i]) {
            memcpy(call->values[first + i].attributes, attributes + at,
                   counts[i] * sizeof *attributes);
        }
        at += counts[i];
    }
}

/* Executes the call on object 'i', or stores why it cannot. */
static void
do_object(const struct work *work, uint32_t i)
{
    const struct call *call = work->call;
    const struct values *values = &call->values[i];

    if (values->status != SAI_STATUS_SUCCESS) {
        work->answer->statuses[i] = values->status;
    } else if (call_is_connection(call, i)) {
        work->answer->statuses[i] =
            connect_switch(work->library, values, &call->keys[i].key.object_id);
    } else {
        do_objects(work, i, 1);
    }
}

/* Returns whether one call of the library can have all objects. */
static bool
is_plain(const struct call *call)
{
    for (uint32_t i = 0; i < call->n; i++) {
        if (call->values[i].status != SAI_STATUS_SUCCESS) {
            return false;
        }
    }
    return call->type != SAI_OBJECT_TYPE_SWITCH;
}

/* Executes the call on one object after the other. */
static void
do_apart(const struct work *work)
{
    const struct call *call = work->call;
    bool stopped = false;

    for (uint32_t i = 0; i < call->n; i++) {
        if (stopped) {
            work->answer->statuses[i] = SAI_STATUS_NOT_EXECUTED;
            continue;
        }
        do_object(work, i);
        stopped = call->mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR &&
                  work->answer->statuses[i] != SAI_STATUS_SUCCESS;
    }
}

static void
do_stats(const struct work *work)
{
    const struct call *call = work->call;
    struct sai_backend *backend = work->library->backend;
    struct backend_stats stats;

    work->answer->counters =
        arena_alloc(work->arena, (size_t)call->n * call->n_stats,
                    sizeof *work->answer->counters);
    stats = (struct backend_stats){.type = call->type,
                                   .mode = call->stats_mode,
                                   .n = call->n,
                                   .keys = call->keys,
                                   .n_ids = call->n_stats,
                                   .ids = call->stats,
                                   .values = work->answer->counters,
                                   .statuses = work->answer->statuses};
    (void)backend_get_stats_many(backend, &stats);
}

/* Saves the capacities of all lists before the library overwrites them. */
static const uint32_t *
note_rooms(const struct work *work)
{
    const struct call *call = work->call;
    uint32_t *rooms;
    uint32_t n = 0;

    for (uint32_t i = 0; i < call->n; i++) {
        n += call->values[i].n;
    }
    rooms = arena_alloc(work->arena, n, sizeof *rooms);
    n = 0;
    for (uint32_t i = 0; i < call->n; i++) {
        for (uint32_t k = 0; k < call->values[i].n; k++) {
            rooms[n++] =
                values_room(call->type, &call->values[i].attributes[k]);
        }
    }
    return rooms;
}

/* Stores the overall status, and whether later parts of the call must stop. */
static void
finish(const struct work *work, bool *stopped)
{
    const struct call *call = work->call;
    struct call_answer *answer = work->answer;

    answer->result = SAI_STATUS_SUCCESS;
    answer->oids = arena_alloc(work->arena, call->n, sizeof *answer->oids);
    for (uint32_t i = 0; i < call->n; i++) {
        if (answer->statuses[i] != SAI_STATUS_SUCCESS) {
            answer->result = SAI_STATUS_FAILURE;
        } else if (op_single(call->op) == OP_CREATE) {
            answer->oids[i] = call->keys[i].key.object_id;
        }
    }
    *stopped = answer->result != SAI_STATUS_SUCCESS;
    if (!op_is_many(call->op) && call->n == 1) {
        answer->result = answer->statuses[0];
    }
}

void
execute_call(const struct host_library *library,
             const struct notification_callbacks *callbacks,
             struct arena *arena, struct call *call, bool *stopped,
             struct call_answer *answer)
{
    const struct work work = {library, callbacks, arena, call, answer};
    const bool skip = call->continued && *stopped &&
                      call->mode == SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;

    memset(answer, 0, sizeof *answer);
    answer->statuses = arena_alloc(arena, call->n, sizeof *answer->statuses);
    for (uint32_t i = 0; i < call->n; i++) {
        answer->statuses[i] = SAI_STATUS_NOT_EXECUTED;
        if (op_single(call->op) == OP_CREATE || op_single(call->op) == OP_SET) {
            replace_callbacks(callbacks, call->type, &call->values[i]);
        }
    }
    if (op_single(call->op) == OP_GET) {
        answer->rooms = note_rooms(&work);
    }
    if (!skip && call->op == OP_GET_STATS) {
        do_stats(&work);
    } else if (!skip && is_plain(call)) {
        do_objects(&work, 0, call->n);
    } else if (!skip) {
        do_apart(&work);
    }
    finish(&work, stopped);
    if (library->objects) {
        host_objects_follow(library->objects, call, answer);
    }
}
