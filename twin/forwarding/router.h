/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_ROUTER_H
#define ORCHD_TWIN_FORWARDING_ROUTER_H

/* Virtual routers with their interfaces, neighbors and routes: decides what
 * happens to an IP packet that is addressed to the router.
 *
 * The steps for a packet, each of which may end it with its own reason (RFC
 * 1812 sections 4.2.2 and 5.2, RFC 8200):
 *
 *   1. The header must be valid, the addresses must be allowed on a wire, and
 *      the ingress interface and its router must route the address family.
 *   2. The longest prefix gives the target: a next hop, a member of a group
 *      (ecmp.h), the interface of a connected subnet, or the processor of the
 *      switch.  The address of a neighbor is a host route unless the neighbor
 *      disables it; a configured route overrides it.
 *   3. A packet for the processor ends here, regardless of its TTL.
 *   4. Packets with TTL 1 or 0, IP options, or a link-local address end here.
 *   5. The neighbor gives the MAC address.  The egress interface must route the
 *      family and allow a packet of that length.
 *
 * A packet that ends is dropped or trapped to the processor, by the action that
 * is configured for that step.  The router counts the packets per reason.
 *
 * Objects are named by handles, small numbers that the functions below return.
 * Callers should not remove an object that is in use; if they do, packets that
 * need it end with ROUTER_NO_NEXT_HOP.
 *
 * The ends of tunnels are in front of these steps (tunnel.h).
 *
 * Not simulated: multicast routing, MPLS, the beginnings of tunnels, reverse
 * path checks,
 * fragmentation (the processor would do it). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "twin/forwarding/address.h"
#include "twin/forwarding/flow_hash.h"

struct packet;
struct router;

/* No handle. */
#define ROUTER_NONE UINT32_MAX

/* What to do with a packet: bits. */
enum router_action {
    ROUTER_DROP = 0,
    ROUTER_FORWARD = 1,
    ROUTER_TRAP = 2, /* To the processor. */
    ROUTER_COPY = ROUTER_FORWARD | ROUTER_TRAP,
};

/* X(REASON, text): why a packet was not just forwarded. */
#define ROUTER_REASONS(X)                                                      \
    X(FORWARDED, "forwarded")                                                  \
    X(BAD_HEADER, "the IP header is malformed")                                \
    X(BAD_CHECKSUM, "the checksum of the IPv4 header is wrong")                \
    X(MARTIAN, "an address that is not allowed on a wire")                     \
    X(DISABLED, "the address family is not routed here")                       \
    X(MULTICAST, "a group address")                                            \
    X(NO_ROUTE, "no route")                                                    \
    X(ROUTE, "the action of the route")                                        \
    X(FOR_US, "for the processor")                                             \
    X(TTL, "TTL or hop limit expired")                                         \
    X(OPTIONS, "IP options")                                                   \
    X(LINK_LOCAL, "a link-local address")                                      \
    X(NO_NEXT_HOP, "the route has no next hop")                                \
    X(NO_NEIGHBOR, "the neighbor is unknown")                                  \
    X(NEIGHBOR, "the action of the neighbor")                                  \
    X(SAME_INTERFACE, "it would leave by its ingress interface")               \
    X(MTU, "too long for the interface")                                       \
    X(BAD_INNER, "the packet inside a tunnel is malformed")                    \
    X(TUNNEL_ECN, "marked CE in a tunnel, but not ECN-capable inside")

enum router_reason {
#define X(REASON, text) ROUTER_##REASON,
    ROUTER_REASONS(X)
#undef X
        ROUTER_N_REASONS,
};

/* Returns the text of a reason. */
const char *router_reason_text(enum router_reason reason);

struct router *router_create(void);

/* Frees 'router'.  Accepts NULL. */
void router_destroy(struct router *router);

/* Makes 'router' add 1 to '*changes', which is borrowed, whenever something
 * changes by which it decides: so that its user can remember decisions. */
void router_watch(struct router *router, uint32_t *changes);

/* Sets the hash that chooses among equal-cost next hops; before, it is
 * flow_hash_default(). */
void router_set_hash(struct router *router,
                     const struct flow_hash_config *config);

/* Virtual routers ------------------------------------------------------ */

struct router_domain {
    uint64_t mac;        /* Of the router; interfaces may have their own. */
    uint64_t switch_mac; /* Of the switch; 0: frames to it are not routed. */
    bool v4;
    bool v6;
    uint8_t ttl_action; /* enum router_action, for TTL, OPTIONS, MULTICAST. */
    uint8_t options_action;
    uint8_t multicast_action;
};

/* Add a virtual router; replace that of 'handle'. */
uint32_t router_domain_add(struct router *router,
                           const struct router_domain *domain);
void router_domain_set(struct router *router, uint32_t handle,
                       const struct router_domain *domain);

/* Removes a virtual router with its routes. */
void router_domain_remove(struct router *router, uint32_t handle);

/* Interfaces ----------------------------------------------------------- */

enum router_kind {
    ROUTER_ON_PORT,     /* Frames without a tag. */
    ROUTER_ON_SUB_PORT, /* Frames with a tag. */
    ROUTER_ON_VLAN,
    ROUTER_LOOPBACK, /* Not on a port: no frame arrives or leaves here. */
};

struct router_interface {
    enum router_kind kind;
    uint32_t domain;
    uint32_t port; /* For PORT and SUB_PORT. */
    uint16_t vlan; /* For SUB_PORT and VLAN. */
    uint64_t mac;
    bool is_virtual; /* An additional MAC address for another interface. */
    bool v4;
    bool v6;
    bool keeps_ttl;          /* Does not decrement the TTL of packets that leave
                              * here. */
    uint32_t mtu_bytes;      /* Longest frame that leaves, without tags. */
    uint8_t miss_action;     /* enum router_action if the neighbor is
                              * unknown. */
    uint8_t loopback_action; /* enum router_action if a packet would leave by
                              * its ingress interface. */
};

struct router_interface_stats {
    uint64_t in_packets;
    uint64_t in_octets;
    uint64_t out_packets;
    uint64_t out_octets;
    uint64_t in_errors; /* Packets that ended at this ingress interface. */
    uint64_t in_error_octets;
    uint64_t out_errors; /* Packets too long, or of a family that is not
                          * routed. */
    uint64_t out_error_octets;
};

uint32_t router_interface_add(struct router *router,
                              const struct router_interface *interface);
void router_interface_set(struct router *router, uint32_t handle,
                          const struct router_interface *interface);

/* Removes an interface with its neighbors. */
void router_interface_remove(struct router *router, uint32_t handle);

/* Returns interface 'handle', NULL if there is none. */
const struct router_interface *router_interface_get(const struct router *router,
                                                    uint32_t handle);
struct router_interface_stats *router_interface_stats(struct router *router,
                                                      uint32_t handle);

/* Returns the interface that takes a frame to 'mac' that arrived at 'port' with
 * 'tag' (0: none) in 'vlan' (0: none), or ROUTER_NONE if it is not for a
 * router.  'mac' may be the address of the interface, of its router or of the
 * switch. */
uint32_t router_interface_for(const struct router *router, uint32_t port,
                              uint16_t tag, uint16_t vlan, uint64_t mac);

/* A further address: frames to it are for the interface where they arrive. */
struct router_my_mac {
    uint64_t mac;
    uint64_t mask; /* The bits that are compared. */
    uint32_t port; /* ROUTER_NONE: all. */
    uint16_t vlan; /* Of the tag, or in which the frame is bridged; 0: all. */
    uint64_t key;  /* Unique; chosen by the caller. */
};

/* Add an address, or replace that with the same key; remove it. */
void router_my_mac_set(struct router *router,
                       const struct router_my_mac *entry);
void router_my_mac_remove(struct router *router, uint64_t key);

/* Returns the interface for a frame to 'mac' from 'port', in VLAN 'vlan' if
 * that is not 0, else with 'tag' (0: none), if there is such an address and an
 * interface; or ROUTER_NONE. */
uint32_t router_my_mac_for(const struct router *router, uint32_t port,
                           uint16_t tag, uint16_t vlan, uint64_t mac);

/* Returns whether an interface of 'kind' exists at 'port' and 'vlan'. */
bool router_interface_taken(const struct router *router,
                            const struct router_interface *interface);

/* Neighbors ------------------------------------------------------------ */

struct router_neighbor {
    uint64_t mac;
    uint8_t action; /* enum router_action. */
    bool is_route;  /* The neighbor is also a host route to its address. */
    void *owner;    /* The caller's. */
};

/* Adds or replaces the neighbor 'address' behind 'interface'. */
void router_neighbor_set(struct router *router, uint32_t interface,
                         const struct address *address,
                         const struct router_neighbor *neighbor);
bool router_neighbor_remove(struct router *router, uint32_t interface,
                            const struct address *address);

/* Returns a neighbor or NULL.  Borrowed until the neighbor changes. */
const struct router_neighbor *
router_neighbor_get(const struct router *router, uint32_t interface,
                    const struct address *address);
size_t router_n_neighbors(const struct router *router,
                          enum address_family family);

/* Calls 'each' for all neighbors, oldest first. */
typedef void router_neighbor_fn(void *context, uint32_t interface,
                                const struct address *address,
                                const struct router_neighbor *neighbor);
void router_neighbors_each(const struct router *router,
                           router_neighbor_fn *each, void *context);

/* Next hops and groups ------------------------------------------------- */

struct router_next_hop {
    uint32_t interface;
    struct address address; /* Of the neighbor. */
    bool keeps_ttl;
};

uint32_t router_next_hop_add(struct router *router,
                             const struct router_next_hop *hop);
void router_next_hop_set(struct router *router, uint32_t handle,
                         const struct router_next_hop *hop);
void router_next_hop_remove(struct router *router, uint32_t handle);

uint32_t router_group_add(struct router *router);
void router_group_remove(struct router *router, uint32_t handle);

/* Adds or changes member 'key' of a group; removes it. */
void router_group_set(struct router *router, uint32_t group, uint64_t key,
                      uint32_t next_hop, uint32_t weight);
void router_group_unset(struct router *router, uint32_t group, uint64_t key);

/* Makes groups choose their member number 'member', modulo their number, for
 * all packets, instead of by the hash; ROUTER_NONE: by the hash again.  For who
 * asks what could happen to a packet. */
void router_force_member(struct router *router, uint32_t member);

/* Returns how many members the group had that was asked since
 * router_force_member(); 0: none was. */
uint32_t router_n_members(const struct router *router);

/* Routes --------------------------------------------------------------- */

enum router_target {
    ROUTER_TO_NOTHING, /* No target; only the action applies. */
    ROUTER_TO_NEXT_HOP,
    ROUTER_TO_GROUP,
    ROUTER_TO_INTERFACE,
    ROUTER_TO_PROCESSOR,
};

struct router_route {
    enum router_target target;
    uint32_t handle; /* Of the target. */
    uint8_t action;  /* enum router_action. */
    void *owner;     /* The caller's. */
};

/* Adds or replaces the route for the first 'length' bits of 'prefix'. */
void router_route_set(struct router *router, uint32_t domain,
                      const struct address *prefix, unsigned int length,
                      const struct router_route *route);
bool router_route_remove(struct router *router, uint32_t domain,
                         const struct address *prefix, unsigned int length);
const struct router_route *router_route_get(const struct router *router,
                                            uint32_t domain,
                                            const struct address *prefix,
                                            unsigned int length);
size_t router_n_routes(const struct router *router, enum address_family family);

/* Calls 'each' for all routes, by virtual router, family and prefix. */
typedef void router_route_fn(void *context, uint32_t domain,
                             const struct address *prefix, unsigned int length,
                             const struct router_route *route);
void router_routes_each(const struct router *router, router_route_fn *each,
                        void *context);

/* Packets -------------------------------------------------------------- */

struct router_decision {
    uint8_t action;            /* enum router_action. */
    enum router_reason reason; /* FORWARDED, or why it was not just
                                * forwarded. */

    /* If it is forwarded: the egress interface, and the headers. */
    uint32_t interface;
    uint64_t dst_mac;
    uint64_t src_mac;
    uint8_t ttl;
};

/* Decides on 'packet', an IP packet in a frame of 'length_bytes' that is for
 * 'interface', and counts it. */
void router_decide(struct router *router, uint32_t interface,
                   const struct packet *packet, uint32_t length_bytes,
                   struct router_decision *decision);

/* Returns whether 'packet', in a frame for 'interface', passes step 1, so that
 * the router looks at its address.  Counts nothing. */
bool router_accepts(const struct router *router, uint32_t interface,
                    const struct packet *packet);

/* Counts a packet in a frame of 'length_bytes' that was for 'interface' and was
 * decapsulated there; router_decide() counts the packet that was inside. */
void router_note_decapsulated(struct router *router, uint32_t interface,
                              uint32_t length_bytes);

/* Counts such a packet that ended for 'reason', BAD_INNER or TUNNEL_ECN. */
void router_note_end(struct router *router, uint32_t interface,
                     uint32_t length_bytes, enum router_reason reason);

/* Counts 'n' packets, in frames of 'octets' together, that were for 'interface'
 * and for which the caller remembered the decision to forward them. */
void router_note_forwarded(struct router *router, uint32_t interface,
                           uint64_t n, uint64_t octets);

/* Counts 'n' frames, of 'octets' together, that have left by 'interface', which
 * may have been removed. */
void router_note_sent(struct router *router, uint32_t interface, uint64_t n,
                      uint64_t octets);

/* Returns how many packets ended with, or were forwarded for, 'reason'. */
uint64_t router_count(const struct router *router, enum router_reason reason);

#endif /* twin/forwarding/router.h */
