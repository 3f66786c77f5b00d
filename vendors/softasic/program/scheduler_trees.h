/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SCHEDULER_TREES_H
#define ORCHD_SOFTASIC_PROGRAM_SCHEDULER_TREES_H

/* The schedulers of ports: from SAI's queues, groups and profiles to the trees
 * of the twin.
 *
 * Every port of the twin has a tree (twin/qos/scheduler.h) whose root is the
 * port and whose nodes are its queues and scheduler groups; the handle of a
 * group is its node, that of a queue belongs to the MMU (its node is its
 * index). A scheduler profile says how each node that names it stands to its
 * siblings, and what rates it has; of the profile of a port only the maximum
 * counts.
 *
 * A group that has no profile and just one queue below it, as every queue has
 * from the start, stands to its siblings as the profile of that queue says: so
 * a profile may be given to the queue or to its group.  If both have one, the
 * group's counts among the groups. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Builds the tree of 'port', which was just made. */
void scheduler_trees_start(struct daemon_switch *asic,
                           struct objects_item *port);

/* Makes the node of 'group', which a client made.
 * SAI_STATUS_INSUFFICIENT_RESOURCES if there is no room. */
sai_status_t scheduler_trees_create(struct daemon_switch *asic,
                                    struct objects_item *group,
                                    struct err *err);

/* Ends the node of 'group'. */
sai_status_t scheduler_trees_remove(struct daemon_switch *asic,
                                    const struct objects_item *group);

/* Follows a change of attribute 'id' of a queue, group, port or scheduler
 * profile; others than those that concern scheduling are no matter. */
sai_status_t scheduler_trees_set(struct daemon_switch *asic,
                                 const struct objects_item *item,
                                 sai_attr_id_t id, struct err *err);

#endif /* vendors/softasic/program/scheduler_trees.h */
