/* SPDX-License-Identifier: Apache-2.0 */

/* A queue pair as a whole: its memory, its queues and its end. */

#include <config.h>

#include "twin/transport/rc_state.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/line_pool.h"

enum { ALIGNMENT = 64 };

static size_t
round_up(size_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

/* The parts of the block of a queue pair, in this order. */
struct layout {
    size_t send_ring;
    size_t receive_ring;
    size_t reads;
    size_t bits;
    size_t held;
    size_t registered;
    size_t end;
};

static struct layout
layout_of(const struct rc_config *config)
{
    const size_t window =
        config->recovery == RC_SELECTIVE ? config->reorder_packets : 0;
    struct layout layout;

    layout.send_ring = round_up(sizeof(struct rc));
    layout.receive_ring =
        layout.send_ring + round_up(config->send_depth * sizeof(struct rc_wqe));
    layout.reads =
        layout.receive_ring +
        round_up(config->receive_depth * sizeof(struct rc_receive_wqe));
    layout.bits =
        layout.reads + round_up(config->max_reads * sizeof(struct rc_read));
    layout.held = layout.bits + round_up(window / 8 * 2);
    layout.registered = layout.held + round_up(window * sizeof(struct rc_held));
    layout.end = layout.registered;
    if (config->regions) {
        layout.end += round_up(config->send_depth * sizeof(struct region));
    }
    return layout;
}

struct rc *
rc_create(struct line_pool *memory, const struct rc_config *config,
          uint32_t peer_qp, uint32_t send_psn, uint32_t receive_psn)
{
    const struct layout layout = layout_of(config);
    char *block = memory ? line_pool_take(memory, layout.end)
                         : aligned_alloc(ALIGNMENT, layout.end);
    struct rc *rc = (struct rc *)(void *)block;

    orch_assert(block && layout.end <= UINT32_MAX);
    memset(block, 0, layout.end);
    rc->memory = memory;
    rc->block_bytes = (uint32_t)layout.end;
    rc->sender = (struct rc_sender){
        .config = config,
        .ring = (struct rc_wqe *)(void *)(block + layout.send_ring),
        .una_psn = send_psn,
        .next_psn = send_psn,
        .high_psn = send_psn,
        .end_psn = send_psn,
        .hole_psn = send_psn,
        .hole_end_psn = send_psn,
        .deadline_ps = INT64_MAX,
        .peer_qp = peer_qp,
    };
    rc->receiver.expected_psn = receive_psn;
    rc->cold.acked_psn = send_psn;
    if (config->receive_depth > 0) {
        rc->receives.ring =
            (struct rc_receive_wqe *)(void *)(block + layout.receive_ring);
    }
    if (config->max_reads > 0) {
        rc->cold.reads = (struct rc_read *)(void *)(block + layout.reads);
    }
    if (config->recovery == RC_SELECTIVE) {
        rc->cold.sacked = (uint64_t *)(void *)(block + layout.bits);
        rc->cold.held = rc->cold.sacked + config->reorder_packets / 64;
        rc->cold.packets = (struct rc_held *)(void *)(block + layout.held);
    }
    if (config->regions) {
        rc->cold.registered =
            (struct region *)(void *)(block + layout.registered);
    }
    return rc;
}

void
rc_destroy(struct rc *rc)
{
    if (rc && rc->memory) {
        line_pool_give(rc->memory, rc, rc->block_bytes);
    } else {
        free(rc);
    }
}

enum rc_next
rc_next(struct rc *rc, int64_t now_ps, struct transport_packet *packet,
        int64_t *when_ps)
{
    if (rc_next_response(rc, packet) == RC_PACKET) {
        return RC_PACKET;
    }
    return rc_next_request(rc, now_ps, packet, when_ps);
}

void
rc_receive(struct rc *rc, const struct transport_packet *packet, int64_t now_ps,
           struct rc_actions *actions)
{
    *actions = (struct rc_actions){0};
    if (rc->sender.state == RC_ERROR) {
        return;
    }
    if (transport_is_request(packet->opcode)) {
        rc_receive_request__(rc, packet, actions);
    } else if (packet->opcode == TRANSPORT_ACK) {
        rc_receive_ack__(rc, packet, now_ps, actions);
    } else if (transport_is_read_response(packet->opcode)) {
        rc_receive_read__(rc, packet, now_ps, actions);
    }
}

enum st
rc_post_receive(struct rc *rc, uint64_t id, uint32_t length_bytes)
{
    struct rc_receives *receives = &rc->receives;
    const uint32_t depth = rc->sender.config->receive_depth;

    if (receives->tail - receives->head == depth) {
        return ST_NO_RESOURCE;
    }
    receives->ring[receives->tail++ & (depth - 1)] = (struct rc_receive_wqe){
        .id = id, .length_bytes = length_bytes, .status = RC_STATUS_FLUSHED};
    if (rc->sender.state == RC_ERROR) {
        receives->next = receives->tail;
    }
    return ST_OK;
}

/* Takes the oldest completion of the send queue. */
static void
poll_send(struct rc *rc, struct rc_completion *completion)
{
    const struct rc_wqe *wqe = rc_wqe(&rc->sender, rc->sender.head++);

    *completion = (struct rc_completion){
        .id = wqe->id,
        .bytes = wqe->status == RC_STATUS_OK ? wqe->length_bytes : 0,
        .status = wqe->status,
        .operation = wqe->operation,
    };
}

/* The same of the receive queue. */
static void
poll_receive(struct rc *rc, struct rc_completion *completion)
{
    const uint32_t mask = rc->sender.config->receive_depth - 1;
    const struct rc_receive_wqe *wqe =
        &rc->receives.ring[rc->receives.head++ & mask];

    *completion = (struct rc_completion){
        .id = wqe->id,
        .bytes = wqe->bytes,
        .immediate = wqe->immediate,
        .status = wqe->status,
        .operation = wqe->operation,
        .is_receive = true,
    };
}

bool
rc_poll(struct rc *rc, struct rc_completion *completion)
{
    if (rc->sender.head != rc->sender.una) {
        poll_send(rc, completion);
        return true;
    }
    if (rc->receives.head != rc->receives.next) {
        poll_receive(rc, completion);
        return true;
    }
    return false;
}

void
rc_fail__(struct rc *rc, uint32_t psn, enum rc_status status,
          struct rc_actions *actions)
{
    struct rc_sender *sender = &rc->sender;
    const struct rc_wqe *last = rc_wqe(sender, sender->tail - 1);
    const bool was_error = sender->state == RC_ERROR;

    for (; sender->una != sender->tail; sender->una++) {
        struct rc_wqe *wqe = rc_wqe(sender, sender->una);

        if (psn_minus(psn, wqe->first_psn) >= 0 &&
            psn_minus(psn, wqe->last_psn) <= 0) {
            wqe->status = (uint8_t)status;
        }
    }
    sender->state = RC_ERROR;
    sender->deadline_ps = INT64_MAX;
    sender->una_psn = sender->end_psn;
    sender->high_psn = sender->end_psn;
    sender->hole_psn = sender->end_psn;
    sender->hole_end_psn = sender->end_psn;
    sender->una_bytes = last->start_bytes + last->length_bytes;
    rc_load_una__(sender);
    rc_seek__(sender, sender->end_psn);

    rc->receiver.n_reads = 0;
    rc->receiver.due &= RC_DUE_NAK;
    rc->receiver.message = RC_MESSAGE_NONE;
    rc->receives.next = rc->receives.tail;
    if (actions) {
        actions->error = !was_error;
        actions->send = rc->receiver.due != 0;
        actions->completion = sender->head != sender->una ||
                              rc->receives.head != rc->receives.next;
    }
}

void
rc_fail(struct rc *rc, struct rc_actions *actions)
{
    *actions = (struct rc_actions){0};
    rc_fail__(rc, rc->sender.una_psn, RC_STATUS_FLUSHED, actions);
}

enum rc_state
rc_state(const struct rc *rc)
{
    return rc->sender.state;
}

const struct rc_counters *
rc_counters(const struct rc *rc)
{
    return &rc->cold.counters;
}

uint64_t
rc_in_flight_bytes(const struct rc *rc)
{
    return rc->sender.next_bytes - rc->sender.una_bytes;
}

const char *
rc_status_name(enum rc_status status)
{
    static const char *const names[] = {
        [RC_STATUS_OK] = "ok",
        [RC_STATUS_FLUSHED] = "flushed",
        [RC_STATUS_RETRY_EXCEEDED] = "retry-exceeded",
        [RC_STATUS_RNR_EXCEEDED] = "rnr-exceeded",
        [RC_STATUS_REMOTE_INVALID] = "remote-invalid",
        [RC_STATUS_REMOTE_ACCESS] = "remote-access",
        [RC_STATUS_LOCAL_LENGTH] = "local-length",
        [RC_STATUS_BAD_RESPONSE] = "bad-response",
    };

    return names[status];
}
