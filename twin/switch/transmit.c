/* SPDX-License-Identifier: Apache-2.0 */

/* The way out: which queue goes next, and the wire.
 *
 * A port is idle, sends a frame, or is held: something waits, but may not
 * start before a time.  It looks for work when a frame ends, when one is
 * queued, when that time has come, and when its configuration changes.  Frames
 * of MAC control go before all queues, whatever holds these.
 *
 * A port whose MAC may not send lets a chip that leaks (model.h) move frames on
 * to its FIFO, as the scheduler chooses them, and counts them as transmitted:
 * the counters of hardware sit before the FIFO, which is how test suites notice
 * how many packets are missing in the buffer. */

#include <config.h>

#include "twin/switch/sim_state.h"

/* Returns whether the MAC of 'port' keeps it from sending.  A pause of
 * priorities is not that: it keeps queues from handing frames to the MAC. */
static bool
is_blocked(const struct sim_port *port)
{
    return port->config.admin_up &&
           (!port->config.tx_enabled || port->receiver.all_paused);
}

/* Chooses the queue of 'port' whose frame leaves the buffer now.  Returns
 * SCHEDULER_NONE if none may; then '*again_ps' is when to ask again although
 * nothing has happened, EVENT_NEVER if that would be in vain. */
static uint32_t
choose(const struct sim_port *port, int64_t *again_ps)
{
    uint64_t ready = mmu_port_backlog(port->sim->mmu, port->id);

    *again_ps = EVENT_NEVER;
    if (port->receiver.paused) {
        ready &= ~classify_paused_queues(&port->rules, port->receiver.paused) |
                 port->recovering;
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

/* Takes the next frame out of queue 'index' of 'port' and makes '*frame' what
 * is to be sent. */
static void
take(struct sim_port *port, uint32_t index, struct sim_frame *frame)
{
    struct sim *sim = port->sim;
    const uint32_t queue = mmu_queue_id(sim->mmu, port->id, index);
    struct mmu_departure departure;
    const bool got = mmu_dequeue(sim->mmu, queue, &departure);

    orch_assert(got);
    /* Copied: the packet's index is free for another from now on. */
    frame_keep(frame, &sim->frames[departure.packet]);
    frame->queue_index = index;
    sim_queue_leave__(sim, queue, frame);
    retag(sim->bridge, sim_logical__(port), frame);
    bridge_count_out(sim->bridge, sim_logical__(port), frame);
    sim_rewrite__(port, frame);
    scheduler_sent(port->scheduler, index, frame->length_bytes,
                   sim_now_ps(sim));
}

/* Counts 'frame', which was in no queue if it 'is_emitted', as transmitted by
 * 'port'. */
static void
count_sent(struct sim_port *port, const struct sim_frame *frame,
           bool is_emitted)
{
    struct sim *sim = port->sim;

    if (!is_emitted) {
        sim_queue_note_sent__(
            sim, mmu_queue_id(sim->mmu, port->id, frame->queue_index), frame);
    }
    port->stats.tx_octets += frame->length_bytes;
    if (fdb_mac_is_group(frame->dst_mac)) {
        port->stats.tx_non_ucast_packets++;
    } else {
        port->stats.tx_ucast_packets++;
    }
    if (frame->is_routed) {
        router_note_sent(sim->router, frame->interface, frame->length_bytes);
    }
}

/* Lets the FIFO of 'port', which is blocked, take what it has room for.
 * Returns when to ask again as choose() does. */
static int64_t
fill(struct sim_port *port)
{
    int64_t again_ps = EVENT_NEVER;

    while (!fifo_is_full(&port->fifo)) {
        const uint32_t index = choose(port, &again_ps);
        struct sim_frame *frame;

        if (index == SCHEDULER_NONE) {
            break;
        }
        frame = fifo_add(&port->fifo);
        take(port, index, frame);
        count_sent(port, frame, false);
    }
    return again_ps;
}

/* Starts a frame of 'port', which is idle and may send: what has waited outside
 * of the buffer goes first.  Returns when to ask again if there is none. */
static int64_t
start_next(struct sim_port *port)
{
    int64_t again_ps = EVENT_NEVER;
    uint32_t index = SCHEDULER_NONE;
    bool is_outside;

    port->is_counted = fifo_take(&port->fifo, &port->frame);
    port->is_emitted =
        !port->is_counted && fifo_take(&port->emitted, &port->frame);
    is_outside = port->is_counted || port->is_emitted;
    if (!is_outside) {
        index = choose(port, &again_ps);
    }
    if (is_outside || index != SCHEDULER_NONE) {
        /* First, for the departure may make this very port send a pause. */
        occupy(port, TRANSMIT_SENDING);
        if (!is_outside) {
            take(port, index, &port->frame);
        }
        start_frame(port);
    }
    return again_ps;
}

void
sim_transmit__(struct sim_port *port)
{
    struct sim *sim = port->sim;
    int64_t again_ps = EVENT_NEVER;

    sim_deadlock_update__(port);
    sim_transmit_control__(port);
    if (is_blocked(port)) {
        again_ps = fill(port);
    }
    if (!has_wire_free(port)) {
        return;
    }
    release(port);
    if (port->config.admin_up && !is_blocked(port)) {
        again_ps = start_next(port);
    }
    if (again_ps != EVENT_NEVER) {
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
    if (!port->is_counted) {
        count_sent(port, &port->frame, port->is_emitted);
    }
    if (sim->listener.sent) {
        sim->listener.sent(sim->listener.context, port->id, &port->frame,
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

enum st
sim_emit(struct sim *sim, uint32_t id, const struct sim_frame *frame)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (!port) {
        return ST_NOT_FOUND;
    }
    if (!frame_is_valid(frame)) {
        return ST_INVALID;
    }
    if (port->emitted.room == 0) {
        fifo_set_limit(&port->emitted, SIM_EMIT_MAX);
    }
    if (!port->config.admin_up || fifo_is_full(&port->emitted)) {
        return ST_BUSY;
    }
    sim->has_payloads |= frame->payload != NULL;
    frame_keep(fifo_add(&port->emitted), frame);
    sim_transmit__(port);
    return ST_OK;
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
