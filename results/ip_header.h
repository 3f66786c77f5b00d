/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_IP_HEADER_H
#define ORCHD_RESULTS_IP_HEADER_H

/* Writes Ethernet and IPv4 headers as bytes, for packets of simulations.
 *
 *     Ethernet 14 [VLAN tag 4] | IPv4 20 */

#include <stdbool.h>
#include <stdint.h>

enum { IP_HEADER_BYTES = 20, IP_HEADER_MAX_BYTES = 18 + IP_HEADER_BYTES };

struct ip_header {
    uint64_t source_mac, destination_mac; /* The low 48 bits. */
    uint32_t source_ip, destination_ip;   /* Most significant byte first. */
    uint16_t ip_id;
    uint8_t dscp; /* 0..63. */
    uint8_t ecn;  /* 0..3; 3 is CE. */
    uint8_t ttl;
    bool tagged; /* With a VLAN tag of 'vlan' and 'pcp'. */
    uint16_t vlan;
    uint8_t pcp;
};

/* Writes the low 'n' bytes of 'value' at '*at', the most significant first, and
 * moves '*at' behind them. */
void ip_header_put(uint8_t **at, uint64_t value, unsigned int n);

/* Writes both headers of a packet of 'protocol' with 'length' bytes behind them
 * at '*at', and moves it behind them.  Returns where the IP header begins. */
uint8_t *ip_header_write(uint8_t **at, const struct ip_header *header,
                         uint8_t protocol, uint32_t length);

/* Makes 'length' the bytes of the packet whose IP header is at 'ip', the header
 * included. */
void ip_header_set_length(uint8_t *ip, uint32_t length);

/* Returns the checksum of RFC 1071 of the 'n' bytes at 'bytes', an even number,
 * added to 'sum', the sum of other 16-bit words. */
uint16_t ip_header_checksum(const uint8_t *bytes, uint32_t n, uint32_t sum);

#endif /* results/ip_header.h */
