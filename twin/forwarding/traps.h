/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_TRAPS_H
#define ORCHD_TWIN_FORWARDING_TRAPS_H

/* Traps: which frames go to the processor of the switch, and which are dropped.
 *
 * A trap is a protocol, recognised by its headers wherever the frame is
 * addressed to, or a reason for which a packet ends in the router.  If a trap
 * is set, its action replaces the normal forwarding. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/router.h"

struct packet;

struct policer;

/* X(TRAP): protocols first. */
#define TRAPS(X)                                                               \
    X(STP)                                                                     \
    X(LACP)                                                                    \
    X(LLDP)                                                                    \
    X(ARP_REQUEST)                                                             \
    X(ARP_RESPONSE)                                                            \
    X(DHCP)                                                                    \
    X(OSPF)                                                                    \
    X(DHCPV6)                                                                  \
    X(OSPFV6)                                                                  \
    X(NEIGHBOR_DISCOVERY)                                                      \
    X(IP2ME)                                                                   \
    X(MTU)                                                                     \
    X(TTL)

enum trap {
#define X(TRAP) TRAP_##TRAP,
    TRAPS(X)
#undef X
        TRAPS_N,
    TRAP_FIRST_END = TRAP_IP2ME, /* From here on: reasons of the router. */
    TRAP_NONE = TRAPS_N,
};

struct traps {
    bool is_set[TRAPS_N];
    uint8_t actions[TRAPS_N];          /* enum router_action. */
    struct policer *policers[TRAPS_N]; /* In front of the processor; NULL:
                                        * none.  Borrowed. */
};

/* Returns the protocol of 'packet' if that is one of the traps that are set,
 * else TRAP_NONE. */
enum trap traps_find(const struct traps *traps, const struct packet *packet);

/* Returns the trap for packets that end for 'reason' if it is set, else
 * TRAP_NONE. */
enum trap traps_of_reason(const struct traps *traps, enum router_reason reason);

/* Returns the action for a packet that ended with 'action' and belongs to
 * 'trap', which may be TRAP_NONE. */
uint8_t traps_action(const struct traps *traps, enum trap trap, uint8_t action);

#endif /* twin/forwarding/traps.h */
