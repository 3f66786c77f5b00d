/* SPDX-License-Identifier: Apache-2.0 */

/* The transports of queue pairs: what to send next, what a packet does. */

#include <config.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "twin/nic/nic_state.h"

/* The rate of 'qp' in bits per second at 'now_ps'. */
static int64_t
rate(const struct nic *nic, struct qp *qp, int64_t now_ps)
{
    if (qp->kind == NIC_RAW) {
        return qp->raw.config.bits_per_s ? (int64_t)qp->raw.config.bits_per_s
                                         : nic->line_bps;
    }
    if (qp->kind == NIC_MESSAGES) {
        qp = &nic->qps[qp->context];
    }
    if (qp->kind == NIC_SRD) {
        return srd_rate_bps(qp->srd);
    }
    return qp->dcqcn ? dcqcn_rp_rate(&qp->rp, qp->dcqcn, now_ps)
                     : nic->line_bps;
}

uint64_t
nic_cnps(const struct nic *nic, uint32_t qp)
{
    return nic->qps[qp].cnps;
}

uint64_t
nic_rate(const struct nic *nic, uint32_t qp)
{
    return (uint64_t)rate(nic, &nic->qps[qp], engine_now_ps(nic->engine));
}

/* Sending ---------------------------------------------------------------- */

static enum rc_next
peek_raw(const struct qp *qp, int64_t now_ps, int64_t *when_ps)
{
    const struct raw *raw = &qp->raw;

    if (raw->is_stopped ||
        (raw->config.n_frames && raw->n_sent == raw->config.n_frames)) {
        return RC_IDLE;
    }
    if (raw->config.start_ps > now_ps) {
        *when_ps = raw->config.start_ps;
        return RC_WAIT;
    }
    return RC_PACKET;
}

enum rc_next
nic_peek__(const struct nic *nic, const struct qp *qp, int64_t *when_ps)
{
    const int64_t now_ps = engine_now_ps(nic->engine);

    switch ((enum nic_kind)qp->kind) {
    case NIC_RC:
        return rc_peek_response(qp->rc) == RC_RESPONSE_READ
                   ? RC_PACKET
                   : rc_peek_request(qp->rc, now_ps, when_ps);
    case NIC_RAW:
        return peek_raw(qp, now_ps, when_ps);
    case NIC_TCP:
        return nic_peek_tcp__(qp) ? RC_PACKET : RC_IDLE;
    case NIC_SRD:
        return nic_peek_srd__(nic, qp) ? RC_PACKET : RC_IDLE;
    case NIC_MESSAGES:
        break;
    }
    return RC_IDLE;
}

void
nic_end_burst__(const struct nic *nic, struct qp *qp)
{
    if (qp->pacer.burst_packets) {
        const int64_t now_ps = engine_now_ps(nic->engine);

        pacer_end_burst(&qp->pacer, &qp->pacing, rate(nic, qp, now_ps));
    }
}

void
nic_note_sent__(struct nic *nic, struct qp *qp, uint32_t length_bytes,
                uint32_t payload_bytes)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    const uint32_t wire_bytes = length_bytes + ETHERNET_WIRE_OVERHEAD_BYTES;

    if (qp->sent.packets++ == 0) {
        qp->sent.first_ps = now_ps;
    }
    qp->sent.last_ps = now_ps;
    qp->sent.bytes += payload_bytes;
    pacer_sent(&qp->pacer, &qp->pacing, wire_bytes, rate(nic, qp, now_ps),
               now_ps);
    if (qp->dcqcn) {
        dcqcn_rp_sent(&qp->rp, qp->dcqcn, wire_bytes, now_ps);
    }
}

/* Queues the acknowledgement that 'qp' has in frame 'index'. */
static void
acknowledge(struct nic *nic, struct qp *qp, uint32_t index)
{
    struct transport_packet packet;

    if (rc_next_response(qp->rc, &packet) == RC_PACKET) {
        nic_frame_fill__(nic, qp, &packet, frame_at(nic->pool, index));
        nic->stats.acks_sent++;
        nic->stats.cnps_sent += packet.notify;
        nic_answer__(nic, ANSWER_ACK, index);
    }
}

/* Takes the next packet of 'qp' that is paced.  READ responses come before
 * requests; an acknowledgement that waited for them is queued behind the last
 * one. */
static bool
next_packet(struct nic *nic, struct qp *qp, struct transport_packet *packet)
{
    int64_t when_ps;
    bool got;

    if (rc_peek_response(qp->rc) != RC_RESPONSE_READ) {
        return rc_next_request(qp->rc, engine_now_ps(nic->engine), packet,
                               &when_ps) == RC_PACKET;
    }
    got = rc_next_response(qp->rc, packet) == RC_PACKET;
    if (rc_peek_response(qp->rc) == RC_RESPONSE_ACK) {
        acknowledge(nic, qp, frame_take(nic->pool));
    }
    return got;
}

static uint32_t
next_rc(struct nic *nic, uint32_t number)
{
    struct qp *qp = &nic->qps[number];
    struct transport_packet packet;
    uint32_t index;
    struct sim_frame *frame;

    if (!next_packet(nic, qp, &packet)) {
        return FRAME_NONE;
    }
    index = frame_take(nic->pool);
    frame = frame_at(nic->pool, index);
    nic_frame_fill__(nic, qp, &packet, frame);
    qp->sent.again += packet.retransmit;
    nic_note_sent__(nic, qp, frame->length_bytes, packet.payload_bytes);
    if (nic->traced) {
        nic->traced(nic->traced_context, number, &packet, true,
                    engine_now_ps(nic->engine));
    }
    nic_watch__(nic, number);
    return index;
}

static uint32_t
next_raw(struct nic *nic, struct qp *qp)
{
    const uint32_t index = frame_take(nic->pool);
    struct sim_frame *frame = frame_at(nic->pool, index);

    *frame = qp->frame;
    frame->sequence = (uint32_t)qp->raw.n_sent++;
    frame->length_bytes = qp->raw.config.frame_bytes;
    nic_note_sent__(nic, qp, frame->length_bytes, frame->length_bytes);
    return index;
}

uint32_t
nic_next__(struct nic *nic, uint32_t number)
{
    struct qp *qp = &nic->qps[number];
    int64_t when_ps;

    switch ((enum nic_kind)qp->kind) {
    case NIC_RC:
        return next_rc(nic, number);
    case NIC_RAW:
        return nic_peek__(nic, qp, &when_ps) == RC_PACKET ? next_raw(nic, qp)
                                                          : FRAME_NONE;
    case NIC_TCP:
        return nic_next_tcp__(nic, number);
    case NIC_SRD:
        return nic_next_srd__(nic, number);
    case NIC_MESSAGES:
        break;
    }
    return FRAME_NONE;
}

void
nic_stop(struct nic *nic, uint32_t qp)
{
    nic->qps[qp].raw.is_stopped = true;
}

/* Receiving -------------------------------------------------------------- */

void
nic_note_received__(struct nic *nic, uint32_t number, uint32_t bytes,
                    bool is_marked, bool is_new, int64_t now_ps)
{
    struct qp *qp = &nic->qps[number];

    if (qp->received.packets++ == 0) {
        qp->received.first_ps = now_ps;
    }
    qp->received.last_ps = now_ps;
    qp->received.bytes += bytes;
    qp->received.marked += is_marked;
    qp->received.again += !is_new;
    if (nic->counted) {
        nic->counted(nic->counted_context, number, bytes, is_marked, now_ps);
    }
}

/* Sends a CNP to the peer of 'qp'. */
static void
notify(struct nic *nic, const struct qp *qp)
{
    const struct transport_packet packet = {.qp = qp->peer_qp,
                                            .opcode = TRANSPORT_CNP};
    const uint32_t frame = frame_take(nic->pool);

    nic_frame_fill__(nic, qp, &packet, frame_at(nic->pool, frame));
    nic->stats.cnps_sent++;
    nic_answer__(nic, ANSWER_CNP, frame);
}

/* Does what the notification point does for a marked packet of 'qp'. */
static void
note_mark(struct nic *nic, struct qp *qp, int64_t now_ps)
{
    const enum dcqcn_np_mode mode = qp->dcqcn->profile.np_mode;
    struct dcqcn_np *np = mode == DCQCN_NP_PER_PACKET ? &nic->np : &qp->np;

    /* With DCQCN_NP_ON_ACK the responder itself echoes the mark. */
    if (mode != DCQCN_NP_ON_ACK && dcqcn_np_marked(np, qp->dcqcn, now_ps)) {
        notify(nic, qp);
    }
}

/* Sends what QP 'number' has to answer.  An acknowledgement is built in
 * frame 'index'; without one, the frame is given back. */
static void
respond(struct nic *nic, uint32_t number, uint32_t index)
{
    struct qp *qp = &nic->qps[number];

    switch (rc_peek_response(qp->rc)) {
    case RC_RESPONSE_ACK:
        nic_frame_release__(frame_at(nic->pool, index));
        acknowledge(nic, qp, index);
        return;
    case RC_RESPONSE_READ:
        nic_ready__(nic, number);
        break;
    case RC_NO_RESPONSE:
        break;
    }
    frame_give(nic->pool, index);
}

void
nic_complete__(struct nic *nic, uint32_t number)
{
    struct rc_completion completion;
    const struct qp *qp = &nic->qps[number];

    while (qp->kind == NIC_TCP ? nic_poll_tcp__(qp->tcp, &completion)
                               : rc_poll(qp->rc, &completion)) {
        if (nic->listener) {
            nic->listener(nic->listener_context, number, &completion,
                          engine_now_ps(nic->engine));
        }
    }
}

/* Does what 'actions' of QP 'number' ask for. */
static void
act(struct nic *nic, uint32_t number, const struct rc_actions *actions)
{
    if (actions->completion) {
        nic_complete__(nic, number);
    }
    if (actions->send) {
        nic_ready__(nic, number);
    }
}

void
nic_fail_qp(struct nic *nic, uint32_t qp)
{
    struct rc_actions actions;

    rc_fail(nic->qps[qp].rc, &actions);
    act(nic, qp, &actions);
    nic_kick__(nic);
}

static void
receive_cnp(struct nic *nic, struct qp *qp, int64_t now_ps)
{
    nic->stats.cnps_received++;
    qp->cnps++;
    if (qp->dcqcn) {
        dcqcn_rp_cnp(&qp->rp, qp->dcqcn, now_ps);
    }
}

static void
deliver_rc(struct nic *nic, uint32_t number, uint32_t index)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    struct qp *qp = &nic->qps[number];
    struct transport_packet packet;
    struct rc_actions actions;
    bool is_data;

    nic_frame_read__(frame_at(nic->pool, index), &packet);
    if (packet.opcode == TRANSPORT_CNP) {
        receive_cnp(nic, qp, now_ps);
        frame_give(nic->pool, index);
        return;
    }
    is_data = packet.opcode != TRANSPORT_ACK;
    rc_receive(qp->rc, &packet, now_ps, &actions);
    if (is_data) {
        nic_note_received__(nic, number, actions.delivered_bytes, packet.ce,
                            actions.delivered_bytes || !packet.payload_bytes,
                            now_ps);
        if (packet.ce && qp->dcqcn) {
            note_mark(nic, qp, now_ps);
        }
    } else if (actions.notify) {
        receive_cnp(nic, qp, now_ps);
    }
    respond(nic, number, index);
    act(nic, number, &actions);
}

/* What is left of a packet of reliable connection 'number'. */
static void
deliver_trimmed(struct nic *nic, uint32_t number, uint32_t index)
{
    struct transport_packet packet;
    struct rc_actions actions;

    nic_frame_read__(frame_at(nic->pool, index), &packet);
    rc_receive_trimmed(nic->qps[number].rc, &packet, &actions);
    respond(nic, number, index);
    act(nic, number, &actions);
}

/* Returns the kind of QP (enum nic_kind) for which 'frame' is. */
static uint8_t
kind_of(const struct sim_frame *frame)
{
    return !frame->opcode            ? NIC_RAW
           : nic_has_segment(frame)  ? NIC_TCP
           : nic_has_datagram(frame) ? NIC_SRD
                                     : NIC_RC;
}

void
nic_deliver__(struct nic *nic, uint32_t index)
{
    const struct sim_frame *frame = frame_at(nic->pool, index);
    const uint32_t number = frame->flow;

    nic->stats.received_packets++;
    nic->stats.received_bytes += frame->length_bytes;
    if (number >= nic->n_qps || nic->qps[number].kind != kind_of(frame)) {
        nic->stats.unknown_packets++;
        frame_give(nic->pool, index);
    } else if (frame->transport_flags & SIM_CUT) {
        nic->stats.trimmed_packets++;
        if (nic->qps[number].kind == NIC_RC) {
            deliver_trimmed(nic, number, index);
        } else {
            frame_give(nic->pool, index);
        }
    } else if (nic->qps[number].kind == NIC_RC) {
        deliver_rc(nic, number, index);
    } else if (nic->qps[number].kind == NIC_TCP) {
        nic_deliver_tcp__(nic, number, index);
    } else if (nic->qps[number].kind == NIC_SRD) {
        nic_deliver_srd__(nic, number, index);
    } else {
        nic_note_received__(nic, number, frame->length_bytes,
                            frame->ecn == NIC_ECN_CE, true,
                            engine_now_ps(nic->engine));
        frame_give(nic->pool, index);
    }
    nic_kick__(nic);
}

/* Timers ----------------------------------------------------------------- */

static int64_t
deadline_of(const struct qp *qp)
{
    return qp->kind == NIC_TCP   ? tcp_deadline_ps(qp->tcp)
           : qp->kind == NIC_SRD ? srd_deadline_ps(qp->srd)
                                 : rc_deadline_ps(qp->rc);
}

void
nic_watch__(struct nic *nic, uint32_t number)
{
    struct qp *qp = &nic->qps[number];
    const int64_t deadline_ps = deadline_of(qp);

    if (deadline_ps < qp->timer_ps) {
        qp->timer_ps = deadline_ps;
        engine_post(nic->engine, deadline_ps, EVENT_TIMER_RETRY, nic->entity,
                    number);
    }
}

void
nic_handle_retry(struct frame_pool *pool, uint32_t entity, uint32_t number)
{
    struct nic *nic = frame_pool_place(pool, entity);
    struct rc_actions actions;

    if (!nic || number >= nic->n_qps ||
        nic->qps[number].timer_ps != engine_now_ps(nic->engine)) {
        return;
    }
    nic->qps[number].timer_ps = EVENT_NEVER;
    if (deadline_of(&nic->qps[number]) > engine_now_ps(nic->engine)) {
        nic_watch__(nic, number);
        return;
    }
    if (nic->qps[number].kind == NIC_TCP) {
        nic_expire_tcp__(nic, number);
    } else if (nic->qps[number].kind == NIC_SRD) {
        nic_expire_srd__(nic, number);
    } else {
        rc_timeout(nic->qps[number].rc, engine_now_ps(nic->engine), &actions);
        act(nic, number, &actions);
        nic_kick__(nic);
    }
    nic_watch__(nic, number);
}

/* Posting ---------------------------------------------------------------- */

enum st
nic_post(struct nic *nic, uint32_t qp, const struct rc_request *request)
{
    struct rc_request posted;
    enum st status;

    if (nic->qps[qp].kind == NIC_TCP) {
        return nic_post_tcp__(nic, qp, request);
    }
    if (nic->qps[qp].kind == NIC_SRD || nic->qps[qp].kind == NIC_MESSAGES) {
        return nic_post_srd__(nic, qp, request);
    }
    posted = *request;
    posted.posted_ps = engine_now_ps(nic->engine);
    status = rc_post_send(nic->qps[qp].rc, &posted);
    if (status == ST_OK) {
        nic_complete__(nic, qp); /* In the error state it is flushed at once. */
        nic_ready__(nic, qp);
        nic_kick__(nic);
    }
    return status;
}

enum st
nic_post_receive(struct nic *nic, uint32_t qp, uint64_t id,
                 uint32_t length_bytes)
{
    return rc_post_receive(nic->qps[qp].rc, id, length_bytes);
}
