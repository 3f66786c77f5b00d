/* SPDX-License-Identifier: Apache-2.0 */

/* Access lists: where they are bound, and what they see of a frame. */

#include <config.h>

#include <string.h>

#include "twin/forwarding/acl.h"
#include "twin/switch/sim_state.h"

/* Returns where the set of 'place' is, NULL if that does not exist. */
static const struct acl_set **
binding_of(struct sim *sim, uint32_t place)
{
    const uint32_t ports = sim->chip->ports;

    if (place == MMU_NONE) {
        return &sim->acl;
    }
    if (place >= ports) {
        return place - ports < SIM_MAX_LAGS && sim->lags[place - ports].exists
                   ? &sim->lags[place - ports].acl
                   : NULL;
    }
    return sim_port_find__(sim, place) ? &sim->cold[place].acl : NULL;
}

void
sim_set_acl(struct sim *sim, uint32_t place, const struct acl_set *set)
{
    const struct acl_set **binding = binding_of(sim, place);

    if (binding) {
        sim->changes++; /* Known flows are not matched. */
        *binding = set;
    }
}

void
sim_change_acl(struct sim *sim)
{
    sim->changes++;
}

/* Returns what ARP is, by its operation. */
static uint16_t
kind_of_arp(uint16_t operation)
{
    enum { REQUEST = 1, REPLY = 2 };

    return (uint16_t)(ACL_IS_ARP |
                      (operation == REQUEST ? ACL_IS_ARP_REQUEST : 0) |
                      (operation == REPLY ? ACL_IS_ARP_REPLY : 0));
}

/* Fills in what the headers of 'packet' say that a switch does not change. */
static void
read_packet(const struct packet *packet, struct acl_fields *fields)
{
    const bool is_ip =
        packet->kind == PACKET_IPV4 || packet->kind == PACKET_IPV6;

    fields->type = packet->type;
    if (packet->kind == PACKET_ARP) {
        fields->is |= kind_of_arp(packet->operation);
    }
    if (!is_ip) {
        return;
    }
    fields->is |=
        (uint16_t)(ACL_IS_IP |
                   (packet->kind == PACKET_IPV4 ? ACL_IS_V4 : ACL_IS_V6));
    memcpy(fields->src_ip, packet->src.bytes, sizeof fields->src_ip);
    memcpy(fields->dst_ip, packet->dst.bytes, sizeof fields->dst_ip);
    fields->protocol = packet->protocol;
    if (packet->has_ports) {
        fields->is |= ACL_HAS_PORTS;
        fields->src_port = packet->src_port;
        fields->dst_port = packet->dst_port;
    }
    if (packet->protocol == PACKET_TCP && packet->has_ports) {
        fields->is |= ACL_IS_TCP;
        fields->tcp_flags = packet->tcp_flags;
    }
    if ((packet->protocol == PACKET_ICMP ||
         packet->protocol == PACKET_ICMPV6) &&
        !packet->is_fragment) {
        fields->is |=
            packet->protocol == PACKET_ICMP ? ACL_IS_ICMP : ACL_IS_ICMPV6;
        fields->icmp_type = (uint8_t)packet->operation;
        fields->icmp_code = packet->icmp_code;
    }
}

/* Fills '*key' for 'frame', which arrived at 'in'.  What a switch before this
 * one may have changed is read from the frame. */
static void
read_frame(const struct sim_port *in, const struct sim_frame *frame,
           union acl_key *key)
{
    struct acl_fields *fields = &key->fields;

    *key = (union acl_key){.fields = {
                               .dst_mac = frame->dst_mac,
                               .src_mac = frame->src_mac,
                               .vlan = frame->tag,
                               .in_port = in->id,
                               .in_lag = (uint16_t)in->cold->lag,
                               .tc = frame->tc,
                               .length_bytes = (uint16_t)frame->length_bytes,
                           }};
    if (frame->payload) {
        read_packet(&frame->payload->packet, fields);
    }
    if (frame->tag || (frame->has & SIM_HAS_TAG)) {
        fields->is |= ACL_HAS_TAG;
        fields->pcp = frame->dot1p;
    }
    if (frame->dscp >= 0) { /* A generated frame may have only this of IP. */
        fields->is |= ACL_IS_IP;
        fields->class_byte = (uint8_t)(frame->dscp << 2 | frame->ecn);
        fields->ttl = frame->ttl;
    }
}

/* Returns the set of the LAG of 'in', or NULL. */
static const struct acl_set *
set_of_lag(const struct sim_port *in)
{
    const struct sim *sim = in->sim;
    const uint32_t lag = in->cold->lag;

    return lag ? sim->lags[lag - sim->chip->ports].acl : NULL;
}

bool
sim_access_apply__(const struct sim_port *in, const struct sim_frame *frame,
                   struct acl_actions *actions, struct acl_trail *trail)
{
    const struct sim *sim = in->sim;
    const struct acl_set *own = in->cold->acl;
    const struct acl_set *group = set_of_lag(in);
    union acl_key key;

    if (!own && !group && !sim->acl) {
        return false;
    }
    *actions = (struct acl_actions){0};
    read_frame(in, frame, &key);
    acl_set_apply(own, &key, actions, trail);
    acl_set_apply(group, &key, actions, trail);
    acl_set_apply(sim->acl, &key, actions, trail);
    return true;
}

/* Returns whether a list that is bound to 'in' looks at bits of 'mask'. */
static bool
reads(const struct sim_port *in, const union acl_key *mask)
{
    return acl_set_reads(in->cold->acl, mask) ||
           acl_set_reads(set_of_lag(in), mask) ||
           acl_set_reads(in->sim->acl, mask);
}

bool
sim_access_varies__(const struct sim_port *in)
{
    static const union acl_key varying = {
        .fields = {.class_byte = 3, /* ECN. */
                   .ttl = UINT8_MAX,
                   .length_bytes = UINT16_MAX}};

    return reads(in, &varying);
}

bool
sim_access_reads_source__(const struct sim_port *in)
{
    static const union acl_key source = {.fields = {.src_mac = UINT64_MAX}};

    return reads(in, &source);
}
