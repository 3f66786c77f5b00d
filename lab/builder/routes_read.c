/* SPDX-License-Identifier: Apache-2.0 */

/* Reads routes: lists of prefixes, distances, paths, and the check of all. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "lab/builder/routes.h"
#include "lab/builder/routes_state.h"

/* Calls 'fn' for a prefix of racks. */
static void
emit(const struct routes *routes, struct prefix prefix, uint32_t set,
     route_fn *fn, void *context)
{
    struct route route = {prefix, set, next_hops_of(routes, set)};

    fn(context, &route);
}

/* Calls 'fn' for each host of the rack of 'node'. */
static void
emit_hosts(const struct routes *routes, uint32_t node, route_fn *fn,
           void *context)
{
    const struct topology *topology = routes->topology;

    for (uint32_t i = 0; i < topology->nodes[node].n_ports; i++) {
        const struct topology_port *port = topology_port(topology, node, i);
        uint16_t number = (uint16_t)i;

        if (topology->nodes[port->peer].is_host && routes->is_up[port->link]) {
            struct route route = {
                {topology->nodes[port->peer].address, 32},
                TOPOLOGY_NONE - i,
                {1, &number},
            };

            fn(context, &route);
        }
    }
}

/* Returns the set by which 'node' reaches all racks from 'first' on to before
 * 'end', or SET_NONE if they differ or there are fewer than two. */
static uint32_t
common_set(const struct routes *routes, uint32_t node, uint32_t first,
           uint32_t end)
{
    uint32_t set = way_of(routes, first, node)->set;

    for (uint32_t i = first + 1; i < end; i++) {
        if (way_of(routes, i, node)->set != set) {
            return SET_NONE;
        }
    }
    return set == SET_SELF || end - first < 2 ? (uint32_t)SET_NONE : set;
}

/* Returns the first rack behind 'first' that is in another DC, or in another
 * podset. */
static uint32_t
end_of(const struct routes *routes, uint32_t first, bool podset)
{
    const struct topology_node *nodes = routes->topology->nodes;
    const struct topology_node *begin = &nodes[routes->racks[first]];
    uint32_t i = first + 1;

    while (i < routes->n_racks && nodes[routes->racks[i]].dc == begin->dc &&
           (!podset || nodes[routes->racks[i]].podset == begin->podset)) {
        i++;
    }
    return i;
}

/* Calls 'fn' for the racks from 'first' on to before 'end'. */
static void
emit_racks(const struct routes *routes, uint32_t node, uint32_t first,
           uint32_t end, route_fn *fn, void *context)
{
    for (uint32_t i = first; i < end; i++) {
        uint32_t set = way_of(routes, i, node)->set;

        if (set == SET_SELF) {
            emit_hosts(routes, node, fn, context);
        } else if (set != SET_NONE) {
            emit(routes, routes->topology->nodes[routes->racks[i]].rack, set,
                 fn, context);
        }
    }
}

/* Calls 'fn' for the racks of a DC. */
static void
emit_podsets(const struct routes *routes, uint32_t node, uint32_t first,
             uint32_t end, route_fn *fn, void *context)
{
    const struct topology *topology = routes->topology;

    while (first < end) {
        const struct topology_node *rack =
            &topology->nodes[routes->racks[first]];
        uint32_t last = end_of(routes, first, true);
        uint32_t set = common_set(routes, node, first, last);
        uint32_t podsets = topology->n_podsets / topology->n_dcs;

        if (set != SET_NONE) {
            emit(routes,
                 topology->podset_prefixes[(uint32_t)rack->dc * podsets +
                                           (uint32_t)rack->podset],
                 set, fn, context);
        } else {
            emit_racks(routes, node, first, last, fn, context);
        }
        first = last;
    }
}

void
fabric_routes_each(const struct routes *routes, uint32_t node, route_fn *fn,
                   void *context)
{
    const struct topology *topology = routes->topology;

    orch_assert(node < routes->n_switches);
    for (uint32_t first = 0; first < routes->n_racks;) {
        uint32_t end = end_of(routes, first, false);
        uint32_t set = common_set(routes, node, first, end);
        uint32_t dc = (uint32_t)topology->nodes[routes->racks[first]].dc;

        if (set != SET_NONE) {
            emit(routes, topology->dc_prefixes[dc], set, fn, context);
        } else {
            emit_podsets(routes, node, first, end, fn, context);
        }
        first = end;
    }
}

/* Returns the port that leads to 'host', and with it its switch. */
static const struct topology_port *
host_port(const struct routes *routes, uint32_t host)
{
    orch_assert(routes->topology->nodes[host].is_host);
    return topology_port(routes->topology, host, 0);
}

struct next_hops
fabric_routes_towards(const struct routes *routes, uint32_t node, uint32_t host)
{
    const struct topology_port *port = host_port(routes, host);
    uint32_t rack = routes->rack_of[port->peer];

    if (node != port->peer) {
        return next_hops_of(routes, way_of(routes, rack, node)->set);
    }
    if (!routes->is_up[port->link]) {
        return (struct next_hops){0, NULL};
    }
    return (struct next_hops){1,
                              &routes->host_ports[host - routes->n_switches]};
}

uint32_t
fabric_routes_distance(const struct routes *routes, uint32_t from, uint32_t to)
{
    const struct topology_port *source = host_port(routes, from);
    const struct topology_port *target = host_port(routes, to);
    const struct way *way =
        way_of(routes, routes->rack_of[target->peer], source->peer);

    if (from == to || way->class == WAY_NONE || !routes->is_up[source->link] ||
        !routes->is_up[target->link]) {
        return 0;
    }
    return way->distance + 2;
}

uint64_t
fabric_routes_n_paths(const struct routes *routes, uint32_t from, uint32_t to)
{
    uint32_t distance = fabric_routes_distance(routes, from, to);
    uint32_t root = host_port(routes, to)->peer, head = 0, tail = 0;
    uint32_t rack = routes->rack_of[root];
    uint64_t *counts, result;

    if (!distance) {
        return 0;
    }
    /* Breadth first from the source: when a switch is taken from the queue, all
     * before it, which are one step further away, have added their paths. */
    counts = check_calloc(routes->n_switches, sizeof *counts);
    routes->queue[tail++] = host_port(routes, from)->peer;
    counts[routes->queue[0]] = 1;
    while (head < tail) {
        uint32_t node = routes->queue[head++];
        struct next_hops hops =
            next_hops_of(routes, way_of(routes, rack, node)->set);

        for (uint32_t i = 0; node != root && i < hops.n; i++) {
            uint32_t peer =
                topology_port(routes->topology, node, hops.ports[i])->peer;

            if (!counts[peer]) {
                routes->queue[tail++] = peer;
            }
            counts[peer] += counts[node];
        }
    }
    result = counts[root];
    free(counts);
    return result;
}

/* Counts how many ways lead over each switch to 'rack'. */
static void
count_incoming(const struct routes *routes, uint32_t rack, uint32_t *incoming)
{
    memset(incoming, 0, routes->n_switches * sizeof *incoming);
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        struct next_hops hops =
            next_hops_of(routes, way_of(routes, rack, i)->set);

        for (uint32_t k = 0; k < hops.n; k++) {
            incoming[topology_port(routes->topology, i, hops.ports[k])->peer]++;
        }
    }
}

/* Returns a switch on a loop of the ways to 'rack', or TOPOLOGY_NONE: removes
 * switches to which no way leads until none is left (Kahn, 1962). */
static uint32_t
find_loop(const struct routes *routes, uint32_t rack, uint32_t *incoming)
{
    uint32_t head = 0, tail = 0;

    count_incoming(routes, rack, incoming);
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        if (!incoming[i]) {
            routes->queue[tail++] = i;
        }
    }
    while (head < tail) {
        uint32_t node = routes->queue[head++];
        struct next_hops hops =
            next_hops_of(routes, way_of(routes, rack, node)->set);

        for (uint32_t k = 0; k < hops.n; k++) {
            uint32_t peer =
                topology_port(routes->topology, node, hops.ports[k])->peer;

            if (!--incoming[peer]) {
                routes->queue[tail++] = peer;
            }
        }
    }
    for (uint32_t i = 0; tail < routes->n_switches && i < routes->n_switches;
         i++) {
        if (incoming[i]) {
            return i;
        }
    }
    return TOPOLOGY_NONE;
}

enum st
fabric_routes_check(const struct routes *routes, struct err *err)
{
    const struct topology_node *nodes = routes->topology->nodes;
    uint32_t *incoming =
        check_calloc((size_t)routes->n_switches + 1, sizeof *incoming);
    enum st st = ST_OK;

    for (uint32_t rack = 0; !st && rack < routes->n_racks; rack++) {
        const char *name = nodes[routes->racks[rack]].name;
        uint32_t loop = find_loop(routes, rack, incoming);

        if (loop != TOPOLOGY_NONE) {
            st = err_set(err, ST_INVALID, "loop",
                         "the routes towards the hosts of %s have a loop at %s",
                         name, nodes[loop].name);
        }
        for (uint32_t i = 0; !st && i < routes->n_racks; i++) {
            if (way_of(routes, rack, routes->racks[i])->class == WAY_NONE) {
                st = err_set(err, ST_INVALID, "unreachable",
                             "%s has no way to the hosts of %s",
                             nodes[routes->racks[i]].name, name);
            }
        }
    }
    free(incoming);
    return st;
}
