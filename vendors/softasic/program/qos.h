/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_QOS_H
#define ORCHD_SOFTASIC_PROGRAM_QOS_H

/* QoS maps, WRED profiles, schedulers and their groups, and their use by
 * queues: checks them (qos_maps.h, scheduling.h) and programs the twin
 * (qos_maps.h, wred_profiles.h, scheduler_trees.h).
 *
 * The functions succeed without effect for objects of other types, so a caller
 * can use them for any object.  Outcomes are those of
 * vendors/softasic/sai/program.h. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Programs 'item', which was just added. */
sai_status_t qos_create(struct asic *asic, struct objects_item *item,
                        sai_attr_id_t *blame, struct err *err);

/* Programs the new value of attribute 'id' of 'item', which may be a queue; not
 * its buffer profile. */
sai_status_t qos_set(struct asic *asic, struct objects_item *item,
                     sai_attr_id_t id, struct err *err);

/* Removes 'item' from the twin. */
sai_status_t qos_remove(struct asic *asic, struct objects_item *item);

#endif /* vendors/softasic/program/qos.h */
