/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and what comes with them. */

#include <config.h>

#include "vendors/store/family.h"

#include <stdlib.h>

#include "base/check.h"

static sai_status_t compute_port(const struct objects_item *port,
                                 sai_attribute_t *attribute);
static sai_status_t compute_switch(const struct objects *objects,
                                   const struct family_size *size,
                                   sai_attribute_t *attribute);

/* Answers with a number; the rest of the value becomes zero. */
static sai_status_t
answer_u32(sai_attribute_t *attribute, uint32_t number)
{
    attribute->value = (sai_attribute_value_t){.u32 = number};
    return SAI_STATUS_SUCCESS;
}

/* Adds queue 'index' to 'port'. */
static void
add_queue(struct objects *objects, struct objects_item *port,
          sai_queue_type_t type, uint32_t index)
{
    const sai_attribute_t attributes[] = {
        {SAI_QUEUE_ATTR_TYPE, {.s32 = (sai_int32_t)type}},
        {SAI_QUEUE_ATTR_PORT, {.oid = port->oid}},
        {SAI_QUEUE_ATTR_INDEX, {.u8 = (uint8_t)index}},
        {SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE, {.oid = port->oid}},
    };

    objects_add(objects, SAI_OBJECT_TYPE_QUEUE, port, 4, attributes);
}

void
family_add(struct objects *objects, struct objects_item *port,
           const struct family_size *size)
{
    const uint32_t n_queues = size->n_unicast_queues + size->n_multicast_queues;

    for (uint32_t i = 0; i < n_queues; i++) {
        add_queue(objects, port,
                  size->n_multicast_queues == 0 ? SAI_QUEUE_TYPE_ALL
                  : i < size->n_unicast_queues  ? SAI_QUEUE_TYPE_UNICAST
                                                : SAI_QUEUE_TYPE_MULTICAST,
                  i);
    }
    for (uint32_t i = 0; i < size->n_pgs; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_INGRESS_PRIORITY_GROUP_ATTR_PORT, {.oid = port->oid}},
            {SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX, {.u8 = (uint8_t)i}},
        };

        objects_add(objects, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, port, 2,
                    attributes);
    }
}

struct objects_item *
family_child(const struct objects_item *port, sai_object_type_t type,
             uint32_t index)
{
    for (struct objects_item *c = port->child; c; c = c->sibling) {
        if (c->type == type && index-- == 0) {
            return c;
        }
    }
    return NULL;
}

uint32_t
family_index(const struct objects_item *child)
{
    return (uint32_t)objects_number(
        child, child->type == SAI_OBJECT_TYPE_QUEUE
                   ? (sai_attr_id_t)SAI_QUEUE_ATTR_INDEX
                   : (sai_attr_id_t)SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX);
}

sai_status_t
family_compute(const struct objects *objects, const struct family_size *size,
               const struct objects_item *item, sai_attribute_t *attribute)
{
    if (item->type == SAI_OBJECT_TYPE_PORT) {
        return compute_port(item, attribute);
    }
    if (item->type == SAI_OBJECT_TYPE_SWITCH) {
        return compute_switch(objects, size, attribute);
    }
    return SAI_STATUS_ITEM_NOT_FOUND;
}

bool
family_knows(sai_object_type_t type, sai_attr_id_t id)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
    } known[] = {
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_TYPE},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_QUEUE_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_NUMBER_OF_SCHEDULER_GROUPS},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_NUMBER_OF_INGRESS_PRIORITY_GROUPS},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PORT_LIST},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_NUMBER_OF_QUEUES},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_NUMBER_OF_MULTICAST_QUEUES},
    };

    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (known[i].type == type && known[i].id == id) {
            return true;
        }
    }
    return false;
}

/* Returns how many children of 'type' the port has. */
static uint32_t
count_children(const struct objects_item *port, sai_object_type_t type)
{
    uint32_t n = 0;

    for (const struct objects_item *c = port->child; c; c = c->sibling) {
        n += c->type == type;
    }
    return n;
}

/* Answers with the children of 'type', in order of their index. */
static sai_status_t
answer_children(const struct objects_item *port, sai_object_type_t type,
                sai_attribute_t *attribute)
{
    const uint32_t n = count_children(port, type);
    sai_object_id_t *oids = check_calloc(n + 1, sizeof *oids);
    sai_status_t status;
    uint32_t i = 0;

    for (const struct objects_item *c = port->child; c; c = c->sibling) {
        if (c->type == type) {
            oids[i++] = c->oid;
        }
    }
    status = objects_answer_list(&attribute->value, n, oids);
    free(oids);
    return status;
}

static sai_status_t
compute_port(const struct objects_item *port, sai_attribute_t *attribute)
{
    switch (attribute->id) {
    case SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES:
        return answer_u32(attribute,
                          count_children(port, SAI_OBJECT_TYPE_QUEUE));
    case SAI_PORT_ATTR_NUMBER_OF_INGRESS_PRIORITY_GROUPS:
        return answer_u32(
            attribute,
            count_children(port, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP));
    case SAI_PORT_ATTR_QOS_NUMBER_OF_SCHEDULER_GROUPS:
        return answer_u32(attribute, 0);
    case SAI_PORT_ATTR_QOS_QUEUE_LIST:
        return answer_children(port, SAI_OBJECT_TYPE_QUEUE, attribute);
    case SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST:
        return answer_children(port, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
                               attribute);
    case SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST:
        return objects_answer_list(&attribute->value, 0, NULL);
    case SAI_PORT_ATTR_TYPE:
        attribute->value =
            (sai_attribute_value_t){.s32 = SAI_PORT_TYPE_LOGICAL};
        return SAI_STATUS_SUCCESS;
    default:
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
}

/* Returns the first port at or after 'port' that carries traffic. */
static const struct objects_item *
skip_internal(const struct objects_item *port)
{
    while (port && objects_value(port, SAI_PORT_ATTR_TYPE)) {
        port = port->next;
    }
    return port;
}

/* Answers with the ports that carry traffic, or with their number. */
static sai_status_t
answer_ports(const struct objects *objects, sai_attribute_t *attribute)
{
    sai_object_id_t *oids = check_calloc(
        objects_count(objects, SAI_OBJECT_TYPE_PORT) + 1, sizeof *oids);
    sai_status_t status;
    uint32_t n = 0;

    for (const struct objects_item *p =
             skip_internal(objects_first(objects, SAI_OBJECT_TYPE_PORT));
         p; p = skip_internal(p->next)) {
        oids[n++] = p->oid;
    }
    status = attribute->id == SAI_SWITCH_ATTR_PORT_LIST
                 ? objects_answer_list(&attribute->value, n, oids)
                 : answer_u32(attribute, n);
    free(oids);
    return status;
}

static sai_status_t
compute_switch(const struct objects *objects, const struct family_size *size,
               sai_attribute_t *attribute)
{
    switch (attribute->id) {
    case SAI_SWITCH_ATTR_PORT_LIST:
    case SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS:
        return answer_ports(objects, attribute);
    case SAI_SWITCH_ATTR_NUMBER_OF_QUEUES:
        return answer_u32(attribute,
                          size->n_unicast_queues + size->n_multicast_queues);
    case SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES:
        return answer_u32(attribute, size->n_unicast_queues);
    case SAI_SWITCH_ATTR_NUMBER_OF_MULTICAST_QUEUES:
        return answer_u32(attribute, size->n_multicast_queues);
    default:
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
}
