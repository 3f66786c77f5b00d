/* SPDX-License-Identifier: Apache-2.0 */

/* Senders with DCQCN share a queue: rates become fair, also with very different
 * round-trip times, and the queue settles where the fluid model has its fixed
 * point. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/dcqcn_star.h"

#define US INT64_C(1000000)

/* 40 Gb/s, with the marking of the DCQCN paper. */
static struct dcqcn_star_config
make(const char *profile, int n, uint64_t seed)
{
    struct dcqcn_star_config config = {
        .profile = dcqcn_profile_get(profile),
        .line_bps = 40000000000,
        .n = n,
        .packet_bytes = 1000,
        .kmin_bytes = 5000,
        .kmax_bytes = 200000,
        .pmax = 0.01,
        .seed = seed,
        .from_ps = 100000 * US,
        .until_ps = 200000 * US,
    };

    for (int i = 0; i < n; i++) {
        config.rtt_ps[i] = 10 * US;
        config.start_ps[i] = i * 10 * US;
    }
    return config;
}

static void
assert_share(const struct dcqcn_star_config *config,
             const struct dcqcn_star_result *result, double low, double high)
{
    double sum = 0;

    for (int i = 0; i < config->n; i++) {
        sum += result->rate_bps[i];
    }
    for (int i = 0; i < config->n; i++) {
        const double share = result->rate_bps[i] * config->n / sum;

        if (share < low || share > high) {
            fail_msg("%s: sender %d of %d has %.3f of its share",
                     config->profile->name, i, config->n, share);
        }
    }
}

static void
test_rates_become_fair(void **state)
{
    static const int sizes[] = {2, 4, 8};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct dcqcn_star_config config = make("paper", sizes[i], i);
        const struct dcqcn_star_result result = dcqcn_star_run(&config);

        assert_share(&config, &result, 0.85, 1.15);
        assert_true(result.utilization > 0.95);
    }
}

static void
test_every_profile_is_fair(void **state)
{
    const struct dcqcn_profile *profile;

    (void)state;
    for (size_t i = 0; (profile = dcqcn_profile_at(i)); i++) {
        struct dcqcn_star_config config = make(profile->name, 4, 7);
        struct dcqcn_star_result result;

        config.line_bps = 100000000000;
        config.kmin_bytes = 400000;
        config.kmax_bytes = 1600000;
        config.pmax = 0.2;
        result = dcqcn_star_run(&config);
        assert_share(&config, &result, 0.8, 1.25);
        assert_true(result.utilization > 0.85);
    }
}

/* DCQCN is driven by its own periods: a round-trip time of 2 ms beside one of
 * 10 us changes the shares little. */
static void
test_fair_with_different_rtts(void **state)
{
    struct dcqcn_star_config config = make("paper", 8, 3);
    struct dcqcn_star_result result;

    (void)state;
    for (int i = 0; i < 4; i++) {
        config.rtt_ps[i] = 2000 * US;
    }
    config.until_ps = 400000 * US;
    result = dcqcn_star_run(&config);
    assert_share(&config, &result, 0.8, 1.25);
}

/* The marking probability p of the fixed point of the fluid model (Zhu et al.,
 * "ECN or Delay: Lessons Learnt from Analysis of DCQCN and TIMELY", 2016), in
 * packets: p^3 = AI N^2 / (tau' C^2) (1 / B + N / (t C))^2.  The queue is where
 * marking has this probability. */
static void
test_queue_is_at_the_fixed_point(void **state)
{
    static const int sizes[] = {2, 4};

    (void)state;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const struct dcqcn_star_config config = make("paper", sizes[i], 11);
        const struct dcqcn_profile *profile = config.profile;
        const struct dcqcn_star_result result = dcqcn_star_run(&config);
        const double n = config.n;
        const double packet_bits = config.packet_bytes * 8;
        const double c = (double)config.line_bps / packet_bits;
        const double ai = (double)profile->ai_bps / packet_bits;
        const double t = (double)profile->timer_ps / 1e12;
        const double tau = (double)profile->alpha_period_ps / 1e12;
        const double b =
            (double)profile->byte_reset_bytes / config.packet_bytes;
        const double sum = 1 / b + n / (t * c);
        const double cube = ai * n * n / (tau * c * c) * sum * sum;
        double low = 0;
        double high = 1;
        double queue_bytes;

        while (high - low > 1e-9) {
            const double p = (low + high) / 2;

            *(p * p * p < cube ? &low : &high) = p;
        }
        queue_bytes =
            config.kmin_bytes +
            low / config.pmax * (config.kmax_bytes - config.kmin_bytes);
        if (result.queue_bytes < 0.8 * queue_bytes ||
            result.queue_bytes > 1.2 * queue_bytes) {
            fail_msg("%d senders: queue %.0f, fixed point %.0f bytes", config.n,
                     result.queue_bytes, queue_bytes);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rates_become_fair),
        cmocka_unit_test(test_every_profile_is_fair),
        cmocka_unit_test(test_fair_with_different_rtts),
        cmocka_unit_test(test_queue_is_at_the_fixed_point),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
