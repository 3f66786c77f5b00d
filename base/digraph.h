/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_DIGRAPH_H
#define ORCHD_BASE_DIGRAPH_H

/* A directed graph, and the shortest of its cycles.
 *
 * Vertices are numbers from 0.  Whether there is a cycle is found by removing
 * vertices without a predecessor until none is left (A. B. Kahn, "Topological
 * sorting of large networks", 1962): O(vertices + edges).  Only if some remain,
 * a search in width from each of them finds the shortest cycle: O(vertices +
 * edges) each.
 *
 * Pure; equal graphs give equal answers, in whatever order edges were added. */

#include <stdbool.h>
#include <stdint.h>

struct digraph;

/* Returns a graph of 'n' vertices without edges.  End with
 * digraph_destroy(). */
struct digraph *digraph_create(uint32_t n);

/* Frees 'graph'.  Accepts NULL. */
void digraph_destroy(struct digraph *graph);

/* Adds the edge from 'from' to 'to'; it may exist already. */
void digraph_add(struct digraph *graph, uint32_t from, uint32_t to);

/* Returns the number of different edges. */
uint32_t digraph_n_edges(struct digraph *graph);

/* Stores the vertices of a shortest cycle in 'cycle', which has room for all
 * vertices, and returns how many there are; 0: the graph has no cycle.  It
 * begins with its smallest vertex; of several shortest cycles it is the one
 * whose smallest vertex is the smallest.  An edge from a vertex to itself is a
 * cycle of one. */
uint32_t digraph_find_cycle(struct digraph *graph, uint32_t *cycle);

#endif /* base/digraph.h */
