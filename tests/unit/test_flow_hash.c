/* SPDX-License-Identifier: Apache-2.0 */

/* Flow hashes, and the choice of paths by them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/forwarding/ecmp.h"
#include "twin/forwarding/flow_hash.h"
#include "twin/forwarding/packet.h"

enum { FLOWS = 1 << 14 };

static const enum flow_hash_algorithm algorithms[] = {
    FLOW_HASH_CRC_32,    FLOW_HASH_CRC_32_LOW, FLOW_HASH_CRC_32_HIGH,
    FLOW_HASH_CRC_CCITT, FLOW_HASH_XOR,
};

enum { N_ALGORITHMS = sizeof algorithms / sizeof algorithms[0] };

/* Returns a packet of a random flow of 'family'. */
static struct packet
random_packet(struct random *random, enum address_family family)
{
    struct packet packet = {
        .dst_mac = random_u64(random) >> 16,
        .src_mac = random_u64(random) >> 16,
        .type = (uint16_t)random_u64(random),
        .tag = (uint16_t)random_below(random, 4095),
        .protocol = (uint8_t)random_u64(random),
        .src_port = (uint16_t)random_u64(random),
        .dst_port = (uint16_t)random_u64(random),
        .src.family = (uint8_t)family,
        .dst.family = (uint8_t)family,
    };

    for (unsigned int i = 0; i < address_bits(family) / 8; i++) {
        packet.src.bytes[i] = (uint8_t)random_u64(random);
        packet.dst.bytes[i] = (uint8_t)random_u64(random);
    }
    return packet;
}

/* Returns flow 'i' of RoCEv2: only the source port differs. */
static struct packet
flow(uint32_t i)
{
    struct packet packet = {.protocol = PACKET_UDP,
                            .src_port = (uint16_t)(49152 + i % 16384),
                            .dst_port = 4791,
                            .src.family = ADDRESS_V4,
                            .dst.family = ADDRESS_V4,
                            .src.bytes = {10, 0, 0, 1},
                            .dst.bytes = {10, 1, 0, 2}};

    packet.dst.bytes[2] = (uint8_t)(i / 16384);
    return packet;
}

static struct flow_hash
hash_of(enum flow_hash_algorithm algorithm, uint32_t seed, uint8_t offset)
{
    struct flow_hash_config config = flow_hash_default();
    struct flow_hash hash;

    config.algorithm = algorithm;
    config.seed = seed;
    config.offset = offset;
    flow_hash_init(&hash, &config);
    return hash;
}

/* A slow reference ------------------------------------------------------ */

struct input {
    uint8_t bytes[80];
    uint32_t n;
};

static void
add(struct input *input, const void *bytes, uint32_t n)
{
    memcpy(&input->bytes[input->n], bytes, n);
    input->n += n;
}

static void
add_u16(struct input *input, uint16_t number)
{
    add(input, (const uint8_t[]){(uint8_t)(number >> 8), (uint8_t)number}, 2);
}

static void
add_mac(struct input *input, uint64_t mac)
{
    for (int i = 40; i >= 0; i -= 8) {
        add(input, &(const uint8_t){(uint8_t)(mac >> i)}, 1);
    }
}

static struct input
input_of(const struct packet *packet, unsigned int fields)
{
    const uint32_t n =
        address_bits((enum address_family)packet->src.family) / 8;
    struct input input = {.n = 0};

    if (fields & FLOW_SRC_IP) {
        add(&input, packet->src.bytes, n);
    }
    if (fields & FLOW_DST_IP) {
        add(&input, packet->dst.bytes, n);
    }
    if (fields & FLOW_PROTOCOL) {
        add(&input, &packet->protocol, 1);
    }
    if (fields & FLOW_SRC_PORT) {
        add_u16(&input, packet->src_port);
    }
    if (fields & FLOW_DST_PORT) {
        add_u16(&input, packet->dst_port);
    }
    if (fields & FLOW_SRC_MAC) {
        add_mac(&input, packet->src_mac);
    }
    if (fields & FLOW_DST_MAC) {
        add_mac(&input, packet->dst_mac);
    }
    if (fields & FLOW_ETHERTYPE) {
        add_u16(&input, packet->type);
    }
    if (fields & FLOW_VLAN) {
        add_u16(&input, packet->tag);
    }
    return input;
}

/* Bit by bit, with the initial value 'crc'. */
static uint32_t
slow_crc_32(uint32_t crc, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < 8 * n; i++) {
        const uint32_t bit = (uint32_t)bytes[i / 8] >> i % 8 & 1;

        crc = (crc ^ bit) & 1 ? crc >> 1 ^ UINT32_C(0xedb88320) : crc >> 1;
    }
    return crc;
}

static uint32_t
slow_crc_ccitt(uint32_t crc, const uint8_t *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < 8 * n; i++) {
        const uint32_t bit = (uint32_t)bytes[i / 8] >> (7 - i % 8) & 1;

        crc = ((crc >> 15 & 1) ^ bit ? crc << 1 ^ 0x1021 : crc << 1) & 0xffff;
    }
    return crc;
}

static uint32_t
slow_xor(uint32_t seed, const struct packet *packet, unsigned int fields)
{
    for (unsigned int field = 1; field <= FLOW_VLAN; field <<= 1) {
        const struct input input = input_of(packet, fields & field);
        uint8_t padded[80] = {0};
        const uint32_t pad = (4 - input.n % 4) % 4;

        memcpy(padded + pad, input.bytes, input.n);
        for (uint32_t i = 0; i < pad + input.n; i++) {
            seed ^= (uint32_t)padded[i] << (24 - 8 * (i % 4));
        }
    }
    return seed;
}

/* The hash with the seed as the initial value, in one go. */
static uint32_t
slow_hash(const struct flow_hash_config *config, const struct packet *packet)
{
    const unsigned int fields = config->fields[packet->src.family];
    const struct input input = input_of(packet, fields);
    uint32_t width = 16;
    uint32_t value;

    switch (config->algorithm) {
    case FLOW_HASH_CRC_32_LOW:
        value = slow_crc_32(config->seed, input.bytes, input.n) & 0xffff;
        break;
    case FLOW_HASH_CRC_32_HIGH:
        value = slow_crc_32(config->seed, input.bytes, input.n) >> 16;
        break;
    case FLOW_HASH_CRC_CCITT:
        value = slow_crc_ccitt(config->seed & 0xffff, input.bytes, input.n);
        break;
    case FLOW_HASH_XOR:
        value = slow_xor(config->seed, packet, fields);
        width = 32;
        break;
    default:
        value = slow_crc_32(config->seed, input.bytes, input.n);
        width = 32;
        break;
    }
    for (uint32_t i = 0; i < config->offset; i++) {
        value = value >> 1 | (value & 1) << (width - 1);
    }
    return value;
}

/* The check values of the CRC catalogue, of "123456789". */
static void
test_reference_is_the_published_crc(void **state)
{
    const uint8_t *digits = (const uint8_t *)"123456789";

    (void)state;
    assert_int_equal(~slow_crc_32(UINT32_MAX, digits, 9), 0xcbf43926);
    assert_int_equal(slow_crc_ccitt(0xffff, digits, 9), 0x29b1);
    assert_int_equal(slow_crc_ccitt(0, digits, 9), 0x31c3);
}

/* Random fields, seeds, offsets and packets: the base of the flow, combined
 * with seed and offset, is the hash that starts with the seed. */
static void
test_base_and_seed_combine_to_the_hash(void **state)
{
    struct random random;

    (void)state;
    random_init(&random, 1);
    for (int i = 0; i < 20000; i++) {
        const enum address_family family =
            (enum address_family)random_below(&random, FLOW_HASH_FAMILIES);
        const struct packet packet = random_packet(&random, family);
        struct flow_hash_config config = {
            .algorithm = algorithms[random_below(&random, N_ALGORITHMS)],
            .seed = (uint32_t)random_u64(&random),
            .offset = (uint8_t)random_below(&random, FLOW_HASH_MAX_OFFSET + 1),
        };
        struct flow_hash hash;
        struct flow_hash plain;

        for (int k = 0; k < FLOW_HASH_FAMILIES; k++) {
            config.fields[k] =
                (uint16_t)random_below(&random, 1 << FLOW_N_FIELDS);
        }
        flow_hash_init(&hash, &config);
        assert_int_equal(flow_hash(&hash, &packet),
                         slow_hash(&hash.config, &packet));
        config.seed = 0;
        config.offset = 0;
        flow_hash_init(&plain, &config);
        assert_true(flow_hash_shares_base(&hash, &plain));
        assert_int_equal(
            flow_hash(&hash, &packet),
            flow_hash_combine(&hash, family, flow_hash_base(&plain, &packet)));
    }
}

static void
test_fields_of_other_frames(void **state)
{
    struct flow_hash_config config = flow_hash_default();
    struct flow_hash hash;

    (void)state;
    flow_hash_init(&hash, &config);
    assert_int_equal(hash.config.fields[ADDRESS_NONE], FLOW_ETHERNET_FIELDS);
    config.fields[ADDRESS_NONE] = FLOW_IP_FIELDS | FLOW_VLAN;
    flow_hash_init(&hash, &config);
    assert_int_equal(hash.config.fields[ADDRESS_NONE], FLOW_VLAN);
    config.fields[ADDRESS_NONE] = FLOW_IP_FIELDS;
    flow_hash_init(&hash, &config);
    assert_int_equal(hash.config.fields[ADDRESS_NONE], FLOW_ETHERNET_FIELDS);
}

static void
test_which_hashes_share_a_base(void **state)
{
    struct flow_hash a = hash_of(FLOW_HASH_CRC_32, 1, 2);
    struct flow_hash b = hash_of(FLOW_HASH_CRC_32_HIGH, 7, 9);
    const struct flow_hash c = hash_of(FLOW_HASH_XOR, 1, 2);
    struct flow_hash_config config = a.config;

    (void)state;
    assert_true(flow_hash_shares_base(&a, &b));
    assert_false(flow_hash_shares_base(&a, &c));
    assert_true(flow_hash_is_constant(&a));
    config.fields[ADDRESS_V6] |= FLOW_SRC_MAC;
    flow_hash_init(&b, &config);
    assert_false(flow_hash_shares_base(&a, &b));
    assert_false(flow_hash_is_constant(&b));
}

/* Shares ---------------------------------------------------------------- */

static struct ecmp
group_of(uint32_t n)
{
    struct ecmp ecmp = {0};

    for (uint32_t i = 0; i < n; i++) {
        ecmp_set(&ecmp, i, i, 1);
    }
    return ecmp;
}

/* With equal weights a member is the remainder of the hash. */
static void
test_bucket_is_the_remainder(void **state)
{
    static const uint32_t hashes[] = {
        0, 1, 2, 0x7fffffff, 0x80000000, UINT32_MAX - 1, UINT32_MAX, 12345678};

    (void)state;
    for (uint32_t n = 1; n <= 300; n++) {
        struct ecmp ecmp = group_of(n);

        for (size_t i = 0; i < sizeof hashes / sizeof hashes[0]; i++) {
            assert_int_equal(ecmp_choose(&ecmp, hashes[i]), hashes[i] % n);
            assert_int_equal(ecmp_choose(&ecmp, hashes[i] - n),
                             (hashes[i] - n) % n);
        }
        ecmp_fini(&ecmp);
    }
}

/* Balls in bins: a bin of 16 gets N/16 flows, give or take five standard
 * deviations of the binomial distribution. */
static void
test_flows_spread_like_balls_in_bins(void **state)
{
    enum { BINS = 16, MEAN = FLOWS / BINS, FIVE_SIGMA = 155 };
    struct ecmp ecmp = group_of(BINS);
    struct random random;

    (void)state;
    random_init(&random, 3);
    for (size_t a = 0; a < N_ALGORITHMS; a++) {
        const struct flow_hash hash = hash_of(algorithms[a], 5, 3);
        int bins[BINS] = {0};

        for (uint32_t i = 0; i < FLOWS; i++) {
            const struct packet packet = random_packet(&random, ADDRESS_V4);

            bins[ecmp_choose(&ecmp, flow_hash(&hash, &packet))]++;
        }
        for (int i = 0; i < BINS; i++) {
            assert_in_range(bins[i], MEAN - FIVE_SIGMA, MEAN + FIVE_SIGMA);
        }
    }
    ecmp_fini(&ecmp);
}

/* Returns how many of 16 paths the second tier uses for the flows that the
 * first one, with 4 paths, sends to its first path. */
static int
paths_of_second_tier(const struct flow_hash *first,
                     const struct flow_hash *second)
{
    struct ecmp four = group_of(4);
    struct ecmp sixteen = group_of(16);
    uint32_t used = 0;

    for (uint32_t i = 0; i < FLOWS; i++) {
        const struct packet packet = flow(i);

        if (ecmp_choose(&four, flow_hash(first, &packet)) == 0) {
            used |= 1u << ecmp_choose(&sixteen, flow_hash(second, &packet));
        }
    }
    ecmp_fini(&four);
    ecmp_fini(&sixteen);
    return __builtin_popcount(used);
}

static void
test_equal_hashes_polarise(void **state)
{
    const struct flow_hash hash = hash_of(FLOW_HASH_CRC_32, 11, 0);
    const struct flow_hash seeded = hash_of(FLOW_HASH_CRC_32, 12, 0);
    const struct flow_hash moved = hash_of(FLOW_HASH_CRC_32, 11, 7);
    const struct flow_hash other = hash_of(FLOW_HASH_CRC_CCITT, 11, 0);
    const struct flow_hash upper = hash_of(FLOW_HASH_CRC_32_HIGH, 11, 0);

    (void)state;
    assert_int_equal(paths_of_second_tier(&hash, &hash), 4);
    /* The seed permutes the paths. */
    assert_int_equal(paths_of_second_tier(&hash, &seeded), 4);
    assert_int_equal(paths_of_second_tier(&hash, &moved), 16);
    assert_int_equal(paths_of_second_tier(&hash, &other), 16);
    assert_int_equal(paths_of_second_tier(&hash, &upper), 16);
}

/* Among three paths the seed does make another choice. */
static void
test_seeds_differ_unless_paths_are_powers_of_two(void **state)
{
    const struct flow_hash a = hash_of(FLOW_HASH_CRC_32, 1, 0);
    const struct flow_hash b = hash_of(FLOW_HASH_CRC_32, 2654435769, 0);
    struct ecmp ecmp = group_of(3);
    int same = 0;

    (void)state;
    for (uint32_t i = 0; i < FLOWS; i++) {
        const struct packet packet = flow(i);

        same += ecmp_choose(&ecmp, flow_hash(&a, &packet)) ==
                ecmp_choose(&ecmp, flow_hash(&b, &packet));
    }
    assert_in_range(same, FLOWS / 5, FLOWS / 2);
    ecmp_fini(&ecmp);
}

static void
test_flows_spread_by_weight(void **state)
{
    enum { N = 100000 };
    static const uint32_t weights[] = {1, 1, 2, 0, 4};
    uint32_t hits[5] = {0};
    const struct flow_hash hash = hash_of(FLOW_HASH_CRC_32, 1, 0);
    struct ecmp ecmp = {0};

    (void)state;
    assert_int_equal(ecmp_choose(&ecmp, 5), ECMP_NONE);
    for (uint32_t m = 0; m < 5; m++) {
        ecmp_set(&ecmp, m, m, weights[m]);
    }
    for (uint32_t i = 0; i < N; i++) {
        const struct packet p = flow(i);

        hits[ecmp_choose(&ecmp, flow_hash(&hash, &p))]++;
    }
    for (uint32_t m = 0; m < 5; m++) {
        const uint32_t share = N / 8 * weights[m];

        print_message("weight %u: %u of %u\n", weights[m], hits[m], share);
        assert_in_range(hits[m], share - share / 25, share + share / 25);
    }
    ecmp_fini(&ecmp);
}

static void
test_hash_ends_reach_all_members(void **state)
{
    struct ecmp ecmp = {0};

    (void)state;
    ecmp_set(&ecmp, 1, 11, 1);
    ecmp_set(&ecmp, 2, 22, 1);
    assert_int_equal(ecmp_choose(&ecmp, 0), 11);
    assert_int_equal(ecmp_choose(&ecmp, UINT32_MAX), 22);
    ecmp_set(&ecmp, 1, 11, UINT32_MAX); /* The sum exceeds 32 bits. */
    ecmp_set(&ecmp, 2, 22, UINT32_MAX);
    assert_int_equal(ecmp_choose(&ecmp, 0x7fffffff), 11);
    assert_int_equal(ecmp_choose(&ecmp, 0x80000001), 22);
    ecmp_set(&ecmp, 1, 11, 0);
    ecmp_set(&ecmp, 2, 22, 0);
    assert_int_equal(ecmp_choose(&ecmp, 0), ECMP_NONE);
    assert_true(ecmp_remove(&ecmp, 1));
    assert_false(ecmp_remove(&ecmp, 1));
    ecmp_fini(&ecmp);
}

/* The choice depends on the members, not on the order of their coming. */
static void
test_choice_has_no_history(void **state)
{
    const struct flow_hash hash = hash_of(FLOW_HASH_CRC_32, 3, 0);
    struct ecmp a = {0};
    struct ecmp b = {0};

    (void)state;
    for (uint32_t m = 0; m < 7; m++) {
        ecmp_set(&a, m, m, m + 1);
        ecmp_set(&b, 6 - m, 6 - m, 9);
    }
    ecmp_set(&b, 100, 100, 50);
    (void)ecmp_remove(&b, 100);
    for (uint32_t m = 0; m < 7; m++) {
        ecmp_set(&b, m, m, m + 1);
    }
    for (uint32_t i = 0; i < 1000; i++) {
        const struct packet p = flow(i);
        const uint32_t chosen = flow_hash(&hash, &p);

        assert_int_equal(ecmp_choose(&a, chosen), ecmp_choose(&b, chosen));
    }
    ecmp_fini(&a);
    ecmp_fini(&b);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference_is_the_published_crc),
        cmocka_unit_test(test_base_and_seed_combine_to_the_hash),
        cmocka_unit_test(test_fields_of_other_frames),
        cmocka_unit_test(test_which_hashes_share_a_base),
        cmocka_unit_test(test_bucket_is_the_remainder),
        cmocka_unit_test(test_flows_spread_like_balls_in_bins),
        cmocka_unit_test(test_equal_hashes_polarise),
        cmocka_unit_test(test_seeds_differ_unless_paths_are_powers_of_two),
        cmocka_unit_test(test_flows_spread_by_weight),
        cmocka_unit_test(test_hash_ends_reach_all_members),
        cmocka_unit_test(test_choice_has_no_history),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
