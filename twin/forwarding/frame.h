/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FRAME_H
#define ORCHD_TWIN_FORWARDING_FRAME_H

/* A frame, as the simulation knows it.
 *
 * What decides a frame's fate is in the members of a 'struct sim_frame', which
 * is copied freely.  Its bytes, where there are any, are carried along as they
 * came, shared between the copies and counted by reference.
 *
 * The wire.  'length_bytes' is what counters and the buffer see: from the
 * destination address to the end of the payload, without the FCS.  On the wire
 * a frame takes 24 bytes more: FCS 4, preamble and start 8, gap 12 (IEEE
 * 802.3-2018 clauses 3.1.1 and 4.4.2). */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/packet.h"

enum {
    SIM_TAG_BYTES = 4,
    SIM_MAX_VLAN = 4094, /* IEEE 802.1Q: 4095 is reserved. */
    SIM_MIN_LENGTH_BYTES = 14,
    SIM_MAX_LENGTH_BYTES = 65535,
};

/* Headers of a frame that not every frame has. */
enum {
    SIM_HAS_TAG = 1 << 0,
    SIM_HAS_LABEL = 1 << 1,
};

/* What a frame was when it arrived: its bytes, and what was read in them.  The
 * frame of a generator may have a header without bytes. */
struct sim_payload {
    uint32_t references;
    uint32_t length; /* 0: a header only. */
    struct packet packet;
    uint8_t bytes[];
};

/* Returns a copy of 'length' bytes (at least PACKET_MIN_BYTES), or a header,
 * with one reference, the caller's. */
struct sim_payload *sim_payload_create(uint32_t length, const uint8_t *bytes);
struct sim_payload *sim_payload_describe(const struct packet *packet);

/* Lets go of 'payload', which may be NULL. */
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

    uint8_t ttl; /* Of IP. */

    /* Of the outer tag and the outer label, if 'has' says there is one (a tag
     * may be for its priority only, so that 'tag' is 0). */
    uint8_t has; /* SIM_HAS_* */
    uint8_t dot1p;
    uint8_t exp;
    /* Set by the host that sent it, for the one that receives it. */
    uint32_t flow;
    uint64_t sequence; /* Counts the frames of the flow from 0. */
    int64_t sent_ps;   /* When its first bit was on the wire. */

    /* May be NULL.  Whoever keeps the frame takes a reference. */
    struct sim_payload *payload;

    /* Set by the switch. */
    uint8_t tc; /* Traffic class, and enum classify_color. */
    uint8_t color;
    bool is_routed;     /* Addresses and TTL are those that it leaves with. */
    uint16_t out_tag;   /* Of a routed frame without a VLAN: its tag then. */
    uint32_t interface; /* Of a routed frame: by which it leaves. */
    uint32_t src_port;
    uint16_t vlan;      /* By which it was forwarded; 0: by an entry for all. */
    uint64_t id;        /* Counts the frames of this switch from 1. */
    int64_t arrived_ps; /* When it was received. */
    uint32_t queue_index; /* From which it is transmitted, once it is. */
};

/* Returns the frame that 'payload', of some length, is.  It has the caller's
 * reference. */
struct sim_frame frame_of_payload(struct sim_payload *payload);

/* Returns whether length, tag and addresses are within their ranges. */
bool frame_is_valid(const struct sim_frame *frame);

/* Returns what is known of the headers of 'frame': of its payload, else what
 * '*scratch' is then filled with, its addresses. */
const struct packet *frame_packet(const struct sim_frame *frame,
                                  struct packet *scratch);

/* Replaces '*kept', which holds a reference to its payload if it has one, by a
 * copy of 'frame' that does so too. */
void frame_keep(struct sim_frame *kept, const struct sim_frame *frame);

/* Returns the time in picoseconds that a frame of 'length_bytes' takes on a
 * wire of 'speed_mbps' (not 0); a fraction of a picosecond counts whole. */
int64_t frame_wire_ps(uint32_t length_bytes, uint32_t speed_mbps);

#endif /* twin/forwarding/frame.h */
