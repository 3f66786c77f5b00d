/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SYSTEM_PORTS_H
#define ORCHD_SOFTASIC_PROGRAM_SYSTEM_PORTS_H

/* The system ports of a VOQ switch: the ports of all ASICs of a chassis, each
 * with the virtual output queues (VOQs) that this ASIC has for it.
 *
 * A switch that is created with TYPE VOQ gets the system ports of its
 * SYSTEM_PORT_CONFIG_LIST, and can get others.  Numbers are checked: a port id,
 * and a port of a core, occurs once.  A system port is local if its switch id
 * is that of the switch: its port is the one of the front panel in partition
 * 'attached_core_index' of the chip whose number there, counted from 1, is
 * 'attached_core_port_index'.  It has none if there is no such port, as for
 * ports inside of the chassis (number 0).
 *
 * This switch is one ASIC of the chassis, and has no link to the others.  So a
 * frame for a local port waits in the VOQ of that port, which is its queue:
 * both objects count the same frames and have the same occupancy.  Counters and
 * watermarks are cleared separately.  No frame is ever for a system port of
 * another ASIC, so its VOQs count 0.
 *
 * BUFFER_PROFILE_ID and WRED_PROFILE_ID of a VOQ apply to the frames of the
 * port's queue, in place of those of the queue itself: frames wait in the VOQ.
 * Other attributes of VOQs, and those of VOQs of other ASICs, are stored.
 * Chips with a mapping "voq" simulate a whole chassis (twin/switch/voq.h). */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* The most VOQs of a system port. */
enum { SYSTEM_PORTS_MAX_VOQS = 64, SYSTEM_PORTS_MAX = 4096 };

/* Returns whether 'type' is SYSTEM_PORT. */
bool system_ports_handle_type(sai_object_type_t type);

/* Like program_create(), program_set() and program_remove(), for SYSTEM_PORT.
 * SAI_STATUS_NOT_SUPPORTED unless the switch is a VOQ switch,
 * SAI_STATUS_INSUFFICIENT_RESOURCES beyond SYSTEM_PORTS_MAX. */
sai_status_t system_ports_create(struct asic *asic, struct objects_item *item,
                                 sai_attr_id_t *blame, struct err *err);
sai_status_t system_ports_set(struct asic *asic, struct objects_item *item,
                              sai_attr_id_t id, struct err *err);
sai_status_t system_ports_remove(struct asic *asic, struct objects_item *item);

/* Return TYPE, and PORT (the null id: none), of a system port. */
int64_t system_ports_type(const struct asic *asic,
                          const struct objects_item *item);
int64_t system_ports_port(const struct asic *asic,
                          const struct objects_item *item);

/* Return SYSTEM_PORT of a port (the null id: none), and how many system ports
 * and VOQs there are. */
int64_t system_ports_of_port(const struct asic *asic,
                             const struct objects_item *port);
int64_t system_ports_count(const struct asic *asic,
                           const struct objects_item *sw);
int64_t system_ports_n_voqs(const struct asic *asic,
                            const struct objects_item *item);

/* Store in '*attribute' SYSTEM_PORT_LIST of the switch, QOS_VOQ_LIST of a
 * system port. */
sai_status_t system_ports_list(const struct asic *asic,
                               const struct objects_item *sw,
                               sai_attribute_t *attribute);
sai_status_t system_ports_voqs(const struct asic *asic,
                               const struct objects_item *item,
                               sai_attribute_t *attribute);

#endif /* vendors/softasic/program/system_ports.h */
