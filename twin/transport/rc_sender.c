/* SPDX-License-Identifier: Apache-2.0 */

/* The requester's side of a queue pair: which packet is next. */

#include <config.h>

#include "twin/transport/rc_state.h"

#include <stddef.h>

#include "base/check.h"

uint64_t
rc_bytes_before__(const struct rc_sender *sender, const struct rc_wqe *wqe,
                  uint32_t psn)
{
    const uint64_t bytes =
        (uint64_t)(psn - wqe->first_psn) * sender->config->mtu_bytes;

    return wqe->start_bytes +
           (bytes < wqe->length_bytes ? bytes : wqe->length_bytes);
}

/* Returns the payload of the last packet of 'wqe'. */
static uint32_t
last_bytes(const struct rc_sender *sender, const struct rc_wqe *wqe)
{
    return wqe->length_bytes -
           (wqe->last_psn - wqe->first_psn) * sender->config->mtu_bytes;
}

/* Updates the copies of the request at 'next'. */
static void
load_next(struct rc_sender *sender)
{
    if (sender->next != sender->tail) {
        const struct rc_wqe *wqe = rc_wqe(sender, sender->next);

        sender->next_first_psn = wqe->first_psn;
        sender->next_last_psn = wqe->last_psn;
        sender->next_last_bytes = last_bytes(sender, wqe);
        sender->next_operation = wqe->operation;
    }
}

void
rc_load_una__(struct rc_sender *sender)
{
    sender->una_is_read = false;
    if (sender->una != sender->tail) {
        const struct rc_wqe *wqe = rc_wqe(sender, sender->una);

        sender->una_last_psn = wqe->last_psn;
        sender->una_is_read = rc_is_read(wqe);
    }
}

void
rc_seek__(struct rc_sender *sender, uint32_t psn)
{
    const struct rc_wqe *wqe = NULL;

    sender->next = sender->una;
    sender->reads = 0;
    while (sender->next != sender->tail) {
        wqe = rc_wqe(sender, sender->next);
        if (psn_minus(psn, wqe->last_psn) <= 0) {
            break;
        }
        sender->reads = (uint8_t)(sender->reads + rc_is_read(wqe));
        sender->next++;
    }
    sender->next_psn = psn;
    sender->next_bytes =
        wqe ? rc_bytes_before__(sender, wqe, psn) : sender->una_bytes;
    load_next(sender);
}

/* Returns where the region is that the request at 'index' registers. */
static struct region *
registered_by(const struct rc *rc, uint32_t index)
{
    return &rc->cold.registered[index & (rc->sender.config->send_depth - 1)];
}

/* Begins the registration of 'wqe' at 'now_ps', behind earlier ones. */
static void
begin_registration(struct rc *rc, struct rc_wqe *wqe, int64_t now_ps)
{
    const int64_t start_ps =
        rc->cold.registered_ps > now_ps ? rc->cold.registered_ps : now_ps;

    wqe->ready_ps = start_ps + rc->sender.config->registration_ps;
    rc->cold.registered_ps = wqe->ready_ps;
}

void
rc_lift_fence__(struct rc *rc, int64_t now_ps)
{
    struct rc_sender *sender = &rc->sender;

    if (sender->config->registration_fence && sender->una != sender->tail &&
        rc_wqe(sender, sender->una)->ready_ps == INT64_MAX) {
        begin_registration(rc, rc_wqe(sender, sender->una), now_ps);
    }
}

enum st
rc_post_send(struct rc *rc, const struct rc_request *request)
{
    struct rc_sender *sender = &rc->sender;
    const struct rc_wqe *before = rc_wqe(sender, sender->tail - 1);
    const uint32_t n_packets =
        rc_packets(sender->config, request->length_bytes);
    struct rc_wqe *wqe = rc_wqe(sender, sender->tail);

    if (request->operation >= RC_N_OPERATIONS ||
        request->fence > RC_FENCE_ALL ||
        (request->registers && region_wraps(&request->region)) ||
        request->length_bytes > UINT32_C(1) << 31 ||
        n_packets > RC_MAX_MESSAGE_PACKETS ||
        (request->operation == RC_READ && sender->config->max_reads == 0)) {
        return ST_INVALID;
    }
    if (sender->tail - sender->head == sender->config->send_depth) {
        return ST_NO_RESOURCE;
    }
    *wqe = (struct rc_wqe){
        .id = request->id,
        .remote_address = request->remote_address,
        .start_bytes = before->start_bytes + before->length_bytes,
        .rkey = request->rkey,
        .length_bytes = request->length_bytes,
        .immediate = request->immediate,
        .first_psn = sender->end_psn,
        .last_psn = sender->end_psn + n_packets - 1,
        .operation = request->operation,
        .fence = request->fence,
        .status = RC_STATUS_FLUSHED,
    };
    if (request->registers && rc->cold.registered) {
        wqe->registers = true;
        *registered_by(rc, sender->tail) = request->region;
    }
    if (request->registers && sender->config->registration_fence &&
        sender->una != sender->tail) {
        wqe->ready_ps = INT64_MAX;
    } else if (request->registers) {
        begin_registration(rc, wqe, request->posted_ps);
    }
    sender->end_psn += n_packets;
    sender->tail++;
    if (sender->state == RC_ERROR) {
        rc_fail__(rc, sender->una_psn, RC_STATUS_FLUSHED, NULL);
        return ST_OK;
    }
    if (sender->next == sender->tail - 1) {
        load_next(sender);
    }
    if (sender->una == sender->tail - 1) {
        rc_load_una__(sender);
    }
    return ST_OK;
}

void
rc_fill_request__(const struct rc_sender *sender, const struct rc_wqe *wqe,
                  uint32_t psn, struct transport_packet *packet)
{
    const bool is_first = psn == wqe->first_psn;
    const bool is_last = psn == wqe->last_psn;
    const bool has_immediate = wqe->operation == RC_SEND_IMMEDIATE ||
                               wqe->operation == RC_WRITE_IMMEDIATE;
    const uint8_t base = wqe->operation >= RC_WRITE ? TRANSPORT_WRITE_FIRST
                                                    : TRANSPORT_SEND_FIRST;

    *packet = (struct transport_packet){
        .qp = sender->peer_qp,
        .psn = psn & TRANSPORT_PSN_MASK,
        .ack_request = is_last,
    };
    if (rc_is_read(wqe)) {
        const uint32_t done_bytes =
            (psn - wqe->first_psn) * sender->config->mtu_bytes;

        packet->opcode = TRANSPORT_READ_REQUEST;
        packet->remote_address = wqe->remote_address + done_bytes;
        packet->rkey = wqe->rkey;
        packet->dma_length = wqe->length_bytes - done_bytes;
        packet->ack_request = true;
        return;
    }
    packet->opcode = (uint8_t)(base + (is_first && is_last ? TRANSPORT_SEND_ONLY
                                       : is_first ? TRANSPORT_SEND_FIRST
                                       : is_last  ? TRANSPORT_SEND_LAST
                                                  : TRANSPORT_SEND_MIDDLE));
    packet->payload_bytes = (uint16_t)(is_last ? last_bytes(sender, wqe)
                                               : sender->config->mtu_bytes);
    if (is_last && has_immediate) {
        packet->opcode++;
        packet->immediate = wqe->immediate;
    }
    if (is_last && wqe->operation == RC_SEND_INVALIDATE) {
        packet->opcode = is_first ? TRANSPORT_SEND_ONLY_INVALIDATE
                                  : TRANSPORT_SEND_LAST_INVALIDATE;
        packet->rkey = wqe->rkey;
    }
    if (is_first && wqe->operation >= RC_WRITE) {
        packet->remote_address = wqe->remote_address;
        packet->rkey = wqe->rkey;
        packet->dma_length = wqe->length_bytes;
    }
}

/* Whether the request at 'next' must not start yet: the limit of READs, or its
 * fence. */
static bool
start_is_blocked(const struct rc_sender *sender)
{
    const struct rc_wqe *wqe = rc_wqe(sender, sender->next);

    if (rc_is_read(wqe) && sender->reads >= sender->config->max_reads) {
        return true;
    }
    return wqe->ready_ps == INT64_MAX ||
           (wqe->fence == RC_FENCE_READS && sender->reads > 0) ||
           (wqe->fence == RC_FENCE_ALL && sender->una != sender->next);
}

/* Returns the payload that the next packet puts in flight. */
static uint64_t
next_payload(const struct rc_sender *sender)
{
    const uint32_t mtu_bytes = sender->config->mtu_bytes;
    const uint32_t n_behind = sender->next_last_psn - sender->next_psn;

    if (sender->next_operation == RC_READ) {
        return (uint64_t)n_behind * mtu_bytes + sender->next_last_bytes;
    }
    return n_behind ? mtu_bytes : sender->next_last_bytes;
}

/* Whether there is no new packet, or it must not be sent yet. */
static bool
is_blocked(const struct rc *rc)
{
    const struct rc_sender *sender = &rc->sender;
    const struct rc_config *config = sender->config;
    const bool is_read = sender->next_operation == RC_READ;
    const uint32_t n_outstanding = sender->next_psn - sender->una_psn;
    uint32_t n = 1;

    if (sender->next == sender->tail) {
        return true;
    }
    if ((is_read || sender->next_psn == sender->next_first_psn) &&
        start_is_blocked(sender)) {
        return true;
    }
    if (is_read) {
        n = sender->next_last_psn - sender->next_psn + 1;
    }
    if (n_outstanding > 0 && n_outstanding + n > RC_MAX_OUTSTANDING) {
        return true;
    }
    if (config->recovery == RC_SELECTIVE &&
        sender->next_psn - rc->cold.acked_psn >= config->reorder_packets) {
        return true;
    }
    return config->window_bytes > 0 && n_outstanding > 0 &&
           sender->next_bytes - sender->una_bytes + next_payload(sender) >
               config->window_bytes;
}

/* Moves next_psn behind the packet that is being sent. */
static void
step(struct rc_sender *sender)
{
    sender->next_bytes += next_payload(sender);
    if (sender->next_operation == RC_READ) {
        sender->next_psn = sender->next_last_psn;
        sender->reads++;
    }
    if (sender->next_psn++ == sender->next_last_psn) {
        sender->next++;
        load_next(sender);
    }
    if (psn_minus(sender->next_psn, sender->high_psn) > 0) {
        sender->high_psn = sender->next_psn;
    }
}

/* Starts the timeout, if it is not running. */
static void
start_timeout(struct rc_sender *sender, int64_t now_ps)
{
    const int64_t timeout_ps =
        transport_ack_timeout_ps(sender->config->timeout_exponent);

    if (sender->deadline_ps == INT64_MAX && timeout_ps != INT64_MAX) {
        sender->deadline_ps = now_ps + timeout_ps;
    }
}

/* Makes the key of the request at 'next' valid, whose registration is over. */
static void
end_registration(struct rc *rc, struct rc_wqe *wqe)
{
    const struct region *region = registered_by(rc, rc->sender.next);

    wqe->registers = false;
    orch_assert(regions_replace(rc->sender.config->regions, region) == ST_OK);
}

/* Takes the packet at next_psn. */
static void
take_next(struct rc *rc, struct transport_packet *packet)
{
    struct rc_sender *sender = &rc->sender;
    const uint32_t psn = sender->next_psn;

    if (psn == sender->next_first_psn || psn == sender->next_last_psn ||
        sender->next_operation == RC_READ) {
        struct rc_wqe *wqe = rc_wqe(sender, sender->next);

        if (wqe->registers) {
            end_registration(rc, wqe);
        }
        rc_fill_request__(sender, wqe, psn, packet);
    } else {
        *packet = (struct transport_packet){
            .qp = sender->peer_qp,
            .psn = psn & TRANSPORT_PSN_MASK,
            .payload_bytes = (uint16_t)sender->config->mtu_bytes,
            .opcode = sender->next_operation >= RC_WRITE
                          ? TRANSPORT_WRITE_MIDDLE
                          : TRANSPORT_SEND_MIDDLE,
        };
    }
    if (psn_minus(psn, sender->high_psn) < 0) {
        packet->retransmit = true;
        rc->cold.counters.retransmitted_packets++;
    }
    step(sender);
    /* The last packet before a pause asks for what will end it. */
    if (sender->config->window_bytes > 0 ||
        sender->config->recovery == RC_SELECTIVE) {
        packet->ack_request |= is_blocked(rc);
    }
}

static bool
has_holes(const struct rc_sender *sender)
{
    return psn_minus(sender->hole_end_psn, sender->hole_psn) > 0;
}

/* Takes the next hole; returns false if there is none. */
static bool
take_hole(struct rc *rc, struct transport_packet *packet)
{
    struct rc_sender *sender = &rc->sender;
    const struct rc_wqe *wqe;
    uint32_t psn;

    if (!rc_next_hole__(rc, &wqe, &psn)) {
        return false;
    }
    rc_fill_request__(sender, wqe, psn, packet);
    packet->ack_request = true;
    packet->retransmit = true;
    rc->cold.counters.retransmitted_packets++;
    sender->hole_psn = rc_is_read(wqe) ? wqe->last_psn + 1 : psn + 1;
    return true;
}

/* Whether the requester waits for a time after 'now_ps'. */
static bool
is_waiting(const struct rc_sender *sender, int64_t now_ps)
{
    return sender->state != RC_READY && now_ps < sender->wait_ps;
}

/* Whether the next packet is the first of a request whose memory is not yet
 * registered at 'now_ps'; stores when it is. */
static bool
is_registering(const struct rc_sender *sender, int64_t now_ps, int64_t *when_ps)
{
    if (sender->next_psn == sender->next_first_psn &&
        rc_wqe(sender, sender->next)->ready_ps > now_ps) {
        *when_ps = rc_wqe(sender, sender->next)->ready_ps;
        return true;
    }
    return false;
}

enum rc_next
rc_next_request(struct rc *rc, int64_t now_ps, struct transport_packet *packet,
                int64_t *when_ps)
{
    struct rc_sender *sender = &rc->sender;

    if (sender->state != RC_READY) {
        if (sender->state == RC_ERROR) {
            return RC_IDLE;
        }
        if (is_waiting(sender, now_ps)) {
            *when_ps = sender->wait_ps;
            return RC_WAIT;
        }
        sender->state = RC_READY;
    }
    if (!has_holes(sender) || !take_hole(rc, packet)) {
        if (is_blocked(rc)) {
            return RC_IDLE;
        }
        if (is_registering(sender, now_ps, when_ps)) {
            return RC_WAIT;
        }
        take_next(rc, packet);
    }
    start_timeout(sender, now_ps);
    return RC_PACKET;
}

enum rc_next
rc_peek_request(struct rc *rc, int64_t now_ps, int64_t *when_ps)
{
    const struct rc_sender *sender = &rc->sender;
    const struct rc_wqe *wqe;
    uint32_t psn;

    if (sender->state == RC_ERROR) {
        return RC_IDLE;
    }
    if (is_waiting(sender, now_ps)) {
        *when_ps = sender->wait_ps;
        return RC_WAIT;
    }
    if (has_holes(sender) && rc_next_hole__(rc, &wqe, &psn)) {
        return RC_PACKET;
    }
    if (is_blocked(rc)) {
        return RC_IDLE;
    }
    return is_registering(sender, now_ps, when_ps) ? RC_WAIT : RC_PACKET;
}
