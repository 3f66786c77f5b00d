/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_L3RIG_H
#define ORCHD_TESTS_SUPPORT_L3RIG_H

/* Short words for routing through SAI on the switch of asicrig.h.
 *
 * Functions that make something stop the process if that fails: they are for
 * the ground on which a test stands. */

#include <stdint.h>

#include <sai.h>

#include "tests/support/asicrig.h"

/* Returns an IPv4 address, an IPv6 address 20TT::LL, a prefix, keys. */
sai_ip_address_t l3rig_v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d);
sai_ip_address_t l3rig_v6(uint8_t second, uint8_t last);
sai_ip_prefix_t l3rig_prefix(sai_ip_address_t address, unsigned int length);
sai_route_entry_t l3rig_route_key(const struct asicrig *rig,
                                  sai_ip_address_t address,
                                  unsigned int length);
sai_neighbor_entry_t l3rig_neighbor_key(const struct asicrig *rig,
                                        sai_object_id_t interface,
                                        sai_ip_address_t address);

/* Returns an attribute of the switch that is an object id. */
sai_object_id_t l3rig_switch_oid(const struct asicrig *rig, sai_attr_id_t id);

/* Make an interface of the default router on a port or LAG, with 'vlan' (0:
 * frames without a tag), or on a VLAN object. */
sai_object_id_t l3rig_interface(const struct asicrig *rig, sai_object_id_t port,
                                uint16_t vlan);
sai_object_id_t l3rig_vlan_interface(const struct asicrig *rig,
                                     sai_object_id_t vlan);

/* Make a neighbor whose MAC address ends in 'host', a next hop, a route (to
 * a null id: without a next hop). */
void l3rig_neighbor(const struct asicrig *rig, sai_object_id_t interface,
                    sai_ip_address_t address, uint8_t host);
sai_object_id_t l3rig_next_hop(const struct asicrig *rig,
                               sai_object_id_t interface,
                               sai_ip_address_t address);
void l3rig_route(const struct asicrig *rig, sai_ip_address_t address,
                 unsigned int length, sai_object_id_t to);

/* Make a group of 'n' next hops; a LAG of 'n' ports. */
sai_object_id_t l3rig_group(const struct asicrig *rig, uint32_t n,
                            const sai_object_id_t *hops);
sai_object_id_t l3rig_lag(const struct asicrig *rig, uint32_t n,
                          const sai_object_id_t *ports);

/* Makes a trap. */
sai_object_id_t l3rig_trap(const struct asicrig *rig,
                           sai_hostif_trap_type_t type,
                           sai_packet_action_t action);

#endif /* tests/support/l3rig.h */
