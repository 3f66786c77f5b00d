/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_PORT_BUFFERS_H
#define ORCHD_SOFTASIC_PROGRAM_PORT_BUFFERS_H

/* The buffer profiles of a port as a whole: QOS_INGRESS_BUFFER_PROFILE_LIST and
 * QOS_EGRESS_BUFFER_PROFILE_LIST.
 *
 * A list has at most one profile per pool.  A static threshold limits the
 * shared occupancy of the port's priority groups, or queues, in the pool; a
 * dynamic threshold does so on chips whose thresholds nest.  A profile without
 * a pool is stored without effect. */

#include <stdbool.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Returns whether attribute 'id' of a port is one of the two lists. */
bool port_buffers_concern(sai_attr_id_t id);

/* Programs list 'id' of 'port' into the buffer.  On failure the buffer is
 * unchanged: SAI_STATUS_INVALID_ATTR_VALUE_0 (a profile of the other direction,
 * two of one pool), SAI_STATUS_INSUFFICIENT_RESOURCES (the reserved sizes would
 * exceed the memory); '*err' explains. */
sai_status_t port_buffers_set(struct asic *asic,
                              const struct objects_item *port, sai_attr_id_t id,
                              struct err *err);

#endif /* vendors/softasic/program/port_buffers.h */
