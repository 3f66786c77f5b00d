/* SPDX-License-Identifier: Apache-2.0 */

/* Percentiles of the delays of a queue, against sorted delays. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "twin/switch/delays.h"

enum { N = 1000 };

static int
compare(const void *a, const void *b)
{
    const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

    return (x > y) - (x < y);
}

static void
test_percentiles_are_those_of_sorted_delays(void **state)
{
    const uint32_t parts[] = {1, 10000, 500000, 990000, 999000, 1000000};
    struct random random;
    int64_t sorted[N];

    (void)state;
    random_init(&random, 20);
    for (unsigned int bits = 1; bits < 50; bits++) {
        struct delays *delays = delays_create();

        for (int i = 0; i < N; i++) {
            sorted[i] = (int64_t)(random_u64(&random) >> (64 - bits));
            delays_add(delays, sorted[i]);
        }
        qsort(sorted, N, sizeof sorted[0], compare);
        for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
            const size_t rank =
                ((size_t)N * parts[i] + 999999) / 1000000; /* From 1. */
            const int64_t exact = sorted[rank - 1];

            assert_in_range(
                delays_percentile_ps(delays, parts[i], sorted[N - 1]), exact,
                exact + exact / 32 + 1000);
        }
        free(delays);
    }
}

static void
test_no_frame_has_a_delay_of_0(void **state)
{
    struct delays *delays = delays_create();

    (void)state;
    assert_int_equal(delays_percentile_ps(NULL, 500000, 7), 0);
    assert_int_equal(delays_percentile_ps(delays, 500000, 7), 0);
    free(delays);
}

static void
test_no_percentile_exceeds_the_longest(void **state)
{
    struct delays *delays = delays_create();

    (void)state;
    delays_add(delays, 0);
    assert_int_equal(delays_percentile_ps(delays, 990000, 0), 0);
    delays_add(delays, 1000001);
    assert_int_equal(delays_percentile_ps(delays, 990000, 1000001), 1000001);
    free(delays);
}

static void
test_very_long_delays_count_as_18_minutes(void **state)
{
    const int64_t limit_ps = (INT64_C(1) << 40) * 1000;
    struct delays *delays = delays_create();

    (void)state;
    delays_add(delays, INT64_MAX);
    assert_in_range(delays_percentile_ps(delays, 500000, INT64_MAX),
                    limit_ps - limit_ps / 32, limit_ps);
    free(delays);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_percentiles_are_those_of_sorted_delays),
        cmocka_unit_test(test_no_frame_has_a_delay_of_0),
        cmocka_unit_test(test_no_percentile_exceeds_the_longest),
        cmocka_unit_test(test_very_long_delays_count_as_18_minutes),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
