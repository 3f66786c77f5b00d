/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_QOS_H
#define ORCHD_SOFTASIC_PROGRAM_QOS_H

/* QoS maps, WRED profiles, schedulers and their groups, and what queues have of
 * them: judged (qos_maps.h, scheduling.h), then brought to the twin
 * (qos_maps.h, wred_profiles.h, scheduler_trees.h).
 *
 * Objects of other types are fine and nothing happens, so that whoever knows no
 * other module for an object may ask here.  Outcomes are those of
 * vendors/softasic/sai/program.h. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Makes what the twin is to have of 'item'. */
sai_status_t qos_create(struct daemon_switch *asic, struct objects_item *item,
                        sai_attr_id_t *blame, struct err *err);

/* Follows a change of attribute 'id' of 'item', which may be a queue; its
 * buffer profile is not meant. */
sai_status_t qos_set(struct daemon_switch *asic, struct objects_item *item,
                     sai_attr_id_t id, struct err *err);

/* Ends what the twin has of 'item'. */
sai_status_t qos_remove(struct daemon_switch *asic, struct objects_item *item);

#endif /* vendors/softasic/program/qos.h */
