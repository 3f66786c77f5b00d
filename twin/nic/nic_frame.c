/* SPDX-License-Identifier: Apache-2.0 */

/* Transport packets as frames, and back.
 *
 * A frame has room for the base transport header and the AETH.  The few packets
 * with more (first packets of a WRITE, READ requests, immediate data, NAKs with
 * a bitmap) carry it behind headers of their own, which have the flow number of
 * the queue pair's, so switches forward them by the same decision.  The last
 * owner of the frame frees them with it. */

#include <config.h>

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/nic/nic_state.h"

/* 'opcode' of a frame is 0 without a transport, and 0 is an opcode. */
enum { OPCODE_OFFSET = 1, FCS_BYTES = 4, ECT_0 = 2, SYNDROME_SHIFT = 24 };

/* Bits of 'transport_flags'. */
enum { FLAG_NOTIFY = 1 << 0, FLAG_RETRANSMIT = 1 << 1, FLAG_EXTENDED = 1 << 2 };

struct extension {
    uint64_t remote_address;
    uint32_t rkey;
    uint32_t dma_length;
    uint32_t immediate;
};

struct sim_payload *
nic_extend(const struct sim_payload *headers, const void *bytes, size_t n)
{
    struct sim_payload *payload =
        check_malloc(sizeof *payload + NIC_EXTENSION_BYTES);

    orch_assert(n <= NIC_EXTENSION_BYTES);
    *payload = *headers;
    payload->references = 1;
    memset(payload->bytes, 0, NIC_EXTENSION_BYTES);
    memcpy(payload->bytes, bytes, n);
    return payload;
}

const uint8_t *
nic_extension(const struct sim_frame *frame)
{
    return frame->opcode && !frame->borrows ? frame->payload->bytes : NULL;
}

/* Returns the headers of 'qp' with the extension of 'packet'. */
static struct sim_payload *
extend(const struct qp *qp, const struct transport_packet *packet)
{
    const struct extension extension = {.remote_address =
                                            packet->remote_address,
                                        .rkey = packet->rkey,
                                        .dma_length = packet->dma_length,
                                        .immediate = packet->immediate};

    return nic_extend(qp->headers, &extension, sizeof extension);
}

static uint8_t
dscp_of(const struct nic *nic, const struct qp *qp, uint8_t opcode)
{
    return opcode == TRANSPORT_CNP   ? nic->config.cnp_dscp
           : opcode == TRANSPORT_ACK ? nic->config.ack_dscp
                                     : qp->dscp;
}

void
nic_frame_template__(const struct qp *qp, struct sim_frame *frame)
{
    const struct packet *headers = &qp->headers->packet;

    *frame = (struct sim_frame){
        .dst_mac = headers->dst_mac,
        .src_mac = headers->src_mac,
        .payload = qp->headers,
        .flow_number = qp->headers->number,
        .flow = qp->peer_qp,
        .dscp = (int8_t)qp->dscp,
        .ttl = headers->ttl,
        .ecn = ECT_0,
        .borrows = true,
    };
}

void
nic_frame_fill__(const struct nic *nic, const struct qp *qp,
                 const struct transport_packet *packet, struct sim_frame *frame)
{
    *frame = qp->frame;
    frame->flow = packet->qp;
    frame->sequence = packet->psn;
    frame->length_bytes = transport_frame_bytes(nic->framing, packet->opcode,
                                                packet->payload_bytes) -
                          FCS_BYTES;
    frame->dscp = (int8_t)dscp_of(nic, qp, packet->opcode);
    frame->opcode = (uint8_t)(packet->opcode + OPCODE_OFFSET);
    frame->transport_bytes = packet->payload_bytes;
    frame->asks_for_ack = packet->ack_request;
    frame->aeth = (uint32_t)packet->syndrome << SYNDROME_SHIFT | packet->msn;
    frame->transport_flags =
        (uint8_t)((packet->notify ? FLAG_NOTIFY : 0) |
                  (packet->retransmit ? FLAG_RETRANSMIT : 0));
    if (packet->remote_address || packet->rkey || packet->dma_length ||
        packet->immediate) {
        frame->payload = extend(qp, packet);
        frame->borrows = false;
        frame->transport_flags |= FLAG_EXTENDED;
    }
}

void
nic_frame_read__(const struct sim_frame *frame, struct transport_packet *packet)
{
    struct extension extension = {0};

    if (frame->transport_flags & FLAG_EXTENDED) {
        memcpy(&extension, frame->payload->bytes, sizeof extension);
    }
    *packet = (struct transport_packet){
        .qp = frame->flow,
        .psn = frame->sequence,
        .remote_address = extension.remote_address,
        .rkey = extension.rkey,
        .dma_length = extension.dma_length,
        .immediate = extension.immediate,
        .msn = frame->aeth & TRANSPORT_PSN_MASK,
        .payload_bytes = frame->transport_bytes,
        .opcode = (uint8_t)(frame->opcode - OPCODE_OFFSET),
        .syndrome = (uint8_t)(frame->aeth >> SYNDROME_SHIFT),
        .ack_request = frame->asks_for_ack,
        .ce = frame->ecn == NIC_ECN_CE,
        .notify = frame->transport_flags & FLAG_NOTIFY,
        .retransmit = frame->transport_flags & FLAG_RETRANSMIT,
    };
}

bool
nic_has_segment(const struct sim_frame *frame)
{
    return frame->opcode == TRANSPORT_TCP + OPCODE_OFFSET;
}

void
nic_read_packet(const struct sim_frame *frame, struct transport_packet *packet)
{
    nic_frame_read__(frame, packet);
}

void
nic_frame_release__(struct sim_frame *frame)
{
    if (frame->payload && !frame->borrows) {
        sim_payload_unref(frame->payload);
    }
}
