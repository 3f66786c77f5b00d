/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_PACKET_H
#define ORCHD_TWIN_FORWARDING_PACKET_H

/* Parses and rewrites the headers of a frame.
 *
 * The parser reads Ethernet II with up to two tags (the outer one of 802.1Q),
 * ARP, IPv4 with options, IPv6 with its extension headers, the ports of TCP,
 * UDP and SCTP, and a stack of MPLS labels.  It never reads beyond the given
 * bytes, and accepts any frame: fields that it cannot read are 0, and 'fault'
 * says why.
 *
 * A rewrite changes addresses, the outer tag, TTL or hop limit, the byte with
 * DSCP and ECN, and EXP.  It updates the checksum of an IPv4 header
 * incrementally, so a wrong checksum stays wrong (RFC 1624 equation 3).
 *
 * References: IEEE 802.3 clause 3, IEEE 802.1Q clause 9, RFC 791, RFC 8200,
 * RFC 3032 (MPLS), RFC 826. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/address.h"

enum {
    PACKET_MIN_BYTES = 14, /* An Ethernet header. */
    PACKET_TAG_BYTES = 4,
};

/* What follows the Ethernet header. */
enum packet_kind {
    PACKET_OTHER,
    PACKET_ARP,
    PACKET_IPV4,
    PACKET_IPV6,
    PACKET_MPLS,
};

/* What is wrong with an IP header. */
enum packet_fault {
    PACKET_SOUND,
    PACKET_SHORT,    /* The frame ends within the header. */
    PACKET_VERSION,  /* Its version does not match the Ethernet type. */
    PACKET_LENGTH,   /* A length field does not fit. */
    PACKET_CHECKSUM, /* Of IPv4. */
};

enum packet_protocol {
    PACKET_ICMP = 1,
    PACKET_IPIP = 4, /* IPv4 inside. */
    PACKET_TCP = 6,
    PACKET_UDP = 17,
    PACKET_IPV6_IN_IP = 41,
    PACKET_ICMPV6 = 58,
    PACKET_OSPF = 89,
    PACKET_SCTP = 132,
};

/* The parsed headers of a frame; MAC addresses are the low 48 bits. */
struct packet {
    uint64_t dst_mac;
    uint64_t src_mac;
    uint16_t type;   /* After the tags. */
    uint16_t tag;    /* The VLAN of the outer tag; 0: none, or priority only. */
    uint8_t n_tags;  /* 0..2. */
    uint8_t pcp;     /* Of the outer tag. */
    uint32_t offset; /* Where the network header starts. */

    enum packet_kind kind;
    enum packet_fault fault;

    /* IP. */
    struct address src;
    struct address dst;
    uint32_t ip_bytes;  /* Length of the packet by its header. */
    uint16_t ip_id;     /* IPv4. */
    uint8_t class_byte; /* DSCP and ECN. */
    uint8_t ttl;        /* Or hop limit, or of the outer label. */
    uint8_t protocol;   /* After the extension headers. */
    bool has_options;   /* Or hop-by-hop options. */
    bool is_fragment;   /* Not the first one: no ports. */
    bool has_ports;
    uint16_t src_port;
    uint16_t dst_port;
    uint16_t operation; /* Of ARP; type of ICMP. */
    uint8_t icmp_code;
    uint8_t tcp_flags;

    /* MPLS. */
    uint32_t label; /* Outer. */
    uint8_t exp;
    uint8_t n_labels; /* 255 if there are more. */
};

/* Parses the frame of 'n' bytes.  If it is shorter than an Ethernet header,
 * returns false and sets '*packet' to 0. */
bool packet_parse(const uint8_t *bytes, uint32_t n, struct packet *packet);

/* Return DSCP and ECN; a negative DSCP and ECN 0 if it is not IP with a
 * complete header. */
int packet_dscp(const struct packet *packet);
uint8_t packet_ecn(const struct packet *packet);

/* Returns where in the frame 'bytes', which was parsed to '*packet', the header
 * behind that of IP and its extension headers starts.  'packet' must be sound
 * IP that is no fragment. */
uint32_t packet_transport(const struct packet *packet, const uint8_t *bytes);

/* The headers with which a frame leaves. */
struct packet_change {
    uint64_t dst_mac;
    uint64_t src_mac;
    uint16_t tag;       /* 0: without a tag. */
    uint8_t pcp;        /* Of the tag. */
    uint8_t exp;        /* Of the outer label, if it is MPLS. */
    uint8_t class_byte; /* These two apply if it is IP with a complete
                         * header. */
    uint8_t ttl;
};

/* Returns a change that leaves 'packet' as it is. */
struct packet_change packet_keep(const struct packet *packet);

/* Writes the frame 'bytes' of 'n' bytes, which was parsed to '*packet', with
 * 'change' applied to 'out', which has room for 'n' + PACKET_TAG_BYTES.
 * Returns the length. */
uint32_t packet_write(const struct packet *packet, const uint8_t *bytes,
                      uint32_t n, const struct packet_change *change,
                      uint8_t *out);

/* Makes the IP header in 'bytes', which were parsed to '*packet', that of a
 * packet that ends with them after 'n' bytes: its length, and the checksum of
 * IPv4.  A header that says less, or that 'bytes' do not have whole, stays. */
void packet_shorten(const struct packet *packet, uint8_t *bytes, uint32_t n);

/* Returns the Internet checksum (RFC 1071) of 'n' bytes, an even number; 0 if
 * they contain their correct checksum. */
uint16_t packet_checksum(const uint8_t *bytes, uint32_t n);

/* Returns checksum 'old' updated for a change of 16 bits from 'from' to
 * 'to'. */
uint16_t packet_checksum_update(uint16_t old, uint16_t from, uint16_t to);

#endif /* twin/forwarding/packet.h */
