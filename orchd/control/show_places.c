/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the priority groups and queues of ports. */

#include <config.h>

#include "orchd/control/show_places.h"

#include <string.h>

#include "base/parse.h"
#include "orchd/control/command.h"
#include "orchd/control/show_walk.h"
#include "orchd/control/value.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/switch/switch_query.h"

/* The objects that a priority group or queue uses on the ASIC; null ids if it
 * uses none. */
struct used {
    sai_object_id_t profile, scheduler, wred;
};

/* Returns the object that attribute 'id' of 'oid' names. */
static sai_object_id_t
read_oid(const struct show *show, sai_object_type_t type, sai_object_id_t oid,
         sai_attr_id_t id)
{
    sai_attribute_value_t value = {.oid = SAI_NULL_OBJECT_ID};

    return switch_query_get(show->context->query, type, oid, id, &value)
               ? value.oid
               : SAI_NULL_OBJECT_ID;
}

static struct used
read_pg(const struct show *show, sai_object_id_t pg)
{
    return (struct used){
        read_oid(show, SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, pg,
                 SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE),
        SAI_NULL_OBJECT_ID, SAI_NULL_OBJECT_ID};
}

/* Reads the scheduler of the group above the queue if there is one, else of the
 * queue. */
static struct used
read_queue(const struct show *show, const struct object *port,
           const struct switch_query_object *queue)
{
    sai_object_id_t group = port_group_oid(port, (int)queue->index);

    return (struct used){
        read_oid(show, SAI_OBJECT_TYPE_QUEUE, queue->oid,
                 SAI_QUEUE_ATTR_BUFFER_PROFILE_ID),
        group == SAI_NULL_OBJECT_ID
            ? read_oid(show, SAI_OBJECT_TYPE_QUEUE, queue->oid,
                       SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID)
            : read_oid(show, SAI_OBJECT_TYPE_SCHEDULER_GROUP, group,
                       SAI_SCHEDULER_GROUP_ATTR_SCHEDULER_PROFILE_ID),
        read_oid(show, SAI_OBJECT_TYPE_QUEUE, queue->oid,
                 SAI_QUEUE_ATTR_WRED_PROFILE_ID)};
}

/* Returns whether to show the priority group or queue 'index'. */
static bool
show_wants_place(const struct show *show, uint32_t index,
                 const struct used *used)
{
    if (show->has_index) {
        return index == show->index;
    }
    return show->everything || used->profile || used->scheduler || used->wred;
}

/* Stores the ids of the priority groups or queues of 'port' in 'oids', as
 * switch_query_children() does; VOQs are those that orchd has read with their
 * system port. */
static uint32_t
list_places(const struct show *show, const struct object *port,
            sai_object_id_t *oids)
{
    const struct port_children *children = port->port_children;
    uint32_t n;

    if (port->name.table == TABLE_PORT) {
        return switch_query_children(show->context->query, port->oid,
                                     show->kind, oids);
    }
    n = children->n_queues < SWITCH_QUERY_CHILDREN_MAX
            ? children->n_queues
            : SWITCH_QUERY_CHILDREN_MAX;
    memcpy(oids, children->queue_oids, n * sizeof *oids);
    return n;
}

/* Adds the priority groups or queues of one port. */
static void
show_places(struct show *show, const struct object *port)
{
    sai_object_id_t oids[SWITCH_QUERY_CHILDREN_MAX];
    uint32_t n = list_places(show, port, oids);

    for (uint32_t i = 0; i < n; i++) {
        struct switch_query_object place = {show->kind, port->name.name, i,
                                            oids[i]};
        bool queue = show->kind == SWITCH_QUERY_QUEUE;
        struct used used =
            queue ? read_queue(show, port, &place) : read_pg(show, oids[i]);
        json_t *shown;

        if (!show_wants_place(show, i, &used)) {
            continue;
        }
        shown = switch_query_snapshot(show->context->query, &place);
        json_object_set_new(shown, "oid", value_oid(oids[i]));
        json_object_set_new(shown, "profile",
                            value_name(show->names, used.profile));
        if (queue) {
            json_object_set_new(shown, "scheduler",
                                value_name(show->names, used.scheduler));
            json_object_set_new(shown, "wred",
                                value_name(show->names, used.wred));
        }
        json_array_append_new(show->list, shown);
    }
}

/* Adds the priority groups or queues of a port. */
static void
places_visit(void *context, const struct object *object)
{
    struct show *show = context;

    if (show_has_places(show, object)) {
        show_places(show, object);
    }
}

/* Runs 'show' for the port, or the priority group or queue "Ethernet0|3", that
 * 'call' names. */
static void
show_run_places(struct call *call, struct show *show, const char *name)
{
    const struct agent *agent = call->context->services.agent;
    const char *only = call_text(call, "name", NULL);
    size_t length;

    if (only && !agent_object(agent, TABLE_PORT, only, -1) &&
        !agent_object(agent, TABLE_SYSTEM_PORT, only, -1) &&
        !parse_place(only, SWITCH_QUERY_CHILDREN_MAX - 1, &length,
                     &show->index)) {
        show->has_index = true;
        json_object_set_new(call->arguments, "name",
                            json_stringn(only, length));
    }
    show_run(call, show, name, places_visit);
}

void
show_pgs(struct call *call)
{
    static const enum table tables[] = {TABLE_BUFFER_PG};
    struct show show = {
        .tables = tables, .n_tables = 1, .kind = SWITCH_QUERY_PG};

    show_run_places(call, &show, "pgs");
}

void
show_queues(struct call *call)
{
    static const enum table tables[] = {TABLE_BUFFER_QUEUE, TABLE_QUEUE};
    struct show show = {
        .tables = tables, .n_tables = 2, .kind = SWITCH_QUERY_QUEUE};

    show_run_places(call, &show, "queues");
}
