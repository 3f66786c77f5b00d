/* SPDX-License-Identifier: Apache-2.0 */

/* The arrival of a frame: MAC control, classification, forwarding, admission.
 */

#include <config.h>

#include "twin/qos/pause_frame.h"
#include "twin/qos/wred.h"
#include "twin/switch/sim_state.h"

/* Handles 'frame' if it is for the MAC of 'in', and returns whether it is: such
 * frames are neither forwarded nor buffered. */
static bool
receive_control(struct sim_port *in, const struct sim_frame *frame)
{
    struct pause_frame pause;

    if (frame->dst_mac != PAUSE_FRAME_ADDRESS) {
        return false;
    }
    in->cold->stats.rx_control++;
    if (in->sim->listener.control) {
        in->sim->listener.control(in->sim->listener.context, in->id, frame,
                                  true, sim_now_ps(in->sim));
    }
    if (in->cold->credit && sim_credit_receive__(in, frame)) {
        return true;
    }
    if (frame->payload && pause_frame_parse(frame->payload->bytes,
                                            frame->payload->length, &pause)) {
        sim_pause_receive__(in, &pause);
    }
    return true;
}

/* Counts a frame dropped at 'port', and notifies the listener. */
static void
note_drop(struct sim *sim, uint32_t port, enum mmu_drop why,
          const struct sim_frame *frame)
{
    sim->events |= SIM_STOP_DROP;
    if (mmu_drop_is_egress(why)) {
        sim->cold[port].stats.tx_dropped++;
    } else {
        sim->cold[port].stats.rx_dropped++;
    }
    if (sim->listener.drop) {
        sim->listener.drop(sim->listener.context, port, why, frame,
                           sim_now_ps(sim));
    }
}

/* Returns the queue of 'port' for traffic class 'tc'. */
static uint32_t
queue_of(const struct sim *sim, const struct sim_port *port, uint8_t tc)
{
    uint32_t index = classify_queue(&sim->rules, &port->cold->rules, tc);

    return mmu_queue_id(sim->mmu, port->id,
                        index < sim->chip->queues_per_port ? index : 0);
}

/* Counts a frame that 'queue' did not admit, at the port of 'ways[way]'. */
static void
note_queue_drop(struct sim *sim, uint32_t way, enum mmu_drop why,
                const struct sim_frame *frame)
{
    sim_queue_note_drop__(sim, sim->queues[way], why == MMU_WRED, frame);
    note_drop(sim, sim->ways[way], why, frame);
}

/* Wakes 'port', for which a frame was just queued. */
static void
queued(struct sim_port *port)
{
    sim_age_watch__(port);
    sim_transmit__(port);
}

/* Remembers that the buffer holds frame 'index' as 'packet'. */
static void
hold(struct sim *sim, uint32_t packet, uint32_t index, uint32_t interface)
{
    if (packet >= sim->n_held) {
        sim_extend_held__(sim, packet);
    }
    sim->held[packet] = (struct sim_held){
        .arrived_ps = sim_now_ps(sim), .frame = index, .interface = interface};
    if (sim->has_credits) {
        sim_credit_hold__(sim, packet);
    }
}

/* Ends frame 'index' from 'in', which was not admitted on 'way', unless what is
 * left of it is queued. */
static void
refuse(struct sim_port *in, uint32_t index, const struct sim_way *way,
       enum mmu_drop why)
{
    struct sim *sim = in->sim;
    const struct sim_frame *frame = sim_frame__(sim, index);
    uint32_t packet;

    if (mmu_drop_is_egress(why)) {
        sim_queue_note_drop__(sim, way->queue, why == MMU_WRED, frame);
        note_drop(sim, way->port, why, frame);
        if (sim->trims && why != MMU_WRED &&
            sim_trim_refused__(sim, index, way, &packet)) {
            in->cold->stats.rx_copied++;
            in->cold->stats.rx_copied_octets += frame->length_bytes;
            hold(sim, packet, index, way->interface);
            queued(&sim->ports[way->port]);
            return;
        }
    } else {
        note_drop(sim, in->id, why, frame);
    }
    frame_give(sim->pool, index);
}

/* Offers frame 'index' from 'in', of which WRED thinks 'verdict', to the buffer
 * on its only way.  Not inline, so that frames that need not wait do without
 * its variables. */
static __attribute__((noinline)) void
admit_to_buffer(struct sim_port *in, uint32_t index, const struct sim_way *way,
                enum wred_verdict verdict)
{
    struct sim *sim = in->sim;
    struct sim_port *out = &sim->ports[way->port];
    struct sim_frame *frame = sim_frame__(sim, index);
    enum mmu_drop drop = MMU_WRED;
    uint32_t packet;

    if (verdict == WRED_DROP) {
        mmu_refuse(sim->mmu, way->pg, way->queue, frame->length_bytes, drop);
    } else {
        drop = mmu_enqueue(sim->mmu, way->pg, way->queue, frame->length_bytes,
                           &packet);
    }
    if (drop != MMU_ADMITTED) {
        refuse(in, index, way, drop);
        return;
    }
    if (verdict == WRED_MARK) {
        sim_queue_mark__(sim, way->queue, frame);
    }
    hold(sim, packet, index, way->interface);
    out->waiting = (uint8_t)(way->queue - out->first_queue) & 63u;
    queued(out);
}

/* Sends frame 'index' from 'in' on its only way, or has it wait in the buffer.
 * WRED decides before the buffer does. */
static inline void
admit_one(struct sim_port *in, uint32_t index, const struct sim_way *way)
{
    struct sim *sim = in->sim;
    const enum wred_verdict verdict =
        sim_queue_arrive__(sim, way->queue, sim_frame__(sim, index));

    if (verdict != WRED_PASS ||
        !sim_transmit_through__(&sim->ports[way->port], index, way)) {
        admit_to_buffer(in, index, way, verdict);
    }
}

/* Counts the copies of 'frame' from 'in', wakes the ports of those that were
 * admitted, and notes the others. */
static void
finish_copies(struct sim_port *in, const struct sim_frame *frame, uint32_t n)
{
    struct sim *sim = in->sim;
    /* A copy, because the frame may leave meanwhile. */
    const struct sim_frame same = *frame;

    in->cold->stats.rx_copied += n - 1;
    in->cold->stats.rx_copied_octets += (uint64_t)(n - 1) * frame->length_bytes;
    for (uint32_t i = 0; i < n; i++) {
        if (sim->drops[i] == MMU_ADMITTED) {
            queued(&sim->ports[sim->ways[i]]);
        } else {
            note_queue_drop(sim, i, sim->drops[i], &same);
        }
    }
}

/* Offers copies of frame 'index' from 'pg' to the queues of the first 'n'
 * ways. */
static void
admit_copies(struct sim_port *in, uint32_t index, uint32_t pg, uint32_t n)
{
    struct sim *sim = in->sim;
    struct sim_frame *frame = sim_frame__(sim, index);
    uint32_t packet;

    if (mmu_enqueue_copies(sim->mmu, pg, sim->queues, n, frame->length_bytes,
                           &packet, sim->drops)) {
        hold(sim, packet, index, sim->passage.interface);
        finish_copies(in, frame, n);
        return;
    }
    if (mmu_drop_is_egress(sim->drops[0])) {
        finish_copies(in, frame, n);
    } else {
        /* Refused at ingress as a whole: one drop for all copies. */
        note_drop(sim, in->id, sim->drops[0], frame);
    }
    frame_give(sim->pool, index);
}

/* Returns the PG of 'in' for traffic class 'tc'. */
static uint32_t
pg_of(const struct sim_port *in, uint8_t tc)
{
    const struct sim *sim = in->sim;
    const uint32_t index = sim->passage.tc_to_pg
                               ? sim->passage.tc_to_pg->entries[tc]
                               : classify_pg(&sim->rules, &in->cold->rules, tc);

    return in->cold->first_pg + (index < sim->chip->pgs_per_port ? index : 0);
}

/* Offers frame 'index' to the queues of its traffic class at the first 'n' (not
 * 0) ways.  It arrived as 'was', before 'changes'. */
static void
admit(struct sim_port *in, uint32_t index, uint32_t n,
      const struct sim_frame *was, uint32_t changes)
{
    struct sim *sim = in->sim;
    const struct sim_frame *frame = sim_frame__(sim, index);
    const uint32_t pg = pg_of(in, frame->tc);

    for (uint32_t i = 0; i < n; i++) {
        sim->queues[i] = queue_of(sim, &sim->ports[sim->ways[i]], frame->tc);
    }
    if (n == 1) {
        const struct sim_way way = {.interface = sim->passage.interface,
                                    .port = sim->ways[0],
                                    .queue = sim->queues[0],
                                    .pg = pg,
                                    .stays_whole = sim->passage.stays_whole};

        /* Each frame by credits takes the full path, which counts it. */
        if (!in->cold->credit) {
            sim_flow_note__(in, was, frame, changes, &way);
        }
        admit_one(in, index, &way);
    } else {
        admit_copies(in, index, pg, n);
    }
}

void
sim_classify__(const struct sim_port *in, struct sim_frame *frame)
{
    const struct classify_headers headers = sim_headers__(frame);
    const struct classify_verdict verdict =
        classify_frame(&in->sim->rules, &in->cold->rules, &headers);

    frame->tc = verdict.tc;
    frame->color = verdict.color & 3u;
}

/* Counts 'frame' as received, even if it is dropped later. */
static void
count(struct sim_port *in, const struct sim_frame *frame)
{
    struct sim_port_cold *cold = in->cold;

    if (fdb_mac_is_group(frame->dst_mac)) {
        size_totals_add(&cold->rx_group, frame->length_bytes, 1);
        cold->stats.rx_broadcast_packets += frame->dst_mac == FDB_BROADCAST;
    } else {
        size_runs_count(&in->rx, &cold->rx_ucast, frame->length_bytes);
    }
}

/* Decides where 'frame', which arrives at 'in', leaves: fills the ways of the
 * switch and returns their number. */
static uint32_t
decide(struct sim_port *in, struct sim_frame *frame)
{
    struct sim *sim = in->sim;
    uint32_t n;

    sim->passage = (struct sim_passage){.interface = ROUTER_NONE};
    frame->is_routed = false;
    frame->leaves_port = false;
    frame->vlan = 0;
    sim_classify__(in, frame);
    n = sim_forward__(sim, in, frame, sim->ways);
    return sim->has_egress_acl ? sim_access_leave__(sim, frame, n) : n;
}

/* Offers frame 'index' from 'in', which was decided, to its 'n' ways, or drops
 * it if there are none. */
static void
dispose(struct sim_port *in, uint32_t index, uint32_t n,
        const struct sim_frame *was, uint32_t changes, uint64_t trapped)
{
    struct sim *sim = in->sim;
    struct sim_frame *frame = sim_frame__(sim, index);

    if (n) {
        admit(in, index, n, was, changes);
        return;
    }
    in->cold->stats.rx_filtered += in->cold->stats.rx_trapped == trapped;
    if (sim->listener.filtered) {
        sim->listener.filtered(sim->listener.context, in->id,
                               (enum sim_filter)sim->passage.filter, frame,
                               sim_now_ps(sim));
    }
    frame_give(sim->pool, index);
}

/* Does what sim_receive__() does for all frames. */
static __attribute__((noinline)) void
receive_any(struct sim_port *in, uint32_t index)
{
    struct sim *sim = in->sim;
    struct sim_frame *frame = sim_frame__(sim, index);
    const struct sim_frame was = *frame;
    const uint32_t changes = sim->changes;
    uint64_t trapped;
    uint32_t n;

    if (receive_control(in, frame)) {
        frame_give(sim->pool, index);
        return;
    }
    count(in, frame);
    trapped = in->cold->stats.rx_trapped;
    n = decide(in, frame);
    if (in->cold->credit) {
        sim_credit_arrive__(in, frame->tc, was.length_bytes);
    }
    dispose(in, index, n, &was, changes, trapped);
    if (sim->has_credits) {
        sim_credit_settle__(sim);
    }
}

void
sim_receive__(struct sim_port *in, uint32_t index)
{
    struct sim_way way;

    if (sim_flow_take__(in, sim_frame__(in->sim, index), &way)) {
        admit_one(in, index, &way);
    } else {
        receive_any(in, index);
    }
}

/* Stores port 'id' in '*port' if 'frame' can arrive there. */
static enum st
check_arrival(struct sim *sim, uint32_t id, const struct sim_frame *frame,
              struct sim_port **port)
{
    *port = sim_port_find__(sim, id);
    if (!*port) {
        return ST_NOT_FOUND;
    }
    if (!frame_is_valid(frame)) {
        return ST_INVALID;
    }
    return (*port)->cold->config.admin_up ? ST_OK : ST_BUSY;
}

/* Lets 'frame' arrive at 'port' now, without the state of a previous switch. */
static void
arrive(struct sim_port *port, const struct sim_frame *frame)
{
    struct sim *sim = port->sim;
    const uint32_t index = frame_copy(sim->pool, frame);

    sim->last_id++;
    if (!frame->opcode) {
        sim_frame__(sim, index)->id = sim->last_id;
    }
    sim_receive__(port, index);
}

void
sim_handle_arrive(struct frame_pool *pool, uint32_t entity, uint32_t index)
{
    struct sim_port *port = frame_pool_place(pool, entity);
    struct wire *wire = port ? port->in_wire : NULL;

    if (!wire_lands(wire, frame_at(pool, index))) {
        frame_give(pool, index);
    } else if (!port->is_up) {
        wire_lose(wire, frame_at(pool, index));
        frame_give(pool, index);
    } else {
        wire->delivered++;
        sim_receive__(port, index);
    }
}

enum st
sim_receive(struct sim *sim, uint32_t id, const struct sim_frame *frame)
{
    struct sim_port *port;
    enum st status = check_arrival(sim, id, frame, &port);

    if (status == ST_OK) {
        arrive(port, frame);
    }
    return status;
}

enum st
sim_explore(struct sim *sim, uint32_t id, const struct sim_frame *frame,
            sim_way_fn *visit, void *context)
{
    struct sim_port *port;
    const enum st status = check_arrival(sim, id, frame, &port);
    uint32_t member = 0;

    if (status != ST_OK) {
        return status;
    }
    do {
        struct sim_frame copy = *frame;
        uint32_t n;

        router_force_member(sim->router, member);
        n = decide(port, &copy);
        for (uint32_t i = 0; i < n; i++) {
            visit(context, sim->ways[i], &copy);
        }
    } while (++member < router_n_members(sim->router));
    router_force_member(sim->router, ROUTER_NONE);
    return ST_OK;
}

enum st
sim_send(struct sim *sim, uint32_t id, const struct sim_frame *frame,
         uint64_t n, unsigned int stops, struct sim_send_result *result)
{
    struct sim_port *port;
    enum st status = check_arrival(sim, id, frame, &port);
    uint64_t sent = 0;

    if (status != ST_OK) {
        return status;
    }
    /* Earlier events, such as a drop of another sender's frame, do not stop
     * this one. */
    sim->events = 0;
    while (sent < n && !(sim->events & stops)) {
        int64_t now_ps = sim_now_ps(sim);

        if (port->cold->rx_free_ps < now_ps) {
            port->cold->rx_free_ps = now_ps;
        }
        port->cold->rx_free_ps +=
            frame_wire_ps(frame->length_bytes, port->cold->config.speed_mbps);
        sim_run_until(sim, port->cold->rx_free_ps);
        sim->events = 0;
        arrive(port, frame);
        sent++;
    }
    if (result) {
        result->sent = sent;
        result->stops = sim->events & stops;
    }
    return ST_OK;
}
