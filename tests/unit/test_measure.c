/* SPDX-License-Identifier: Apache-2.0 */

/* Histograms, percentiles and the result hash. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/check.h"
#include "base/histogram.h"
#include "base/random.h"
#include "lab/measure/quantile.h"
#include "lab/measure/result_hash.h"
#include "lab/measure/sink.h"

static void
test_buckets_cover_all_values_without_gaps(void **state)
{
    (void)state;
    assert_int_equal(histogram_low(0), 0);
    for (uint32_t i = 0; i + 1 < HISTOGRAM_N_BUCKETS; i++) {
        const uint64_t low = histogram_low(i), high = histogram_high(i);

        assert_int_equal(histogram_low(i + 1), high + 1);
        assert_int_equal(histogram_bucket(low), i);
        assert_int_equal(histogram_bucket(high), i);
        /* At most 1/32 of the lower limit wide. */
        assert_true(high - low <= low / 32);
    }
    assert_int_equal(histogram_bucket(UINT64_MAX), HISTOGRAM_N_BUCKETS - 1);
    assert_int_equal(histogram_high(HISTOGRAM_N_BUCKETS - 1), UINT64_MAX);
}

static void
test_small_values_are_exact(void **state)
{
    struct histogram histogram;

    (void)state;
    histogram_init(&histogram);
    assert_int_equal(histogram_rank(&histogram, 1), 0);
    for (uint64_t i = 1; i <= 50; i++) {
        histogram_add(&histogram, i);
    }
    assert_int_equal(histogram.n, 50);
    assert_int_equal(histogram.sum, 1275);
    assert_int_equal(histogram.min, 1);
    assert_int_equal(histogram.max, 50);
    for (uint64_t i = 1; i <= 50; i++) {
        assert_int_equal(histogram_rank(&histogram, i), i);
    }
    assert_int_equal(histogram_rank(&histogram, 99), 50);
}

static int
compare_u64(const void *a_, const void *b_)
{
    const uint64_t *a = a_, *b = b_;

    return (*a > *b) - (*a < *b);
}

static void
test_ranks_are_within_a_bucket_of_the_truth(void **state)
{
    enum { N = 5000 };
    static uint64_t values[N];
    static struct histogram all, parts[3];
    struct random random;

    (void)state;
    random_init(&random, 11);
    histogram_init(&all);
    for (int i = 0; i < 3; i++) {
        histogram_init(&parts[i]);
    }
    for (int i = 0; i < N; i++) {
        values[i] = random_exponential(&random, UINT64_C(50000000));
        histogram_add(&all, values[i]);
        histogram_add(&parts[i % 3], values[i]);
    }
    qsort(values, N, sizeof *values, compare_u64);
    for (uint64_t rank = 1; rank <= N; rank++) {
        const uint64_t shown = histogram_rank(&all, rank);

        assert_true(shown >= values[rank - 1]);
        assert_true(shown <= values[rank - 1] + values[rank - 1] / 32);
    }
    histogram_merge(&parts[2], &parts[0]);
    histogram_merge(&parts[2], &parts[1]);
    assert_memory_equal(&parts[2], &all, sizeof all);
}

static void
test_sum_does_not_overflow(void **state)
{
    static struct histogram histogram;

    (void)state;
    histogram_init(&histogram);
    histogram_add(&histogram, UINT64_MAX - 1);
    histogram_add(&histogram, 5);
    assert_true(histogram.sum == UINT64_MAX);
    assert_true(histogram_rank(&histogram, 2) == UINT64_MAX - 1);
}

static void
test_binomial(void **state)
{
    (void)state;
    /* n = 4, p = 1/2: 1, 5, 11, 15, 16 sixteenths. */
    assert_true(fabs(quantile_binomial_cdf(4, 0.5, 0) - 1 / 16.0) < 1e-12);
    assert_true(fabs(quantile_binomial_cdf(4, 0.5, 1) - 5 / 16.0) < 1e-12);
    assert_true(fabs(quantile_binomial_cdf(4, 0.5, 2) - 11 / 16.0) < 1e-12);
    assert_true(fabs(quantile_binomial_cdf(4, 0.5, 3) - 15 / 16.0) < 1e-12);
    assert_true(quantile_binomial_cdf(4, 0.5, 4) == 1);
    /* A million at the mean: 1/2 but for a term of the order 1/sqrt(n). */
    assert_true(fabs(quantile_binomial_cdf(1000000, 0.5, 500000) - 0.5) < 1e-3);
}

/* The table of 95 % limits for the median: n = 10 ranks 2 and 9 (97.9 %), n =
 * 20 ranks 6 and 15 (David and Nagaraja, section 7.1). */
static void
test_limits_of_the_median(void **state)
{
    struct quantile_ranks ranks;

    (void)state;
    quantile_ranks(10, 0.5, 0.95, &ranks);
    assert_int_equal(ranks.rank, 5);
    assert_int_equal(ranks.low, 2);
    assert_int_equal(ranks.high, 9);
    assert_true(ranks.bounded);
    quantile_ranks(20, 0.5, 0.95, &ranks);
    assert_int_equal(ranks.low, 6);
    assert_int_equal(ranks.high, 15);
}

/* 100 samples do not bound p99: the largest is below it with 0.99^100 = 36 %.
 */
static void
test_few_samples_do_not_bound_a_tail(void **state)
{
    struct quantile_ranks ranks;

    (void)state;
    quantile_ranks(100, 0.99, 0.95, &ranks);
    assert_int_equal(ranks.rank, 99);
    assert_int_equal(ranks.high, 100);
    assert_false(ranks.bounded);
    quantile_ranks(1000, 0.99, 0.95, &ranks);
    assert_int_equal(ranks.rank, 990);
    assert_true(ranks.bounded);
    quantile_ranks(1, 1, 0.95, &ranks);
    assert_int_equal(ranks.rank, 1);
    /* Six samples bound the median by the smallest and the largest, five do
     * not: 2 / 2^6 is below 5 %, 2 / 2^5 is not. */
    quantile_ranks(6, 0.5, 0.95, &ranks);
    assert_int_equal(ranks.low, 1);
    assert_int_equal(ranks.high, 6);
    assert_true(ranks.bounded);
    quantile_ranks(5, 0.5, 0.95, &ranks);
    assert_false(ranks.bounded);
    quantile_ranks(5, 1, 0.95, &ranks);
    assert_int_equal(ranks.rank, 5);
    assert_int_equal(ranks.high, 5);
    assert_false(ranks.bounded);
}

/* The interval holds the true quantile as often as it claims to. */
static void
test_intervals_cover_what_they_claim(void **state)
{
    enum { ROUNDS = 2000, N = 200 };
    struct quantile_ranks ranks;
    struct random random;
    int covered = 0;

    (void)state;
    random_init(&random, 5);
    quantile_ranks(N, 0.9, 0.95, &ranks);
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t values[N];

        for (int i = 0; i < N; i++) {
            values[i] = random_below(&random, 1000000);
        }
        qsort(values, N, sizeof *values, compare_u64);
        covered +=
            values[ranks.low - 1] <= 900000 && values[ranks.high - 1] >= 900000;
    }
    assert_true(covered >= ROUNDS * 94 / 100);
}

static void
test_result_hash_ignores_order_only(void **state)
{
    const struct sink_flow flow = {.flow = 1, .end_ps = 5, .bytes = 10};
    const struct sink_pause pause = {.node = 3, .start_ps = 7, .end_ps = 9};
    const struct sink_drop drop = {.t_ps = 4, .psn = 17};
    struct sink_drop other = drop;
    struct result_hash a = {0}, b = {0}, c = {0}, d = {0};

    (void)state;
    result_hash_flow(&a, &flow);
    result_hash_pause(&a, &pause);
    result_hash_drop(&a, &drop);
    result_hash_drop(&b, &drop);
    result_hash_flow(&d, &flow);
    result_hash_pause(&d, &pause);
    result_hash_merge(&b, &d);
    assert_true(result_hash_get(&a) == result_hash_get(&b));
    other.psn++;
    result_hash_flow(&c, &flow);
    result_hash_pause(&c, &pause);
    result_hash_drop(&c, &other);
    assert_true(result_hash_get(&a) != result_hash_get(&c));
    /* Twice the same record is not none. */
    result_hash_drop(&a, &drop);
    assert_true(result_hash_get(&a) != result_hash_get(&b));
}

/* Expects that the hash of a record changes with its member 'member'. */
#define EXPECT_COUNTS(kind, member)                                            \
    do {                                                                       \
        struct sink_##kind one = {0}, two = {0};                               \
        struct result_hash a = {0}, b = {0};                                   \
                                                                               \
        two.member = 1;                                                        \
        result_hash_##kind(&a, &one);                                          \
        result_hash_##kind(&b, &two);                                          \
        if (result_hash_get(&a) == result_hash_get(&b)) {                      \
            fail_msg("%s of %s does not count", #member, #kind);               \
        }                                                                      \
    } while (0)

static void
test_each_member_counts_in_the_result_hash(void **state)
{
    (void)state;
    EXPECT_COUNTS(flow, flow);
    EXPECT_COUNTS(flow, group);
    EXPECT_COUNTS(flow, source);
    EXPECT_COUNTS(flow, destination);
    EXPECT_COUNTS(flow, priority);
    EXPECT_COUNTS(flow, state);
    EXPECT_COUNTS(flow, error);
    EXPECT_COUNTS(flow, start_ps);
    EXPECT_COUNTS(flow, end_ps);
    EXPECT_COUNTS(flow, bytes);
    EXPECT_COUNTS(flow, packets);
    EXPECT_COUNTS(flow, retransmitted);
    EXPECT_COUNTS(flow, marked);
    EXPECT_COUNTS(flow, cnps);
    EXPECT_COUNTS(flow, timeouts);
    EXPECT_COUNTS(message, flow);
    EXPECT_COUNTS(message, number);
    EXPECT_COUNTS(message, start_ps);
    EXPECT_COUNTS(message, end_ps);
    EXPECT_COUNTS(message, bytes);
    EXPECT_COUNTS(message, lost);
    EXPECT_COUNTS(pause, node);
    EXPECT_COUNTS(pause, port);
    EXPECT_COUNTS(pause, priority);
    EXPECT_COUNTS(pause, start_ps);
    EXPECT_COUNTS(pause, end_ps);
    EXPECT_COUNTS(drop, t_ps);
    EXPECT_COUNTS(drop, node);
    EXPECT_COUNTS(drop, port);
    EXPECT_COUNTS(drop, priority);
    EXPECT_COUNTS(drop, reason);
    EXPECT_COUNTS(drop, flow);
    EXPECT_COUNTS(drop, psn);
    EXPECT_COUNTS(drop, bytes);
}

/* Expects that the hash of an I/O changes with 'member'. */
#define EXPECT_COUNTS_IN_IO(member, value)                                     \
    do {                                                                       \
        struct sink_io one = {.verb = "read"};                                 \
        struct result_hash a = {0}, b = {0};                                   \
                                                                               \
        result_hash_io(&a, &one);                                              \
        one.member = value;                                                    \
        result_hash_io(&b, &one);                                              \
        if (result_hash_get(&a) == result_hash_get(&b)) {                      \
            fail_msg("%s of an I/O does not count", #member);                  \
        }                                                                      \
    } while (0)

static void
test_each_member_of_an_io_counts(void **state)
{
    (void)state;
    EXPECT_COUNTS_IN_IO(number, 1);
    EXPECT_COUNTS_IN_IO(verb, "write");
    EXPECT_COUNTS_IN_IO(client, 1);
    EXPECT_COUNTS_IN_IO(server, 1);
    EXPECT_COUNTS_IN_IO(node, 1);
    EXPECT_COUNTS_IN_IO(copies, 1);
    EXPECT_COUNTS_IN_IO(bytes, 1);
    EXPECT_COUNTS_IN_IO(start_ps, 1);
    EXPECT_COUNTS_IN_IO(end_ps, 1);
    EXPECT_COUNTS_IN_IO(stored_ps, 1);
    EXPECT_COUNTS_IN_IO(front_bytes, 1);
    EXPECT_COUNTS_IN_IO(back_bytes, 1);
}

/* The value is part of the interface: gates compare it between builds. */
static void
test_result_hash_is_pinned(void **state)
{
    const struct sink_flow flow = {
        .flow = 1, .start_ps = 2, .end_ps = -1, .bytes = 1 << 20};
    struct result_hash hash = {0};

    (void)state;
    result_hash_flow(&hash, &flow);
    assert_true(result_hash_get(&hash) == UINT64_C(0xf13ee7733e9f885c));
}

static unsigned int calls[2];

static void
count_drop(void *context, const struct sink_drop *drop)
{
    unsigned int *n = context;

    *n += drop->bytes;
}

static void
test_pair_calls_both(void **state)
{
    const struct sink first = {.dropped = count_drop, .context = &calls[0]};
    const struct sink second = {.dropped = count_drop, .context = &calls[1]};
    const struct sink none = {.context = NULL};
    const struct sink_drop drop = {.bytes = 9};
    struct sink_pair pair;

    (void)state;
    sink_pair_init(&pair, &first, &second);
    pair.sink.dropped(pair.sink.context, &drop);
    assert_int_equal(calls[0], 9);
    assert_int_equal(calls[1], 9);
    assert_null(pair.sink.marked);
    sink_pair_init(&pair, &none, &second);
    pair.sink.dropped(pair.sink.context, &drop);
    assert_int_equal(calls[1], 18);
}

static void
test_names(void **state)
{
    (void)state;
    assert_string_equal(sink_flow_state_name(SINK_FLOW_FAILED), "failed");
    assert_string_equal(sink_drop_reason_name(SINK_DROP_HEADROOM), "headroom");
    assert_string_equal(sink_drop_reason_name(99), "unknown");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_buckets_cover_all_values_without_gaps),
        cmocka_unit_test(test_small_values_are_exact),
        cmocka_unit_test(test_ranks_are_within_a_bucket_of_the_truth),
        cmocka_unit_test(test_sum_does_not_overflow),
        cmocka_unit_test(test_binomial),
        cmocka_unit_test(test_limits_of_the_median),
        cmocka_unit_test(test_few_samples_do_not_bound_a_tail),
        cmocka_unit_test(test_intervals_cover_what_they_claim),
        cmocka_unit_test(test_result_hash_ignores_order_only),
        cmocka_unit_test(test_each_member_counts_in_the_result_hash),
        cmocka_unit_test(test_each_member_of_an_io_counts),
        cmocka_unit_test(test_result_hash_is_pinned),
        cmocka_unit_test(test_pair_calls_both),
        cmocka_unit_test(test_names),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
