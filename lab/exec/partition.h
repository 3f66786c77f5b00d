/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_PARTITION_H
#define ORCHD_LAB_EXEC_PARTITION_H

/* Divides a fabric among ranks.
 *
 * The rule.  A window is as long as the shortest link between ranks
 * (run_ranks.c), so the fabric is cut at its longest links: nodes that a
 * shorter link joins stay together, as long as the ranks then have equal work.
 * Hosts stay with their switch.  METIS divides what remains, so that all ranks
 * have equal work and few frames cross.  Work is the number of hops to expect:
 * each host sends at the speed of its link, its flows take equal shares, and
 * each flow takes all shortest paths alike. */

#include <stdbool.h>
#include <stdint.h>

struct arena;
struct experiment;

/* Stores the rank of each node in 'owners'; 'arena' is for what is needed
 * meanwhile.  Equal arguments give equal partitions with one version of METIS.
 * Returns false if there is no partition in which each of 'n_ranks' has a
 * node. */
bool partition_make(const struct experiment *experiment, uint32_t n_ranks,
                    struct arena *arena, uint32_t *owners);

#endif /* lab/exec/partition.h */
