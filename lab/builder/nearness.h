/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_NEARNESS_H
#define ORCHD_LAB_BUILDER_NEARNESS_H

/* How near hosts are to each other: the lowest tier at which their ways up
 * meet.
 *
 * The way up of a host is its T0, the switch with the lowest number one tier
 * above that, and so on.  In the presets all switches above a T0 lead to the
 * same ones further up, or to planes of them that belong together, so the ways
 * of two hosts meet at the lowest tier that connects them: the T0 (the rack), a
 * T1 (the podset), a T2 (the data center), a regional hub (the region). */

#include <stdint.h>

struct arena;
struct topology;

enum { NEARNESS_TIERS = 4 };

/* The way up of a node; of switches nothing. */
struct nearness {
    uint32_t above[NEARNESS_TIERS]; /* TOPOLOGY_NONE: nothing is there. */
};

/* Returns the ways of all nodes, by number, in 'arena'. */
struct nearness *nearness_create(const struct topology *topology,
                                 struct arena *arena);

/* Returns the tier at which the ways of two hosts meet, NEARNESS_TIERS if they
 * do not. */
int nearness_of(const struct nearness *of, uint32_t first, uint32_t second);

#endif /* lab/builder/nearness.h */
