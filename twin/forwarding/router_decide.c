/* SPDX-License-Identifier: Apache-2.0 */

/* Decides what happens to a packet. */

#include <config.h>

#include "twin/forwarding/packet.h"
#include "twin/forwarding/router.h"
#include "twin/forwarding/router_state.h"

enum { ETHERNET_BYTES = 14 };

/* A packet while the router decides on it. */
struct way {
    const struct router *router;
    const struct router_interface *in;
    const struct router_domain *domain;
    const struct packet *packet;
    struct router_decision *decision;
    const struct neighbor *neighbor; /* The next neighbor; NULL: unknown. */
    uint32_t n_members; /* Of the group that was asked; 0: none was. */
    bool keeps_ttl;
    uint8_t route_action;
};

/* Ends the packet for 'reason' with 'action'.  Returns false, for the caller to
 * return. */
static bool
end(struct way *way, enum router_reason reason, uint8_t action)
{
    way->decision->reason = reason;
    way->decision->action = action;
    return false;
}

/* Returns 'v4' or 'v6', by the family of the packet. */
static bool
is_enabled(const struct packet *packet, bool v4, bool v6)
{
    return packet->kind == PACKET_IPV4 ? v4 : v6;
}

/* Step 1. */
static bool
check_packet(struct way *way)
{
    const struct packet *packet = way->packet;

    if (packet->fault != PACKET_SOUND) {
        return end(way,
                   packet->fault == PACKET_CHECKSUM ? ROUTER_BAD_CHECKSUM
                                                    : ROUTER_BAD_HEADER,
                   ROUTER_DROP);
    }
    if (address_is_bad_source(&packet->src) ||
        address_is_bad_destination(&packet->dst)) {
        return end(way, ROUTER_MARTIAN, ROUTER_DROP);
    }
    if (!is_enabled(packet, way->in->v4, way->in->v6) ||
        !is_enabled(packet, way->domain->v4, way->domain->v6)) {
        return end(way, ROUTER_DISABLED, ROUTER_DROP);
    }
    if (address_is_group(&packet->dst)) {
        return end(way, ROUTER_MULTICAST, way->domain->multicast_action);
    }
    return true;
}

/* Follows next hop 'handle'. */
static bool
follow_next_hop(struct way *way, uint32_t handle)
{
    const struct router *router = way->router;
    const struct router_next_hop *hop;

    if (handle >= router->n_hops || !router->hops[handle].exists) {
        return end(way, ROUTER_NO_NEXT_HOP, ROUTER_DROP);
    }
    hop = &router->hops[handle].config;
    way->decision->interface = hop->interface;
    way->neighbor =
        router_neighbor_find__(router, hop->interface, &hop->address);
    way->keeps_ttl = hop->keeps_ttl;
    return true;
}

/* Returns the next hop that 'group' chooses. */
static uint32_t
choose_member(struct way *way, uint32_t group)
{
    const struct router *router = way->router;
    const struct ecmp *members = &router->groups[group].members;

    if (router->forced_member == ROUTER_NONE) {
        return ecmp_choose(members, flow_hash(&router->hash, way->packet));
    }
    way->n_members = members->n;
    return members->n
               ? members->members[router->forced_member % members->n].target
               : ECMP_NONE;
}

/* Follows 'route' to an interface and a neighbor. */
static bool
follow_route(struct way *way, const struct router_route *route)
{
    const struct router *router = way->router;

    way->route_action = route->action;
    if (!(route->action & ROUTER_FORWARD)) {
        return end(way, ROUTER_ROUTE, route->action);
    }
    switch (route->target) {
    case ROUTER_TO_PROCESSOR:
        return end(way, ROUTER_FOR_US, ROUTER_TRAP);
    case ROUTER_TO_NEXT_HOP:
        return follow_next_hop(way, route->handle);
    case ROUTER_TO_GROUP:
        return follow_next_hop(way, choose_member(way, route->handle));
    case ROUTER_TO_INTERFACE:
        way->decision->interface = route->handle;
        way->neighbor =
            router_neighbor_find__(router, route->handle, &way->packet->dst);
        return true;
    default:
        return end(way, ROUTER_NO_NEXT_HOP, ROUTER_DROP);
    }
}

/* Steps 2 and 3. */
static bool
find_way(struct way *way)
{
    const struct router *router = way->router;
    const struct packet *packet = way->packet;
    const struct domain *domain = &router->domains[way->in->domain];
    const struct route *route =
        lpm_lookup(domain->routes[packet->dst.family], &packet->dst);
    const struct neighbor *host = NULL;

    if (!route ||
        route->length < address_bits((enum address_family)packet->dst.family)) {
        host = router_host_find__(router, way->in->domain, &packet->dst);
    }
    if (host) {
        way->decision->interface = host->key.interface;
        way->neighbor = host;
        return true;
    }
    return route ? follow_route(way, &route->config)
                 : end(way, ROUTER_NO_ROUTE, ROUTER_DROP);
}

/* Step 4. */
static bool
check_forwarding(struct way *way)
{
    const struct packet *packet = way->packet;
    const struct router_interface *out =
        router_interface_get(way->router, way->decision->interface);

    if (!out) {
        return end(way, ROUTER_NO_NEXT_HOP, ROUTER_DROP);
    }
    way->keeps_ttl = way->keeps_ttl || out->keeps_ttl;
    if (!way->keeps_ttl && packet->ttl <= 1) {
        return end(way, ROUTER_TTL, way->domain->ttl_action);
    }
    if (packet->has_options &&
        !(way->domain->options_action & ROUTER_FORWARD)) {
        return end(way, ROUTER_OPTIONS, way->domain->options_action);
    }
    if (packet->kind == PACKET_IPV6 && (address_is_link_local(&packet->src) ||
                                        address_is_link_local(&packet->dst))) {
        return end(way, ROUTER_LINK_LOCAL, ROUTER_DROP);
    }
    return true;
}

/* Step 5. */
static bool
leave(struct way *way)
{
    struct router_decision *decision = way->decision;
    const struct router_interface *out =
        router_interface_get(way->router, decision->interface);
    uint8_t action = way->route_action;

    if (!way->neighbor) {
        /* Forwarding without a MAC address would flood the packet. */
        return end(way, ROUTER_NO_NEIGHBOR,
                   out->miss_action & ROUTER_TRAP ? ROUTER_TRAP : ROUTER_DROP);
    }
    action |= way->neighbor->config.action & ROUTER_TRAP;
    if (!(way->neighbor->config.action & ROUTER_FORWARD)) {
        return end(way, ROUTER_NEIGHBOR, action & ROUTER_TRAP);
    }
    if (out == way->in && !(out->loopback_action & ROUTER_FORWARD)) {
        return end(way, ROUTER_SAME_INTERFACE, out->loopback_action);
    }
    if (!is_enabled(way->packet, out->v4, out->v6) ||
        out->kind == ROUTER_LOOPBACK) {
        return end(way, ROUTER_DISABLED, ROUTER_DROP);
    }
    if (way->packet->ip_bytes + ETHERNET_BYTES > out->mtu_bytes) {
        return end(way, ROUTER_MTU, ROUTER_DROP);
    }
    decision->action = action;
    decision->reason = ROUTER_FORWARDED;
    decision->dst_mac = way->neighbor->config.mac;
    decision->src_mac = out->mac;
    decision->ttl = (uint8_t)(way->packet->ttl - (way->keeps_ttl ? 0 : 1));
    return true;
}

/* Counts the outcome at the interfaces. */
static void
count(struct router *router, uint32_t interface, uint32_t length_bytes,
      const struct router_decision *decision)
{
    struct router_interface_stats *in =
        router_interface_stats(router, interface);
    struct router_interface_stats *out;

    router->counts[decision->reason]++;
    in->in_packets++;
    in->in_octets += length_bytes;
    switch (decision->reason) {
    case ROUTER_FORWARDED:
    case ROUTER_FOR_US:
    case ROUTER_ROUTE:
    case ROUTER_NEIGHBOR:
        return;
    case ROUTER_MTU:
    case ROUTER_SAME_INTERFACE:
        out = router_interface_stats(router, decision->interface);
        out->out_errors++;
        out->out_error_octets += length_bytes;
        return;
    default:
        in->in_errors++;
        in->in_error_octets += length_bytes;
        return;
    }
}

void
router_decide(struct router *router, uint32_t interface,
              const struct packet *packet, uint32_t length_bytes,
              struct router_decision *decision)
{
    const struct router_interface *in = &router->interfaces[interface].config;
    struct way way = {
        .router = router,
        .in = in,
        .domain = &router->domains[in->domain].config,
        .packet = packet,
        .decision = decision,
        .route_action = ROUTER_FORWARD,
    };

    *decision = (struct router_decision){.interface = ROUTER_NONE};
    (void)(check_packet(&way) && find_way(&way) && check_forwarding(&way) &&
           leave(&way));
    router->n_members = way.n_members;
    count(router, interface, length_bytes, decision);
}

bool
router_accepts(const struct router *router, uint32_t interface,
               const struct packet *packet)
{
    const struct router_interface *in = &router->interfaces[interface].config;
    struct router_decision decision;
    struct way way = {.router = router,
                      .in = in,
                      .domain = &router->domains[in->domain].config,
                      .packet = packet,
                      .decision = &decision};

    return check_packet(&way);
}

void
router_note_decapsulated(struct router *router, uint32_t interface,
                         uint32_t length_bytes)
{
    struct router_interface_stats *in = &router->interfaces[interface].stats;

    in->in_packets++;
    in->in_octets += length_bytes;
}

void
router_note_end(struct router *router, uint32_t interface,
                uint32_t length_bytes, enum router_reason reason)
{
    const struct router_decision decision = {.reason = reason};

    count(router, interface, length_bytes, &decision);
}

void
router_note_forwarded(struct router *router, uint32_t interface, uint64_t n,
                      uint64_t octets)
{
    struct router_interface_stats *in = &router->interfaces[interface].stats;

    router->counts[ROUTER_FORWARDED] += n;
    in->in_packets += n;
    in->in_octets += octets;
}

void
router_note_sent(struct router *router, uint32_t interface, uint64_t n,
                 uint64_t octets)
{
    if (interface < router->n_interfaces &&
        router->interfaces[interface].exists) {
        router->interfaces[interface].stats.out_packets += n;
        router->interfaces[interface].stats.out_octets += octets;
    }
}
