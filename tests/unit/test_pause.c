/* SPDX-License-Identifier: Apache-2.0 */

/* Received pauses: when they begin and end, what is counted. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/pfc.h"
#include "twin/qos/pause.h"

/* A quantum at 100 Gb/s. */
#define QUANTUM_PS INT64_C(5120)

static struct pause_receiver
make(uint8_t priorities, bool all)
{
    struct pause_receiver receiver;

    pause_init(&receiver, &(struct pause_config){.speed_mbps = 100000,
                                                 .priorities = priorities,
                                                 .all = all});
    return receiver;
}

static void
pfc(struct pause_receiver *receiver, uint8_t priorities, uint16_t quanta,
    int64_t now_ps)
{
    struct pause_frame frame = {.kind = PAUSE_FRAME_PFC,
                                .priorities = priorities};

    /* The other priorities have times too, which mean nothing. */
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        frame.quanta[i] = priorities >> i & 1 ? quanta : 77;
    }
    pause_receive(receiver, &frame, now_ps);
}

static void
pause_all(struct pause_receiver *receiver, uint16_t quanta, int64_t now_ps)
{
    const struct pause_frame frame = {.kind = PAUSE_FRAME_ALL,
                                      .quanta = {quanta}};

    pause_receive(receiver, &frame, now_ps);
}

static void
test_pause_ends_to_the_picosecond(void **state)
{
    struct pause_receiver r = make(0xff, false);

    (void)state;
    pfc(&r, 0x08, 10, 1000);
    assert_int_equal(r.paused, 0x08);
    assert_true(pause_next_ps(&r) == 1000 + 10 * QUANTUM_PS);
    pause_expire(&r, 1000 + 10 * QUANTUM_PS - 1);
    assert_int_equal(r.paused, 0x08);
    pause_expire(&r, 1000 + 10 * QUANTUM_PS);
    assert_int_equal(r.paused, 0);
    assert_true(pause_next_ps(&r) == INT64_MAX);
    assert_int_equal(r.frames[3], 1);
    assert_int_equal(r.ends[3], 1);
    assert_int_equal(r.meters[3].quanta, 10);
    assert_true(r.meters[3].total_ps == 10 * QUANTUM_PS);
}

static void
test_further_frames_replace_what_is_left(void **state)
{
    struct pause_receiver r = make(0xff, false);

    (void)state;
    pfc(&r, 0x18, 100, 0);
    pfc(&r, 0x08, 100, 50 * QUANTUM_PS); /* Longer, ... */
    pfc(&r, 0x10, 10, 50 * QUANTUM_PS);  /* ... or shorter. */
    assert_true(pause_next_ps(&r) == 60 * QUANTUM_PS);
    pause_expire(&r, 60 * QUANTUM_PS);
    assert_int_equal(r.paused, 0x08);
    assert_true(pause_next_ps(&r) == 150 * QUANTUM_PS);
    pause_expire(&r, 150 * QUANTUM_PS);
    /* One pause each, however many frames. */
    assert_int_equal(r.frames[3], 2);
    assert_int_equal(r.ends[3], 1);
    assert_int_equal(r.meters[3].quanta, 150);
    assert_int_equal(r.meters[4].quanta, 60);
}

static void
test_zero_quanta_end_at_once_and_count(void **state)
{
    struct pause_receiver r = make(0xff, false);

    (void)state;
    pfc(&r, 0x08, 0, 5);
    assert_int_equal(r.paused, 0);
    assert_int_equal(r.frames[3], 1);
    assert_int_equal(r.ends[3], 0); /* Nothing ended. */
    pfc(&r, 0x08, 0xffff, 10);
    pfc(&r, 0x08, 0, 10 + 3 * QUANTUM_PS + 1);
    assert_int_equal(r.paused, 0);
    assert_int_equal(r.frames[3], 3);
    assert_int_equal(r.ends[3], 1);
    assert_int_equal(r.meters[3].quanta, 3);
    assert_true(r.meters[3].total_ps == 3 * QUANTUM_PS + 1);
}

static void
test_empty_vector_does_nothing(void **state)
{
    struct pause_receiver r = make(0xff, true);

    (void)state;
    pfc(&r, 0, 0xffff, 0);
    assert_int_equal(r.paused, 0);
    assert_false(r.all_paused);
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        assert_int_equal(r.frames[i], 0);
    }
    assert_int_equal(r.all_frames, 0);
}

static void
test_disabled_priorities_count_but_do_not_pause(void **state)
{
    struct pause_receiver r = make(0x10, false);

    (void)state;
    pfc(&r, 0x18, 5, 0);
    assert_int_equal(r.paused, 0x10);
    assert_int_equal(r.frames[3], 1);
    assert_int_equal(r.frames[4], 1);
    assert_int_equal(r.frames[5], 0);
    assert_int_equal(r.meters[3].quanta, 0);
}

static void
test_disabling_ends_a_pause(void **state)
{
    struct pause_receiver r = make(0xff, true);
    struct pause_config config = r.config;

    (void)state;
    pfc(&r, 0x18, 100, 0);
    pause_all(&r, 100, 0);
    config.priorities = 0x10;
    config.all = false;
    pause_configure(&r, &config, 7 * QUANTUM_PS);
    assert_int_equal(r.paused, 0x10);
    assert_false(r.all_paused);
    assert_int_equal(r.ends[3], 1);
    assert_int_equal(r.meters[3].quanta, 7);
    config.priorities = 0xff;
    config.all = true;
    pause_configure(&r, &config, 8 * QUANTUM_PS);
    assert_int_equal(r.paused, 0x10); /* It does not come back. */
    assert_false(r.all_paused);
}

static void
test_pause_of_all_is_obeyed_if_configured(void **state)
{
    struct pause_receiver off = make(0xff, false);
    struct pause_receiver on = make(0, true);

    (void)state;
    pause_all(&off, 100, 0);
    assert_false(off.all_paused);
    assert_int_equal(off.paused, 0);
    assert_int_equal(off.all_frames, 1);
    pause_all(&on, 100, 0);
    assert_true(on.all_paused);
    assert_int_equal(on.paused, 0);
    assert_true(pause_next_ps(&on) == 100 * QUANTUM_PS);
    pause_expire(&on, 100 * QUANTUM_PS - 1);
    assert_true(on.all_paused);
    pause_expire(&on, 100 * QUANTUM_PS);
    assert_false(on.all_paused);
    pause_all(&on, 100, 200 * QUANTUM_PS);
    pause_all(&on, 0, 201 * QUANTUM_PS);
    assert_false(on.all_paused);
    assert_int_equal(on.all_frames, 3);
    assert_int_equal(on.frames[0], 0);
}

static void
test_speed_changes_what_is_left(void **state)
{
    struct pause_receiver r = make(0xff, true);
    struct pause_config config = r.config;

    (void)state;
    pfc(&r, 0x08, 100, 0);
    pause_all(&r, 100, 0);
    config.speed_mbps = 25000; /* A quantum is four times as long. */
    pause_configure(&r, &config, 40 * QUANTUM_PS);
    assert_true(r.until_ps[3] == (40 + 4 * 60) * QUANTUM_PS);
    assert_true(r.all_until_ps == r.until_ps[3]);
    pause_expire(&r, r.until_ps[3]);
    assert_int_equal(r.meters[3].quanta, 100);
    assert_true(r.meters[3].total_ps == (40 + 4 * 60) * QUANTUM_PS);
}

/* A pause never ends before its quanta are over: what does not come out even
 * takes up to a picosecond more. */
static void
test_what_is_left_is_rounded_up(void **state)
{
    struct pause_receiver r = make(0xff, true);
    struct pause_config config = r.config;

    (void)state;
    pfc(&r, 0x08, 1, 0);
    config.speed_mbps = 300000; /* A third: 5,120 / 3 = 1,706.67. */
    pause_configure(&r, &config, 0);
    assert_true(r.until_ps[3] == 1707);
}

static void
test_link_down_ends_everything(void **state)
{
    struct pause_receiver r = make(0xff, true);

    (void)state;
    pfc(&r, 0xff, 100, 0);
    pause_all(&r, 100, 0);
    pause_reset(&r, 30 * QUANTUM_PS);
    assert_int_equal(r.paused, 0);
    assert_false(r.all_paused);
    assert_true(pause_next_ps(&r) == INT64_MAX);
    assert_int_equal(r.ends[7], 1);
    assert_int_equal(r.meters[7].quanta, 30);
}

static void
test_duration_counts_up_to_the_reading(void **state)
{
    struct pause_receiver r = make(0xff, false);
    struct pause_meter read;

    (void)state;
    pfc(&r, 0x08, 100, 0);
    read = pause_meter_read(&r.meters[3], 100000, 40 * QUANTUM_PS - 1);
    assert_int_equal(read.quanta, 39);
    assert_true(read.total_ps == (uint64_t)(40 * QUANTUM_PS - 1));
    /* Reading changes nothing, and parts of quanta are not lost. */
    for (int64_t now = 0; now < 100 * QUANTUM_PS; now += 1000) {
        pause_meter_set(&r.meters[3], true, 100000, now);
    }
    pause_expire(&r, 100 * QUANTUM_PS + 12345);
    assert_int_equal(r.meters[3].quanta, 100);
    /* Time that passed before anyone noticed the end does not count. */
    assert_true(r.meters[3].total_ps == (uint64_t)(100 * QUANTUM_PS));
    read = pause_meter_read(&r.meters[3], 100000, 200 * QUANTUM_PS);
    assert_int_equal(read.quanta, 100);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pause_ends_to_the_picosecond),
        cmocka_unit_test(test_further_frames_replace_what_is_left),
        cmocka_unit_test(test_zero_quanta_end_at_once_and_count),
        cmocka_unit_test(test_empty_vector_does_nothing),
        cmocka_unit_test(test_disabled_priorities_count_but_do_not_pause),
        cmocka_unit_test(test_disabling_ends_a_pause),
        cmocka_unit_test(test_pause_of_all_is_obeyed_if_configured),
        cmocka_unit_test(test_speed_changes_what_is_left),
        cmocka_unit_test(test_what_is_left_is_rounded_up),
        cmocka_unit_test(test_link_down_ends_everything),
        cmocka_unit_test(test_duration_counts_up_to_the_reading),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
