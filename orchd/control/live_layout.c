/* SPDX-License-Identifier: Apache-2.0 */

/* Copies what is needed of the agent's objects. */

#include <config.h>

#include "orchd/control/live_layout.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "orchd/reconcile/agent.h"
#include "orchd/reconcile/graph.h"

/* A port by its id. */
struct known_port {
    sai_object_id_t oid; /* Key. */
    size_t position;
    UT_hash_handle hh;
};

/* A layout in the making. */
struct making {
    struct live_layout *layout;
    char *const *only;
    size_t n_only;
    struct known_port *ports;
};

/* Makes room for one more of 'n' elements, which grow by doubling. */
static void *
grow(void *elements, size_t n, size_t size)
{
    return n & (n - 1) ? elements
                       : check_realloc(elements, (n ? 2 * n : 1) * size);
}

/* Returns whether a port is to be shown. */
static bool
wants(const struct making *making, const char *name)
{
    size_t i = 0;

    while (i < making->n_only && strcmp(making->only[i], name)) {
        i++;
    }
    return !making->n_only || i < making->n_only;
}

static void
add_port(struct making *making, const struct object *object)
{
    struct live_layout *layout = making->layout;
    struct known_port *known;

    if (!wants(making, object->name.name)) {
        return;
    }
    known = check_calloc(1, sizeof *known);
    known->oid = object->oid;
    known->position = layout->n_ports;
    HASH_ADD(hh, making->ports, oid, sizeof known->oid, known);
    layout->ports = grow(layout->ports, layout->n_ports, sizeof *layout->ports);
    layout->ports[layout->n_ports++] = (struct live_port){
        .name = check_strdup(object->name.name),
        .oid = object->oid,
        .busy = true,
    };
}

static void
add_pool(struct making *making, const struct object *object)
{
    struct live_layout *layout = making->layout;
    const struct slot *type = object_slot(object, SAI_BUFFER_POOL_ATTR_TYPE);

    layout->pools = grow(layout->pools, layout->n_pools, sizeof *layout->pools);
    layout->pools[layout->n_pools++] = (struct live_pool){
        .name = check_strdup(object->name.name),
        .is_ingress = type && type->held &&
                      type->value.s32 == SAI_BUFFER_POOL_TYPE_INGRESS,
        .oid = object->oid,
    };
}

/* Adds a priority group or queue, if it has a profile, to a list. */
static void
add_place(const struct making *making, const struct object *object,
          sai_attr_id_t id, struct live_place **places, size_t *n)
{
    const struct slot *slot = object_slot(object, id);
    const struct slot *headroom;
    struct known_port *port = NULL;

    if (object->parent) {
        HASH_FIND(hh, making->ports, &object->parent->oid,
                  sizeof object->parent->oid, port);
    }
    if (!port || !slot || !slot->held || slot->n_targets != 1 ||
        slot->value.oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    headroom = object_slot(slot->one, SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
    *places = grow(*places, *n, sizeof **places);
    (*places)[(*n)++] = (struct live_place){
        .port = port->position,
        .index = (unsigned int)object->name.index,
        .oid = object->oid,
        .profile = check_strdup(slot->one->name.name),
        .headroom = headroom && headroom->held ? headroom->value.u64 : 0,
    };
}

/* Adds an object, after its port. */
static void
visit(void *making_, const struct object *object)
{
    struct making *making = making_;
    struct live_layout *layout = making->layout;

    if (object->oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    if (object->type == SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP) {
        add_place(making, object,
                  SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, &layout->pgs,
                  &layout->n_pgs);
    } else if (object->type == SAI_OBJECT_TYPE_QUEUE) {
        add_place(making, object, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                  &layout->queues, &layout->n_queues);
    }
}

/* Adds a port or pool. */
static void
visit_first(void *making, const struct object *object)
{
    if (object->oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    if (object->type == SAI_OBJECT_TYPE_PORT) {
        add_port(making, object);
    } else if (object->type == SAI_OBJECT_TYPE_BUFFER_POOL) {
        add_pool(making, object);
    }
}

static int
compare(const void *a, const void *b)
{
    const struct live_place *x = a, *y = b;

    if (x->port != y->port) {
        return x->port < y->port ? -1 : 1;
    }
    return x->index < y->index ? -1 : x->index > y->index;
}

/* Sorts a list by port, and notes for each port which part of it is its own. */
static void
assign(struct live_layout *layout, struct live_place *places, size_t n,
       bool are_pgs)
{
    if (n) {
        qsort(places, n, sizeof *places, compare);
    }
    for (size_t i = n; i-- > 0;) {
        struct live_port *port = &layout->ports[places[i].port];

        if (are_pgs) {
            port->pg = i;
            port->n_pgs++;
        } else {
            port->queue = i;
            port->n_queues++;
        }
    }
}

void
live_layout_make(struct live_layout *layout, const struct agent *agent,
                 char *const *only, size_t n)
{
    struct making making = {.layout = layout, .only = only, .n_only = n};
    struct known_port *port, *next;

    memset(layout, 0, sizeof *layout);
    agent_each_object(agent, visit_first, &making);
    agent_each_object(agent, visit, &making);
    assign(layout, layout->pgs, layout->n_pgs, true);
    assign(layout, layout->queues, layout->n_queues, false);
    HASH_ITER(hh, making.ports, port, next)
    {
        HASH_DEL(making.ports, port);
        free(port);
    }
}

/* Frees a list of priority groups or queues. */
static void
places_free(struct live_place *places, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        free(places[i].profile);
    }
    free(places);
}

void
live_layout_fini(struct live_layout *layout)
{
    for (size_t i = 0; i < layout->n_ports; i++) {
        free(layout->ports[i].name);
    }
    for (size_t i = 0; i < layout->n_pools; i++) {
        free(layout->pools[i].name);
    }
    free(layout->ports);
    free(layout->pools);
    places_free(layout->pgs, layout->n_pgs);
    places_free(layout->queues, layout->n_queues);
    memset(layout, 0, sizeof *layout);
}

/* Returns the names of a list. */
static json_t *
places_json(const struct live_place *places, size_t n, bool headroom)
{
    json_t *ports = json_array(), *indices = json_array();
    json_t *profiles = json_array(), *sizes = json_array();
    json_t *object;

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(ports, json_integer((json_int_t)places[i].port));
        json_array_append_new(indices, json_integer(places[i].index));
        json_array_append_new(profiles, json_string(places[i].profile));
        json_array_append_new(sizes,
                              json_integer((json_int_t)places[i].headroom));
    }
    object = json_pack("{s:o, s:o, s:o}", "port", ports, "index", indices,
                       "profile", profiles);
    if (headroom) {
        json_object_set(object, "headroom_size", sizes);
    }
    json_decref(sizes);
    return object;
}

json_t *
live_layout_names(const struct live_layout *layout, uint64_t number)
{
    json_t *ports = json_array();
    json_t *pools = json_array(), *types = json_array();

    for (size_t i = 0; i < layout->n_ports; i++) {
        json_array_append_new(ports, json_string(layout->ports[i].name));
    }
    for (size_t i = 0; i < layout->n_pools; i++) {
        json_array_append_new(pools, json_string(layout->pools[i].name));
        json_array_append_new(
            types,
            json_string(layout->pools[i].is_ingress ? "ingress" : "egress"));
    }
    return json_pack("{s:I, s:{s:o}, s:{s:o, s:o}, s:o, s:o}", "layout",
                     (json_int_t)number, "ports", "name", ports, "pools",
                     "name", pools, "type", types, "pgs",
                     places_json(layout->pgs, layout->n_pgs, true), "queues",
                     places_json(layout->queues, layout->n_queues, false));
}
