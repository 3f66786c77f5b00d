/* SPDX-License-Identifier: Apache-2.0 */

/* Ports and their children: queues, priority groups, scheduler groups, a bridge
 * port and its member of the default VLAN.
 *
 * A port of a large chip has dozens of such children, most of them without
 * configuration.  So nothing is stored of a child until a client sets an
 * attribute.  Until then its attributes follow from its type, its index and the
 * size of the family (the implied_ functions), and lists of children are
 * computed on demand (the compute_ functions).
 *
 * The initial scheduler tree of a port, if the switch has one, is flat: group 0
 * is the root, and group i + 1 the leaf of queue i. */

#include <config.h>

#include "vendors/objects/port_family.h"

#include <stdlib.h>

#include "base/check.h"

static bool implied(const void *context, const struct objects_item *child,
                    sai_attr_id_t id, sai_attribute_value_t *value);
static sai_status_t compute_port(const struct objects *objects,
                                 const struct objects_item *port,
                                 sai_attribute_t *attribute);
static sai_status_t compute_group(const struct objects *objects,
                                  const struct objects_item *group,
                                  sai_attribute_t *attribute);
static sai_status_t compute_switch(const struct objects *objects,
                                   const struct port_family_size *size,
                                   sai_attribute_t *attribute);

/* Returns a number; the rest of the value becomes zero. */
static sai_status_t
answer_u32(sai_attribute_t *attribute, uint32_t number)
{
    attribute->value = (sai_attribute_value_t){.u32 = number};
    return SAI_STATUS_SUCCESS;
}

/* Unicast queues come first, then multicast queues. */
static uint32_t
n_queues(const struct port_family_size *size)
{
    return size->n_unicast_queues + size->n_multicast_queues;
}

void
port_family_add(struct objects_item *port, const struct port_family_size *size)
{
    const uint32_t n = n_queues(size);
    const struct objects_family family = {
        .implied = implied,
        .context = size,
        .n = {[OBJECTS_QUEUES] = (uint8_t)n,
              [OBJECTS_PGS] = (uint8_t)size->n_pgs,
              [OBJECTS_GROUPS] = (uint8_t)(size->has_groups ? n + 1 : 0),
              [OBJECTS_BRIDGE_PORTS] = size->vlan != SAI_NULL_OBJECT_ID,
              [OBJECTS_VLAN_MEMBERS] = size->vlan != SAI_NULL_OBJECT_ID},
    };

    orch_assert(n < UINT8_MAX && size->n_pgs < UINT8_MAX);
    objects_add_family(port, &family);
}

/* The attributes of a queue that follow from its index. */
static bool
implied_of_queue(const struct port_family_size *size,
                 const struct objects_item *queue, sai_attr_id_t id,
                 sai_attribute_value_t *value)
{
    sai_queue_type_t type = SAI_QUEUE_TYPE_ALL;

    switch (id) {
    case SAI_QUEUE_ATTR_TYPE:
        if (size->queue_types) {
            type = (sai_queue_type_t)size->queue_types[queue->index];
        } else if (size->n_multicast_queues) {
            type = queue->index < size->n_unicast_queues
                       ? SAI_QUEUE_TYPE_UNICAST
                       : SAI_QUEUE_TYPE_MULTICAST;
        }
        *value = (sai_attribute_value_t){.s32 = (sai_int32_t)type};
        return true;
    case SAI_QUEUE_ATTR_PORT:
        /* A virtual output queue is found in the list of its system port. */
        *value = (sai_attribute_value_t){
            .oid = queue->parent->type == SAI_OBJECT_TYPE_PORT
                       ? queue->parent->oid
                       : SAI_NULL_OBJECT_ID};
        return true;
    case SAI_QUEUE_ATTR_INDEX:
        *value = (sai_attribute_value_t){.u8 = (uint8_t)queue->index};
        return true;
    case SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE:
        *value = (sai_attribute_value_t){
            .oid = size->has_groups
                       ? objects_child_oid(queue->parent,
                                           SAI_OBJECT_TYPE_SCHEDULER_GROUP,
                                           queue->index + 1u)
                   : queue->parent->type == SAI_OBJECT_TYPE_PORT
                       ? queue->parent->oid
                       : SAI_NULL_OBJECT_ID};
        return true;
    default:
        return false;
    }
}

/* The attributes of a scheduler group that follow from its index: group 0 is
 * the root. */
static bool
implied_of_group(const struct port_family_size *size,
                 const struct objects_item *group, sai_attr_id_t id,
                 sai_attribute_value_t *value)
{
    const bool is_root = group->index == 0;

    switch (id) {
    case SAI_SCHEDULER_GROUP_ATTR_PORT_ID:
        *value = (sai_attribute_value_t){.oid = group->parent->oid};
        return true;
    case SAI_SCHEDULER_GROUP_ATTR_LEVEL:
        *value = (sai_attribute_value_t){.u8 = is_root ? 0 : 1};
        return true;
    case SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS:
        *value = (sai_attribute_value_t){.u8 = is_root ? (uint8_t)n_queues(size)
                                                       : 1};
        return true;
    case SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE:
        *value = (sai_attribute_value_t){
            .oid = is_root ? group->parent->oid
                           : objects_child_oid(group->parent, group->type, 0)};
        return true;
    default:
        return false;
    }
}

/* The attributes of the bridge port of a port, which is up. */
static bool
implied_of_bridge_port(const struct objects_item *bridge_port, sai_attr_id_t id,
                       sai_attribute_value_t *value)
{
    switch (id) {
    case SAI_BRIDGE_PORT_ATTR_TYPE:
        *value =
            (sai_attribute_value_t){.s32 = (int32_t)SAI_BRIDGE_PORT_TYPE_PORT};
        return true;
    case SAI_BRIDGE_PORT_ATTR_PORT_ID:
        *value = (sai_attribute_value_t){.oid = bridge_port->parent->oid};
        return true;
    case SAI_BRIDGE_PORT_ATTR_ADMIN_STATE:
        *value = (sai_attribute_value_t){.booldata = true};
        return true;
    default:
        return false;
    }
}

/* The attributes of that bridge port's member of the default VLAN. */
static bool
implied_of_member(const struct port_family_size *size,
                  const struct objects_item *member, sai_attr_id_t id,
                  sai_attribute_value_t *value)
{
    switch (id) {
    case SAI_VLAN_MEMBER_ATTR_VLAN_ID:
        *value = (sai_attribute_value_t){.oid = size->vlan};
        return true;
    case SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID:
        *value = (sai_attribute_value_t){
            .oid = objects_child_oid(member->parent,
                                     SAI_OBJECT_TYPE_BRIDGE_PORT, 0)};
        return true;
    default:
        return false;
    }
}

/* An objects_implied_fn; 'context' is the struct port_family_size. */
static bool
implied(const void *context, const struct objects_item *child, sai_attr_id_t id,
        sai_attribute_value_t *value)
{
    switch (child->type) {
    case SAI_OBJECT_TYPE_QUEUE:
        return implied_of_queue(context, child, id, value);
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return implied_of_group(context, child, id, value);
    case SAI_OBJECT_TYPE_BRIDGE_PORT:
        return implied_of_bridge_port(child, id, value);
    case SAI_OBJECT_TYPE_VLAN_MEMBER:
        return implied_of_member(context, child, id, value);
    default:
        break;
    }
    switch (id) {
    case SAI_INGRESS_PRIORITY_GROUP_ATTR_PORT:
        *value = (sai_attribute_value_t){.oid = child->parent->oid};
        return true;
    case SAI_INGRESS_PRIORITY_GROUP_ATTR_INDEX:
        *value = (sai_attribute_value_t){.u8 = (uint8_t)child->index};
        return true;
    default:
        return false;
    }
}

sai_object_id_t
port_family_parent_node(const struct objects_item *node)
{
    return objects_oid(
        node, node->type == SAI_OBJECT_TYPE_QUEUE
                  ? (sai_attr_id_t)SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE
                  : (sai_attr_id_t)SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE);
}

/* A list of object ids that is being filled; 'n' may exceed 'capacity'. */
struct found {
    sai_object_id_t *oids;
    uint32_t capacity;
    uint32_t n;
};

/* Counts 'oid', and adds it to the list if it fits. */
static void
found_add(struct found *found, sai_object_id_t oid)
{
    if (found->n < found->capacity) {
        found->oids[found->n] = oid;
    }
    found->n++;
}

/* Returns the first scheduler group that a client created; the others follow
 * it. */
static const struct objects_item *
first_made(const struct objects *objects)
{
    return objects_first_own(objects, SAI_OBJECT_TYPE_SCHEDULER_GROUP);
}

uint32_t
port_family_child_nodes(const struct objects *objects,
                        const struct objects_item *parent, uint32_t capacity,
                        sai_object_id_t *oids)
{
    struct found found = {oids, capacity, 0};
    const struct objects_item *port =
        objects_referent(objects, parent, SAI_SCHEDULER_GROUP_ATTR_PORT_ID);
    uint32_t n;
    const struct objects_item *children = objects_children(port, &n);

    for (uint32_t i = 0; i < n; i++) {
        if ((children[i].type == SAI_OBJECT_TYPE_QUEUE ||
             children[i].type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) &&
            port_family_parent_node(&children[i]) == parent->oid) {
            found_add(&found, children[i].oid);
        }
    }
    for (const struct objects_item *g = first_made(objects); g;
         g = objects_next(objects, g)) {
        if (port_family_parent_node(g) == parent->oid) {
            found_add(&found, g->oid);
        }
    }
    return found.n;
}

sai_status_t
port_family_compute(const struct objects *objects,
                    const struct port_family_size *size,
                    const struct objects_item *item, sai_attribute_t *attribute)
{
    if (item->type == SAI_OBJECT_TYPE_PORT) {
        return compute_port(objects, item, attribute);
    }
    if (item->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        return compute_group(objects, item, attribute);
    }
    if (item->type == SAI_OBJECT_TYPE_SWITCH) {
        return compute_switch(objects, size, attribute);
    }
    return SAI_STATUS_ITEM_NOT_FOUND;
}

bool
port_family_computes(sai_object_type_t type, sai_attr_id_t id)
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
        {SAI_OBJECT_TYPE_SCHEDULER_GROUP, SAI_SCHEDULER_GROUP_ATTR_CHILD_COUNT},
        {SAI_OBJECT_TYPE_SCHEDULER_GROUP, SAI_SCHEDULER_GROUP_ATTR_CHILD_LIST},
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

enum { MAX_NODES = 1024 }; /* More than any list of one port holds. */

/* Returns the list 'found', or its length. */
static sai_status_t
answer_found(const struct found *found, bool is_list,
             sai_attribute_t *attribute)
{
    if (!is_list) {
        return answer_u32(attribute, found->n);
    }
    return objects_answer_list(
        &attribute->value,
        found->n < found->capacity ? found->n : found->capacity, found->oids);
}

/* Returns the children of 'type' in the order of their indices, and of groups
 * also those that clients created; or their number. */
static sai_status_t
answer_children(const struct objects *objects, const struct objects_item *port,
                sai_object_type_t type, bool is_list,
                sai_attribute_t *attribute)
{
    sai_object_id_t oids[MAX_NODES];
    struct found found = {oids, MAX_NODES, 0};

    for (uint32_t i = 0; i < objects_n_children(port, type); i++) {
        found_add(&found, objects_child_oid(port, type, i));
    }
    if (type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        for (const struct objects_item *g = first_made(objects); g;
             g = objects_next(objects, g)) {
            if (objects_oid(g, SAI_SCHEDULER_GROUP_ATTR_PORT_ID) == port->oid) {
                found_add(&found, g->oid);
            }
        }
    }
    return answer_found(&found, is_list, attribute);
}

static sai_status_t
compute_port(const struct objects *objects, const struct objects_item *port,
             sai_attribute_t *attribute)
{
    static const struct {
        sai_attr_id_t number;
        sai_attr_id_t list;
        sai_object_type_t type;
    } lists[] = {
        {SAI_PORT_ATTR_QOS_NUMBER_OF_QUEUES, SAI_PORT_ATTR_QOS_QUEUE_LIST,
         SAI_OBJECT_TYPE_QUEUE},
        {SAI_PORT_ATTR_NUMBER_OF_INGRESS_PRIORITY_GROUPS,
         SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
         SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP},
        {SAI_PORT_ATTR_QOS_NUMBER_OF_SCHEDULER_GROUPS,
         SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST,
         SAI_OBJECT_TYPE_SCHEDULER_GROUP},
    };

    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (attribute->id == lists[i].number ||
            attribute->id == lists[i].list) {
            return answer_children(objects, port, lists[i].type,
                                   attribute->id == lists[i].list, attribute);
        }
    }
    if (attribute->id == SAI_PORT_ATTR_TYPE) {
        attribute->value =
            (sai_attribute_value_t){.s32 = SAI_PORT_TYPE_LOGICAL};
        return SAI_STATUS_SUCCESS;
    }
    return SAI_STATUS_ITEM_NOT_FOUND;
}

static sai_status_t
compute_group(const struct objects *objects, const struct objects_item *group,
              sai_attribute_t *attribute)
{
    sai_object_id_t oids[MAX_NODES];
    struct found found = {oids, MAX_NODES, 0};

    if (attribute->id != SAI_SCHEDULER_GROUP_ATTR_CHILD_COUNT &&
        attribute->id != SAI_SCHEDULER_GROUP_ATTR_CHILD_LIST) {
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
    found.n = port_family_child_nodes(objects, group, MAX_NODES, oids);
    return answer_found(&found,
                        attribute->id == SAI_SCHEDULER_GROUP_ATTR_CHILD_LIST,
                        attribute);
}

/* Returns the first port at or after 'port' that carries traffic. */
static const struct objects_item *
skip_internal(const struct objects *objects, const struct objects_item *port)
{
    while (port && objects_value(port, SAI_PORT_ATTR_TYPE)) {
        port = objects_next(objects, port);
    }
    return port;
}

/* Returns the ports that carry traffic, or their number. */
static sai_status_t
answer_ports(const struct objects *objects, sai_attribute_t *attribute)
{
    sai_object_id_t *oids = check_calloc(
        objects_count(objects, SAI_OBJECT_TYPE_PORT) + 1, sizeof *oids);
    sai_status_t status;
    uint32_t n = 0;

    for (const struct objects_item *p = skip_internal(
             objects, objects_first(objects, SAI_OBJECT_TYPE_PORT));
         p; p = skip_internal(objects, objects_next(objects, p))) {
        oids[n++] = p->oid;
    }
    status = attribute->id == SAI_SWITCH_ATTR_PORT_LIST
                 ? objects_answer_list(&attribute->value, n, oids)
                 : answer_u32(attribute, n);
    free(oids);
    return status;
}

static sai_status_t
compute_switch(const struct objects *objects,
               const struct port_family_size *size, sai_attribute_t *attribute)
{
    switch (attribute->id) {
    case SAI_SWITCH_ATTR_PORT_LIST:
    case SAI_SWITCH_ATTR_NUMBER_OF_ACTIVE_PORTS:
        return answer_ports(objects, attribute);
    case SAI_SWITCH_ATTR_NUMBER_OF_QUEUES:
        return answer_u32(attribute, n_queues(size));
    case SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES:
        return answer_u32(attribute, size->n_unicast_queues);
    case SAI_SWITCH_ATTR_NUMBER_OF_MULTICAST_QUEUES:
        return answer_u32(attribute, size->n_multicast_queues);
    default:
        return SAI_STATUS_ITEM_NOT_FOUND;
    }
}

/* Bridging ------------------------------------------------------------- */

/* Returns all members of 'vlan', or all bridge ports if it is NULL. */
static sai_status_t
answer_all(const struct objects *objects, sai_object_type_t type,
           const struct objects_item *vlan, sai_attribute_t *attribute)
{
    sai_object_id_t *oids =
        check_calloc(objects_count(objects, type) + 1, sizeof *oids);
    sai_status_t status;
    uint32_t n = 0;

    for (const struct objects_item *i = objects_first(objects, type); i;
         i = objects_next(objects, i)) {
        if (!vlan ||
            objects_oid(i, SAI_VLAN_MEMBER_ATTR_VLAN_ID) == vlan->oid) {
            oids[n++] = i->oid;
        }
    }
    status = objects_answer_list(&attribute->value, n, oids);
    free(oids);
    return status;
}

sai_status_t
port_family_compute_bridging(const struct objects *objects,
                             const struct objects_item *item,
                             sai_attribute_t *attribute)
{
    if (item->type == SAI_OBJECT_TYPE_BRIDGE &&
        attribute->id == SAI_BRIDGE_ATTR_PORT_LIST) {
        return answer_all(objects, SAI_OBJECT_TYPE_BRIDGE_PORT, NULL,
                          attribute);
    }
    if (item->type == SAI_OBJECT_TYPE_VLAN &&
        attribute->id == SAI_VLAN_ATTR_MEMBER_LIST) {
        return answer_all(objects, SAI_OBJECT_TYPE_VLAN_MEMBER, item,
                          attribute);
    }
    return SAI_STATUS_ITEM_NOT_FOUND;
}
