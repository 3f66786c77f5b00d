/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FLOW_HASH_H
#define ORCHD_TWIN_FORWARDING_FLOW_HASH_H

/* The hash of a flow, by which ECMP and LAGs choose a member.
 *
 * Fields.  The hash is over a list of header fields for each family: IPv4, IPv6
 * and other frames.  They are taken in the order of 'enum flow_field', in
 * network byte order and without gaps.  A field that a packet does not have
 * counts as zero: fragments have no ports, so all of them take the same path
 * (RFC 2992 discusses the choice).
 *
 * Algorithms.
 *
 *   CRC_32     CRC-32 of IEEE 802.3 (polynomial 0x04c11db7, reflected) without
 *              the final inversion; the seed is the initial value;
 *   CRC_32_LOW, CRC_32_HIGH
 *              its lower and upper 16 bits;
 *   CRC_CCITT  CRC-16 with polynomial 0x1021, not reflected; the lower 16 bits
 *              of the seed are the initial value;
 *   XOR        the exclusive or of the seed and the fields, each as a number of
 *              32 bits; longer fields as several.
 *
 * Offset.  The result is rotated right by 'offset' bits within its width of 32
 * or 16 bits, so a switch can use other bits than the next one.
 *
 * Speed.  All algorithms are linear: hash(seed, x) = hash(0, x) ^ hash(seed,
 * 0), where the second term depends only on the length of x.  So the first one,
 * the *base*, is computed once per flow for all switches that hash the same
 * fields in the same way, and each switch combines it with its seed and offset
 * in a few instructions.
 *
 * Polarisation.  If two tiers of switches choose by the same hash, the second
 * tier gets only flows of equal hashes, and uses only some of its paths.
 * Because of the linearity a different seed does not help where the numbers of
 * paths are powers of two: it permutes the paths.  A different offset, or other
 * fields, do help. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/address.h"

struct packet;

enum flow_field {
    FLOW_SRC_IP = 1 << 0,
    FLOW_DST_IP = 1 << 1,
    FLOW_PROTOCOL = 1 << 2,
    FLOW_SRC_PORT = 1 << 3,
    FLOW_DST_PORT = 1 << 4,
    FLOW_SRC_MAC = 1 << 5,
    FLOW_DST_MAC = 1 << 6,
    FLOW_ETHERTYPE = 1 << 7,
    FLOW_VLAN = 1 << 8,

    FLOW_N_FIELDS = 9,
    FLOW_IP_FIELDS = FLOW_SRC_IP | FLOW_DST_IP | FLOW_PROTOCOL | FLOW_SRC_PORT |
                     FLOW_DST_PORT,
    FLOW_ETHERNET_FIELDS = FLOW_SRC_MAC | FLOW_DST_MAC | FLOW_ETHERTYPE,
};

enum flow_hash_algorithm {
    FLOW_HASH_CRC_32,
    FLOW_HASH_CRC_32_LOW,
    FLOW_HASH_CRC_32_HIGH,
    FLOW_HASH_CRC_CCITT,
    FLOW_HASH_XOR,
};

enum {
    FLOW_HASH_FAMILIES = ADDRESS_V6 + 1, /* enum address_family. */
    FLOW_HASH_MAX_OFFSET = 31,
};

struct flow_hash_config {
    enum flow_hash_algorithm algorithm;
    uint32_t seed;
    uint8_t offset;
    /* FLOW_* by family.  For frames that are not IP only the fields of Ethernet
     * and the VLAN count; if there are none, FLOW_ETHERNET_FIELDS. */
    uint16_t fields[FLOW_HASH_FAMILIES];
};

/* A hash function.  Initialise it with flow_hash_init(); read-only after. */
struct flow_hash {
    struct flow_hash_config config;
    uint32_t seeds[FLOW_HASH_FAMILIES]; /* hash(seed, 0). */
};

/* Returns the default: CRC_32 with seed 0 and offset 0 over FLOW_IP_FIELDS, or
 * FLOW_ETHERNET_FIELDS. */
struct flow_hash_config flow_hash_default(void);

void flow_hash_init(struct flow_hash *hash,
                    const struct flow_hash_config *config);

/* Returns the base of the flow of 'packet': what does not depend on seed and
 * offset. */
uint32_t flow_hash_base(const struct flow_hash *hash,
                        const struct packet *packet);

/* Returns whether the bases of 'a' and 'b' are equal for every packet. */
bool flow_hash_shares_base(const struct flow_hash *a,
                           const struct flow_hash *b);

/* Returns whether all routers on the way of a packet compute the same base,
 * because none of the fields is changed by routing. */
bool flow_hash_is_constant(const struct flow_hash *hash);

/* Returns the hash of a packet of 'family' (enum address_family) from its
 * base. */
static inline uint32_t
flow_hash_combine(const struct flow_hash *hash, unsigned int family,
                  uint32_t base)
{
    const uint32_t value = base ^ hash->seeds[family];
    const unsigned int offset = hash->config.offset;

    switch (hash->config.algorithm) {
    case FLOW_HASH_CRC_32_LOW:
    case FLOW_HASH_CRC_CCITT: {
        const uint32_t low = value & 0xffff;

        return (low >> offset % 16 | low << (16 - offset % 16)) & 0xffff;
    }
    case FLOW_HASH_CRC_32_HIGH: {
        const uint32_t high = value >> 16;

        return (high >> offset % 16 | high << (16 - offset % 16)) & 0xffff;
    }
    default:
        return value >> offset % 32 | value << (32 - offset) % 32;
    }
}

/* Returns the hash of 'packet'. */
uint32_t flow_hash(const struct flow_hash *hash, const struct packet *packet);

#endif /* twin/forwarding/flow_hash.h */
