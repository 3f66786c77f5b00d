/* SPDX-License-Identifier: Apache-2.0 */

/* Flow hashes.  The checksums advance by half a byte at a time. */

#include <config.h>

#include "twin/forwarding/flow_hash.h"

#include <string.h>

#include "twin/forwarding/packet.h"

enum {
    MAC_BYTES = 6,
    /* The longest list of fields: two addresses of IPv6 and all others. */
    MAX_BYTES = 2 * ADDRESS_BYTES + 1 + 2 + 2 + 2 * MAC_BYTES + 2 + 2,
};

/* Bytes of the fields of a packet. */
struct input {
    uint8_t bytes[MAX_BYTES];
    uint32_t n;
};

/* Checksums of the numbers of four bits. */
static const uint32_t crc_32[16] = {
    0x00000000, 0x1db71064, 0x3b6e20c8, 0x26d930ac, 0x76dc4190, 0x6b6b51f4,
    0x4db26158, 0x5005713c, 0xedb88320, 0xf00f9344, 0xd6d6a3e8, 0xcb61b38c,
    0x9b64c2b0, 0x86d3d2d4, 0xa00ae278, 0xbdbdf21c};
static const uint16_t crc_ccitt[16] = {
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50a5, 0x60c6, 0x70e7,
    0x8108, 0x9129, 0xa14a, 0xb16b, 0xc18c, 0xd1ad, 0xe1ce, 0xf1ef};

/* Returns the CRC-32 of 'n' bytes with initial value 'crc'. */
static uint32_t
update_crc_32(uint32_t crc, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        crc ^= bytes[i];
        crc = crc >> 4 ^ crc_32[crc % 16];
        crc = crc >> 4 ^ crc_32[crc % 16];
    }
    return crc;
}

/* Does the same for the CRC of CCITT. */
static uint16_t
update_crc_ccitt(uint16_t crc, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        crc = (uint16_t)(crc << 4 ^ crc_ccitt[crc >> 12 ^ bytes[i] >> 4]);
        crc = (uint16_t)(crc << 4 ^ crc_ccitt[crc >> 12 ^ (bytes[i] & 15)]);
    }
    return crc;
}

/* Appends the lower 'n' bytes of 'number'. */
static void
add_number(struct input *input, uint64_t number, uint32_t n)
{
    for (uint32_t i = n; i-- > 0;) {
        input->bytes[input->n++] = (uint8_t)(number >> 8 * i);
    }
}

static void
add_address(struct input *input, const struct address *address)
{
    const uint32_t n = address_bits((enum address_family)address->family) / 8;

    memcpy(&input->bytes[input->n], address->bytes, n);
    input->n += n;
}

/* Appends field 'field' of 'packet'. */
static void
add_field(struct input *input, const struct packet *packet, unsigned int field)
{
    switch (field) {
    case FLOW_SRC_IP:
        add_address(input, &packet->src);
        break;
    case FLOW_DST_IP:
        add_address(input, &packet->dst);
        break;
    case FLOW_PROTOCOL:
        add_number(input, packet->protocol, 1);
        break;
    case FLOW_SRC_PORT:
        add_number(input, packet->src_port, 2);
        break;
    case FLOW_DST_PORT:
        add_number(input, packet->dst_port, 2);
        break;
    case FLOW_SRC_MAC:
        add_number(input, packet->src_mac, MAC_BYTES);
        break;
    case FLOW_DST_MAC:
        add_number(input, packet->dst_mac, MAC_BYTES);
        break;
    case FLOW_ETHERTYPE:
        add_number(input, packet->type, 2);
        break;
    default: /* FLOW_VLAN */
        add_number(input, packet->tag, 2);
        break;
    }
}

/* Returns the exclusive or of 'fields' of 'packet' as numbers of 32 bits. */
static uint32_t
xor_fields(const struct packet *packet, unsigned int fields)
{
    uint32_t result = 0;

    for (; fields; fields &= fields - 1) {
        struct input input = {.n = 0};

        add_field(&input, packet, fields & -fields);
        /* From the end, so that a shorter one has zeros in front. */
        for (uint32_t i = 0; i < input.n; i++) {
            result ^= (uint32_t)input.bytes[input.n - 1 - i] << 8 * (i % 4);
        }
    }
    return result;
}

/* Returns the hash of 'packet', which is of 'family', with 'seed'. */
static uint32_t
hash_with(const struct flow_hash_config *config, const struct packet *packet,
          unsigned int family, uint32_t seed)
{
    struct input input = {.n = 0};

    if (config->algorithm == FLOW_HASH_XOR) {
        return seed ^ xor_fields(packet, config->fields[family]);
    }
    for (unsigned int left = config->fields[family]; left; left &= left - 1) {
        add_field(&input, packet, left & -left);
    }
    if (config->algorithm == FLOW_HASH_CRC_CCITT) {
        return update_crc_ccitt((uint16_t)seed, input.bytes, input.n);
    }
    return update_crc_32(seed, input.bytes, input.n);
}

struct flow_hash_config
flow_hash_default(void)
{
    return (struct flow_hash_config){
        .algorithm = FLOW_HASH_CRC_32,
        .fields = {FLOW_ETHERNET_FIELDS, FLOW_IP_FIELDS, FLOW_IP_FIELDS}};
}

void
flow_hash_init(struct flow_hash *hash, const struct flow_hash_config *config)
{
    uint16_t *other = &hash->config.fields[ADDRESS_NONE];

    hash->config = *config;
    *other &= (uint16_t)(FLOW_ETHERNET_FIELDS | FLOW_VLAN);
    if (!*other) {
        *other = FLOW_ETHERNET_FIELDS;
    }
    for (unsigned int i = 0; i < FLOW_HASH_FAMILIES; i++) {
        const struct packet zeros = {.src.family = (uint8_t)i,
                                     .dst.family = (uint8_t)i};

        hash->seeds[i] = hash_with(&hash->config, &zeros, i, config->seed);
    }
}

uint32_t
flow_hash_base(const struct flow_hash *hash, const struct packet *packet)
{
    return hash_with(&hash->config, packet, packet->src.family, 0);
}

/* Returns the algorithm of which 'algorithm' takes a part. */
static enum flow_hash_algorithm
base_algorithm(enum flow_hash_algorithm algorithm)
{
    return algorithm == FLOW_HASH_CRC_32_LOW ||
                   algorithm == FLOW_HASH_CRC_32_HIGH
               ? FLOW_HASH_CRC_32
               : algorithm;
}

bool
flow_hash_shares_base(const struct flow_hash *a, const struct flow_hash *b)
{
    return base_algorithm(a->config.algorithm) ==
               base_algorithm(b->config.algorithm) &&
           !memcmp(a->config.fields, b->config.fields, sizeof a->config.fields);
}

bool
flow_hash_is_constant(const struct flow_hash *hash)
{
    return ((hash->config.fields[ADDRESS_V4] |
             hash->config.fields[ADDRESS_V6]) &
            ~(unsigned int)FLOW_IP_FIELDS) == 0;
}

uint32_t
flow_hash(const struct flow_hash *hash, const struct packet *packet)
{
    return flow_hash_combine(hash, packet->src.family,
                             flow_hash_base(hash, packet));
}
