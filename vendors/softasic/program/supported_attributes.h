/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_SUPPORTED_ATTRIBUTES_H
#define ORCHD_SOFTASIC_PROGRAM_SUPPORTED_ATTRIBUTES_H

/* The supported attributes of routing, LAGs and host interfaces.
 *
 * Other attributes have only their default values: another value is
 * SAI_STATUS_ATTR_NOT_SUPPORTED, so that a client does not rely on a feature
 * that is not there.  The same applies to single values of enumerations.
 *
 *   virtual router  all
 *   interface       of types PORT, VLAN, LOOPBACK and SUB_PORT; access lists,
 *                   multicast, NAT, MPLS, counters and QoS maps are not
 *   next hop        of type IP; all but labels, tunnels, counters and those
 *                   that leave parts of frames unchanged
 *   group           of the ECMP types with members of their own; no nesting
 *   member          NEXT_HOP_ID, WEIGHT; INDEX and SEQUENCE_ID are stored
 *   neighbor        DST_MAC_ADDRESS, PACKET_ACTION, NO_HOST_ROUTE
 *   route           PACKET_ACTION, NEXT_HOP_ID
 *   hash            NATIVE_HASH_FIELD_LIST, see hashes.h
 *   LAG             PORT_VLAN_ID, DROP_UNTAGGED, LABEL
 *   LAG member      all
 *   host interface  all are stored
 *   trap            all but EXCLUDE_PORT_LIST and mirrors, see
 *                   vendors/softasic/traffic/hostif.h
 *   trap group      ADMIN_STATE, POLICER; QUEUE is stored
 *   policer         all but SELECTIVE_COUNTER_LIST, see policers.h
 *   table entry     all are stored
 *   tunnel, its     all but DECAP_ECN_MODE USER_DEFINED; those of encapsulation
 *   entries         and of other types than IPINIP are stored, see tunnels.h
 *   MY_MAC          all, see my_macs.h
 *   SYSTEM_PORT     all, see system_ports.h
 *   mirror session, sampler, map of tunnels and its entries, debug counter:
 *                   all are stored, see stored.h
 *
 * Of pools, ports and the switch this module checks only attributes that
 * softasic does not support: WRED by pool, forwarding classes; symmetric
 * hashes, hashes of tunnels and RDMA, hashes by port, and other algorithms than
 * CRC, CRC_32LO, CRC_32HI, CRC_CCITT and XOR. */

#include <stdbool.h>

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Returns whether this module checks objects, or entries, of 'type'. */
bool supported_attributes_type(sai_object_type_t type);

/* Return whether attribute 'id' of such a type supports values other than its
 * default; whether 'value' of an enumeration is one of them. */
bool supported_attributes_attribute(sai_object_type_t type, sai_attr_id_t id);
bool supported_attributes_value(sai_object_type_t type, sai_attr_id_t id,
                                int32_t value);

/* Returns whether attribute 'id' of another type belongs to a feature that is
 * not supported: WRED by pool, forwarding classes, link-level retry (which
 * links between switches have, twin/link/llr.h).  It has only its default
 * value. */
bool supported_attributes_is_unsupported(sai_object_type_t type,
                                         sai_attr_id_t id);

/* Check attribute 'id' of 'item', or all of them; the latter stores the first
 * that is refused in '*blame'. */
sai_status_t supported_attributes_check(const struct objects_item *item,
                                        sai_attr_id_t id, struct err *err);
sai_status_t supported_attributes_check_all(const struct objects_item *item,
                                            sai_attr_id_t *blame,
                                            struct err *err);

#endif /* vendors/softasic/program/supported_attributes.h */
