/* SPDX-License-Identifier: Apache-2.0 */

/* Reads one attribute of all objects of a type at a time. */

#include <config.h>

#include "orchd/reconcile/stale_objects.h"

#include <stdlib.h>

#include "base/check.h"
#include "orchd/reconcile/chassis_ports.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/ports.h"
#include "orchd/reconcile/scheduler_groups.h"
#include "orchd/translate/translate.h"
#include "sai/core/attr_value.h"
#include "sai/core/backend.h"
#include "sai/core/bulk_get.h"

/* A switch, port, queue, priority group or scheduler group on the ASIC, and its
 * name. */
struct binding_point {
    sai_object_id_t oid;
    struct object_name name;
    struct object *object; /* NULL: not in the graph. */
};

/* All of one type. */
struct binding_points {
    struct graph *graph;
    sai_object_type_t type;
    struct binding_point *list;
    uint32_t n, size;
};

static void
add_point(struct binding_points *points, sai_object_id_t oid,
          const struct object_name *name, struct object *object)
{
    if (points->n == points->size) {
        points->size = points->size ? 2 * points->size : 64;
        points->list =
            check_realloc(points->list, points->size * sizeof *points->list);
    }
    points->list[points->n++] = (struct binding_point){oid, *name, object};
}

/* Adds the 'n' children of 'port' that are objects of 'table'.  Skips those
 * without an id, and those with the id of an earlier one: a scheduler group has
 * the name of its lowest queue. */
static void
add_children(struct binding_points *points, const struct object *port,
             enum table table, uint32_t n, const sai_object_id_t *oids)
{
    struct object **objects = check_calloc(n + 1u, sizeof(struct object *));
    struct object_name name = {.name = port->name.name, .table = table};

    for (struct object *child = object_children(port); child;
         child = child->sibling) {
        if (child->name.table == table && (uint32_t)child->name.index < n) {
            objects[child->name.index] = child;
        }
    }
    for (uint32_t i = 0; i < n && oids; i++) {
        bool again = oids[i] == SAI_NULL_OBJECT_ID;

        for (uint32_t k = 0; k < i && !again; k++) {
            again = oids[k] == oids[i];
        }
        name.index = (int)i;
        if (!again) {
            add_point(points, oids[i], &name, objects[i]);
        }
    }
    free(objects);
}

/* Adds the objects of that type that belong to 'port'. */
static void
add_points_of_port(struct binding_points *points, struct object *port)
{
    const struct port_children *there = port->port_children;

    switch (points->type) {
    case SAI_OBJECT_TYPE_PORT:
        add_point(points, port->oid, &port->name, port);
        break;
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        add_children(points, port, TABLE_BUFFER_PG, there->n_pgs,
                     there->pg_oids);
        break;
    case SAI_OBJECT_TYPE_QUEUE:
        add_children(points, port, TABLE_BUFFER_QUEUE, there->n_queues,
                     there->queue_oids);
        break;
    case SAI_OBJECT_TYPE_SCHEDULER_GROUP:
        add_children(points, port, TABLE_QUEUE, there->n_queues,
                     there->group_oids);
        break;
    default:
        break;
    }
}

/* Collects all objects of a type on claimed ports. */
static void
collect(struct binding_points *points)
{
    struct object *the_switch = graph_switch(points->graph);

    if (points->type == SAI_OBJECT_TYPE_SWITCH) {
        add_point(points, the_switch->oid, &the_switch->name, the_switch);
    }
    for (struct object *object = points->graph->objects; object;
         object = object->next) {
        if (object->port_children && object_exists(object) &&
            (object->class == OBJECT_CLAIMED ||
             points->type == SAI_OBJECT_TYPE_QUEUE)) {
            add_points_of_port(points, object);
        }
    }
}

/* Returns whether the condition of the attribute holds for 'point'; if not,
 * what it reads as means nothing. */
static bool
is_there(const struct binding_point *point,
         const struct metadata_attribute *meta, sai_object_type_t type)
{
    bool there = meta->n_terms == 0;

    for (uint16_t i = 0; i < meta->n_terms && !there; i++) {
        const struct metadata_attribute *other =
            metadata_attribute(type, meta->terms[i].id);
        const sai_attribute_value_t *held =
            point->object ? object_value(point->object, meta->terms[i].id)
                          : NULL;
        sai_attribute_value_t default_value;

        if (!held && metadata_default(other, &default_value)) {
            held = &default_value;
        }
        there =
            held && metadata_number(other->kind, held) == meta->terms[i].value;
    }
    return there;
}

/* Returns whether the graph says what 'point' is to hold, or whether a row of
 * 'table' that may want something of it waits. */
static bool
is_spoken_for(const struct binding_point *point, enum table table,
              sai_attr_id_t id)
{
    const struct object *object = point->object;
    const struct slot *slot = object ? object_slot(object, id) : NULL;

    if (slot && (slot->want || slot->held || slot->uncertain)) {
        return true;
    }
    for (const struct claim *claim = object ? object->claims : NULL; claim;
         claim = claim->next_on_object) {
        if (claim->source->table == table && claim->wins && !claim->ready) {
            return true;
        }
    }
    return false;
}

/* Marks the attribute of 'point' as uncertain. */
static void
mark(struct graph *graph, const struct binding_point *point,
     const struct metadata_attribute *meta)
{
    struct object *object = point->object;

    if (!object) {
        object = graph_make_object(graph, &point->name);
    }
    object_slot_make(object, meta)->uncertain = true;
    graph_mark(object);
}

/* Finds stale values of one attribute that rows of 'table' can set. */
static size_t
find_attribute(const struct binding_points *points, struct sai_backend *backend,
               enum table table, const struct metadata_attribute *meta)
{
    const struct binding_point **asked =
        check_calloc(points->n + 1u, sizeof(struct binding_point *));
    sai_object_id_t *oids = check_calloc(points->n + 1u, sizeof *oids);
    sai_attribute_value_t default_value;
    struct bulk_get column;
    uint32_t n = 0;
    size_t n_left = 0;

    for (uint32_t i = 0;
         i < points->n && metadata_default(meta, &default_value); i++) {
        if (is_there(&points->list[i], meta, points->type) &&
            !is_spoken_for(&points->list[i], table, meta->id)) {
            asked[n] = &points->list[i];
            oids[n++] = points->list[i].oid;
        }
    }
    bulk_get_read(&column, backend, points->type, meta->id, n, oids);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *value = bulk_get_value(&column, i);

        if (value && !attr_value_equal(meta->kind, value, &default_value)) {
            mark(points->graph, asked[i], meta);
            n_left++;
        }
    }
    bulk_get_fini(&column);
    free(oids);
    free(asked);
    return n_left;
}

/* Returns whether 'meta' binds an object, or is a PFC setting.  Other
 * attributes of ports are left alone. */
static bool
is_binding(const struct graph *graph, sai_object_type_t type,
           const struct metadata_attribute *meta)
{
    if (type == SAI_OBJECT_TYPE_QUEUE &&
        meta->id == SAI_QUEUE_ATTR_SCHEDULER_PROFILE_ID) {
        return graph->schedules_queues;
    }
    return meta->kind == KIND_OID || meta->kind == KIND_OBJLIST ||
           (type == SAI_OBJECT_TYPE_PORT &&
            (meta->id == SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL ||
             meta->id == SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_MODE ||
             meta->id == SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_RX ||
             meta->id == SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_TX));
}

/* Finds stale values on objects of one type.  Skips tables that have a row that
 * is not in force, since it is unknown what that row means. */
static size_t
find_on(struct binding_points *points, struct sai_backend *backend,
        const bool *has_unknown_rows)
{
    const struct metadata_object *type = metadata_object(points->type);
    size_t n = 0;

    collect(points);
    for (uint16_t i = 0; i < type->n_attributes; i++) {
        const struct metadata_attribute *meta = &type->attributes[i];
        enum table table;

        if (is_binding(points->graph, points->type, meta) &&
            translate_may_want(points->type, meta->id, &table) &&
            !has_unknown_rows[table]) {
            n += find_attribute(points, backend, table, meta);
        }
    }
    free(points->list);
    return n;
}

/* Reads the scheduler groups of ports for which no row needed them. */
static void
read_groups(struct graph *graph, struct sai_backend *backend)
{
    struct object **ports =
        check_calloc(graph->objects_by_name.n, sizeof(struct object *));
    sai_status_t *statuses;
    uint32_t n = 0;

    for (struct object *object = graph->objects; object;
         object = object->next) {
        if (object->class == OBJECT_CLAIMED && object_exists(object) &&
            !object->port_children->group_oids) {
            ports[n++] = object;
        }
    }
    statuses = check_calloc(n + 1u, sizeof *statuses);
    if (n) {
        scheduler_groups_read(backend, n, ports, statuses);
    }
    free(statuses);
    free(ports);
}

/* --- Ports without a row ---------------------------------------------- */

/* Resets attribute 'meta' of 'n' objects to its default. */
static void
reset_attribute(struct sai_backend *backend, sai_object_type_t type,
                const struct metadata_attribute *meta, uint32_t n,
                const sai_object_id_t *oids)
{
    sai_object_id_t *bound = check_calloc(n + 1u, sizeof *bound);
    sai_attribute_t *attributes = check_calloc(n + 1u, sizeof *attributes);
    sai_status_t *statuses = check_calloc(n + 1u, sizeof *statuses);
    sai_attribute_value_t default_value;
    struct bulk_get column;
    uint32_t n_bound = 0;

    bulk_get_read(&column, backend, type, meta->id, n, oids);
    for (uint32_t i = 0; i < n && metadata_default(meta, &default_value); i++) {
        const sai_attribute_value_t *value = bulk_get_value(&column, i);

        if (value && !attr_value_equal(meta->kind, value, &default_value)) {
            attributes[n_bound] = (sai_attribute_t){meta->id, default_value};
            bound[n_bound++] = oids[i];
        }
    }
    if (n_bound) {
        /* A refused reset leaves the value; the end of the adoption reports it.
         */
        (void)backend_set_many(backend, type, n_bound, bound, attributes,
                               SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses);
    }
    bulk_get_fini(&column);
    free(statuses);
    free(attributes);
    free(bound);
}

/* Returns the children of one type of 'n' ports; the caller frees them. */
static sai_object_id_t *
list_children(struct sai_backend *backend, sai_attr_id_t list, uint32_t n,
              const sai_object_id_t *ports, uint32_t *n_children)
{
    sai_object_id_t *oids;
    struct bulk_get lists;

    *n_children = 0;
    bulk_get_read(&lists, backend, SAI_OBJECT_TYPE_PORT, list, n, ports);
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *value = bulk_get_value(&lists, i);

        *n_children += value ? value->objlist.count : 0;
    }
    oids = check_calloc(*n_children + 1u, sizeof *oids);
    *n_children = 0;
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_value_t *value = bulk_get_value(&lists, i);

        for (uint32_t k = 0; value && k < value->objlist.count; k++) {
            oids[(*n_children)++] = value->objlist.list[k];
        }
    }
    bulk_get_fini(&lists);
    return oids;
}

/* Resets what is bound to objects of 'type'. */
static void
reset_objects(const struct graph *graph, struct sai_backend *backend,
              sai_object_type_t type, uint32_t n, const sai_object_id_t *oids)
{
    const struct metadata_object *object = metadata_object(type);

    for (uint16_t i = 0; i < object->n_attributes; i++) {
        const struct metadata_attribute *meta = &object->attributes[i];

        if (is_binding(graph, type, meta) &&
            translate_may_want(type, meta->id, NULL)) {
            reset_attribute(backend, type, meta, n, oids);
        }
    }
}

/* Resets the VOQs of system ports that no row names, unless a row SYSTEM_PORT
 * is not in force. */
static void
clear_voqs(const struct graph *graph, struct sai_backend *backend)
{
    sai_object_id_t *voqs;
    uint32_t n;

    for (const struct source *source = graph->sources; source;
         source = source->next) {
        if (source->table == TABLE_SYSTEM_PORT && !source->in_force) {
            return;
        }
    }
    voqs = chassis_ports_unnamed(graph, &n);
    reset_objects(graph, backend, SAI_OBJECT_TYPE_QUEUE, n, voqs);
    free(voqs);
}

void
stale_objects_clear_left(struct graph *graph, struct sai_backend *backend)
{
    uint32_t n;
    sai_object_id_t *voqs = chassis_ports_take_left(graph, &n);

    if (n) {
        reset_objects(graph, backend, SAI_OBJECT_TYPE_QUEUE, n, voqs);
    }
    free(voqs);
}

void
stale_objects_clear_ports(const struct graph *graph, const struct ports *ports,
                          struct sai_backend *backend)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t list;
    } lists[] = {
        {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
         SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST},
        {SAI_OBJECT_TYPE_QUEUE, SAI_PORT_ATTR_QOS_QUEUE_LIST},
        {SAI_OBJECT_TYPE_SCHEDULER_GROUP,
         SAI_PORT_ATTR_QOS_SCHEDULER_GROUP_LIST},
    };
    uint32_t n, n_children;
    sai_object_id_t *oids;

    clear_voqs(graph, backend);
    for (const struct source *source = graph->sources; source;
         source = source->next) {
        if (source->table == TABLE_PORT &&
            (!source->in_force || !object_exists(source->claims->object))) {
            return;
        }
    }
    oids = ports_unclaimed(ports, &n);
    reset_objects(graph, backend, SAI_OBJECT_TYPE_PORT, n, oids);
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        sai_object_id_t *points =
            list_children(backend, lists[i].list, n, oids, &n_children);

        reset_objects(graph, backend, lists[i].type, n_children, points);
        free(points);
    }
    free(oids);
}

size_t
stale_objects_find(struct graph *graph, struct sai_backend *backend)
{
    static const sai_object_type_t types[] = {
        SAI_OBJECT_TYPE_SWITCH, SAI_OBJECT_TYPE_PORT,
        SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP, SAI_OBJECT_TYPE_QUEUE,
        SAI_OBJECT_TYPE_SCHEDULER_GROUP};
    bool has_unknown_rows[N_TABLES] = {false};
    size_t n = 0;

    for (const struct source *source = graph->sources; source;
         source = source->next) {
        has_unknown_rows[source->table] |= source->present && !source->in_force;
    }
    if (!graph->schedules_queues) {
        read_groups(graph, backend);
    }
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct binding_points points = {.graph = graph, .type = types[i]};

        n += find_on(&points, backend, has_unknown_rows);
    }
    return n;
}
