/* SPDX-License-Identifier: Apache-2.0 */

/* Headers: what is read in them, what is changed, and where it ends. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/forwarding/packet.h"

#define MACS                                                                   \
    0x02, 0, 0, 0, 0, 0x01,    /* to */                                        \
        0x02, 0, 0, 0, 0, 0x02 /* from */

/* An IPv4 header of 20 bytes for 28 bytes of packet; the checksum is right. */
#define IPV4_UDP                                                               \
    0x45, 0x2a, 0x00, 0x1c, 0x12, 0x34, 0x00, 0x00, 0x40, 0x11, 0x53, 0x71,    \
        10, 0, 0, 1, 10, 0, 1, 2

#define UDP_PORTS 0x30, 0x39, 0x00, 0x35, 0x00, 0x08, 0x00, 0x00

static const uint8_t ipv4[] = {MACS, 0x08, 0x00, IPV4_UDP, UDP_PORTS};

static const uint8_t ipv4_tagged[] = {MACS, 0x81, 0x00,     0xa0,     0x64,
                                      0x08, 0x00, IPV4_UDP, UDP_PORTS};

/* Hop-by-hop options, a fragment header (the first one), then TCP. */
static const uint8_t ipv6[] = {
    MACS, 0x86, 0xdd, 0x6b, 0x80, 0x00, 0x00, 0x00, 0x14, 0x00, 0x3f,
    0x20, 0x01, 0x0d, 0xb8, 0,    0,    0,    0,    0,    0,    0,
    0,    0,    0,    0,    1,    0x20, 0x01, 0x0d, 0xb8, 0,    0,
    0,    0,    0,    0,    0,    0,    0,    0,    0,    2,    44,
    0,    1,    4,    0,    0,    0,    0,    6,    0,    0x00, 0x01,
    0,    0,    0,    9,    0x01, 0xbb, 0x04, 0x00};

static const uint8_t mpls[] = {MACS, 0x88, 0x47, 0x00,
                               0x01, 0x0a, 0x3f,       /* 16, EXP 5 */
                               0x00, 0x06, 0x41, 0x3e, /* 100, the last */
                               0x45};

static void
test_ipv4_is_read(void **state)
{
    struct packet p;

    (void)state;
    assert_true(packet_parse(ipv4, sizeof ipv4, &p));
    assert_int_equal(p.kind, PACKET_IPV4);
    assert_int_equal(p.fault, PACKET_SOUND);
    assert_true(p.dst_mac == 0x020000000001);
    assert_true(p.src_mac == 0x020000000002);
    assert_int_equal(p.n_tags, 0);
    assert_int_equal(packet_dscp(&p), 10);
    assert_int_equal(packet_ecn(&p), 2);
    assert_int_equal(p.ip_id, 0x1234);
    assert_int_equal(p.ip_bytes, 28);
    assert_int_equal(p.ttl, 64);
    assert_int_equal(p.protocol, PACKET_UDP);
    assert_int_equal(p.src.bytes[3], 1);
    assert_int_equal(p.dst.bytes[2], 1);
    assert_true(p.has_ports);
    assert_int_equal(p.src_port, 12345);
    assert_int_equal(p.dst_port, 53);
    assert_false(p.has_options);
}

static void
test_tag_is_read(void **state)
{
    struct packet p;

    (void)state;
    assert_true(packet_parse(ipv4_tagged, sizeof ipv4_tagged, &p));
    assert_int_equal(p.tag, 100);
    assert_int_equal(p.pcp, 5);
    assert_int_equal(p.n_tags, 1);
    assert_int_equal(p.offset, 18);
    assert_int_equal(p.dst_port, 53);
}

static void
test_ipv6_extension_headers_are_passed(void **state)
{
    struct packet p;

    (void)state;
    assert_true(packet_parse(ipv6, sizeof ipv6, &p));
    assert_int_equal(p.kind, PACKET_IPV6);
    assert_int_equal(p.fault, PACKET_SOUND);
    assert_int_equal(packet_dscp(&p), 0xb8 >> 2);
    assert_int_equal(packet_ecn(&p), 0);
    assert_int_equal(p.ttl, 63);
    assert_true(p.has_options);
    assert_false(p.is_fragment);
    assert_int_equal(p.protocol, PACKET_TCP);
    assert_int_equal(p.src_port, 443);
    assert_int_equal(p.dst_port, 1024);
}

static void
test_label_stack_is_read(void **state)
{
    struct packet p;

    (void)state;
    assert_true(packet_parse(mpls, sizeof mpls, &p));
    assert_int_equal(p.kind, PACKET_MPLS);
    assert_int_equal(p.n_labels, 2);
    assert_int_equal(p.label, 16);
    assert_int_equal(p.exp, 5);
    assert_int_equal(p.ttl, 63);
    assert_int_equal(p.fault, PACKET_SOUND);
    assert_int_equal(packet_dscp(&p), -1);
    assert_true(packet_parse(mpls, 20, &p));
    assert_int_equal(p.fault, PACKET_SHORT);
}

static void
test_faults(void **state)
{
    static const struct {
        const char *name;
        uint32_t at;
        uint8_t value;
        uint32_t length;
        enum packet_fault fault;
    } cases[] = {
        {"none", 14, 0x45, sizeof ipv4, PACKET_SOUND},
        {"version", 14, 0x55, sizeof ipv4, PACKET_VERSION},
        {"header too short", 14, 0x44, sizeof ipv4, PACKET_LENGTH},
        {"header beyond the packet", 14, 0x4f, sizeof ipv4, PACKET_LENGTH},
        {"packet shorter than its header", 17, 19, sizeof ipv4, PACKET_LENGTH},
        {"packet beyond the frame", 17, 29, sizeof ipv4, PACKET_LENGTH},
        {"checksum", 25, 0x72, sizeof ipv4, PACKET_CHECKSUM},
        {"frame ends in the header", 14, 0x45, 33, PACKET_SHORT},
        {"frame ends at once", 14, 0x45, 14, PACKET_SHORT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *bytes = malloc(cases[i].length); /* No byte more. */
        struct packet p;

        print_message("%s\n", cases[i].name);
        memcpy(bytes, ipv4, cases[i].length);
        if (cases[i].at < cases[i].length) {
            bytes[cases[i].at] = cases[i].value;
        }
        assert_true(packet_parse(bytes, cases[i].length, &p));
        assert_int_equal(p.fault, cases[i].fault);
        free(bytes);
    }
}

/* Every prefix of every frame, with nothing behind it to read. */
static void
test_cut_anywhere(void **state)
{
    static const struct {
        const uint8_t *bytes;
        uint32_t n;
    } frames[] = {{ipv4, sizeof ipv4},
                  {ipv4_tagged, sizeof ipv4_tagged},
                  {ipv6, sizeof ipv6},
                  {mpls, sizeof mpls}};

    (void)state;
    for (size_t f = 0; f < sizeof frames / sizeof frames[0]; f++) {
        for (uint32_t n = 0; n <= frames[f].n; n++) {
            uint8_t *bytes = malloc(n + 1);
            uint8_t *out = malloc(n + PACKET_TAG_BYTES);
            uint8_t *cut = realloc(bytes, n ? n : 1);
            struct packet p;

            memcpy(cut, frames[f].bytes, n);
            assert_int_equal(packet_parse(cut, n, &p), n >= 14);
            if (n >= PACKET_MIN_BYTES) {
                const struct packet_change keep = packet_keep(&p);

                assert_int_equal(packet_write(&p, cut, n, &keep, out), n);
                assert_memory_equal(out, cut, n);
            }
            free(cut);
            free(out);
        }
    }
}

static void
test_fragments_have_no_ports(void **state)
{
    uint8_t bytes[sizeof ipv4];
    struct packet p;

    (void)state;
    memcpy(bytes, ipv4, sizeof bytes);
    bytes[21] = 1; /* Offset 8 bytes. */
    assert_true(packet_parse(bytes, sizeof bytes, &p));
    assert_true(p.is_fragment);
    assert_false(p.has_ports);
}

/* Recomputes the checksum of the header at 'header' from nothing. */
static uint16_t
full_checksum(const uint8_t *header, uint32_t n)
{
    uint8_t copy[60];

    memcpy(copy, header, n);
    copy[10] = copy[11] = 0;
    return packet_checksum(copy, n);
}

static void
test_incremental_checksum_is_the_full_one(void **state)
{
    uint64_t seed = 11;

    (void)state;
    for (int i = 0; i < 50000; i++) {
        uint8_t frame[64] = {MACS, 0x08, 0x00};
        uint8_t out[64 + PACKET_TAG_BYTES];
        uint8_t *header = frame + 14;
        const uint32_t n = 20 + 4 * (uint32_t)(i % 8);
        struct packet_change change;
        struct packet p;
        uint16_t sum;

        for (uint32_t b = 0; b < n; b++) {
            seed = seed * UINT64_C(6364136223846793005) + 1;
            header[b] = (uint8_t)(seed >> 40);
        }
        header[0] = (uint8_t)(0x40 | n / 4);
        header[2] = 0;
        header[3] = (uint8_t)n;
        sum = full_checksum(header, n);
        header[10] = (uint8_t)(sum >> 8);
        header[11] = (uint8_t)sum;
        assert_true(packet_parse(frame, 14 + n, &p));
        assert_int_equal(p.fault, PACKET_SOUND);
        change = packet_keep(&p);
        change.ttl = (uint8_t)(p.ttl - 1);
        change.class_byte = (uint8_t)(seed >> 20);
        assert_int_equal(packet_write(&p, frame, 14 + n, &change, out), 14 + n);
        assert_int_equal(out[22], change.ttl);
        assert_int_equal(out[15], change.class_byte);
        /* Both forms of zero are valid, and only one is ever computed. */
        assert_int_equal(packet_checksum(out + 14, n), 0);
        assert_int_equal(out[24] << 8 | out[25], full_checksum(out + 14, n));
    }
}

static void
test_wrong_checksum_stays_wrong(void **state)
{
    uint8_t frame[sizeof ipv4];
    uint8_t out[sizeof ipv4 + PACKET_TAG_BYTES];
    struct packet_change change;
    struct packet p;

    (void)state;
    memcpy(frame, ipv4, sizeof frame);
    frame[24] ^= 0x10;
    (void)packet_parse(frame, sizeof frame, &p);
    change = packet_keep(&p);
    change.ttl--;
    (void)packet_write(&p, frame, sizeof frame, &change, out);
    assert_true(packet_parse(out, sizeof frame, &p));
    assert_int_equal(p.fault, PACKET_CHECKSUM);
}

/* An IP header says what is left when a frame is cut, and no more than it said
 * before. */
static void
test_shortened(void **state)
{
    uint8_t bytes[sizeof ipv6];
    struct packet p;

    (void)state;
    memcpy(bytes, ipv4, sizeof ipv4);
    bytes[17] += 40; /* The frame had 40 bytes more, ... */
    bytes[25] -= 40; /* ... and its checksum was right. */
    (void)packet_parse(bytes, sizeof ipv4, &p);
    p.ip_bytes = sizeof ipv4 - 14 + 40;
    packet_shorten(&p, bytes, sizeof ipv4);
    assert_memory_equal(bytes, ipv4, sizeof ipv4);
    packet_shorten(&p, bytes, 33); /* Ends within the header. */
    assert_memory_equal(bytes, ipv4, sizeof ipv4);

    memcpy(bytes, ipv6, sizeof ipv6);
    (void)packet_parse(bytes, sizeof ipv6, &p);
    packet_shorten(&p, bytes, sizeof ipv6);
    assert_memory_equal(bytes, ipv6, sizeof ipv6);
    packet_shorten(&p, bytes, sizeof ipv6 - 4);
    assert_int_equal(bytes[18] << 8 | bytes[19], sizeof ipv6 - 4 - 14 - 40);

    (void)packet_parse(mpls, sizeof mpls, &p);
    memcpy(bytes, mpls, sizeof mpls);
    packet_shorten(&p, bytes, 16);
    assert_memory_equal(bytes, mpls, sizeof mpls);
}

static void
test_tags_come_and_go(void **state)
{
    uint8_t out[sizeof ipv4_tagged + PACKET_TAG_BYTES];
    uint8_t back[sizeof ipv4_tagged + PACKET_TAG_BYTES];
    struct packet_change change;
    struct packet p;

    (void)state;
    (void)packet_parse(ipv4, sizeof ipv4, &p);
    change = packet_keep(&p);
    change.tag = 100;
    change.pcp = 5;
    assert_int_equal(packet_write(&p, ipv4, sizeof ipv4, &change, out),
                     sizeof ipv4_tagged);
    assert_memory_equal(out, ipv4_tagged, sizeof ipv4_tagged);

    (void)packet_parse(ipv4_tagged, sizeof ipv4_tagged, &p);
    change = packet_keep(&p);
    change.tag = 7;
    assert_int_equal(
        packet_write(&p, ipv4_tagged, sizeof ipv4_tagged, &change, out),
        sizeof ipv4_tagged);
    assert_int_equal(out[14], 0xa0); /* The priority is kept. */
    assert_int_equal(out[15], 7);

    (void)packet_parse(out, sizeof ipv4_tagged, &p);
    change = packet_keep(&p);
    change.tag = 0;
    assert_int_equal(packet_write(&p, out, sizeof ipv4_tagged, &change, back),
                     sizeof ipv4);
    assert_memory_equal(back, ipv4, sizeof ipv4);
}

/* The fields of 'p' that a router changes, in IPv6. */
static void
test_ipv6_is_changed(void **state)
{
    uint8_t out[sizeof ipv6 + PACKET_TAG_BYTES];
    struct packet_change change;
    struct packet p;

    (void)state;
    (void)packet_parse(ipv6, sizeof ipv6, &p);
    change = packet_keep(&p);
    change.dst_mac = 0x0a0b0c0d0e0f;
    change.class_byte = 0x13;
    change.ttl = 9;
    (void)packet_write(&p, ipv6, sizeof ipv6, &change, out);
    assert_int_equal(out[5], 0x0f);
    assert_int_equal(out[14], 0x61);
    assert_int_equal(out[15], 0x30);
    assert_int_equal(out[21], 9);
    out[14] = ipv6[14];
    out[15] = ipv6[15];
    out[21] = ipv6[21];
    assert_memory_equal(out + 6, ipv6 + 6, sizeof ipv6 - 6);
}

static void
test_exp_is_changed(void **state)
{
    uint8_t out[sizeof mpls + PACKET_TAG_BYTES];
    struct packet_change change;
    struct packet p;

    (void)state;
    (void)packet_parse(mpls, sizeof mpls, &p);
    change = packet_keep(&p);
    change.exp = 2;
    assert_int_equal(packet_write(&p, mpls, sizeof mpls, &change, out),
                     sizeof mpls);
    assert_int_equal(out[16], 0x04);
    out[16] = mpls[16];
    assert_memory_equal(out, mpls, sizeof mpls);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ipv4_is_read),
        cmocka_unit_test(test_tag_is_read),
        cmocka_unit_test(test_ipv6_extension_headers_are_passed),
        cmocka_unit_test(test_label_stack_is_read),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_cut_anywhere),
        cmocka_unit_test(test_fragments_have_no_ports),
        cmocka_unit_test(test_incremental_checksum_is_the_full_one),
        cmocka_unit_test(test_wrong_checksum_stays_wrong),
        cmocka_unit_test(test_shortened),
        cmocka_unit_test(test_tags_come_and_go),
        cmocka_unit_test(test_ipv6_is_changed),
        cmocka_unit_test(test_exp_is_changed),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
