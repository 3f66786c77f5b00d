/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SUPPORTED_ATTRIBUTES_H
#define ORCHD_SOFTASIC_PROGRAM_SUPPORTED_ATTRIBUTES_H

/* Which attributes of routing, LAGs and host interfaces mean something here.
 *
 * Of the others the default is all there is: giving them another value is
 * SAI_STATUS_ATTR_NOT_SUPPORTED, so that a client is not made to believe what
 * does not happen.  The same holds for single values of enumerations.
 *
 *   virtual router  all
 *   interface       of types PORT, VLAN, LOOPBACK and SUB_PORT; access lists,
 *                   multicast, NAT, MPLS, counters and QoS maps are not
 *   next hop        of type IP; all but labels, tunnels, counters and what is
 *                   left as it is in frames
 *   group           of the ECMP types with members of their own; no nesting
 *   member          NEXT_HOP_ID, WEIGHT; INDEX and SEQUENCE_ID are kept
 *   neighbor        DST_MAC_ADDRESS, PACKET_ACTION, NO_HOST_ROUTE
 *   route           PACKET_ACTION, NEXT_HOP_ID
 *   LAG             PORT_VLAN_ID, DROP_UNTAGGED, LABEL
 *   LAG member      all
 *   host interface  all are kept: there is no host here
 *   trap            all but EXCLUDE_PORT_LIST and mirrors, see
 * vendors/softasic/traffic/hostif.h trap group      ADMIN_STATE; QUEUE is kept
 *   table entry     all are kept
 *
 * Of pools, ports and the switch only what softasic does not do is judged here:
 * WRED by pool, forwarding classes, sending pauses of 802.3x. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Returns whether objects of 'type', or entries, are judged here. */
bool supported_attributes_type(sai_object_type_t type);

/* Returns whether attribute 'id' of such a type takes other values than its
 * default; whether 'value' of an enumeration is one of them. */
bool supported_attributes_attribute(sai_object_type_t type, sai_attr_id_t id);
bool supported_attributes_value(sai_object_type_t type, sai_attr_id_t id,
                                int32_t value);

/* Returns whether attribute 'id' of another type stands for something that is
 * not done here: WRED by pool, forwarding classes.  It takes only its default.
 */
bool supported_attributes_is_undone(sai_object_type_t type, sai_attr_id_t id);

/* Judges attribute 'id' of 'item', or all of them; the first that is refused
 * is stored in '*blame'. */
sai_status_t supported_attributes_check(const struct objects_item *item,
                                        sai_attr_id_t id, struct err *err);
sai_status_t supported_attributes_check_all(const struct objects_item *item,
                                            sai_attr_id_t *blame,
                                            struct err *err);

#endif /* vendors/softasic/program/supported_attributes.h */
