/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_TCP_BYTES_H
#define ORCHD_RESULTS_TCP_BYTES_H

/* Writes segments of TCP as bytes, so that other programs decode a capture of a
 * simulated fabric.
 *
 *     Ethernet 14 [VLAN tag 4] | IPv4 20 | TCP 20 [no-operation 2, SACK 2 + 8
 * n] | payload, zeros
 *
 * Each segment has ACK.  The window is what is left of it after a scale of
 * TCP_BYTES_WINDOW_SHIFT.  The FCS is not part of captures.
 *
 * Reference: RFC 9293, section 3.1; RFC 2018, section 3; RFC 3168. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/ip_header.h"

enum {
    TCP_BYTES_MAX_SACKS = 4,
    TCP_BYTES_MAX_PAYLOAD = 9216,
    TCP_BYTES_MAX = IP_HEADER_MAX_BYTES + 60 + TCP_BYTES_MAX_PAYLOAD,
    TCP_BYTES_WINDOW_SHIFT = 14, /* The largest of RFC 7323. */
};

struct tcp_bytes {
    uint16_t source_port, destination_port;
    uint32_t sequence, acknowledgement;
    uint32_t window_bytes; /* At most 2^30 - 1. */
    bool push, ece, cwr;
    uint8_t n_sacks;
    uint32_t sacks[TCP_BYTES_MAX_SACKS][2]; /* Begin, end. */
    uint16_t payload_bytes;                 /* At most TCP_BYTES_MAX_PAYLOAD. */
};

/* Writes 'tcp' behind 'ip' into 'bytes' and returns the length. */
size_t tcp_bytes_build(const struct ip_header *ip, const struct tcp_bytes *tcp,
                       uint8_t bytes[TCP_BYTES_MAX]);

#endif /* results/tcp_bytes.h */
