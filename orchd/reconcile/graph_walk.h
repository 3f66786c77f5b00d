/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_GRAPH_WALK_H
#define ORCHD_RECONCILE_GRAPH_WALK_H

/* A walk over the objects or the sources of a graph that may be interrupted:
 * the graph may change, with all its pointers, between two steps.
 *
 * The order is by table, name, index.  The walk remembers the last name, and
 * continues with the first one after it.  So whatever exists from the first
 * step to the last is visited exactly once; what is created or removed
 * meanwhile may be visited or not.
 *
 * A step takes constant time, unless what was visited last is gone (a search)
 * or something was created since the last step (a sort). */

#include <stdbool.h>

#include "base/text.h"
#include "orchd/intent/table.h"
#include "orchd/reconcile/row_answer.h"

struct graph;
struct object;
struct source;

/* Zero-initialise; free with graph_walk_fini().  All members are private. */
struct graph_walk {
    bool begun;
    enum table table; /* The last name. */
    struct text name;
    int index;
    struct row_answer answer; /* Of agent_walk_row(). */
};

/* Frees what 'walk' holds and zeroes it. */
void graph_walk_fini(struct graph_walk *walk);

/* Return the next object, or source, of 'graph'; NULL after the last one.  Use
 * one of them only for a walk. */
struct object *graph_walk_object(struct graph *graph, struct graph_walk *walk);
struct source *graph_walk_source(struct graph *graph, struct graph_walk *walk);

/* Bring the objects, or the sources, of 'graph' into that order of iteration,
 * on which nothing else depends. */
void graph_sort_objects(struct graph *graph);
void graph_sort_sources(struct graph *graph);

#endif /* orchd/reconcile/graph_walk.h */
