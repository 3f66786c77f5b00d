/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SCHEDULER_TREES_H
#define ORCHD_SOFTASIC_PROGRAM_SCHEDULER_TREES_H

/* The schedulers of ports: programs the trees of the twin from SAI's queues,
 * groups and profiles.
 *
 * Every port of the twin has a tree (twin/qos/scheduler.h) whose root is the
 * port and whose nodes are its queues and scheduler groups; the handle of a
 * group is its node, that of a queue belongs to the MMU (its node is its
 * index).  A scheduler profile defines the type and weight of each node that
 * names it, relative to its siblings, and its rates; of the profile of a port
 * only the maximum rate is used.
 *
 * Initially every queue is alone in a group.  A group without a profile and
 * with only one queue below it has the type and weight of that queue's profile,
 * so a client may set the profile at the queue or at its group.  If both have
 * one, that of the group counts among the groups. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Builds the tree of 'port', which was just created. */
void scheduler_trees_start(struct asic *asic, struct objects_item *port);

/* Adds the node of 'group', which a client created.
 * SAI_STATUS_INSUFFICIENT_RESOURCES if there is no room. */
sai_status_t scheduler_trees_create(struct asic *asic,
                                    struct objects_item *group,
                                    struct err *err);

/* Removes the node of 'group'. */
sai_status_t scheduler_trees_remove(struct asic *asic,
                                    const struct objects_item *group);

/* Programs a change of attribute 'id' of a queue, group, port or scheduler
 * profile; does nothing for attributes that do not concern scheduling. */
sai_status_t scheduler_trees_set(struct asic *asic,
                                 const struct objects_item *item,
                                 sai_attr_id_t id, struct err *err);

#endif /* vendors/softasic/program/scheduler_trees.h */
