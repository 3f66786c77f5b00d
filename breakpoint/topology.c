/* SPDX-License-Identifier: Apache-2.0 */

/* Reads the chip and the ports of a scenario. */

#include <config.h>

#include "breakpoint/topology.h"

#include <libfyaml.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "base/text.h"
#include "breakpoint/bench.h"

#define PORTS_MAX 1024
#define LANES_MAX 16
#define SPEED_MAX 3200000
#define CABLE_MAX 100000

struct topology_form {
    const char *chip, *hwsku;
    int model; /* -1: not said. */
    struct fy_node *ports, *set, *fcs;
    int64_t speed, lanes, cable;
};

static const char *const topology_words[] = {"traditional", "dynamic", NULL};

static const struct map_key topology_keys[] = {
    {"chip", MAP_KEY_TEXT, false, offsetof(struct topology_form, chip), 0, 0,
     NULL},
    {"ports", MAP_KEY_NODE, false, offsetof(struct topology_form, ports), 0, 0,
     NULL},
    {"speed", MAP_KEY_NUMBER, false, offsetof(struct topology_form, speed), 1,
     SPEED_MAX, NULL},
    {"lanes", MAP_KEY_NUMBER, false, offsetof(struct topology_form, lanes), 1,
     LANES_MAX, NULL},
    {"cable", MAP_KEY_NUMBER, false, offsetof(struct topology_form, cable), 0,
     CABLE_MAX, NULL},
    {"buffer_model", MAP_KEY_WORD, false, offsetof(struct topology_form, model),
     0, 0, topology_words},
    {"hwsku", MAP_KEY_TEXT, false, offsetof(struct topology_form, hwsku), 0, 0,
     NULL},
    {"set", MAP_KEY_NODE, false, offsetof(struct topology_form, set), 0, 0,
     NULL},
    {"fcs", MAP_KEY_NODE, false, offsetof(struct topology_form, fcs), 0, 0,
     NULL},
};

/* A port with settings of its own. */
struct port_form {
    int64_t speed, lanes, cable;
};

static const struct map_key port_keys[] = {
    {"speed", MAP_KEY_NUMBER, false, offsetof(struct port_form, speed), 1,
     SPEED_MAX, NULL},
    {"lanes", MAP_KEY_NUMBER, false, offsetof(struct port_form, lanes), 1,
     LANES_MAX, NULL},
    {"cable", MAP_KEY_NUMBER, false, offsetof(struct port_form, cable), 0,
     CABLE_MAX, NULL},
};

struct cable {
    const char *port;
    uint32_t cable_m;
};

/* The settings of all ports while their rows are added. */
struct building {
    struct topology *topology;
    struct config_rows *rows;
    struct port_form common;
    struct fy_node *set;
    int64_t first_lane;
};

/* Stores the number N of port 'name', "EthernetN". */
static enum st
number_of(struct loader *loader, const char *name, struct fy_node *node,
          uint64_t *number)
{
    const size_t digits = strcspn(name, "0123456789");

    return parse_u64(name + digits, 0, INT32_MAX, number)
               ? document_fail(loader->document, node, loader->err,
                               "expected a port name with a number, for "
                               "example Ethernet4, found '%s'",
                               name)
               : ST_OK;
}

/* Reads "fcs": all, or the names of ports, which become their numbers. */
static enum st
read_fcs(struct loader *loader, struct fy_node *node, struct topology *topology)
{
    const char *const *names = NULL;
    struct text text = {0};
    size_t n = 0;
    enum st st = loader_names(loader, node, &names, &n);

    if (!st && n == 1 && !strcmp(names[0], "all")) {
        topology->fcs = names[0];
        return ST_OK;
    }
    for (size_t i = 0; !st && i < n; i++) {
        uint64_t number = 0;

        st = number_of(loader, names[i], node, &number);
        text_addf(&text, "%s%llu", i ? "," : "", (unsigned long long)number);
    }
    topology->fcs = n ? loader_format(loader, "%s", text_string(&text)) : NULL;
    text_fini(&text);
    return st;
}

enum st
topology_chip(struct loader *loader, struct fy_node *node,
              struct topology *topology)
{
    struct fy_node *chip = NULL, *fcs = NULL;
    enum st st;

    *topology =
        (struct topology){.node = node, .cable_m = TOPOLOGY_CABLE_DEFAULT};
    if (!node) {
        return ST_OK;
    }
    if (fy_node_is_mapping(node)) {
        chip = document_member(node, "chip");
        fcs = document_member(node, "fcs");
    }
    st = chip ? loader_text(loader, chip, "chip", &topology->chip) : ST_OK;
    return !st && fcs ? read_fcs(loader, fcs, topology) : st;
}

/* Returns chip parameter 'name' from 'bench', or 'otherwise' if it is
 * unknown. */
static int64_t
fact(struct bench *bench, const char *name, int64_t otherwise)
{
    const char *text;
    uint64_t number;
    struct err err;

    return bench && !bench->ops->chip_fact(bench, name, &text, &err) &&
                   !parse_u64(text, 0, INT32_MAX, &number)
               ? (int64_t)number
               : otherwise;
}

/* Writes "5,6,7,8": the lanes of port 'name'. */
static enum st
lanes_of(struct loader *loader, const struct building *building,
         const char *name, const struct port_form *port, struct fy_node *node,
         const char **lanes)
{
    struct text text = {0};
    uint64_t number = 0;
    enum st st = number_of(loader, name, node, &number);

    if (st) {
        return st;
    }
    for (int64_t i = 0; i < port->lanes; i++) {
        text_addf(&text, "%s%lld", i ? "," : "",
                  (long long)(building->first_lane + (int64_t)number + i));
    }
    *lanes = loader_format(loader, "%s", text_string(&text));
    text_fini(&text);
    return ST_OK;
}

/* Adds the rows of one port. */
static enum st
add_port(struct loader *loader, struct building *building, const char *name,
         struct fy_node *node)
{
    const char *key = loader_format(loader, "PORT|%s", name);
    struct port_form port = building->common;
    struct fy_node *set =
        building->set ? document_member(building->set, name) : NULL;
    const char *lanes = NULL;
    struct cable *cable;
    uint64_t seen;
    enum st st = ST_OK;

    if (set) {
        st = loader_map(loader, set, name, port_keys, N_MAP_KEYS(port_keys),
                        &port, &seen);
    }
    st = st ? st : lanes_of(loader, building, name, &port, node, &lanes);
    if (st) {
        return st;
    }
    config_rows_set(loader, building->rows, key, "lanes", lanes, node);
    config_rows_set(loader, building->rows, key, "speed",
                    loader_format(loader, "%lld", (long long)port.speed), node);
    config_rows_set(loader, building->rows, key, "admin_status", "up", node);
    config_rows_set(loader, building->rows, "CABLE_LENGTH|AZURE", name,
                    loader_format(loader, "%lldm", (long long)port.cable),
                    node);
    cable = list_add(&building->topology->cables, sizeof *cable);
    *cable = (struct cable){name, (uint32_t)port.cable};
    return ST_OK;
}

/* A loader_item_fn: adds the port with the given name. */
static enum st
take_port(struct loader *loader, struct fy_node *node, void *building)
{
    const char *name = NULL;
    enum st st = loader_text(loader, node, "a port", &name);

    return st ? st : add_port(loader, building, name, node);
}

/* Adds a number of ports. */
static enum st
add_ports(struct loader *loader, struct building *building,
          struct fy_node *node)
{
    int64_t n = 0;
    enum st st = values_number(loader->values, node, "ports", 1, PORTS_MAX, &n,
                               loader->err);

    for (int64_t i = 0; !st && i < n; i++) {
        st = add_port(loader, building,
                      loader_format(loader, "Ethernet%lld",
                                    (long long)(i * building->common.lanes)),
                      node);
    }
    return st;
}

/* Adds the fields of DEVICE_METADATA. */
static void
add_metadata(struct loader *loader, struct config_rows *rows,
             const struct topology_form *form, struct fy_node *node)
{
    if (form->hwsku) {
        config_rows_set(loader, rows, "DEVICE_METADATA|localhost", "hwsku",
                        form->hwsku, node);
    }
    if (form->model >= 0) {
        config_rows_set(loader, rows, "DEVICE_METADATA|localhost",
                        "buffer_model", topology_words[form->model], node);
    }
}

/* Checks that port 'name', from 'node', exists. */
static enum st
check_port(struct loader *loader, const struct topology *topology,
           const char *name, struct fy_node *node)
{
    const struct cable *cables = topology->cables.elements;
    char hint[NEAREST_HINT_SIZE];
    struct nearest nearest;

    nearest_init(&nearest, name, strlen(name));
    for (size_t i = 0; i < topology->cables.n; i++) {
        if (!strcmp(cables[i].port, name)) {
            return ST_OK;
        }
        nearest_try(&nearest, cables[i].port);
    }
    return document_fail(loader->document, node, loader->err,
                         "there is no port '%s'%s", name,
                         nearest_hint(&nearest, hint));
}

/* Checks that the ports in "set" exist. */
static enum st
check_set(struct loader *loader, const struct topology *topology,
          struct fy_node *set)
{
    struct fy_node_pair *pair;
    void *iterator = NULL;
    enum st st = ST_OK;

    while (!st && set && (pair = fy_node_mapping_iterate(set, &iterator))) {
        struct fy_node *key = fy_node_pair_key(pair);
        const char *name = NULL;

        st = document_scalar(loader->document, key, "a port", &name,
                             loader->err);
        st = st ? st : check_port(loader, topology, name, key);
    }
    return st;
}

/* Checks that the ports in "fcs" exist, if the topology says which do. */
static enum st
check_fcs(struct loader *loader, const struct topology *topology,
          const struct topology_form *form)
{
    const char *const *names = NULL;
    size_t n = 0;
    enum st st;

    if (!form->ports || !topology->fcs || !strcmp(topology->fcs, "all")) {
        return ST_OK;
    }
    st = loader_names(loader, form->fcs, &names, &n);
    for (size_t i = 0; !st && i < n; i++) {
        st = check_port(loader, topology, names[i], form->fcs);
    }
    return st;
}

enum st
topology_rows(struct loader *loader, struct topology *topology,
              struct bench *bench, struct config_rows *rows)
{
    struct topology_form form = {.model = -1,
                                 .speed =
                                     fact(bench, "port_speed_mbps", 100000),
                                 .lanes = fact(bench, "lanes_per_port", 4),
                                 .cable = TOPOLOGY_CABLE_DEFAULT};
    struct building building = {.topology = topology,
                                .rows = rows,
                                .first_lane = fact(bench, "first_lane", 1)};
    struct fy_node *node = topology->node;
    uint64_t seen;
    enum st st;

    if (!node) {
        return ST_OK;
    }
    st = loader_map(loader, node, "topology", topology_keys,
                    N_MAP_KEYS(topology_keys), &form, &seen);
    if (!st && form.set && !fy_node_is_mapping(form.set)) {
        st = document_fail(loader->document, form.set, loader->err,
                           "expected set to be a map of ports");
    }
    if (st) {
        return st;
    }
    topology->cable_m = (uint32_t)form.cable;
    building.common = (struct port_form){form.speed, form.lanes, form.cable};
    building.set = form.set;
    add_metadata(loader, rows, &form, node);
    if (form.ports) {
        form.ports = values_list(loader->values, form.ports);
        st = fy_node_is_sequence(form.ports)
                 ? loader_each(loader, form.ports, take_port, &building)
                 : add_ports(loader, &building, form.ports);
    }
    st = st ? st : check_set(loader, topology, form.set);
    return st ? st : check_fcs(loader, topology, &form);
}

uint32_t
topology_cable(const struct topology *topology, const char *port)
{
    const struct cable *cables = topology->cables.elements;

    for (size_t i = 0; i < topology->cables.n; i++) {
        if (!strcmp(cables[i].port, port)) {
            return cables[i].cable_m;
        }
    }
    return topology->cable_m;
}

void
topology_fini(struct topology *topology)
{
    list_fini(&topology->cables);
}
