/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_PROGRAM_H
#define ORCHD_SOFTASIC_SAI_PROGRAM_H

/* Programs the twin from the objects.
 *
 * This module dispatches by object type: it handles buffer pools, profiles,
 * ports and the switch itself, and calls the modules in
 * vendors/softasic/program for all other types.
 *
 * A caller that changes an object stores the change first and then calls one of
 * these functions, which read what they need from the object and from the
 * objects it refers to.  On failure the twin is unchanged, and the caller
 * reverts the change.
 *
 * All attributes of all objects are stored.  Those that reach the twin:
 *
 *   switch         QOS_DSCP_TO_TC_MAP, QOS_TC_TO_QUEUE_MAP, QOS_DEFAULT_TC,
 *                  FDB_AGING_TIME, PACKET_TRIM_* (program/trimming.h)
 *   port           SPEED, ADMIN_STATE, PKT_TX_ENABLE, the PFC mode and masks
 *                  for transmission, QOS_DSCP_TO_TC_MAP, QOS_DEFAULT_TC,
 *                  QOS_TC_TO_PRIORITY_GROUP_MAP, QOS_TC_TO_QUEUE_MAP
 *   buffer pool    TYPE (ingress or egress), SIZE, XOFF_SIZE
 *   profile        all; PACKET_ADMISSION_FAIL_ACTION at queues
 *   PG, queue      the buffer profile
 *   port, queue,   detection of PFC deadlocks and recovery
 *   switch         (program/deadlocks.h)
 *   QoS map        all but those about forwarding classes
 *   scheduler      the trees of ports (program/scheduler_trees.h)
 *   WRED           the queues (program/wred_profiles.h)
 *
 * vendors/softasic/program/scheduling.h says which schedulers, groups and WRED
 * profiles are valid.
 *
 * Refused are a pool for BOTH directions (ATTR_NOT_SUPPORTED), the switch shell
 * (ATTR_NOT_SUPPORTED), values beyond the chip (INVALID_ATTR_VALUE), and
 * reservations beyond the memory (INSUFFICIENT_RESOURCES). */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Programs 'item', which was just added with all its attributes.  On failure
 * '*blame' is the id of the attribute that a per-attribute code (with index 0)
 * is about, and '*err' explains. */
sai_status_t program_create(struct asic *asic, struct objects_item *item,
                            sai_attr_id_t *blame, struct err *err);

/* Programs the new value of attribute 'id' of 'item'. */
sai_status_t program_set(struct asic *asic, struct objects_item *item,
                         sai_attr_id_t id, struct err *err);

/* Programs 'port' and the positions of its children, which share an image, into
 * a new twin, in the slot that is the handle of 'port'.  The values of the
 * children follow by program_set(). */
sai_status_t program_shared_port(struct asic *asic, struct objects_item *port,
                                 struct err *err);

/* Programs the state of the link of 'port'. */
void program_set_link(struct asic *asic, const struct objects_item *port);

/* Removes 'item' and its children, to which nothing refers, from the twin.  The
 * caller then drops the objects. */
sai_status_t program_remove(struct asic *asic, struct objects_item *item,
                            struct err *err);

#endif /* vendors/softasic/sai/program.h */
