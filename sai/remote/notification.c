/* SPDX-License-Identifier: Apache-2.0 */

/* Writes and parses notifications. */

#include <config.h>

#include "sai/remote/notification.h"

#include <stddef.h>
#include <string.h>

#include "base/arena.h"
#include "sai/remote/message.h"
#include "sai/remote/values.h"

/* The member for the callback of each attribute. */
static const struct {
    sai_attr_id_t id;
    size_t offset;
} places[] = {
#define X(member, attribute, type)                                             \
    {SAI_SWITCH_ATTR_##attribute##_NOTIFY,                                     \
     offsetof(struct notification_callbacks, member)},
    NOTIFICATION_LIST(X)
#undef X
};

void *
notification_callback(const struct notification_callbacks *callbacks,
                      sai_attr_id_t id)
{
    void *pointer = NULL;

    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].id == id) {
            memcpy(&pointer, (const char *)callbacks + places[i].offset,
                   sizeof pointer);
        }
    }
    return pointer;
}

bool
notification_set_callback(struct notification_callbacks *callbacks,
                          sai_attr_id_t id, void *pointer)
{
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        if (places[i].id == id) {
            memcpy((char *)callbacks + places[i].offset, &pointer,
                   sizeof pointer);
            return true;
        }
    }
    return false;
}

/* Writing -------------------------------------------------------------- */

void
notification_put_state(struct wire_out *out, sai_object_id_t switch_id,
                       sai_switch_oper_status_t status)
{
    wire_put_u32(out, SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY);
    wire_put_u64(out, switch_id);
    wire_put_u32(out, (uint32_t)status);
}

void
notification_put_shutdown(struct wire_out *out, sai_object_id_t switch_id)
{
    wire_put_u32(out, SAI_SWITCH_ATTR_SWITCH_SHUTDOWN_REQUEST_NOTIFY);
    wire_put_u64(out, switch_id);
}

void
notification_put_fdb(struct wire_out *out, uint32_t n,
                     const sai_fdb_event_notification_data_t *data)
{
    wire_put_u32(out, SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY);
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        sai_object_key_t key;

        memset(&key, 0, sizeof key);
        key.key.fdb_entry = data[i].fdb_entry;
        wire_put_u32(out, (uint32_t)data[i].event_type);
        values_put_key(out, SAI_OBJECT_TYPE_FDB_ENTRY, &key);
        values_put(out, SAI_OBJECT_TYPE_FDB_ENTRY, data[i].attr_count,
                   data[i].attr);
    }
}

void
notification_put_ports(struct wire_out *out, uint32_t n,
                       const sai_port_oper_status_notification_t *data)
{
    wire_put_u32(out, SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY);
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        wire_put_u64(out, data[i].port_id);
        wire_put_u32(out, (uint32_t)data[i].port_state);
        wire_put_u32(out, (uint32_t)data[i].port_error_status);
    }
}

void
notification_put_queues(struct wire_out *out, uint32_t n,
                        const sai_queue_deadlock_notification_data_t *data)
{
    wire_put_u32(out, SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY);
    wire_put_u32(out, n);
    for (uint32_t i = 0; i < n; i++) {
        wire_put_u64(out, data[i].queue_id);
        wire_put_u32(out, (uint32_t)data[i].event);
        wire_put_u8(out, data[i].app_managed_recovery);
    }
}

void
notification_put_testers(struct wire_out *out)
{
    wire_put_u32(out, NOTIFICATION_TESTERS);
}

/* Delivering ------------------------------------------------------------ */

static void
deliver_fdb(struct wire_in *in, struct arena *arena, uint32_t n,
            sai_fdb_event_notification_fn callback)
{
    sai_fdb_event_notification_data_t *data =
        arena_alloc(arena, n, sizeof *data);

    for (uint32_t i = 0; i < n && !in->bad; i++) {
        sai_object_key_t key;
        struct values values;

        data[i].event_type = (sai_fdb_event_t)wire_get_u32(in);
        values_get_key(in, SAI_OBJECT_TYPE_FDB_ENTRY, &key);
        values_get(in, arena, SAI_OBJECT_TYPE_FDB_ENTRY, &values);
        data[i].fdb_entry = key.key.fdb_entry;
        data[i].attr_count = values.n;
        data[i].attr = values.attributes;
    }
    if (wire_ended(in) && callback) {
        callback(n, data);
    }
}

static void
deliver_ports(struct wire_in *in, struct arena *arena, uint32_t n,
              sai_port_state_change_notification_fn callback)
{
    sai_port_oper_status_notification_t *data =
        arena_alloc(arena, n, sizeof *data);

    for (uint32_t i = 0; i < n; i++) {
        data[i].port_id = wire_get_u64(in);
        data[i].port_state = (sai_port_oper_status_t)wire_get_u32(in);
        data[i].port_error_status = (sai_port_error_status_t)wire_get_u32(in);
    }
    if (wire_ended(in) && callback) {
        callback(n, data);
    }
}

static void
deliver_queues(struct wire_in *in, struct arena *arena, uint32_t n,
               sai_queue_pfc_deadlock_notification_fn callback)
{
    sai_queue_deadlock_notification_data_t *data =
        arena_alloc(arena, n, sizeof *data);

    for (uint32_t i = 0; i < n; i++) {
        data[i].queue_id = wire_get_u64(in);
        data[i].event = (sai_queue_pfc_deadlock_event_type_t)wire_get_u32(in);
        data[i].app_managed_recovery = wire_get_u8(in) != 0;
    }
    if (wire_ended(in) && callback) {
        callback(n, data);
    }
}

static void
deliver_switch(struct wire_in *in, sai_attr_id_t id,
               const struct notification_callbacks *callbacks)
{
    const sai_object_id_t switch_id = wire_get_u64(in);

    if (id == SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY) {
        const uint32_t status = wire_get_u32(in);

        if (wire_ended(in) && callbacks->state) {
            callbacks->state(switch_id, (sai_switch_oper_status_t)status);
        }
    } else if (wire_ended(in) && callbacks->shutdown) {
        callbacks->shutdown(switch_id);
    }
}

bool
notification_deliver(struct wire_in *in,
                     const struct notification_callbacks *callbacks)
{
    struct arena *arena = arena_create(0);
    const sai_attr_id_t id = wire_get_u32(in);

    switch (id) {
    case SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY:
    case SAI_SWITCH_ATTR_SWITCH_SHUTDOWN_REQUEST_NOTIFY:
        deliver_switch(in, id, callbacks);
        break;
    case SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY:
        deliver_fdb(in, arena, wire_get_count(in, MESSAGE_OBJECTS_MAX),
                    callbacks->fdb);
        break;
    case SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY:
        deliver_ports(in, arena, wire_get_count(in, MESSAGE_OBJECTS_MAX),
                      callbacks->ports);
        break;
    case SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY:
        deliver_queues(in, arena, wire_get_count(in, MESSAGE_OBJECTS_MAX),
                       callbacks->queues);
        break;
    case NOTIFICATION_TESTERS:
        if (wire_ended(in) && callbacks->testers) {
            callbacks->testers();
        }
        break;
    default:
        in->bad = true;
    }
    arena_destroy(arena);
    return wire_ended(in);
}
