/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_L3_SETUP_H
#define ORCHD_TESTS_SUPPORT_L3_SETUP_H

/* Short words for routing through SAI on the switch of asic_setup.h.
 *
 * Functions that make something stop the process if that fails: they are for
 * the ground on which a test stands. */

#include <stdint.h>

#include <sai.h>

#include "tests/support/asic_setup.h"

/* Returns an IPv4 address, an IPv6 address 20TT::LL, a prefix, keys. */
sai_ip_address_t l3_setup_v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d);
sai_ip_address_t l3_setup_v6(uint8_t second, uint8_t last);
sai_ip_prefix_t l3_setup_prefix(sai_ip_address_t address, unsigned int length);
sai_route_entry_t l3_setup_route_key(const struct asic_setup *bench,
                                     sai_ip_address_t address,
                                     unsigned int length);
sai_neighbor_entry_t l3_setup_neighbor_key(const struct asic_setup *bench,
                                           sai_object_id_t interface,
                                           sai_ip_address_t address);

/* Returns an attribute of the switch that is an object id. */
sai_object_id_t l3_setup_switch_oid(const struct asic_setup *bench,
                                    sai_attr_id_t id);

/* Make an interface of the default router on a port or LAG, with 'vlan' (0:
 * frames without a tag), or on a VLAN object. */
sai_object_id_t l3_setup_interface(const struct asic_setup *bench,
                                   sai_object_id_t port, uint16_t vlan);
sai_object_id_t l3_setup_vlan_interface(const struct asic_setup *bench,
                                        sai_object_id_t vlan);

/* Make a neighbor whose MAC address ends in 'host', a next hop, a route (to
 * a null id: without a next hop). */
void l3_setup_neighbor(const struct asic_setup *bench,
                       sai_object_id_t interface, sai_ip_address_t address,
                       uint8_t host);
sai_object_id_t l3_setup_next_hop(const struct asic_setup *bench,
                                  sai_object_id_t interface,
                                  sai_ip_address_t address);
void l3_setup_route(const struct asic_setup *bench, sai_ip_address_t address,
                    unsigned int length, sai_object_id_t to);

/* Make a group of 'n' next hops; a LAG of 'n' ports. */
sai_object_id_t l3_setup_group(const struct asic_setup *bench, uint32_t n,
                               const sai_object_id_t *hops);
sai_object_id_t l3_setup_lag(const struct asic_setup *bench, uint32_t n,
                             const sai_object_id_t *ports);

/* Makes a trap. */
sai_object_id_t l3_setup_trap(const struct asic_setup *bench,
                              sai_hostif_trap_type_t type,
                              sai_packet_action_t action);

#endif /* tests/support/l3_setup.h */
