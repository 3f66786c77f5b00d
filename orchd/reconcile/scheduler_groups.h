/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_SCHEDULER_GROUPS_H
#define ORCHD_RECONCILE_SCHEDULER_GROUPS_H

/* Scheduler groups: where the scheduler of a queue is set.
 *
 * In SAI the queues of a port are the leaves of a tree of scheduler groups, and
 * the group directly above a queue schedules it.  A row QUEUE names queues, so
 * orchd has to find the group of each: the one whose children include the
 * queue. Most chips have one group per queue.  If several queues share a group,
 * they share its scheduler, and rows that want different ones conflict.
 *
 * So a group is one object of the graph, named after its lowest queue
 * ("QUEUE|Ethernet0|2"), and rows that name any of its queues claim it.  Of
 * those that want a scheduler the row of the lowest queue decides; the others
 * are applied if they want the same one, and shadowed if not.  orchd reads the
 * groups of a port when a row first wants a scheduler there.  Until then, and
 * again after the port was released, each queue stands for a group of its own.
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

/* Returns the object that a row means by 'name': the group that a queue is in,
 * or the object of that name. */
struct object *scheduler_groups_object(struct graph *graph,
                                       const struct object_name *name);

/* Reads the groups of 'n' different 'ports', which are on the ASIC, and moves
 * the claims of their queues to the right groups.  Fills 'statuses' with the
 * SAI status for each port. */
void scheduler_groups_read(struct sai_backend *backend, uint32_t n,
                           struct object *const *ports, sai_status_t *statuses);

/* Returns whether 'object' is a group whose port exists, but whose groups were
 * not read yet. */
bool scheduler_groups_unknown(const struct object *object);

/* Returns whether 'want' of a row that claims 'object' applies to it. */
bool scheduler_groups_concern(const struct object *object,
                              const struct want *want);

/* Returns the want of 'claim' that applies to its object, a group; NULL if
 * none. */
const struct want *scheduler_groups_want(const struct claim *claim);

/* Decides among the claims of a group that win and lack nothing: the others
 * either agree or are overruled. */
void scheduler_groups_arbitrate(struct object *group);

/* Returns the claim that decides, or NULL. */
const struct claim *scheduler_groups_leader(const struct object *group);

#endif /* orchd/reconcile/scheduler_groups.h */
