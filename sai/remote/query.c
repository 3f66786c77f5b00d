/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and parses queries and their answers. */

#include <config.h>

#include "sai/remote/query.h"

#include "base/arena.h"

/* The type of the elements of a list. */
enum element { NOTHING, KEY, NUMBER, PAIR, BYTE };

static enum element
element_of(enum query_kind kind)
{
    static const enum element elements[] = {
#define X(member, element) [QUERY_##member] = element,
        QUERY_LIST(X)
#undef X
    };

    return elements[kind];
}

size_t
query_element_bytes(enum query_kind kind)
{
    static const size_t sizes[] = {
        [NOTHING] = 0,
        [KEY] = sizeof(sai_object_key_t),
        [NUMBER] = sizeof(int32_t),
        [PAIR] = sizeof(sai_stat_capability_t),
        [BYTE] = 1,
    };

    return sizes[element_of(kind)];
}

bool
query_writes(enum query_kind kind)
{
    return kind == QUERY_CLEAR_PORT || kind == QUERY_REMOVE_NEIGHBORS ||
           kind == QUERY_FLUSH_FDB || kind == QUERY_LOG;
}

void
query_put(struct wire_out *out, const struct query *query, uint32_t n,
          const sai_attribute_t *attributes)
{
    wire_put_u8(out, (uint8_t)query->kind);
    wire_put_u64(out, query->oid);
    wire_put_u32(out, (uint32_t)query->type);
    wire_put_u32(out, query->id);
    wire_put_u32(out, query->room);
    values_put(out, query->type, n, attributes);
}

bool
query_get(struct wire_in *in, struct arena *arena, struct query *query)
{
    const uint8_t kind = wire_get_u8(in);

    if (kind >= QUERY_N) {
        return false;
    }
    query->kind = (enum query_kind)kind;
    query->oid = wire_get_u64(in);
    query->type = (sai_object_type_t)wire_get_count(in, INT32_MAX);
    query->id = wire_get_u32(in);
    query->room = wire_get_count(in, QUERY_ROOM_MAX);
    values_get(in, arena, query->type, &query->values);
    return wire_ended(in);
}

/* Writes element 'i' of the list. */
static void
put_element(struct wire_out *out, const struct query *query, const void *list,
            uint32_t i)
{
    const sai_object_key_t *keys = list;
    const int32_t *numbers = list;
    const sai_stat_capability_t *pairs = list;

    switch (element_of(query->kind)) {
    case KEY:
        values_put_key(out, query->type, &keys[i]);
        break;
    case NUMBER:
        wire_put_u32(out, (uint32_t)numbers[i]);
        break;
    case PAIR:
        wire_put_u32(out, (uint32_t)pairs[i].stat_enum);
        wire_put_u32(out, pairs[i].stat_modes);
        break;
    case BYTE:
        wire_put_bytes(out, (const char *)list + i, 1);
        break;
    case NOTHING:
        break;
    }
}

static void
get_element(struct wire_in *in, const struct query *query, void *list,
            uint32_t i)
{
    sai_object_key_t *keys = list;
    int32_t *numbers = list;
    sai_stat_capability_t *pairs = list;

    switch (element_of(query->kind)) {
    case KEY:
        values_get_key(in, query->type, &keys[i]);
        break;
    case NUMBER:
        numbers[i] = (int32_t)wire_get_u32(in);
        break;
    case PAIR:
        pairs[i].stat_enum = (sai_stat_id_t)wire_get_u32(in);
        pairs[i].stat_modes = wire_get_u32(in);
        break;
    case BYTE:
        wire_get_bytes(in, (char *)list + i, 1);
        break;
    case NOTHING:
        break;
    }
}

void
query_put_answer(struct wire_out *out, const struct query *query,
                 const struct query_answer *answer)
{
    const bool has_list = answer->list && answer->status == SAI_STATUS_SUCCESS;

    wire_put_u32(out, (uint32_t)answer->status);
    wire_put_u64(out, answer->number);
    wire_put_u32(out, answer->count);
    wire_put_u8(out, has_list);
    for (uint32_t i = 0; has_list && i < answer->count; i++) {
        put_element(out, query, answer->list, i);
    }
}

bool
query_get_answer(struct wire_in *in, const struct query *query,
                 struct query_answer *answer)
{
    bool has_list;

    answer->status = (sai_status_t)wire_get_u32(in);
    answer->number = wire_get_u64(in);
    answer->count = wire_get_u32(in);
    has_list = wire_get_u8(in) != 0;
    if (has_list && (!answer->list || answer->count > query->room)) {
        in->bad = true;
    }
    for (uint32_t i = 0; has_list && i < answer->count && !in->bad; i++) {
        get_element(in, query, answer->list, i);
    }
    return wire_ended(in);
}
