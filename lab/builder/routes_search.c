/* SPDX-License-Identifier: Apache-2.0 */

/* Computes the routes of all switches: one search per rack.
 *
 * A link matters for a rack if one of its ends offers the other a way that is
 * at least as good as the one it has: this holds for a link that is used, and
 * for one that would be if it were up. */

#include <config.h>

#include "lab/builder/routes.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/digest.h"
#include "lab/builder/routes_state.h"

/* Sets --------------------------------------------------------------------- */

static uint32_t
hash_ports(const uint16_t *ports, uint32_t n)
{
    uint64_t digest = digest_bytes(DIGEST_START, ports, n * sizeof *ports);

    return (uint32_t)(digest ^ digest >> 32);
}

static void
insert_set(struct routes *routes, uint32_t number)
{
    const struct set *set = &routes->sets[number];
    uint32_t slot = hash_ports(&routes->ports[set->first], set->n);

    while (routes->table[slot & routes->mask]) {
        slot++;
    }
    routes->table[slot & routes->mask] = number + 1;
}

/* Makes room for another set of 'n' ports. */
static void
grow_sets(struct routes *routes, uint32_t n)
{
    if (routes->n_ports + n > routes->ports_room) {
        routes->ports_room = 2 * routes->ports_room + n + 64;
        routes->ports = check_realloc(routes->ports, routes->ports_room *
                                                         sizeof *routes->ports);
    }
    if (routes->n_sets == routes->sets_room) {
        routes->sets_room = 2 * routes->sets_room + 32;
        routes->sets = check_realloc(routes->sets,
                                     routes->sets_room * sizeof *routes->sets);
        free(routes->table);
        routes->mask = 4 * 32 - 1;
        while (routes->mask < 2 * routes->sets_room) {
            routes->mask = 2 * routes->mask + 1;
        }
        routes->table =
            check_calloc((size_t)routes->mask + 1, sizeof *routes->table);
        for (uint32_t i = SETS_SPECIAL; i < routes->n_sets; i++) {
            insert_set(routes, i);
        }
    }
}

/* Returns the number of the set of 'n' (not 0) 'ports'. */
static uint32_t
intern(struct routes *routes, const uint16_t *ports, uint32_t n)
{
    for (uint32_t slot = hash_ports(ports, n);; slot++) {
        uint32_t found = routes->table[slot & routes->mask];

        if (!found) {
            break;
        }
        if (routes->sets[found - 1].n == n &&
            !memcmp(&routes->ports[routes->sets[found - 1].first], ports,
                    n * sizeof *ports)) {
            return found - 1;
        }
    }
    grow_sets(routes, n);
    memcpy(&routes->ports[routes->n_ports], ports, n * sizeof *ports);
    routes->sets[routes->n_sets] = (struct set){routes->n_ports, n};
    routes->n_ports += n;
    insert_set(routes, routes->n_sets);
    return routes->n_sets++;
}

/* The search --------------------------------------------------------------- */

/* Returns whether the peer of 'edge', whose way is 'way', offers one. */
static bool
does_offer(const struct edge *edge, const struct way *way)
{
    return way->class == WAY_DOWN ||
           (edge->offers == WAY_UP && way->class != WAY_NONE);
}

/* Gives 'node' the best of what its peers offer, if it has no way yet or one
 * that is not better.  Only offers of 'class' count. */
static void
take_offers(struct routes *routes, uint32_t rack, uint32_t node, uint8_t class)
{
    struct way *way = way_of(routes, rack, node);
    uint32_t best = UINT32_MAX, n = 0;

    for (uint32_t i = routes->first_edge[node];
         i < routes->first_edge[node + 1]; i++) {
        const struct edge *edge = &routes->edges[i];
        const struct way *offer = way_of(routes, rack, edge->peer);

        if (edge->offers != class || !routes->is_up[edge->link] ||
            !does_offer(edge, offer)) {
            continue;
        }
        if (offer->distance + 1U < best) {
            best = offer->distance + 1U;
            n = 0;
        }
        if (offer->distance + 1U == best) {
            routes->chosen[n++] = edge->port;
        }
    }
    if (n) {
        way->class = class;
        way->distance = best & 0xffffff;
        way->set = intern(routes, routes->chosen, n);
    }
}

/* Finds the switches that reach 'rack' by ways of class WAY_DOWN, breadth
 * first. Their sets are taken when all of the previous distance are known. */
static void
search_down(struct routes *routes, uint32_t rack)
{
    uint32_t head = 0, tail = 0, root = routes->racks[rack];

    *way_of(routes, rack, root) = (struct way){SET_SELF, 0, WAY_DOWN};
    routes->queue[tail++] = root;
    while (head < tail) {
        uint32_t node = routes->queue[head++];
        uint32_t distance = way_of(routes, rack, node)->distance;

        if (node != root) {
            take_offers(routes, rack, node, WAY_DOWN);
        }
        for (uint32_t i = routes->first_edge[node];
             i < routes->first_edge[node + 1]; i++) {
            const struct edge *edge = &routes->edges[i];
            struct way *way = way_of(routes, rack, edge->peer);

            /* The peer is offered a way down if it is higher, which is when it
             * offers us one up. */
            if (routes->is_up[edge->link] && way->class == WAY_NONE &&
                (edge->offers == WAY_UP || !routes->by_tier)) {
                *way =
                    (struct way){SET_NONE, (distance + 1) & 0xffffff, WAY_DOWN};
                routes->queue[tail++] = edge->peer;
            }
        }
    }
}

/* Computes the ways of all switches to 'rack'. */
static void
search(struct routes *routes, uint32_t rack)
{
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        *way_of(routes, rack, i) = (struct way){SET_NONE, 0xffffff, WAY_NONE};
    }
    search_down(routes, rack);
    if (!routes->by_tier) {
        return;
    }
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        if (way_of(routes, rack, i)->class == WAY_NONE) {
            take_offers(routes, rack, i, WAY_ACROSS);
        }
    }
    /* Switches are numbered from the top, so those above are done before. */
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        if (way_of(routes, rack, i)->class == WAY_NONE) {
            take_offers(routes, rack, i, WAY_UP);
        }
    }
}

/* Creation ----------------------------------------------------------------- */

/* Returns the class of what 'peer' offers to 'node'. */
static uint8_t
offered_class(const struct routes *routes, uint32_t node, uint32_t peer)
{
    int tier = routes->topology->nodes[node].tier;
    int other = routes->topology->nodes[peer].tier;

    if (!routes->by_tier || other < tier) {
        return WAY_DOWN;
    }
    return other == tier ? WAY_ACROSS : WAY_UP;
}

static void
collect_edges(struct routes *routes)
{
    const struct topology *topology = routes->topology;
    uint32_t n = 0, most = 0;

    routes->first_edge = check_calloc((size_t)routes->n_switches + 1,
                                      sizeof *routes->first_edge);
    routes->edges =
        check_calloc((size_t)topology->n_ports + 1, sizeof *routes->edges);
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        uint32_t n_ports = topology->nodes[i].n_ports;

        routes->first_edge[i] = n;
        most = n_ports > most ? n_ports : most;
        for (uint32_t k = 0; k < n_ports; k++) {
            const struct topology_port *port = topology_port(topology, i, k);

            if (port->peer < routes->n_switches) {
                routes->edges[n++] =
                    (struct edge){port->peer, port->link, (uint16_t)k,
                                  offered_class(routes, i, port->peer)};
            }
        }
    }
    routes->first_edge[routes->n_switches] = n;
    routes->chosen = check_calloc((size_t)most + 1, sizeof *routes->chosen);
}

static void
collect_racks(struct routes *routes)
{
    size_t n = (size_t)routes->n_switches + 1;

    routes->racks = check_calloc(n, sizeof *routes->racks);
    routes->rack_of = check_calloc(n, sizeof *routes->rack_of);
    for (uint32_t i = 0; i < routes->n_switches; i++) {
        routes->rack_of[i] = NO_RACK;
        if (routes->topology->nodes[i].rack.length) {
            routes->rack_of[i] = routes->n_racks;
            routes->racks[routes->n_racks++] = i;
        }
    }
}

static void
collect_hosts(struct routes *routes)
{
    const struct topology *topology = routes->topology;

    routes->host_ports =
        check_calloc((size_t)topology->n_hosts + 1, sizeof *routes->host_ports);
    for (uint32_t i = 0; i < topology->n_hosts; i++) {
        routes->host_ports[i] =
            (uint16_t)topology_port(topology, routes->n_switches + i, 0)
                ->peer_port;
    }
}

struct routes *
fabric_routes_create(const struct topology *topology, enum routing routing)
{
    struct routes *routes = check_calloc(1, sizeof *routes);

    routes->topology = topology;
    routes->by_tier = topology->has_tiers && routing == ROUTING_VALLEY_FREE;
    routes->n_switches = topology->n_switches;
    collect_edges(routes);
    collect_racks(routes);
    collect_hosts(routes);
    grow_sets(routes, 1);
    memset(routes->sets, 0, SETS_SPECIAL * sizeof *routes->sets);
    routes->n_sets = SETS_SPECIAL;
    routes->is_up =
        check_calloc((size_t)topology->n_links + 1, sizeof *routes->is_up);
    memset(routes->is_up, true, topology->n_links);
    routes->queue =
        check_calloc((size_t)routes->n_switches + 1, sizeof *routes->queue);
    routes->ways = check_calloc(
        (size_t)routes->n_racks * routes->n_switches + 1, sizeof *routes->ways);
    for (uint32_t i = 0; i < routes->n_racks; i++) {
        search(routes, i);
    }
    return routes;
}

void
fabric_routes_destroy(struct routes *routes)
{
    if (routes) {
        free(routes->first_edge);
        free(routes->edges);
        free(routes->is_up);
        free(routes->host_ports);
        free(routes->racks);
        free(routes->rack_of);
        free(routes->ways);
        free(routes->sets);
        free(routes->ports);
        free(routes->table);
        free(routes->queue);
        free(routes->chosen);
        free(routes);
    }
}

/* Failures ----------------------------------------------------------------- */

/* Returns whether 'from' offers 'to' a way to 'rack' over a link between them
 * that is not worse than the one 'to' has. */
static bool
is_offer_good(const struct routes *routes, uint32_t rack, uint32_t from,
              uint32_t to)
{
    const struct way *offer = way_of(routes, rack, from);
    const struct way *way = way_of(routes, rack, to);
    const struct edge edge = {.offers = offered_class(routes, to, from)};

    if (!does_offer(&edge, offer)) {
        return false;
    }
    return edge.offers < way->class ||
           (edge.offers == way->class && offer->distance + 1 <= way->distance);
}

uint32_t
fabric_routes_set_link(struct routes *routes, uint32_t link, bool up)
{
    const struct topology_link *ends = &routes->topology->links[link];
    uint32_t a = ends->node[0], b = ends->node[1], n = 0;

    if (routes->is_up[link] == up) {
        return 0;
    }
    routes->is_up[link] = up;
    if (routes->topology->nodes[a].is_host) {
        return 0;
    }
    for (uint32_t rack = 0; rack < routes->n_racks; rack++) {
        if (is_offer_good(routes, rack, a, b) ||
            is_offer_good(routes, rack, b, a)) {
            search(routes, rack);
            n++;
        }
    }
    return n;
}
