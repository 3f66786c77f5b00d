/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_ROCEV2_H
#define ORCHD_RESULTS_ROCEV2_H

/* Writes packets of RoCEv2 as bytes, so that other programs decode a capture of
 * a simulated fabric.
 *
 *     Ethernet 14 [VLAN tag 4] | IPv4 20 | UDP 8, port 4791 | BTH 12 |
 *     extended headers | payload, padded to 4 | ICRC 4
 *
 * Which extended headers there are follows from the opcode of the BTH: RETH 16
 * (first packet of a WRITE, READ request), AETH 4 (acknowledge; first, last and
 * only READ response), immediate data 4, IETH 4 (SEND with invalidate); a CNP
 * has 16 reserved bytes.  The FCS is not part of captures.
 *
 * The ICRC covers what does not change on the way: everything from the IP
 * header on, after 8 bytes of ones in place of an InfiniBand header, with ones
 * for the type of service, TTL and checksum of IP, the checksum of UDP, and the
 * byte of the BTH with FECN and BECN.  It is the CRC-32 of Ethernet, sent with
 * its least significant byte first.
 *
 * Reference: InfiniBand Architecture Specification, volume 1, annex A17
 * (RoCEv2), sections 9.2 to 9.3 and 7.8.1. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "results/ip_header.h"

enum {
    ROCEV2_PORT = 4791,
    ROCEV2_MAX_PAYLOAD = 9216, /* Simulated MTUs may exceed the 4096 of RC. */
    /* The largest packet: all headers with a tag, RETH, immediate data,
     * padding, payload and ICRC. */
    ROCEV2_MAX_BYTES = 18 + 20 + 8 + 12 + 16 + 4 + ROCEV2_MAX_PAYLOAD + 4,
};

struct rocev2_packet {
    struct ip_header ip;
    uint16_t source_port; /* The entropy of the QP. */

    /* BTH. */
    uint8_t opcode; /* 0x00..0x17 of RC, or 0x81: CNP. */
    uint32_t qp;    /* Destination QP, 24 bits. */
    uint32_t psn;   /* 24 bits. */
    bool ack_request, solicited, becn;

    /* Extended headers, as far as the opcode has them. */
    uint64_t address;
    uint32_t rkey, dma_length; /* RETH; of an IETH only the key. */
    uint8_t syndrome;
    uint32_t msn; /* 24 bits. */
    uint32_t immediate;

    uint16_t payload_bytes; /* At most ROCEV2_MAX_PAYLOAD. */
    const uint8_t *payload; /* NULL: zeros. */
};

/* Returns the length of 'packet' without FCS. */
size_t rocev2_length(const struct rocev2_packet *packet);

/* Writes 'packet' into 'bytes' and returns its length. */
size_t rocev2_build(const struct rocev2_packet *packet,
                    uint8_t bytes[ROCEV2_MAX_BYTES]);

/* Returns the ICRC of the packet of 'n' bytes whose IP header begins at 'ip',
 * without the 4 bytes of the ICRC, as a number whose least significant byte is
 * sent first. */
uint32_t rocev2_icrc(const uint8_t *ip, size_t n);

#endif /* results/rocev2.h */
