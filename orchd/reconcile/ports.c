/* SPDX-License-Identifier: Apache-2.0 */

/* Reading and matching the ports of the ASIC.
 *
 * The register is a plain list: a chip has some hundred ports, and each is
 * looked for once. */

#include <config.h>

#include "orchd/reconcile/ports.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/reconcile/graph.h"
#include "sai/status.h"

/* More than any chip has: a library that says so is not believed. */
enum { MAX_LIST = 1 << 16 };

struct entry {
    sai_object_id_t oid;
    sai_u32_list_t lanes; /* Owned. */
    bool claimed;
};

struct ports {
    struct entry *list;
    size_t n;
};

struct ports *
ports_create(void)
{
    return check_calloc(1, sizeof(struct ports));
}

/* Forgets all ports; the register may be filled again. */
static void
ports_clear_list(struct ports *ports)
{
    for (size_t i = 0; i < ports->n; i++) {
        free(ports->list[i].lanes.list);
    }
    free(ports->list);
    ports->list = NULL;
    ports->n = 0;
}

void
ports_destroy(struct ports *ports)
{
    if (ports) {
        ports_clear_list(ports);
        free(ports);
    }
}

/* Reads a list attribute, whose elements are of 'size' bytes, into memory that
 * the caller frees.  The list members of the value all lie alike, so the
 * object list stands for any of them. */
static sai_status_t
read_list(struct sai_backend *backend, sai_object_type_t type,
          sai_object_id_t oid, sai_attr_id_t id, size_t size, void **list,
          uint32_t *n)
{
    sai_attribute_t attribute = {.id = id};
    sai_status_t status;

    /* Without memory, the first call only asks how much is needed. */
    status = backend->ops->get(backend, type, oid, 1, &attribute);
    if (status == SAI_STATUS_BUFFER_OVERFLOW &&
        attribute.value.objlist.count <= MAX_LIST) {
        attribute.value.objlist.list =
            check_calloc(attribute.value.objlist.count, size);
        status = backend->ops->get(backend, type, oid, 1, &attribute);
    }
    if (status != SAI_STATUS_SUCCESS) {
        free(attribute.value.objlist.list);
        return status;
    }
    *list = attribute.value.objlist.list;
    *n = attribute.value.objlist.count;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
ports_read_list(struct sai_backend *backend, sai_object_type_t type,
                sai_object_id_t oid, sai_attr_id_t id, struct ports_list *list)
{
    void *oids = NULL;
    sai_status_t status =
        read_list(backend, type, oid, id, sizeof *list->oids, &oids, &list->n);

    list->oids = oids;
    return status;
}

/* Fills the register with the ports of the switch and their lanes. */
static sai_status_t
read_ports(struct ports *ports, struct sai_backend *backend)
{
    void *oids = NULL;
    uint32_t n = 0;
    sai_status_t status = read_list(
        backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
        SAI_SWITCH_ATTR_PORT_LIST, sizeof(sai_object_id_t), &oids, &n);

    ports->list = check_calloc(n, sizeof *ports->list);
    for (uint32_t i = 0; i < n && status == SAI_STATUS_SUCCESS; i++) {
        struct entry *port = &ports->list[ports->n];
        void *lanes = NULL;

        port->oid = ((sai_object_id_t *)oids)[i];
        status = read_list(backend, SAI_OBJECT_TYPE_PORT, port->oid,
                           SAI_PORT_ATTR_HW_LANE_LIST, sizeof(uint32_t), &lanes,
                           &port->lanes.count);
        port->lanes.list = lanes;
        ports->n++;
    }
    free(oids);
    return status;
}

enum st
ports_read(struct ports *ports, struct sai_backend *backend, struct err *err)
{
    sai_status_t status;

    ports_clear_list(ports);
    status = read_ports(ports, backend);
    if (status != SAI_STATUS_SUCCESS) {
        return err_set(err, st_from_sai(status), "ports-unreadable",
                       "the ASIC does not tell its ports (SAI status %d)",
                       (int)status);
    }
    return ST_OK;
}

/* Takes entry 'i' out of the register. */
static void
forget(struct ports *ports, size_t i)
{
    free(ports->list[i].lanes.list);
    ports->n--;
    ports->list[i] = ports->list[ports->n];
}

/* The order counts: it says which lane is the first of the port. */
static bool
same_lanes(const sai_u32_list_t *a, const sai_u32_list_t *b)
{
    return a->count == b->count &&
           !memcmp(a->list, b->list, a->count * sizeof *a->list);
}

bool
ports_share_a_lane(const sai_u32_list_t *a, const sai_u32_list_t *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            if (a->list[i] == b->list[j]) {
                return true;
            }
        }
    }
    return false;
}

sai_object_id_t
ports_take(struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        struct entry *port = &ports->list[i];

        if (!port->claimed && same_lanes(&port->lanes, lanes)) {
            port->claimed = true;
            return port->oid;
        }
    }
    return SAI_NULL_OBJECT_ID;
}

bool
ports_taken(const struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].claimed &&
            same_lanes(&ports->list[i].lanes, lanes)) {
            return true;
        }
    }
    return false;
}

bool
ports_overlap(const struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].claimed &&
            ports_share_a_lane(&ports->list[i].lanes, lanes)) {
            return true;
        }
    }
    return false;
}

bool
ports_are_free(const struct ports *ports, const sai_u32_list_t *lanes)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports_share_a_lane(&ports->list[i].lanes, lanes)) {
            return false;
        }
    }
    return true;
}

sai_status_t
ports_clear(struct ports *ports, struct sai_backend *backend,
            const sai_u32_list_t *lanes)
{
    /* From the end, because the last entry takes the place of a forgotten one.
     */
    for (size_t i = ports->n; i-- > 0;) {
        sai_status_t status;

        if (ports->list[i].claimed ||
            !ports_share_a_lane(&ports->list[i].lanes, lanes)) {
            continue;
        }
        status = backend->ops->remove(backend, SAI_OBJECT_TYPE_PORT,
                                      ports->list[i].oid);
        if (status != SAI_STATUS_SUCCESS) {
            return status;
        }
        forget(ports, i);
    }
    return SAI_STATUS_SUCCESS;
}

void
ports_add(struct ports *ports, sai_object_id_t oid, const sai_u32_list_t *lanes)
{
    struct entry *port;

    ports->list =
        check_realloc(ports->list, (ports->n + 1) * sizeof *ports->list);
    port = &ports->list[ports->n++];
    port->oid = oid;
    port->claimed = true;
    port->lanes.count = lanes->count;
    port->lanes.list = check_calloc(lanes->count, sizeof *lanes->list);
    memcpy(port->lanes.list, lanes->list, lanes->count * sizeof *lanes->list);
}

static bool
is_claimed(const struct ports *ports, sai_object_id_t oid)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].oid == oid) {
            return ports->list[i].claimed;
        }
    }
    return false;
}

bool
ports_is_listed(struct sai_backend *backend, sai_object_id_t oid)
{
    struct ports_list list = {.oids = NULL};
    bool found =
        ports_read_list(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                        SAI_SWITCH_ATTR_PORT_LIST, &list) != SAI_STATUS_SUCCESS;

    for (uint32_t i = 0; i < list.n; i++) {
        found |= list.oids[i] == oid;
    }
    free(list.oids);
    return found;
}

void
ports_lose(struct ports *ports, struct sai_backend *backend,
           sai_object_id_t oid)
{
    struct ports fresh = {0};

    for (size_t i = ports->n; i-- > 0;) {
        if (ports->list[i].oid == oid) {
            forget(ports, i);
        }
    }
    if (read_ports(&fresh, backend) != SAI_STATUS_SUCCESS) {
        ports_clear_list(&fresh);
        return;
    }
    for (size_t i = 0; i < fresh.n; i++) {
        fresh.list[i].claimed = is_claimed(ports, fresh.list[i].oid);
    }
    ports_clear_list(ports);
    *ports = fresh;
}

void
ports_give(struct ports *ports, sai_object_id_t oid)
{
    for (size_t i = 0; i < ports->n; i++) {
        if (ports->list[i].oid == oid) {
            ports->list[i].claimed = false;
        }
    }
}

static void
add_news(struct object *port)
{
    if (!port->places->is_news) {
        port->places->is_news = true;
        port->places->next_news = port->graph->news;
        port->graph->news = port;
    }
}

static void
drop_news(struct object *port)
{
    struct object **link = &port->graph->news;

    if (port->places->is_news) {
        while (*link != port) {
            link = &(*link)->places->next_news;
        }
        *link = port->places->next_news;
        port->places->is_news = false;
    }
}

const struct object *
ports_take_news(struct graph *graph)
{
    struct object *port = graph->news;

    if (port) {
        drop_news(port);
    }
    return port;
}

void
ports_note_attribute(struct object *object,
                     const struct metadata_attribute *meta,
                     const sai_attribute_value_t *value)
{
    if (object->type == SAI_OBJECT_TYPE_PORT && object->places &&
        meta->id == SAI_PORT_ATTR_ADMIN_STATE) {
        object->places->is_up = value->booldata;
        add_news(object);
    }
}

/* Reads what the derivation of rows has to know of 'port'.  Devices that do not
 * tell are usual. */
static void
read_limits(struct sai_backend *backend, struct object *port)
{
    sai_attribute_t limit = {.id = SAI_PORT_ATTR_QOS_MAXIMUM_HEADROOM_SIZE};
    sai_attribute_t admin = {.id = SAI_PORT_ATTR_ADMIN_STATE};
    void *speeds = NULL;
    uint32_t n = 0;

    port->places->max_headroom_bytes = port->places->supported_mbps = 0;
    port->places->is_up =
        backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port->oid, 1,
                          &admin) == SAI_STATUS_SUCCESS &&
        admin.value.booldata;
    if (backend->ops->get(backend, SAI_OBJECT_TYPE_PORT, port->oid, 1,
                          &limit) == SAI_STATUS_SUCCESS) {
        port->places->max_headroom_bytes = limit.value.u32;
    }
    if (read_list(backend, SAI_OBJECT_TYPE_PORT, port->oid,
                  SAI_PORT_ATTR_SUPPORTED_SPEED, sizeof(uint32_t), &speeds,
                  &n) == SAI_STATUS_SUCCESS) {
        for (uint32_t i = 0; i < n; i++) {
            uint32_t speed_mbps = ((const uint32_t *)speeds)[i];

            if (speed_mbps > port->places->supported_mbps) {
                port->places->supported_mbps = speed_mbps;
            }
        }
    }
    free(speeds);
    add_news(port);
}

sai_status_t
ports_read_places(struct sai_backend *backend, struct object *port)
{
    void *pgs = NULL, *queues = NULL;
    sai_status_t status;

    ports_forget_places(port);
    status = read_list(backend, SAI_OBJECT_TYPE_PORT, port->oid,
                       SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST,
                       sizeof(sai_object_id_t), &pgs, &port->places->n_pgs);
    port->places->pg_oids = pgs;
    if (status == SAI_STATUS_SUCCESS) {
        status =
            read_list(backend, SAI_OBJECT_TYPE_PORT, port->oid,
                      SAI_PORT_ATTR_QOS_QUEUE_LIST, sizeof(sai_object_id_t),
                      &queues, &port->places->n_queues);
        port->places->queue_oids = queues;
        read_limits(backend, port);
    }
    for (struct object *child = port->children; child; child = child->sibling) {
        object_place(child);
        graph_mark(child);
    }
    return status;
}

void
ports_read_cpu(struct sai_backend *backend, struct object *cpu)
{
    sai_attribute_t port = {.id = SAI_SWITCH_ATTR_CPU_PORT};
    struct ports_list queues = {.oids = NULL};

    ports_forget_places(cpu);
    cpu->oid = SAI_NULL_OBJECT_ID;
    if (backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH, backend->switch_id,
                          1, &port) == SAI_STATUS_SUCCESS &&
        ports_read_list(backend, SAI_OBJECT_TYPE_PORT, port.value.oid,
                        SAI_PORT_ATTR_QOS_QUEUE_LIST,
                        &queues) == SAI_STATUS_SUCCESS &&
        queues.n > 0) {
        cpu->oid = port.value.oid;
        cpu->fresh = true;
    }
    cpu->places->queue_oids = queues.oids;
    cpu->places->n_queues = queues.n;
    for (struct object *child = cpu->children; child; child = child->sibling) {
        object_place(child);
    }
    graph_mark(cpu);
}

void
ports_forget_places(struct object *port)
{
    free(port->places->pg_oids);
    free(port->places->queue_oids);
    free(port->places->group_oids);
    port->places->pg_oids = port->places->queue_oids =
        port->places->group_oids = NULL;
    port->places->n_pgs = port->places->n_queues = 0;
    drop_news(port);
    for (struct object *child = port->children; child; child = child->sibling) {
        child->oid = SAI_NULL_OBJECT_ID;
        graph_mark(child);
    }
}
