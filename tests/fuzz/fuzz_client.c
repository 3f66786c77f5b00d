/* SPDX-License-Identifier: Apache-2.0 */

/* Answers of hosts that mean no good.
 *
 * What a client has asked for is chosen by the first bytes; the rest is the
 * body of the answer.  Lists have exactly the room that the request said, so
 * that one element too many is seen.  An answer is read or refused. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "sai/core/metadata.h"
#include "sai/remote/call.h"
#include "sai/remote/message.h"
#include "sai/remote/notification.h"
#include "sai/remote/query.h"
#include "tests/fuzz/fuzz.h"

enum { OBJECTS = 3, ATTRIBUTES = 4, ROOM = 5, STATS = 4 };

static struct wire_in
rest_of(struct bytes *input)
{
    return (struct wire_in){input->next, (uint32_t)input->left, false};
}

static const struct metadata_object *
choose_type(struct bytes *input)
{
    size_t n;
    const struct metadata_object *objects = metadata_objects(&n);

    return &objects[bytes_below(input, (uint32_t)n)];
}

/* Gives 'value' a list with room for 'n' elements.  Lists in it have as
 * much. */
static void
make_room(enum kind kind, sai_attribute_value_t *value, uint32_t n)
{
    kind_list_set(kind, value, n,
                  n ? check_calloc(n, kind_layout(kind)->element_size) : NULL);
    for (uint32_t i = 0; kind == KIND_PORTSERDESTAPS && i < n; i++) {
        sai_s32_list_t *inner = &value->portserdestaps.list[i];

        inner->count = n;
        inner->list = check_calloc(n, sizeof *inner->list);
    }
}

/* Frees 'n' lists at 'inner'. */
static void
free_inner(sai_s32_list_t *inner, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        free(inner[i].list);
    }
}

/* Objects, a few attributes of each, and what is read of them. */
static void
read_call(struct bytes *input, enum op op)
{
    const struct metadata_object *object = choose_type(input);
    sai_attribute_t attributes[OBJECTS * ATTRIBUTES];
    enum kind kinds[OBJECTS * ATTRIBUTES];
    uint32_t counts[OBJECTS], rooms[OBJECTS * ATTRIBUTES], total = 0;
    sai_object_key_t keys[OBJECTS];
    sai_status_t statuses[OBJECTS], result = SAI_STATUS_SUCCESS;
    const struct backend_many many = {
        .op = op,
        .type = object->type,
        .n = 1 + bytes_below(input, OBJECTS),
        .keys = keys,
        .counts = op == OP_GET_MANY ? counts : NULL,
        .attributes = op == OP_GET_MANY ? attributes : NULL,
        .statuses = statuses,
    };
    struct wire_in in;

    memset(attributes, 0, sizeof attributes);
    memset(keys, 0, sizeof keys);
    for (uint32_t i = 0; i < many.n; i++) {
        counts[i] = bytes_below(input, ATTRIBUTES + 1);
        for (uint32_t k = 0; k < counts[i]; k++, total++) {
            const struct metadata_attribute *meta =
                &object->attributes[bytes_below(input, object->n_attributes)];

            attributes[total].id = meta->id;
            kinds[total] = meta->kind;
            if (kind_has_list(meta->kind)) {
                rooms[total] = bytes_below(input, ROOM);
                make_room(meta->kind, &attributes[total].value, rooms[total]);
            }
        }
    }
    in = rest_of(input);
    (void)call_get_answer(&in, &many, 0, many.n, many.attributes, &result);
    for (uint32_t i = 0; i < total; i++) {
        if (kinds[i] == KIND_PORTSERDESTAPS) {
            free_inner(attributes[i].value.portserdestaps.list, rooms[i]);
        }
        if (kind_has_list(kinds[i])) {
            free(kind_list_elements(kinds[i], &attributes[i].value));
        }
    }
}

static void
read_stats(struct bytes *input)
{
    const uint32_t n = 1 + bytes_below(input, OBJECTS);
    const uint32_t n_stats = bytes_below(input, STATS);
    uint64_t *counters = check_calloc(n, (n_stats + 1) * sizeof *counters);
    sai_status_t statuses[OBJECTS], result;
    struct wire_in in = rest_of(input);

    counters =
        check_realloc(counters, n_stats ? n * n_stats * sizeof *counters : 1);
    (void)call_get_stats(&in, n, n_stats, statuses, counters, &result);
    free(counters);
}

static void
read_query(struct bytes *input)
{
    struct query query = {
        .kind = (enum query_kind)bytes_below(input, QUERY_N),
        .type = choose_type(input)->type,
        .room = bytes_below(input, ROOM),
    };
    const size_t size = query_element_bytes(query.kind);
    struct query_answer answer = {
        .list = size && query.room ? check_calloc(query.room, size) : NULL};
    void *list = answer.list;
    struct wire_in in = rest_of(input);

    (void)query_get_answer(&in, &query, &answer);
    free(list);
}

/* Callbacks that read all of their arguments. */

static uint64_t seen;

static void
look(const void *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        seen += ((const uint8_t *)bytes)[i];
    }
}

static void
on_state(sai_object_id_t switch_id, sai_switch_oper_status_t status)
{
    seen += switch_id + (uint64_t)status;
}

static void
on_shutdown(sai_object_id_t switch_id)
{
    seen += switch_id;
}

static void
on_fdb(uint32_t n, const sai_fdb_event_notification_data_t *data)
{
    for (uint32_t i = 0; i < n; i++) {
        look(&data[i].fdb_entry, sizeof data[i].fdb_entry);
        look(data[i].attr, data[i].attr_count * sizeof *data[i].attr);
    }
}

static void
on_ports(uint32_t n, const sai_port_oper_status_notification_t *data)
{
    look(data, n * sizeof *data);
}

static void
on_queues(uint32_t n, const sai_queue_deadlock_notification_data_t *data)
{
    look(data, n * sizeof *data);
}

static void
on_testers(void)
{
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const struct notification_callbacks callbacks = {
        on_state, on_shutdown, on_fdb, on_ports, on_queues, on_testers};
    struct bytes input = {data, size};
    struct message_welcome welcome;
    struct message_header header;
    struct wire_in in;

    switch (bytes_u8(&input) % 8) {
    case 0:
        in = rest_of(&input);
        (void)message_get_welcome(&in, &welcome);
        break;
    case 1:
        read_call(&input, OP_CREATE_MANY);
        break;
    case 2:
        read_call(&input, OP_SET_MANY);
        break;
    case 3:
        read_stats(&input);
        break;
    case 4:
        read_query(&input);
        break;
    case 5:
        in = rest_of(&input);
        (void)notification_deliver(&in, &callbacks);
        break;
    case 6:
        if (input.left >= MESSAGE_HEADER_BYTES) {
            (void)message_header(input.next, &header);
        }
        break;
    default:
        read_call(&input, OP_GET_MANY);
        break;
    }
    return 0;
}
