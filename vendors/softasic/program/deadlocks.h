/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_DEADLOCKS_H
#define ORCHD_SOFTASIC_PROGRAM_DEADLOCKS_H

/* Detection of PFC deadlocks and recovery: programs SAI's attributes into the
 * twin (twin/qos/deadlock.h).
 *
 *   queue          ENABLE_PFC_DLDR, PFC_DLR_INIT, PFC_DLR_PACKET_ACTION
 *   switch, port   PFC_TC_DLD_INTERVAL, PFC_TC_DLR_INTERVAL
 *   switch         PFC_DLR_PACKET_ACTION
 *
 * Where SAI leaves a choice:
 *   - the traffic class n of the lists is that of queue n;
 *   - a class that neither the port nor the switch names has the intervals
 *     below;
 *   - the packet action, FORWARD or DROP, is that of the queue if it was ever
 *     set, else that of the switch;
 *   - each pause restarts the recovery interval, so recovery ends after the
 *     storm. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Milliseconds. */
enum {
    DEADLOCKS_DETECTION_MS = 200,
    DEADLOCKS_RECOVERY_MS = 400,
    DEADLOCKS_DETECTION_MAX_MS = 5000,
    DEADLOCKS_RECOVERY_MAX_MS = 60000,
};

/* Returns whether attribute 'id' of 'type' is one of these. */
bool deadlocks_concern(sai_object_type_t type, sai_attr_id_t id);

/* Checks attribute 'id' of 'item', which was just stored, and programs the
 * queues that it affects. */
sai_status_t deadlocks_set(struct asic *asic, const struct objects_item *item,
                           sai_attr_id_t id, struct err *err);

/* Only checks all attributes that 'item' is created with; stores the first that
 * is refused in '*blame'. */
sai_status_t deadlocks_check_all(const struct asic *asic,
                                 const struct objects_item *item,
                                 sai_attr_id_t *blame, struct err *err);

/* Returns the ranges of intervals. */
sai_status_t deadlocks_detection_range(const struct asic *asic,
                                       const struct objects_item *item,
                                       sai_attribute_t *attribute);
sai_status_t deadlocks_recovery_range(const struct asic *asic,
                                      const struct objects_item *item,
                                      sai_attribute_t *attribute);

/* A sim_deadlock_fn: notifies the client. */
void deadlocks_on_event(void *asic, uint32_t port, uint32_t index, bool dead);

#endif /* vendors/softasic/program/deadlocks.h */
