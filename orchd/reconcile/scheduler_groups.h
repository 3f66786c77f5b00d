/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_SCHEDULER_GROUPS_H
#define ORCHD_RECONCILE_SCHEDULER_GROUPS_H

/* Scheduler groups: where the scheduler of a queue is set.
 *
 * In SAI the queues of a port are the leaves of a tree of scheduler groups, and
 * a queue is served as the group right above it says.  A row QUEUE names
 * queues, so the group of each has to be found: that whose children include the
 * queue.  Most chips have one group per queue.  Where several queues share one,
 * they share its scheduler too, and rows that want different ones contradict
 * each other without knowing.
 *
 * So a group is one object of the graph, named after its lowest queue
 * ("QUEUE|Ethernet0|2"), and rows that name any of its queues claim it.  Among
 * those that want a scheduler the one of the lowest queue has its way; others
 * are content if they want the same, and are shadowed if they do not.  Which
 * queues share a group is known once the ASIC was asked, which is done when a
 * row first wants a scheduler on that port. Until then, and again when the port
 * has been let go, each queue stands for a group of its own.
 *
 * Some chips have no groups, or none that matter, and take the scheduler at the
 * queue itself: graph.h 'schedules_queues'. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/backend.h"

struct claim;
struct graph;
struct object;
struct object_name;
struct want;

/* Returns the object that a row speaks of when it names 'name': the group that
 * a queue is in, else just that. */
struct object *scheduler_groups_object(struct graph *graph,
                                       const struct object_name *name);

/* Asks for the groups of 'n' different 'ports', which are on the ASIC, and
 * brings the claims of their queues to the groups that these are in. 'statuses'
 * has what SAI said of each port. */
void scheduler_groups_read(struct sai_backend *backend, uint32_t n,
                           struct object *const *ports, sai_status_t *statuses);

/* Returns whether 'object' is a group whose port is there, but has not been
 * asked yet. */
bool scheduler_groups_unknown(const struct object *object);

/* Returns whether 'want' of a row that claims 'object' is about it. */
bool scheduler_groups_concern(const struct object *object,
                              const struct want *want);

/* Returns the want of 'claim' about its object, a group; NULL if none. */
const struct want *scheduler_groups_want(const struct claim *claim);

/* Decides who has his way among the claims of a group that win and lack
 * nothing: the others either agree or are overruled. */
void scheduler_groups_arbitrate(struct object *group);

/* Returns the claim that has its way, or NULL. */
const struct claim *scheduler_groups_leader(const struct object *group);

#endif /* orchd/reconcile/scheduler_groups.h */
