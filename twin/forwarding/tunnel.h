/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_TUNNEL_H
#define ORCHD_TWIN_FORWARDING_TUNNEL_H

/* The ends of tunnels of IP in IP: which packets a switch decapsulates, and
 * what becomes of the two headers.
 *
 * A packet that is addressed to the router and carries IPv4 or IPv6 (protocol 4
 * or 41) is compared with the terminations of its virtual router.  The one with
 * the largest priority applies; among equal ones, that with more bits of the
 * destination, then of the source, then the oldest.  A search is linear, but
 * only packets of these protocols are searched for.
 *
 * Each field of the inner header follows from both headers (RFC 2983 names the
 * models of DSCP, RFC 3443 those of TTL):
 *
 *   TTL, DSCP   uniform: that of the outer header; pipe: that of the inner one
 *   ECN         that of the outer header, or the combination of both by
 *               RFC 6040 section 4.2, which drops a packet that was marked CE
 *               outside while it is not ECN-capable inside
 *
 * The inner packet is decapsulated once: what it carries is not looked at.
 * Fragments are not decapsulated, because they have to be reassembled first. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/address.h"
#include "twin/forwarding/frame.h"

struct classify_map;
struct packet;

/* A tunnel, of the caller, who may change it at any time. */
struct tunnel {
    uint32_t interface; /* Of the router: its virtual router routes the inner
                         * packets, and it counts them. */
    bool pipes_ttl;
    bool pipes_dscp;
    bool copies_ecn; /* Instead of RFC 6040. */

    /* Maps of packets that leave the tunnel, which override those of the
     * ingress port: outer DSCP to traffic class, and that to priority group.
     * NULL: none.  Borrowed. */
    const struct classify_map *dscp_to_tc;
    const struct classify_map *tc_to_pg;

    /* What was decapsulated: the frames as they arrived. */
    uint64_t in_packets;
    uint64_t in_octets;
};

/* Which packets are decapsulated by 'tunnel'.  An address of family
 * ADDRESS_NONE matches all; otherwise the bits that are set in its mask are
 * compared, and those not set must be 0 in the address. */
struct tunnel_end {
    uint32_t domain; /* Virtual router in which the packets arrive. */
    struct address dst;
    struct address dst_mask;
    struct address src;
    struct address src_mask;
    uint32_t priority;
    struct tunnel *tunnel; /* Borrowed. */
    uint64_t key;          /* Unique; chosen by the caller. */
};

/* The terminations of a switch, in order of precedence.  Empty if it is 0. */
struct tunnel_table {
    struct tunnel_end *ends;
    uint32_t n;
};

/* Frees what 'table' owns. */
void tunnel_table_fini(struct tunnel_table *table);

/* Adds a termination, or replaces that with the same key. */
void tunnel_table_set(struct tunnel_table *table, const struct tunnel_end *end);

/* Removes the termination with that key, if there is one. */
void tunnel_table_remove(struct tunnel_table *table, uint64_t key);

/* Returns another termination than 'end' that matches exactly the same packets
 * with the same priority, NULL if there is none. */
const struct tunnel_end *tunnel_table_twin(const struct tunnel_table *table,
                                           const struct tunnel_end *end);

/* Returns the tunnel that 'packet', which has arrived in 'domain', ends, NULL
 * if it is not for one. */
struct tunnel *tunnel_table_find(const struct tunnel_table *table,
                                 uint32_t domain, const struct packet *packet);

/* Returns the frame with the packet inside 'outer': the same Ethernet header
 * and tag, the inner packet, and zeros up to the shortest frame.  NULL if
 * 'outer' is not a sound packet of these protocols with bytes, or the inner one
 * is malformed.  The caller owns the only reference. */
struct sim_payload *tunnel_open(const struct sim_payload *outer);

/* Stores in '*ecn' the ECN field that results from those of both headers by RFC
 * 6040.  Returns false if the packet must be dropped. */
bool tunnel_combine_ecn(uint8_t outer, uint8_t inner, uint8_t *ecn);

#endif /* twin/forwarding/tunnel.h */
