/* SPDX-License-Identifier: Apache-2.0 */

/* The responder's side of a queue pair: READ data, ACKs and NAKs. */

#include <config.h>

#include "twin/transport/rc_state.h"

enum rc_response
rc_peek_response(const struct rc *rc)
{
    const struct rc_receiver *receiver = &rc->receiver;

    if (receiver->n_reads > 0) {
        return RC_RESPONSE_READ;
    }
    return receiver->due ? RC_RESPONSE_ACK : RC_NO_RESPONSE;
}

/* Takes the next packet of the oldest READ. */
static void
take_read(struct rc *rc, struct transport_packet *packet)
{
    const uint32_t mtu_bytes = rc->sender.config->mtu_bytes;
    struct rc_read *read = &rc->cold.reads[0];
    const bool is_last = read->psn == read->last_psn;

    packet->psn = read->psn & TRANSPORT_PSN_MASK;
    packet->syndrome = TRANSPORT_SYNDROME_ACK;
    packet->payload_bytes =
        (uint16_t)(read->bytes_left < mtu_bytes ? read->bytes_left : mtu_bytes);
    packet->opcode = !is_last           ? read->is_started
                                              ? TRANSPORT_READ_RESPONSE_MIDDLE
                                              : TRANSPORT_READ_RESPONSE_FIRST
                     : read->is_started ? TRANSPORT_READ_RESPONSE_LAST
                                        : TRANSPORT_READ_RESPONSE_ONLY;
    if (psn_minus(read->psn, rc->cold.answered_psn) < 0) {
        packet->retransmit = true;
        rc->cold.counters.retransmitted_packets++;
    } else {
        rc->cold.answered_psn = read->psn + 1;
    }
    read->psn++;
    read->bytes_left -= packet->payload_bytes;
    read->is_started = true;
    if (is_last) {
        rc_drop_oldest_read__(rc);
    }
}

/* Describes in a NAK what is held: up to 64 packets, the latest ones. */
static void
report_held(const struct rc *rc, struct transport_packet *packet)
{
    const struct rc_cold *cold = &rc->cold;
    const uint32_t mask = rc->sender.config->reorder_packets - 1;
    uint32_t base = rc->receiver.expected_psn + 1;

    if (cold->n_held == 0) {
        return;
    }
    if (psn_minus(cold->held_end_psn, base) > 64) {
        base = cold->held_end_psn - 64;
    }
    packet->immediate = base & TRANSPORT_PSN_MASK;
    for (uint32_t i = 0; i < 64; i++) {
        if (psn_minus(base + i, cold->held_end_psn) < 0 &&
            rc_bit(cold->held, mask, base + i)) {
            packet->remote_address |= UINT64_C(1) << i;
        }
    }
}

/* Takes the NAK or the ACK that is due. */
static void
take_ack(struct rc *rc, struct transport_packet *packet)
{
    struct rc_receiver *receiver = &rc->receiver;

    packet->opcode = TRANSPORT_ACK;
    if (receiver->due & RC_DUE_NAK) {
        packet->psn = receiver->expected_psn & TRANSPORT_PSN_MASK;
        packet->syndrome = receiver->nak;
        report_held(rc, packet);
        if (receiver->has_trimmed &&
            receiver->nak == TRANSPORT_SYNDROME_NAK_SEQUENCE) {
            packet->rkey = (uint32_t)rc->cold.trimmed;
            packet->dma_length = (uint32_t)(rc->cold.trimmed >> 32);
            rc->cold.trimmed = 0;
            receiver->has_trimmed = false;
        }
    } else {
        packet->psn = (receiver->expected_psn - 1) & TRANSPORT_PSN_MASK;
        packet->syndrome = TRANSPORT_SYNDROME_ACK;
    }
    packet->notify = receiver->notify;
    receiver->notify = false;
    receiver->due = 0;
}

enum rc_next
rc_next_response(struct rc *rc, struct transport_packet *packet)
{
    const enum rc_response kind = rc_peek_response(rc);

    if (kind == RC_NO_RESPONSE) {
        return RC_IDLE;
    }
    *packet = (struct transport_packet){
        .qp = rc->sender.peer_qp,
        .msn = rc->receiver.msn & TRANSPORT_PSN_MASK,
    };
    if (kind == RC_RESPONSE_READ) {
        take_read(rc, packet);
    } else {
        take_ack(rc, packet);
    }
    return RC_PACKET;
}
