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

/* Where a port or profile is, by its id. */
struct known {
    sai_object_id_t oid; /* Key. */
    size_t position;
    UT_hash_handle hh;
};

/* A layout in the making. */
struct making {
    struct live_layout *layout;
    char *const *only;
    size_t n_only;
    struct known *ports, *profiles;
};

/* Notes the position of an object. */
static void
note(struct known **known, sai_object_id_t oid, size_t position)
{
    struct known *made = check_calloc(1, sizeof *made);

    made->oid = oid;
    made->position = position;
    HASH_ADD(hh, *known, oid, sizeof made->oid, made);
}

/* Finds it; false if there is none. */
static bool
find(struct known *known, sai_object_id_t oid, size_t *position)
{
    const struct known *found;

    HASH_FIND(hh, known, &oid, sizeof oid, found);
    if (found) {
        *position = found->position;
    }
    return found != NULL;
}

/* Frees all. */
static void
forget(struct known **known)
{
    struct known *each, *next;

    HASH_ITER(hh, *known, each, next)
    {
        HASH_DEL(*known, each);
        free(each);
    }
}

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

    if (!wants(making, object->name.name)) {
        return;
    }
    note(&making->ports, object->oid, layout->n_ports);
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

/* Returns the position of a profile, which is added when it is new. */
static size_t
profile_position(struct making *making, const struct object *profile)
{
    struct live_layout *layout = making->layout;
    const struct slot *headroom;
    size_t position;

    if (!find(making->profiles, profile->oid, &position)) {
        headroom = object_slot(profile, SAI_BUFFER_PROFILE_ATTR_XOFF_TH);
        position = layout->n_profiles;
        note(&making->profiles, profile->oid, position);
        layout->profiles =
            grow(layout->profiles, position, sizeof *layout->profiles);
        layout->profiles[layout->n_profiles++] = (struct live_profile){
            .name = check_strdup(profile->name.name),
            .headroom = headroom && headroom->held ? headroom->value.u64 : 0,
        };
    }
    return position;
}

/* Adds a priority group or queue, if it has a profile, to a list. */
static void
add_place(struct making *making, const struct object *object, sai_attr_id_t id,
          struct live_place **places, size_t *n)
{
    const struct slot *slot = object_slot(object, id);
    size_t port;

    if (!object->parent || !find(making->ports, object->parent->oid, &port) ||
        !slot || !slot->held || slot->n_targets != 1 ||
        slot->value.oid == SAI_NULL_OBJECT_ID) {
        return;
    }
    *places = grow(*places, *n, sizeof **places);
    (*places)[(*n)++] = (struct live_place){
        .port = port,
        .index = (unsigned int)object->name.index,
        .oid = object->oid,
        .profile = profile_position(making, slot->one),
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

    memset(layout, 0, sizeof *layout);
    agent_each_object(agent, visit_first, &making);
    agent_each_object(agent, visit, &making);
    assign(layout, layout->pgs, layout->n_pgs, true);
    assign(layout, layout->queues, layout->n_queues, false);
    forget(&making.ports);
    forget(&making.profiles);
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
    for (size_t i = 0; i < layout->n_profiles; i++) {
        free(layout->profiles[i].name);
    }
    free(layout->ports);
    free(layout->pools);
    free(layout->profiles);
    free(layout->pgs);
    free(layout->queues);
    memset(layout, 0, sizeof *layout);
}

/* Returns the names of a list. */
static json_t *
places_json(const struct live_place *places, size_t n)
{
    json_t *indices = json_array(), *profiles = json_array();

    for (size_t i = 0; i < n; i++) {
        json_array_append_new(indices, json_integer(places[i].index));
        json_array_append_new(profiles,
                              json_integer((json_int_t)places[i].profile));
    }
    return json_pack("{s:o, s:o}", "index", indices, "profile", profiles);
}

/* Returns the names of the ports, and how many rows of the lists each has,
 * which is shorter than the port of each row. */
static json_t *
ports_json(const struct live_layout *layout)
{
    json_t *names = json_array(), *pgs = json_array(), *queues = json_array();

    for (size_t i = 0; i < layout->n_ports; i++) {
        const struct live_port *port = &layout->ports[i];

        json_array_append_new(names, json_string(port->name));
        json_array_append_new(pgs, json_integer((json_int_t)port->n_pgs));
        json_array_append_new(queues, json_integer((json_int_t)port->n_queues));
    }
    return json_pack("{s:o, s:o, s:o}", "name", names, "pgs", pgs, "queues",
                     queues);
}

/* Returns the names of the profiles. */
static json_t *
profiles_json(const struct live_layout *layout)
{
    json_t *names = json_array(), *sizes = json_array();

    for (size_t i = 0; i < layout->n_profiles; i++) {
        const struct live_profile *profile = &layout->profiles[i];

        json_array_append_new(names, json_string(profile->name));
        json_array_append_new(sizes,
                              json_integer((json_int_t)profile->headroom));
    }
    return json_pack("{s:o, s:o}", "name", names, "headroom_size", sizes);
}

json_t *
live_layout_names(const struct live_layout *layout, uint64_t number)
{
    json_t *pools = json_array(), *types = json_array();

    for (size_t i = 0; i < layout->n_pools; i++) {
        json_array_append_new(pools, json_string(layout->pools[i].name));
        json_array_append_new(
            types,
            json_string(layout->pools[i].is_ingress ? "ingress" : "egress"));
    }
    return json_pack("{s:I, s:o, s:{s:o, s:o}, s:o, s:o, s:o}", "layout",
                     (json_int_t)number, "ports", ports_json(layout), "pools",
                     "name", pools, "type", types, "profiles",
                     profiles_json(layout), "pgs",
                     places_json(layout->pgs, layout->n_pgs), "queues",
                     places_json(layout->queues, layout->n_queues));
}
