/* SPDX-License-Identifier: Apache-2.0 */

/* Programs the deadlock detection of queues from attributes of queues, ports
 * and the switch. */

#include <config.h>

#include "vendors/softasic/program/deadlocks.h"

#include "base/check.h"
#include "base/picoseconds.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/supported_attributes.h"

/* A kind of interval: the lists of the switch and of the port, and the range in
 * milliseconds. */
struct interval {
    sai_attr_id_t of_switch;
    sai_attr_id_t of_port;
    int32_t usual_ms;
    int32_t max_ms;
};

static const struct interval detection = {
    SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL,
    SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL,
    DEADLOCKS_DETECTION_MS,
    DEADLOCKS_DETECTION_MAX_MS,
};
static const struct interval recovery = {
    SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL,
    SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL,
    DEADLOCKS_RECOVERY_MS,
    DEADLOCKS_RECOVERY_MAX_MS,
};

bool
deadlocks_concern(sai_object_type_t type, sai_attr_id_t id)
{
    switch (type) {
    case SAI_OBJECT_TYPE_SWITCH:
        return id == SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL ||
               id == SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL ||
               id == SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION;
    case SAI_OBJECT_TYPE_PORT:
        return id == SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL ||
               id == SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL;
    case SAI_OBJECT_TYPE_QUEUE:
        return id == SAI_QUEUE_ATTR_ENABLE_PFC_DLDR ||
               id == SAI_QUEUE_ATTR_PFC_DLR_INIT ||
               id == SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION;
    default:
        return false;
    }
}

/* Looks up traffic class 'tc' in list 'id' of 'item'; false if the list does
 * not name it. */
static bool
look_up(const struct objects_item *item, sai_attr_id_t id, uint32_t tc,
        int32_t *ms)
{
    const sai_attribute_value_t *value = item ? objects_value(item, id) : NULL;

    for (uint32_t i = 0; value && i < value->maplist.count; i++) {
        if (value->maplist.list[i].key == tc) {
            *ms = value->maplist.list[i].value;
            return true;
        }
    }
    return false;
}

/* Returns an interval of queue 'index' of 'port'. */
static int64_t
interval_ps(const struct asic *asic, const struct objects_item *port,
            const struct interval *interval, uint32_t index)
{
    int32_t ms = interval->usual_ms;

    if (!look_up(port, interval->of_port, index, &ms)) {
        look_up(asic->sw, interval->of_switch, index, &ms);
    }
    return ms * PS_PER_MS;
}

/* Returns whether recovery of 'queue' drops. */
static bool
drops(const struct asic *asic, const struct objects_item *queue)
{
    const sai_attribute_value_t *own =
        objects_value(queue, SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION);

    return (own ? own->s32
                : objects_number(asic->sw,
                                 SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION)) ==
           SAI_PACKET_ACTION_DROP;
}

static void
program_queue(struct asic *asic, const struct objects_item *queue)
{
    const struct objects_item *port = objects_parent(asic->objects, queue);
    const struct deadlock_config config = {
        .enabled = objects_number(queue, SAI_QUEUE_ATTR_ENABLE_PFC_DLDR) != 0,
        .manual = objects_number(queue, SAI_QUEUE_ATTR_PFC_DLR_INIT) != 0,
        .drops = drops(asic, queue),
        .detection_ps = interval_ps(asic, port, &detection, queue->index),
        .recovery_ps = interval_ps(asic, port, &recovery, queue->index),
    };
    enum st status;

    if (queue->handle != MMU_NONE) { /* Else it is a queue of the CPU port. */
        status = sim_queue_set_deadlock(asic->sim, port->handle, queue->index,
                                        &config);
        orch_assert(status == ST_OK); /* Its port exists. */
    }
}

static void
program_port(struct asic *asic, const struct objects_item *port)
{
    struct objects_item *children;
    uint32_t n;

    if (!port) {
        return;
    }
    children = objects_children(port, &n);
    for (uint32_t i = 0; i < n; i++) {
        if (children[i].type == SAI_OBJECT_TYPE_QUEUE) {
            program_queue(asic, &children[i]);
        }
    }
}

/* Checks list 'id' of 'item'. */
static sai_status_t
check_intervals(const struct asic *asic, const struct objects_item *item,
                sai_attr_id_t id, struct err *err)
{
    const struct interval *interval =
        id == detection.of_switch || id == detection.of_port ? &detection
                                                             : &recovery;
    const sai_attribute_value_t *value = objects_value(item, id);

    for (uint32_t i = 0; value && i < value->maplist.count; i++) {
        const sai_map_t *map = &value->maplist.list[i];

        if (map->key >= asic->chip->tcs || map->value < 1 ||
            map->value > interval->max_ms) {
            err_set(err, ST_INVALID, "interval",
                    "class %d has an interval of %d ms; there are classes 0 to "
                    "%u, and intervals of 1 to %d ms",
                    map->key, map->value, asic->chip->tcs - 1,
                    interval->max_ms);
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

static bool
is_action(sai_object_type_t type, sai_attr_id_t id)
{
    return (type == SAI_OBJECT_TYPE_SWITCH &&
            id == SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION) ||
           (type == SAI_OBJECT_TYPE_QUEUE &&
            id == SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION);
}

static sai_status_t
check(const struct asic *asic, const struct objects_item *item,
      sai_attr_id_t id, struct err *err)
{
    if (is_action(item->type, id) &&
        !supported_attributes_value(item->type, id,
                                    (int32_t)objects_number(item, id))) {
        err_set(err, ST_UNSUPPORTED, "packet-action",
                "recovery can only drop or forward");
        return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
    }
    return item->type == SAI_OBJECT_TYPE_QUEUE || is_action(item->type, id)
               ? SAI_STATUS_SUCCESS
               : check_intervals(asic, item, id, err);
}

sai_status_t
deadlocks_set(struct asic *asic, const struct objects_item *item,
              sai_attr_id_t id, struct err *err)
{
    const sai_status_t status = check(asic, item, id, err);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (item->type == SAI_OBJECT_TYPE_QUEUE) {
        program_queue(asic, item);
    } else if (item->type == SAI_OBJECT_TYPE_PORT) {
        program_port(asic, item);
    } else {
        for (uint32_t i = 0; i < asic->n_ports; i++) {
            program_port(asic, asic->ports[i].item);
        }
    }
    return SAI_STATUS_SUCCESS;
}

sai_status_t
deadlocks_check_all(const struct asic *asic, const struct objects_item *item,
                    sai_attr_id_t *blame, struct err *err)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < item->n_values && status == SAI_STATUS_SUCCESS;
         i++) {
        *blame = item->values[i].id;
        if (deadlocks_concern(item->type, *blame)) {
            status = check(asic, item, *blame, err);
        }
    }
    return status;
}

static sai_status_t
answer_range(const struct interval *interval, sai_attribute_t *attribute)
{
    attribute->value = (sai_attribute_value_t){
        .u32range = {1, (sai_uint32_t)interval->max_ms}};
    return SAI_STATUS_SUCCESS;
}

sai_status_t
deadlocks_detection_range(const struct asic *asic,
                          const struct objects_item *item,
                          sai_attribute_t *attribute)
{
    (void)asic;
    (void)item;
    return answer_range(&detection, attribute);
}

sai_status_t
deadlocks_recovery_range(const struct asic *asic,
                         const struct objects_item *item,
                         sai_attribute_t *attribute)
{
    (void)asic;
    (void)item;
    return answer_range(&recovery, attribute);
}

void
deadlocks_on_event(void *asic_, uint32_t port, uint32_t index, bool dead)
{
    struct asic *asic = asic_;
    const struct objects_item *queue =
        objects_child(asic->ports[port].item, SAI_OBJECT_TYPE_QUEUE, index);

    orch_assert(queue); /* Only queues with an object have detection. */
    notify_deadlock(asic, queue->oid, dead);
}
