/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the children and limits of ports, in one call for many, and lists the
 * ports in which something changed. */

#include <config.h>

#include "orchd/reconcile/port_details.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/graph.h"
#include "sai/core/bulk_get.h"

static void
mark_changed(struct object *port)
{
    if (!port->port_children->is_changed) {
        port->port_children->is_changed = true;
        port->port_children->next_changed = port->graph->changed_ports;
        port->graph->changed_ports = port;
    }
}

static void
unmark_changed(struct object *port)
{
    struct object **link = &port->graph->changed_ports;

    if (port->port_children->is_changed) {
        while (*link != port) {
            link = &(*link)->port_children->next_changed;
        }
        *link = port->port_children->next_changed;
        port->port_children->is_changed = false;
    }
}

const struct object *
port_details_take_changed(struct graph *graph)
{
    struct object *port = graph->changed_ports;

    if (port) {
        unmark_changed(port);
    }
    return port;
}

void
port_details_note(struct object *object, const struct metadata_attribute *meta,
                  const sai_attribute_value_t *value)
{
    if (object->type == SAI_OBJECT_TYPE_PORT && object->port_children &&
        meta->id == SAI_PORT_ATTR_ADMIN_STATE) {
        object->port_children->is_up = value->booldata;
        mark_changed(object);
    }
}

/* Returns a copy of the list of ids in 'value'; the caller frees it. */
static sai_object_id_t *
copy_oids(const sai_attribute_value_t *value, uint32_t *n)
{
    const sai_object_list_t *list = &value->objlist;
    sai_object_id_t *oids = check_calloc(list->count + 1u, sizeof *oids);

    *n = list->count;
    if (list->count) {
        memcpy(oids, list->list, list->count * sizeof *oids);
    }
    return oids;
}

/* What is read from ports: their children, and what the derivation of rows
 * needs. Many devices do not report all of it. */
enum { PGS, QUEUES, ADMIN, HEADROOM, SPEEDS, N_READ };

static const sai_attr_id_t read_ids[N_READ] = {
    [PGS] = SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
    [QUEUES] = SAI_PORT_ATTR_QOS_QUEUE_LIST,
    [ADMIN] = SAI_PORT_ATTR_ADMIN_STATE,
    [HEADROOM] = SAI_PORT_ATTR_QOS_MAXIMUM_HEADROOM_SIZE,
    [SPEEDS] = SAI_PORT_ATTR_SUPPORTED_SPEED,
};

/* Records the speeds that a port can have. */
static void
take_speeds(struct port_children *children, const sai_u32_list_t *speeds)
{
    uint32_t *copy = check_calloc(speeds->count, sizeof *copy);

    memcpy(copy, speeds->list, speeds->count * sizeof *copy);
    children->speeds_mbps = copy;
    children->n_speeds = speeds->count;
    for (uint32_t i = 0; i < speeds->count; i++) {
        if (copy[i] > children->supported_mbps) {
            children->supported_mbps = copy[i];
        }
    }
}

/* Records what was read from 'port', the 'i'th in 'columns'. */
static sai_status_t
take_children(struct object *port, const struct bulk_get *columns, uint32_t i)
{
    const sai_attribute_value_t *values[N_READ];
    struct port_children *children = port->port_children;

    for (int k = 0; k < N_READ; k++) {
        values[k] = bulk_get_value(&columns[k], i);
    }
    if (values[PGS]) {
        children->pg_oids = copy_oids(values[PGS], &children->n_pgs);
    }
    if (values[QUEUES]) {
        children->queue_oids = copy_oids(values[QUEUES], &children->n_queues);
    }
    children->is_up = values[ADMIN] && values[ADMIN]->booldata;
    children->max_headroom_bytes = values[HEADROOM] ? values[HEADROOM]->u32 : 0;
    if (values[SPEEDS] && values[SPEEDS]->u32list.count) {
        take_speeds(children, &values[SPEEDS]->u32list);
    }
    mark_changed(port);
    return values[PGS] ? columns[QUEUES].statuses[i] : columns[PGS].statuses[i];
}

void
port_details_read(struct sai_backend *backend, uint32_t n,
                  struct object *const *ports, sai_status_t *statuses)
{
    sai_object_id_t *oids = check_calloc(n, sizeof *oids);
    struct bulk_get columns[N_READ];

    for (uint32_t i = 0; i < n; i++) {
        oids[i] = ports[i]->oid;
    }
    for (int k = 0; k < N_READ; k++) {
        bulk_get_read(&columns[k], backend, SAI_OBJECT_TYPE_PORT, read_ids[k],
                      n, oids);
    }
    for (uint32_t i = 0; i < n; i++) {
        port_details_forget(ports[i]);
        statuses[i] = take_children(ports[i], columns, i);
        for (struct object *child = object_children(ports[i]); child;
             child = child->sibling) {
            object_locate(child);
            graph_mark(child);
        }
    }
    for (int k = 0; k < N_READ; k++) {
        bulk_get_fini(&columns[k]);
    }
    free(oids);
}

void
port_details_read_cpu(struct sai_backend *backend, struct object *cpu)
{
    const sai_attribute_value_t *port, *list = NULL;
    struct bulk_get ports, queues = {0};

    port_details_forget(cpu);
    cpu->oid = SAI_NULL_OBJECT_ID;
    bulk_get_read(&ports, backend, SAI_OBJECT_TYPE_SWITCH,
                  SAI_SWITCH_ATTR_CPU_PORT, 1, &backend->switch_id);
    port = bulk_get_value(&ports, 0);
    if (port) {
        bulk_get_read(&queues, backend, SAI_OBJECT_TYPE_PORT,
                      SAI_PORT_ATTR_QOS_QUEUE_LIST, 1, &port->oid);
        list = bulk_get_value(&queues, 0);
    }
    if (list && list->objlist.count) {
        cpu->oid = port->oid;
        cpu->fresh = true;
        cpu->port_children->queue_oids =
            copy_oids(list, &cpu->port_children->n_queues);
    }
    bulk_get_fini(&queues);
    bulk_get_fini(&ports);
    for (struct object *child = object_children(cpu); child;
         child = child->sibling) {
        object_locate(child);
    }
    graph_mark(cpu);
}

void
port_details_forget(struct object *port)
{
    port->graph->n_port_reads++;
    free(port->port_children->pg_oids);
    free(port->port_children->queue_oids);
    free(port->port_children->group_oids);
    free(port->port_children->speeds_mbps);
    port->port_children->speeds_mbps = NULL;
    port->port_children->n_speeds = port->port_children->supported_mbps = 0;
    port->port_children->pg_oids = port->port_children->queue_oids =
        port->port_children->group_oids = NULL;
    port->port_children->n_pgs = port->port_children->n_queues = 0;
    unmark_changed(port);
    for (struct object *child = object_children(port); child;
         child = child->sibling) {
        child->oid = SAI_NULL_OBJECT_ID;
        graph_mark(child);
    }
}
