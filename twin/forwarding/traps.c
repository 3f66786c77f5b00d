/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the trap of a frame, and its action. */

#include <config.h>

#include "twin/forwarding/traps.h"

#include <stddef.h>

#include "twin/forwarding/packet.h"

/* Reserved addresses and types (IEEE 802.1Q-2018 table 8-1, IEEE 802.3 annex
 * 57A, IEEE 802.1AB clause 7). */
#define MAC_STP  UINT64_C(0x0180c2000000)
#define MAC_SLOW UINT64_C(0x0180c2000002)

enum {
    TYPE_SLOW = 0x8809,
    TYPE_LLDP = 0x88cc,
    ANY = 0,
};

/* The fields that identify a protocol; 0 matches anything (RFC 826, 2131, 2328,
 * 4861, 8415). */
static const struct {
    uint64_t mac;
    uint16_t type;
    enum packet_kind kind;
    uint8_t protocol;
    uint16_t first; /* The first destination port, or operation. */
    uint16_t last;
} rows[TRAP_FIRST_END] = {
    [TRAP_STP] = {MAC_STP, ANY, PACKET_OTHER, ANY, ANY, ANY},
    [TRAP_LACP] = {MAC_SLOW, TYPE_SLOW, PACKET_OTHER, ANY, ANY, ANY},
    [TRAP_LLDP] = {ANY, TYPE_LLDP, PACKET_OTHER, ANY, ANY, ANY},
    [TRAP_ARP_REQUEST] = {ANY, ANY, PACKET_ARP, ANY, 1, 1},
    [TRAP_ARP_RESPONSE] = {ANY, ANY, PACKET_ARP, ANY, 2, 2},
    [TRAP_DHCP] = {ANY, ANY, PACKET_IPV4, PACKET_UDP, 67, 68},
    [TRAP_OSPF] = {ANY, ANY, PACKET_IPV4, PACKET_OSPF, ANY, ANY},
    [TRAP_DHCPV6] = {ANY, ANY, PACKET_IPV6, PACKET_UDP, 546, 547},
    [TRAP_OSPFV6] = {ANY, ANY, PACKET_IPV6, PACKET_OSPF, ANY, ANY},
    [TRAP_NEIGHBOR_DISCOVERY] = {ANY, ANY, PACKET_IPV6, PACKET_ICMPV6, 133,
                                 137},
};

static bool
matches(size_t i, const struct packet *packet)
{
    const uint16_t number =
        packet->has_ports ? packet->dst_port : packet->operation;

    return (!rows[i].mac || rows[i].mac == packet->dst_mac) &&
           (!rows[i].type || rows[i].type == packet->type) &&
           rows[i].kind == packet->kind &&
           (!rows[i].protocol || rows[i].protocol == packet->protocol) &&
           (!rows[i].first ||
            (number >= rows[i].first && number <= rows[i].last));
}

enum trap
traps_find(const struct traps *traps, const struct packet *packet)
{
    for (size_t i = 0; i < TRAP_FIRST_END; i++) {
        if (traps->is_set[i] && matches(i, packet)) {
            return (enum trap)i;
        }
    }
    return TRAP_NONE;
}

enum trap
traps_of_reason(const struct traps *traps, enum router_reason reason)
{
    const enum trap trap = reason == ROUTER_FOR_US ? TRAP_IP2ME
                           : reason == ROUTER_MTU  ? TRAP_MTU
                           : reason == ROUTER_TTL  ? TRAP_TTL
                                                   : TRAP_NONE;

    return trap != TRAP_NONE && traps->is_set[trap] ? trap : TRAP_NONE;
}

uint8_t
traps_action(const struct traps *traps, enum trap trap, uint8_t action)
{
    return trap != TRAP_NONE ? traps->actions[trap] & ROUTER_TRAP : action;
}
