/* SPDX-License-Identifier: Apache-2.0 */

/* The scheduler trees of ports. */

#include <config.h>

#include "vendors/softasic/program/scheduler_trees.h"

#include "base/check.h"

/* The attribute by which a node names its profile, by the type of its object.
 */
static sai_attr_id_t
profile_attribute(const struct objects_item *node)
{
    switch (node->type) {
    case SAI_OBJECT_TYPE_QUEUE:
        return SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID;
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID;
    default:
        return SAI_PORT_ATTR_QOS_SCHEDULER_PROFILE_ID;
    }
}

/* Returns the port in whose tree 'node' is; 'node' may be the port itself. */
static const struct objects_item *
port_of(const struct asic *asic, const struct objects_item *node)
{
    if (node->type == SAI_OBJECT_TYPE_PORT) {
        return node;
    }
    return node->parent ? objects_parent(asic->objects, node)
                        : objects_referent(asic->objects, node,
                                           SAI_SCHEDULER_GROUP_ATTR_PORT_ID);
}

/* Returns whether 'node' is the CPU port or a system port, or below one.  No
 * frame waits there, so there is no tree: attributes are only stored. */
static bool
is_treeless(const struct asic *asic, const struct objects_item *node)
{
    return port_of(asic, node)->handle == MMU_NONE;
}

static struct scheduler *
tree_of(const struct asic *asic, const struct objects_item *node)
{
    return sim_port_scheduler(asic->sim, port_of(asic, node)->handle);
}

/* Returns the number of 'node' in its tree. */
static uint32_t
number_of(const struct asic *asic, const struct objects_item *node)
{
    switch (node->type) {
    case SAI_OBJECT_TYPE_QUEUE:
        return node->index;
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        return node->handle;
    default:
        return scheduler_root(tree_of(asic, node));
    }
}

static enum scheduler_type
type_of(const struct objects_item *profile)
{
    switch (objects_number(profile, SAI_SCHEDULER_ATTR_SCHEDULING_TYPE)) {
    case SAI_SCHEDULING_TYPE_STRICT:
        return SCHEDULER_STRICT;
    case SAI_SCHEDULING_TYPE_DWRR:
        return SCHEDULER_DWRR;
    default:
        return SCHEDULER_WRR;
    }
}

/* Returns the parameters in 'profile' (may be NULL). */
static struct scheduler_config
config_of(const struct objects_item *profile)
{
    if (!profile) {
        return SCHEDULER_DEFAULT;
    }
    return (struct scheduler_config){
        .type = type_of(profile),
        .weight = (uint8_t)objects_number(profile,
                                          SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT),
        .by_packets = objects_number(profile, SAI_SCHEDULER_ATTR_METER_TYPE) ==
                      SAI_METER_TYPE_PACKETS,
        .min_rate = (uint64_t)objects_number(
            profile, SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_RATE),
        .min_burst = (uint64_t)objects_number(
            profile, SAI_SCHEDULER_ATTR_MIN_BANDWIDTH_BURST_RATE),
        .max_rate = (uint64_t)objects_number(
            profile, SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_RATE),
        .max_burst = (uint64_t)objects_number(
            profile, SAI_SCHEDULER_ATTR_MAX_BANDWIDTH_BURST_RATE),
    };
}

/* Returns the only queue below 'group', NULL if 'group' has other children or
 * none. */
static const struct objects_item *
only_queue(const struct asic *asic, const struct objects_item *group)
{
    const struct objects_item *child;
    sai_object_id_t oid;

    if (port_family_child_nodes(asic->objects, group, 1, &oid) != 1) {
        return NULL;
    }
    child = objects_find(asic->objects, oid);
    return child && child->type == SAI_OBJECT_TYPE_QUEUE ? child : NULL;
}

/* Returns the parameters of 'node'. */
static struct scheduler_config
config_of_node(const struct asic *asic, const struct objects_item *node)
{
    const struct objects_item *profile =
        objects_referent(asic->objects, node, profile_attribute(node));
    const struct objects_item *queue =
        profile || node->type != SAI_OBJECT_TYPE_SCHEDULER_GROUP
            ? NULL
            : only_queue(asic, node);
    struct scheduler_config config;

    if (!queue) {
        return config_of(profile);
    }
    /* A minimum rate counts among siblings, which a queue alone in its group
     * does not have, so the group takes it.  A maximum stays with the queue: it
     * would only apply twice. */
    config = config_of(
        objects_referent(asic->objects, queue, profile_attribute(queue)));
    config.max_rate = 0;
    return config;
}

/* Programs one node of the tree. */
static void
configure(struct asic *asic, const struct objects_item *node)
{
    const struct scheduler_config config = config_of_node(asic, node);
    const enum st status =
        scheduler_set(tree_of(asic, node), number_of(asic, node), &config,
                      sim_now_ps(asic->sim));

    orch_assert(status == ST_OK); /* Weight and type were checked before. */
}

/* Programs 'node', and the group above it, whose parameters may depend on
 * it. */
static void
configure_both(struct asic *asic, const struct objects_item *node)
{
    const struct objects_item *above =
        node->type == SAI_OBJECT_TYPE_QUEUE
            ? objects_find(asic->objects, port_family_parent_node(node))
            : NULL;

    configure(asic, node);
    if (above && above->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP) {
        configure(asic, above);
    }
}

/* Returns the number of the node above 'node'. */
static uint32_t
parent_number(const struct asic *asic, const struct objects_item *node)
{
    return number_of(
        asic, objects_find(asic->objects, port_family_parent_node(node)));
}

static sai_status_t
refuse(struct err *err)
{
    err_set(err, ST_NO_RESOURCE, "max-childs",
            "a node has at most %d queues and groups below it",
            SCHEDULER_CHILDREN);
    return SAI_STATUS_INSUFFICIENT_RESOURCES;
}

/* Moves 'node' to the parent that its object names. */
static sai_status_t
move(struct asic *asic, const struct objects_item *node, struct err *err)
{
    struct scheduler *tree = tree_of(asic, node);
    const uint32_t number = number_of(asic, node);
    const uint32_t before = scheduler_parent(tree, number);
    const enum st status = scheduler_move(
        tree, number, parent_number(asic, node), sim_now_ps(asic->sim));
    const struct objects_item *port = port_of(asic, node);

    if (status != ST_OK) {
        return refuse(err);
    }
    configure_both(asic, node);
    /* The previous group may have a single queue now. */
    for (const struct objects_item *g =
             objects_first(asic->objects, SAI_OBJECT_TYPE_SCHEDULER_GROUP);
         g; g = objects_next(asic->objects, g)) {
        if (g->handle == before && port_of(asic, g) == port) {
            configure(asic, g);
        }
    }
    return SAI_STATUS_SUCCESS;
}

void
scheduler_trees_start(struct asic *asic, struct objects_item *port)
{
    struct scheduler *tree = sim_port_scheduler(asic->sim, port->handle);
    struct objects_item *top =
        objects_child(port, SAI_OBJECT_TYPE_SCHEDULER_GROUP, 0);
    struct objects_item *group;
    uint32_t number;
    enum st status = scheduler_wrap(tree, &number);

    orch_assert(status == ST_OK);
    objects_set_handle(asic->objects, top, number);
    /* Group 0 is the root of the others, each of which has one queue.  Move
     * queues one after the other: there may be as many as a group has room
     * for. */
    for (uint32_t i = 0;
         (group = objects_child(port, SAI_OBJECT_TYPE_SCHEDULER_GROUP, i + 1));
         i++) {
        status = scheduler_add(tree, scheduler_root(tree), &number);
        orch_assert(status == ST_OK);
        objects_set_handle(asic->objects, group, number);
        status = scheduler_move(tree, i, group->handle, 0);
        orch_assert(status == ST_OK);
        status =
            scheduler_move(tree, group->handle, parent_number(asic, group), 0);
        orch_assert(status == ST_OK);
    }
    configure(asic, port);
}

sai_status_t
scheduler_trees_create(struct asic *asic, struct objects_item *group,
                       struct err *err)
{
    if (scheduler_add(tree_of(asic, group), parent_number(asic, group),
                      &group->handle) != ST_OK) {
        return refuse(err);
    }
    configure(asic, group);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
scheduler_trees_remove(struct asic *asic, const struct objects_item *group)
{
    return scheduler_remove(tree_of(asic, group), group->handle) == ST_OK
               ? SAI_STATUS_SUCCESS
               : SAI_STATUS_OBJECT_IN_USE;
}

/* Programs all nodes of 'type' that name 'profile'. */
static void
configure_users(struct asic *asic, const struct objects_item *profile,
                sai_object_type_t type)
{
    for (struct objects_item *i = objects_first(asic->objects, type); i;
         i = objects_next(asic->objects, i)) {
        if (!is_treeless(asic, i) &&
            objects_oid(i, profile_attribute(i)) == profile->oid) {
            configure_both(asic, i);
            sim_port_wake(asic->sim, port_of(asic, i)->handle);
        }
    }
}

sai_status_t
scheduler_trees_set(struct asic *asic, const struct objects_item *item,
                    sai_attr_id_t id, struct err *err)
{
    sai_status_t status = SAI_STATUS_SUCCESS;

    if (item->type == SAI_OBJECT_TYPE_SCHEDULER) {
        configure_users(asic, item, SAI_OBJECT_TYPE_QUEUE);
        configure_users(asic, item, SAI_OBJECT_TYPE_SCHEDULER_GROUP);
        configure_users(asic, item, SAI_OBJECT_TYPE_PORT);
        return status;
    }
    if (is_treeless(asic, item)) {
        return status;
    }
    if (id == profile_attribute(item)) {
        configure_both(asic, item);
    } else if ((item->type == SAI_OBJECT_TYPE_QUEUE &&
                id == SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE) ||
               (item->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP &&
                id == SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE)) {
        status = move(asic, item, err);
    } else {
        return status;
    }
    sim_port_wake(asic->sim, port_of(asic, item)->handle);
    return status;
}
