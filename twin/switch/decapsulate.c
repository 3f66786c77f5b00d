/* SPDX-License-Identifier: Apache-2.0 */

/* A packet that has reached the end of a tunnel: the frame is replaced by that
 * with the packet inside (twin/forwarding/tunnel.h).
 *
 * The frame was classified by its outer headers.  If the tunnel is a pipe, the
 * inner DSCP classifies it again, unless an access list has decided on the
 * traffic class, or a policer or access list on the color. */

#include <config.h>

#include "twin/switch/sim_state.h"

void
sim_tunnel_set(struct sim *sim, const struct tunnel_end *end)
{
    sim->changes++;
    tunnel_table_set(&sim->tunnels, end);
}

void
sim_tunnel_remove(struct sim *sim, uint64_t key)
{
    sim->changes++;
    tunnel_table_remove(&sim->tunnels, key);
}

const struct tunnel_table *
sim_tunnels(const struct sim *sim)
{
    return &sim->tunnels;
}

/* Puts 'inner', whose only reference it takes over, into 'frame'.  Keeps the
 * former one until the next frame: the caller has a copy of 'frame'. */
static void
replace_payload(struct sim *sim, struct sim_frame *frame,
                struct sim_payload *inner)
{
    if (!frame->borrows) {
        sim_payload_unref(sim->opened);
        sim->opened = frame->payload;
    }
    frame->payload = inner;
    frame->borrows = false;
    frame->length_bytes = inner->length;
    frame->ip_id = inner->packet.ip_id;
}

/* Sets traffic class and color of 'frame' from 'in', which has the headers with
 * which it leaves 'tunnel'; 'dscp' is that of the outer header. */
static void
classify(const struct sim_port *in, const struct tunnel *tunnel, int8_t dscp,
         struct sim_frame *frame)
{
    struct sim *sim = in->sim;
    const uint8_t tc = frame->tc;
    const uint8_t color = frame->color;

    if (tunnel->pipes_dscp) {
        sim_classify__(in, frame);
    }
    if (tunnel->dscp_to_tc && dscp >= 0) {
        frame->tc = tunnel->dscp_to_tc->entries[dscp];
    }
    sim->passage.tc_to_pg = tunnel->tc_to_pg;
    if (sim->passage.has_tc) {
        frame->tc = tc;
    }
    if (sim->passage.has_color) {
        frame->color = color & 3u;
    }
}

enum sim_decapsulation
sim_decapsulate__(struct sim *sim, struct sim_port *in, uint32_t *interface,
                  struct packet *packet, struct sim_frame *frame)
{
    const struct router_interface *at =
        router_interface_get(sim->router, *interface);
    const int8_t dscp = frame->dscp;
    struct tunnel *tunnel =
        tunnel_table_find(&sim->tunnels, at->domain, packet);
    struct sim_payload *inner;
    uint8_t ecn;

    if (!tunnel || !router_accepts(sim->router, *interface, packet)) {
        return SIM_NOT_TUNNELED;
    }
    sim->passage.is_special = true;
    inner = tunnel_open(frame->payload);
    if (!inner) {
        router_note_end(sim->router, *interface, frame->length_bytes,
                        ROUTER_BAD_INNER);
        return SIM_DECAPSULATION_FAILED;
    }
    ecn = frame->ecn;
    if (!tunnel->copies_ecn &&
        !tunnel_combine_ecn(frame->ecn, packet_ecn(&inner->packet), &ecn)) {
        sim_payload_unref(inner);
        router_note_end(sim->router, *interface, frame->length_bytes,
                        ROUTER_TUNNEL_ECN);
        return SIM_DECAPSULATION_FAILED;
    }
    tunnel->in_packets++;
    tunnel->in_octets += frame->length_bytes;
    router_note_decapsulated(sim->router, *interface, frame->length_bytes);
    *packet = inner->packet;
    replace_payload(sim, frame, inner);
    frame->ecn = ecn & 3u;
    if (tunnel->pipes_dscp) {
        frame->dscp = (int8_t)packet_dscp(packet);
    }
    if (tunnel->pipes_ttl) {
        frame->ttl = packet->ttl;
    }
    packet->ttl = frame->ttl;
    classify(in, tunnel, dscp, frame);
    *interface = tunnel->interface;
    return SIM_DECAPSULATED;
}
