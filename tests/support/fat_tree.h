/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_FAT_TREE_H
#define ORCHD_TESTS_SUPPORT_FAT_TREE_H

/* A k-ary fat tree of routed switches with an adapter per host, for tests and
 * benchmarks.
 *
 * k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches, k^3/4
 * hosts, all of 'k' ports (Al-Fares et al., "A scalable, commodity data center
 * network architecture", 2008).  Host h of edge switch e of pod p has the
 * address 10.p.e.(h + 2).  Every switch routes by its own table: an edge switch
 * has its hosts as neighbors, an aggregation switch a /24 per edge switch, both
 * a default route to the group of all ports upwards; a core switch has a /16
 * per pod.
 *
 * The switches are set up as in switch_setup.h.
 *
 * Entity numbers: ports of switches in the order edge, aggregation, core; then
 * hosts.  With 'order', nodes and links are created in another order, with the
 * same numbers. */

#include <stdint.h>

#include "tests/support/switch_setup.h"
#include "twin/fabric/fabric.h"
#include "twin/nic/nic.h"

enum { FAT_TREE_MAX_K = 64 };

struct fat_tree_config {
    struct switch_setup setup; /* Its number of ports is k: even, at most
                                * FAT_TREE_MAX_K. */
    uint32_t length_m;         /* Of each cable. */
    uint64_t seed;
    struct nic_config nic; /* Of each host; the address is filled in. */

    /* Every 'slow_every'th host has this PCIe; 0: none. */
    uint32_t slow_every;
    struct nic_pcie_config slow;
    uint64_t order;                        /* 0: as described above. */
    const struct line_pool_source *memory; /* NULL: calloc(). */
};

struct fat_tree {
    struct fabric *fabric;
    struct sim **switches;
    struct nic **nics;
    struct link **links;
    uint32_t k;
    uint32_t n_switches;
    uint32_t n_hosts;
    uint32_t n_links;
};

/* Builds '*tree'; failures stop the process.  End with fat_tree_fini(). */
void fat_tree_init(struct fat_tree *tree, const struct fat_tree_config *config);
void fat_tree_fini(struct fat_tree *tree);

/* Returns 'host' as the end of a connection. */
struct connection_end fat_tree_end(const struct fat_tree *tree, uint32_t host);

#endif /* tests/support/fat_tree.h */
