/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and parses calls and their results. */

#include <config.h>

#include "sai/remote/call.h"

#include <string.h>

#include "base/arena.h"
#include "sai/core/entry.h"
#include "sai/remote/message.h"

static bool
has_attributes(enum op op)
{
    return op_single(op) != OP_REMOVE && op != OP_GET_STATS;
}

/* Writes the beginning, which all calls have in common. */
static void
put_head(struct wire_out *out, enum op op, sai_object_type_t type,
         sai_bulk_op_error_mode_t mode, bool continued, uint32_t n)
{
    wire_put_u8(out, (uint8_t)op);
    wire_put_u8(out, continued);
    wire_put_u32(out, (uint32_t)type);
    wire_put_u32(out, (uint32_t)mode);
    wire_put_u32(out, n);
}

void
call_put(struct wire_out *out, const struct backend_many *many, uint32_t first,
         uint32_t n, const sai_attribute_t *attributes)
{
    static const sai_object_key_t none;
    const enum op op = op_single(many->op);
    const bool is_new = op == OP_CREATE && !entry_is_key(many->type);

    put_head(out, many->op, many->type, many->mode, first > 0, n);
    for (uint32_t i = first; i < first + n; i++) {
        const uint32_t n_attributes = backend_count(many, i);

        values_put_key(out, many->type, is_new ? &none : &many->keys[i]);
        if (op == OP_GET) {
            values_put_room(out, many->type, n_attributes, attributes);
        } else if (has_attributes(op)) {
            values_put(out, many->type, n_attributes, attributes);
        }
        if (attributes) {
            attributes += n_attributes;
        }
    }
}

void
call_put_stats(struct wire_out *out, sai_object_type_t type, uint32_t n,
               const sai_object_key_t *keys, uint32_t n_stats,
               const sai_stat_id_t *stats, sai_stats_mode_t mode)
{
    put_head(out, OP_GET_STATS, type, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR,
             false, n);
    wire_put_u32(out, (uint32_t)mode);
    wire_put_u32(out, n_stats);
    wire_put_bytes(out, stats, n_stats * sizeof *stats);
    for (uint32_t i = 0; i < n; i++) {
        values_put_key(out, type, &keys[i]);
    }
}

/* Parses the part that only a call for counters has. */
static void
get_stats(struct wire_in *in, struct arena *arena, struct call *call)
{
    call->stats_mode = (sai_stats_mode_t)wire_get_count(in, INT32_MAX);
    call->n_stats = wire_get_count(in, CALL_STATS_MAX);
    call->stats = arena_alloc(arena, call->n_stats, sizeof *call->stats);
    wire_get_bytes(in, call->stats, call->n_stats * sizeof *call->stats);
    /* The answer has all counters of each object. */
    if ((uint64_t)call->n * call->n_stats * sizeof(uint64_t) >
        MESSAGE_BODY_MAX / 2) {
        in->bad = true;
    }
}

bool
call_get(struct wire_in *in, struct arena *arena, struct call *call)
{
    size_t budget = MESSAGE_BODY_MAX;
    uint8_t op;

    memset(call, 0, sizeof *call);
    op = wire_get_u8(in);
    call->continued = wire_get_u8(in) != 0;
    call->type = (sai_object_type_t)wire_get_count(in, INT32_MAX);
    call->mode = wire_get_count(in, 1) ? SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR
                                       : SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR;
    call->n = wire_get_count(in, MESSAGE_OBJECTS_MAX);
    if (in->bad || op >= OP_SNAPSHOT || call->n == 0 ||
        (!op_is_many((enum op)op) && op != OP_GET_STATS && call->n != 1)) {
        return false;
    }
    call->op = (enum op)op;
    if (call->op == OP_GET_STATS) {
        get_stats(in, arena, call);
    }
    call->keys = arena_alloc(arena, call->n, sizeof *call->keys);
    call->values = arena_alloc(arena, call->n, sizeof *call->values);
    for (uint32_t i = 0; i < call->n && !in->bad; i++) {
        values_get_key(in, call->type, &call->keys[i]);
        if (op_single(call->op) == OP_GET) {
            values_get_room(in, arena, call->type, &budget, &call->values[i]);
        } else if (has_attributes(call->op)) {
            values_get(in, arena, call->type, &call->values[i]);
        }
        if (op_single(call->op) == OP_SET && call->values[i].n != 1) {
            in->bad = true;
        }
    }
    return wire_ended(in);
}

bool
call_is_connection(const struct call *call, uint32_t i)
{
    const struct values *values = &call->values[i];

    if (op_single(call->op) != OP_CREATE ||
        call->type != SAI_OBJECT_TYPE_SWITCH) {
        return false;
    }
    for (uint32_t k = 0; k < values->n; k++) {
        if (values->attributes[k].id == SAI_SWITCH_ATTR_INIT_SWITCH) {
            return !values->attributes[k].value.booldata;
        }
    }
    return false;
}

bool
call_writes(const struct call *call)
{
    const enum op op = op_single(call->op);
    uint32_t n_connections = 0;

    while (n_connections < call->n && call_is_connection(call, n_connections)) {
        n_connections++;
    }
    return op == OP_GET_STATS ? call->stats_mode != SAI_STATS_MODE_READ
                              : op != OP_GET && n_connections < call->n;
}

void
call_put_answer(struct wire_out *out, const struct call *call,
                const struct call_answer *answer)
{
    const uint32_t *rooms = answer->rooms;

    wire_put_u32(out, (uint32_t)answer->result);
    for (uint32_t i = 0; i < call->n; i++) {
        const struct values *values = &call->values[i];
        const sai_status_t status = answer->statuses[i];

        wire_put_u32(out, (uint32_t)status);
        if (op_single(call->op) == OP_CREATE) {
            wire_put_u64(out, answer->oids[i]);
        } else if (op_single(call->op) == OP_GET &&
                   (status == SAI_STATUS_SUCCESS ||
                    status == SAI_STATUS_BUFFER_OVERFLOW)) {
            values_put_answer(out, call->type, values->n, values->attributes,
                              rooms);
        } else if (call->op == OP_GET_STATS && status == SAI_STATUS_SUCCESS) {
            wire_put_bytes(out, answer->counters + (size_t)i * call->n_stats,
                           call->n_stats * sizeof *answer->counters);
        }
        if (rooms) {
            rooms += values->n;
        }
    }
}

bool
call_get_answer(struct wire_in *in, const struct backend_many *many,
                uint32_t first, uint32_t n, sai_attribute_t *attributes,
                sai_status_t *result)
{
    const enum op op = op_single(many->op);

    *result = (sai_status_t)wire_get_u32(in);
    for (uint32_t i = first; i < first + n && !in->bad; i++) {
        const uint32_t n_attributes =
            has_attributes(op) ? backend_count(many, i) : 0;
        const sai_status_t status = (sai_status_t)wire_get_u32(in);

        if (op == OP_CREATE) {
            const sai_object_id_t oid = wire_get_u64(in);

            if (status == SAI_STATUS_SUCCESS && oid != SAI_NULL_OBJECT_ID) {
                many->keys[i].key.object_id = oid;
            }
        } else if (op == OP_GET && (status == SAI_STATUS_SUCCESS ||
                                    status == SAI_STATUS_BUFFER_OVERFLOW)) {
            values_get_answer(in, many->type, n_attributes, attributes);
        }
        many->statuses[i] = in->bad ? SAI_STATUS_FAILURE : status;
        if (attributes) {
            attributes += n_attributes;
        }
    }
    return wire_ended(in);
}

bool
call_get_stats(struct wire_in *in, uint32_t n, uint32_t n_stats,
               sai_status_t *statuses, uint64_t *counters, sai_status_t *result)
{
    *result = (sai_status_t)wire_get_u32(in);
    for (uint32_t i = 0; i < n && !in->bad; i++) {
        statuses[i] = (sai_status_t)wire_get_u32(in);
        if (statuses[i] == SAI_STATUS_SUCCESS) {
            wire_get_bytes(in, counters + (size_t)i * n_stats,
                           n_stats * sizeof *counters);
        }
    }
    return wire_ended(in);
}
