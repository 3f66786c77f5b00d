/* SPDX-License-Identifier: Apache-2.0 */

/* The responder's side of a queue pair: requests that arrive. */

#include <config.h>

#include "twin/transport/rc_state.h"

#include <stddef.h>
#include <string.h>

#include "twin/transport/region.h"

/* What an opcode says about its place in a message. */
struct request {
    enum rc_message message; /* RC_MESSAGE_NONE: a READ. */
    bool is_first;
    bool is_last;
    bool has_immediate;
    uint8_t operation;
};

static const struct request requests[] = {
    [TRANSPORT_SEND_FIRST] = {RC_MESSAGE_SEND, true, false, false, RC_SEND},
    [TRANSPORT_SEND_MIDDLE] = {RC_MESSAGE_SEND, false, false, false, RC_SEND},
    [TRANSPORT_SEND_LAST] = {RC_MESSAGE_SEND, false, true, false, RC_SEND},
    [TRANSPORT_SEND_LAST_IMMEDIATE] = {RC_MESSAGE_SEND, false, true, true,
                                       RC_SEND_IMMEDIATE},
    [TRANSPORT_SEND_ONLY] = {RC_MESSAGE_SEND, true, true, false, RC_SEND},
    [TRANSPORT_SEND_ONLY_IMMEDIATE] = {RC_MESSAGE_SEND, true, true, true,
                                       RC_SEND_IMMEDIATE},
    [TRANSPORT_WRITE_FIRST] = {RC_MESSAGE_WRITE, true, false, false, RC_WRITE},
    [TRANSPORT_WRITE_MIDDLE] = {RC_MESSAGE_WRITE, false, false, false,
                                RC_WRITE},
    [TRANSPORT_WRITE_LAST] = {RC_MESSAGE_WRITE, false, true, false, RC_WRITE},
    [TRANSPORT_WRITE_LAST_IMMEDIATE] = {RC_MESSAGE_WRITE, false, true, true,
                                        RC_WRITE_IMMEDIATE},
    [TRANSPORT_WRITE_ONLY] = {RC_MESSAGE_WRITE, true, true, false, RC_WRITE},
    [TRANSPORT_WRITE_ONLY_IMMEDIATE] = {RC_MESSAGE_WRITE, true, true, true,
                                        RC_WRITE_IMMEDIATE},
    [TRANSPORT_READ_REQUEST] = {RC_MESSAGE_NONE, true, true, false, RC_READ},
    [TRANSPORT_SEND_LAST_INVALIDATE] = {RC_MESSAGE_SEND, false, true, false,
                                        RC_SEND_INVALIDATE},
    [TRANSPORT_SEND_ONLY_INVALIDATE] = {RC_MESSAGE_SEND, true, true, false,
                                        RC_SEND_INVALIDATE},
};

enum { TRIMMED_BITS = 64 };

static const struct rc_config *
config_of(const struct rc *rc)
{
    return rc->sender.config;
}

/* Has a NAK with 'syndrome' sent, for the expected packet. */
static void
send_nak(struct rc *rc, uint8_t syndrome)
{
    rc->receiver.nak = syndrome;
    rc->receiver.due = RC_DUE_NAK;
    rc->receiver.nak_sent = true;
}

/* Refuses the request, and puts the queue pair into the error state. */
static void
refuse(struct rc *rc, uint8_t syndrome, struct rc_actions *actions)
{
    send_nak(rc, syndrome);
    rc_fail__(rc, rc->sender.una_psn, RC_STATUS_FLUSHED, actions);
}

static bool
allows(const struct rc *rc, const struct transport_packet *packet,
       uint32_t access)
{
    const struct regions *regions = config_of(rc)->regions;

    return !regions ||
           regions_allow(regions, packet->rkey, access, packet->remote_address,
                         packet->dma_length);
}

static struct rc_receive_wqe *
receive_wqe(const struct rc *rc, uint32_t index)
{
    return &rc->receives.ring[index & (config_of(rc)->receive_depth - 1)];
}

/* Completes the oldest receive work request. */
static void
complete_receive(struct rc *rc, const struct transport_packet *packet,
                 uint8_t operation, uint8_t status, struct rc_actions *actions)
{
    struct rc_receive_wqe *wqe;

    if (rc->receives.ring) {
        wqe = receive_wqe(rc, rc->receives.next++);
        wqe->bytes = rc->receiver.message_bytes;
        wqe->immediate =
            operation == RC_SEND_INVALIDATE ? packet->rkey : packet->immediate;
        wqe->operation = operation;
        wqe->status = status;
        actions->completion = true;
    }
}

/* Whether the packet fits the message that is being received, and its payload
 * the place in the message. */
static bool
is_valid(const struct rc *rc, const struct request *request,
         const struct transport_packet *packet)
{
    const struct rc_receiver *receiver = &rc->receiver;
    const uint32_t mtu_bytes = config_of(rc)->mtu_bytes;
    const bool is_write = request->message == RC_MESSAGE_WRITE;
    const uint32_t left =
        request->is_first ? packet->dma_length : receiver->write_left;

    if (request->is_first ? receiver->message != RC_MESSAGE_NONE
                          : receiver->message != request->message) {
        return false;
    }
    if (request->is_last) {
        return packet->payload_bytes <= mtu_bytes &&
               (request->is_first || packet->payload_bytes > 0) &&
               (!is_write || packet->payload_bytes == left);
    }
    return packet->payload_bytes == mtu_bytes &&
           (!is_write || packet->payload_bytes < left) &&
           (request->is_first || receiver->message_bytes < UINT32_C(1) << 31);
}

/* Whether the packet needs a receive work request that is not there. */
static bool
is_unready(const struct rc *rc, const struct request *request)
{
    const bool needs_one = request->message == RC_MESSAGE_SEND
                               ? request->is_first
                               : request->has_immediate;

    return needs_one && rc->receives.ring &&
           rc->receives.next == rc->receives.tail;
}

/* Whether a SEND exceeds its receive work request. */
static bool
is_too_long(const struct rc *rc, const struct request *request,
            const struct transport_packet *packet)
{
    return request->message == RC_MESSAGE_SEND && rc->receives.ring &&
           (uint64_t)rc->receiver.message_bytes + packet->payload_bytes >
               receive_wqe(rc, rc->receives.next)->length_bytes;
}

/* Notes that the expected packets up to 'psn' have arrived, and drops held ones
 * among them. */
static void
advance(struct rc *rc, uint32_t psn)
{
    const uint32_t mask = config_of(rc)->reorder_packets - 1;
    struct rc_cold *cold = &rc->cold;

    if (cold->n_held > 0) {
        for (uint32_t p = rc->receiver.expected_psn;
             p != psn && cold->n_held > 0; p++) {
            if (psn_minus(p, cold->held_end_psn) >= 0) {
                break;
            }
            if (rc_bit(cold->held, mask, p)) {
                cold->held[(p & mask) / 64] &= ~(UINT64_C(1) << (p % 64));
                cold->n_held--;
            }
        }
    }
    if (rc->receiver.has_trimmed) {
        const uint32_t n = psn - rc->receiver.expected_psn;

        cold->trimmed = n < TRIMMED_BITS ? cold->trimmed >> n : 0;
        rc->receiver.has_trimmed = cold->trimmed != 0;
    }
    rc->receiver.expected_psn = psn;
    rc->receiver.nak_sent = false;
}

void
rc_drop_oldest_read__(struct rc *rc)
{
    rc->receiver.n_reads--;
    memmove(&rc->cold.reads[0], &rc->cold.reads[1],
            rc->receiver.n_reads * sizeof rc->cold.reads[0]);
}

/* Adds a READ to the queue, which is ordered by PSN, unless it is full. */
static void
queue_read(struct rc *rc, uint32_t psn, uint32_t n_packets, uint32_t bytes)
{
    struct rc_receiver *receiver = &rc->receiver;
    struct rc_read *reads = rc->cold.reads;
    uint8_t i = 0;

    while (i < receiver->n_reads && psn_minus(psn, reads[i].last_psn) > 0) {
        i++;
    }
    if (i < receiver->n_reads && psn_minus(psn, reads[i].psn) >= 0) {
        return; /* It will be sent anyway. */
    }
    if (i < receiver->n_reads && reads[i].last_psn == psn + n_packets - 1) {
        /* The same READ from an earlier packet on. */
        reads[i].psn = psn;
        reads[i].bytes_left = bytes;
        reads[i].is_started = false;
        return;
    }
    if (receiver->n_reads < config_of(rc)->max_reads) {
        memmove(&reads[i + 1], &reads[i],
                (size_t)(receiver->n_reads - i) * sizeof reads[0]);
        reads[i] = (struct rc_read){
            .psn = psn, .last_psn = psn + n_packets - 1, .bytes_left = bytes};
        receiver->n_reads++;
    }
}

/* Accepts a READ request with the expected PSN.  Its responses acknowledge
 * it. */
static bool
accept_read(struct rc *rc, const struct transport_packet *packet,
            struct rc_actions *actions)
{
    struct rc_receiver *receiver = &rc->receiver;
    const uint32_t n_packets = rc_packets(config_of(rc), packet->dma_length);

    if (packet->payload_bytes > 0 || n_packets > RC_MAX_MESSAGE_PACKETS ||
        packet->dma_length > UINT32_C(1) << 31 ||
        receiver->message != RC_MESSAGE_NONE || config_of(rc)->max_reads == 0) {
        refuse(rc, TRANSPORT_SYNDROME_NAK_INVALID, actions);
        return false;
    }
    if (!allows(rc, packet, REGION_REMOTE_READ)) {
        refuse(rc, TRANSPORT_SYNDROME_NAK_ACCESS, actions);
        return false;
    }
    /* The requester has one outstanding READ less than the queue is long, so
     * the oldest in a full queue is a repetition that it does not need any
     * more. */
    if (receiver->n_reads == config_of(rc)->max_reads) {
        rc_drop_oldest_read__(rc);
    }
    if (receiver->n_reads == 0) {
        rc->cold.answered_psn = receiver->expected_psn;
    }
    queue_read(rc, receiver->expected_psn, n_packets, packet->dma_length);
    advance(rc, receiver->expected_psn + n_packets);
    receiver->msn++;
    receiver->unacked = 0;
    return true;
}

/* Counts a valid packet of a SEND or WRITE. */
static void
deliver(struct rc *rc, const struct request *request,
        const struct transport_packet *packet, struct rc_actions *actions)
{
    struct rc_receiver *receiver = &rc->receiver;
    const bool at_end = config_of(rc)->recovery == RC_GO_BACK_0;

    if (request->is_first) {
        receiver->message = (uint8_t)request->message;
        receiver->message_psn = receiver->expected_psn;
        receiver->write_left = packet->dma_length;
    }
    receiver->message_bytes += packet->payload_bytes;
    receiver->write_left -= packet->payload_bytes;
    actions->delivered_bytes += at_end ? 0 : packet->payload_bytes;
    advance(rc, receiver->expected_psn + 1);
    receiver->unacked++;
    if (request->is_last) {
        receiver->message = RC_MESSAGE_NONE;
        receiver->msn++;
        actions->delivered_messages++;
        actions->delivered_bytes += at_end ? receiver->message_bytes : 0;
        if (request->message == RC_MESSAGE_SEND || request->has_immediate) {
            complete_receive(rc, packet, request->operation, RC_STATUS_OK,
                             actions);
        }
    }
    if (request->is_last || packet->ack_request ||
        receiver->unacked >= config_of(rc)->ack_every) {
        receiver->due |= RC_DUE_ACK;
        receiver->unacked = 0;
    }
}

/* Handles the packet with the expected PSN.  Returns whether it was
 * accepted. */
static bool
accept(struct rc *rc, const struct transport_packet *packet,
       struct rc_actions *actions)
{
    const struct request *request = &requests[packet->opcode];

    if (packet->opcode == TRANSPORT_READ_REQUEST) {
        return accept_read(rc, packet, actions);
    }
    if (!is_valid(rc, request, packet)) {
        refuse(rc, TRANSPORT_SYNDROME_NAK_INVALID, actions);
        return false;
    }
    if (request->message == RC_MESSAGE_WRITE && request->is_first &&
        !allows(rc, packet, REGION_REMOTE_WRITE)) {
        refuse(rc, TRANSPORT_SYNDROME_NAK_ACCESS, actions);
        return false;
    }
    if (is_unready(rc, request)) {
        send_nak(rc, TRANSPORT_SYNDROME_RNR | config_of(rc)->rnr_timer);
        rc->cold.counters.rnr_naks_sent++;
        return false;
    }
    if (request->is_first) {
        rc->receiver.message_bytes = 0;
    }
    if (is_too_long(rc, request, packet)) {
        complete_receive(rc, packet, request->operation, RC_STATUS_LOCAL_LENGTH,
                         actions);
        refuse(rc, TRANSPORT_SYNDROME_NAK_INVALID, actions);
        return false;
    }
    if (request->operation == RC_SEND_INVALIDATE && config_of(rc)->regions &&
        regions_remove(config_of(rc)->regions, packet->rkey) != ST_OK) {
        refuse(rc, TRANSPORT_SYNDROME_NAK_ACCESS, actions);
        return false;
    }
    deliver(rc, request, packet, actions);
    return true;
}

/* Keeps a packet that is 'distance' PSNs ahead. */
static void
hold(struct rc *rc, const struct transport_packet *packet, uint32_t distance)
{
    struct rc_cold *cold = &rc->cold;
    const uint32_t mask = config_of(rc)->reorder_packets - 1;
    const uint32_t psn = rc->receiver.expected_psn + distance;
    const uint64_t bit = UINT64_C(1) << (psn % 64);

    if (distance > mask || (cold->held[(psn & mask) / 64] & bit)) {
        return;
    }
    cold->held[(psn & mask) / 64] |= bit;
    cold->packets[psn & mask] = (struct rc_held){
        .remote_address = packet->remote_address,
        .rkey = packet->rkey,
        .dma_length = packet->dma_length,
        .immediate = packet->immediate,
        .payload_bytes = packet->payload_bytes,
        .opcode = packet->opcode,
        .ack_request = packet->ack_request,
    };
    if (cold->n_held++ == 0 || psn_minus(psn, cold->held_end_psn) >= 0) {
        cold->held_end_psn = psn + 1;
    }
}

/* Accepts the held packets that are expected now. */
static void
drain(struct rc *rc, struct rc_actions *actions)
{
    const uint32_t mask = config_of(rc)->reorder_packets - 1;
    struct rc_cold *cold = &rc->cold;
    bool accepted = true;

    while (accepted && cold->n_held > 0 &&
           rc_bit(cold->held, mask, rc->receiver.expected_psn)) {
        const uint32_t psn = rc->receiver.expected_psn;
        const struct rc_held *held = &cold->packets[psn & mask];
        const struct transport_packet packet = {
            .psn = psn & TRANSPORT_PSN_MASK,
            .remote_address = held->remote_address,
            .rkey = held->rkey,
            .dma_length = held->dma_length,
            .immediate = held->immediate,
            .payload_bytes = held->payload_bytes,
            .opcode = held->opcode,
            .ack_request = held->ack_request,
        };

        cold->held[(psn & mask) / 64] &= ~(UINT64_C(1) << (psn % 64));
        cold->n_held--;
        accepted = accept(rc, &packet, actions);
    }
}

/* Drops what was received of the message, or of its last chunk (go-back-0). */
static void
withdraw(struct rc *rc)
{
    const struct rc_config *config = config_of(rc);
    struct rc_receiver *receiver = &rc->receiver;
    uint32_t kept;
    uint32_t dropped_bytes;

    if (receiver->message == RC_MESSAGE_NONE) {
        return;
    }
    kept = receiver->expected_psn - receiver->message_psn;
    if (config->go_back_chunk_bytes) {
        kept -= kept % (config->go_back_chunk_bytes / config->mtu_bytes);
    } else {
        kept = 0;
    }
    dropped_bytes = receiver->message_bytes - kept * config->mtu_bytes;
    receiver->message_bytes -= dropped_bytes;
    receiver->write_left += dropped_bytes;
    receiver->expected_psn = receiver->message_psn + kept;
    receiver->unacked = 0;
    if (kept == 0) {
        receiver->message = RC_MESSAGE_NONE;
    }
}

/* A packet beyond the expected one. */
static void
receive_ahead(struct rc *rc, const struct transport_packet *packet,
              uint32_t distance)
{
    struct rc_receiver *receiver = &rc->receiver;
    const bool is_selective = config_of(rc)->recovery == RC_SELECTIVE;
    const bool was_sent = receiver->nak_sent;

    rc->cold.counters.out_of_order++;
    if (is_selective) {
        hold(rc, packet, distance);
    } else if (was_sent) {
        return;
    }
    if (config_of(rc)->recovery == RC_GO_BACK_0) {
        withdraw(rc);
    }
    /* An RNR NAK that waits to be sent is not replaced. */
    if (!(receiver->due & RC_DUE_NAK)) {
        send_nak(rc, TRANSPORT_SYNDROME_NAK_SEQUENCE);
        rc->cold.counters.naks_sent++;
    }
}

/* Has a NAK sent for what was trimmed: selective for all of it, else if it is
 * the expected packet, behind which all is sent again. */
static void
nak_trimmed(struct rc *rc)
{
    struct rc_receiver *receiver = &rc->receiver;
    const bool is_selective = config_of(rc)->recovery == RC_SELECTIVE;

    if ((!is_selective && !(rc->cold.trimmed & 1)) ||
        (receiver->due & RC_DUE_NAK)) {
        return;
    }
    if (config_of(rc)->recovery == RC_GO_BACK_0) {
        withdraw(rc);
    }
    if (!is_selective) {
        rc->cold.trimmed = 0;
        receiver->has_trimmed = false;
    }
    send_nak(rc, TRANSPORT_SYNDROME_NAK_SEQUENCE);
    rc->cold.counters.naks_sent++;
}

void
rc_receive_trimmed(struct rc *rc, const struct transport_packet *packet,
                   struct rc_actions *actions)
{
    struct rc_receiver *receiver = &rc->receiver;
    const int32_t distance =
        transport_psn_difference(packet->psn, receiver->expected_psn);
    const uint32_t psn = receiver->expected_psn + (uint32_t)distance;

    *actions = (struct rc_actions){0};
    if (rc->sender.state == RC_ERROR || !config_of(rc)->naks_trimmed ||
        !transport_is_request(packet->opcode) || distance < 0 ||
        distance >= TRIMMED_BITS ||
        (rc->cold.n_held > 0 &&
         rc_bit(rc->cold.held, config_of(rc)->reorder_packets - 1, psn))) {
        return;
    }
    rc->cold.counters.trimmed++;
    rc->cold.trimmed |= UINT64_C(1) << distance;
    receiver->has_trimmed = true;
    nak_trimmed(rc);
    actions->send = rc_peek_response(rc) != RC_NO_RESPONSE;
}

/* A packet before the expected one: a READ is answered again, everything else
 * acknowledged. */
static void
receive_duplicate(struct rc *rc, const struct transport_packet *packet,
                  struct rc_actions *actions)
{
    struct rc_receiver *receiver = &rc->receiver;
    const uint32_t psn =
        transport_psn_expand(packet->psn, receiver->expected_psn);
    const uint32_t n_packets = rc_packets(config_of(rc), packet->dma_length);

    rc->cold.counters.duplicates++;
    if (packet->opcode != TRANSPORT_READ_REQUEST) {
        receiver->due |= RC_DUE_ACK;
        receiver->unacked = 0;
        return;
    }
    if (n_packets > RC_MAX_MESSAGE_PACKETS || config_of(rc)->max_reads == 0 ||
        psn_minus(psn + n_packets, receiver->expected_psn) > 0) {
        return;
    }
    if (!allows(rc, packet, REGION_REMOTE_READ)) {
        refuse(rc, TRANSPORT_SYNDROME_NAK_ACCESS, actions);
        return;
    }
    /* If the queue is full, the requester asks again after its timeout. */
    queue_read(rc, psn, n_packets, packet->dma_length);
}

void
rc_receive_request__(struct rc *rc, const struct transport_packet *packet,
                     struct rc_actions *actions)
{
    struct rc_receiver *receiver = &rc->receiver;
    const int32_t distance =
        transport_psn_difference(packet->psn, receiver->expected_psn);

    receiver->notify |= config_of(rc)->echo_ce && packet->ce;
    if (distance == 0) {
        if (accept(rc, packet, actions) && rc->cold.n_held > 0) {
            drain(rc, actions);
        }
        if (receiver->has_trimmed) {
            nak_trimmed(rc);
        }
    } else if (distance > 0) {
        receive_ahead(rc, packet, (uint32_t)distance);
    } else {
        receive_duplicate(rc, packet, actions);
    }
    actions->send |= rc_peek_response(rc) != RC_NO_RESPONSE;
}
