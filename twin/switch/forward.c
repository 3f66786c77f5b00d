/* SPDX-License-Identifier: Apache-2.0 */

/* Decides where a frame is sent.
 *
 * The decision is a set of ports, and the frame as it leaves.  The steps, in
 * this order: the policer of the port colors and drops frames; so do access
 * lists; the traps take frames of some protocols; the router takes frames for
 * one of its addresses, out of tunnels that end here; the bridge decides by
 * VLAN and address and changes only the tag.  A router interface of a VLAN is
 * behind the bridge: the frame has a VLAN, and its source is learned.
 *
 * All steps but the last use logical ports: ports and LAGs. */

#include <config.h>

#include "twin/forwarding/acl.h"
#include "twin/qos/policer.h"
#include "twin/switch/sim_state.h"

/* Fills 'ways' with the port by which 'frame' leaves 'logical'. */
static uint32_t
go(const struct sim *sim, uint32_t logical, const struct sim_frame *frame,
   uint32_t *ways)
{
    ways[0] = sim_physical__(sim, logical, frame);
    return ways[0] != MMU_NONE;
}

/* Fills 'ways' with the members of the frame's VLAN that are up, except for
 * logical port 'except' (MMU_NONE: all members). */
static uint32_t
flood(struct sim *sim, uint32_t except, const struct sim_frame *frame,
      uint32_t *ways)
{
    uint32_t n_members;
    const uint16_t *members =
        bridge_members(sim->bridge, frame->vlan, &n_members);
    uint32_t n = 0;

    sim->passage.is_special = true;
    for (uint32_t i = 0; i < n_members; i++) {
        const uint32_t to = members[i];

        if (to != except && bridge_floods(sim->bridge, frame->vlan, to) &&
            !(to < sim->chip->ports && sim->cold[to].lag)) {
            n += go(sim, to, frame, ways + n);
        }
    }
    return n;
}

/* Fills 'ways' for a frame from 'from' for which the bridge has decided on
 * 'to'. */
static uint32_t
bridge_on(struct sim *sim, uint32_t from, uint32_t to,
          const struct sim_frame *frame, uint32_t *ways)
{
    if (to == BRIDGE_FLOOD) {
        return flood(sim, from, frame, ways);
    }
    return to == BRIDGE_DISCARD || to == from ? 0 : go(sim, to, frame, ways);
}

/* Returns whether 'frame', which belongs to 'cause', may go to the processor
 * now: the policer of the trap, if it has one, meters it. */
static bool
admit_to_processor(struct sim *sim, enum trap cause,
                   const struct sim_frame *frame)
{
    struct policer *policer =
        cause == TRAP_NONE ? NULL : sim->traps.policers[cause];

    return !policer ||
           policer_action(policer,
                          policer_meter(policer, frame->length_bytes,
                                        (enum policer_color)frame->color,
                                        sim_now_ps(sim))) != POLICER_DROP;
}

/* Traps 'frame' to the processor, for 'cause' (TRAP_NONE: another reason),
 * unless its policer drops it. */
static void
trap(struct sim *sim, struct sim_port *in, enum trap cause,
     const struct sim_frame *frame)
{
    sim->passage.is_special = true;
    if (!admit_to_processor(sim, cause, frame)) {
        return;
    }
    in->cold->stats.rx_trapped++;
    if (sim->listener.trapped) {
        sim->listener.trapped(sim->listener.context, in->id, frame);
    }
}

/* Returns the logical port to which 'frame', which arrived at 'in', does not go
 * back when it is flooded in 'vlan' behind the router: a bridge never sends a
 * frame out of the port where it got it in that VLAN; MMU_NONE if it did not.
 */
static uint32_t
reception_port(const struct sim *sim, const struct sim_port *in, uint16_t vlan)
{
    return sim->passage.is_bridged && sim->passage.in_vlan == vlan
               ? sim_logical__(in)
               : MMU_NONE;
}

/* Forwards 'frame', which arrived at 'in', as 'decision' says. */
static uint32_t
leave_router(struct sim *sim, const struct sim_port *in,
             const struct router_decision *decision, struct sim_frame *frame,
             uint32_t *ways)
{
    const struct router_interface *out =
        router_interface_get(sim->router, decision->interface);
    const struct fdb_entry *entry;

    frame->is_routed = true;
    sim->passage.interface = decision->interface;
    frame->dst_mac = decision->dst_mac;
    frame->src_mac = decision->src_mac;
    frame->ttl = decision->ttl;
    if (out->kind != ROUTER_ON_VLAN) {
        frame->leaves_port = true;
        frame->vlan = out->kind == ROUTER_ON_SUB_PORT ? out->vlan : 0;
        return go(sim, out->port, frame, ways);
    }
    frame->vlan = out->vlan;
    entry = fdb_find(bridge_fdb(sim->bridge), out->vlan, frame->dst_mac);
    if (!entry) {
        return flood(sim, reception_port(sim, in, out->vlan), frame, ways);
    }
    if (entry->discards || entry->port == FDB_NONE ||
        !bridge_floods(sim->bridge, out->vlan, entry->port)) {
        return 0;
    }
    return go(sim, entry->port, frame, ways);
}

/* Returns what a listener learns of 'reason'. */
static enum sim_filter
filter_of(enum router_reason reason)
{
    static const uint8_t filters[ROUTER_N_REASONS] = {
        [ROUTER_BAD_HEADER] = SIM_FILTER_ROUTER,
        [ROUTER_BAD_CHECKSUM] = SIM_FILTER_ROUTER,
        [ROUTER_MARTIAN] = SIM_FILTER_ROUTER,
        [ROUTER_DISABLED] = SIM_FILTER_ROUTER,
        [ROUTER_MULTICAST] = SIM_FILTER_ROUTER,
        [ROUTER_NO_ROUTE] = SIM_FILTER_ROUTE,
        [ROUTER_ROUTE] = SIM_FILTER_ROUTE,
        [ROUTER_FOR_US] = SIM_FILTER_TRAP,
        [ROUTER_TTL] = SIM_FILTER_TTL,
        [ROUTER_OPTIONS] = SIM_FILTER_ROUTER,
        [ROUTER_LINK_LOCAL] = SIM_FILTER_ROUTER,
        [ROUTER_NO_NEXT_HOP] = SIM_FILTER_ROUTE,
        [ROUTER_NO_NEIGHBOR] = SIM_FILTER_ROUTE,
        [ROUTER_NEIGHBOR] = SIM_FILTER_ROUTE,
        [ROUTER_SAME_INTERFACE] = SIM_FILTER_ROUTER,
        [ROUTER_MTU] = SIM_FILTER_MTU,
        [ROUTER_BAD_INNER] = SIM_FILTER_ROUTER,
        [ROUTER_TUNNEL_ECN] = SIM_FILTER_ROUTER,
        [ROUTER_FORWARDED] = SIM_FILTER_PORT,
    };

    return (enum sim_filter)filters[reason];
}

/* Routes 'frame', which is for 'interface'. */
static uint32_t
route(struct sim *sim, struct sim_port *in, uint32_t interface,
      struct sim_frame *frame, uint32_t *ways)
{
    struct router_decision decision;
    struct packet packet;
    enum trap cause = TRAP_NONE;

    sim->passage.filter = SIM_FILTER_ROUTER;
    if (!frame->payload) {
        return 0;
    }
    sim->passage.in_interface = interface;
    packet = frame->payload->packet;
    packet.ttl = frame->ttl; /* Another switch may have changed it. */
    if (packet.ip_bytes == 0) {
        packet.ip_bytes = frame->length_bytes - PACKET_MIN_BYTES -
                          (frame->tag ? SIM_TAG_BYTES : 0);
    }
    if (packet.n_tags > 1 ||
        (packet.kind != PACKET_IPV4 && packet.kind != PACKET_IPV6)) {
        return 0; /* The router cannot handle it. */
    }
    if (sim->tunnels.n &&
        sim_decapsulate__(sim, in, &interface, &packet, frame) ==
            SIM_DECAPSULATION_FAILED) {
        return 0;
    }
    router_decide(sim->router, interface, &packet, frame->length_bytes,
                  &decision);
    sim->passage.filter = (uint8_t)filter_of(decision.reason);
    if (!(decision.action & ROUTER_FORWARD)) {
        cause = traps_of_reason(&sim->traps, decision.reason);
        decision.action = traps_action(&sim->traps, cause, decision.action);
    }
    if (decision.action & ROUTER_TRAP) {
        trap(sim, in, cause, frame);
    }
    return decision.reason == ROUTER_FORWARDED
               ? leave_router(sim, in, &decision, frame, ways)
               : 0;
}

/* Applies the traps.  Returns whether 'frame' is forwarded, too. */
static bool
pass_traps(struct sim *sim, struct sim_port *in, const struct sim_frame *frame)
{
    struct packet scratch;
    const enum trap found =
        traps_find(&sim->traps, frame_packet(frame, &scratch));

    if (found == TRAP_NONE) {
        return true;
    }
    sim->passage.is_special = true;
    if (sim->traps.actions[found] & ROUTER_TRAP) {
        sim->passage.filter = SIM_FILTER_TRAP;
        trap(sim, in, found, frame);
    }
    return (sim->traps.actions[found] & ROUTER_FORWARD) != 0;
}

/* Meters 'frame' by the policer of 'in', if it has one: colors it, and copies
 * it to the processor.  Returns whether it is forwarded, too. */
static bool
pass_policer(struct sim *sim, struct sim_port *in, struct sim_frame *frame)
{
    struct policer *policer = in->cold->policer;
    uint8_t action;

    if (!policer) {
        return true;
    }
    sim->passage.is_special = true;
    frame->color =
        policer_meter(policer, frame->length_bytes,
                      (enum policer_color)frame->color, sim_now_ps(sim)) &
        3u;
    sim->passage.has_color = true;
    action = policer_action(policer, (enum policer_color)frame->color);
    if (action & POLICER_COPY) {
        trap(sim, in, TRAP_NONE, frame);
    }
    sim->passage.filter = SIM_FILTER_POLICER;
    return (action & POLICER_FORWARD) != 0;
}

/* Returns what happens to 'frame' by 'actions', enum acl_action combined, after
 * the policer among them has metered it, if there is one: what that drops is
 * not copied either. */
static uint8_t
meter(struct sim *sim, const struct acl_actions *actions,
      struct sim_frame *frame)
{
    uint8_t action =
        actions->kinds & ACL_SETS_ACTION ? actions->action : ACL_FORWARD;
    uint8_t metered;

    if (!(actions->kinds & ACL_METERS)) {
        return action;
    }
    frame->color =
        policer_meter(actions->policer, frame->length_bytes,
                      (enum policer_color)frame->color, sim_now_ps(sim)) &
        3u;
    sim->passage.has_color = true;
    metered =
        policer_action(actions->policer, (enum policer_color)frame->color);
    if (metered == POLICER_DROP) {
        return ACL_DROP;
    }
    if (!(metered & POLICER_FORWARD)) {
        action &= (uint8_t)~ACL_FORWARD;
    }
    return metered & POLICER_COPY ? action | ACL_COPY : action;
}

/* Applies the access lists of 'in', if it has any.  Returns whether 'frame' is
 * forwarded, too. */
static bool
pass_lists(struct sim *sim, struct sim_port *in, struct sim_frame *frame)
{
    struct acl_actions actions;
    uint8_t action;

    if (!sim_access_apply__(in, frame, &actions, &sim->passage.trail)) {
        return true;
    }
    sim->passage.is_listed = true;
    if (actions.kinds & (ACL_METERS | ACL_SETS_DSCP | ACL_KEEPS_WHOLE)) {
        sim->passage.is_special = true; /* A known flow cannot repeat that. */
    }
    sim->passage.stays_whole = (actions.kinds & ACL_KEEPS_WHOLE) != 0;
    if (actions.kinds & ACL_SETS_TC) {
        frame->tc = actions.tc;
        sim->passage.has_tc = true;
    }
    if (actions.kinds & ACL_SETS_COLOR) {
        frame->color = actions.color & 3u;
        sim->passage.has_color = true;
    }
    if ((actions.kinds & ACL_SETS_DSCP) && frame->dscp >= 0) {
        frame->dscp = (int8_t)(actions.dscp & 63u);
    }
    action = meter(sim, &actions, frame);
    if (action & ACL_COPY) {
        sim->passage.is_special = true;
        trap(sim, in, TRAP_NONE, frame);
    }
    sim->passage.filter = SIM_FILTER_ACL;
    return (action & ACL_FORWARD) != 0;
}

/* Returns the router interface that takes 'frame' from 'from': that of VLAN
 * 'vlan', or if that is 0 of the port; ROUTER_NONE if none does. */
static uint32_t
interface_for(const struct sim *sim, uint32_t from, uint16_t vlan,
              const struct sim_frame *frame)
{
    const uint32_t found =
        vlan ? router_interface_for(sim->router, MMU_NONE, 0, vlan,
                                    frame->dst_mac)
             : router_interface_for(sim->router, from, frame->tag, 0,
                                    frame->dst_mac);

    return found == ROUTER_NONE
               ? router_my_mac_for(sim->router, from, frame->tag, vlan,
                                   frame->dst_mac)
               : found;
}

uint32_t
sim_forward__(struct sim *sim, struct sim_port *in, struct sim_frame *frame,
              uint32_t *ways)
{
    const uint32_t from = sim_logical__(in);
    uint32_t interface;
    uint32_t to;
    uint32_t n;

    if ((in->cold->lag && !in->cold->membership.receives) ||
        !pass_policer(sim, in, frame) || !pass_lists(sim, in, frame)) {
        return 0;
    }
    sim->passage.filter = SIM_FILTER_BRIDGE;
    if (!pass_traps(sim, in, frame)) {
        return 0;
    }
    interface = interface_for(sim, from, 0, frame);
    if (interface != ROUTER_NONE) {
        return route(sim, in, interface, frame, ways);
    }
    to = bridge_decide(sim->bridge, from, frame->src_mac, frame->dst_mac,
                       frame->tag, &frame->vlan);
    sim->passage.is_bridged = true;
    sim->passage.in_vlan = frame->vlan;
    if (frame->vlan) {
        interface = interface_for(sim, from, frame->vlan, frame);
    }
    if (interface != ROUTER_NONE) {
        bridge_count_in(sim->bridge, from, frame, false);
        return route(sim, in, interface, frame, ways);
    }
    n = bridge_on(sim, from, to, frame, ways);
    bridge_count_in(sim->bridge, from, frame, n == 0);
    return n;
}
