/* SPDX-License-Identifier: Apache-2.0 */

/* Finds scheduler groups, and decides which row sets the scheduler of a shared
 * one. The header describes the model. */

#include <config.h>

#include "orchd/reconcile/scheduler_groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/intent/key.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/bulk_get.h"

/* Returns whether the object is a group rather than the queue itself. */
static bool
is_group(const struct object *object)
{
    return object->type == SAI_OBJECT_TYPE_SCHEDULER_GROUP;
}

/* --- Finding ------------------------------------------------------------ */

/* Returns the lowest queue in the same group as queue 'index'. */
static int
lowest_queue(const struct object *port, int index)
{
    sai_object_id_t oid = port_group_oid(port, index);

    for (int i = 0; oid != SAI_NULL_OBJECT_ID && i < index; i++) {
        if (port->port_children->group_oids[i] == oid) {
            return i;
        }
    }
    return index;
}

struct object *
scheduler_groups_object(struct graph *graph, const struct object_name *name)
{
    const struct object_name port_name = {name->name, TABLE_PORT, -1};
    const struct object *port = NULL;
    struct object_name group = *name;

    if (name->table == TABLE_QUEUE) {
        port = graph_find_object(graph, &port_name);
    }
    if (port) {
        group.index = lowest_queue(port, name->index);
    }
    return graph_make_object(graph, &group);
}

bool
scheduler_groups_unknown(const struct object *object)
{
    return is_group(object) && object_exists(object->parent) &&
           !object->parent->port_children->group_oids;
}

/* Records that the queues of 'port' among 'children' are in 'group'. */
static void
note_children(struct object *port, sai_object_id_t group,
              const sai_object_id_t *children, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        for (uint32_t q = 0; q < port->port_children->n_queues; q++) {
            if (port->port_children->queue_oids[q] == children[i]) {
                port->port_children->group_oids[q] = group;
            }
        }
    }
}

/* Records which queues of 'port' are in 'groups', whose children start at
 * 'first' in 'children'. */
static sai_status_t
take_groups(struct object *port, const sai_object_list_t *groups,
            const struct bulk_get *children, uint32_t first)
{
    for (uint32_t i = 0; i < groups->count; i++) {
        const sai_attribute_value_t *value =
            bulk_get_value(children, first + i);

        if (!value) {
            return children->statuses[first + i];
        }
        note_children(port, groups->list[i], value->objlist.list,
                      value->objlist.count);
    }
    return SAI_STATUS_SUCCESS;
}

/* Reads the children of all groups in 'lists'. */
static void
read_children(struct sai_backend *backend, const struct bulk_get *lists,
              struct bulk_get *children)
{
    sai_object_id_t *oids;
    uint32_t n = 0;

    for (uint32_t i = 0; i < lists->n; i++) {
        const sai_attribute_value_t *list = bulk_get_value(lists, i);

        n += list ? list->objlist.count : 0;
    }
    oids = check_calloc(n + 1u, sizeof *oids);
    n = 0;
    for (uint32_t i = 0; i < lists->n; i++) {
        const sai_attribute_value_t *list = bulk_get_value(lists, i);

        for (uint32_t k = 0; list && k < list->objlist.count; k++) {
            oids[n++] = list->objlist.list[k];
        }
    }
    bulk_get_read(children, backend, SAI_OBJECT_TYPE_SCHEDULER_GROUP,
                  SAI_SCHEDULER_GROUP_ATTR_CHILD_LIST, n, oids);
    free(oids);
}

/* Moves 'claim' to 'object'. */
static void
move_claim(struct claim *claim, struct object *object)
{
    struct claim **link = &claim->object->claims;

    while (*link != claim) {
        link = &(*link)->next_on_object;
    }
    *link = claim->next_on_object;
    claim->object->n_mentions--;
    graph_mark(claim->object);
    claim->object = object;
    claim->next_on_object = object->claims;
    object->claims = claim;
    object->n_mentions++;
    graph_mark(object);
}

/* Moves the claims on 'group' to the groups that their queues are in. */
static void
regroup(struct object *group)
{
    struct claim *next;

    for (struct claim *claim = group->claims; claim; claim = next) {
        struct object_name name = group->name;
        struct object *object;

        next = claim->next_on_object;
        name.index = claim->index;
        object = scheduler_groups_object(group->graph, &name);
        if (object != group) {
            move_claim(claim, object);
        }
    }
}

/* Moves all claims of the queues of 'port' to their groups.  Groups that are
 * created meanwhile come first in the list, and have only claims that belong
 * there. */
static void
regroup_port(struct object *port)
{
    for (struct object *child = object_children(port); child;
         child = child->sibling) {
        if (is_group(child)) {
            object_locate(child);
            regroup(child);
            graph_mark(child);
        }
    }
}

/* Records the groups of 'port', 'list' (NULL: 'status' says why not), and their
 * children from 'first' on. */
static sai_status_t
settle_port(struct object *port, const sai_attribute_value_t *list,
            sai_status_t status, const struct bulk_get *children,
            uint32_t first)
{
    /* One more than there are queues, so never NULL. */
    port->port_children->group_oids =
        check_calloc(port->port_children->n_queues + 1,
                     sizeof *port->port_children->group_oids);
    if (list) {
        status = take_groups(port, &list->objlist, children, first);
    }
    if (status == SAI_STATUS_SUCCESS) {
        regroup_port(port);
    } else {
        free(port->port_children->group_oids);
        port->port_children->group_oids = NULL;
    }
    return status;
}

void
scheduler_groups_read(struct sai_backend *backend, uint32_t n,
                      struct object *const *ports, sai_status_t *statuses)
{
    sai_object_id_t *oids = check_calloc(n, sizeof *oids);
    struct bulk_get lists, children;
    uint32_t first = 0;

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = ports[i]->oid;
    }
    bulk_get_read(&lists, backend, SAI_OBJECT_TYPE_PORT,
                  SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST, n, oids);
    read_children(backend, &lists, &children);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *list = bulk_get_value(&lists, i);

        statuses[i] =
            settle_port(ports[i], list, lists.statuses[i], &children, first);
        first += list ? list->objlist.count : 0;
    }
    bulk_get_fini(&children);
    bulk_get_fini(&lists);
    free(oids);
}

/* --- Deciding ----------------------------------------------------------- */

bool
scheduler_groups_concern(const struct object *object, const struct want *want)
{
    if (want->type != object->type ||
        (want->port && strcmp(want->port, object->name.name) != 0)) {
        return false;
    }
    if (is_group(object)) {
        return !object->graph->schedules_queues;
    }
    if (object->type == SAI_OBJECT_TYPE_QUEUE &&
        (key_is_system_port(object->name.name)
             ? want->meta->id == SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID
             : want->only_voqs)) {
        return false;
    }
    return object->type != SAI_OBJECT_TYPE_QUEUE ||
           want->meta->id != SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID ||
           object->graph->schedules_queues;
}

const struct want *
scheduler_groups_want(const struct claim *claim)
{
    const struct demand *demand = &claim->source->demand;

    for (size_t i = 0; i < demand->n_wants; i++) {
        if (scheduler_groups_concern(claim->object, &demand->wants[i])) {
            return &demand->wants[i];
        }
    }
    return NULL;
}

/* Returns the scheduler that 'claim' wants. */
static const struct object *
scheduler_of(const struct claim *claim)
{
    return source_edges(claim->source, scheduler_groups_want(claim))->object;
}

/* Returns whether 'claim' takes part in the decision. */
static bool
wants_scheduler(const struct claim *claim)
{
    return claim->wins && !claim->missing && !claim->out_of_range &&
           scheduler_groups_want(claim);
}

const struct claim *
scheduler_groups_leader(const struct object *group)
{
    const struct claim *leader = NULL;

    for (const struct claim *claim = group->claims; claim;
         claim = claim->next_on_object) {
        if (wants_scheduler(claim) &&
            (!leader || claim->index < leader->index)) {
            leader = claim;
        }
    }
    return leader;
}

void
scheduler_groups_arbitrate(struct object *group)
{
    const struct claim *leader =
        is_group(group) ? scheduler_groups_leader(group) : NULL;

    for (struct claim *claim = group->claims; claim;
         claim = claim->next_on_object) {
        claim->overruled = leader && wants_scheduler(claim) &&
                           scheduler_of(claim) != scheduler_of(leader);
        claim->ready = claim->ready && !claim->overruled;
    }
}
