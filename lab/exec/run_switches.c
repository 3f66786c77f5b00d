/* SPDX-License-Identifier: Apache-2.0 */

/* The switches of a run: configurations, images, instances, routes. */

#include <config.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/nearest.h"
#include "lab/builder/switch_default.h"
#include "lab/builder/switch_hash.h"
#include "lab/builder/switch_sai.h"
#include "lab/builder/switch_vlan.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "twin/chip/chip.h"

enum {
    NAME_SIZE = 256,
    PATH_SIZE = 512,
    TEXT_MAX = 16 << 20,
    MBPS = 1000000,
    MM_PER_M = 1000,
    ADDRESS_BITS = 32,
};

/* Configurations ----------------------------------------------------------- */

/* Puts 'place' before the reason 'err' for 'st', and returns it. */
static enum st
blame_place(const struct run *run, const struct scenario_place *place,
            enum st st, struct err *err)
{
    const struct err why = *err;

    if (!st || why.reason[0] == '\0') {
        return st;
    }
    st = scenario_fail(run->scenario, place, err, "%s", why.reason);
    err_set_field(err, why.field, why.value, why.allowed);
    if (why.remedy[0] != '\0') {
        err_set_remedy(err, "%s", why.remedy);
    }
    return st;
}

/* Does so with the place of 'role'. */
static enum st
blame(const struct run *run, const struct role_spec *role, enum st st,
      struct err *err)
{
    return blame_place(
        run, role->place.line ? &role->place : &run->scenario->fabric.place, st,
        err);
}

/* Returns the length of the longest cable of 'node'. */
static uint64_t
longest_mm(const struct run *run, uint32_t node)
{
    uint64_t longest = 0;

    for (uint32_t i = 0; i < run->topology->nodes[node].n_ports; i++) {
        const uint64_t length_mm = run_link_at(run, node, i)->length_mm;

        longest = length_mm > longest ? length_mm : longest;
    }
    return longest;
}

/* Writes the name of the configuration for 'node' into 'name'. */
static enum st
name_config(const struct run *run, uint32_t number,
            const struct role_spec *role, char name[NAME_SIZE], struct err *err)
{
    const struct topology_node *node = &run->topology->nodes[number];
    const struct switch_default *chosen;
    bool is_short;
    enum st st;

    if (role->config) {
        (void)snprintf(name, NAME_SIZE, "%s", role->config);
        return ST_OK;
    }
    st = switch_default_choose(
        node->n_ports, (uint32_t)(run_link_at(run, number, 0)->rate_bps / MBPS),
        (uint32_t)(longest_mm(run, number) / MM_PER_M), &chosen, &is_short,
        err);
    if (st) {
        err_set_remedy(err, "name one for its role: 'fabric: {switch: {ROLE: "
                            "{config: FILE}}}'");
        return st;
    }
    (void)snprintf(name, NAME_SIZE, "%s", chosen->name);
    return ST_OK;
}

/* Stores the text of configuration 'name', a path or the name of a shipped one,
 * in '*text', and its path in 'path'. */
static enum st
read_config(struct run *run, const char *name, char path[PATH_SIZE],
            char **text, struct err *err)
{
    const bool is_path = strchr(name, '/') || strstr(name, ".json");
    FILE *file;
    size_t n;

    if (is_path) {
        (void)snprintf(path, PATH_SIZE, "%s", name);
    } else {
        (void)snprintf(path, PATH_SIZE, "%s/%s.json", run->options.configs_dir,
                       name);
    }
    file = fopen(path, "re");
    if (!file) {
        return err_set(err, ST_NOT_FOUND, "config",
                       "cannot read the configuration %s: %s", path,
                       strerror(errno));
    }
    *text = check_malloc(TEXT_MAX);
    n = fread(*text, 1, TEXT_MAX - 1, file);
    (*text)[n] = '\0';
    (void)fclose(file);
    return ST_OK;
}

/* The rows that a role replaces, as 'struct switch_set'. */
struct sets {
    struct switch_set *list;
    size_t n, size;
};

static void
add_set(struct run *run, struct sets *sets, const struct config_field *field)
{
    const size_t size = strlen(field->table) + strlen(field->key) + 2;
    char *row = arena_alloc(run->arena, size, 1);

    (void)snprintf(row, size, "%s|%s", field->table, field->key);
    if (sets->n == sets->size) {
        sets->size = sets->size ? 2 * sets->size : 16;
        sets->list = check_realloc(sets->list, sets->size * sizeof *sets->list);
    }
    sets->list[sets->n++] =
        (struct switch_set){row, field->field, field->value};
}

/* Stores the image of switch 'node', with the rows of 'rollout' if that is not
 * NULL, in '*image'. */
static enum st
get_image(struct run *run, uint32_t node, const struct rollout_spec *rollout,
          const struct switch_image **image, struct err *err)
{
    const struct role_spec *role = run->experiment->switches[node];
    struct sets sets = {0};
    char name[NAME_SIZE];
    char path[PATH_SIZE];
    char *text = NULL;
    enum st st = name_config(run, node, role, name, err);

    if (!st) {
        st = read_config(run, name, path, &text, err);
    }
    for (size_t i = 0; !st && i < role->n_set; i++) {
        add_set(run, &sets, &role->set[i]);
    }
    for (size_t i = 0; !st && rollout && i < rollout->n_set; i++) {
        add_set(run, &sets, &rollout->set[i]);
    }
    if (!st) {
        const struct switch_request request = {.path = path,
                                               .config = text,
                                               .chip = role->chip,
                                               .chip_set = role->chip_set,
                                               .sets = sets.list,
                                               .n_sets = sets.n};

        st = switch_images_get(run->images, &request, image, err);
    }
    free(sets.list);
    free(text);
    return rollout ? blame_place(run, &rollout->place, st, err)
                   : blame(run, role, st, err);
}

/* Returns whether switches 'a' and 'b' share an image. */
static bool
has_image_of(const struct run *run, uint32_t a, uint32_t b)
{
    const struct topology *topology = run->topology;

    return run->experiment->switches[a] == run->experiment->switches[b] &&
           topology->nodes[a].n_ports == topology->nodes[b].n_ports &&
           topology->nodes[a].tier == topology->nodes[b].tier &&
           longest_mm(run, a) == longest_mm(run, b) &&
           run_link_at(run, a, 0)->rate_bps == run_link_at(run, b, 0)->rate_bps;
}

/* Gets the images of all switches.  Switches of one role and with equally many
 * ports share one. */
static enum st
get_images(struct run *run, struct err *err)
{
    const struct topology *topology = run->topology;
    enum st st = ST_OK;

    run->image_of = arena_alloc(run->arena, topology->n_switches,
                                sizeof(const struct switch_image *));
    for (uint32_t i = 0; !st && i < topology->n_switches; i++) {
        if (i > 0 && has_image_of(run, i, i - 1)) {
            run->image_of[i] = run->image_of[i - 1];
        } else {
            st = get_image(run, i, NULL, &run->image_of[i], err);
        }
    }
    return st;
}

/* Finds out whether switches accept the rows of the rollout, before it begins.
 */
static enum st
try_rollout(struct run *run, struct err *err)
{
    const struct rollout_spec *rollout = &run->scenario->rollout;
    const struct switch_image *image;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < rollout->n_steps; i++) {
        const struct rollout_step *step = &rollout->steps[i];
        struct reference_list switches;

        st = references_switches(run->scenario, run->topology, &step->switches,
                                 &step->place, run->arena, &switches, err);
        for (size_t k = 0; !st && k < switches.n; k++) {
            if (k == 0 || !has_image_of(run, switches.numbers[k],
                                        switches.numbers[k - 1])) {
                st = get_image(run, switches.numbers[k], rollout, &image, err);
            }
        }
    }
    return st;
}

/* A topology_room_fn. */
static uint32_t
room_of(void *context, uint32_t node)
{
    const struct run *run = context;

    return switch_image_chip(run->image_of[node])->ports;
}

/* Instances ---------------------------------------------------------------- */

/* Returns the seed of the hash of 'node'. */
static uint32_t
seed_of(const struct ecmp_spec *ecmp, uint32_t node)
{
    enum { GOLDEN = 0x9e3779b9 };

    return ecmp->seed_per_switch ? (node + 1) * (uint32_t)GOLDEN
                                 : (uint32_t)ecmp->seed;
}

/* Relates the ports of the topology to those of the twin. */
static enum st
map_ports(struct run *run, struct run_switch *sw, struct err *err)
{
    const struct topology_node *node = &run->topology->nodes[sw->node];
    const struct switch_image *image = run->image_of[sw->node];
    size_t n;
    const struct switch_image_port *ports = switch_image_ports(image, &n);

    if (n < node->n_ports) {
        return err_set(err, ST_INVALID, "ports",
                       "%s needs %u ports, and its configuration has %zu",
                       node->name, (unsigned int)node->n_ports, n);
    }
    sw->slots = arena_alloc(run->arena, node->n_ports, sizeof *sw->slots);
    for (uint32_t i = 0; i < node->n_ports; i++) {
        sw->slots[i] = ports[i].slot;
    }
    if (!run_owns(run, sw->node)) {
        return ST_OK;
    }
    sw->n_slots = switch_image_chip(image)->ports;
    sw->ports = arena_alloc(run->arena, sw->n_slots, sizeof *sw->ports);
    sw->pauses = arena_alloc(run->arena, (size_t)node->n_ports * RUN_PRIORITIES,
                             sizeof *sw->pauses);
    memset(sw->ports, 0xff, sw->n_slots * sizeof *sw->ports);
    for (uint32_t i = 0; i < node->n_ports; i++) {
        sw->ports[ports[i].slot] = i;
    }
    for (size_t i = 0; i < (size_t)node->n_ports * RUN_PRIORITIES; i++) {
        sw->pauses[i].id = SINK_NO_PAUSE;
    }
    return ST_OK;
}

/* Makes the switch pause whole links. */
static enum st
pause_links(struct switch_instance *instance, struct err *err)
{
    struct switch_sai sai;
    const enum st st = switch_sai_init(&sai, instance, err);

    return st ? st : switch_sai_pause_links(&sai, err);
}

/* Creates the switch of 'node'. */
static enum st
create_switch(struct run *run, uint32_t node, struct err *err)
{
    struct run_switch *sw = &run->switches[node];
    const struct role_spec *role = run->experiment->switches[node];
    const struct ecmp_spec *ecmp =
        role->has_ecmp ? &role->ecmp : &run->scenario->fabric.ecmp;
    const struct switch_instance_options options = {
        .engine = run->engine,
        .entity_base = run->topology->nodes[node].entity,
        .mac = run->topology->nodes[node].mac,
        .has_ecmp_seed = true,
        .ecmp_seed = seed_of(ecmp, node)};
    enum st st;

    *sw = (struct run_switch){.run = run, .node = node};
    if (!run_owns(run, node)) {
        return blame(run, role, map_ports(run, sw, err), err);
    }
    st = switch_image_instantiate(run->image_of[node], &options, &sw->instance,
                                  err);
    if (!st) {
        st = switch_hash_set(sw->instance, ecmp, err);
    }
    if (!st && run->scenario->fabric.flow_control == FLOW_CONTROL_LINK) {
        st = pause_links(sw->instance, err);
    }
    if (!st) {
        st = map_ports(run, sw, err);
    }
    if (!st) {
        struct sim *sim = switch_instance_sim(sw->instance);

        fabric_adopt_switch(run->fabric, sim);
        sim_set_pause_response(sim, role->pfc_response_ps);
        if (role->admission >= 0) {
            sim_set_admission(sim, (enum chip_admission)role->admission);
        }
        run_observe(sw);
    }
    return blame(run, role, st, err);
}

enum st
run_switches_create(struct run *run, struct err *err)
{
    const struct switch_images_options options = {
        .yang_dir = run->options.yang_dir,
        .chips_dir = run->options.chips_dir,
        .strict = true};
    enum st st = switch_images_create(&options, &run->images, err);

    run->switches = arena_alloc(run->arena, run->topology->n_switches,
                                sizeof *run->switches);
    if (!st) {
        st = get_images(run, err);
    }
    st = st ? st : try_rollout(run, err);
    if (!st) {
        topology_set_rooms(&run->experiment->topology, room_of, run);
    }
    for (uint32_t i = 0; !st && i < run->topology->n_switches; i++) {
        st = create_switch(run, i, err);
    }
    return st;
}

enum st
run_find_switch(struct run *run, const char *name,
                struct switch_instance **instance, struct err *err)
{
    const struct topology *topology = run->topology;
    const uint32_t node = topology_find(topology, name);
    struct choices choices;

    if (node != TOPOLOGY_NONE && !run_is_host(run, node)) {
        *instance = run->switches[node].instance;
        return ST_OK;
    }
    choices_init(&choices, name);
    for (uint32_t i = 0; i < topology->n_switches; i++) {
        choices_add(&choices, topology->nodes[i].name);
    }
    err_set(err, ST_NOT_FOUND, "switch", "there is no switch '%.60s'", name);
    return choices_explain(&choices, "switch", err);
}

enum st
run_switch_set(struct run *run, uint32_t node, const struct switch_set *sets,
               size_t n, struct err *err)
{
    const struct run_switch *sw = &run->switches[node];

    if (sw->is_headless) {
        return err_set(err, ST_BUSY, "restart",
                       "%s restarts: it has no control plane that could change "
                       "its rows",
                       run->topology->nodes[node].name);
    }
    return switch_instance_set(sw->instance, sets, n, err);
}

void
run_switches_destroy(struct run *run)
{
    for (uint32_t i = 0; run->switches && i < run->topology->n_switches; i++) {
        switch_routes_destroy(run->switches[i].routes);
        switch_instance_destroy(run->switches[i].instance);
    }
}

/* Routes ------------------------------------------------------------------- */

/* The routes of one switch while they are collected. */
struct list {
    struct run *run;
    struct switch_route *routes;
    size_t n, size;
};

/* A route_fn: appends a route. */
static void
take_route(void *context, const struct route *route)
{
    struct list *list = context;
    uint32_t *peers;

    /* A host of this switch is a neighbor, and so has a route already. */
    if (route->prefix.length == ADDRESS_BITS) {
        return;
    }
    peers = arena_alloc(list->run->arena, route->next_hops.n, sizeof *peers);
    for (uint32_t i = 0; i < route->next_hops.n; i++) {
        peers[i] = route->next_hops.ports[i];
    }
    if (list->n == list->size) {
        list->size = list->size ? 2 * list->size : 64;
        list->routes =
            check_realloc(list->routes, list->size * sizeof *list->routes);
    }
    list->routes[list->n++] =
        (struct switch_route){.prefix = address_v4(route->prefix.address),
                              .length = route->prefix.length,
                              .peers = peers,
                              .n_peers = route->next_hops.n};
}

/* Creates the peers of 'sw': one per port. */
static enum st
create_peers(struct run_switch *sw, struct err *err)
{
    struct run *run = sw->run;
    const struct topology *topology = run->topology;
    const uint32_t n = topology->nodes[sw->node].n_ports;
    const struct vlan_spec *vlan = &run->experiment->switches[sw->node]->vlan;
    struct switch_peer *peers = check_calloc(n, sizeof *peers);
    enum st st;

    for (uint32_t i = 0; i < n; i++) {
        const struct topology_port *port = topology_port(topology, sw->node, i);
        const struct topology_link *link = &topology->links[port->link];
        const struct topology_node *peer = &topology->nodes[port->peer];
        const unsigned int end =
            link->node[0] != sw->node || link->port[0] != i ? 0 : 1;

        peers[i] = (struct switch_peer){
            .slot = sw->slots[i],
            .address =
                address_v4(peer->is_host ? peer->address : link->address[end]),
            .mac = peer->mac,
            .is_bridged = peer->is_host && vlan->enabled,
            .interface = !peer->is_host && vlan->enabled && vlan->uplinks
                             ? switch_vlan_interface(sw->vlan)
                             : 0};
    }
    st = switch_routes_create(sw->instance, peers, n, &sw->routes, err);
    free(peers);
    return st;
}

/* Sets the routes of 'sw'. */
static enum st
set_routes(struct run_switch *sw, struct err *err)
{
    struct list list = {.run = sw->run};
    enum st st;

    fabric_routes_each(sw->run->routes, sw->node, take_route, &list);
    st = switch_routes_set(sw->routes, list.routes, list.n, err);
    free(list.routes);
    return st;
}

enum st
run_routes_program(struct run *run, struct err *err)
{
    enum st st = ST_OK;

    run->routes =
        fabric_routes_create(run->topology, run->scenario->fabric.routing);
    for (uint32_t i = 0; !st && i < run->topology->n_switches; i++) {
        if (run_owns(run, i)) {
            st = create_peers(&run->switches[i], err);
            st = st ? st : set_routes(&run->switches[i], err);
        }
    }
    return st;
}

enum st
run_routes_update(struct run *run, struct err *err)
{
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < run->topology->n_switches; i++) {
        if (!run->switches[i].is_headless) {
            st = set_routes(&run->switches[i], err);
        }
    }
    return st;
}

enum st
run_routes_catch_up(struct run_switch *sw, struct err *err)
{
    const struct run *run = sw->run;
    const struct topology_node *node = &run->topology->nodes[sw->node];
    enum st st = ST_OK;

    for (uint32_t i = 0; !st && i < node->n_ports; i++) {
        const uint32_t link = topology_port(run->topology, sw->node, i)->link;

        st = switch_routes_set_link(sw->routes, sw->slots[i],
                                    !run->observed[link].holds, err);
    }
    return st ? st : set_routes(sw, err);
}
