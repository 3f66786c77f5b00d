/* SPDX-License-Identifier: Apache-2.0 */

/* DCQCN by hand: each rule of the header once, and the profiles. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/transport/dcqcn.h"

#define US    INT64_C(1000000)
#define GBPS  INT64_C(1000000000)
#define MBPS  INT64_C(1000000)
#define ALPHA (1 << DCQCN_ALPHA_BITS)

struct setup {
    struct dcqcn dcqcn;
    struct dcqcn_rp rp;
};

static struct setup
make(const struct dcqcn_profile *profile, int64_t line_bps)
{
    struct setup setup;

    assert_non_null(profile);
    assert_int_equal(dcqcn_init(&setup.dcqcn, profile, line_bps, NULL), ST_OK);
    dcqcn_rp_init(&setup.rp, &setup.dcqcn);
    return setup;
}

static int64_t
rate(struct setup *setup, int64_t now_ps)
{
    return dcqcn_rp_rate(&setup->rp, &setup->dcqcn, now_ps);
}

static void
cnp(struct setup *setup, int64_t now_ps)
{
    dcqcn_rp_cnp(&setup->rp, &setup->dcqcn, now_ps);
}

static void
test_starts_at_line_rate(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);

    (void)state;
    assert_int_equal(rate(&setup, 0), 40 * GBPS);
    dcqcn_rp_sent(&setup.rp, &setup.dcqcn, 1 << 30, US);
    assert_int_equal(rate(&setup, 1000000 * US), 40 * GBPS);
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, 1000000 * US),
                     ALPHA);
}

/* SIGCOMM 2015: the first cut halves; five expiries of the timer halve the
 * distance, then the target grows by 40 Mb/s. */
static void
test_paper_timer(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);
    int64_t distance = 20 * GBPS;

    (void)state;
    cnp(&setup, 0);
    assert_int_equal(rate(&setup, 0), 20 * GBPS);
    assert_int_equal(rate(&setup, 55 * US - 1), 20 * GBPS);
    cnp(&setup, 55 * US - 1);
    assert_int_equal(rate(&setup, 55 * US - 1), 10 * GBPS);
    assert_int_equal(setup.rp.target_bps, 20 * GBPS);
    distance = 10 * GBPS;
    for (int t = 1; t <= 4; t++) {
        distance /= 2;
        assert_int_equal(rate(&setup, (55 + 55 * t) * US - 1),
                         20 * GBPS - distance);
    }
    /* T = 5: additive. */
    distance = (distance + 40 * MBPS) / 2;
    assert_int_equal(rate(&setup, (55 + 55 * 5) * US - 1),
                     20 * GBPS + 40 * MBPS - distance);
    /* The byte counter has not moved, so no hyper increase. */
    rate(&setup, (55 + 55 * 100) * US - 1);
    assert_int_equal(setup.rp.target_bps, 20 * GBPS + 96 * 40 * MBPS);
}

static void
test_paper_bytes_and_hyper_increase(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);

    (void)state;
    cnp(&setup, 0);
    cnp(&setup, 0);
    dcqcn_rp_sent(&setup.rp, &setup.dcqcn, 9999999, 0);
    assert_int_equal(rate(&setup, 0), 10 * GBPS);
    dcqcn_rp_sent(&setup.rp, &setup.dcqcn, 1, 0);
    assert_int_equal(rate(&setup, 0), 15 * GBPS);
    /* B = 6, T = 0: B 5 and 6 were additive. */
    dcqcn_rp_sent(&setup.rp, &setup.dcqcn, 50000000, 0);
    assert_int_equal(setup.rp.target_bps, 20 * GBPS + 80 * MBPS);
    /* T = 1..5 additive, T = 6: min(T, B) > 5. */
    rate(&setup, 5 * 55 * US);
    assert_int_equal(setup.rp.target_bps, 20 * GBPS + 7 * 40 * MBPS);
    rate(&setup, 6 * 55 * US);
    assert_int_equal(setup.rp.target_bps, 20 * GBPS + 680 * MBPS);
}

/* The target stops at the line rate, and the rate reaches it exactly. */
static void
test_reaches_line_rate(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);

    (void)state;
    cnp(&setup, 0);
    cnp(&setup, 10 * US);
    assert_int_equal(rate(&setup, 1000000 * US), 40 * GBPS);
    assert_int_equal(setup.rp.target_bps, 40 * GBPS);
}

static void
test_alpha_on_cnp(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);
    const uint32_t decayed = (uint32_t)((uint64_t)ALPHA * 255 / 256);

    (void)state;
    cnp(&setup, 0);
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, 55 * US - 1),
                     ALPHA);
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, 55 * US), decayed);
    /* The cut uses alpha before the notification raises it. */
    cnp(&setup, 56 * US);
    assert_int_equal(setup.rp.target_bps, 30 * GBPS);
    assert_in_range(rate(&setup, 56 * US), 30 * GBPS * 257 / 512 - 2,
                    30 * GBPS * 257 / 512 + 2);
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, 56 * US),
                     (uint64_t)decayed * 255 / 256 + ALPHA / 256);
    /* The period restarts with it. */
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, 111 * US - 1),
                     (uint64_t)decayed * 255 / 256 + ALPHA / 256);
}

/* Alpha against its definition, over all ages of a level and beyond. */
static void
test_alpha_decay_is_accurate(void **state)
{
    struct setup setup = make(dcqcn_profile_get("firmware"), 100 * GBPS);
    long double exact = ALPHA;

    (void)state;
    cnp(&setup, 0);
    for (int64_t t = 1; t <= 20000; t++) {
        const uint32_t alpha = dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, t * US);

        exact *= 1 - 5.0L / 1024;
        assert_true(alpha <= exact + 1e-3L && alpha > exact - 4);
    }
}

/* "firmware": a second notification within 4 us does not cut. */
static void
test_window_at_once(void **state)
{
    struct setup setup = make(dcqcn_profile_get("firmware"), 100 * GBPS);

    (void)state;
    cnp(&setup, 0);
    assert_int_equal(rate(&setup, 0), 50 * GBPS);
    cnp(&setup, 4 * US - 1);
    assert_int_equal(rate(&setup, 4 * US - 1), 50 * GBPS);
    cnp(&setup, 4 * US);
    assert_true(rate(&setup, 4 * US) < 26 * GBPS);
    /* No increase by the timer in between: the target stays. */
    assert_int_equal(setup.rp.target_bps, 100 * GBPS);
}

/* "fork-dcqcn": the first notification at t0 sets alpha to 1; windows end at t0
 * + 4 us * k + 1 ns, alpha changes at t0 + 1 us * k. */
static void
test_fork_windows(void **state)
{
    struct setup setup = make(dcqcn_profile_get("fork-dcqcn"), 100 * GBPS);
    const int64_t t0 = 3 * US + 17;
    const int64_t first = t0 + 4 * US + 1000;
    long double alpha = 255.0L / 256;
    int64_t before;

    (void)state;
    cnp(&setup, t0);
    assert_int_equal(rate(&setup, first - 1), 100 * GBPS);
    /* Alpha has decayed four times. */
    alpha = alpha * alpha * alpha * alpha;
    assert_in_range(rate(&setup, first),
                    (int64_t)(1e11L * (1 - alpha / 2)) - 100,
                    (int64_t)(1e11L * (1 - alpha / 2)) + 100);
    before = rate(&setup, first);
    /* A notification in the third window cuts at its end. */
    cnp(&setup, first + 5 * US);
    assert_int_equal(rate(&setup, first + 8 * US - 1), before);
    assert_true(rate(&setup, first + 8 * US) < before);
    /* At the end of a window it belongs to the next one. */
    before = rate(&setup, first + 12 * US);
    cnp(&setup, first + 12 * US);
    assert_int_equal(rate(&setup, first + 16 * US - 1), before);
    assert_true(rate(&setup, first + 16 * US) < before);
    /* The target is kept while the timer has not expired. */
    assert_int_equal(setup.rp.target_bps, 100 * GBPS);
}

/* The stage is compared before it grows: T = 0 halves, 1 adds AI, 2 HAI. */
static void
test_fork_stages(void **state)
{
    struct setup setup = make(dcqcn_profile_get("fork-dcqcn"), 100 * GBPS);
    int64_t cut_ps = 4 * US + 1000;
    int64_t r, target;

    (void)state;
    cnp(&setup, 0);
    r = rate(&setup, cut_ps);
    assert_int_equal(rate(&setup, cut_ps + 300 * US - 1), r);
    r = 100 * GBPS - (100 * GBPS - r) / 2;
    assert_int_equal(rate(&setup, cut_ps + 300 * US), r);

    /* A cut after an expiry moves the target. */
    cnp(&setup, cut_ps + 301 * US);
    cut_ps += 304 * US;
    rate(&setup, cut_ps);
    target = setup.rp.target_bps;
    assert_int_equal(target, r);
    rate(&setup, cut_ps + 300 * US);
    assert_int_equal(setup.rp.target_bps, target);
    rate(&setup, cut_ps + 600 * US);
    assert_int_equal(setup.rp.target_bps, target + 20 * MBPS);
    rate(&setup, cut_ps + 900 * US);
    assert_int_equal(setup.rp.target_bps, target + 220 * MBPS);
}

/* The timer and the end of a window at the same time: first the timer. */
static void
test_timer_before_cut(void **state)
{
    struct setup setup = make(dcqcn_profile_get("fork-dcqcn"), 100 * GBPS);
    const int64_t cut_ps = 4 * US + 1000;
    int64_t r;

    (void)state;
    cnp(&setup, 0);
    r = rate(&setup, cut_ps);
    cnp(&setup, cut_ps + 299 * US);
    rate(&setup, cut_ps + 300 * US);
    assert_int_equal(setup.rp.target_bps, 100 * GBPS - (100 * GBPS - r) / 2);
    assert_int_equal(setup.rp.time_stage, 0);
}

static void
test_minimum_rate(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);

    (void)state;
    for (int i = 0; i < 100; i++) {
        cnp(&setup, i);
    }
    assert_int_equal(rate(&setup, 100), 40 * MBPS);
    assert_int_equal(setup.rp.target_bps, 40 * MBPS);
}

static void
test_min_decrease_and_first_rate(void **state)
{
    struct dcqcn_profile profile = *dcqcn_profile_get("paper");
    struct setup setup;

    (void)state;
    profile.min_decrease_percent = 80;
    profile.first_rate_percent = 50;
    setup = make(&profile, 40 * GBPS);
    cnp(&setup, 0);
    assert_int_equal(setup.rp.target_bps, 20 * GBPS);
    assert_in_range(rate(&setup, 0), 16 * GBPS - 20, 16 * GBPS);
}

/* The rate and the periods that run stay; what follows has the new values. */
static void
test_parameters_change_while_it_runs(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);
    struct dcqcn_profile profile = setup.dcqcn.profile;
    struct dcqcn other;
    uint32_t alpha;

    (void)state;
    cnp(&setup, 0);
    alpha = dcqcn_rp_alpha(&setup.rp, &setup.dcqcn, 200 * US);
    assert_int_equal(rate(&setup, 200 * US), 40 * GBPS - 20 * GBPS / 8);
    profile.timer_ps = 10 * US;
    profile.g_numerator = 1;
    profile.g_denominator = 2;
    assert_int_equal(dcqcn_init(&other, &profile, 40 * GBPS, NULL), ST_OK);
    dcqcn_rp_tune(&setup.rp, &setup.dcqcn, &other, 200 * US);
    setup.dcqcn = other;
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &other, 200 * US), alpha);
    /* The timer that runs expires at 220 us, the next ones after 10 us. */
    assert_int_equal(rate(&setup, 220 * US - 1), 40 * GBPS - 20 * GBPS / 8);
    assert_int_equal(rate(&setup, 220 * US), 40 * GBPS - 20 * GBPS / 16);
    assert_int_equal(rate(&setup, 229 * US), 40 * GBPS - 20 * GBPS / 16);
    /* Alpha's period as well: a half for each 55 us. */
    assert_int_equal(dcqcn_rp_alpha(&setup.rp, &other, 220 * US - 1), alpha);
    assert_in_range(dcqcn_rp_alpha(&setup.rp, &other, 220 * US), alpha / 2 - 1,
                    alpha / 2);
    /* A higher minimum raises the rate, and the target if need be. */
    profile.min_bps = 39 * GBPS;
    assert_int_equal(dcqcn_init(&other, &profile, 40 * GBPS, NULL), ST_OK);
    cnp(&setup, 225 * US);
    assert_true(rate(&setup, 225 * US) < 39 * GBPS);
    dcqcn_rp_tune(&setup.rp, &setup.dcqcn, &other, 225 * US);
    assert_int_equal(dcqcn_rp_rate(&setup.rp, &other, 225 * US), 39 * GBPS);
}

/* Before the first notification nothing but the first alpha changes. */
static void
test_parameters_change_before_it_runs(void **state)
{
    struct setup setup = make(dcqcn_profile_get("paper"), 40 * GBPS);
    struct dcqcn_profile profile = setup.dcqcn.profile;
    struct dcqcn other;

    (void)state;
    profile.initial_alpha_permille = 500;
    assert_int_equal(dcqcn_init(&other, &profile, 40 * GBPS, NULL), ST_OK);
    dcqcn_rp_tune(&setup.rp, &setup.dcqcn, &other, 7 * US);
    setup.dcqcn = other;
    assert_int_equal(rate(&setup, 1000 * US), 40 * GBPS);
    cnp(&setup, 1000 * US);
    assert_int_equal(rate(&setup, 1000 * US), 30 * GBPS);
}

static void
test_notification_point(void **state)
{
    struct setup paper = make(dcqcn_profile_get("paper"), 40 * GBPS);
    struct setup fork = make(dcqcn_profile_get("fork-dcqcn"), 100 * GBPS);
    struct dcqcn_np np = {0};

    (void)state;
    assert_true(dcqcn_np_marked(&np, &paper.dcqcn, 3));
    assert_false(dcqcn_np_marked(&np, &paper.dcqcn, 50 * US + 2));
    assert_true(dcqcn_np_marked(&np, &paper.dcqcn, 50 * US + 3));
    for (int i = 0; i < 3; i++) {
        assert_true(dcqcn_np_marked(&np, &fork.dcqcn, 51 * US));
    }
}

static void
test_profiles_are_valid(void **state)
{
    const struct dcqcn_profile *profile;
    size_t n = 0;

    (void)state;
    for (; (profile = dcqcn_profile_at(n)); n++) {
        assert_int_equal(dcqcn_profile_check(profile, NULL), ST_OK);
        assert_ptr_equal(dcqcn_profile_get(profile->name), profile);
    }
    assert_int_equal(n, 4);
    assert_null(dcqcn_profile_get("papers"));
}

static void
test_bad_profiles_are_explained(void **state)
{
    const struct dcqcn_profile good = *dcqcn_profile_get("paper");
    struct dcqcn_profile bad[7];
    struct dcqcn dcqcn;
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        bad[i] = good;
    }
    bad[0].g_numerator = 256;
    bad[1].stages = 0;
    bad[2].timer_ps = 0;
    bad[3].min_bps = 0;
    bad[4].first_rate_percent = 101;
    bad[5].cut = DCQCN_CUT_PER_WINDOW; /* No window. */
    bad[6].cut = DCQCN_CUT_PER_WINDOW;
    bad[6].cut_window_ps = US; /* Alpha on each accepted notification. */
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        err = (struct err){0};
        assert_int_equal(dcqcn_profile_check(&bad[i], &err), ST_INVALID);
        assert_true(err.reason[0] != '\0');
    }
    assert_int_equal(dcqcn_init(&dcqcn, &good, 39 * MBPS, &err), ST_INVALID);
    assert_int_equal(dcqcn_init(&dcqcn, &good, 40 * MBPS, &err), ST_OK);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_starts_at_line_rate),
        cmocka_unit_test(test_paper_timer),
        cmocka_unit_test(test_paper_bytes_and_hyper_increase),
        cmocka_unit_test(test_reaches_line_rate),
        cmocka_unit_test(test_alpha_on_cnp),
        cmocka_unit_test(test_alpha_decay_is_accurate),
        cmocka_unit_test(test_window_at_once),
        cmocka_unit_test(test_fork_windows),
        cmocka_unit_test(test_fork_stages),
        cmocka_unit_test(test_timer_before_cut),
        cmocka_unit_test(test_minimum_rate),
        cmocka_unit_test(test_min_decrease_and_first_rate),
        cmocka_unit_test(test_parameters_change_while_it_runs),
        cmocka_unit_test(test_parameters_change_before_it_runs),
        cmocka_unit_test(test_notification_point),
        cmocka_unit_test(test_profiles_are_valid),
        cmocka_unit_test(test_bad_profiles_are_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
