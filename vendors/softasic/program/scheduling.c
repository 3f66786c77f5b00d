/* SPDX-License-Identifier: Apache-2.0 */

/* Checks schedulers, scheduler groups, WRED profiles and parents of queues. */

#include <config.h>

#include "vendors/softasic/program/scheduling.h"

#include "vendors/objects/port_family.h"

struct range {
    sai_object_type_t type;
    sai_attr_id_t id;
    uint8_t min;
    uint8_t max;
};

#define PERCENT(NAME)                                                          \
    {                                                                          \
        SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_##NAME, 0, 100                     \
    }

static const struct range ranges[] = {
    {SAI_OBJECT_TYPE_SCHEDULER, SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT, 1, 255},
    {SAI_OBJECT_TYPE_WRED, SAI_WRED_ATTR_WEIGHT, 0, 15},
    PERCENT(GREEN_DROP_PROBABILITY),
    PERCENT(YELLOW_DROP_PROBABILITY),
    PERCENT(RED_DROP_PROBABILITY),
    PERCENT(ECN_GREEN_MARK_PROBABILITY),
    PERCENT(ECN_YELLOW_MARK_PROBABILITY),
    PERCENT(ECN_RED_MARK_PROBABILITY),
    PERCENT(ECN_COLOR_UNAWARE_MARK_PROBABILITY),
};

/* Refuses with a reason. */
static sai_status_t
refuse(struct err *err, const char *code, const char *reason)
{
    err_set(err, ST_INVALID, code, "%s", reason);
    return SAI_STATUS_INVALID_ATTR_VALUE_0;
}

static sai_status_t
check_range(const struct objects_item *item, sai_attr_id_t id, struct err *err)
{
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        const struct range *range = &ranges[i];
        int64_t number;

        if (range->type != item->type || range->id != id) {
            continue;
        }
        number = objects_number(item, id);
        if (number < range->min || number > range->max) {
            err_set(err, ST_INVALID, "range", "%lld is not in %d..%d",
                    (long long)number, range->min, range->max);
            return SAI_STATUS_INVALID_ATTR_VALUE_0;
        }
    }
    return SAI_STATUS_SUCCESS;
}

/* Checks that 'group' of 'port' has room for the child that was just added. */
static sai_status_t
check_room(const struct asic *asic, const struct objects_item *group,
           const struct objects_item *port, struct err *err)
{
    if (objects_oid(group, SAI_SCHEDULER_GROUP_ATTR_PORT_ID) != port->oid) {
        return refuse(err, "parent", "the parent belongs to another port");
    }
    if (port_family_child_nodes(asic->objects, group, 0, NULL) >
        objects_number(group, SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS)) {
        err_set(err, ST_NO_RESOURCE, "max-childs",
                "the parent has no room for another child");
        return SAI_STATUS_INSUFFICIENT_RESOURCES;
    }
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
check_queue(const struct asic *asic, const struct objects_item *queue,
            struct err *err)
{
    const struct objects_item *parent =
        objects_find(asic->objects, port_family_parent_node(queue));

    if (parent && parent->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        return check_room(asic, parent, queue->parent, err);
    }
    return parent == queue->parent
               ? SAI_STATUS_SUCCESS
               : refuse(err, "parent", "the parent is another port");
}

static sai_status_t
check_parent(const struct asic *asic, const struct objects_item *group,
             struct err *err)
{
    const struct objects_item *port = objects_referent(
        asic->objects, group, SAI_SCHEDULER_GROUP_ATTR_PORT_ID);
    const struct objects_item *parent =
        objects_find(asic->objects, port_family_parent_node(group));
    const int64_t level = objects_number(group, SAI_SCHEDULER_GROUP_ATTR_LEVEL);

    if (level == 0) {
        return parent == port
                   ? SAI_STATUS_SUCCESS
                   : refuse(err, "parent", "at level 0 the parent is the port");
    }
    if (!parent || parent->type != SAI_OBJECT_TYPE_SCHEDULER_GROUP ||
        objects_number(parent, SAI_SCHEDULER_GROUP_ATTR_LEVEL) != level - 1) {
        return refuse(err, "parent", "the parent is not one level above");
    }
    return check_room(asic, parent, port, err);
}

sai_status_t
scheduling_check(const struct asic *asic, const struct objects_item *item,
                 sai_attr_id_t id, struct err *err)
{
    if (item->type == SAI_OBJECT_TYPE_QUEUE &&
        id == SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE) {
        return check_queue(asic, item, err);
    }
    if (item->type != SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        return check_range(item, id, err);
    }
    switch (id) {
    case SAI_SCHEDULER_GROUP_ATTR_LEVEL:
        return objects_number(item, id) < PORT_FAMILY_LEVELS
                   ? SAI_STATUS_SUCCESS
                   : refuse(err, "level", "the tree has no such level");
    case SAI_SCHEDULER_GROUP_ATTR_PORT_ID:
        /* The CPU port has only its initial groups. */
        return objects_oid(item, id) != asic->cpu_port->oid
                   ? SAI_STATUS_SUCCESS
                   : refuse(err, "port",
                            "this port has no room for another group");
    case SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE:
        return check_parent(asic, item, err);
    default:
        return SAI_STATUS_SUCCESS;
    }
}

sai_status_t
scheduling_check_all(const struct asic *asic, const struct objects_item *item,
                     sai_attr_id_t *blame, struct err *err)
{
    for (uint32_t i = 0; i < item->n_values; i++) {
        const sai_status_t status =
            scheduling_check(asic, item, item->values[i].id, err);

        if (status != SAI_STATUS_SUCCESS) {
            *blame = item->values[i].id;
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}
