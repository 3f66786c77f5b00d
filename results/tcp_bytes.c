/* SPDX-License-Identifier: Apache-2.0 */

/* Builds segments of TCP. */

#include <config.h>

#include "results/tcp_bytes.h"

#include <string.h>

#include "base/check.h"

enum {
    PROTOCOL_TCP = 6,
    HEADER_BYTES = 20,
    ADDRESSES_BYTES = 8,
    ADDRESSES_AT = 12, /* In the IP header. */
    OPTION_SACK = 5,
    OPTION_NONE = 1,
    FLAG_PSH = 1 << 3,
    FLAG_ACK = 1 << 4,
    FLAG_ECE = 1 << 6,
    FLAG_CWR = 1 << 7,
    MAX_WINDOW = 0xffff,
};

static uint32_t
header_bytes(const struct tcp_bytes *tcp)
{
    return (uint32_t)HEADER_BYTES + (tcp->n_sacks ? 4u + 8u * tcp->n_sacks : 0);
}

static void
put_sacks(uint8_t **at, const struct tcp_bytes *tcp)
{
    if (!tcp->n_sacks) {
        return;
    }
    ip_header_put(at, OPTION_NONE << 8 | OPTION_NONE, 2);
    ip_header_put(at, OPTION_SACK, 1);
    ip_header_put(at, 2u + 8u * tcp->n_sacks, 1);
    for (unsigned int i = 0; i < tcp->n_sacks; i++) {
        ip_header_put(at, tcp->sacks[i][0], 4);
        ip_header_put(at, tcp->sacks[i][1], 4);
    }
}

/* Writes the header, and returns where its checksum is. */
static uint8_t *
put_header(uint8_t **at, const struct tcp_bytes *tcp)
{
    const uint32_t window = tcp->window_bytes >> TCP_BYTES_WINDOW_SHIFT;
    uint8_t *sum;

    ip_header_put(at, tcp->source_port, 2);
    ip_header_put(at, tcp->destination_port, 2);
    ip_header_put(at, tcp->sequence, 4);
    ip_header_put(at, tcp->acknowledgement, 4);
    ip_header_put(at, header_bytes(tcp) / 4 << 4, 1);
    ip_header_put(at,
                  FLAG_ACK | (tcp->push ? (uint64_t)FLAG_PSH : 0) |
                      (tcp->ece ? (uint64_t)FLAG_ECE : 0) |
                      (tcp->cwr ? (uint64_t)FLAG_CWR : 0),
                  1);
    ip_header_put(at, window < MAX_WINDOW ? window : MAX_WINDOW, 2);
    sum = *at;
    ip_header_put(at, 0, 4); /* Checksum, urgent pointer. */
    put_sacks(at, tcp);
    return sum;
}

size_t
tcp_bytes_build(const struct ip_header *ip, const struct tcp_bytes *tcp,
                uint8_t bytes[TCP_BYTES_MAX])
{
    const uint32_t n = header_bytes(tcp);
    const uint32_t length = n + tcp->payload_bytes;
    uint8_t *at = bytes;
    uint8_t *addresses, *header, *sum;
    uint32_t pseudo;

    orch_assert(tcp->payload_bytes <= TCP_BYTES_MAX_PAYLOAD &&
                tcp->n_sacks <= TCP_BYTES_MAX_SACKS);
    addresses = ip_header_write(&at, ip, PROTOCOL_TCP, length) + ADDRESSES_AT;
    header = at;
    sum = put_header(&at, tcp);
    /* The payload adds nothing.  The rest of the pseudo header: RFC 9293. */
    pseudo = PROTOCOL_TCP + length;
    pseudo += (uint16_t)~ip_header_checksum(addresses, ADDRESSES_BYTES, 0);
    ip_header_put(&sum, ip_header_checksum(header, n, pseudo), 2);
    memset(at, 0, tcp->payload_bytes);
    return (size_t)(at - bytes) + tcp->payload_bytes;
}
