/* SPDX-License-Identifier: Apache-2.0 */

/* When frames are due, to the picosecond. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/host/pacing.h"

static struct pacing
make(const struct pacing_config *config)
{
    struct pacing pace;

    assert_int_equal(pacing_init(&pace, config), ST_OK);
    return pace;
}

/* Frame k of a rate is due at floor(k * bits / rate), however large k. */
static void
test_constant_rates_do_not_drift(void **state)
{
    static const struct {
        uint64_t bits_per_s;
        uint32_t length_bytes;
        bool on_wire;
        uint64_t k;
        int64_t due_ps;
    } cases[] = {
        /* 84 bytes at 100 Gb/s: 6,720 ps, exactly. */
        {UINT64_C(100000000000), 60, true, 1, 6720},
        {UINT64_C(100000000000), 60, true, 1000000, INT64_C(6720000000)},
        /* 512 bits at 3 Gb/s: 170,666.67 ps. */
        {UINT64_C(3000000000), 64, false, 1, 170666},
        {UINT64_C(3000000000), 64, false, 2, 341333},
        {UINT64_C(3000000000), 64, false, 3, 512000},
        {UINT64_C(3000000000), 64, false, 3000000, INT64_C(512000000000)},
        /* A rate that divides nothing: 8000000 / 7.000000001 ns. */
        {UINT64_C(7000000001), 1000, false, 1, 1142857},
        {UINT64_C(7000000001), 1000, false, 1000000, INT64_C(1142857142693)},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct pacing pace = make(&(struct pacing_config){
            .start_ps = 5,
            .interval = pacing_of_bits(
                cases[i].bits_per_s, cases[i].length_bytes, cases[i].on_wire)});

        for (uint64_t k = 0; k < cases[i].k; k++) {
            pacing_advance(&pace);
        }
        assert_int_equal(pacing_due_ps(&pace), 5 + cases[i].due_ps);
    }
}

/* Three frames per second, and the end. */
static void
test_frames_per_second_and_their_number(void **state)
{
    static const int64_t want[] = {0, 333333333333, 666666666666,
                                   1000000000000};
    struct pacing pace = make(&(struct pacing_config){
        .n_frames = 4, .interval = pacing_of_frames(3)});

    (void)state;
    for (size_t i = 0; i < 4; i++) {
        assert_int_equal(pacing_due_ps(&pace), want[i]);
        pacing_advance(&pace);
    }
    assert_true(pacing_due_ps(&pace) == EVENT_NEVER);
}

static void
test_bursts(void **state)
{
    static const int64_t want[] = {7, 7, 7, 107, 107, 107, 207};
    struct pacing pace = make(&(struct pacing_config){
        .kind = PACING_BURST, .start_ps = 7, .n = 3, .period_ps = 100});

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(pacing_due_ps(&pace), want[i]);
        pacing_advance(&pace);
    }
}

/* 25 ps on, at one in 10 ps; 75 off. */
static void
test_on_and_off(void **state)
{
    static const int64_t want[] = {0, 10, 20, 100, 110, 120, 200};
    struct pacing pace = make(&(struct pacing_config){
        .kind = PACING_ON_OFF, .interval = {10, 1}, .on_ps = 25, .off_ps = 75});

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(pacing_due_ps(&pace), want[i]);
        pacing_advance(&pace);
    }
}

/* A frame that would be due when the off begins is due when it ends. */
static void
test_on_ends_before_its_end(void **state)
{
    static const int64_t want[] = {0, 10, 20, 100, 110, 120, 200};
    struct pacing pace = make(&(struct pacing_config){
        .kind = PACING_ON_OFF, .interval = {10, 1}, .on_ps = 30, .off_ps = 70});

    (void)state;
    for (size_t i = 0; i < sizeof want / sizeof want[0]; i++) {
        assert_int_equal(pacing_due_ps(&pace), want[i]);
        pacing_advance(&pace);
    }
}

static void
test_poisson_has_its_rate_and_its_seed(void **state)
{
    enum { N = 100000 };
    struct pacing_config config = {
        .kind = PACING_POISSON, .interval = {10000, 1}, .seed = 1};
    struct pacing a = make(&config);
    struct pacing b = make(&config);
    struct pacing c;
    unsigned int same = 0;

    (void)state;
    config.seed = 2;
    c = make(&config);
    for (int i = 0; i < N; i++) {
        int64_t due_ps = pacing_due_ps(&a);

        assert_int_equal(due_ps, pacing_due_ps(&b));
        same += due_ps == pacing_due_ps(&c);
        pacing_advance(&a);
        pacing_advance(&b);
        pacing_advance(&c);
        assert_true(pacing_due_ps(&a) >= due_ps);
    }
    /* Five standard deviations of the sum: 5 * 10000 * sqrt(N). */
    assert_in_range(pacing_due_ps(&a), N * INT64_C(10000) - 15811388,
                    N * INT64_C(10000) + 15811388);
    assert_true(same < N / 100);
}

static void
test_list_of_times(void **state)
{
    static const int64_t times[] = {3, 3, 10};
    struct pacing pace = make(&(struct pacing_config){.kind = PACING_LIST,
                                                      .start_ps = 100,
                                                      .n_frames = 3,
                                                      .times_ps = times});

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(pacing_due_ps(&pace), 100 + times[i]);
        pacing_advance(&pace);
    }
    assert_true(pacing_due_ps(&pace) == EVENT_NEVER);
}

static void
test_end_of_time_is_the_end(void **state)
{
    struct pacing pace = make(&(struct pacing_config){
        .start_ps = INT64_C(1) << 62, .interval = {UINT64_C(1) << 62, 1}});

    (void)state;
    pacing_advance(&pace);
    assert_true(pacing_due_ps(&pace) == EVENT_NEVER);
}

static void
test_wrong_paces_are_refused(void **state)
{
    static const struct pacing_config wrong[] = {
        {.start_ps = -1, .interval = {1, 1}},
        {.start_ps = (INT64_C(1) << 62) + 1, .interval = {1, 1}},
        {.interval = {1, 0}},
        {.interval = {(UINT64_C(1) << 62) + 1, 1}},
        {.interval = {1, (UINT64_C(1) << 62) + 1}},
        {.kind = PACING_BURST, .n = 0, .period_ps = 1},
        {.kind = PACING_BURST, .n = 1, .period_ps = 0},
        {.kind = PACING_ON_OFF, .interval = {1, 1}, .on_ps = 0},
        {.kind = PACING_ON_OFF, .interval = {1, 1}, .on_ps = 1, .off_ps = -1},
        {.kind = PACING_LIST, .n_frames = 1},
        {.kind = PACING_POISSON, .interval = {UINT64_C(1) << 60, 1}},
    };
    struct pacing pace;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        assert_int_equal(pacing_init(&pace, &wrong[i]), ST_INVALID);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constant_rates_do_not_drift),
        cmocka_unit_test(test_frames_per_second_and_their_number),
        cmocka_unit_test(test_bursts),
        cmocka_unit_test(test_on_and_off),
        cmocka_unit_test(test_on_ends_before_its_end),
        cmocka_unit_test(test_poisson_has_its_rate_and_its_seed),
        cmocka_unit_test(test_list_of_times),
        cmocka_unit_test(test_end_of_time_is_the_end),
        cmocka_unit_test(test_wrong_paces_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
