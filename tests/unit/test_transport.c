/* SPDX-License-Identifier: Apache-2.0 */

/* Lengths of RoCEv2 frames, PSN arithmetic, timers, pacing and memory
 * regions. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/transport/opcode.h"
#include "twin/transport/pacer.h"
#include "twin/transport/region.h"

static void
test_frame_lengths(void **state)
{
    static const struct {
        uint8_t opcode;
        uint32_t payload_bytes;
        uint32_t frame_bytes;
    } cases[] = {
        {TRANSPORT_SEND_MIDDLE, 1024, 1086},
        {TRANSPORT_SEND_ONLY, 0, 64}, /* 62, padded. */
        {TRANSPORT_SEND_ONLY, 5, 62 + 8},
        {TRANSPORT_SEND_ONLY_IMMEDIATE, 8, 62 + 12},
        {TRANSPORT_WRITE_FIRST, 1024, 1102},
        {TRANSPORT_WRITE_LAST_IMMEDIATE, 4, 62 + 8},
        {TRANSPORT_WRITE_ONLY_IMMEDIATE, 4, 62 + 24},
        {TRANSPORT_READ_REQUEST, 0, 78},
        {TRANSPORT_READ_RESPONSE_FIRST, 1024, 1090},
        {TRANSPORT_READ_RESPONSE_MIDDLE, 1024, 1086},
        {TRANSPORT_ACK, 0, 66},
        {TRANSPORT_CNP, 0, 78},
        {TRANSPORT_SEND_LAST_INVALIDATE, 1024, 1090},
        {TRANSPORT_SEND_ONLY_INVALIDATE, 8, 62 + 12},
    };
    /* An adapter of another simulator: 48 bytes around a payload, ACKs of
     * 60. */
    const struct transport_framing other = {
        .base_bytes = 48, .ack_bytes = 60, .pad_bytes = 1};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(transport_frame_bytes(&transport_framing_rocev2,
                                               cases[i].opcode,
                                               cases[i].payload_bytes),
                         cases[i].frame_bytes);
    }
    assert_int_equal(transport_frame_bytes(&other, TRANSPORT_WRITE_FIRST, 1000),
                     1048);
    assert_int_equal(transport_frame_bytes(&other, TRANSPORT_ACK, 0), 60);
    assert_string_equal(transport_opcode_name(TRANSPORT_WRITE_ONLY),
                        "WRITE_ONLY");
    assert_string_equal(transport_opcode_name(TRANSPORT_CNP), "CNP");
    assert_string_equal(transport_opcode_name(0x12), "UNKNOWN");
    assert_string_equal(transport_opcode_name(0x18), "UNKNOWN");
    assert_string_equal(transport_opcode_name(TRANSPORT_SEND_ONLY_INVALIDATE),
                        "SEND_ONLY_INVALIDATE");
    assert_int_equal(transport_extension_bytes(0x80), 0);
}

static void
test_kinds_of_packets(void **state)
{
    (void)state;
    assert_true(transport_is_request(TRANSPORT_READ_REQUEST));
    assert_true(transport_is_request(TRANSPORT_SEND_LAST_INVALIDATE));
    assert_true(transport_is_request(TRANSPORT_SEND_ONLY_INVALIDATE));
    assert_false(transport_is_request(0x15));
    assert_false(transport_is_request(0x18));
    assert_true(transport_begins_message(TRANSPORT_SEND_ONLY_INVALIDATE));
    assert_false(transport_begins_message(TRANSPORT_SEND_LAST_INVALIDATE));
    assert_false(transport_is_request(TRANSPORT_READ_RESPONSE_FIRST));
    assert_false(transport_is_request(TRANSPORT_CNP));
    assert_true(transport_is_read_response(TRANSPORT_READ_RESPONSE_ONLY));
    assert_false(transport_is_read_response(TRANSPORT_ACK));
}

static void
test_psn_arithmetic(void **state)
{
    (void)state;
    assert_int_equal(transport_psn_difference(1, 0xffffff), 2);
    assert_int_equal(transport_psn_difference(0xffffff, 1), -2);
    assert_int_equal(transport_psn_difference(0x800000, 0), -0x800000);
    assert_int_equal(transport_psn_difference(0x7fffff, 0), 0x7fffff);
    assert_int_equal(transport_psn_expand(2, 0x12fffffe), 0x13000002);
    assert_int_equal(transport_psn_expand(0xfffffe, 0x13000002), 0x12fffffe);
    assert_int_equal(transport_psn_expand(1, 0xffffffff), 1);
}

static void
test_timers(void **state)
{
    (void)state;
    /* 67.1 ms. */
    assert_int_equal(transport_ack_timeout_ps(14), INT64_C(67108864000));
    assert_int_equal(transport_ack_timeout_ps(0), INT64_MAX);
    assert_int_equal(transport_rnr_timer_ps(0), INT64_C(655360000000));
    assert_int_equal(transport_rnr_timer_ps(1), 10000000);
    assert_int_equal(transport_rnr_timer_ps(0x20 | 12), 640000000);
    assert_int_equal(transport_rnr_timer_ps(31), INT64_C(491520000000));
}

/* A packet of 1,106 bytes at 3 Gb/s takes 2,949,333.33 ps. */
static void
test_pacer_does_not_drift(void **state)
{
    const struct pacer_config config = {0};
    struct pacer pacer = {0};

    (void)state;
    for (int64_t i = 1; i <= 3000000; i++) {
        pacer_sent(&pacer, &config, 1106, 3000000000, pacer.eligible_ps);
        if (i < 7) {
            assert_int_equal(pacer.eligible_ps, i * 8848000 / 3);
        }
    }
    assert_int_equal(pacer.eligible_ps, INT64_C(8848000) * 1000000);
}

static void
test_pacer_bursts(void **state)
{
    const struct pacer_config config = {.burst = 4};
    struct pacer pacer = {0};

    (void)state;
    /* The gap of all four counts from the start of the first. */
    for (int i = 0; i < 3; i++) {
        pacer_sent(&pacer, &config, 1000, 8000000000, 50 + 100 * i);
        assert_int_equal(pacer.eligible_ps, 50);
    }
    pacer_sent(&pacer, &config, 1000, 8000000000, 350);
    assert_int_equal(pacer.eligible_ps, 50 + 4000000);
    pacer_end_burst(&pacer, &config, 8000000000);
    assert_int_equal(pacer.eligible_ps, 50 + 4000000);
    pacer_sent(&pacer, &config, 500, 8000000000, 5000000);
    pacer_end_burst(&pacer, &config, 8000000000);
    assert_int_equal(pacer.eligible_ps, 5500000);
}

/* At the rate of the port bursts follow each other without a gap, and at a part
 * of it they have that part of the port. */
static void
test_pacer_bursts_keep_the_rate(void **state)
{
    static const int64_t shares[] = {1, 2, 5};
    const struct pacer_config config = {.burst = 16};

    (void)state;
    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        struct pacer pacer = {0};
        int64_t now_ps = 0;

        for (int n = 0; n < 1600; n++) {
            now_ps = pacer.eligible_ps > now_ps ? pacer.eligible_ps : now_ps;
            pacer_sent(&pacer, &config, 1000, 8000000000 / shares[i], now_ps);
            now_ps += 1000000;
        }
        assert_int_equal(pacer.eligible_ps, 1600 * shares[i] * 1000000);
    }
}

/* A late packet delays the next one, except for the credit it may have. */
static void
test_pacer_credit(void **state)
{
    const struct pacer_config strict = {0};
    const struct pacer_config lenient = {.max_lag_ps = 300000};
    struct pacer pacer = {0};

    (void)state;
    pacer_sent(&pacer, &strict, 1000, 8000000000, 700000);
    assert_int_equal(pacer.eligible_ps, 1700000);
    pacer_sent(&pacer, &lenient, 1000, 8000000000, 1900000);
    assert_int_equal(pacer.eligible_ps, 2700000);
    pacer_sent(&pacer, &lenient, 1000, 8000000000, 9000000);
    assert_int_equal(pacer.eligible_ps, 9700000);
}

/* A new rate counts for packets sent with it, and the remainder is converted:
 * 1/3 ps at 3 Gb/s stays less than a picosecond at 300 Gb/s. */
static void
test_pacer_changes_rate(void **state)
{
    const struct pacer_config config = {0};
    struct pacer pacer = {0};

    (void)state;
    pacer_sent(&pacer, &config, 1, 3000000000, 0);
    assert_int_equal(pacer.eligible_ps, 2666);
    assert_int_equal(pacer.rest, 2000000000);
    pacer_sent(&pacer, &config, 1, INT64_C(300000000000), 2666);
    /* 2666 + 2/3 + 26 + 2/3. */
    assert_int_equal(pacer.eligible_ps, 2693);
    assert_int_equal(pacer.rest, INT64_C(100000000000));
}

static void
test_regions(void **state)
{
    struct regions *regions = regions_create();
    const struct region low = {3, REGION_REMOTE_READ, 100, 50};
    const struct region high = {9, REGION_REMOTE_READ | REGION_REMOTE_WRITE,
                                UINT64_MAX - 9, 10};
    struct region wraps = {4, REGION_REMOTE_READ, UINT64_MAX - 9, 11};

    (void)state;
    assert_int_equal(regions_add(regions, &high), ST_OK);
    assert_int_equal(regions_add(regions, &low), ST_OK);
    assert_int_equal(regions_add(regions, &low), ST_EXISTS);
    assert_int_equal(regions_add(regions, &wraps), ST_INVALID);
    for (uint32_t rkey = 20; rkey < 40; rkey++) {
        wraps = (struct region){rkey, REGION_REMOTE_READ, rkey, 1};
        assert_int_equal(regions_add(regions, &wraps), ST_OK);
    }
    assert_true(regions_allow(regions, 31, REGION_REMOTE_READ, 31, 1));
    assert_true(regions_allow(regions, 3, REGION_REMOTE_READ, 100, 50));
    assert_false(regions_allow(regions, 3, REGION_REMOTE_READ, 100, 51));
    assert_false(regions_allow(regions, 3, REGION_REMOTE_READ, 99, 1));
    assert_false(regions_allow(regions, 3, REGION_REMOTE_WRITE, 100, 1));
    assert_false(regions_allow(regions, 3, REGION_REMOTE_READ, 150, 1));
    assert_true(regions_allow(regions, 3, REGION_REMOTE_READ, 150, 0));
    assert_true(regions_allow(
        regions, 9, REGION_REMOTE_READ | REGION_REMOTE_WRITE, UINT64_MAX, 1));
    assert_false(regions_allow(regions, 9, REGION_REMOTE_READ, UINT64_MAX, 2));
    assert_false(regions_allow(regions, 5, REGION_REMOTE_READ, 100, 1));
    assert_true(regions_allow(regions, 5, REGION_REMOTE_READ, 100, 0));
    assert_int_equal(regions_remove(regions, 5), ST_NOT_FOUND);
    assert_int_equal(regions_remove(regions, 3), ST_OK);
    assert_false(regions_allow(regions, 3, REGION_REMOTE_READ, 100, 1));
    assert_true(regions_allow(regions, 9, REGION_REMOTE_READ, UINT64_MAX, 1));
    assert_int_equal(regions_remove(regions, 25), ST_OK);
    assert_false(regions_allow(regions, 25, REGION_REMOTE_READ, 25, 1));
    for (uint32_t rkey = 20; rkey < 40; rkey++) {
        assert_int_equal(
            regions_allow(regions, rkey, REGION_REMOTE_READ, rkey, 1),
            rkey != 25);
    }
    regions_destroy(regions);
    regions_destroy(NULL);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frame_lengths),
        cmocka_unit_test(test_kinds_of_packets),
        cmocka_unit_test(test_psn_arithmetic),
        cmocka_unit_test(test_timers),
        cmocka_unit_test(test_pacer_does_not_drift),
        cmocka_unit_test(test_pacer_bursts),
        cmocka_unit_test(test_pacer_bursts_keep_the_rate),
        cmocka_unit_test(test_pacer_credit),
        cmocka_unit_test(test_pacer_changes_rate),
        cmocka_unit_test(test_regions),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
