/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SCHEDULING_H
#define ORCHD_SOFTASIC_PROGRAM_SCHEDULING_H

/* Validity of schedulers, scheduler groups, WRED profiles and the parents of
 * queues.
 *
 * The tree of a port has PORT_FAMILY_LEVELS levels of groups.  At level 0 a
 * group is below its port, at level n below a group of level n - 1 of the same
 * port.  A queue is below its port, or below any group of its port.  A group
 * has at most MAX_CHILDS queues and groups below it.
 *
 * Ranges (SAI's texts): SCHEDULING_WEIGHT 1..255, probabilities in percent,
 * WEIGHT of a WRED profile 0..15. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Checks attribute 'id' of 'item' as it is stored; other types and attributes
 * than those above are valid.  Returns SAI_STATUS_SUCCESS;
 * SAI_STATUS_INVALID_ATTR_VALUE_0 for an invalid value, or
 * SAI_STATUS_INSUFFICIENT_RESOURCES if the parent has no room, both explained
 * in '*err'. */
sai_status_t scheduling_check(const struct asic *asic,
                              const struct objects_item *item, sai_attr_id_t id,
                              struct err *err);

/* Checks all attributes of 'item', which was just added.  '*blame' is the
 * attribute that a per-attribute code is about. */
sai_status_t scheduling_check_all(const struct asic *asic,
                                  const struct objects_item *item,
                                  sai_attr_id_t *blame, struct err *err);

#endif /* vendors/softasic/program/scheduling.h */
