/* SPDX-License-Identifier: Apache-2.0 */

/* Which frame an adapter sends next, and when. */

#include <config.h>

#include <stdlib.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "twin/nic/nic_state.h"

enum { FIRST_ROOM = 4 };

/* Answers ---------------------------------------------------------------- */

static void
ring_add(struct frame_ring *ring, uint32_t frame)
{
    if (ring->n == ring->room) {
        const uint32_t room = ring->room ? 2 * ring->room : FIRST_ROOM;
        uint32_t *frames = check_malloc(room * sizeof *frames);

        for (uint32_t i = 0; i < ring->n; i++) {
            frames[i] = ring->frames[(ring->first + i) & (ring->room - 1)];
        }
        free(ring->frames);
        ring->frames = frames;
        ring->room = room;
        ring->first = 0;
    }
    ring->frames[(ring->first + ring->n++) & (ring->room - 1)] = frame;
}

static uint32_t
ring_take(struct frame_ring *ring)
{
    const uint32_t frame = ring->frames[ring->first];

    ring->first = (ring->first + 1) & (ring->room - 1);
    ring->n--;
    return frame;
}

void
nic_answer__(struct nic *nic, enum answer kind, uint32_t frame)
{
    nic->n_answers++;
    ring_add(&nic->answers[kind], frame);
}

/* Returns the priority of the first answer of 'kind', which exists. */
static uint8_t
answer_priority(const struct nic *nic, enum answer kind)
{
    const struct frame_ring *ring = &nic->answers[kind];
    const struct sim_frame *frame;

    switch (kind) {
    case ANSWER_CNP:
        return nic->config.cnp_priority;
    case ANSWER_ACK:
        return nic->config.ack_priority;
    default:
        frame = frame_at(nic->pool, ring->frames[ring->first]);
        return nic->config.rx_priorities[frame->dscp];
    }
}

static bool
has_answer(const struct nic *nic, enum answer kind)
{
    return nic->answers[kind].n &&
           !(nic->paused >> answer_priority(nic, kind) & 1);
}

/* Returns an answer that may be sent, or FRAME_NONE. */
static uint32_t
take_answer(struct nic *nic)
{
    for (int kind = N_ANSWERS - 1; nic->n_answers && kind >= 0; kind--) {
        if (has_answer(nic, (enum answer)kind)) {
            nic->n_answers--;
            return ring_take(&nic->answers[kind]);
        }
    }
    return FRAME_NONE;
}

/* Queue pairs ------------------------------------------------------------ */

/* Puts QP 'number' at the end of the ring of its priority, or at its head. */
static void
enter_ring(struct nic *nic, uint32_t number, bool at_head)
{
    struct qp *qp = &nic->qps[number];
    const uint8_t slot = nic_ring__(nic, qp->priority);
    struct qp_ring *ring = &nic->rings[slot];

    qp->place = QP_READY;
    if (!(nic->ready >> slot & 1)) {
        *ring = (struct qp_ring){number, number};
        qp->next = NIC_NONE;
    } else if (at_head) {
        qp->next = ring->first;
        ring->first = number;
    } else {
        nic->qps[ring->last].next = number;
        ring->last = number;
        qp->next = NIC_NONE;
    }
    nic->ready |= (uint8_t)(1u << slot);
}

/* Takes the first QP out of ring 'slot'. */
static uint32_t
leave_ring(struct nic *nic, uint8_t slot)
{
    struct qp_ring *ring = &nic->rings[slot];
    const uint32_t number = ring->first;

    ring->first = nic->qps[number].next;
    if (ring->first == NIC_NONE) {
        nic->ready &= (uint8_t) ~(1u << slot);
    }
    return number;
}

/* Puts QP 'number', which is in no place, where it belongs. */
static void
place(struct nic *nic, uint32_t number, int64_t now_ps)
{
    struct qp *qp = &nic->qps[number];
    int64_t when_ps = now_ps;

    qp->place = QP_IDLE;
    qp->waits = false;
    switch (nic_peek__(nic, qp, &when_ps)) {
    case RC_PACKET:
        /* In the shared FIFO a QP waits for its pacer at the head. */
        when_ps = nic->shared_fifo ? now_ps : qp->pacer.eligible_ps;
        break;
    case RC_WAIT:
        qp->waits = nic->shared_fifo || when_ps > qp->pacer.eligible_ps;
        when_ps = qp->waits ? when_ps : qp->pacer.eligible_ps;
        break;
    default:
        nic_end_burst__(nic, qp);
        return;
    }
    if (when_ps > now_ps) {
        qp->place = QP_WAITING;
        ready_add(&nic->heap, when_ps, number);
    } else {
        enter_ring(nic, number, qp->pacer.burst_packets > 0);
    }
}

void
nic_ready__(struct nic *nic, uint32_t number)
{
    struct qp *qp = &nic->qps[number];

    if (qp->place == QP_WAITING && qp->waits) {
        ready_remove(&nic->heap, number);
        qp->place = QP_IDLE;
    }
    if (qp->place == QP_IDLE) {
        place(nic, number, engine_now_ps(nic->engine));
    }
}

void
nic_sort_again__(struct nic *nic, bool shared_fifo)
{
    nic->ready = 0;
    ready_clear(&nic->heap);
    nic->shared_fifo = shared_fifo;
    for (uint32_t i = 0; i < nic->n_qps; i++) {
        place(nic, i, engine_now_ps(nic->engine));
    }
}

/* Returns the priority of 'mask' (not 0) that sends next. */
static uint8_t
choose_priority(const struct nic *nic, uint8_t mask)
{
    const uint8_t strict = mask & nic->config.strict_priorities;
    const uint8_t later = mask & (uint8_t)(0xfe << nic->last_priority);

    return strict ? (uint8_t)(31 - __builtin_clz(strict))
                  : (uint8_t)__builtin_ctz(later ? later : mask);
}

/* Returns when the first QP of the shared FIFO may send: INT64_MAX if the FIFO
 * is empty, or while the priority of that QP is paused. */
static int64_t
fifo_first_ps(const struct nic *nic)
{
    const struct qp *first;

    if (!nic->ready) {
        return INT64_MAX;
    }
    first = &nic->qps[nic->rings[0].first];
    return nic->paused >> first->priority & 1 ? INT64_MAX
                                              : first->pacer.eligible_ps;
}

/* Returns the next frame out of the shared FIFO, or FRAME_NONE. */
static __attribute__((noinline)) uint32_t
take_shared(struct nic *nic, int64_t now_ps)
{
    uint32_t frame = FRAME_NONE;

    while (frame == FRAME_NONE && fifo_first_ps(nic) <= now_ps) {
        const uint32_t number = leave_ring(nic, 0);

        frame = nic_next__(nic, number);
        place(nic, number, now_ps);
    }
    return frame;
}

/* Returns the next frame of a QP, or FRAME_NONE. */
static uint32_t
take_data(struct nic *nic, int64_t now_ps)
{
    uint32_t frame = FRAME_NONE;
    uint8_t mask;

    while (ready_first_ps(&nic->heap) <= now_ps) {
        enter_ring(nic, ready_take(&nic->heap), false);
    }
    if (nic->shared_fifo) {
        return take_shared(nic, now_ps);
    }
    while (frame == FRAME_NONE &&
           (mask = nic->ready & (uint8_t)~nic->paused) != 0) {
        const uint8_t priority = choose_priority(nic, mask);
        const uint32_t number = leave_ring(nic, priority);

        frame = nic_next__(nic, number);
        if (frame != FRAME_NONE) {
            nic->last_priority = priority;
        }
        place(nic, number, now_ps);
    }
    return frame;
}

/* The wire --------------------------------------------------------------- */

static int64_t
wire_ps(const struct nic *nic, uint32_t length_bytes)
{
    return nic->ps_per_byte
               ? (int64_t)(length_bytes + ETHERNET_WIRE_OVERHEAD_BYTES) *
                     nic->ps_per_byte
               : frame_step_ps(
                     frame_wire_ps(length_bytes, nic->config.speed_mbps),
                     nic->config.time_step_ps);
}

/* Puts frame 'index' on the wire. */
static void
start(struct nic *nic, uint32_t index, int64_t now_ps)
{
    struct sim_frame *frame = frame_at(nic->pool, index);
    int64_t left_ps;

    nic->busy_until_ps = now_ps + wire_ps(nic, frame->length_bytes);
    if (!frame->opcode) {
        frame->sent_ps = now_ps;
    }
    left_ps = wire_send(nic->out_wire, nic->engine, nic->pool, index,
                        nic->busy_until_ps);
    if (left_ps < 0) {
        frame_give(nic->pool, index);
    } else {
        nic->busy_until_ps = left_ps;
    }
}

/* Returns the frame that is sent now, or FRAME_NONE. */
static uint32_t
choose(struct nic *nic, int64_t now_ps)
{
    uint32_t frame;

    if (nic->pause_due) {
        return nic_pause_take__(nic);
    }
    if (nic->is_held) {
        return FRAME_NONE;
    }
    frame = nic->n_answers ? take_answer(nic) : FRAME_NONE;
    if (frame == FRAME_NONE) {
        frame = take_data(nic, now_ps);
    }
    if (frame != FRAME_NONE) {
        nic->stats.sent_packets++;
        nic->stats.sent_bytes += frame_at(nic->pool, frame)->length_bytes;
    }
    return frame;
}

/* Returns when the next QP may become ready by the clock. */
static int64_t
next_ready_ps(const struct nic *nic)
{
    const int64_t heap_ps = ready_first_ps(&nic->heap);
    const int64_t fifo_ps = nic->shared_fifo ? fifo_first_ps(nic) : INT64_MAX;

    return fifo_ps < heap_ps ? fifo_ps : heap_ps;
}

/* Posts the events at which to look again. */
static void
plan(struct nic *nic, int64_t now_ps)
{
    const int64_t first_ps = next_ready_ps(nic);

    if (nic->is_held && !nic->pause_due) {
        return;
    }
    if (now_ps < nic->busy_until_ps &&
        (first_ps <= nic->busy_until_ps || nic->pause_due ||
         (!nic->shared_fifo && (nic->ready & ~nic->paused) != 0) ||
         (nic->n_answers &&
          (has_answer(nic, ANSWER_ACK) || has_answer(nic, ANSWER_CNP) ||
           has_answer(nic, ANSWER_TCP))))) {
        if (nic->end_event_ps != nic->busy_until_ps) {
            nic->end_event_ps = nic->busy_until_ps;
            engine_post(nic->engine, nic->busy_until_ps, EVENT_NIC_TX_END,
                        nic->entity, 0);
        }
    } else if (first_ps < nic->wake_event_ps) {
        nic->wake_event_ps = first_ps;
        engine_post(nic->engine, first_ps, EVENT_NIC_WAKE, nic->entity, 0);
    }
}

/* Starts the next frame on the free wire. */
static void
transmit(struct nic *nic, int64_t now_ps)
{
    const uint32_t frame = choose(nic, now_ps);

    if (frame != FRAME_NONE) {
        start(nic, frame, now_ps);
    }
    plan(nic, now_ps);
}

void
nic_kick__(struct nic *nic)
{
    const int64_t now_ps = engine_now_ps(nic->engine);

    if (!nic->out_wire) {
        return;
    }
    if (now_ps < nic->busy_until_ps) {
        plan(nic, now_ps);
    } else {
        transmit(nic, now_ps);
    }
}

void
nic_hold(struct nic *nic, bool is_held)
{
    nic->is_held = is_held;
    if (!is_held) {
        nic_kick__(nic);
    }
}

void
nic_kick_after_pause__(struct nic *nic)
{
    const int64_t now_ps = engine_now_ps(nic->engine);

    if (nic->out_wire && now_ps == nic->busy_until_ps) {
        /* Pauses come before the ends of transmissions: a frame that ends now
         * is still on the wire. */
        if (nic->end_event_ps != now_ps) {
            nic->end_event_ps = now_ps;
            engine_post(nic->engine, now_ps, EVENT_NIC_TX_END, nic->entity, 0);
        }
    } else {
        nic_kick__(nic);
    }
}

void
nic_handle_tx_end(struct frame_pool *pool, uint32_t entity)
{
    struct nic *nic = frame_pool_place(pool, entity);

    if (nic && engine_now_ps(nic->engine) == nic->end_event_ps) {
        nic->end_event_ps = EVENT_NEVER;
        transmit(nic, engine_now_ps(nic->engine));
    }
}

void
nic_handle_wake(struct frame_pool *pool, uint32_t entity)
{
    struct nic *nic = frame_pool_place(pool, entity);

    if (nic && engine_now_ps(nic->engine) == nic->wake_event_ps) {
        nic->wake_event_ps = EVENT_NEVER;
        nic_kick__(nic);
    }
}

void
nic_join(struct nic *nic, struct wire *out, struct wire *in)
{
    orch_assert(engine_now_ps(nic->engine) >= nic->busy_until_ps);
    nic->out_wire = out;
    nic->in_wire = in;
    nic_kick__(nic);
}

/* Gives back the frames of 'ring' and frees it. */
static void
ring_fini(struct nic *nic, struct frame_ring *ring)
{
    while (ring->n) {
        frame_give(nic->pool, ring_take(ring));
    }
    free(ring->frames);
}

void
nic_send_fini__(struct nic *nic)
{
    for (int kind = 0; kind < N_ANSWERS; kind++) {
        ring_fini(nic, &nic->answers[kind]);
    }
    ready_fini(&nic->heap);
}
