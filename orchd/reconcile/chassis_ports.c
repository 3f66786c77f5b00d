/* SPDX-License-Identifier: Apache-2.0 */

/* Reads system ports with their VOQs, and matches them with rows. */

#include <config.h>

#include "orchd/reconcile/chassis_ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/intent/content.h"
#include "orchd/intent/intent.h"
#include "orchd/reconcile/graph.h"
#include "orchd/reconcile/listener.h"
#include "sai/core/bulk_get.h"

/* A system port of the ASIC. */
struct system_port {
    sai_object_id_t oid;
    sai_system_port_config_t config;
    sai_object_id_t *voqs; /* Owned. */
    uint32_t n_voqs;
    struct object *owner; /* That it was given to, if its oid is still the one
                           * above; NULL: none.  One that has an oid is not
                           * freed. */
    const struct object *lost;  /* That has had it, ... */
    const struct object *named; /* ... and that has it now: the listener does
                                 * not know yet. */
    bool is_left; /* Its VOQs may have what an object that had it wanted. */
};

struct chassis_ports {
    uint32_t n;
    bool any_news; /* Some are lost or named. */
    bool any_left; /* Some may not have been taken. */
    struct system_port items[];
};

static uint32_t
number_of(const struct field *fields, size_t n, const char *name)
{
    const char *text = content_find(fields, n, name);

    return text ? (uint32_t)strtoul(text, NULL, 10) : 0;
}

void
chassis_ports_config(const struct field *fields, size_t n,
                     sai_system_port_config_t *config)
{
    *config = (sai_system_port_config_t){
        .port_id = number_of(fields, n, "system_port_id"),
        .attached_switch_id = number_of(fields, n, "switch_id"),
        .attached_core_index = number_of(fields, n, "core_index"),
        .attached_core_port_index = number_of(fields, n, "core_port_index"),
        .speed = number_of(fields, n, "speed"),
        .num_voq = number_of(fields, n, "num_voq"),
    };
}

bool
chassis_ports_conflict(const sai_system_port_config_t *a,
                       const sai_system_port_config_t *b)
{
    return a->port_id == b->port_id ||
           (a->attached_switch_id == b->attached_switch_id &&
            a->attached_core_index == b->attached_core_index &&
            a->attached_core_port_index == b->attached_core_port_index);
}

const char *
chassis_ports_rival(const struct source *source)
{
    sai_system_port_config_t config, other;
    const char *rival = NULL;

    chassis_ports_config(source->content->fields, source->content->n, &config);
    for (const struct source *i = source->graph->sources; i; i = i->next) {
        if (i == source || i->table != TABLE_SYSTEM_PORT || !i->in_force) {
            continue;
        }
        chassis_ports_config(i->content->fields, i->content->n, &other);
        if (chassis_ports_conflict(&config, &other) &&
            (!rival || strcmp(source_key(i), rival) < 0)) {
            rival = source_key(i);
        }
    }
    return rival;
}

/* Notes that 'port' is no longer that of 'object'. */
static void
note_loss(struct chassis_ports *ports, struct system_port *port,
          const struct object *object)
{
    port->is_left = ports->any_left = true;
    if (port->owner == object) {
        port->owner = NULL; /* It may be freed. */
    }
    if (port->named == object) {
        port->named = NULL; /* The listener does not know it. */
    } else {
        port->lost = object;
        ports->any_news = true;
    }
}

/* Forgets what 'object' has on the VOQs of its system port, which becomes that
 * of another row or of none. */
static void
leave(const struct object *object)
{
    struct chassis_ports *ports = object->graph->chassis_ports;

    for (const struct object *child = object_children(object); child;
         child = child->sibling) {
        for (size_t i = 0; i < child->n_slots; i++) {
            object_release(child, &child->slots[i]);
        }
    }
    for (uint32_t i = 0; ports && i < ports->n; i++) {
        if (ports->items[i].oid == object->oid) {
            note_loss(ports, &ports->items[i], object);
        }
    }
}

/* Gives 'found' to 'object', which a row of SYSTEM_PORT names; NULL: none. */
static void
give(struct object *object, struct system_port *found)
{
    struct chassis_ports *ports = object->graph->chassis_ports;
    struct port_children *children = object->port_children;

    if (object->oid != SAI_NULL_OBJECT_ID &&
        (!found || found->oid != object->oid)) {
        leave(object);
    }
    object->oid = found ? found->oid : SAI_NULL_OBJECT_ID;
    object->fresh = true;
    free(children->queue_oids);
    children->queue_oids = NULL;
    children->n_queues = found ? found->n_voqs : 0;
    if (found) {
        found->owner = object;
        found->named = object;
        ports->any_news = true;
        children->queue_oids =
            check_calloc(found->n_voqs + 1u, sizeof *children->queue_oids);
        memcpy(children->queue_oids, found->voqs,
               found->n_voqs * sizeof *found->voqs);
    }
    for (struct object *child = object_children(object); child;
         child = child->sibling) {
        object_locate(child);
        graph_mark(child);
    }
    graph_mark(object);
    graph_mark_referrers(object);
}

/* Returns the object of another row that has 'port', or NULL. */
static struct object *
other_owner(const struct system_port *port, const struct object *object)
{
    struct object *owner = port->owner;

    return owner && owner != object && owner->oid == port->oid ? owner : NULL;
}

/* Returns whether 'owner' keeps its system port, which 'object' wants: its row
 * is in force, and its key is less. */
static bool
keeps(const struct object *owner, const struct object *object)
{
    const struct source *source = graph_find_source(
        owner->graph, TABLE_SYSTEM_PORT, owner->name.name);

    return source && source->in_force &&
           strcmp(owner->name.name, object->name.name) < 0;
}

/* Makes 'object', which a row of SYSTEM_PORT names, the one with 'config'.  Of
 * two rows with all the same numbers, the one whose key is less has it. */
static void
match(struct object *object, const sai_system_port_config_t *config)
{
    struct chassis_ports *ports = object->graph->chassis_ports;
    struct system_port *found = NULL;
    struct object *other;

    for (uint32_t i = 0; ports && i < ports->n && !found; i++) {
        if (!memcmp(&ports->items[i].config, config, sizeof *config)) {
            found = &ports->items[i];
        }
    }
    other = found ? other_owner(found, object) : NULL;
    if (other && keeps(other, object)) {
        found = NULL;
    } else if (other) {
        give(other, NULL);
    }
    give(object, found);
}

/* Matches the objects of rows that have no system port. */
static void
match_rest(struct graph *graph)
{
    for (struct source *source = graph->sources; source;
         source = source->next) {
        const struct object_name name = {source_key(source), TABLE_SYSTEM_PORT,
                                         -1};
        struct object *object;
        sai_system_port_config_t config;

        if (source->table != TABLE_SYSTEM_PORT || !source->in_force) {
            continue;
        }
        object = graph_find_object(graph, &name);
        if (object->oid == SAI_NULL_OBJECT_ID) {
            chassis_ports_config(source->content->fields, source->content->n,
                                 &config);
            match(object, &config);
        }
    }
}

void
chassis_ports_name(struct graph *graph, const struct row *row)
{
    const struct object_name name = {row->key, TABLE_SYSTEM_PORT, -1};
    struct object *object = graph_find_object(graph, &name);
    const sai_object_id_t had = object ? object->oid : SAI_NULL_OBJECT_ID;
    const bool is_there = object && row->present && row->effective;
    sai_system_port_config_t config;

    if (is_there) {
        chassis_ports_config(row->fields, row->n_fields, &config);
        match(object, &config);
    } else if (had != SAI_NULL_OBJECT_ID) {
        give(object, NULL);
    }
    /* Rows with the same numbers may have been there before. */
    if (had != SAI_NULL_OBJECT_ID && (!is_there || object->oid != had)) {
        match_rest(graph);
    }
}

/* Fills 'port' from the 'i'th of what was read. */
static void
take(struct system_port *port, sai_object_id_t oid,
     const struct bulk_get *configs, const struct bulk_get *lists, uint32_t i)
{
    const sai_attribute_value_t *config = bulk_get_value(configs, i);
    const sai_attribute_value_t *list = bulk_get_value(lists, i);

    port->oid = oid;
    if (config) {
        port->config = config->sysportconfig;
    }
    if (list && list->objlist.count) {
        port->n_voqs = list->objlist.count;
        port->voqs = check_calloc(port->n_voqs, sizeof *port->voqs);
        memcpy(port->voqs, list->objlist.list,
               port->n_voqs * sizeof *port->voqs);
    }
}

/* Reads the details of the 'n' system ports at 'oids'. */
static struct chassis_ports *
read_details(struct sai_backend *backend, uint32_t n,
             const sai_object_id_t *oids)
{
    struct chassis_ports *ports =
        check_calloc(1, sizeof *ports + n * sizeof *ports->items);
    struct bulk_get configs, lists;

    bulk_get_read(&configs, backend, SAI_OBJECT_TYPE_SYSTEM_PORT,
                  SAI_SYSTEM_PORT_ATTR_CONFIG_INFO, n, oids);
    bulk_get_read(&lists, backend, SAI_OBJECT_TYPE_SYSTEM_PORT,
                  SAI_SYSTEM_PORT_ATTR_QOS_VOQ_LIST, n, oids);
    ports->n = n;
    for (uint32_t i = 0; i < n; i++) {
        take(&ports->items[i], oids[i], &configs, &lists, i);
    }
    bulk_get_fini(&lists);
    bulk_get_fini(&configs);
    return ports;
}

void
chassis_ports_read(struct graph *graph, struct sai_backend *backend)
{
    struct bulk_get all;
    const sai_attribute_value_t *list;

    chassis_ports_forget(graph);
    bulk_get_read(&all, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_SYSTEM_PORT_LIST, 1, &backend->switch_id);
    list = bulk_get_value(&all, 0);
    if (list && list->objlist.count) {
        graph->chassis_ports =
            read_details(backend, list->objlist.count, list->objlist.list);
        match_rest(graph);
    }
    bulk_get_fini(&all);
}

/* Notifies 'listener' that 'port' and its VOQs are not those of the row of
 * 'object' any longer. */
static void
notify_lost(const struct listener *listener, const struct object *object,
            const struct system_port *port)
{
    for (const struct object *child = object_children(object); child;
         child = child->sibling) {
        if ((uint32_t)child->name.index < port->n_voqs) {
            listener_notify_gone(listener, child,
                                 port->voqs[child->name.index]);
        }
    }
    listener_notify_gone(listener, object, port->oid);
}

void
chassis_ports_notify(struct graph *graph, const struct listener *listener)
{
    struct chassis_ports *ports = graph->chassis_ports;

    if (!ports || !ports->any_news) {
        return;
    }
    ports->any_news = false;
    for (uint32_t i = 0; i < ports->n; i++) {
        if (ports->items[i].lost) {
            notify_lost(listener, ports->items[i].lost, &ports->items[i]);
            ports->items[i].lost = NULL;
        }
    }
    for (uint32_t i = 0; i < ports->n; i++) {
        if (ports->items[i].named) {
            listener_notify_appeared(listener, ports->items[i].named);
            ports->items[i].named = NULL;
        }
    }
}

/* Adds the VOQs of 'port' to '*voqs', which has '*n'. */
static void
add_voqs(const struct system_port *port, sai_object_id_t **voqs, uint32_t *n)
{
    *voqs = check_realloc(*voqs, (*n + port->n_voqs + 1u) * sizeof **voqs);
    for (uint32_t i = 0; i < port->n_voqs; i++) {
        (*voqs)[(*n)++] = port->voqs[i];
    }
}

sai_object_id_t *
chassis_ports_take_left(struct graph *graph, uint32_t *n)
{
    struct chassis_ports *ports = graph->chassis_ports;
    sai_object_id_t *voqs = NULL;

    *n = 0;
    for (uint32_t i = 0; ports && ports->any_left && i < ports->n; i++) {
        if (ports->items[i].is_left) {
            add_voqs(&ports->items[i], &voqs, n);
            ports->items[i].is_left = false;
        }
    }
    if (ports) {
        ports->any_left = false;
    }
    return voqs;
}

/* Returns whether the object of a row has system port 'oid'. */
static bool
is_named(const struct graph *graph, sai_object_id_t oid)
{
    for (const struct object *object = graph->objects; object;
         object = object->next) {
        if (object->oid == oid && object->name.table == TABLE_SYSTEM_PORT) {
            return true;
        }
    }
    return false;
}

sai_object_id_t *
chassis_ports_unnamed(const struct graph *graph, uint32_t *n)
{
    const struct chassis_ports *ports = graph->chassis_ports;
    sai_object_id_t *voqs = NULL;

    *n = 0;
    for (uint32_t i = 0; ports && i < ports->n; i++) {
        const struct system_port *port = &ports->items[i];

        if (!is_named(graph, port->oid)) {
            add_voqs(port, &voqs, n);
        }
    }
    return voqs;
}

uint32_t
chassis_ports_count(const struct graph *graph)
{
    return graph->chassis_ports ? graph->chassis_ports->n : 0;
}

void
chassis_ports_forget(struct graph *graph)
{
    struct chassis_ports *ports = graph->chassis_ports;

    for (uint32_t i = 0; ports && i < ports->n; i++) {
        free(ports->items[i].voqs);
    }
    free(ports);
    graph->chassis_ports = NULL;
}
