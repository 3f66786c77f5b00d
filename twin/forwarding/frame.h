/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FRAME_H
#define ORCHD_TWIN_FORWARDING_FRAME_H

/* A frame in the simulation.
 *
 * The members of 'struct sim_frame', which is copied freely, hold everything
 * that forwarding needs.  The bytes of a frame, if it has any, stay as they
 * arrived; copies share them by reference count.
 *
 * 'length_bytes' is the length that counters and the buffer see: from the
 * destination address to the end of the payload, without the FCS.  On the wire
 * a frame takes ETHERNET_WIRE_OVERHEAD_BYTES (24) more. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/packet.h"

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

/* A frame as it arrived: its bytes, and what the parser read in them.  A
 * generated frame may have parsed headers without bytes. */
struct sim_payload {
    uint32_t references;
    uint32_t length; /* 0: parsed headers only. */
    struct packet packet;
    uint8_t bytes[];
};

/* Return a payload with a copy of 'length' bytes (at least PACKET_MIN_BYTES),
 * or with headers only.  The caller owns the only reference. */
struct sim_payload *sim_payload_create(uint32_t length, const uint8_t *bytes);
struct sim_payload *sim_payload_describe(const struct packet *packet);

/* Drops a reference to 'payload', which may be NULL. */
void sim_payload_unref(struct sim_payload *payload);

/* A frame.  Addresses are the low 48 bits of a number. */
struct sim_frame {
    uint64_t dst_mac;
    uint64_t src_mac;
    uint32_t length_bytes;
    int8_t dscp; /* Negative: not IP. */
    uint8_t ecn;
    uint16_t ip_id;
    uint16_t tag; /* The VLAN of its tag; 0: none. */

    uint8_t ttl; /* TTL or hop limit of IP. */

    /* Of the outer tag and the outer label, if 'has' says so (a priority tag
     * has 'tag' 0). */
    uint8_t has; /* SIM_HAS_* */
    uint8_t dot1p;
    uint8_t exp;
    /* Set by the host that sent it, for the one that receives it. */
    uint32_t flow;
    uint64_t sequence; /* Counts the frames of the flow from 0. */
    int64_t sent_ps;   /* When its first bit was sent. */

    /* May be NULL.  A module that keeps the frame takes a reference. */
    struct sim_payload *payload;

    /* Set by the switch. */
    uint8_t tc; /* Traffic class, and enum classify_color. */
    uint8_t color;
    bool is_routed;     /* Addresses and TTL are already those with which it
                         * leaves. */
    uint16_t out_tag;   /* Of a routed frame without a VLAN: the tag with which
                         * it leaves. */
    uint32_t interface; /* Of a routed frame: the egress interface. */
    uint32_t src_port;
    uint16_t vlan;        /* In which it was forwarded; 0: by a test entry. */
    uint64_t id;          /* Counts the frames of this switch from 1. */
    int64_t arrived_ps;   /* When it was received. */
    uint32_t queue_index; /* The queue from which it was sent; set when it
                           * leaves. */
};

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

#endif /* twin/forwarding/frame.h */
