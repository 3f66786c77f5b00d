/* SPDX-License-Identifier: Apache-2.0 */

/* Checksum and segmentation offload in software. */

#include <config.h>

#include "netdev/segment.h"

#include <string.h>

enum {
    MACS = 12, /* Where the type field is. */
    TYPE_V4 = 0x0800,
    TYPE_V6 = 0x86dd,
    TYPE_TAG = 0x8100,
    TYPE_SERVICE_TAG = 0x88a8,
    TAG_BYTES = 4,
    TAGS_MAX = 2,
    V4_BYTES = 20,
    V4_LENGTH = 2,
    V4_NUMBER = 4,
    V4_FRAGMENT = 6,
    V4_PROTOCOL = 9,
    V4_CHECKSUM = 10,
    V4_ADDRESSES = 12,
    V6_BYTES = 40,
    V6_LENGTH = 4,
    V6_NEXT = 6,
    V6_ADDRESSES = 8,
    OPTIONS_HOP = 0,
    OPTIONS_TARGET = 60,
    OPTIONS_MAX = 4,
    TCP = 6,
    TCP_BYTES = 20,
    TCP_SEQUENCE = 4,
    TCP_OFFSET = 12,
    TCP_FLAGS = 13,
    TCP_CHECKSUM = 16,
    TCP_FIN = 0x01,
    TCP_PSH = 0x08,
    TCP_CWR = 0x80,
    UDP = 17,
    UDP_BYTES = 8,
    UDP_LENGTH = 4,
    UDP_CHECKSUM = 6,
};

static uint32_t
get16(const uint8_t *at)
{
    return (uint32_t)at[0] << 8 | at[1];
}

static void
put16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* Checksums --------------------------------------------------------------- */

/* Returns the sum of bytes.  The order of bytes in a word only affects the
 * order of bytes in the result (RFC 1071, 2 B), so it adds whole words in the
 * order of this machine. */
static uint64_t
sum_of(const uint8_t *bytes, uint32_t n)
{
    uint64_t sum = 0;
    uint32_t word;

    for (; n >= sizeof word; n -= (uint32_t)sizeof word) {
        memcpy(&word, bytes, sizeof word);
        bytes += sizeof word;
        sum += word;
    }
    word = 0;
    memcpy(&word, bytes, n);
    return sum + word;
}

/* Writes the checksum that belongs to 'sum'. */
static void
put_checksum(uint8_t *at, uint64_t sum)
{
    uint16_t value;

    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    value = (uint16_t)~sum;
    if (value == 0) {
        value = 0xffff; /* The equivalent value; 0 means "no checksum" in
                         * UDP. */
    }
    memcpy(at, &value, sizeof value);
}

void
segment_complete(uint8_t *frame, uint32_t n, uint32_t start, uint32_t offset)
{
    if (start < n && offset < n - start && n - start - offset >= 2) {
        put_checksum(frame + start + offset, sum_of(frame + start, n - start));
    }
}

/* Planning ---------------------------------------------------------------- */

/* Finds the transport header of IPv4 at 'plan->network'.  Returns false if it
 * is not 'protocol'. */
static bool
find_in_v4(const uint8_t *frame, struct segment_plan *plan, uint32_t protocol)
{
    const uint8_t *ip = frame + plan->network;
    const uint32_t room = plan->n - plan->network;
    const uint32_t header = room >= V4_BYTES ? (ip[0] & 0xfU) * 4 : 0;

    plan->transport = plan->network + header;
    return header >= V4_BYTES && header <= room && ip[0] >> 4 == 4 &&
           get16(ip + V4_LENGTH) == room &&
           (get16(ip + V4_FRAGMENT) & 0x3fff) == 0 &&
           ip[V4_PROTOCOL] == protocol;
}

/* Does the same for IPv6. */
static bool
find_in_v6(const uint8_t *frame, struct segment_plan *plan, uint32_t protocol)
{
    const uint8_t *ip = frame + plan->network;
    const uint32_t room = plan->n - plan->network;
    uint32_t at = V6_BYTES;
    uint32_t next;

    if (room < V6_BYTES || ip[0] >> 4 != 6 ||
        get16(ip + V6_LENGTH) != room - V6_BYTES) {
        return false;
    }
    next = ip[V6_NEXT];
    for (int i = 0; next == OPTIONS_HOP || next == OPTIONS_TARGET; i++) {
        if (i == OPTIONS_MAX || room - at < 8) {
            return false;
        }
        next = ip[at];
        at += (ip[at + 1] + 1U) * 8;
        if (at > room) {
            return false;
        }
    }
    plan->transport = plan->network + at;
    return next == protocol;
}

/* Finds the payload.  Returns false if the headers are incomplete. */
static bool
find_payload(const uint8_t *frame, struct segment_plan *plan)
{
    const uint8_t *header = frame + plan->transport;
    const uint32_t room = plan->n - plan->transport;
    uint32_t bytes = UDP_BYTES;

    if (plan->is_udp) {
        if (room < UDP_BYTES || get16(header + UDP_LENGTH) != room) {
            return false;
        }
    } else {
        bytes = room >= TCP_BYTES ? (header[TCP_OFFSET] >> 4) * 4U : 0;
        if (bytes < TCP_BYTES) {
            return false;
        }
    }
    plan->payload = plan->transport + bytes;
    return bytes < room;
}

bool
segment_plan(const uint8_t *frame, uint32_t n, bool is_udp,
             uint32_t piece_bytes, struct segment_plan *plan)
{
    const uint32_t protocol = is_udp ? UDP : TCP;
    struct segment_plan made = {
        .n = n, .piece_bytes = piece_bytes, .is_udp = is_udp};
    uint32_t at = MACS;
    uint32_t type = n >= MACS + 2 ? get16(frame + at) : 0;

    for (int i = 0; i < TAGS_MAX && n - at >= TAG_BYTES + 2 &&
                    (type == TYPE_TAG || type == TYPE_SERVICE_TAG);
         i++) {
        at += TAG_BYTES;
        type = get16(frame + at);
    }
    made.network = at + 2;
    made.is_v6 = type == TYPE_V6;
    if ((type != TYPE_V4 && type != TYPE_V6) ||
        !(made.is_v6 ? find_in_v6 : find_in_v4)(frame, &made, protocol) ||
        !find_payload(frame, &made) || piece_bytes == 0) {
        return false;
    }
    made.n_pieces = (n - made.payload - 1) / piece_bytes + 1;
    *plan = made;
    return made.n_pieces <= SEGMENT_PIECES_MAX;
}

uint32_t
segment_longest(const struct segment_plan *plan)
{
    return plan->n_pieces > 1 ? plan->payload + plan->piece_bytes : plan->n;
}

/* Cutting ----------------------------------------------------------------- */

/* Corrects the IP header of piece 'i', which is 'n' bytes long. */
static void
write_network(const struct segment_plan *plan, uint32_t i, uint8_t *ip,
              uint32_t n)
{
    if (plan->is_v6) {
        put16(ip + V6_LENGTH, n - V6_BYTES);
    } else {
        put16(ip + V4_LENGTH, n);
        put16(ip + V4_NUMBER, get16(ip + V4_NUMBER) + i);
        put16(ip + V4_CHECKSUM, 0);
        put_checksum(ip + V4_CHECKSUM,
                     sum_of(ip, plan->transport - plan->network));
    }
}

/* Returns the sum of the pseudo-header: addresses, protocol and the length 'n'
 * from the transport header on. */
static uint64_t
sum_of_addresses(const struct segment_plan *plan, const uint8_t *ip, uint32_t n)
{
    const uint8_t rest[4] = {0, plan->is_udp ? UDP : TCP, (uint8_t)(n >> 8),
                             (uint8_t)n};

    return sum_of(rest, sizeof rest) + (plan->is_v6
                                            ? sum_of(ip + V6_ADDRESSES, 32)
                                            : sum_of(ip + V4_ADDRESSES, 8));
}

/* Corrects the TCP header of piece 'i', except for the checksum. */
static void
write_tcp(const struct segment_plan *plan, uint32_t i, uint8_t *tcp)
{
    const uint32_t sequence =
        (get16(tcp + TCP_SEQUENCE) << 16 | get16(tcp + TCP_SEQUENCE + 2)) +
        i * plan->piece_bytes;

    put16(tcp + TCP_SEQUENCE, sequence >> 16);
    put16(tcp + TCP_SEQUENCE + 2, sequence);
    if (i > 0) {
        tcp[TCP_FLAGS] &= (uint8_t)~TCP_CWR;
    }
    if (i + 1 < plan->n_pieces) {
        tcp[TCP_FLAGS] &= (uint8_t) ~(TCP_FIN | TCP_PSH);
    }
}

uint32_t
segment_write(const struct segment_plan *plan, const uint8_t *frame, uint32_t i,
              uint8_t *piece)
{
    const uint32_t from = plan->payload + i * plan->piece_bytes;
    const uint32_t bytes =
        i + 1 < plan->n_pieces ? plan->piece_bytes : plan->n - from;
    const uint32_t n = plan->payload + bytes;
    uint8_t *ip = piece + plan->network;
    uint8_t *transport = piece + plan->transport;
    uint8_t *checksum =
        transport + (plan->is_udp ? UDP_CHECKSUM : TCP_CHECKSUM);

    memcpy(piece, frame, plan->payload);
    memcpy(piece + plan->payload, frame + from, bytes);
    write_network(plan, i, ip, n - plan->network);
    if (plan->is_udp) {
        put16(transport + UDP_LENGTH, n - plan->transport);
    } else {
        write_tcp(plan, i, transport);
    }
    put16(checksum, 0);
    put_checksum(checksum, sum_of_addresses(plan, ip, n - plan->transport) +
                               sum_of(transport, n - plan->transport));
    return n;
}
