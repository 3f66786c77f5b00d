/* SPDX-License-Identifier: Apache-2.0 */

/* The arrival of a frame: MAC control, classification, forwarding, admission.
 */

#include <config.h>

#include "twin/qos/pause_frame.h"
#include "twin/sim/sim_state.h"

/* Returns whether 'frame' is for the MAC of 'in' itself, and if so handles it:
 * such frames are neither forwarded nor in any buffer. */
static bool
receive_control(struct sim_port *in, const struct sim_frame *frame)
{
    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        return false;
    }
    in->stats.rx_control++;
    return true;
}

/* Counts a frame dropped at 'port', and tells the listener. */
static void
note_drop(struct sim *sim, uint32_t port, enum mmu_drop why,
          const struct sim_frame *frame)
{
    sim->events |= SIM_STOP_DROP;
    if (why == MMU_EGRESS_QUEUE) {
        sim->ports[port].stats.tx_dropped++;
    } else {
        sim->ports[port].stats.rx_dropped++;
    }
    if (sim->sink.drop) {
        sim->sink.drop(sim->sink.context, port, why, frame, sim_now_ps(sim));
    }
}

/* Returns the queue of 'port' for traffic class 'tc'. */
static uint32_t
queue_of(const struct sim *sim, const struct sim_port *port, uint8_t tc)
{
    uint32_t index = classify_queue(&sim->rules, &port->rules, tc);

    return mmu_queue_id(sim->mmu, port->id,
                        index < sim->chip->queues_per_port ? index : 0);
}

/* Offers 'frame' from 'pg' to the queues of class 'tc' of the first 'n' (not
 * 0) of the ways. */
static void
admit(struct sim *sim, const struct sim_frame *frame, uint32_t pg, uint8_t tc,
      uint32_t n)
{
    uint32_t packet;
    uint32_t admitted;

    for (uint32_t i = 0; i < n; i++) {
        sim->queues[i] = queue_of(sim, &sim->ports[sim->ways[i]], tc);
    }
    if (n == 1) {
        sim->drops[0] = mmu_enqueue(sim->mmu, pg, sim->queues[0],
                                    frame->length_bytes, &packet);
        admitted = sim->drops[0] == MMU_ADMITTED;
    } else {
        admitted = mmu_enqueue_copies(sim->mmu, pg, sim->queues, n,
                                      frame->length_bytes, &packet, sim->drops);
    }
    if (admitted) {
        frame_keep(&sim->frames[packet], frame);
    } else if (sim->drops[0] != MMU_EGRESS_QUEUE) {
        /* Refused at ingress as a whole: one drop, however many copies. */
        note_drop(sim, frame->src_port, sim->drops[0], frame);
        return;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (sim->drops[i] == MMU_ADMITTED) {
            sim_transmit__(&sim->ports[sim->ways[i]]);
        } else {
            note_drop(sim, sim->ways[i], sim->drops[i], frame);
        }
    }
}

/* Counts 'frame' as received, whatever becomes of it. */
static void
count(struct sim_port *in, const struct sim_frame *frame)
{
    in->stats.rx_octets += frame->length_bytes;
    if (fdb_mac_is_group(frame->dst_mac)) {
        in->stats.rx_non_ucast_packets++;
    } else {
        in->stats.rx_ucast_packets++;
    }
}

void
sim_receive__(struct sim_port *in, struct sim_frame *frame)
{
    struct sim *sim = in->sim;
    uint8_t tc;
    uint32_t index;
    uint64_t trapped;
    uint32_t n;

    if (receive_control(in, frame)) {
        return;
    }
    count(in, frame);
    tc = classify_tc(&sim->rules, &in->rules, frame->dscp);
    index = classify_pg(&sim->rules, &in->rules, tc);
    trapped = in->stats.rx_trapped;
    n = sim_forward__(sim, in, frame, sim->ways);
    if (n == 0) {
        in->stats.rx_filtered += in->stats.rx_trapped == trapped;
        return;
    }
    admit(sim, frame,
          mmu_pg_id(sim->mmu, in->id,
                    index < sim->chip->pgs_per_port ? index : 0),
          tc, n);
}

enum st
sim_send(struct sim *sim, uint32_t id, const struct sim_frame *frame,
         uint64_t n, unsigned int stops, struct sim_send_result *result)
{
    struct sim_port *port = sim_port_find__(sim, id);
    struct sim_frame next;
    uint64_t sent = 0;

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (!frame_is_valid(frame)) {
        return ST_INVALID;
    }
    if (!port->config.admin_up) {
        return ST_BUSY;
    }
    /* What happened before (another sender's drop, say) stops nobody. */
    sim->events = 0;
    sim->has_payloads |= frame->payload != NULL;
    while (sent < n && !(sim->events & stops)) {
        int64_t now_ps = sim_now_ps(sim);

        if (port->rx_free_ps < now_ps) {
            port->rx_free_ps = now_ps;
        }
        port->rx_free_ps +=
            frame_wire_ps(frame->length_bytes, port->config.speed_mbps);
        sim_run_until(sim, port->rx_free_ps);
        next = *frame;
        next.src_port = id;
        next.id = ++sim->last_id;
        next.arrived_ps = sim_now_ps(sim);
        next.is_routed = false;
        sim->events = 0;
        sim_receive__(port, &next);
        sent++;
    }
    if (result) {
        result->sent = sent;
        result->stops = sim->events & stops;
    }
    return ST_OK;
}
