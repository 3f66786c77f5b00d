/* SPDX-License-Identifier: Apache-2.0 */

/* Builds packets of RoCEv2. */

#include <config.h>

#include "results/rocev2.h"

#include <string.h>

#include "base/check.h"

enum {
    UDP_BYTES = 8,
    BTH_BYTES = 12,
    RETH_BYTES = 16,
    AETH_BYTES = 4,
    IMMEDIATE_BYTES = 4,
    IETH_BYTES = 4,
    CNP_BYTES = 16,
    ICRC_BYTES = 4,
    PROTOCOL_UDP = 17,
    PARTITION = 0xffff, /* The default one. */
    OPCODE_CNP = 0x81,
};

/* The extended headers of an opcode. */
enum {
    HAS_RETH = 1,
    HAS_AETH = 2,
    HAS_IMMEDIATE = 4,
    HAS_RESERVED = 8, /* Of a CNP. */
    HAS_IETH = 16,
};

/* By opcode of RC: SEND 0x00..0x05, WRITE 0x06..0x0b, READ request 0x0c and
 * responses 0x0d..0x10, acknowledge 0x11, SEND with invalidate 0x16, 0x17. */
static const uint8_t headers[] = {
    [0x03] = HAS_IMMEDIATE, [0x05] = HAS_IMMEDIATE,
    [0x06] = HAS_RETH,      [0x09] = HAS_IMMEDIATE,
    [0x0a] = HAS_RETH,      [0x0b] = HAS_RETH | HAS_IMMEDIATE,
    [0x0c] = HAS_RETH,      [0x0d] = HAS_AETH,
    [0x0f] = HAS_AETH,      [0x10] = HAS_AETH,
    [0x11] = HAS_AETH,      [0x16] = HAS_IETH,
    [0x17] = HAS_IETH,
};

static unsigned int
headers_of(const struct rocev2_packet *packet)
{
    return packet->opcode == OPCODE_CNP      ? HAS_RESERVED
           : packet->opcode < sizeof headers ? headers[packet->opcode]
                                             : 0;
}

/* Returns the bytes from the BTH to the padding. */
static size_t
transport_length(const struct rocev2_packet *packet)
{
    const unsigned int has = headers_of(packet);

    return BTH_BYTES + (has & HAS_RETH ? RETH_BYTES : 0u) +
           (has & HAS_AETH ? AETH_BYTES : 0u) +
           (has & HAS_IMMEDIATE ? IMMEDIATE_BYTES : 0u) +
           (has & HAS_IETH ? IETH_BYTES : 0u) +
           (has & HAS_RESERVED ? CNP_BYTES : 0u) +
           (packet->payload_bytes + 3u) / 4 * 4;
}

size_t
rocev2_length(const struct rocev2_packet *packet)
{
    return (packet->ip.tagged ? 18u : 14u) + IP_HEADER_BYTES + UDP_BYTES +
           transport_length(packet) + ICRC_BYTES;
}

/* Writes Ethernet, IP and UDP, and returns where IP begins; the checksum of UDP
 * is 0, "none", as adapters send it. */
static uint8_t *
put_headers(uint8_t **at, const struct rocev2_packet *packet)
{
    const size_t length = UDP_BYTES + transport_length(packet) + ICRC_BYTES;
    uint8_t *ip =
        ip_header_write(at, &packet->ip, PROTOCOL_UDP, (uint32_t)length);

    ip_header_put(at, packet->source_port, 2);
    ip_header_put(at, ROCEV2_PORT, 2);
    ip_header_put(at, length, 2);
    ip_header_put(at, 0, 2);
    return ip;
}

static void
put_transport(uint8_t **at, const struct rocev2_packet *packet)
{
    const unsigned int has = headers_of(packet);
    const unsigned int padding = (4 - packet->payload_bytes % 4u) % 4;

    ip_header_put(at, packet->opcode, 1);
    /* Solicited event, migration state (migrated), padding, version 0. */
    ip_header_put(at, (uint64_t)packet->solicited << 7 | 1 << 6 | padding << 4,
                  1);
    ip_header_put(at, PARTITION, 2);
    ip_header_put(at, (uint64_t)packet->becn << 6, 1);
    ip_header_put(at, packet->qp, 3);
    ip_header_put(at, (uint64_t)packet->ack_request << 7, 1);
    ip_header_put(at, packet->psn, 3);
    if (has & HAS_RETH) {
        ip_header_put(at, packet->address, 8);
        ip_header_put(at, packet->rkey, 4);
        ip_header_put(at, packet->dma_length, 4);
    }
    if (has & HAS_AETH) {
        ip_header_put(at, packet->syndrome, 1);
        ip_header_put(at, packet->msn, 3);
    }
    if (has & HAS_IMMEDIATE) {
        ip_header_put(at, packet->immediate, 4);
    }
    if (has & HAS_IETH) {
        ip_header_put(at, packet->rkey, 4);
    }
    if (has & HAS_RESERVED) {
        ip_header_put(at, 0, 8);
        ip_header_put(at, 0, 8);
    }
    if (packet->payload_bytes) {
        if (packet->payload) {
            memcpy(*at, packet->payload, packet->payload_bytes);
        } else {
            memset(*at, 0, packet->payload_bytes);
        }
        *at += packet->payload_bytes;
        ip_header_put(at, 0, padding);
    }
}

/* Extends the CRC-32 of Ethernet (IEEE 802.3-2018 clause 3.2.9, reflected) by a
 * byte, four bits at a time. */
static uint32_t
crc_byte(uint32_t crc, uint8_t byte)
{
    static const uint32_t nibbles[16] = {
        0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
        0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
        0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c,
    };

    crc ^= byte;
    crc = crc >> 4 ^ nibbles[crc & 15];
    return crc >> 4 ^ nibbles[crc & 15];
}

/* Returns whether byte 'i' after the start of the IP header may change on the
 * way. */
static bool
is_variant(size_t i)
{
    enum { UDP = IP_HEADER_BYTES, BTH = IP_HEADER_BYTES + UDP_BYTES };

    return i == 1 || i == 8 || i == 10 || i == 11 || i == UDP + 6 ||
           i == UDP + 7 || i == BTH + 4;
}

uint32_t
rocev2_icrc(const uint8_t *ip, size_t n)
{
    uint32_t crc = UINT32_MAX;

    for (int i = 0; i < 8; i++) {
        crc = crc_byte(crc, 0xff);
    }
    for (size_t i = 0; i < n; i++) {
        crc = crc_byte(crc, is_variant(i) ? 0xff : ip[i]);
    }
    return ~crc;
}

size_t
rocev2_build(const struct rocev2_packet *packet,
             uint8_t bytes[ROCEV2_MAX_BYTES])
{
    uint8_t *at = bytes;
    uint8_t *ip;
    uint32_t icrc;

    orch_assert(packet->payload_bytes <= ROCEV2_MAX_PAYLOAD);
    ip = put_headers(&at, packet);
    put_transport(&at, packet);
    icrc = rocev2_icrc(ip, (size_t)(at - ip));
    for (int i = 0; i < ICRC_BYTES; i++) {
        *at++ = (uint8_t)(icrc >> 8 * i);
    }
    return (size_t)(at - bytes);
}
