/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_EVALUATE_H
#define ORCHD_RECONCILE_EVALUATE_H

/* Computes what is wanted, for the marked part of the graph.
 *
 * For each marked object: which claims win, which of these are ready, whether
 * the object is to exist, whether others may refer to it, and what each slot
 * wants. When the availability of an object changes, or the direction of a
 * pool, evaluate marks the objects of all rows that refer to it.  So a change
 * travels along the edges as far as it has an effect.  References run one way
 * (binding to profile to pool), so this ends.
 *
 * A claim is ready if every object that the row refers to is available, or is
 * already in force here (a profile whose row was deleted stays bound where it
 * is, but is not bound anywhere else), and if the port, queue or priority group
 * exists. The combination must be valid, too: the direction of a binding and of
 * the pool of its profile; a lossless profile and an ingress pool; a profile
 * that trims packets, and queues (ports as a whole and priority groups cannot
 * trim).  If a profile that is bound to a port or priority group is to trim,
 * the profile waits; if a profile that trims is to be bound to one, the binding
 * waits.
 *
 * Cost: proportional to what is marked and what depends on it. */

struct graph;

/* Evaluates until nothing is marked.  The evaluated objects are then in the
 * graph's list of touched objects. */
void evaluate_marked(struct graph *graph);

#endif /* orchd/reconcile/evaluate.h */
