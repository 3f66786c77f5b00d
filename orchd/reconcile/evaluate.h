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
 * there.  A place is not ready for a profile whose pool is for the other
 * direction.
 *
 * Cost: proportional to what is marked and what depends on it. */

#include <stdbool.h>

struct graph;
struct object;

/* Returns whether 'place', a priority group or queue, may be bound to
 * 'profile': its pool is, as far as is known, not for the other direction. */
bool evaluate_fits(const struct object *place, const struct object *profile);

/* Evaluates until nothing is marked.  The objects that were are then in the
 * graph's list of touched ones. */
void evaluate_marked(struct graph *graph);

#endif /* orchd/reconcile/evaluate.h */
