/* SPDX-License-Identifier: Apache-2.0 */

/* The bytes of TCP segments; test_orchlab_capture.py decodes them by tshark. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "results/tcp_bytes.h"

static const struct ip_header ip = {.source_mac = UINT64_C(0x020000000001),
                                    .destination_mac = UINT64_C(0x020000000002),
                                    .source_ip = 0x0a000002,
                                    .destination_ip = 0x0a000003,
                                    .dscp = 1,
                                    .ecn = 2,
                                    .ttl = 64};

/* A segment without payload, its checksums added by hand: the words of IP are
 * 4506 0028 0000 4000 4006 0a00 0002 0a00 0003, sum d939; the pseudo header
 * has 0a00 0002 0a00 0003 0006 0014, and TCP c000 1389 0000 0001 0000 0002 5010
 * 0100, sum 138bb. */
static void
test_known_segment(void **state)
{
    static const uint8_t wanted[] = {
        0x02, 0x00, 0x00, 0x00, 0x00, 0x02, 0x02, 0x00, 0x00, 0x00, 0x00,
        0x01, 0x08, 0x00, 0x45, 0x06, 0x00, 0x28, 0x00, 0x00, 0x40, 0x00,
        0x40, 0x06, 0x26, 0xc6, 0x0a, 0x00, 0x00, 0x02, 0x0a, 0x00, 0x00,
        0x03, 0xc0, 0x00, 0x13, 0x89, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00,
        0x00, 0x02, 0x50, 0x10, 0x01, 0x00, 0xc7, 0x43, 0x00, 0x00};
    const struct tcp_bytes tcp = {.source_port = 49152,
                                  .destination_port = 5001,
                                  .sequence = 1,
                                  .acknowledgement = 2,
                                  .window_bytes = 4 << 20};
    uint8_t bytes[TCP_BYTES_MAX];

    (void)state;
    assert_int_equal(tcp_bytes_build(&ip, &tcp, bytes), sizeof wanted);
    assert_memory_equal(bytes, wanted, sizeof wanted);
}

/* The checksum of TCP with its pseudo header adds up to zero, for odd payloads,
 * too; SACK blocks and flags are where RFC 9293 and 2018 say. */
static void
test_options_and_flags(void **state)
{
    const struct tcp_bytes tcp = {.sequence = UINT32_MAX,
                                  .acknowledgement = 0x01020304,
                                  .window_bytes = UINT32_MAX,
                                  .push = true,
                                  .ece = true,
                                  .cwr = true,
                                  .n_sacks = 2,
                                  .sacks = {{1, 2}, {0x30000000, 0x40000000}},
                                  .payload_bytes = 1001};
    const uint8_t *header;
    uint8_t bytes[TCP_BYTES_MAX];

    (void)state;
    memset(bytes, 0xff, sizeof bytes);
    assert_int_equal(tcp_bytes_build(&ip, &tcp, bytes),
                     14 + 20 + 20 + 20 + 1001);
    header = bytes + 34;
    assert_int_equal(header[12] >> 4, 10);
    assert_int_equal(header[13], 0x80 | 0x40 | 0x10 | 0x08);
    assert_int_equal(header[14] << 8 | header[15], 0xffff);
    assert_memory_equal(header + 20, "\x01\x01\x05\x12\0\0\0\1\0\0\0\2\x30",
                        13);
    assert_int_equal(ip_header_checksum(bytes + 14, 20, 0), 0);
    bytes[34 + 40 + 1001] = 0; /* The checksum pads with zeros. */
    assert_int_equal(
        ip_header_checksum(header, 40 + 1002,
                           6 + 40 + 1001 + 0x0a00 + 2 + 0x0a00 + 3),
        0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_segment),
        cmocka_unit_test(test_options_and_flags),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
