/* SPDX-License-Identifier: Apache-2.0 */

/* The message layer above SRD: segments, turns, copies, failures. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/transport/message.h"

#define US INT64_C(1000000)

static const struct message_config plain = {.segment_bytes = 1000};

static void
test_messages_take_turns_by_segments(void **state)
{
    struct message_layer *layer = message_layer_create(&plain);
    static const struct {
        uint32_t tag, offset, length, total;
    } expected[] = {
        {1, 0, 1000, 2500},
        {2, 0, 300, 300},
        {1, 1000, 1000, 2500},
        {1, 2000, 500, 2500},
    };
    struct message_segment segment;

    (void)state;
    message_post(layer, 5, 1, 77, 2500);
    message_post(layer, 6, 2, 78, 300);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        assert_true(message_next(layer, &segment));
        assert_int_equal(segment.peer, expected[i].tag == 1 ? 5 : 6);
        assert_int_equal(segment.length_bytes, expected[i].length);
        assert_int_equal(segment.header.words[0], expected[i].tag);
        assert_int_equal(segment.header.words[1], 0);
        assert_int_equal(segment.header.words[2], expected[i].offset);
        assert_int_equal(segment.header.words[3], expected[i].total);
    }
    assert_false(message_next(layer, &segment));
    message_post(layer, 5, 1, 79, 0);
    assert_true(message_next(layer, &segment));
    assert_int_equal(segment.length_bytes, 0);
    assert_int_equal(segment.header.words[1], 1);
    message_layer_destroy(layer);
}

static void
test_a_message_ends_with_its_last_segment(void **state)
{
    struct message_layer *layer = message_layer_create(&plain);
    struct message_segment segments[3];
    struct message_completion completion;

    (void)state;
    message_post(layer, 5, 1, 77, 2500);
    assert_true(message_next(layer, &segments[0]));
    message_segment_ended(layer, segments[0].handle, SRD_OK);
    assert_false(message_poll(layer, US, &completion));
    assert_int_equal(message_id(layer, segments[0].handle), 77);
    assert_true(message_next(layer, &segments[1]));
    assert_true(message_next(layer, &segments[2]));
    message_segment_ended(layer, segments[2].handle, SRD_OK);
    assert_false(message_poll(layer, US, &completion));
    message_segment_ended(layer, segments[1].handle, SRD_OK);
    assert_true(message_poll(layer, US, &completion));
    assert_int_equal(completion.id, 77);
    assert_int_equal(completion.peer, 5);
    assert_int_equal(completion.tag, 1);
    assert_int_equal(completion.bytes, 2500);
    assert_int_equal(completion.status, SRD_OK);
    assert_false(completion.is_receive);
    assert_false(message_poll(layer, US, &completion));
    message_layer_destroy(layer);
}

static void
test_the_first_failure_is_the_status(void **state)
{
    struct message_layer *layer = message_layer_create(&plain);
    struct message_segment segment;
    struct message_completion completion;

    (void)state;
    message_post(layer, 5, 1, 77, 3000);
    for (int i = 0; i < 3; i++) {
        static const enum srd_status statuses[] = {SRD_OK, SRD_RNR,
                                                   SRD_BAD_DEST_QP};

        assert_true(message_next(layer, &segment));
        message_segment_ended(layer, segment.handle, statuses[i]);
    }
    assert_true(message_poll(layer, US, &completion));
    assert_int_equal(completion.status, SRD_RNR);
    message_layer_destroy(layer);
}

static bool
arrive(struct message_layer *layer, uint32_t tag, uint32_t number,
       uint32_t offset, uint32_t length, uint32_t total, int64_t now_ps)
{
    const struct srd_header header = {{tag, number, offset, total}};

    return message_arrived(layer, 9, length, &header, now_ps);
}

static void
test_copies_take_time_one_after_the_other(void **state)
{
    /* A kilobyte takes 1 us. */
    static const struct message_config copying = {.segment_bytes = 1000,
                                                  .copy_bps = 8000000000};
    struct message_layer *layer = message_layer_create(&copying);
    struct message_completion completion;

    (void)state;
    assert_int_equal(message_deadline_ps(layer), INT64_MAX);
    assert_true(arrive(layer, 1, 1, 0, 1000, 1000, 10 * US));
    assert_true(arrive(layer, 2, 0, 0, 1000, 1000, 10 * US));
    assert_int_equal(message_deadline_ps(layer), 11 * US);
    assert_false(message_poll(layer, 11 * US, &completion)); /* It is second. */
    assert_int_equal(message_deadline_ps(layer), 12 * US);
    assert_false(message_poll(layer, 12 * US - 1, &completion));
    assert_true(message_poll(layer, 12 * US, &completion));
    assert_int_equal(completion.tag, 2);
    assert_int_equal(completion.peer, 9);
    assert_true(arrive(layer, 1, 0, 0, 500, 1000, 20 * US));
    assert_int_equal(message_deadline_ps(layer), INT64_MAX);
    assert_true(arrive(layer, 1, 0, 500, 500, 1000, 21 * US));
    assert_int_equal(message_deadline_ps(layer), 21500000);
    assert_int_equal(message_held_bytes(layer), 2000);
    for (uint32_t i = 0; i < 2; i++) {
        assert_true(message_poll(layer, 21500000, &completion));
        assert_int_equal(completion.tag, 1);
        assert_int_equal(completion.id, i);
    }
    assert_int_equal(message_held_bytes(layer), 0);
    assert_int_equal(message_held_peak_bytes(layer), 2000);
    message_layer_destroy(layer);
}

/* A message of the same tag waits for its own copy, not for that of the first.
 */
static void
test_each_message_waits_for_its_copy(void **state)
{
    static const struct message_config copying = {.segment_bytes = 1000,
                                                  .copy_bps = 8000000000};
    struct message_layer *layer = message_layer_create(&copying);
    struct message_completion completion;

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(arrive(layer, 1, i, 0, 1000, 1000, 10 * US));
    }
    for (uint32_t i = 0; i < 3; i++) {
        const int64_t copied_ps = (11 + i) * US;

        assert_int_equal(message_deadline_ps(layer), copied_ps);
        assert_false(message_poll(layer, copied_ps - 1, &completion));
        assert_true(message_poll(layer, copied_ps, &completion));
        assert_int_equal(completion.id, i);
        assert_false(message_poll(layer, copied_ps, &completion));
    }
    assert_int_equal(message_deadline_ps(layer), INT64_MAX);
    message_layer_destroy(layer);
}

static void
test_senseless_headers_are_refused(void **state)
{
    struct message_layer *layer = message_layer_create(&plain);

    (void)state;
    assert_true(arrive(layer, 1, 0, 0, 1000, 2000, US));
    assert_false(arrive(layer, 1, 0, 1000, 1000, 3000, US)); /* The total. */
    assert_false(arrive(layer, 1, 1, 1500, 501, 2000, US));  /* Beyond it. */
    assert_false(arrive(layer, 1, 1 << 16, 0, 1, 1, US));    /* Too far. */
    assert_true(arrive(layer, 1, (1 << 16) - 1, 0, 1, 1, US));
    assert_true(arrive(layer, 1, 0, 1000, 1000, 2000, US));
    assert_false(arrive(layer, 1, 0, 1000, 1000, 2000, US)); /* Once more. */
    message_layer_destroy(layer);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_messages_take_turns_by_segments),
        cmocka_unit_test(test_a_message_ends_with_its_last_segment),
        cmocka_unit_test(test_the_first_failure_is_the_status),
        cmocka_unit_test(test_copies_take_time_one_after_the_other),
        cmocka_unit_test(test_each_message_waits_for_its_copy),
        cmocka_unit_test(test_senseless_headers_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
