/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FRAME_H
#define ORCHD_TWIN_FORWARDING_FRAME_H

/* A frame in the simulation: a record of a cache line.
 *
 * 'struct sim_frame' holds everything that forwarding needs.  What is the same
 * for many frames, the headers of a flow or the bytes of a captured frame, is
 * in a payload that they share.
 *
 * Frames inside the simulation are in a pool (frame_pool.h).  A frame is
 * written there once, when it is made, and then passed on by its index: from
 * host to link to switch, through the buffer of the switch, and so on.  Each
 * changes only the members that are its own.  At the edges (sim_send(),
 * sim_receive(), listeners) it is a structure that may be copied.
 *
 * 'length_bytes' is the length that counters and the buffer see: from the
 * destination address to the end of the payload, without the FCS.  On the wire
 * a frame takes ETHERNET_WIRE_OVERHEAD_BYTES (24) more. */

#include <stdbool.h>
#include <stdint.h>

#include "base/ethernet.h"
#include "twin/forwarding/packet.h"

/* A byte at 1 Mb/s, in picoseconds. */
#define FRAME_PS_PER_BYTE_MBPS UINT32_C(8000000)

enum {
    SIM_TAG_BYTES = 4,
    SIM_MAX_VLAN = 4094, /* IEEE 802.1Q: 4095 is reserved. */
    SIM_MIN_LENGTH_BYTES = 14,
    SIM_MAX_LENGTH_BYTES = 65535,
};

/* Optional headers of a frame. */
enum {
    SIM_HAS_TAG = 1 << 0,
    SIM_HAS_LABEL = 1 << 1,
};

/* In 'transport_flags': a switch has cut the frame (sim_set_trimming()), so
 * 'transport_bytes' are not there. */
enum { SIM_CUT = 1 << 7 };

/* A frame as it arrived: its bytes, and what the parser read in them.  A
 * generated frame may have parsed headers without bytes; then 'ip_bytes' of the
 * headers may be 0: it follows from the length of the frame.
 *
 * The frames of a flow share one payload of headers.  'number' tells it from
 * all others on the same engine, so that a switch can remember what it has
 * decided for the flow.  A payload with bytes has none, because few frames
 * share it. */
struct sim_payload {
    uint32_t references;
    uint32_t length; /* 0: parsed headers only. */
    uint32_t number; /* Given by the first switch; 0: none yet. */
    struct packet packet;
    uint8_t bytes[];
};

/* Return a payload with a copy of 'length' bytes (at least PACKET_MIN_BYTES),
 * or with headers only.  The caller owns the only reference. */
struct sim_payload *sim_payload_create(uint32_t length, const uint8_t *bytes);
struct sim_payload *sim_payload_describe(const struct packet *packet);

/* Returns a payload with the first 'length' bytes of 'whole', which has more;
 * its IP header says so (packet_shorten()).  The caller owns the only
 * reference. */
struct sim_payload *sim_payload_cut(const struct sim_payload *whole,
                                    uint32_t length);

/* Drops a reference to 'payload', which may be NULL. */
void sim_payload_unref(struct sim_payload *payload);

/* A frame.  Addresses are the low 48 bits of a number. */
struct sim_frame {
    uint64_t dst_mac;
    uint64_t src_mac;

    /* May be NULL.  The frame has a reference to it, unless it 'borrows' it: a
     * borrowed payload outlives all frames that have it. */
    struct sim_payload *payload;

    /* Set by the host that sent it, for the one that receives it. */
    union {
        int64_t sent_ps;      /* Without a transport: when its first bit was
                               * sent. */
        uint32_t flow_number; /* With one: the number of its headers. */
    };
    uint32_t flow;     /* With a transport: the QP number at the receiver. */
    uint32_t sequence; /* Counts the frames of the flow from 0, modulo 2^32.
                        * With a transport: the PSN. */

    uint32_t length_bytes;
    uint16_t tag;  /* The VLAN of its tag; 0: none. */
    uint16_t vlan; /* Set by the switch: the VLAN in which it was forwarded, 0:
                    * by a test entry.  If it 'leaves_port': the tag with which
                    * it leaves, 0: without. */
    int8_t dscp;   /* Negative: not IP. */
    uint8_t ttl;   /* TTL or hop limit of IP. */
    uint8_t tc;    /* Set by the switch: the traffic class. */
    uint8_t queue_index; /* The queue from which it was sent; set when it
                          * leaves. */

    /* Of the outer tag and the outer label, if 'has' says so (a priority tag
     * has 'tag' 0). */
    uint8_t ecn : 2;
    uint8_t dot1p : 3;
    uint8_t exp : 3;
    uint8_t has : 2;          /* SIM_HAS_* */
    uint8_t color : 2;        /* Set by the switch: enum classify_color. */
    uint8_t is_routed : 1;    /* Set by the switch: addresses and TTL are
                               * already those with which it leaves. */
    uint8_t leaves_port : 1;  /* It is routed, and its egress interface is not
                               * in a VLAN. */
    uint8_t borrows : 1;      /* 'payload' is borrowed. */
    uint8_t asks_for_ack : 1; /* Of the transport. */
    union {
        uint16_t ip_id;           /* Without a transport. */
        uint16_t transport_bytes; /* With one: the bytes of its payload. */
    };
    uint8_t opcode; /* Of the transport (twin/transport/opcode.h) plus 1; 0:
                     * none. */
    uint8_t transport_flags; /* For the transport at the other end; and
                              * SIM_CUT. */
    uint16_t wire;           /* Private to the link on which it travels. */
    union {
        uint32_t id;   /* Without a transport: counts the frames that entered
                        * the switch from outside, from 1. */
        uint32_t aeth; /* With one: the syndrome in the highest 8 bits, and the
                        * MSN; or what else the opcode says. */
    };
};

_Static_assert(sizeof(struct sim_frame) == 64, "a frame is a cache line");

/* Returns the number of the headers of 'frame', by which switches know its
 * flow; 0: none. */
static inline uint32_t
frame_flow_number(const struct sim_frame *frame)
{
    if (frame->opcode) {
        return frame->flow_number;
    }
    return frame->payload ? frame->payload->number : 0;
}

/* Returns the frame with the bytes of 'payload', whose length is not 0.  The
 * frame takes over the caller's reference. */
struct sim_frame frame_of_payload(struct sim_payload *payload);

/* Returns whether length, tag and addresses are within their ranges. */
bool frame_is_valid(const struct sim_frame *frame);

/* Returns the headers of 'frame': those of its payload, else '*scratch', filled
 * with its addresses. */
const struct packet *frame_packet(const struct sim_frame *frame,
                                  struct packet *scratch);

/* Replaces '*kept' by a copy of 'frame': takes a reference to the new payload
 * and drops that to the old one. */
void frame_keep(struct sim_frame *kept, const struct sim_frame *frame);

/* Returns the time in picoseconds that a frame of 'length_bytes' takes on a
 * wire of 'speed_mbps' (not 0); rounded up to a picosecond. */
int64_t frame_wire_ps(uint32_t length_bytes, uint32_t speed_mbps);

/* Returns 'ps' rounded down to a multiple of 'step_ps'; 0: exactly. */
static inline int64_t
frame_step_ps(int64_t ps, uint32_t step_ps)
{
    return step_ps ? ps - ps % step_ps : ps;
}

/* Returns the time of a byte at 'speed_mbps' (not 0) in picoseconds, 0 if that
 * is not a whole number. */
static inline uint32_t
frame_ps_per_byte(uint32_t speed_mbps)
{
    return FRAME_PS_PER_BYTE_MBPS % speed_mbps
               ? 0
               : FRAME_PS_PER_BYTE_MBPS / speed_mbps;
}

/* Does what frame_wire_ps() does, without a division if 'ps_per_byte', that of
 * the speed, is not 0. */
static inline int64_t
frame_paced_ps(uint32_t length_bytes, uint32_t speed_mbps, uint32_t ps_per_byte)
{
    return ps_per_byte ? (int64_t)ps_per_byte *
                             (length_bytes + ETHERNET_WIRE_OVERHEAD_BYTES)
                       : frame_wire_ps(length_bytes, speed_mbps);
}

#endif /* twin/forwarding/frame.h */
