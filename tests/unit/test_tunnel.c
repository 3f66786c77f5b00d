/* SPDX-License-Identifier: Apache-2.0 */

/* Which packets end which tunnel, the frame inside, and RFC 6040. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "twin/forwarding/packet.h"
#include "twin/forwarding/tunnel.h"

enum { DOMAIN = 3, MAX_BYTES = 200, IPV4 = 20, IPV6 = 40, ETHERNET = 14 };

/* Addresses and terminations ------------------------------------------- */

static struct address
v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t bytes[] = {a, b, c, d};

    return address_make(ADDRESS_V4, bytes);
}

/* Returns the mask of the first 'n' bits. */
static struct address
bits(enum address_family family, unsigned int n)
{
    struct address ones;

    memset(&ones, 0xff, sizeof ones);
    ones.family = (uint8_t)family;
    return address_mask(&ones, n);
}

/* Returns a termination for 'dst', compared in its first 'n' bits. */
static struct tunnel_end
end_at(uint64_t key, struct address dst, unsigned int n, struct tunnel *tunnel)
{
    return (struct tunnel_end){.domain = DOMAIN,
                               .dst = address_mask(&dst, n),
                               .dst_mask =
                                   bits((enum address_family)dst.family, n),
                               .tunnel = tunnel,
                               .key = key};
}

static struct packet
packet_to(struct address src, struct address dst)
{
    return (struct packet){
        .kind = PACKET_IPV4, .src = src, .dst = dst, .protocol = PACKET_IPIP};
}

static void
test_precedence_is_priority_then_destination_then_source_then_age(void **state)
{
    struct tunnel tunnels[6] = {{0}};
    struct tunnel_table table = {0};
    const struct address here = v4(10, 1, 0, 32);
    const struct address peer = v4(10, 9, 0, 1);
    const struct packet packet = packet_to(peer, here);
    struct tunnel_end end;

    (void)state;
    assert_null(tunnel_table_find(&table, DOMAIN, &packet));
    end = end_at(1, here, 8, &tunnels[0]);
    tunnel_table_set(&table, &end);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[0]);
    end = end_at(2, here, 32, &tunnels[1]);
    tunnel_table_set(&table, &end);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[1]);
    end = end_at(3, here, 24, &tunnels[2]);
    end.src = peer; /* The destination decides first. */
    end.src_mask = bits(ADDRESS_V4, 32);
    tunnel_table_set(&table, &end);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[1]);
    end = end_at(4, here, 32, &tunnels[3]);
    end.src = peer;
    end.src_mask = bits(ADDRESS_V4, 32);
    tunnel_table_set(&table, &end);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[3]);
    end.key = 5; /* The older one stays. */
    end.tunnel = &tunnels[4];
    assert_non_null(tunnel_table_twin(&table, &end));
    tunnel_table_set(&table, &end);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[3]);
    tunnel_table_remove(&table, 4);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[4]);
    assert_null(tunnel_table_twin(&table, &end));
    end = end_at(1, here, 8, &tunnels[0]);
    end.priority = 1;
    tunnel_table_set(&table, &end); /* Replaces the first. */
    assert_int_equal(table.n, 4);
    assert_ptr_equal(tunnel_table_find(&table, DOMAIN, &packet), &tunnels[0]);
    tunnel_table_fini(&table);
}

static void
test_only_whole_tunneled_packets_of_the_router_match(void **state)
{
    struct tunnel tunnel = {0};
    struct tunnel_table table = {0};
    const struct address here = v4(10, 1, 0, 32);
    const struct address any = {.family = ADDRESS_NONE};
    struct packet packet = packet_to(v4(1, 2, 3, 4), here);
    struct tunnel_end end = end_at(1, here, 32, &tunnel);

    (void)state;
    tunnel_table_set(&table, &end);
    assert_non_null(tunnel_table_find(&table, DOMAIN, &packet));
    assert_null(tunnel_table_find(&table, DOMAIN + 1, &packet));
    packet.protocol = PACKET_IPV6_IN_IP;
    assert_non_null(tunnel_table_find(&table, DOMAIN, &packet));
    packet.protocol = PACKET_UDP;
    assert_null(tunnel_table_find(&table, DOMAIN, &packet));
    packet.protocol = PACKET_IPIP;
    packet.is_fragment = true;
    assert_null(tunnel_table_find(&table, DOMAIN, &packet));
    packet.is_fragment = false;
    packet.fault = PACKET_CHECKSUM;
    assert_null(tunnel_table_find(&table, DOMAIN, &packet));
    packet.fault = PACKET_SOUND;
    packet.dst = v4(10, 1, 0, 33);
    assert_null(tunnel_table_find(&table, DOMAIN, &packet));

    /* The bytes of an IPv6 address are not those of an IPv4 one. */
    packet.kind = PACKET_IPV6;
    packet.dst = here;
    packet.dst.family = ADDRESS_V6;
    assert_null(tunnel_table_find(&table, DOMAIN, &packet));
    end.dst = any;
    end.dst_mask = any;
    tunnel_table_set(&table, &end);
    assert_non_null(tunnel_table_find(&table, DOMAIN, &packet));
    tunnel_table_fini(&table);
}

/* Frames --------------------------------------------------------------- */

static void
write_u16(uint8_t *at, uint32_t value)
{
    at[0] = (uint8_t)(value >> 8);
    at[1] = (uint8_t)value;
}

/* Writes an IP header for 'n' bytes behind it, and returns its length. */
static uint32_t
write_ip(uint8_t *at, bool is_v6, uint8_t protocol, uint32_t n)
{
    memset(at, 0, is_v6 ? IPV6 : IPV4);
    if (is_v6) {
        at[0] = 0x60;
        write_u16(at + 4, n);
        at[6] = protocol;
        at[7] = 9;
        at[8] = at[24] = 0x20;
        return IPV6;
    }
    at[0] = 0x45;
    write_u16(at + 2, IPV4 + n);
    at[8] = 9;
    at[9] = protocol;
    at[12] = at[16] = 10;
    write_u16(at + 10, packet_checksum(at, IPV4));
    return IPV4;
}

/* Writes a frame, tagged or not, with an IP packet with 'n' bytes of payload in
 * another one, and returns its length.  '*inner' is where that starts. */
static uint32_t
write_frame(uint8_t *frame, bool tagged, bool outer_v6, bool inner_v6,
            uint32_t n, uint32_t *inner)
{
    uint32_t at = 12;

    memset(frame, 0x11, at);
    if (tagged) {
        write_u16(frame + at, 0x8100);
        write_u16(frame + at + 2, 0x6064);
        at += 4;
    }
    write_u16(frame + at, outer_v6 ? 0x86dd : 0x0800);
    at += 2;
    at += write_ip(frame + at, outer_v6,
                   inner_v6 ? PACKET_IPV6_IN_IP : PACKET_IPIP,
                   (inner_v6 ? IPV6 : IPV4) + n);
    *inner = at;
    at += write_ip(frame + at, inner_v6, 200, n);
    for (uint32_t i = 0; i < n; i++) {
        frame[at + i] = (uint8_t)(i + 1);
    }
    return at + n;
}

static void
test_the_inner_frame_has_the_same_bytes(void **state)
{
    (void)state;
    for (int way = 0; way < 8; way++) {
        const bool tagged = way & 1;
        const bool inner_v6 = (way & 4) != 0;
        const uint32_t header = ETHERNET + (tagged ? 4 : 0);
        uint8_t frame[MAX_BYTES];
        struct sim_payload *outer;
        struct sim_payload *opened;
        uint32_t inner;
        uint32_t length =
            write_frame(frame, tagged, (way & 2) != 0, inner_v6, 60, &inner);

        frame[length] = 0xee; /* Padding of the outer frame is left out. */
        outer = sim_payload_create(length + 1, frame);
        opened = tunnel_open(outer);
        assert_non_null(opened);
        assert_int_equal(opened->length, header + length - inner);
        assert_memory_equal(opened->bytes, frame, header - 2);
        assert_int_equal(opened->bytes[header - 2], inner_v6 ? 0x86 : 0x08);
        assert_int_equal(opened->bytes[header - 1], inner_v6 ? 0xdd : 0x00);
        assert_memory_equal(opened->bytes + header, frame + inner,
                            length - inner);
        assert_int_equal(opened->packet.kind,
                         inner_v6 ? PACKET_IPV6 : PACKET_IPV4);
        assert_int_equal(opened->packet.tag, tagged ? 100 : 0);
        sim_payload_unref(opened);
        sim_payload_unref(outer);
    }
}

static void
test_short_inner_packet_is_padded(void **state)
{
    uint8_t frame[MAX_BYTES];
    const uint8_t zeros[MAX_BYTES] = {0};
    struct sim_payload *outer;
    struct sim_payload *opened;
    uint32_t inner;
    const uint32_t length = write_frame(frame, false, false, false, 8, &inner);

    (void)state;
    outer = sim_payload_create(length, frame);
    opened = tunnel_open(outer);
    assert_non_null(opened);
    assert_int_equal(opened->length, 60);
    assert_memory_equal(opened->bytes + ETHERNET + IPV4 + 8, zeros,
                        60 - ETHERNET - IPV4 - 8);
    sim_payload_unref(opened);
    sim_payload_unref(outer);
}

static void
test_extension_headers_of_the_outer_header_are_skipped(void **state)
{
    uint8_t frame[MAX_BYTES] = {0};
    struct sim_payload *outer;
    struct sim_payload *opened;
    uint32_t at = ETHERNET;

    (void)state;
    write_u16(frame + 12, 0x86dd);
    at += write_ip(frame + at, true, 60, 8 + IPV4 + 40); /* Options. */
    frame[at] = PACKET_IPIP;
    at += 8;
    at += write_ip(frame + at, false, 200, 40);
    memset(frame + at, 7, 40);
    outer = sim_payload_create(at + 40, frame);
    assert_int_equal(outer->packet.protocol, PACKET_IPIP);
    opened = tunnel_open(outer);
    assert_non_null(opened);
    assert_memory_equal(opened->bytes + ETHERNET, frame + at - IPV4, IPV4 + 40);
    sim_payload_unref(opened);
    sim_payload_unref(outer);
}

static void
test_malformed_inner_packets_are_refused(void **state)
{
    /* Offset from the inner header, and a byte that makes it malformed. */
    static const struct {
        uint32_t at;
        uint8_t value;
    } wrong[] = {
        {0, 0x65},  /* Version 6 in a packet that must be IPv4. */
        {0, 0x44},  /* Header of 16 bytes. */
        {3, 200},   /* Longer than the outer packet. */
        {10, 0xff}, /* Checksum. */
    };
    struct sim_payload *outer;
    uint8_t frame[MAX_BYTES];
    uint32_t inner;
    uint32_t length;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        length = write_frame(frame, false, false, false, 10, &inner);
        frame[inner + wrong[i].at] = wrong[i].value;
        outer = sim_payload_create(length, frame);
        assert_null(tunnel_open(outer));
        sim_payload_unref(outer);
    }
    /* Cut short: padding must not make up for the missing bytes. */
    length = write_frame(frame, false, false, false, 6, &inner);
    write_u16(frame + ETHERNET + 2, IPV4 + IPV4 + 2);
    write_u16(frame + ETHERNET + 10, 0);
    write_u16(frame + ETHERNET + 10, packet_checksum(frame + ETHERNET, IPV4));
    outer = sim_payload_create(length, frame);
    assert_int_equal(outer->packet.fault, PACKET_SOUND);
    assert_null(tunnel_open(outer));
    sim_payload_unref(outer);
    /* Without bytes there is nothing inside. */
    outer = sim_payload_describe(&(struct packet){
        .kind = PACKET_IPV4, .protocol = PACKET_IPIP, .ip_bytes = 100});
    assert_null(tunnel_open(outer));
    sim_payload_unref(outer);
}

/* ECN ------------------------------------------------------------------ */

static void
test_ecn_is_combined_as_rfc_6040_says(void **state)
{
    /* Figure 4: rows inner Not-ECT, ECT(0), ECT(1), CE; columns outer. */
    enum { N = 0, E1 = 1, E0 = 2, C = 3, DROP = 4 };
    static const uint8_t fields[] = {N, E0, E1, C};
    static const uint8_t figure[4][4] = {
        {N, N, N, DROP}, {E0, E0, E1, C}, {E1, E1, E1, C}, {C, C, C, C}};

    (void)state;
    for (int inner = 0; inner < 4; inner++) {
        for (int outer = 0; outer < 4; outer++) {
            uint8_t ecn = 99;
            const bool passes =
                tunnel_combine_ecn(fields[outer], fields[inner], &ecn);

            assert_int_equal(passes, figure[inner][outer] != DROP);
            assert_int_equal(ecn, passes ? figure[inner][outer] : 99);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(
            test_precedence_is_priority_then_destination_then_source_then_age),
        cmocka_unit_test(test_only_whole_tunneled_packets_of_the_router_match),
        cmocka_unit_test(test_the_inner_frame_has_the_same_bytes),
        cmocka_unit_test(test_short_inner_packet_is_padded),
        cmocka_unit_test(
            test_extension_headers_of_the_outer_header_are_skipped),
        cmocka_unit_test(test_malformed_inner_packets_are_refused),
        cmocka_unit_test(test_ecn_is_combined_as_rfc_6040_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
