/* SPDX-License-Identifier: Apache-2.0 */

/* Writes Ethernet and IPv4 headers. */

#include <config.h>

#include "results/ip_header.h"

enum { TYPE_IPV4 = 0x0800, TYPE_VLAN = 0x8100, DO_NOT_FRAGMENT = 0x4000 };

void
ip_header_put(uint8_t **at, uint64_t value, unsigned int n)
{
    for (unsigned int i = 0; i < n; i++) {
        *(*at)++ = (uint8_t)(value >> 8 * (n - 1 - i));
    }
}

uint16_t
ip_header_checksum(const uint8_t *bytes, uint32_t n, uint32_t sum)
{
    for (uint32_t i = 0; i < n; i += 2) {
        sum += (uint32_t)bytes[i] << 8 | bytes[i + 1];
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t)~sum;
}

static void
put_ethernet(uint8_t **at, const struct ip_header *header)
{
    ip_header_put(at, header->destination_mac, 6);
    ip_header_put(at, header->source_mac, 6);
    if (header->tagged) {
        ip_header_put(at, TYPE_VLAN, 2);
        ip_header_put(at, (uint64_t)header->pcp << 13 | header->vlan, 2);
    }
    ip_header_put(at, TYPE_IPV4, 2);
}

uint8_t *
ip_header_write(uint8_t **at, const struct ip_header *header, uint8_t protocol,
                uint32_t length)
{
    uint8_t *ip, *sum;

    put_ethernet(at, header);
    ip = *at;
    ip_header_put(at, 0x45, 1);
    ip_header_put(at, (uint64_t)header->dscp << 2 | header->ecn, 1);
    ip_header_put(at, IP_HEADER_BYTES + length, 2);
    ip_header_put(at, header->ip_id, 2);
    ip_header_put(at, DO_NOT_FRAGMENT, 2);
    ip_header_put(at, header->ttl, 1);
    ip_header_put(at, protocol, 1);
    sum = *at;
    ip_header_put(at, 0, 2);
    ip_header_put(at, header->source_ip, 4);
    ip_header_put(at, header->destination_ip, 4);
    ip_header_put(&sum, ip_header_checksum(ip, IP_HEADER_BYTES, 0), 2);
    return ip;
}

void
ip_header_set_length(uint8_t *ip, uint32_t length)
{
    uint8_t *at = ip + 2;
    uint8_t *sum = ip + 10;

    ip_header_put(&at, length, 2);
    ip_header_put(&sum, 0, 2);
    sum = ip + 10;
    ip_header_put(&sum, ip_header_checksum(ip, IP_HEADER_BYTES, 0), 2);
}
