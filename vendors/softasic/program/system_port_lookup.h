/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SYSTEM_PORT_LOOKUP_H
#define ORCHD_SOFTASIC_PROGRAM_SYSTEM_PORT_LOOKUP_H

/* Which port a system port is, and which queue its VOQs are; see
 * system_ports.h. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* Returns the numbers of system port 'item'. */
const sai_system_port_config_t *
system_port_lookup_config(const struct objects_item *item);

/* Returns whether it is a port of this switch, or one inside of it. */
bool system_port_lookup_is_local(const struct asic *asic,
                                 const struct objects_item *item);

/* Returns its port; NULL: none of this switch. */
const struct objects_item *
system_port_lookup_port(const struct asic *asic,
                        const struct objects_item *item);

/* Returns the system port of 'port'; NULL: none. */
const struct objects_item *
system_port_lookup_of_port(const struct asic *asic,
                           const struct objects_item *port);

/* Returns the other object that has the frames of 'queue': of the VOQ of a
 * local system port the queue of the port, of that queue the VOQ.  NULL: there
 * is none. */
struct objects_item *
system_port_lookup_counterpart(const struct asic *asic,
                               const struct objects_item *queue);

/* Returns whether 'queue' is the VOQ of a system port. */
bool system_port_lookup_is_voq(const struct objects_item *queue);

/* Returns the queue of a port in which the frames of 'queue' wait: itself, or
 * of a VOQ its counterpart.  NULL if no frame ever does: queues of the CPU, and
 * VOQs of other system ports. */
const struct objects_item *
system_port_lookup_filled(const struct asic *asic,
                          const struct objects_item *queue);

/* Returns the profile that applies to the frames in 'queue', of a port, for
 * attribute 'id' (BUFFER_PROFILE_ID, WRED_PROFILE_ID): that of its VOQ, if this
 * has one, or its own.  NULL: neither has one. */
const struct objects_item *
system_port_lookup_profile(const struct asic *asic,
                           const struct objects_item *queue, sai_attr_id_t id);

#endif /* vendors/softasic/program/system_port_lookup.h */
