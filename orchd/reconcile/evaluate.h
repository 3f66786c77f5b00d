/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EVALUATE_H
#define ORCHD_RECONCILE_EVALUATE_H

/* What is wanted now: the marked part of the graph brought up to date.
 *
 * For each marked object: which claims win, which of these are ready, whether
 * the object is to exist, whether others may refer to it, and what each slot
 * wants.  When the answer to "may others refer to it" changes, or the direction
 * of a pool, the objects of the rows that do are marked as well, so a change
 * travels along the edges as far as it matters and no further.  References run
 * one way (port and binding, profile, pool), so this ends.
 *
 * Ready means: every object that the row refers to is available, or is what
 * the ASIC holds at this place anyway (a profile whose row is gone stays in
 * force where it is, but is given to nobody new); and the place itself is
 * there.  And all must go together: a place and the direction of the pool of
 * its profile; a lossless profile and an ingress pool; a profile that trims
 * packets, and places that cannot (priority groups, and ports as a whole).
 * Where a profile is to trim that such a place has on the ASIC, it is the
 * profile that has to wait; where one is to be bound that trims already, it is
 * the place.
 *
 * Cost: proportional to what is marked and what depends on it. */

#include <stdbool.h>

#include <sai.h>

struct graph;
struct object;

/* Returns whether attribute 'id' of 'place' may refer to 'object' as far as
 * directions are concerned: if it binds a profile, then not one whose pool is
 * known to be for the other direction. */
bool evaluate_fits(const struct object *place, sai_attr_id_t id,
                   const struct object *object);

/* Evaluates until nothing is marked.  The objects that were are then in the
 * graph's list of touched ones. */
void evaluate_marked(struct graph *graph);

#endif /* orchd/reconcile/evaluate.h */
