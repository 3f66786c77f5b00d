/* SPDX-License-Identifier: Apache-2.0 */

/* The lazy reaction point of DCQCN equals one with an event per period, bit for
 * bit, over random profiles and traces.  DCQCN_TRACES=n runs more of them (the
 * default is what "make check" can afford), DCQCN_SEED=n another set. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/random.h"
#include "tests/property/dcqcn_eager.h"

enum { N_TRACES = 4000, N_STEPS = 48 };

#define US INT64_C(1000000)

/* The seed of the trace that runs; 0: none. */
static uint64_t running;

static uint64_t
setting(const char *name, uint64_t value)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : value;
}

static int64_t
below(struct random *random, int64_t n)
{
    return (int64_t)random_below(random, (uint64_t)n);
}

/* Returns a profile whose periods are often multiples of each other, so that
 * their ends coincide. */
static struct dcqcn_profile
random_profile(struct random *random)
{
    static const int64_t periods_ps[] = {1,      US,      US + 1,  4 * US,
                                         5 * US, 50 * US, 55 * US, 300 * US};
    const size_t n = sizeof periods_ps / sizeof periods_ps[0];
    struct dcqcn_profile profile = *dcqcn_profile_at((size_t)below(random, 4));

    if (below(random, 4) == 0) {
        return profile;
    }
    profile.g_denominator = (uint32_t)(2 + below(random, 1024));
    profile.g_numerator =
        (uint32_t)(1 + below(random, profile.g_denominator - 1));
    profile.alpha_mode =
        below(random, 2) ? DCQCN_ALPHA_PER_PERIOD : DCQCN_ALPHA_ON_CNP;
    profile.cut =
        below(random, 2) && profile.alpha_mode == DCQCN_ALPHA_PER_PERIOD
            ? DCQCN_CUT_PER_WINDOW
            : DCQCN_CUT_AT_ONCE;
    profile.alpha_period_ps = periods_ps[1 + below(random, (int64_t)n - 1)];
    profile.initial_alpha_permille = (uint32_t)(1 + below(random, 1000));
    profile.timer_ps = periods_ps[1 + below(random, (int64_t)n - 1)];
    profile.cut_window_ps = periods_ps[1 + below(random, (int64_t)n - 1)];
    if (profile.cut == DCQCN_CUT_AT_ONCE && below(random, 2)) {
        profile.cut_window_ps = 0;
    }
    profile.cut_offset_ps = periods_ps[below(random, 2)] * below(random, 2);
    profile.min_decrease_percent = (uint32_t)below(random, 101);
    profile.first_rate_percent =
        below(random, 2) ? 100 : (uint32_t)(1 + below(random, 100));
    profile.clamp_target = below(random, 2);
    profile.clamp_after_time = below(random, 2);
    profile.byte_reset_bytes =
        below(random, 2) ? 0 : (uint32_t)(1 + below(random, 20000));
    profile.stages = (uint8_t)(1 + below(random, below(random, 2) ? 5 : 250));
    profile.stage_before = below(random, 2);
    profile.ai_bps = below(random, 400000000);
    profile.hai_bps = below(random, 4000000000);
    profile.min_bps = 1 + below(random, 1000000000);
    return profile;
}

/* Returns how long to wait for the next event: nothing, to the picosecond when
 * something happens, some periods, or many. */
static int64_t
random_gap(struct random *random, const struct dcqcn_rp *rp,
           const struct dcqcn *dcqcn, int64_t now_ps)
{
    const int64_t period_ps = dcqcn->profile.alpha_period_ps;

    switch (below(random, 8)) {
    case 0:
        return 0;
    case 1:
        return rp->next_ps < now_ps + 400 * US && rp->next_ps >= now_ps
                   ? rp->next_ps - now_ps + below(random, 2)
                   : below(random, 3);
    case 2:
        return below(random, 4) * period_ps;
    case 3:
        return below(random, 4) * dcqcn->profile.timer_ps;
    case 4:
        return below(random, 300 * period_ps);
    case 5:
        return below(random, 10 * US);
    default:
        return below(random, period_ps);
    }
}

static void
compare(struct dcqcn_rp *rp, const struct dcqcn *dcqcn,
        struct dcqcn_eager *eager, int64_t now_ps)
{
    dcqcn_eager_advance(eager, now_ps);
    assert_int_equal(dcqcn_rp_rate(rp, dcqcn, now_ps), eager->rate_bps);
    assert_int_equal(rp->target_bps, eager->target_bps);
    assert_true(rp->deficit_bps >= 0 && rp->target_bps <= dcqcn->line_bps);
    assert_true(eager->rate_bps >= dcqcn->profile.min_bps);
}

static void
run_trace(uint64_t seed)
{
    struct random random;
    struct dcqcn_eager eager;
    struct dcqcn_profile profile;
    struct dcqcn dcqcn;
    struct dcqcn_rp rp;
    int64_t now_ps;

    random_init(&random, seed);
    profile = random_profile(&random);
    now_ps = below(&random, 100 * US);
    if (dcqcn_init(&dcqcn, &profile,
                   profile.min_bps + below(&random, 400000000000),
                   NULL) != ST_OK) {
        fail();
    }
    dcqcn_rp_init(&rp, &dcqcn);
    dcqcn_eager_init(&eager, &dcqcn);
    for (int i = 0; i < N_STEPS; i++) {
        now_ps += random_gap(&random, &rp, &dcqcn, now_ps);
        switch (below(&random, 5)) {
        case 0:
        case 1:
            dcqcn_rp_cnp(&rp, &dcqcn, now_ps);
            dcqcn_eager_cnp(&eager, now_ps);
            break;
        case 2:
        case 3: {
            const uint32_t bytes = (uint32_t)below(&random, 30000);

            dcqcn_rp_sent(&rp, &dcqcn, bytes, now_ps);
            dcqcn_eager_sent(&eager, bytes, now_ps);
            break;
        }
        default:
            dcqcn_eager_advance(&eager, now_ps);
            assert_int_equal(dcqcn_rp_alpha(&rp, &dcqcn, now_ps),
                             dcqcn_eager_alpha(&eager));
        }
        compare(&rp, &dcqcn, &eager, now_ps);
    }
}

static void
test_lazy_equals_eager(void **state)
{
    const uint64_t n = setting("DCQCN_TRACES", N_TRACES);
    const uint64_t first = setting("DCQCN_SEED", 1);

    (void)state;
    for (uint64_t seed = first; seed < first + n; seed++) {
        running = seed;
        run_trace(seed);
    }
    running = 0;
}

/* Prints the seed of a trace that has failed. */
static int
print_seed(void **state)
{
    (void)state;
    if (running) {
        print_message("DCQCN_SEED=%llu\n", (unsigned long long)running);
    }
    return 0;
}

/* Half a second without a packet, with periods of 1 us: alpha vanishes, and the
 * rate is back at the line. */
static void
test_lazy_equals_eager_over_idle_time(void **state)
{
    struct dcqcn_eager eager;
    struct dcqcn dcqcn;
    struct dcqcn_rp rp;
    int64_t now_ps = 7;

    (void)state;
    if (dcqcn_init(&dcqcn, dcqcn_profile_get("fork-dcqcn"), 100000000000,
                   NULL) != ST_OK) {
        fail();
    }
    dcqcn_rp_init(&rp, &dcqcn);
    dcqcn_eager_init(&eager, &dcqcn);
    for (int i = 0; i < 40; i++) {
        dcqcn_rp_cnp(&rp, &dcqcn, now_ps);
        dcqcn_eager_cnp(&eager, now_ps);
        now_ps += 3 * US;
        compare(&rp, &dcqcn, &eager, now_ps);
    }
    now_ps += 500000 * US;
    compare(&rp, &dcqcn, &eager, now_ps);
    assert_int_equal(dcqcn_rp_alpha(&rp, &dcqcn, now_ps),
                     dcqcn_eager_alpha(&eager));
    assert_int_equal(dcqcn_rp_alpha(&rp, &dcqcn, now_ps), 0);
    assert_int_equal(dcqcn_rp_rate(&rp, &dcqcn, now_ps), 100000000000);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_lazy_equals_eager, print_seed),
        cmocka_unit_test(test_lazy_equals_eager_over_idle_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
