/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_ROUTES_H
#define ORCHD_LAB_BUILDER_ROUTES_H

/* The routes of each switch: what eBGP would hold.
 *
 * For each destination a switch has the next hops of all shortest paths (ECMP).
 * With ROUTING_VALLEY_FREE, a path climbs, crosses at most one link between
 * switches of the same tier, and descends: a switch prefers descending paths,
 * then crossing ones, then climbing ones, and among those the shortest, as an
 * operator's policy for eBGP does (Gao and Rexford, "Stable Internet routing
 * without global coordination", 2001, prove that it has no loops).  With
 * ROUTING_SHORTEST, or in a graph without tiers, only the length counts.
 *
 * Destinations are racks: the prefix of each switch with hosts.  The switch
 * itself also has a route for each of its hosts, /32.  Prefixes of podsets and
 * DCs replace those of their racks where all of these have the same next hops,
 * so that a T2 of podsets holds one route per podset.  A switch without a way
 * to a rack has no route that covers it.
 *
 * Failures.  fabric_routes_set_link() takes a link down or up, and searches
 * again only from the racks whose paths used it, or would use it.
 *
 * Pure.  Cost: one search from each rack, O(racks * links); memory: a next-hop
 * set (shared by content) per switch and rack. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/builder/topology.h"

struct routes;

/* The ports of a switch over which it reaches something, ascending. */
struct next_hops {
    uint32_t n; /* 0: unreachable. */
    const uint16_t *ports;
};

struct route {
    struct prefix prefix;
    /* Number of the set of next hops: equal numbers, equal sets. */
    uint32_t set;
    struct next_hops next_hops; /* At least one. */
};

/* Called for each route of a switch. */
typedef void route_fn(void *context, const struct route *route);

/* Returns the routes of 'topology' (borrowed) for 'routing', all links up.  End
 * with fabric_routes_destroy(). */
struct routes *fabric_routes_create(const struct topology *topology,
                                    enum routing routing);

/* Frees 'routes'.  Accepts NULL. */
void fabric_routes_destroy(struct routes *routes);

/* Takes 'link' down, or up again, and computes the routes that this changes.
 * Returns how many racks were computed again. */
uint32_t fabric_routes_set_link(struct routes *routes, uint32_t link, bool up);

/* Calls 'fn' for each route of switch 'node', aggregated, by address and then
 * by length.  What it gets is valid for the call. */
void fabric_routes_each(const struct routes *routes, uint32_t node,
                        route_fn *fn, void *context);

/* Returns the next hops of switch 'node' towards host 'host', not
 * aggregated. */
struct next_hops fabric_routes_towards(const struct routes *routes,
                                       uint32_t node, uint32_t host);

/* Returns the number of links of the shortest path from host 'from' to host
 * 'to' that these routes use, or 0 if there is none. */
uint32_t fabric_routes_distance(const struct routes *routes, uint32_t from,
                                uint32_t to);

/* Returns the number of different paths from host 'from' to host 'to'. */
uint64_t fabric_routes_n_paths(const struct routes *routes, uint32_t from,
                               uint32_t to);

/* Checks all pairs of racks.  Returns ST_OK, or ST_INVALID with the first pair
 * between which there is no path, or whose next hops form a loop, in 'err'. */
enum st fabric_routes_check(const struct routes *routes,
                            struct err *err) ST_WARN_UNUSED;

#endif /* lab/builder/routes.h */
