/* SPDX-License-Identifier: Apache-2.0 */

/* Transmission: chooses the next queue, and times the wire.
 *
 * A port is idle, sends a frame, or is held: something waits, but may not start
 * before a time.  A transmission behind which nothing waits ends without an
 * event, and is completed when the port is used next.  The port looks for a
 * frame to send when a frame ends, when one is queued, when that time has come,
 * and when its configuration changes.  MAC control frames are sent before all
 * queues, even if those are held.
 *
 * While the MAC of a port may not send, a chip that leaks (twin/chip/chip.h)
 * moves frames to its FIFO in the order of the scheduler, and counts them as
 * transmitted: the counters of hardware sit before the FIFO, which is how test
 * suites notice how many packets are missing in the buffer. */

#include <config.h>

#include "twin/switch/sim_state.h"

static inline int64_t
now_of(const struct sim *sim)
{
    return engine_now_ps(sim->engine);
}

/* Returns whether the MAC of 'port' is kept from sending.  PFC does not do
 * that: it keeps queues from handing frames to the MAC. */
static bool
is_blocked(const struct sim_port *port)
{
    return port->cold->config.admin_up &&
           (!port->cold->config.tx_enabled || port->cold->receiver.all_paused);
}

void
sim_port_review__(struct sim_port *port)
{
    unsigned int odd = port->cold->guarded ? ODD_GUARDED : 0;

    if (!port->cold->config.admin_up || port->cold->is_held ||
        is_blocked(port)) {
        odd |= ODD_BLOCKED;
    }
    if (port->cold->fifo.n || port->cold->emitted.n) {
        odd |= ODD_FIFO;
    }
    if (port->sim->voq) {
        odd |= ODD_VOQ;
    }
    if (port->cold->credit) {
        odd |= ODD_CREDIT;
    }
    port->odd = odd & 31u;
    port->held = 0;
    if (port->cold->receiver.paused) {
        port->held = classify_paused_queues(&port->cold->rules,
                                            port->cold->receiver.paused) &
                     ~port->cold->recovering;
    }
    if (odd & ODD_CREDIT) {
        port->held |= sim_credit_held__(port);
    }
    port->rewrites = sim_rewrites__(port);
    port->is_up = port->exists && port->cold->config.admin_up;
    port->seen = port->sim->changes;
}

/* Returns the queue of 'port' whose frame leaves the buffer now, SCHEDULER_NONE
 * if none may.  Then '*again_ps' is the time at which to ask again even without
 * another event, or EVENT_NEVER. */
static inline uint32_t
choose(const struct sim_port *port, int64_t *again_ps)
{
    const uint64_t ready =
        mmu_port_backlog(port->sim->mmu, port->id) & ~port->held;

    *again_ps = EVENT_NEVER;
    return ready ? scheduler_pick(port->scheduler, ready, now_of(port->sim),
                                  again_ps)
                 : SCHEDULER_NONE;
}

/* Returns the tag with which 'frame', whose VLAN still exists, leaves by
 * 'port'. */
static uint16_t
tag_in_vlan(const struct sim_port *port, const struct sim_frame *frame)
{
    return bridge_member(port->sim->bridge, frame->vlan, sim_logical__(port)) ==
                   BRIDGE_TAGGED
               ? frame->vlan
               : 0;
}

uint16_t
sim_tag_out__(const struct sim_port *port, const struct sim_frame *frame)
{
    if (frame->leaves_port) {
        return frame->vlan;
    }
    return frame->vlan && bridge_vlan_exists(port->sim->bridge, frame->vlan)
               ? tag_in_vlan(port, frame)
               : frame->tag;
}

/* Sets the tag with which 'frame' leaves by 'port', and counts it there.  If
 * its VLAN was removed while it waited, the frame keeps the tag with which it
 * arrived. */
static inline void
leave_vlan(const struct sim_port *port, struct sim_frame *frame)
{
    const struct bridge *bridge = port->sim->bridge;
    uint16_t tag = frame->vlan;

    if (!frame->leaves_port) {
        if (frame->vlan == 0 || !bridge_vlan_exists(bridge, frame->vlan)) {
            return;
        }
        tag = tag_in_vlan(port, frame);
    }
    if (tag && !frame->tag) {
        frame->length_bytes += SIM_TAG_BYTES;
    } else if (!tag && frame->tag) {
        frame->length_bytes -= SIM_TAG_BYTES;
        frame->has &= 3u & ~(unsigned int)SIM_HAS_TAG;
    }
    frame->tag = tag;
    if (!frame->leaves_port) {
        bridge_count_out(port->sim->bridge, sim_logical__(port), frame);
    }
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

/* Changes the state of 'port', which is idle, to 'state'. */
static void
occupy(struct sim_port *port, enum transmit_state state)
{
    port->transmit_state = state & 7u;
    port->sim->n_busy += is_busy(port);
}

/* Returns the time that the frame of 'port', of 'length_bytes', takes on the
 * wire. */
static inline int64_t
wire_ps(const struct sim_port *port, uint32_t length_bytes)
{
    const struct sim_port_cold *cold = port->cold;

    if (port->ps_per_byte) {
        return frame_paced_ps(length_bytes, 1, port->ps_per_byte);
    }
    length_bytes += port->transmit_state == TRANSMIT_CONTROL
                        ? cold->macsec_pause_bytes
                        : cold->macsec_bytes;
    return frame_step_ps(frame_wire_ps(length_bytes, cold->config.speed_mbps),
                         cold->config.time_step_ps);
}

/* Returns whether nothing will have to happen when the frame that 'port' starts
 * has been sent, as far as is known. */
static inline bool
may_end_silently(const struct sim_port *port)
{
    const struct sim *sim = port->sim;

    return !port->odd && !port->has_sink && !sim->sent &&
           !sim->is_settling && port->transmit_state == TRANSMIT_SENDING &&
           !sim_pause_due__(port) && !mmu_port_backlog(sim->mmu, port->id);
}

/* Posts the end of the transmission of 'port'. */
static inline void
post_end(const struct sim_port *port, int64_t end_ps)
{
    engine_post(port->sim->engine, end_ps, EVENT_TX_END,
                sim_port_entity__(port), port->epoch);
}

/* Charges the frame of 'port', which has credits, unless it is MAC control.
 * Returns the bytes that it takes longer on the wire. */
static __attribute__((noinline)) uint32_t
start_by_credit(struct sim_port *port)
{
    if (port->transmit_state == TRANSMIT_SENDING) {
        sim_credit_charge__(port);
    }
    return sim_credit_inserted__(port);
}

/* Starts the frame of 'port' on the wire. */
static inline void
start_frame(struct sim_port *port)
{
    struct sim *sim = port->sim;
    const uint32_t inserted =
        port->odd & ODD_CREDIT ? start_by_credit(port) : 0;
    int64_t end_ps =
        now_of(sim) + wire_ps(port, port->out.length_bytes + inserted);
    const int64_t left_ps = port->out_wire
                                ? wire_send(port->out_wire, sim->engine,
                                            sim->pool, port->out.frame, end_ps)
                                : WIRE_LOST;

    port->is_handed = left_ps >= 0;
    if (port->is_handed) {
        end_ps = left_ps;
    }
    /* Nothing comes after a frame that is lost, so its end is an event. */
    if (left_ps != WIRE_LOST && may_end_silently(port)) {
        port->ends_silently = true;
        port->end_ps = end_ps;
    } else {
        post_end(port, end_ps);
    }
}

/* Makes 'port' idle. */
static inline void
release(struct sim_port *port)
{
    if (port->transmit_state != TRANSMIT_IDLE) {
        port->sim->n_busy -= is_busy(port);
        if (has_wire_free(port)) {
            engine_cancel(port->sim->engine, &port->cold->transmit_event);
        }
        port->transmit_state = TRANSMIT_IDLE;
    }
}

/* Returns frame 'index', which leaves by 'interface' if it is routed, as it is
 * sent. */
static inline struct sim_out
describe(const struct sim *sim, uint32_t index, uint32_t interface)
{
    const struct sim_frame *frame = sim_frame__(sim, index);

    return (struct sim_out){.frame = index,
                            .interface = interface,
                            .length_bytes = frame->length_bytes,
                            .queue_index = frame->queue_index,
                            .color = frame->color & 3u,
                            .is_group = fdb_mac_is_group(frame->dst_mac),
                            .is_broadcast = frame->dst_mac == FDB_BROADCAST,
                            .is_routed = frame->is_routed};
}

void
sim_transmit_control__(struct sim_port *port)
{
    uint32_t frame;

    sim_catch_up__(port);
    if (!has_wire_free(port)) {
        return;
    }
    frame = sim_pause_take__(port);
    if (frame == FRAME_NONE && port->cold->credit) {
        frame = sim_credit_take__(port);
    }
    if (frame == FRAME_NONE) {
        return;
    }
    release(port);
    occupy(port, TRANSMIT_CONTROL);
    port->out = describe(port->sim, frame, ROUTER_NONE);
    start_frame(port);
}

/* Notes the delay of 'frame', which is taken out of 'queue', and marks it if
 * the chip marks late. */
static inline void
leave_queue(struct sim *sim, uint32_t id, int64_t arrived_ps,
            struct sim_frame *frame)
{
    struct sim_queue *queue = &sim->queue_states[id];
    const int64_t delay_ps = now_of(sim) - arrived_ps;

    if (delay_ps > queue->delay_watermark_ps) {
        queue->delay_watermark_ps = delay_ps;
    }
    if (sim->has_delays) {
        sim_queue_note_delay__(sim, id, delay_ps);
    }
    if (queue->wred && sim->marks_late) {
        sim_queue_mark_late__(sim, id, frame);
    }
}

/* Makes frame 'number', which arrived at 'arrived_ps' and has just left queue
 * 'index' of 'port', the one to be sent by 'interface'.  Returns it. 'charges':
 * its scheduler has just picked that queue for the frame. */
static inline __attribute__((always_inline)) struct sim_out
leave(struct sim_port *port, uint32_t index, uint32_t number,
      int64_t arrived_ps, uint32_t interface, bool charges)
{
    struct sim *sim = port->sim;
    struct sim_frame *frame = sim_frame__(sim, number);

    frame->queue_index = (uint8_t)index;
    leave_queue(sim, port->first_queue + index, arrived_ps, frame);
    leave_vlan(port, frame);
    if (port->rewrites) {
        sim_rewrite__(port, frame);
    }
    if (charges) {
        scheduler_sent(port->scheduler, index, frame->length_bytes,
                       now_of(sim));
    }
    return describe(sim, number, interface);
}

/* leave() for what is left of a frame that was trimmed: it has its DSCP
 * already. */
static __attribute__((noinline)) struct sim_out
leave_trimmed(struct sim_port *port, uint32_t index,
              const struct sim_held *held, bool charges)
{
    struct sim_frame *frame = sim_frame__(port->sim, held->frame);
    const int8_t dscp = frame->dscp;
    const struct sim_out out = leave(port, index, held->frame, held->arrived_ps,
                                     held->interface, charges);

    frame->dscp = dscp;
    return out;
}

/* Takes the next frame out of queue 'index' of 'port', and returns it as it is
 * to be sent.  'charges': as for leave(). */
static inline __attribute__((always_inline)) struct sim_out
take_as(struct sim_port *port, uint32_t index, struct mmu_departure *departure,
        bool charges)
{
    struct sim *sim = port->sim;
    const bool got =
        mmu_dequeue(sim->mmu, port->first_queue + index, departure);
    /* No admission can follow before the end of this function, so 'held' is
     * still valid. */
    const struct sim_held *held = &sim->held[departure->packet];
    uint32_t number = held->frame;

    orch_assert(got);
    if (sim->trims && sim_trim_left__(sim, departure->packet, true)) {
        if (sim->has_credits) {
            sim_credit_left__(sim, departure->packet);
        }
        return leave_trimmed(port, index, held, charges);
    }
    if (!departure->is_last) {
        number = frame_copy(sim->pool, sim_frame__(sim, number));
    } else if (sim->has_credits) {
        sim_credit_left__(sim, departure->packet);
    }
    return leave(port, index, number, held->arrived_ps, held->interface,
                 charges);
}

static inline struct sim_out
take(struct sim_port *port, uint32_t index)
{
    struct mmu_departure departure;

    return take_as(port, index, &departure, true);
}

struct sim_out
sim_take__(struct sim_port *port, uint32_t index,
           struct mmu_departure *departure)
{
    return take_as(port, index, departure, false);
}

/* Counts 'out' as transmitted by its queue. */
static inline void
count_queue(struct sim_port *port, const struct sim_out *out)
{
    struct sim_queue *queue =
        &port->sim->queue_states[port->first_queue + out->queue_index];

    if (out->color == CLASSIFY_GREEN) {
        queue->packets++;
        queue->bytes += out->length_bytes;
    } else {
        struct sim_queue_color *more = sim_queue_more__(queue, out->color);

        more->packets++;
        more->bytes += out->length_bytes;
    }
}

void
sim_port_report__(struct sim_port *port)
{
    struct sim_port_cold *cold = port->cold;

    if (port->routed_by != ROUTER_NONE) {
        size_runs_end(&port->tx, &cold->tx_ucast);
        router_note_sent(port->sim->router, port->routed_by,
                         cold->tx_ucast.packets - cold->reported_packets,
                         cold->tx_ucast.octets - cold->reported_octets);
        port->routed_by = ROUTER_NONE;
    }
}

/* Makes the counters of 'port' those of frames that leave by 'interface'. */
static __attribute__((noinline)) void
switch_interface(struct sim_port *port, uint32_t interface)
{
    struct sim_port_cold *cold = port->cold;

    sim_port_report__(port);
    size_runs_end(&port->tx, &cold->tx_ucast);
    cold->reported_packets = cold->tx_ucast.packets;
    cold->reported_octets = cold->tx_ucast.octets;
    port->routed_by = interface;
}

/* Counts a frame for a group of addresses. */
static void
count_group(struct sim_port *port, const struct sim_out *out)
{
    struct sim_port_cold *cold = port->cold;

    sim_port_report__(port);
    size_totals_add(&cold->tx_group, out->length_bytes, 1);
    cold->stats.tx_broadcast_packets += out->is_broadcast;
    if (out->is_routed) {
        router_note_sent(port->sim->router, out->interface, 1,
                         out->length_bytes);
    }
}

/* Counts 'out' as transmitted by 'port'. */
static inline void
count_sent(struct sim_port *port, const struct sim_out *out)
{
    const uint32_t interface = out->is_routed ? out->interface : ROUTER_NONE;

    if (out->is_group) {
        count_group(port, out);
        return;
    }
    if (interface != port->routed_by) {
        switch_interface(port, interface);
    }
    size_runs_count(&port->tx, &port->cold->tx_ucast, out->length_bytes);
}

/* Fills the FIFO of 'port', which is blocked, from the buffer.  Returns when to
 * ask again, as choose() does. */
static int64_t
fill(struct sim_port *port)
{
    int64_t again_ps = EVENT_NEVER;

    while (!fifo_is_full(&port->cold->fifo)) {
        const uint32_t index = choose(port, &again_ps);
        struct sim_out out;

        if (index == SCHEDULER_NONE) {
            break;
        }
        out = take(port, index);
        count_queue(port, &out);
        count_sent(port, &out);
        fifo_add(&port->cold->fifo, out.frame);
    }
    return again_ps;
}

/* Starts frame 'index' of 'port', which is idle and may send, from a FIFO. */
static void
start_from_fifo(struct sim_port *port, uint32_t index, enum sim_origin origin)
{
    port->origin = (uint8_t)origin & 3u;
    occupy(port, TRANSMIT_SENDING);
    port->out = describe(port->sim, index, ROUTER_NONE);
    start_frame(port);
}

/* Starts a frame from the buffer of 'port', which is idle and may send.
 * Returns when to ask again if there is no frame. */
static inline int64_t
start_next(struct sim_port *port)
{
    int64_t again_ps;
    const uint32_t index = choose(port, &again_ps);

    if (index != SCHEDULER_NONE) {
        port->origin = SIM_FROM_BUFFER;
        /* First, because the departure may make this port send a pause. */
        occupy(port, TRANSMIT_SENDING);
        port->out = take(port, index);
        start_frame(port);
    }
    return again_ps;
}

/* Holds 'port', which is idle, until 'again_ps' unless that is EVENT_NEVER. */
static inline void
hold(struct sim_port *port, int64_t again_ps)
{
    if (again_ps != EVENT_NEVER) {
        occupy(port, again_ps - now_of(port->sim) < PATIENCE_PS
                         ? TRANSMIT_HELD
                         : TRANSMIT_BLOCKED);
        engine_schedule(port->sim->engine, &port->cold->transmit_event,
                        again_ps);
    }
}

/* Starts a frame of 'port' of a chassis, which is idle and may send, from
 * behind the fabric. */
static void
start_behind_fabric(struct sim_port *port)
{
    struct sim_out out;

    if (voq_next__(port, &out)) {
        port->origin = SIM_FROM_BUFFER;
        occupy(port, TRANSMIT_SENDING);
        port->out = out;
        start_frame(port);
    }
    voq_wake__(port);
}

/* Starts a frame of 'port', which is idle and may send.  Frames in the FIFOs go
 * first.  Returns when to ask again if there is no frame. */
static int64_t
start_any(struct sim_port *port)
{
    uint32_t frame = fifo_take(&port->cold->fifo);
    enum sim_origin origin = SIM_FROM_FIFO;

    if (frame == FRAME_NONE) {
        frame = fifo_take(&port->cold->emitted);
        origin = SIM_FROM_PROCESSOR;
    }
    if (frame == FRAME_NONE) {
        if (!(port->odd & ODD_VOQ)) {
            return start_next(port);
        }
        start_behind_fabric(port);
        return EVENT_NEVER;
    }
    start_from_fifo(port, frame, origin);
    return EVENT_NEVER;
}

/* sim_transmit__() for all ports. */
static __attribute__((noinline)) void
transmit_any(struct sim_port *port)
{
    int64_t again_ps = EVENT_NEVER;

    sim_deadlock_update__(port);
    sim_port_review__(port);
    sim_transmit_control__(port);
    if (port->odd & ODD_VOQ) {
        voq_wake__(port);
    } else if (is_blocked(port) && !(port->odd & ODD_CREDIT)) {
        /* By credits a frame leaves the buffer only for the wire. */
        again_ps = fill(port);
    }
    if (has_wire_free(port)) {
        release(port);
        if (port->cold->config.admin_up && !port->cold->is_held &&
            !is_blocked(port)) {
            again_ps = start_any(port);
        }
        hold(port, again_ps);
    }
    sim_port_review__(port);
}

void
sim_transmit__(struct sim_port *port)
{
    sim_catch_up__(port);
    if (port->odd || sim_pause_due__(port) ||
        port->seen != port->sim->changes) {
        transmit_any(port);
    } else if (has_wire_free(port)) {
        release(port);
        hold(port, start_next(port));
    }
}

/* Returns whether 'port' would send a frame in queue 'index' at once if one
 * came now, whatever the frame is. */
static inline bool
is_open(struct sim_port *port, uint32_t index)
{
    const struct sim *sim = port->sim;

    sim_catch_up__(port);
    /* Whether the port is idle is unpredictable; that nothing else is in the
     * way then is not. */
    return port->transmit_state == TRANSMIT_IDLE &&
           !mmu_port_backlog(sim->mmu, port->id) && !port->odd &&
           !sim_pause_due__(port) && port->seen == sim->changes &&
           !(port->held >> index & 1) && !sim->limits_age && !sim->checks &&
           scheduler_is_open(port->scheduler, index);
}

bool
sim_transmit_through__(struct sim_port *port, uint32_t frame,
                       const struct sim_way *way)
{
    struct sim *sim = port->sim;
    const uint32_t index = way->queue - port->first_queue;

    if (!is_open(port, index) ||
        !mmu_pass(sim->mmu, way->pg, way->queue,
                  sim_frame__(sim, frame)->length_bytes)) {
        return false;
    }
    scheduler_pick_only(port->scheduler, index);
    port->origin = SIM_FROM_BUFFER;
    occupy(port, TRANSMIT_SENDING);
    port->out = leave(port, index, frame, now_of(sim), way->interface, true);
    start_frame(port);
    return true;
}

/* Counts the frame that has left 'port', and notifies the listener. */
static inline void
note_sent(struct sim_port *port)
{
    struct sim *sim = port->sim;

    sim->n_transmitted++;
    if (port->origin == SIM_FROM_BUFFER) {
        count_queue(port, &port->out);
    }
    if (port->origin != SIM_FROM_FIFO) {
        count_sent(port, &port->out);
    }
    if (sim->sent) {
        sim->sent(sim->listener.context, port->id,
                  sim_frame__(sim, port->out.frame), now_of(sim));
    }
}

/* Notifies the listener of the MAC control frame that has left 'port'. */
static void
note_control(const struct sim_port *port)
{
    const struct sim *sim = port->sim;

    if (sim->listener.control) {
        sim->listener.control(sim->listener.context, port->id,
                              sim_frame__(sim, port->out.frame), false,
                              now_of(sim));
    }
}

/* Completes the transmission of 'port', except for the frame. */
static inline void
finish(struct sim_port *port)
{
    if (port->transmit_state == TRANSMIT_SENDING) {
        note_sent(port);
    } else {
        note_control(port);
    }
    port->sim->n_busy--;
    port->transmit_state = TRANSMIT_IDLE;
}

/* Gives the frame that 'port' has sent back, unless the wire owns it. */
static inline void
give_sent(const struct sim_port *port)
{
    if (!port->is_handed) {
        frame_give(port->sim->pool, port->out.frame);
    }
}

void
sim_catch_up_slow__(struct sim_port *port)
{
    const uint64_t order =
        event_order(EVENT_TX_END, sim_port_entity__(port), port->epoch);

    port->ends_silently = false;
    if (engine_is_past(port->sim->engine, port->end_ps, order)) {
        finish(port);
        give_sent(port);
    } else {
        post_end(port, port->end_ps);
    }
}

void
sim_catch_up_all__(struct sim *sim)
{
    const uint32_t n = sim->n_busy || sim->n_transmitted ? sim->chip->ports : 0;

    for (uint32_t i = 0; i < n; i++) {
        if (sim->ports[i].sim) {
            sim_catch_up__(&sim->ports[i]);
            sim_port_report__(&sim->ports[i]);
        }
    }
    flow_table_report(&sim->flows);
}

void
sim_handle_tx_end(struct frame_pool *pool, uint32_t entity, uint32_t arg)
{
    struct sim_port *port = frame_pool_place(pool, entity);

    if (!port || arg != port->epoch) {
        return; /* The transmission was aborted. */
    }
    finish(port);
    if (port->has_sink) {
        port->cold->wire(port->cold->wire_context,
                         frame_at(pool, port->out.frame));
    }
    give_sent(port);
    sim_transmit__(port);
}

void
sim_port_hold(struct sim *sim, uint32_t id, bool is_held)
{
    struct sim_port *port = sim_port_find__(sim, id);

    if (port) {
        port->cold->is_held = is_held;
        sim_port_review__(port);
        if (!is_held) {
            sim_transmit__(port);
        }
    }
}

/* Ends the wait of a held port. */
static void
on_retry(struct event *event, int64_t now_ps)
{
    struct sim_port *port =
        EVENT_OWNER(event, struct sim_port_cold, transmit_event)->port;

    (void)now_ps;
    release(port);
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
    if (port->cold->emitted.room == 0) {
        fifo_set_limit(&port->cold->emitted, SIM_EMIT_MAX);
    }
    if (!port->cold->config.admin_up || fifo_is_full(&port->cold->emitted)) {
        return ST_BUSY;
    }
    fifo_add(&port->cold->emitted, frame_copy(sim->pool, frame));
    sim_port_review__(port);
    sim_transmit__(port);
    return ST_OK;
}

void
sim_transmit_init__(struct sim_port *port)
{
    port->cold->transmit_event =
        event_make(EVENT_TIMER_SEND, sim_port_entity__(port), 0, on_retry);
}

void
sim_transmit_abort__(struct sim_port *port)
{
    struct frame_pool *pool = port->sim->pool;

    sim_catch_up__(port);
    if (!has_wire_free(port)) {
        if (port->is_handed) {
            wire_recall(port->out_wire, frame_at(pool, port->out.frame));
        } else {
            frame_give(pool, port->out.frame);
        }
    }
    port->epoch = frame_pool_epoch(pool);
    release(port);
}
