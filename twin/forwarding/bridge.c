/* SPDX-License-Identifier: Apache-2.0 */

/* A VLAN bridge.
 *
 * A VLAN has an array with a membership per port, to check the port of a frame,
 * and a list of its members, to flood: so flooding costs the number of members,
 * not the number of ports.
 *
 * A unicast frame costs two searches of the forwarding database: for its
 * source, which is learned or touched, and for its destination.  The first is
 * usually saved: each port remembers the source of its last frame and the
 * generation of the database at that time; while both are the same there is
 * nothing to learn. */

#include <config.h>

#include "twin/forwarding/bridge.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

struct vlan {
    struct bridge_stats stats;
    bool is_silent;   /* Learning is off. */
    uint8_t *members; /* enum bridge_membership by port; stored after 'list'. */
    uint32_t n_members;
    uint16_t list[]; /* Their ports, in ascending order. */
};

/* The source that a port received last and that needed no learning: most
 * frames are of the same flow as the one before. */
struct familiar {
    uint64_t generation; /* Of the entries at that time; 0: no source yet. */
    uint64_t mac;
    uint16_t vlan;
    const struct fdb_entry *entry; /* NULL: the source has a static or test
                                    * entry. */
};

struct bridge {
    uint32_t n_ports;
    struct bridge_port *ports;  /* By port; LAGs come last. */
    struct bridge_stats *stats; /* By port. */
    struct bridge_stats total;  /* Of all ports, including removed ones. */
    struct familiar *familiar;  /* By port. */
    struct vlan *vlans[BRIDGE_MAX_VLAN + 1]; /* NULL: does not exist. */
    struct fdb *fdb;
    uint32_t *changes; /* Borrowed; see bridge_watch().  Or NULL. */
    struct bridge_listener listener;
};

struct bridge *
bridge_create(uint32_t n_ports, struct engine *engine, uint32_t entity,
              const struct bridge_listener *listener)
{
    struct bridge *bridge = check_calloc(1, sizeof *bridge);

    orch_assert(n_ports <= UINT16_MAX);
    bridge->n_ports = n_ports;
    bridge->ports = check_calloc(n_ports + 1, sizeof *bridge->ports);
    bridge->familiar = check_calloc(n_ports + 1, sizeof *bridge->familiar);
    bridge->stats = check_calloc(n_ports + 1, sizeof *bridge->stats);
    bridge->fdb = fdb_create(engine, entity);
    bridge->listener = *listener;
    bridge_vlan_add(bridge, BRIDGE_DEFAULT_VLAN);
    return bridge;
}

void
bridge_destroy(struct bridge *bridge)
{
    if (!bridge) {
        return;
    }
    for (uint32_t v = 0; v <= BRIDGE_MAX_VLAN; v++) {
        free(bridge->vlans[v]);
    }
    fdb_destroy(bridge->fdb);
    free(bridge->stats);
    free(bridge->familiar);
    free(bridge->ports);
    free(bridge);
}

void
bridge_watch(struct bridge *bridge, uint32_t *changes)
{
    bridge->changes = changes;
    fdb_watch(bridge->fdb, changes);
}

/* Counts a change that may change a decision. */
static void
note_change(struct bridge *bridge)
{
    if (bridge->changes) {
        ++*bridge->changes;
    }
}

struct fdb *
bridge_fdb(struct bridge *bridge)
{
    return bridge->fdb;
}

void
bridge_set_ageing(struct bridge *bridge, int64_t ageing_ps)
{
    fdb_set_ageing(bridge->fdb, ageing_ps, bridge->listener.aged,
                   bridge->listener.context);
}

void
bridge_port_add(struct bridge *bridge, uint32_t port)
{
    note_change(bridge);
    bridge->ports[port] =
        (struct bridge_port){.vlan = BRIDGE_DEFAULT_VLAN, .is_active = true};
    bridge->stats[port] = (struct bridge_stats){0};
    bridge_member_set(bridge, BRIDGE_DEFAULT_VLAN, port, BRIDGE_UNTAGGED);
}

void
bridge_port_remove(struct bridge *bridge, uint32_t port)
{
    note_change(bridge);
    for (uint32_t v = 0; v <= BRIDGE_MAX_VLAN; v++) {
        if (bridge->vlans[v]) {
            bridge_member_set(bridge, (uint16_t)v, port, BRIDGE_OUTSIDE);
        }
    }
    fdb_forget_port(bridge->fdb, port);
    bridge->ports[port] = (struct bridge_port){0};
}

struct bridge_port *
bridge_port(struct bridge *bridge, uint32_t port)
{
    note_change(bridge);
    return &bridge->ports[port];
}

void
bridge_vlan_add(struct bridge *bridge, uint16_t vlan)
{
    note_change(bridge);
    orch_assert(vlan >= 1 && vlan <= BRIDGE_MAX_VLAN);
    if (!bridge->vlans[vlan]) {
        struct vlan *new = check_calloc(
            1, sizeof *new + bridge->n_ports *(sizeof new->list[0] + 1));

        new->members = (uint8_t *)&new->list[bridge->n_ports];
        bridge->vlans[vlan] = new;
    }
}

void
bridge_vlan_remove(struct bridge *bridge, uint16_t vlan)
{
    const struct fdb_filter all = {
        .vlan = vlan, .port = FDB_NONE, .statics = true, .learned = true};

    note_change(bridge);
    orch_assert(vlan >= 1 && vlan <= BRIDGE_MAX_VLAN);
    fdb_flush(bridge->fdb, &all, NULL, NULL);
    free(bridge->vlans[vlan]);
    bridge->vlans[vlan] = NULL;
}

bool
bridge_vlan_exists(const struct bridge *bridge, uint16_t vlan)
{
    return vlan <= BRIDGE_MAX_VLAN && bridge->vlans[vlan];
}

void
bridge_vlan_set_learning(struct bridge *bridge, uint16_t vlan, bool learns)
{
    note_change(bridge);
    bridge->vlans[vlan]->is_silent = !learns;
}

/* Adds 'port' to the member list of 'vlan', or removes it. */
static void
list_port(struct vlan *vlan, uint32_t port, bool is_member)
{
    uint32_t at = 0;
    uint32_t from;
    uint32_t to;

    while (at < vlan->n_members && vlan->list[at] < port) {
        at++;
    }
    from = is_member ? at : at + 1;
    to = is_member ? at + 1 : at;
    memmove(&vlan->list[to], &vlan->list[from],
            (vlan->n_members - from) * sizeof vlan->list[0]);
    if (is_member) {
        vlan->list[at] = (uint16_t)port;
        vlan->n_members++;
    } else {
        vlan->n_members--;
    }
}

void
bridge_member_set(struct bridge *bridge, uint16_t vlan, uint32_t port,
                  enum bridge_membership membership)
{
    struct vlan *of = bridge->vlans[vlan];
    const bool is_member = membership != BRIDGE_OUTSIDE;

    note_change(bridge);
    if (is_member != (of->members[port] != BRIDGE_OUTSIDE)) {
        list_port(of, port, is_member);
    }
    of->members[port] = (uint8_t)membership;
}

const uint16_t *
bridge_members(const struct bridge *bridge, uint16_t vlan, uint32_t *n)
{
    *n = 0;
    if (!bridge_vlan_exists(bridge, vlan)) {
        return NULL;
    }
    *n = bridge->vlans[vlan]->n_members;
    return bridge->vlans[vlan]->list;
}

enum bridge_membership
bridge_member(const struct bridge *bridge, uint16_t vlan, uint32_t port)
{
    return bridge->vlans[vlan]->members[port];
}

/* Restarts the ageing time of the entry of a known source. */
static void
touch(struct bridge *bridge, const struct familiar *familiar)
{
    if (familiar->entry) {
        fdb_touch(bridge->fdb, familiar->entry);
    }
}

/* Learns that 'mac' is behind port 'in' of 'vlan', if that is allowed. */
static void
learn(struct bridge *bridge, uint16_t vlan, uint64_t mac, uint32_t in)
{
    const struct fdb_entry entry = {.mac = mac, .vlan = vlan, .port = in};
    const uint64_t generation = fdb_generation(bridge->fdb);
    struct familiar *familiar = &bridge->familiar[in];
    const struct fdb_entry *known;
    uint32_t from;

    if (!bridge->ports[in].learns || bridge->vlans[vlan]->is_silent ||
        mac == 0 || fdb_mac_is_group(mac)) {
        return;
    }
    if (familiar->generation == generation && familiar->mac == mac &&
        familiar->vlan == vlan) {
        touch(bridge, familiar);
        return;
    }
    known = fdb_find(bridge->fdb, vlan, mac);
    from = known ? known->port : FDB_NONE;
    if ((known && (known->is_static || from == in)) ||
        fdb_find(bridge->fdb, FDB_ANY_VLAN, mac)) {
        *familiar =
            (struct familiar){generation, mac, vlan, from == in ? known : NULL};
        touch(bridge, familiar);
        return;
    }
    if (fdb_set(bridge->fdb, &entry) && bridge->listener.learned) {
        bridge->listener.learned(bridge->listener.context, &entry, from);
    }
}

uint32_t
bridge_decide(struct bridge *bridge, uint32_t in, uint64_t src, uint64_t dst,
              uint16_t tag, uint16_t *vlan)
{
    const struct bridge_port *port = &bridge->ports[in];
    const struct fdb_entry *entry = fdb_find(bridge->fdb, FDB_ANY_VLAN, dst);
    const uint16_t own = tag ? tag : port->vlan;
    const bool takes_part = port->is_active &&
                            bridge_vlan_exists(bridge, own) &&
                            (!port->filters || bridge_floods(bridge, own, in));

    *vlan = 0;
    if (takes_part) {
        learn(bridge, own, src, in);
    }
    if (entry) {
        return entry->port;
    }
    if (!takes_part) {
        return BRIDGE_DISCARD;
    }
    *vlan = own;
    entry = fdb_mac_is_group(dst) ? NULL : fdb_find(bridge->fdb, own, dst);
    if (!entry) {
        return BRIDGE_FLOOD;
    }
    if (entry->discards || entry->port == FDB_NONE || entry->port == in ||
        !bridge_floods(bridge, own, entry->port)) {
        return BRIDGE_DISCARD;
    }
    return entry->port;
}

bool
bridge_knows(const struct bridge *bridge, uint32_t in, uint64_t src,
             uint16_t tag, const struct fdb_entry **entry)
{
    const struct bridge_port *port = &bridge->ports[in];
    const uint16_t own = tag ? tag : port->vlan;
    const struct fdb_entry *known;

    *entry = NULL;
    if (!port->is_active || !bridge_vlan_exists(bridge, own) ||
        (port->filters && !bridge_floods(bridge, own, in)) || !port->learns ||
        bridge->vlans[own]->is_silent || src == 0 || fdb_mac_is_group(src)) {
        return true;
    }
    known = fdb_find(bridge->fdb, own, src);
    if (known && known->port == in) {
        *entry = known;
        return true;
    }
    return (known && known->is_static) ||
           fdb_find(bridge->fdb, FDB_ANY_VLAN, src);
}

void
bridge_note_in(struct bridge *bridge, uint16_t vlan, uint32_t port, uint64_t n,
               uint64_t octets)
{
    struct bridge_flow *flows[] = {&bridge->vlans[vlan]->stats.in,
                                   &bridge->stats[port].in, &bridge->total.in};

    for (int i = 0; i < 3; i++) {
        flows[i]->octets += octets;
        flows[i]->unicast_packets += n;
    }
}

/* Counts 'frame' in 'flow'. */
static void
count(struct bridge_flow *flow, const struct sim_frame *frame, bool discarded)
{
    const bool is_group = fdb_mac_is_group(frame->dst_mac);

    flow->octets += frame->length_bytes;
    flow->unicast_packets += !is_group;
    flow->other_packets += is_group;
    flow->discards += discarded;
}

void
bridge_count_in(struct bridge *bridge, uint32_t port,
                const struct sim_frame *frame, bool discarded)
{
    if (bridge_vlan_exists(bridge, frame->vlan)) {
        count(&bridge->vlans[frame->vlan]->stats.in, frame, discarded);
        count(&bridge->stats[port].in, frame, discarded);
        count(&bridge->total.in, frame, discarded);
    }
}

void
bridge_count_out(struct bridge *bridge, uint32_t port,
                 const struct sim_frame *frame)
{
    /* The VLAN may have been removed while the frame was queued. */
    if (!frame->leaves_port && bridge_vlan_exists(bridge, frame->vlan)) {
        count(&bridge->vlans[frame->vlan]->stats.out, frame, false);
        count(&bridge->stats[port].out, frame, false);
        count(&bridge->total.out, frame, false);
    }
}

const struct bridge_stats *
bridge_vlan_stats(const struct bridge *bridge, uint16_t vlan)
{
    return &bridge->vlans[vlan]->stats;
}

const struct bridge_stats *
bridge_port_stats(const struct bridge *bridge, uint32_t port)
{
    return &bridge->stats[port];
}

const struct bridge_stats *
bridge_stats(const struct bridge *bridge)
{
    return &bridge->total;
}

bool
bridge_floods(const struct bridge *bridge, uint16_t vlan, uint32_t port)
{
    return bridge->ports[port].is_active && bridge_vlan_exists(bridge, vlan) &&
           bridge->vlans[vlan]->members[port] != BRIDGE_OUTSIDE;
}
