/* SPDX-License-Identifier: Apache-2.0 */

/* The processor of a host: jobs by hand, waiting times against the theory of
 * queues, delays against their distribution. */

#include <config.h>

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "twin/host/processor.h"

enum {
    CORES = 4,
    ENTITY = 7,
    NS = 1000,
    US = 1000 * NS,
    MILLION = 1000000,
    PROBES = 200000,
    DRAWS = 200000,
};

static const struct processor_config quiet = {.n_cores = CORES,
                                              .background_job_ps = 10 * US,
                                              .seed = 1,
                                              .entity = ENTITY};

/* Checks that 'value' is within 'tolerance' of 'expected'. */
static void
check_near(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%g is not within %g of %g", value, tolerance, expected);
    }
}

static void
start(struct processor *processor, struct processor_core cores[CORES],
      uint32_t background)
{
    struct processor_config config = quiet;

    config.background = background;
    assert_int_equal(processor_init(processor, &config, cores), ST_OK);
}

static void
test_jobs_of_a_core_wait_for_each_other(void **state)
{
    struct processor processor;
    struct processor_core cores[CORES];
    struct processor_stats stats;

    (void)state;
    start(&processor, cores, 0);
    /* Core 0: 0..10, 10..15 (waits 8), nothing, 20..23.  Core 1: 2..9. */
    assert_int_equal(processor_run(&processor, 0, 0, 10), 10);
    assert_int_equal(processor_run(&processor, 0, 2, 5), 15);
    assert_int_equal(processor_run(&processor, 1, 2, 7), 9);
    assert_int_equal(processor_run(&processor, 0, 20, 3), 23);
    processor_get_stats(&processor, 21, &stats);
    assert_int_equal(stats.n_jobs, 4);
    assert_int_equal(stats.work_ps, 25);
    assert_int_equal(stats.wait_ps, 8);
    assert_int_equal(stats.longest_wait_ps, 8);
    assert_int_equal(stats.busy_ps, 10 + 5 + 7 + 1);
    processor_get_stats(&processor, 23, &stats);
    assert_int_equal(stats.busy_ps, 25);
    processor_get_stats(&processor, 1000, &stats);
    assert_int_equal(stats.busy_ps, 25);
}

static void
test_work_that_is_not_done_is_not_counted(void **state)
{
    struct processor processor;
    struct processor_core cores[CORES];
    struct processor_stats stats;

    (void)state;
    start(&processor, cores, 0);
    for (int i = 0; i < 10; i++) {
        (void)processor_run(&processor, 2, 5, 100);
    }
    processor_get_stats(&processor, 305, &stats);
    assert_int_equal(stats.busy_ps, 300);
    assert_int_equal(stats.work_ps, 1000);
    assert_int_equal(stats.wait_ps, 100 * 45);
}

/* No two cores have the same background, of whichever seed they are. */
static void
test_seeds_share_no_background(void **state)
{
    enum { SEEDS = 20 };
    int64_t first_ps[SEEDS * CORES];

    (void)state;
    for (int seed = 0; seed < SEEDS; seed++) {
        struct processor processor;
        struct processor_core cores[CORES];
        struct processor_config config = quiet;

        config.background = 200;
        config.seed = (uint64_t)seed;
        assert_int_equal(processor_init(&processor, &config, cores), ST_OK);
        for (int i = 0; i < CORES; i++) {
            first_ps[seed * CORES + i] = cores[i].background_ps;
        }
    }
    for (int i = 0; i < SEEDS * CORES; i++) {
        for (int k = 0; k < i; k++) {
            assert_int_not_equal(first_ps[i], first_ps[k]);
        }
    }
}

static void
test_bad_settings_are_refused(void **state)
{
    struct processor processor;
    struct processor_core cores[CORES];
    static const struct processor_config bad[] = {
        {.n_cores = 0, .background_job_ps = US},
        {.n_cores = PROCESSOR_MAX_CORES + 1, .background_job_ps = US},
        {.n_cores = 1,
         .background = PROCESSOR_MAX_BACKGROUND + 1,
         .background_job_ps = US},
        {.n_cores = 1, .background_job_ps = 999},
        {.n_cores = 1, .background_job_ps = PROCESSOR_MAX_TIME_PS + 1},
    };
    static const struct host_delay bad_delays[] = {
        {.median_ps = -1},
        {.median_ps = PROCESSOR_MAX_TIME_PS + 1},
        {.spread = HOST_DELAY_MAX_SPREAD + 1},
        {.stall = HOST_DELAY_MAX_STALL + 1},
        {.stall_ps = PROCESSOR_MAX_TIME_PS + 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(processor_init(&processor, &bad[i], cores),
                         ST_INVALID);
    }
    for (size_t i = 0; i < sizeof bad_delays / sizeof bad_delays[0]; i++) {
        assert_false(host_delay_is_valid(&bad_delays[i]));
    }
    assert_true(host_delay_is_valid(
        &(struct host_delay){.median_ps = PROCESSOR_MAX_TIME_PS,
                             .spread = HOST_DELAY_MAX_SPREAD,
                             .stall = HOST_DELAY_MAX_STALL,
                             .stall_ps = PROCESSOR_MAX_TIME_PS}));
}

/* An M/M/1 queue: the share 'rho' of arrivals waits, the share
 * rho exp(-(1 - rho) t / mean) longer than t. */
static void
check_waits(uint32_t background)
{
    const double rho = background / 1000.0;
    const double mean_ps = (double)quiet.background_job_ps;
    struct processor processor;
    struct processor_core cores[CORES];
    struct processor_stats stats;
    int64_t now_ps = 0;
    uint32_t waits = 0, long_waits = 0;
    double expected;

    start(&processor, cores, background);
    for (int i = 0; i < PROBES; i++) {
        /* Far enough apart to be nearly independent. */
        const int64_t at_ps = now_ps + 1000 * US;
        const int64_t wait_ps =
            processor_run(&processor, (uint32_t)i % CORES, at_ps, 0) - at_ps;

        now_ps = at_ps;

        waits += wait_ps > 0;
        long_waits += wait_ps > 2 * quiet.background_job_ps;
    }
    processor_get_stats(&processor, now_ps, &stats);
    check_near((double)stats.busy_ps / (double)now_ps / CORES, rho, 0.01);
    check_near((double)waits / PROBES, rho, 0.006);
    expected = rho * exp(-(1 - rho) * 2);
    check_near((double)long_waits / PROBES, expected, 0.006);
    expected = rho * mean_ps / (1 - rho);
    check_near((double)stats.wait_ps / PROBES / expected, 1, 0.04);
}

static void
test_background_makes_jobs_wait_as_in_theory(void **state)
{
    (void)state;
    check_waits(100);
    check_waits(250);
    check_waits(600);
}

static void
test_cores_draw_their_background_themselves(void **state)
{
    struct processor first, second;
    struct processor_core first_cores[CORES], second_cores[CORES];

    (void)state;
    start(&first, first_cores, 500);
    start(&second, second_cores, 500);
    for (int64_t i = 1; i < 1000; i++) {
        /* What happens at other cores changes nothing. */
        (void)processor_run(&second, (uint32_t)(i % (CORES - 1)), i * US, NS);
        assert_int_equal(processor_run(&first, CORES - 1, i * US, NS),
                         processor_run(&second, CORES - 1, i * US, NS));
    }
    assert_int_not_equal(first_cores[CORES - 1].free_ps,
                         first_cores[0].free_ps);
}

/* For qsort(). */
static int
compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

/* Stores DRAWS sorted delays. */
static int64_t *
draw_sorted(const struct host_delay *delay)
{
    int64_t *draws = calloc(DRAWS, sizeof *draws);
    struct random_stream stream;

    assert_non_null(draws);
    random_stream_init(&stream, 1, ENTITY, RANDOM_DELAY);
    for (int i = 0; i < DRAWS; i++) {
        draws[i] = host_delay_draw(delay, &stream);
    }
    qsort(draws, DRAWS, sizeof *draws, compare);
    return draws;
}

static double
quantile(const int64_t *draws, double q)
{
    return (double)draws[(int)(q * DRAWS)];
}

static void
test_delays_are_lognormal(void **state)
{
    /* Quantiles of the normal distribution. */
    static const struct {
        double q, z;
    } quantiles[] = {{0.01, -2.3263}, {0.1, -1.2816}, {0.5, 0},
                     {0.9, 1.2816},   {0.99, 2.3263}, {0.999, 3.0902}};
    const struct host_delay delay = {.median_ps = 8 * US, .spread = 400};
    int64_t *draws = draw_sorted(&delay);

    (void)state;
    for (size_t i = 0; i < sizeof quantiles / sizeof quantiles[0]; i++) {
        const double expected = 8e6 * exp(0.4 * quantiles[i].z);

        check_near(quantile(draws, quantiles[i].q) / expected, 1, 0.05);
    }
    free(draws);
}

static void
test_delays_without_spread_are_equal(void **state)
{
    const struct host_delay delay = {.median_ps = 8 * US};
    int64_t *draws = draw_sorted(&delay);

    (void)state;
    assert_int_equal(draws[0], 8 * US);
    assert_int_equal(draws[DRAWS - 1], 8 * US);
    free(draws);
}

static void
test_stalls_are_exponential(void **state)
{
    const struct host_delay delay = {.stall = MILLION / 10,
                                     .stall_ps = 100 * US};
    const struct host_delay always = {.stall = MILLION, .stall_ps = 100 * US};
    int64_t *draws = draw_sorted(&delay);
    uint32_t stalls = 0;

    (void)state;
    for (int i = 0; i < DRAWS; i++) {
        stalls += draws[i] > 0;
    }
    check_near((double)stalls / DRAWS, 0.1, 0.003);
    /* P(x > t) = 0.1 exp(-t / mean). */
    check_near(quantile(draws, 0.99) / (1e8 * log(10)), 1, 0.03);
    check_near(quantile(draws, 0.999) / (1e8 * log(100)), 1, 0.06);
    free(draws);
    draws = draw_sorted(&always);
    assert_true(draws[DRAWS / 100] > 0);
    check_near(quantile(draws, 0.5) / (1e8 * log(2)), 1, 0.03);
    free(draws);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_jobs_of_a_core_wait_for_each_other),
        cmocka_unit_test(test_work_that_is_not_done_is_not_counted),
        cmocka_unit_test(test_seeds_share_no_background),
        cmocka_unit_test(test_bad_settings_are_refused),
        cmocka_unit_test(test_background_makes_jobs_wait_as_in_theory),
        cmocka_unit_test(test_cores_draw_their_background_themselves),
        cmocka_unit_test(test_delays_are_lognormal),
        cmocka_unit_test(test_delays_without_spread_are_equal),
        cmocka_unit_test(test_stalls_are_exponential),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
