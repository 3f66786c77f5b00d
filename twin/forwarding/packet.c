/* SPDX-License-Identifier: Apache-2.0 */

/* Parses and rewrites the headers of a frame.
 *
 * Reading goes from the outside to the inside: Ethernet with up to two tags,
 * then the network header, then as much of the transport header as ECMP and the
 * traps look at.  Each step gets the rest of the frame by value, and checks
 * that its header is complete before reading it, so a frame may end anywhere or
 * contain anything.  The parser accepts a length field only if the frame has
 * that many bytes.  It records a fault and stops there, except for a wrong
 * checksum; the fields read before it are valid.
 *
 * References: IEEE 802.1Q-2018 clause 9 (tags), RFC 791 (IPv4), RFC 8200
 * (IPv6), RFC 3032 (MPLS labels), RFC 826 (ARP), RFC 1624 (incremental update
 * of checksums). */

#include <config.h>

#include "twin/forwarding/packet.h"

#include <string.h>

enum {
    /* Offsets in the frame, in bytes. */
    OFFSET_SOURCE = 6,
    OFFSET_TYPE = 12,
    MAX_TAGS = 2,
    MAC_BYTES = 6,

    /* Ethertypes, and the fields of a tag. */
    TYPE_IPV4 = 0x0800,
    TYPE_ARP = 0x0806,
    TYPE_TAG = 0x8100,
    TYPE_IPV6 = 0x86dd,
    TYPE_MPLS = 0x8847,
    TYPE_MPLS_GROUP = 0x8848,
    TYPE_SERVICE_TAG = 0x88a8,
    VLAN_BITS = 0xfff,
    DROP_BIT = 0x1000,

    /* Sizes of headers, and offsets in them, in bytes. */
    IPV4_BYTES = 20,
    IPV4_LENGTH = 2,
    IPV4_CHECKSUM = 10,
    IPV6_BYTES = 40,
    IPV6_LENGTH = 4,
    ARP_OPERATION = 6,
    LABEL_BYTES = 4,
    PORTS_BYTES = 4,
    TCP_FLAGS = 13, /* Where they are. */
    FRAGMENT_BITS = 0x1fff,
};

/* Extension headers of IPv6 (RFC 8200 section 4, RFC 4302). */
enum {
    NEXT_HOP_BY_HOP = 0,
    NEXT_ROUTING = 43,
    NEXT_FRAGMENT = 44,
    NEXT_AUTHENTICATION = 51,
    NEXT_OPTIONS = 60,
};

/* The rest of a frame. */
struct rest {
    const uint8_t *bytes;
    uint32_t n;
};

/* Numbers are in network order.  MAC addresses are numbers whose highest byte
 * is the first on the wire. */
static uint16_t
read_u16(const uint8_t *bytes)
{
    return (uint16_t)(bytes[0] << 8 | bytes[1]);
}

static uint64_t
read_mac(const uint8_t *bytes)
{
    uint64_t mac = 0;

    for (int i = 0; i < MAC_BYTES; i++) {
        mac = mac << 8 | bytes[i];
    }
    return mac;
}

static void
write_u16(uint8_t *bytes, uint16_t value)
{
    bytes[0] = (uint8_t)(value >> 8);
    bytes[1] = (uint8_t)value;
}

static void
write_mac(uint8_t *bytes, uint64_t mac)
{
    for (int i = 0; i < MAC_BYTES; i++) {
        bytes[i] = (uint8_t)(mac >> (8 * (MAC_BYTES - 1 - i)));
    }
}

/* Skips 'n' bytes, which must be there. */
static void
skip(struct rest *rest, uint32_t n)
{
    rest->bytes += n;
    rest->n -= n;
}

/* Reading -------------------------------------------------------------- */

/* Reads the transport header at 'rest'. */
static void
read_transport(struct rest rest, struct packet *packet)
{
    if (packet->is_fragment) {
        return;
    }
    switch (packet->protocol) {
    case PACKET_TCP:
    case PACKET_UDP:
    case PACKET_SCTP:
        if (rest.n >= PORTS_BYTES) {
            packet->has_ports = true;
            packet->src_port = read_u16(rest.bytes);
            packet->dst_port = read_u16(rest.bytes + 2);
        }
        if (packet->protocol == PACKET_TCP && rest.n > TCP_FLAGS) {
            packet->tcp_flags = rest.bytes[TCP_FLAGS];
        }
        break;
    case PACKET_ICMP:
    case PACKET_ICMPV6:
        if (rest.n >= 1) {
            packet->operation = rest.bytes[0];
        }
        if (rest.n >= 2) {
            packet->icmp_code = rest.bytes[1];
        }
        break;
    default:
        break;
    }
}

/* Reads an IPv4 header and skips its options. */
static void
read_ipv4(struct rest rest, struct packet *packet)
{
    uint32_t header;

    if (rest.n < IPV4_BYTES) {
        packet->fault = PACKET_SHORT;
        return;
    }
    if (rest.bytes[0] >> 4 != 4) {
        packet->fault = PACKET_VERSION;
        return;
    }
    header = (rest.bytes[0] & 0xfu) * 4;
    packet->class_byte = rest.bytes[1];
    packet->ip_bytes = read_u16(rest.bytes + IPV4_LENGTH);
    packet->ip_id = read_u16(rest.bytes + 4);
    packet->is_fragment = (read_u16(rest.bytes + 6) & FRAGMENT_BITS) != 0;
    packet->ttl = rest.bytes[8];
    packet->protocol = rest.bytes[9];
    packet->src = address_make(ADDRESS_V4, rest.bytes + 12);
    packet->dst = address_make(ADDRESS_V4, rest.bytes + 16);
    packet->has_options = header > IPV4_BYTES;
    if (header < IPV4_BYTES || packet->ip_bytes < header ||
        packet->ip_bytes > rest.n) {
        packet->fault = PACKET_LENGTH;
        return;
    }
    if (packet_checksum(rest.bytes, header) != 0) {
        packet->fault = PACKET_CHECKSUM;
    }
    rest.n = packet->ip_bytes; /* What follows is padding. */
    skip(&rest, header);
    read_transport(rest, packet);
}

/* Returns the length of the extension header of type 'next' at 'rest', 0 if
 * 'next' is not an extension header or it is cut short. */
static uint32_t
extension_bytes(uint8_t next, const struct rest *rest)
{
    uint32_t n = 0;

    if (rest->n < 8) { /* The shortest. */
        return 0;
    }
    switch (next) {
    case NEXT_HOP_BY_HOP:
    case NEXT_ROUTING:
    case NEXT_OPTIONS:
        n = (rest->bytes[1] + 1u) * 8;
        break;
    case NEXT_AUTHENTICATION:
        n = (rest->bytes[1] + 2u) * 4;
        break;
    case NEXT_FRAGMENT:
        n = 8;
        break;
    default:
        break;
    }
    return n <= rest->n ? n : 0;
}

/* Reads an IPv6 header and walks its extension headers up to the transport;
 * stops with the last protocol if one is cut short. */
static void
read_ipv6(struct rest rest, struct packet *packet)
{
    uint32_t n;

    if (rest.n < IPV6_BYTES) {
        packet->fault = PACKET_SHORT;
        return;
    }
    if (rest.bytes[0] >> 4 != 6) {
        packet->fault = PACKET_VERSION;
        return;
    }
    packet->class_byte = (uint8_t)(rest.bytes[0] << 4 | rest.bytes[1] >> 4);
    packet->ip_bytes = IPV6_BYTES + read_u16(rest.bytes + IPV6_LENGTH);
    packet->protocol = rest.bytes[6];
    packet->ttl = rest.bytes[7];
    packet->src = address_make(ADDRESS_V6, rest.bytes + 8);
    packet->dst = address_make(ADDRESS_V6, rest.bytes + 24);
    packet->has_options = packet->protocol == NEXT_HOP_BY_HOP;
    if (packet->ip_bytes > rest.n) {
        packet->fault = PACKET_LENGTH;
        return;
    }
    rest.n = packet->ip_bytes;
    skip(&rest, IPV6_BYTES);
    while ((n = extension_bytes(packet->protocol, &rest)) != 0) {
        if (packet->protocol == NEXT_FRAGMENT) {
            packet->is_fragment = (read_u16(rest.bytes + 2) & 0xfff8) != 0;
        }
        packet->protocol = rest.bytes[0];
        skip(&rest, n);
        if (packet->is_fragment) {
            return; /* No transport header follows. */
        }
    }
    read_transport(rest, packet);
}

uint32_t
packet_transport(const struct packet *packet, const uint8_t *bytes)
{
    struct rest rest = {bytes + packet->offset, packet->ip_bytes};
    uint8_t next;
    uint32_t n;

    if (packet->kind == PACKET_IPV4) {
        return packet->offset + (rest.bytes[0] & 0xfu) * 4;
    }
    next = rest.bytes[6];
    skip(&rest, IPV6_BYTES);
    while ((n = extension_bytes(next, &rest)) != 0) {
        next = rest.bytes[0];
        skip(&rest, n);
    }
    return (uint32_t)(rest.bytes - bytes);
}

/* Reads the top label, and counts those down to the bottom of the stack. */
static void
read_mpls(struct rest rest, struct packet *packet)
{
    bool is_last = false;

    if (rest.n >= LABEL_BYTES) {
        packet->label =
            (uint32_t)read_u16(rest.bytes) << 4 | rest.bytes[2] >> 4;
        packet->exp = rest.bytes[2] >> 1 & 7;
        packet->ttl = rest.bytes[3];
    }
    while (rest.n >= LABEL_BYTES && !is_last && packet->n_labels < UINT8_MAX) {
        is_last = (rest.bytes[2] & 1) != 0;
        packet->n_labels++;
        skip(&rest, LABEL_BYTES);
    }
    packet->fault = is_last ? PACKET_SOUND : PACKET_SHORT;
}

/* Reads the network header at 'rest' by the type of the frame. */
static void
read_network(struct rest rest, struct packet *packet)
{
    switch (packet->type) {
    case TYPE_IPV4:
        packet->kind = PACKET_IPV4;
        read_ipv4(rest, packet);
        break;
    case TYPE_IPV6:
        packet->kind = PACKET_IPV6;
        read_ipv6(rest, packet);
        break;
    case TYPE_MPLS:
    case TYPE_MPLS_GROUP:
        packet->kind = PACKET_MPLS;
        read_mpls(rest, packet);
        break;
    case TYPE_ARP:
        packet->kind = PACKET_ARP;
        if (rest.n >= ARP_OPERATION + 2) {
            packet->operation = read_u16(rest.bytes + ARP_OPERATION);
        } else {
            packet->fault = PACKET_SHORT;
        }
        break;
    default:
        break;
    }
}

bool
packet_parse(const uint8_t *bytes, uint32_t n, struct packet *packet)
{
    struct rest rest = {bytes, n};

    memset(packet, 0, sizeof *packet);
    if (n < PACKET_MIN_BYTES) {
        return false;
    }
    packet->dst_mac = read_mac(bytes);
    packet->src_mac = read_mac(bytes + OFFSET_SOURCE);
    skip(&rest, OFFSET_TYPE);
    packet->type = read_u16(rest.bytes);
    while ((packet->type == TYPE_TAG ||
            (packet->n_tags && packet->type == TYPE_SERVICE_TAG)) &&
           packet->n_tags < MAX_TAGS && rest.n >= PACKET_TAG_BYTES + 2) {
        if (packet->n_tags++ == 0) {
            packet->tag = read_u16(rest.bytes + 2) & VLAN_BITS;
            packet->pcp = rest.bytes[2] >> 5;
        }
        skip(&rest, PACKET_TAG_BYTES);
        packet->type = read_u16(rest.bytes);
    }
    skip(&rest, 2);
    packet->offset = n - rest.n;
    read_network(rest, packet);
    return true;
}

/* Returns whether there is a complete IP header. */
static bool
has_ip(const struct packet *packet)
{
    return (packet->kind == PACKET_IPV4 || packet->kind == PACKET_IPV6) &&
           packet->fault != PACKET_SHORT && packet->fault != PACKET_VERSION;
}

int
packet_dscp(const struct packet *packet)
{
    return has_ip(packet) ? packet->class_byte >> 2 : -1;
}

uint8_t
packet_ecn(const struct packet *packet)
{
    return has_ip(packet) ? packet->class_byte & 3 : 0;
}

/* Changing ------------------------------------------------------------- */

uint16_t
packet_checksum(const uint8_t *bytes, uint32_t n)
{
    uint32_t sum = 0;

    for (uint32_t i = 0; i + 1 < n; i += 2) {
        sum += read_u16(bytes + i);
    }
    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint16_t)~sum;
}

uint16_t
packet_checksum_update(uint16_t old, uint16_t from, uint16_t to)
{
    uint32_t sum = (uint32_t)(uint16_t)~old + (uint16_t)~from + to;

    while (sum >> 16) {
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return (uint16_t)~sum;
}

struct packet_change
packet_keep(const struct packet *packet)
{
    return (struct packet_change){
        .dst_mac = packet->dst_mac,
        .src_mac = packet->src_mac,
        .tag = packet->tag,
        .pcp = packet->pcp,
        .exp = packet->exp,
        .class_byte = packet->class_byte,
        .ttl = packet->ttl,
    };
}

/* Replaces the 16 bits at 'offset' of an IPv4 header. */
static void
change_ipv4(uint8_t *header, uint32_t offset, uint16_t value)
{
    const uint16_t old = read_u16(header + offset);
    uint8_t *checksum = header + IPV4_CHECKSUM;

    if (old != value) {
        write_u16(checksum,
                  packet_checksum_update(read_u16(checksum), old, value));
        write_u16(header + offset, value);
    }
}

/* Applies the change to the IP header at 'header'. */
static void
change_ip(enum packet_kind kind, const struct packet_change *change,
          uint8_t *header)
{
    if (kind == PACKET_IPV4) {
        change_ipv4(header, 0, (uint16_t)(header[0] << 8 | change->class_byte));
        change_ipv4(header, 8, (uint16_t)(change->ttl << 8 | header[9]));
    } else {
        header[0] = (uint8_t)((header[0] & 0xf0) | change->class_byte >> 4);
        header[1] = (uint8_t)(change->class_byte << 4 | (header[1] & 0xf));
        header[7] = change->ttl;
    }
}

void
packet_shorten(const struct packet *packet, uint8_t *bytes, uint32_t n)
{
    const bool is_ipv4 = packet->kind == PACKET_IPV4;
    const uint32_t header = is_ipv4 ? IPV4_BYTES : IPV6_BYTES;
    uint8_t *ip = bytes + packet->offset;

    if (!has_ip(packet) || n < packet->offset + header ||
        packet->ip_bytes <= n - packet->offset) {
        return;
    }
    if (is_ipv4) {
        change_ipv4(ip, IPV4_LENGTH, (uint16_t)(n - packet->offset));
    } else {
        write_u16(ip + IPV6_LENGTH, (uint16_t)(n - packet->offset - header));
    }
}

uint32_t
packet_write(const struct packet *packet, const uint8_t *bytes, uint32_t n,
             const struct packet_change *change, uint8_t *out)
{
    uint32_t at = OFFSET_TYPE;
    uint32_t from = OFFSET_TYPE;
    uint8_t *header;

    write_mac(out, change->dst_mac);
    write_mac(out + OFFSET_SOURCE, change->src_mac);
    if (packet->n_tags) {
        from += PACKET_TAG_BYTES;
    }
    if (change->tag) {
        /* Keeps the drop eligible indicator of the old tag. */
        const uint16_t old =
            packet->n_tags ? read_u16(bytes + OFFSET_TYPE + 2) : 0;

        write_u16(out + at, TYPE_TAG);
        write_u16(out + at + 2,
                  (uint16_t)(change->pcp << 13 | (old & DROP_BIT) |
                             (change->tag & VLAN_BITS)));
        at += PACKET_TAG_BYTES;
    }
    memcpy(out + at, bytes + from, n - from);
    header = out + at + (packet->offset - from);
    if (has_ip(packet)) {
        change_ip(packet->kind, change, header);
    } else if (packet->n_labels) {
        header[2] = (uint8_t)((header[2] & 0xf1) | change->exp << 1);
    }
    return at + n - from;
}
