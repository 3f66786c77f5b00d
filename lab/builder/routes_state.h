/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_ROUTES_STATE_H
#define ORCHD_LAB_BUILDER_ROUTES_STATE_H

/* The state of routes: the ways of all switches to all racks.
 *
 * The state of a switch towards a rack is (class, distance, set of ports).  A
 * neighbor y offers switch x the way of class
 *
 *     WAY_DOWN    y is lower, and its own way is down (or y is the rack)
 *     WAY_ACROSS  y is of the same tier, and its own way is down
 *     WAY_UP      y is higher, whatever its own way is
 *
 * with the distance of y plus 1.  x takes all best offers, by class and then by
 * distance.  Without tiers each way is a way down.  A taken offer has a
 * distance that is less by 1, so there are no loops.
 *
 * Internal to routes. */

#include <stddef.h>

#include "lab/builder/routes.h"

enum way_class { WAY_DOWN, WAY_ACROSS, WAY_UP, WAY_NONE };

/* The sets of next hops that mean something else. */
enum { SET_NONE, SET_SELF, SETS_SPECIAL };

#define NO_RACK UINT32_MAX

/* A link as one of its ends sees it. */
struct edge {
    uint32_t peer, link;
    uint16_t port;
    uint8_t offers; /* The class of what the peer offers. */
};

/* A way of a switch to a rack. */
struct way {
    uint32_t set;
    uint32_t distance : 24;
    uint32_t class : 8;
};

/* The ports of a set are 'ports[first]' to 'ports[first + n - 1]'. */
struct set {
    uint32_t first, n;
};

struct routes {
    const struct topology *topology; /* Borrowed. */
    bool by_tier;
    uint32_t n_switches;

    /* Links between switches: those of switch i are edges[first_edge[i]] to
     * edges[first_edge[i + 1] - 1], by port. */
    uint32_t *first_edge;
    struct edge *edges;
    bool *is_up; /* Of each link. */
    /* The port of its switch that leads to each host. */
    uint16_t *host_ports;

    uint32_t *racks;   /* Their switches, ascending. */
    uint32_t *rack_of; /* Of each switch, or NO_RACK. */
    uint32_t n_racks;
    struct way *ways; /* [rack * n_switches + switch] */

    /* Distinct sets, found by an open hash table of their numbers plus 1. */
    struct set *sets;
    uint32_t n_sets, sets_room;
    uint16_t *ports;
    uint32_t n_ports, ports_room;
    uint32_t *table;
    uint32_t mask;

    /* Of the search. */
    uint32_t *queue;
    uint16_t *chosen;
};

static inline struct way *
way_of(const struct routes *routes, uint32_t rack, uint32_t node)
{
    return &routes->ways[(size_t)rack * routes->n_switches + node];
}

static inline struct next_hops
next_hops_of(const struct routes *routes, uint32_t set)
{
    return (struct next_hops){routes->sets[set].n,
                              &routes->ports[routes->sets[set].first]};
}

#endif /* lab/builder/routes_state.h */
