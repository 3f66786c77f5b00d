/* SPDX-License-Identifier: Apache-2.0 */

/* Queues notifications and delivers them to the client. */

#include <config.h>

#include "vendors/softasic/program/notify.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "vendors/softasic/state.h"

/* Returns the callback in attribute 'id' of the switch, or NULL. */
static void *
callback(const struct asic *asic, sai_attr_id_t id)
{
    const sai_attribute_value_t *value =
        asic->sw ? objects_value(asic->sw, id) : NULL;

    return value ? value->ptr : NULL;
}

void
notify_port(struct asic *asic, sai_object_id_t port,
            sai_port_oper_status_t state)
{
    struct notify *notify = &asic->notify;

    if (!callback(asic, SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY)) {
        return;
    }
    notify->ports = check_realloc(notify->ports, (notify->n_ports + 1) *
                                                     sizeof *notify->ports);
    notify->ports[notify->n_ports++] = (sai_port_oper_status_notification_t){
        .port_id = port, .port_state = state};
}

void
notify_fdb(struct asic *asic, const struct notify_fdb *note)
{
    struct notify *notify = &asic->notify;

    if (!callback(asic, SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY)) {
        return;
    }
    notify->entries = check_realloc(
        notify->entries, (notify->n_entries + 1) * sizeof *notify->entries);
    notify->entries[notify->n_entries++] = *note;
}

/* Returns the index of 'queue' among those with a deadlock, or their number if
 * it has none. */
static uint32_t
find_dead(const struct asic *asic, sai_object_id_t queue)
{
    uint32_t i = 0;

    while (i < asic->n_dead && asic->dead[i] != queue) {
        i++;
    }
    return i;
}

void
notify_deadlock(struct asic *asic, sai_object_id_t queue, bool dead)
{
    struct notify *notify = &asic->notify;
    const uint32_t i = find_dead(asic, queue);

    if (dead == (i < asic->n_dead)) {
        return;
    }
    if (dead) {
        asic->dead = check_realloc(asic->dead, (i + 1) * sizeof *asic->dead);
        asic->dead[asic->n_dead++] = queue;
    } else {
        asic->dead[i] = asic->dead[--asic->n_dead];
    }
    if (!callback(asic, SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY)) {
        return;
    }
    notify->queues = check_realloc(notify->queues, (notify->n_queues + 1) *
                                                       sizeof *notify->queues);
    /* Clear all bytes: later releases have members where there is padding
     * now. */
    memset(&notify->queues[notify->n_queues], 0, sizeof *notify->queues);
    notify->queues[notify->n_queues].queue_id = queue;
    notify->queues[notify->n_queues++].event =
        dead ? SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_DETECTED
             : SAI_QUEUE_PFC_DEADLOCK_EVENT_TYPE_RECOVERED;
}

void
notify_drop_queue(struct asic *asic, sai_object_id_t queue)
{
    const uint32_t i = find_dead(asic, queue);

    if (i < asic->n_dead) {
        asic->dead[i] = asic->dead[--asic->n_dead];
    }
}

enum { FDB_ATTRIBUTES = 3 }; /* That come with an event. */

/* Delivers events of the forwarding database, each with its attributes. */
static void
deliver_fdb_events(sai_fdb_event_notification_fn on_entries,
                   const struct notify_fdb *notes, uint32_t n)
{
    sai_fdb_event_notification_data_t *data = check_calloc(n, sizeof *data);
    sai_attribute_t(*attributes)[FDB_ATTRIBUTES] =
        check_calloc(n, sizeof *attributes);

    for (uint32_t i = 0; i < n; i++) {
        attributes[i][0] = (sai_attribute_t){
            SAI_FDB_ENTRY_ATTR_TYPE,
            {.s32 = notes[i].is_static ? SAI_FDB_ENTRY_TYPE_STATIC
                                       : SAI_FDB_ENTRY_TYPE_DYNAMIC}};
        attributes[i][1] = (sai_attribute_t){SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID,
                                             {.oid = notes[i].bridge_port}};
        attributes[i][2] =
            (sai_attribute_t){SAI_FDB_ENTRY_ATTR_PACKET_ACTION,
                              {.s32 = SAI_PACKET_ACTION_FORWARD}};
        data[i].event_type = notes[i].event;
        data[i].fdb_entry = notes[i].key;
        data[i].attr_count = FDB_ATTRIBUTES;
        data[i].attr = attributes[i];
    }
    on_entries(n, data);
    free(attributes);
    free(data);
}

void
notify_deliver(struct asic *asic)
{
    sai_port_state_change_notification_fn on_ports;
    sai_fdb_event_notification_fn on_entries;
    sai_queue_pfc_deadlock_notification_fn on_queues;
    struct notify taken;

    if (!asic || (asic->notify.n_ports == 0 && asic->notify.n_entries == 0 &&
                  asic->notify.n_queues == 0)) {
        return;
    }
    /* Take everything from the switch before the first callback, which may
     * cause more events, or remove the switch. */
    taken = asic->notify;
    asic->notify = (struct notify){0};
    on_ports = (sai_port_state_change_notification_fn)(uintptr_t)callback(
        asic, SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY);
    on_entries = (sai_fdb_event_notification_fn)(uintptr_t)callback(
        asic, SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY);
    on_queues = (sai_queue_pfc_deadlock_notification_fn)(uintptr_t)callback(
        asic, SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY);
    if (on_ports && taken.n_ports) {
        on_ports(taken.n_ports, taken.ports);
    }
    if (on_entries && taken.n_entries) {
        deliver_fdb_events(on_entries, taken.entries, taken.n_entries);
    }
    if (on_queues && taken.n_queues) {
        on_queues(taken.n_queues, taken.queues);
    }
    free(taken.queues);
    free(taken.ports);
    free(taken.entries);
}

void
notify_fini(struct asic *asic)
{
    free(asic->dead);
    asic->dead = NULL;
    asic->n_dead = 0;
    free(asic->notify.queues);
    free(asic->notify.ports);
    free(asic->notify.entries);
    asic->notify = (struct notify){0};
}
