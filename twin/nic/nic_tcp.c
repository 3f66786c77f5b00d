/* SPDX-License-Identifier: Apache-2.0 */

/* QPs that are ends of TCP connections: their segments as frames, and back;
 * what to send next, what a segment does, timers.
 *
 * The stack of a host is not the adapter's: it has no contexts there, and its
 * acknowledgements have the class of the data.  A segment with SACK blocks
 * carries them behind headers of its own, as in nic_frame.c.
 *
 * What the switches over kinds call here is never inlined there, so that it
 * does not make the other kinds slower. */

#include <config.h>

#include <string.h>

#include "base/check.h"
#include "twin/nic/nic_state.h"

enum {
    HEADERS_BYTES = 14 + 20 + TCP_HEADER_BYTES,
    LEAST_BYTES = 60, /* Of a frame without FCS. */
    OPTION_BYTES = 4, /* Kind, length, and two of padding. */
    RANGE_BYTES = 8,  /* A SACK block. */
    ECT_0 = 2,
};

/* Bits of 'transport_flags'. */
enum {
    FLAG_PUSH = 1 << 0,
    FLAG_ECE = 1 << 1,
    FLAG_CWR = 1 << 2,
    FLAG_RETRANSMIT = 1 << 3,
    FLAG_SACKS = 1 << 4,
};

struct extension {
    uint32_t n;
    struct tcp_range ranges[TCP_MAX_SACKS];
};

/* Frames ------------------------------------------------------------------- */

/* Returns the headers of 'qp' with the SACK blocks of 'segment'. */
static struct sim_payload *
extend(const struct qp *qp, const struct tcp_segment *segment)
{
    struct extension extension = {.n = segment->n_sacks};

    memcpy(extension.ranges, segment->sacks, sizeof extension.ranges);
    return nic_extend(qp->headers, &extension, sizeof extension);
}

static uint32_t
frame_bytes(const struct tcp_segment *segment)
{
    const int options =
        segment->n_sacks ? OPTION_BYTES + RANGE_BYTES * segment->n_sacks : 0;
    const int bytes = HEADERS_BYTES + options + segment->payload_bytes;

    return (uint32_t)(bytes < LEAST_BYTES ? LEAST_BYTES : bytes);
}

/* Returns a new frame with 'segment' of 'qp'. */
static uint32_t
make_frame(struct nic *nic, const struct qp *qp,
           const struct tcp_segment *segment)
{
    const uint32_t index = frame_take(nic->pool);
    struct sim_frame *frame = frame_at(nic->pool, index);

    *frame = qp->frame;
    frame->sequence = segment->sequence;
    frame->length_bytes = frame_bytes(segment);
    frame->ecn = segment->ect ? ECT_0 : 0;
    frame->opcode = TRANSPORT_TCP + 1;
    frame->transport_bytes = segment->payload_bytes;
    frame->aeth = segment->acknowledgement;
    frame->transport_flags =
        (uint8_t)((segment->push ? FLAG_PUSH : 0) |
                  (segment->ece ? FLAG_ECE : 0) |
                  (segment->cwr ? FLAG_CWR : 0) |
                  (segment->retransmit ? FLAG_RETRANSMIT : 0) |
                  (segment->n_sacks ? FLAG_SACKS : 0));
    if (segment->n_sacks) {
        frame->payload = extend(qp, segment);
        frame->borrows = false;
    }
    return index;
}

void
nic_read_segment(const struct sim_frame *frame, struct tcp_segment *segment)
{
    struct extension extension = {.n = 0};

    if (frame->transport_flags & FLAG_SACKS) {
        memcpy(&extension, frame->payload->bytes, sizeof extension);
    }
    *segment = (struct tcp_segment){
        .sequence = frame->sequence,
        .acknowledgement = frame->aeth,
        .payload_bytes = frame->transport_bytes,
        .push = frame->transport_flags & FLAG_PUSH,
        .ece = frame->transport_flags & FLAG_ECE,
        .cwr = frame->transport_flags & FLAG_CWR,
        .ect = frame->ecn != 0,
        .ce = frame->ecn == NIC_ECN_CE,
        .retransmit = frame->transport_flags & FLAG_RETRANSMIT,
        .n_sacks = (uint8_t)extension.n,
    };
    memcpy(segment->sacks, extension.ranges, sizeof segment->sacks);
}

/* Sending ------------------------------------------------------------------ */

__attribute__((noinline)) bool
nic_peek_tcp__(const struct qp *qp)
{
    return tcp_peek(qp->tcp);
}

__attribute__((noinline)) uint32_t
nic_next_tcp__(struct nic *nic, uint32_t number)
{
    struct qp *qp = &nic->qps[number];
    struct tcp_segment segment;
    uint32_t index;

    if (!tcp_next(qp->tcp, engine_now_ps(nic->engine), &segment)) {
        return FRAME_NONE;
    }
    index = make_frame(nic, qp, &segment);
    qp->sent.again += segment.retransmit;
    nic_note_sent__(nic, qp, frame_at(nic->pool, index)->length_bytes,
                    segment.payload_bytes);
    nic_watch__(nic, number);
    return index;
}

/* Does what the connection of QP 'number' wants after 'actions'. */
static void
follow(struct nic *nic, uint32_t number, const struct tcp_actions *actions)
{
    struct qp *qp = &nic->qps[number];
    struct tcp_segment segment;

    while (tcp_next_ack(qp->tcp, &segment)) {
        nic->stats.acks_sent++;
        nic_answer__(nic, ANSWER_TCP, make_frame(nic, qp, &segment));
    }
    if (actions->completion) {
        nic_complete__(nic, number);
    }
    if (actions->send) {
        nic_ready__(nic, number);
    }
    nic_watch__(nic, number);
}

__attribute__((noinline)) bool
nic_poll_tcp__(struct tcp *tcp, struct rc_completion *completion)
{
    struct tcp_completion from;

    if (!tcp_poll(tcp, &from)) {
        return false;
    }
    *completion = (struct rc_completion){.id = from.id,
                                         .bytes = (uint32_t)from.bytes,
                                         .status = RC_STATUS_OK,
                                         .operation = RC_SEND,
                                         .is_receive = from.is_receive};
    return true;
}

enum st
nic_post_tcp__(struct nic *nic, uint32_t number,
               const struct rc_request *request)
{
    enum st status;

    if (request->operation != RC_SEND) {
        return ST_INVALID;
    }
    status = tcp_post(nic->qps[number].tcp, request->id, request->length_bytes);
    if (status == ST_OK) {
        nic_ready__(nic, number);
        nic_kick__(nic);
    }
    return status;
}

/* Receiving ---------------------------------------------------------------- */

__attribute__((noinline)) void
nic_deliver_tcp__(struct nic *nic, uint32_t number, uint32_t index)
{
    const int64_t now_ps = engine_now_ps(nic->engine);
    struct qp *qp = &nic->qps[number];
    struct tcp_segment segment;
    struct tcp_actions actions;

    nic_read_segment(frame_at(nic->pool, index), &segment);
    frame_give(nic->pool, index);
    tcp_receive(qp->tcp, &segment, now_ps, &actions);
    if (segment.payload_bytes) {
        nic_note_received__(nic, number, actions.delivered_bytes, segment.ce,
                            actions.delivered_bytes > 0, now_ps);
    }
    follow(nic, number, &actions);
}

__attribute__((noinline)) void
nic_expire_tcp__(struct nic *nic, uint32_t number)
{
    struct tcp_actions actions;

    tcp_timeout(nic->qps[number].tcp, engine_now_ps(nic->engine), &actions);
    follow(nic, number, &actions);
    nic_kick__(nic);
}

const struct tcp *
nic_tcp(const struct nic *nic, uint32_t qp)
{
    return nic->qps[qp].tcp;
}
