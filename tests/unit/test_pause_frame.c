/* SPDX-License-Identifier: Apache-2.0 */

/* Pause frames, byte for byte. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "twin/qos/pause_frame.h"

#define SOURCE UINT64_C(0x02aabbccddee)

/* The layouts of IEEE 802.3-2018 figures 31B-1 and 31D-1; the rest is zero. */
static const struct {
    const char *name;
    struct pause_frame pause;
    uint8_t bytes[PAUSE_FRAME_BYTES];
    uint32_t meaningful; /* Octets without which there is no such frame. */
} cases[] = {
    {"PFC, priorities 3 and 4",
     {PAUSE_FRAME_PFC, 0x18, {0, 0, 0, 0xffff, 0x1234, 0, 0, 0}},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0x88, 0x08, 0x01, 0x01, 0x00, 0x18, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0xff, 0xff, 0x12, 0x34, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00},
     34},
    {"PFC, all priorities",
     {PAUSE_FRAME_PFC, 0xff, {1, 2, 3, 4, 5, 6, 7, 0x0809}},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0x88, 0x08, 0x01, 0x01, 0x00, 0xff, 0x00, 0x01, 0x00, 0x02, 0x00, 0x03,
      0x00, 0x04, 0x00, 0x05, 0x00, 0x06, 0x00, 0x07, 0x08, 0x09},
     34},
    {"PFC, release of priority 0",
     {PAUSE_FRAME_PFC, 0x01, {0}},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0x88, 0x08, 0x01, 0x01, 0x00, 0x01},
     34},
    {"PFC, no priority",
     {PAUSE_FRAME_PFC, 0x00, {7}},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0xaa, 0xbb, 0xcc,
      0xdd, 0xee, 0x88, 0x08, 0x01, 0x01, 0x00, 0x00, 0x00, 0x07},
     34},
    {"802.3x",
     {PAUSE_FRAME_ALL, 0, {0xabcd}},
     {0x01, 0x80, 0xc2, 0x00, 0x00, 0x01, 0x02, 0xaa, 0xbb, 0xcc, 0xdd, 0xee,
      0x88, 0x08, 0x00, 0x01, 0xab, 0xcd},
     18},
};

enum { N_CASES = sizeof cases / sizeof cases[0] };

static void
test_frames_are_built_as_the_standard_says(void **state)
{
    uint8_t bytes[PAUSE_FRAME_BYTES];

    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        memset(bytes, 0x55, sizeof bytes);
        /* What is above 48 bits is no part of the address. */
        pause_frame_build(&cases[i].pause, SOURCE | UINT64_C(0x77) << 48,
                          bytes);
        if (memcmp(bytes, cases[i].bytes, sizeof bytes) != 0) {
            fail_msg("%s", cases[i].name);
        }
    }
}

static void
test_what_is_built_is_read_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        struct pause_frame read = {.priorities = 0x55, .quanta = {[5] = 1}};

        assert_true(
            pause_frame_parse(cases[i].bytes, PAUSE_FRAME_BYTES, &read));
        assert_int_equal(read.kind, cases[i].pause.kind);
        assert_int_equal(read.priorities, cases[i].pause.priorities);
        assert_memory_equal(read.quanta, cases[i].pause.quanta,
                            sizeof read.quanta);
    }
}

static void
test_frame_may_lack_padding_but_no_more(void **state)
{
    (void)state;
    for (size_t i = 0; i < N_CASES; i++) {
        struct pause_frame read;

        for (uint32_t n = 0; n <= PAUSE_FRAME_BYTES; n++) {
            /* In a block of its own, so that a read behind its end is seen. */
            uint8_t *bytes = test_malloc(n + !n);

            memcpy(bytes, cases[i].bytes, n);
            if (pause_frame_parse(bytes, n, &read) !=
                (n >= cases[i].meaningful)) {
                fail_msg("%s, %u octets", cases[i].name, n);
            }
            test_free(bytes);
        }
    }
}

/* Each of the octets that say "pause frame" matters. */
static void
test_other_frames_are_none(void **state)
{
    static const uint8_t decisive[] = {0, 1, 2, 3, 4, 5, 12, 13, 14, 15};

    (void)state;
    for (size_t i = 0; i < sizeof decisive; i++) {
        uint8_t bytes[PAUSE_FRAME_BYTES];
        struct pause_frame read = {.priorities = 0x5a};

        memcpy(bytes, cases[0].bytes, sizeof bytes);
        bytes[decisive[i]] ^= 0x40;
        assert_false(pause_frame_parse(bytes, sizeof bytes, &read));
        assert_int_equal(read.priorities, 0x5a);
    }
}

static void
test_reserved_half_of_the_vector_is_ignored(void **state)
{
    uint8_t bytes[PAUSE_FRAME_BYTES];
    struct pause_frame read;

    (void)state;
    memcpy(bytes, cases[0].bytes, sizeof bytes);
    bytes[16] = 0xff;
    assert_true(pause_frame_parse(bytes, sizeof bytes, &read));
    assert_int_equal(read.priorities, 0x18);
}

static void
test_quantum_is_512_bit_times(void **state)
{
    (void)state;
    assert_int_equal(pause_frame_quanta_to_ps(0, 1), 0);
    assert_int_equal(pause_frame_quanta_to_ps(1, 100000), 5120);
    assert_int_equal(pause_frame_quanta_to_ps(65535, 40000), 838848000);
    assert_int_equal(pause_frame_quanta_to_ps(65535, 1),
                     INT64_C(65535) * 512 * 1000000);
    /* 512 bits at 3 Gb/s are 170666.67 ps. */
    assert_int_equal(pause_frame_quanta_to_ps(1, 3000), 170667);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_built_as_the_standard_says),
        cmocka_unit_test(test_what_is_built_is_read_back),
        cmocka_unit_test(test_frame_may_lack_padding_but_no_more),
        cmocka_unit_test(test_other_frames_are_none),
        cmocka_unit_test(test_reserved_half_of_the_vector_is_ignored),
        cmocka_unit_test(test_quantum_is_512_bit_times),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
