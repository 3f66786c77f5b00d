/* SPDX-License-Identifier: Apache-2.0 */

/* Which hosts are how near to each other. */

#include <config.h>

#include "lab/builder/nearness.h"

#include "base/arena.h"
#include "lab/builder/topology.h"

/* Returns the switch with the lowest number among those that are one link above
 * 'node', TOPOLOGY_NONE if there are none. */
static uint32_t
lowest_above(const struct topology *topology, uint32_t node)
{
    uint32_t lowest = TOPOLOGY_NONE;

    for (uint32_t p = 0; p < topology->nodes[node].n_ports; p++) {
        const uint32_t peer = topology_port(topology, node, p)->peer;

        if (topology->nodes[peer].tier == topology->nodes[node].tier + 1 &&
            peer < lowest) {
            lowest = peer;
        }
    }
    return lowest;
}

struct nearness *
nearness_create(const struct topology *topology, struct arena *arena)
{
    struct nearness *of =
        arena_alloc(arena, (size_t)topology->n_nodes + 1, sizeof *of);

    for (uint32_t i = 0; i < topology->n_nodes; i++) {
        uint32_t at = i;

        for (int tier = 0; tier < NEARNESS_TIERS; tier++) {
            of[i].above[tier] = TOPOLOGY_NONE;
        }
        for (int tier = 0; topology->nodes[i].is_host &&
                           tier < NEARNESS_TIERS && at != TOPOLOGY_NONE;
             tier++) {
            at = lowest_above(topology, at);
            of[i].above[tier] = at;
        }
    }
    return of;
}

int
nearness_of(const struct nearness *of, uint32_t first, uint32_t second)
{
    int tier = 0;

    while (tier < NEARNESS_TIERS &&
           (of[first].above[tier] == TOPOLOGY_NONE ||
            of[first].above[tier] != of[second].above[tier])) {
        tier++;
    }
    return tier;
}
