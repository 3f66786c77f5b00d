/* SPDX-License-Identifier: Apache-2.0 */

/* Frames and their shared bytes. */

#include <config.h>

#include "twin/forwarding/frame.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/ethernet.h"
#include "twin/forwarding/fdb.h"

/* One bit at 1 Mb/s, in picoseconds. */
#define PS_PER_BIT_MBPS 1000000

struct sim_payload *
sim_payload_create(uint32_t length, const uint8_t *bytes)
{
    struct sim_payload *payload = check_malloc(sizeof *payload + length);

    payload->references = 1;
    payload->length = length;
    payload->number = 0;
    memcpy(payload->bytes, bytes, length);
    (void)packet_parse(payload->bytes, length, &payload->packet);
    return payload;
}

struct sim_payload *
sim_payload_cut(const struct sim_payload *whole, uint32_t length)
{
    struct sim_payload *part = sim_payload_create(length, whole->bytes);

    packet_shorten(&whole->packet, part->bytes, length);
    (void)packet_parse(part->bytes, length, &part->packet);
    return part;
}

struct sim_payload *
sim_payload_describe(const struct packet *packet)
{
    struct sim_payload *payload = check_malloc(sizeof *payload);

    payload->references = 1;
    payload->length = 0;
    payload->number = 0;
    payload->packet = *packet;
    return payload;
}

void
sim_payload_unref(struct sim_payload *payload)
{
    if (payload && --payload->references == 0) {
        free(payload);
    }
}

struct sim_frame
frame_of_payload(struct sim_payload *payload)
{
    const struct packet *packet = &payload->packet;

    return (struct sim_frame){
        .dst_mac = packet->dst_mac,
        .src_mac = packet->src_mac,
        .length_bytes = payload->length,
        .dscp = (int8_t)packet_dscp(packet),
        .ecn = packet_ecn(packet) & 3u,
        .ip_id = packet->ip_id,
        .ttl = packet->ttl,
        .tag = packet->tag,
        .has = (packet->n_tags ? SIM_HAS_TAG : 0u) |
               (packet->n_labels ? SIM_HAS_LABEL : 0u),
        .dot1p = packet->pcp & 7u,
        .exp = packet->exp & 7u,
        .payload = payload,
    };
}

bool
frame_is_valid(const struct sim_frame *frame)
{
    uint32_t min = SIM_MIN_LENGTH_BYTES + (frame->tag ? SIM_TAG_BYTES : 0);

    return frame->length_bytes >= min &&
           frame->length_bytes <= SIM_MAX_LENGTH_BYTES &&
           frame->tag <= SIM_MAX_VLAN && fdb_mac_is_valid(frame->dst_mac) &&
           fdb_mac_is_valid(frame->src_mac);
}

const struct packet *
frame_packet(const struct sim_frame *frame, struct packet *scratch)
{
    if (frame->payload) {
        return &frame->payload->packet;
    }
    *scratch =
        (struct packet){.dst_mac = frame->dst_mac, .src_mac = frame->src_mac};
    return scratch;
}

void
frame_keep(struct sim_frame *kept, const struct sim_frame *frame)
{
    if (frame->payload && !frame->borrows) {
        frame->payload->references++;
    }
    if (!kept->borrows) {
        sim_payload_unref(kept->payload);
    }
    *kept = *frame;
}

int64_t
frame_wire_ps(uint32_t length_bytes, uint32_t speed_mbps)
{
    int64_t bits = ((int64_t)length_bytes + ETHERNET_WIRE_OVERHEAD_BYTES) * 8;

    return (bits * PS_PER_BIT_MBPS + speed_mbps - 1) / speed_mbps;
}
