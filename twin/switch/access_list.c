/* SPDX-License-Identifier: Apache-2.0 */

/* Access lists: where they are bound, and what they see of a frame. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "twin/forwarding/acl.h"
#include "twin/switch/sim_state.h"

/* Returns where the sets of 'place' are, by stage; NULL if that does not
 * exist. */
static const struct acl_set **
bindings_of(struct sim *sim, uint32_t place)
{
    const uint32_t ports = sim->chip->ports;

    if (place == MMU_NONE) {
        return sim->acl;
    }
    if (place >= ports) {
        return place - ports < SIM_MAX_LAGS && sim->lags[place - ports].exists
                   ? sim->lags[place - ports].acl
                   : NULL;
    }
    return sim_port_find__(sim, place) ? sim->cold[place].acl : NULL;
}

void
sim_set_acl(struct sim *sim, enum sim_stage stage, uint32_t place,
            const struct acl_set *set)
{
    const struct acl_set **bindings = bindings_of(sim, place);

    if (bindings) {
        sim->changes++; /* Known flows are not matched. */
        bindings[stage] = set;
        sim->has_egress_acl |= stage == SIM_EGRESS && set;
    }
}

void
sim_set_vlan_acl(struct sim *sim, uint16_t vlan, const struct acl_set *set)
{
    if (!sim->vlan_acl && set) {
        sim->vlan_acl =
            check_calloc(SIM_MAX_VLAN + 1, sizeof(struct acl_set *));
    }
    if (sim->vlan_acl && vlan <= SIM_MAX_VLAN) {
        sim->changes++;
        sim->vlan_acl[vlan] = set;
        sim->has_egress_acl |= set != NULL;
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

/* Fills '*key' for 'frame' with tag 'tag', which arrived at 'port', or leaves
 * by it.  What a switch may have changed is read from the frame. */
static void
read_frame(const struct sim_port *port, uint16_t tag,
           const struct sim_frame *frame, union acl_key *key)
{
    struct acl_fields *fields = &key->fields;

    *key = (union acl_key){.fields = {
                               .dst_mac = frame->dst_mac,
                               .src_mac = frame->src_mac,
                               .vlan = tag,
                               .in_port = port->id,
                               .in_lag = (uint16_t)port->cold->lag,
                               .tc = frame->tc,
                               .length_bytes = (uint16_t)frame->length_bytes,
                           }};
    if (frame->payload) {
        read_packet(&frame->payload->packet, fields);
    }
    /* One of priority only stays; a switch removes those of VLANs. */
    if (tag || (!frame->tag && (frame->has & SIM_HAS_TAG))) {
        fields->is |= ACL_HAS_TAG;
        fields->pcp = frame->dot1p;
    }
    if (frame->dscp >= 0) { /* A generated frame may have only this of IP. */
        fields->is |= ACL_IS_IP;
        fields->class_byte = (uint8_t)(frame->dscp << 2 | frame->ecn);
        fields->ttl = frame->ttl;
    }
}

/* Returns the set of the LAG of 'port' at 'stage', or NULL. */
static const struct acl_set *
set_of_lag(const struct sim_port *port, enum sim_stage stage)
{
    const struct sim *sim = port->sim;
    const uint32_t lag = port->cold->lag;

    return lag ? sim->lags[lag - sim->chip->ports].acl[stage] : NULL;
}

/* Returns the set of VLAN 'vlan' (0: none) at egress, or NULL. */
static const struct acl_set *
set_of_vlan(const struct sim *sim, uint16_t vlan)
{
    return sim->vlan_acl && vlan <= SIM_MAX_VLAN ? sim->vlan_acl[vlan] : NULL;
}

bool
sim_access_apply__(const struct sim_port *in, const struct sim_frame *frame,
                   struct acl_actions *actions, struct acl_trail *trail)
{
    const struct sim *sim = in->sim;
    const struct acl_set *own = in->cold->acl[SIM_INGRESS];
    const struct acl_set *group = set_of_lag(in, SIM_INGRESS);
    const struct acl_set *all = sim->acl[SIM_INGRESS];
    union acl_key key;

    if (!own && !group && !all) {
        return false;
    }
    *actions = (struct acl_actions){0};
    read_frame(in, frame->tag, frame, &key);
    acl_set_apply(own, &key, actions, trail);
    acl_set_apply(group, &key, actions, trail);
    acl_set_apply(all, &key, actions, trail);
    return true;
}

/* Returns whether the lists at egress let 'frame' leave by 'out', and notes in
 * the passage that they were searched. */
static bool
may_leave(struct sim *sim, const struct sim_port *out,
          const struct sim_frame *frame)
{
    const struct acl_set *const sets[] = {
        out->cold->acl[SIM_EGRESS],
        set_of_lag(out, SIM_EGRESS),
        frame->leaves_port ? NULL : set_of_vlan(sim, frame->vlan),
        sim->acl[SIM_EGRESS],
    };
    struct acl_actions actions = {0};
    union acl_key key;

    if (!sets[0] && !sets[1] && !sets[2] && !sets[3]) {
        return true;
    }
    sim->passage.is_listed = true;
    read_frame(out, sim_tag_out__(out, frame), frame, &key);
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++) {
        acl_set_apply(sets[i], &key, &actions, &sim->passage.trail);
    }
    return !(actions.kinds & ACL_SETS_ACTION) ||
           (actions.action & ACL_FORWARD) != 0;
}

uint32_t
sim_access_leave__(struct sim *sim, const struct sim_frame *frame, uint32_t n)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < n; i++) {
        if (may_leave(sim, &sim->ports[sim->ways[i]], frame)) {
            sim->ways[kept++] = sim->ways[i];
        }
    }
    if (n && !kept) {
        sim->passage.filter = SIM_FILTER_ACL;
    }
    return kept;
}

/* Returns whether a list that is bound to 'port' at 'stage' looks at bits of
 * 'mask'. */
static bool
reads(const struct sim_port *port, enum sim_stage stage,
      const union acl_key *mask)
{
    return acl_set_reads(port->cold->acl[stage], mask) ||
           acl_set_reads(set_of_lag(port, stage), mask) ||
           acl_set_reads(port->sim->acl[stage], mask);
}

bool
sim_access_varies__(const struct sim_port *in, const struct sim_port *out,
                    uint16_t vlan)
{
    static const union acl_key varying = {
        .fields = {.class_byte = 3, /* ECN. */
                   .ttl = UINT8_MAX,
                   .length_bytes = UINT16_MAX}};

    return reads(in, SIM_INGRESS, &varying) ||
           reads(out, SIM_EGRESS, &varying) ||
           acl_set_reads(set_of_vlan(in->sim, vlan), &varying);
}

bool
sim_access_reads_source__(const struct sim_port *in)
{
    static const union acl_key source = {.fields = {.src_mac = UINT64_MAX}};

    return reads(in, SIM_INGRESS, &source);
}
