/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_STALE_OBJECTS_H
#define ORCHD_RECONCILE_STALE_OBJECTS_H

/* What an earlier life has set on ports, and rows have gone since.
 *
 * A row that is deleted while orchd does not run is in nobody's memory: a
 * priority group that nobody names any more would keep its profile for ever. So
 * once everything that is wanted is there, the ASIC is asked what is bound to
 * the switch, to ports, and to their queues, groups and scheduler groups, and
 * what PFC they do.  What is not the default, and what no row wants, is made
 * uncertain: then the next plan takes it back, in the order of all plans.
 *
 * Left alone is what a row speaks of that is not in force, or that waits: what
 * it holds, it keeps.  So are the speed, MTU and state of ports. */

#include <stddef.h>

struct graph;
struct ports;
struct sai_backend;

/* Asks 'backend', and marks what is left over.  To be called when nothing is
 * left to plan.  Returns how much there is. */
size_t stale_objects_find(struct graph *graph, struct sai_backend *backend);

/* Takes back what is bound to the 'ports' that no row claims, at once: they
 * have no names by which a plan could call them.  Does nothing if a row of PORT
 * is not in force or has no port, which may be one of these. */
void stale_objects_clear_ports(const struct graph *graph,
                               const struct ports *ports,
                               struct sai_backend *backend);

#endif /* orchd/reconcile/stale_objects.h */
