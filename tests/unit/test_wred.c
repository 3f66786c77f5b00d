/* SPDX-License-Identifier: Apache-2.0 */

/* WRED: curves against their formula, colors, ECT, and the average. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/qos/wred.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

enum { SEED = 20250101, TRIALS = 20000 };

static struct random_stream
seeded(void)
{
    struct random_stream stream;

    random_stream_init(&stream, SEED, 0, RANDOM_WRED);
    return stream;
}

static struct wred_profile
green(uint64_t min, uint64_t max, uint32_t percent)
{
    return (struct wred_profile){.colors = {{.drops = true,
                                             .marks = true,
                                             .drop = {min, max, percent},
                                             .mark = {min, max, percent}}}};
}

/* Returns how many of TRIALS packets that meet 'length' fall. */
static uint64_t
count(const struct wred_profile *profile, bool ect, uint64_t length,
      struct random_stream *random)
{
    uint64_t n = 0;

    for (int i = 0; i < TRIALS; i++) {
        n += wred_judge(profile, 0, ect, length, random) != WRED_PASS;
    }
    return n;
}

/* Asserts that 'seen' of TRIALS is what a probability of 'part' / 'whole'
 * gives: within five standard deviations, squared to stay in integers. */
static void
assert_binomial(uint64_t seen, uint64_t part, uint64_t whole)
{
    const double p = (double)part / (double)whole;
    const double expected = TRIALS * p;
    const double off = (double)seen - expected;

    if (off * off > 25 * TRIALS * p * (1 - p) + 1) {
        fail_msg("%llu of %d at p = %f", (unsigned long long)seen, TRIALS, p);
    }
}

/* The whole curve: at each point the fraction, over all points the sum of the
 * squared deviations (chi square with as many degrees of freedom). */
static void
sweep(const struct wred_profile *profile, bool ect)
{
    const struct wred_curve *curve = &profile->colors[0].mark;
    struct random_stream random = seeded();
    double chi_square = 0;
    int degrees = 0;

    for (uint64_t length = 0; length <= 1200000; length += 10000) {
        const uint64_t seen = count(profile, ect, length, &random);
        double p;

        if (length <= curve->min_bytes) {
            assert_int_equal(seen, 0);
            continue;
        }
        if (length > curve->max_bytes) {
            assert_int_equal(seen, TRIALS);
            continue;
        }
        assert_binomial(seen, curve->percent * (length - curve->min_bytes),
                        100 * (curve->max_bytes - curve->min_bytes));
        p = curve->percent / 100.0 * (double)(length - curve->min_bytes) /
            (double)(curve->max_bytes - curve->min_bytes);
        if (p < 1) {
            const double off = (double)seen - TRIALS * p;

            chi_square += off * off / (TRIALS * p * (1 - p));
            degrees++;
        }
    }
    /* Mean d, standard deviation sqrt(2 d). */
    assert_true(degrees > 30);
    assert_true((chi_square - degrees) * (chi_square - degrees) <
                16 * 2 * degrees);
}

static void
test_curve_is_linear_between_its_thresholds(void **state)
{
    const struct wred_profile five = green(500000, 900000, 5);
    const struct wred_profile full = green(100000, 1000000, 100);

    (void)state;
    sweep(&five, true);
    sweep(&five, false);
    sweep(&full, true);
}

static void
test_gentle_curve_goes_on_to_twice_the_maximum(void **state)
{
    struct wred_profile profile = green(100000, 200000, 20);
    struct random_stream random = seeded();

    (void)state;
    profile.gentle = true;
    assert_binomial(count(&profile, true, 200000, &random), 20, 100);
    assert_binomial(count(&profile, true, 250000, &random), 40, 100);
    assert_binomial(count(&profile, true, 350000, &random), 80, 100);
    assert_int_equal(count(&profile, true, 400000, &random), TRIALS);
}

static void
test_ends_of_the_curve_are_exact(void **state)
{
    static const struct {
        const char *name;
        struct wred_curve curve;
        uint64_t length;
        uint64_t falls;
    } cases[] = {
        {"at min", {1000, 2000, 100}, 1000, 0},
        {"at max with 100 %", {1000, 2000, 100}, 2000, TRIALS},
        {"at max with 0 %", {1000, 2000, 0}, 2000, 0},
        {"beyond max with 0 %", {1000, 2000, 0}, 2001, TRIALS},
        {"step, below", {1000, 1000, 100}, 1000, 0},
        {"step, above", {1000, 1000, 100}, 1001, TRIALS},
        {"max below min", {1000, 10, 100}, 1000, 0},
        {"beyond max below min", {1000, 10, 100}, 1001, TRIALS},
        {"from the first byte", {0, 0, 100}, 1, TRIALS},
        {"empty queue", {0, 0, 100}, 0, 0},
        {"never", {WRED_NEVER, WRED_NEVER, 100}, UINT64_MAX >> 16, 0},
    };

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        const struct wred_profile profile =
            green(cases[i].curve.min_bytes, cases[i].curve.max_bytes,
                  cases[i].curve.percent);
        struct random_stream random = seeded();

        if (count(&profile, true, cases[i].length, &random) != cases[i].falls) {
            fail_msg("%s", cases[i].name);
        }
    }
}

static void
test_verdict_depends_on_color_and_ect(void **state)
{
    static const struct wred_curve always = {0, 0, 100};
    const struct wred_profile profile = {
        .colors = {
            {.drops = true, .marks = true, .drop = always, .mark = always},
            {.drops = false, .marks = true, .drop = always, .mark = always},
            {.drops = true, .marks = false, .drop = always, .mark = always},
        }};
    static const struct wred_profile off;
    static const struct {
        unsigned int color;
        bool ect;
        enum wred_verdict verdict;
    } cases[] = {
        {0, true, WRED_MARK},  {0, false, WRED_DROP}, {1, true, WRED_MARK},
        {1, false, WRED_PASS}, {2, true, WRED_DROP},  {2, false, WRED_DROP},
    };
    struct random_stream random = seeded();

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        assert_int_equal(
            wred_judge(&profile, cases[i].color, cases[i].ect, 100, &random),
            cases[i].verdict);
        assert_int_equal(
            wred_judge(&off, cases[i].color, cases[i].ect, 100, &random),
            WRED_PASS);
    }
}

static void
test_curves_of_marking_and_dropping_are_apart(void **state)
{
    const struct wred_profile profile = {.colors = {{.drops = true,
                                                     .marks = true,
                                                     .drop = {1000, 1000, 100},
                                                     .mark = {500, 500, 100}}}};
    struct random_stream random = seeded();

    (void)state;
    assert_int_equal(wred_judge(&profile, 0, true, 501, &random), WRED_MARK);
    assert_int_equal(wred_judge(&profile, 0, false, 501, &random), WRED_PASS);
    assert_int_equal(wred_judge(&profile, 0, true, 1001, &random), WRED_MARK);
    assert_int_equal(wred_judge(&profile, 0, false, 1001, &random), WRED_DROP);
}

/* A prepared profile gives the same verdicts by the same dice. */
static void
test_preparation_makes_no_difference(void **state)
{
    uint64_t draws = SEED;

    (void)state;
    for (int trial = 0; trial < 2000; trial++) {
        struct wred_profile plain = {.gentle = draws & 1};
        struct wred_profile prepared;
        struct random_stream randoms[2] = {seeded(), seeded()};

        for (int i = 0; i < WRED_COLORS; i++) {
            struct wred_color *color = &plain.colors[i];

            draws = draws * 6364136223846793005u + 1442695040888963407u;
            color->drops = draws >> 33 & 1;
            color->marks = draws >> 34 & 1;
            color->drop = (struct wred_curve){
                draws >> 40 & 0xfff, draws >> 44 & 0xfff, draws >> 52 & 63};
            color->mark = (struct wred_curve){
                draws >> 36 & 0xfff, draws >> 48 & 0xfff, draws >> 56 & 63};
        }
        prepared = plain;
        wred_prepare(&prepared);
        for (uint64_t length = 0; length < 9000; length += 37) {
            const unsigned int color = (unsigned int)(length % WRED_COLORS);
            const bool ect = length & 4;

            assert_int_equal(
                wred_judge(&plain, color, ect, length, &randoms[0]),
                wred_judge(&prepared, color, ect, length, &randoms[1]));
        }
        assert_memory_equal(&randoms[0], &randoms[1], sizeof randoms[0]);
    }
}

static void
test_dice_are_rolled_only_if_they_matter(void **state)
{
    const struct wred_profile profile = green(1000, 2000, 50);
    struct random_stream random = seeded();
    struct random_stream again = seeded();

    (void)state;
    wred_judge(&profile, 0, true, 1000, &random);
    wred_judge(&profile, 0, true, 2001, &random);
    assert_int_equal(random.n, 0);
    for (int i = 0; i < 100; i++) {
        assert_int_equal(wred_judge(&profile, 0, true, 1500, &random),
                         wred_judge(&profile, 0, true, 1500, &again));
    }
    assert_int_equal(random.n, 100);
    assert_int_equal(again.n, 100);
}

static void
test_average_follows_by_its_weight(void **state)
{
    struct wred_queue queue = {0};
    struct wred_profile profile = {.weight = 0};

    (void)state;
    /* 0: the length itself. */
    assert_int_equal(wred_average(&queue, &profile, 1000), 1000);
    assert_int_equal(wred_average(&queue, &profile, 10), 10);
    assert_int_equal(wred_average(&queue, &profile, 0), 0);
    /* 1: half of the way, up and down. */
    profile.weight = 1;
    assert_int_equal(wred_average(&queue, &profile, 1000), 500);
    assert_int_equal(wred_average(&queue, &profile, 1000), 750);
    assert_int_equal(wred_average(&queue, &profile, 0), 375);
    /* 9: 1 - (1 - 2^-9)^n of the way after n packets; to within 0.1 %. */
    queue = (struct wred_queue){0};
    profile.weight = 9;
    for (int i = 0; i < 512; i++) {
        wred_average(&queue, &profile, 1000000);
    }
    assert_in_range(wred_average(&queue, &profile, 1000000), 632000, 634000);
    /* 15: the slowest still moves by single bytes. */
    queue = (struct wred_queue){0};
    profile.weight = 15;
    for (int i = 0; i < 32768; i++) {
        wred_average(&queue, &profile, 100);
    }
    assert_in_range(wred_average(&queue, &profile, 100), 62, 64);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_curve_is_linear_between_its_thresholds),
        cmocka_unit_test(test_gentle_curve_goes_on_to_twice_the_maximum),
        cmocka_unit_test(test_ends_of_the_curve_are_exact),
        cmocka_unit_test(test_verdict_depends_on_color_and_ect),
        cmocka_unit_test(test_curves_of_marking_and_dropping_are_apart),
        cmocka_unit_test(test_dice_are_rolled_only_if_they_matter),
        cmocka_unit_test(test_preparation_makes_no_difference),
        cmocka_unit_test(test_average_follows_by_its_weight),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
