/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_OPCODE_H
#define ORCHD_TWIN_TRANSPORT_OPCODE_H

/* Packets of the RoCEv2 reliable connection (RC) transport.
 *
 * A 'struct transport_packet' is what the state machines of two queue pairs
 * exchange: the fields of the base transport header (BTH) and of the extended
 * headers that its opcode carries.  The opcodes and syndromes have the values
 * of the wire, so a capture needs no translation.
 *
 * Lengths.  A RoCEv2 frame without extended headers is 62 bytes longer than
 * its payload: Ethernet 14, IPv4 20, UDP 8, BTH 12, ICRC 4, FCS 4.  The RETH
 * adds 16 bytes (first packet of a WRITE, READ request), the AETH 4 (ACK and
 * NAK; first, last and only READ response), immediate data 4, the IETH 4 (the
 * key that a SEND invalidates).  A CNP has 16 reserved bytes, 78 in all.  The
 * payload is padded to a multiple of 4 bytes, the frame to the 64 of Ethernet.
 * Preamble and gap are not counted here.
 *
 * Not modelled: atomic operations and the unreliable services.
 *
 * Reference: InfiniBand Architecture Specification volume 1, chapter 9 (packet
 * formats), annex A17 (RoCEv2). */

#include <stdbool.h>
#include <stdint.h>

/* Values of the BTH opcode. */
enum transport_opcode {
    TRANSPORT_SEND_FIRST = 0x00,
    TRANSPORT_SEND_MIDDLE = 0x01,
    TRANSPORT_SEND_LAST = 0x02,
    TRANSPORT_SEND_LAST_IMMEDIATE = 0x03,
    TRANSPORT_SEND_ONLY = 0x04,
    TRANSPORT_SEND_ONLY_IMMEDIATE = 0x05,
    TRANSPORT_WRITE_FIRST = 0x06,
    TRANSPORT_WRITE_MIDDLE = 0x07,
    TRANSPORT_WRITE_LAST = 0x08,
    TRANSPORT_WRITE_LAST_IMMEDIATE = 0x09,
    TRANSPORT_WRITE_ONLY = 0x0a,
    TRANSPORT_WRITE_ONLY_IMMEDIATE = 0x0b,
    TRANSPORT_READ_REQUEST = 0x0c,
    TRANSPORT_READ_RESPONSE_FIRST = 0x0d,
    TRANSPORT_READ_RESPONSE_MIDDLE = 0x0e,
    TRANSPORT_READ_RESPONSE_LAST = 0x0f,
    TRANSPORT_READ_RESPONSE_ONLY = 0x10,
    TRANSPORT_ACK = 0x11, /* ACK, NAK or RNR NAK: see the syndrome. */
    TRANSPORT_SEND_LAST_INVALIDATE = 0x16,
    TRANSPORT_SEND_ONLY_INVALIDATE = 0x17,
    TRANSPORT_CNP = 0x81,
    /* Of the adapter, never on the wire: a segment of TCP (tcp.h).  The values
     * from here on are the manufacturer's. */
    TRANSPORT_TCP = 0xc0,
    TRANSPORT_SRD = 0xc1, /* Likewise: a packet of an SRD context (srd.h). */
};

/* Syndromes of an AETH.  The upper three bits are the kind. */
enum transport_syndrome {
    TRANSPORT_SYNDROME_ACK = 0x1f, /* No end-to-end credits. */
    TRANSPORT_SYNDROME_RNR = 0x20, /* Plus the timer code, 0..31. */
    TRANSPORT_SYNDROME_NAK_SEQUENCE = 0x60,
    TRANSPORT_SYNDROME_NAK_INVALID = 0x61, /* Invalid request. */
    TRANSPORT_SYNDROME_NAK_ACCESS = 0x62,  /* Remote access error. */
};

/* Packet sequence numbers are modulo 2^24 on the wire.  Inside the state
 * machines they are modulo 2^32, whose low 24 bits are those of the wire. */
enum { TRANSPORT_PSN_BITS = 24, TRANSPORT_PSN_MASK = 0xffffff };

struct transport_packet {
    uint32_t qp;             /* Number of the queue pair at the receiver. */
    uint32_t psn;            /* 24 bits. */
    uint64_t remote_address; /* RETH.  NAK of a selective responder: a bit per
                              * PSN from 'immediate' on that it holds. */
    uint32_t rkey;           /* RETH, IETH.  NAK of a selective responder: with
                              * ... */
    uint32_t dma_length;     /* ... RETH; a bit per PSN from 'psn' on that was
                              * trimmed (the upper half). */
    uint32_t immediate;      /* Immediate data.  NAK of a selective responder:
                              * the PSN of the lowest bit. */
    uint32_t msn;            /* AETH: 24 bits. */
    uint16_t payload_bytes;
    uint8_t opcode;   /* enum transport_opcode. */
    uint8_t syndrome; /* AETH. */
    bool ack_request;
    bool ce;         /* The network has marked the packet. */
    bool notify;     /* An ACK that carries a congestion notification. */
    bool retransmit; /* Sent before; for statistics, not on the wire. */
};

/* Lengths of frames as data, since profiles of other simulators count in other
 * ways.  transport_framing_rocev2 has the lengths given above. */
struct transport_framing {
    uint16_t base_bytes;    /* What a frame adds to its payload. */
    uint16_t ack_bytes;     /* Length of an ACK or NAK; 0: computed. */
    uint16_t minimum_bytes; /* Shorter frames are padded to it. */
    bool extended_headers;  /* Whether RETH, AETH and so on are counted. */
    uint8_t pad_bytes;      /* Payloads are padded to a multiple; not 0. */
};

extern const struct transport_framing transport_framing_rocev2;

/* Returns the length of a frame with 'opcode' and 'payload_bytes', with FCS,
 * without preamble and gap. */
uint32_t transport_frame_bytes(const struct transport_framing *framing,
                               uint8_t opcode, uint32_t payload_bytes);

/* Returns the bytes of the extended headers of 'opcode'. */
uint32_t transport_extension_bytes(uint8_t opcode);

/* Returns the name of 'opcode', such as "WRITE_FIRST"; "UNKNOWN" if there is
 * none. */
const char *transport_opcode_name(uint8_t opcode);

/* Returns whether 'opcode' is a request, which consumes PSNs of the sender
 * (SEND, WRITE, READ request); else it is a response or a CNP. */
static inline bool
transport_is_request(uint8_t opcode)
{
    return opcode <= TRANSPORT_READ_REQUEST ||
           opcode == TRANSPORT_SEND_LAST_INVALIDATE ||
           opcode == TRANSPORT_SEND_ONLY_INVALIDATE;
}

/* Returns whether 'opcode' is a READ response. */
static inline bool
transport_is_read_response(uint8_t opcode)
{
    return opcode >= TRANSPORT_READ_RESPONSE_FIRST &&
           opcode <= TRANSPORT_READ_RESPONSE_ONLY;
}

/* Returns whether 'opcode' is the first packet of a SEND, of a WRITE, or of the
 * response to a READ, or the only one. */
static inline bool
transport_begins_message(uint8_t opcode)
{
    switch (opcode) {
    case TRANSPORT_SEND_FIRST:
    case TRANSPORT_SEND_ONLY:
    case TRANSPORT_SEND_ONLY_IMMEDIATE:
    case TRANSPORT_SEND_ONLY_INVALIDATE:
    case TRANSPORT_WRITE_FIRST:
    case TRANSPORT_WRITE_ONLY:
    case TRANSPORT_WRITE_ONLY_IMMEDIATE:
    case TRANSPORT_READ_RESPONSE_FIRST:
    case TRANSPORT_READ_RESPONSE_ONLY:
        return true;
    default:
        return false;
    }
}

/* Returns the distance from 'from' to 'to', modulo 2^24, as a signed number:
 * -2^23..2^23 - 1. */
static inline int32_t
transport_psn_difference(uint32_t to, uint32_t from)
{
    return (int32_t)((to - from) << (32 - TRANSPORT_PSN_BITS)) >>
           (32 - TRANSPORT_PSN_BITS);
}

/* Returns the number modulo 2^32 that is nearest to 'near' among those whose
 * low 24 bits are 'psn'. */
static inline uint32_t
transport_psn_expand(uint32_t psn, uint32_t near)
{
    return near + (uint32_t)transport_psn_difference(psn, near);
}

/* Returns the duration of RNR timer code 'code' (0..31): 655.36 ms for 0, then
 * 10 us to 491.52 ms. */
int64_t transport_rnr_timer_ps(uint8_t code);

/* Returns the duration of the local ACK timeout 'exponent': 4.096 us *
 * 2^exponent (1..31); INT64_MAX for 0, which means none. */
int64_t transport_ack_timeout_ps(uint8_t exponent);

#endif /* twin/transport/opcode.h */
