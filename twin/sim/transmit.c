/* SPDX-License-Identifier: Apache-2.0 */

/* The way out: which queue goes next, and the wire.
 *
 * A port is idle, sends a frame, or is held: something waits, but may not
 * start before a time.  It looks for work when a frame ends, when one is
 * queued, when that time has come, and when its configuration changes.  Frames
 * of MAC control go before all queues, whatever holds these. */

#include <config.h>

#include "twin/sim/sim_state.h"

/* Chooses the queue of 'port' whose frame starts now.  Returns SCHEDULER_NONE
 * if none may; then '*again_ps' is when to ask again although nothing has
 * happened, EVENT_NEVER if that would be in vain. */
static uint32_t
choose(const struct sim_port *port, int64_t *again_ps)
{
    uint64_t ready = mmu_port_backlog(port->sim->mmu, port->id);

    *again_ps = EVENT_NEVER;
    if (!port->config.tx_enabled || !port->config.admin_up ||
        port->receiver.all_paused) {
        return SCHEDULER_NONE;
    }
    if (port->receiver.paused) {
        ready &= ~classify_paused_queues(&port->rules, port->receiver.paused);
    }
    return ready ? scheduler_pick(port->scheduler, ready, sim_now_ps(port->sim),
                                  again_ps)
                 : SCHEDULER_NONE;
}

/* Gives 'frame' the tag that it has to have when it leaves by 'port'.  Its VLAN
 * may have gone while it waited; then it leaves as it came. */
static void
retag(const struct bridge *bridge, uint32_t port, struct sim_frame *frame)
{
    uint16_t tag;

    if (frame->is_routed && frame->vlan == 0) {
        tag = frame->out_tag;
    } else if (frame->vlan == 0 || !bridge_vlan_exists(bridge, frame->vlan)) {
        return;
    } else {
        tag = bridge_member(bridge, frame->vlan, port) == BRIDGE_TAGGED
                  ? frame->vlan
                  : 0;
    }
    if (tag && !frame->tag) {
        frame->length_bytes += SIM_TAG_BYTES;
    } else if (!tag && frame->tag) {
        frame->length_bytes -= SIM_TAG_BYTES;
    }
    frame->tag = tag;
}

static bool
has_wire_free(const struct sim_port *port)
{
    return port->transmit_state != TRANSMIT_SENDING &&
           port->transmit_state != TRANSMIT_CONTROL;
}

static bool
is_busy(const struct sim_port *port)
{
    return !has_wire_free(port) || port->transmit_state == TRANSMIT_HELD;
}

/* Makes 'port', which is idle, busy or blocked; until when is said next. */
static void
occupy(struct sim_port *port, enum transmit_state state)
{
    port->transmit_state = state;
    port->sim->n_busy += is_busy(port);
}

/* Lets the frame of 'port' take its time on the wire. */
static void
start_frame(struct sim_port *port)
{
    engine_schedule(
        port->sim->engine, &port->transmit_event,
        sim_now_ps(port->sim) +
            frame_wire_ps(port->frame.length_bytes, port->config.speed_mbps));
}

/* Makes 'port' idle. */
static void
release(struct sim_port *port)
{
    if (port->transmit_state != TRANSMIT_IDLE) {
        port->sim->n_busy -= is_busy(port);
        port->transmit_state = TRANSMIT_IDLE;
        engine_cancel(port->sim->engine, &port->transmit_event);
    }
}

void
sim_transmit_control__(struct sim_port *port)
{
    struct sim_frame frame;

    if (!has_wire_free(port) || !sim_pause_take__(port, &frame)) {
        return;
    }
    release(port);
    occupy(port, TRANSMIT_CONTROL);
    frame_keep(&port->frame, &frame);
    sim_payload_unref(frame.payload);
    start_frame(port);
}

/* Takes the next frame out of queue 'index' of 'port' and makes it what is to
 * be sent. */
static void
take(struct sim_port *port, uint32_t index)
{
    struct sim *sim = port->sim;
    const uint32_t queue = mmu_queue_id(sim->mmu, port->id, index);
    struct mmu_departure departure;
    const bool got = mmu_dequeue(sim->mmu, queue, &departure);

    orch_assert(got);
    /* Copied: the packet's index is free for another from now on. */
    frame_keep(&port->frame, &sim->frames[departure.packet]);
    port->frame.queue_index = index;
    sim_queue_leave__(sim, queue, &port->frame);
    retag(sim->bridge, sim_logical__(port), &port->frame);
    bridge_count_out(sim->bridge, sim_logical__(port), &port->frame);
    sim_rewrite__(port, &port->frame);
}

void
sim_transmit__(struct sim_port *port)
{
    struct sim *sim = port->sim;
    int64_t again_ps;
    uint32_t index;

    sim_transmit_control__(port);
    if (!has_wire_free(port)) {
        return;
    }
    release(port);
    index = choose(port, &again_ps);
    if (index != SCHEDULER_NONE) {
        /* First, for the departure may make this very port send a pause. */
        occupy(port, TRANSMIT_SENDING);
        take(port, index);
        scheduler_sent(port->scheduler, index, port->frame.length_bytes,
                       sim_now_ps(sim));
        start_frame(port);
    } else if (again_ps != EVENT_NEVER) {
        occupy(port, again_ps - sim_now_ps(sim) < PATIENCE_PS
                         ? TRANSMIT_HELD
                         : TRANSMIT_BLOCKED);
        engine_schedule(sim->engine, &port->transmit_event, again_ps);
    }
}

/* Counts the frame that has left 'port', and tells the listener. */
static void
note_sent(struct sim_port *port)
{
    struct sim *sim = port->sim;

    sim->n_transmitted++;
    sim_queue_note_sent__(
        sim, mmu_queue_id(sim->mmu, port->id, port->frame.queue_index),
        &port->frame);
    port->stats.tx_octets += port->frame.length_bytes;
    if (fdb_mac_is_group(port->frame.dst_mac)) {
        port->stats.tx_non_ucast_packets++;
    } else {
        port->stats.tx_ucast_packets++;
    }
    if (port->frame.is_routed) {
        router_note_sent(sim->router, port->frame.interface,
                         port->frame.length_bytes);
    }
    if (sim->sink.sent) {
        sim->sink.sent(sim->sink.context, port->id, &port->frame,
                       sim_now_ps(sim));
    }
}

/* Ends a transmission, or the time of waiting, and starts what is next. */
static void
on_transmit(struct event *event, int64_t now_ps)
{
    struct sim_port *port = EVENT_OWNER(event, struct sim_port, transmit_event);
    enum transmit_state was = port->transmit_state;

    (void)now_ps;
    release(port);
    if (was == TRANSMIT_SENDING) {
        note_sent(port);
    }
    if ((was == TRANSMIT_SENDING || was == TRANSMIT_CONTROL) && port->wire) {
        port->wire(port->wire_context, &port->frame);
    }
    sim_transmit__(port);
}

void
sim_transmit_init__(struct sim_port *port)
{
    port->transmit_event = (struct event){.fire = on_transmit};
}

void
sim_transmit_abort__(struct sim_port *port)
{
    release(port);
}
