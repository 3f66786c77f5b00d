/* SPDX-License-Identifier: Apache-2.0 */

/* What a receiver says of what it was given. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/host/receiver.h"

static int
setup(void **state)
{
    *state = receiver_create();
    return 0;
}

static int
teardown(void **state)
{
    receiver_destroy(*state);
    return 0;
}

static void
take(struct receiver *receiver, uint32_t flow, uint32_t sequence,
     int64_t latency_ps)
{
    receiver_take(receiver,
                  &(struct sim_frame){.flow = flow,
                                      .sequence = sequence,
                                      .length_bytes = 100,
                                      .sent_ps = 1000,
                                      .dscp = -1},
                  1000 + latency_ps);
}

static void
test_counts_by_flow_dscp_queue_and_mark(void **state)
{
    struct receiver *receiver = *state;
    struct sim_frame frame = {.flow = 9, .length_bytes = 100, .dscp = 46};

    frame.queue_index = 5;
    frame.ecn = 3;
    receiver_take(receiver, &frame, 10);
    frame.sequence = 1;
    frame.ecn = 2;
    receiver_take(receiver, &frame, 20);
    frame.flow = 2;
    frame.dscp = -1;
    frame.queue_index = 0;
    frame.sequence = 0;
    receiver_take(receiver, &frame, 30);
    assert_int_equal(receiver->frames, 3);
    assert_int_equal(receiver->bytes, 300);
    assert_int_equal(receiver->by_dscp[46], 2);
    assert_int_equal(receiver->by_dscp[63], 0);
    assert_int_equal(receiver->by_queue[5], 2);
    assert_int_equal(receiver->by_queue[0], 1);
    assert_int_equal(receiver->n_flows, 2);
    assert_int_equal(receiver->flows[0]->flow, 2);
    assert_int_equal(receiver_flow(receiver, 9)->frames, 2);
    assert_int_equal(receiver_flow(receiver, 9)->bytes, 200);
    assert_int_equal(receiver_flow(receiver, 9)->ce, 1);
    assert_int_equal(receiver_flow(receiver, 9)->first_ps, 10);
    assert_int_equal(receiver_flow(receiver, 9)->last_ps, 20);
    assert_null(receiver_flow(receiver, 3));
    assert_null(receiver_flow(receiver, 10));
}

static void
test_order(void **state)
{
    static const struct {
        uint32_t sequence;
        uint64_t missing;
        uint64_t late;
        uint64_t duplicates;
    } steps[] = {
        {0, 0, 0, 0},     {1, 0, 0, 0},    {4, 2, 0, 0},    {2, 1, 1, 0},
        {2, 1, 1, 1},     {4, 1, 1, 2},    {0, 1, 1, 3},    {5, 1, 1, 3},
        {3, 0, 2, 3},     {68, 62, 2, 3},  {5, 62, 2, 4},   {4, 61, 3, 4},
        {132, 124, 3, 4}, {68, 123, 4, 4}, {69, 122, 5, 4}, {69, 122, 5, 5},
    };
    struct receiver *receiver = *state;

    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        const struct receiver_flow *flow;

        take(receiver, 1, steps[i].sequence, 0);
        flow = receiver_flow(receiver, 1);
        assert_int_equal(flow->missing, steps[i].missing);
        assert_int_equal(flow->late, steps[i].late);
        assert_int_equal(flow->duplicates, steps[i].duplicates);
    }
}

/* 1..1000 ns, each once. */
static void
test_latencies(void **state)
{
    struct receiver *receiver = *state;
    const struct receiver_flow *flow;
    static const struct {
        uint32_t ppm;
        int64_t exact_ps;
    } percentiles[] = {{500000, 500000},
                       {990000, 990000},
                       {999000, 999000},
                       {1000000, 1000000}};

    for (uint32_t i = 1000; i >= 1; i--) {
        take(receiver, 1, 1000 - i, (int64_t)i * 1000);
    }
    flow = receiver_flow(receiver, 1);
    assert_int_equal(flow->min_ps, 1000);
    assert_int_equal(flow->max_ps, 1000000);
    assert_int_equal(receiver_mean_ps(flow), 500500);
    assert_in_range(receiver_percentile_ps(flow, 0), 1000, 1031);
    for (size_t i = 0; i < 4; i++) {
        assert_in_range(receiver_percentile_ps(flow, percentiles[i].ppm),
                        percentiles[i].exact_ps,
                        percentiles[i].exact_ps * 1032 / 1000);
    }
    assert_int_equal(receiver_percentile_ps(flow, 1000000), 1000000);
}

/* Every value is in a bucket that ends at most 1/32 above it. */
static void
test_buckets_are_narrow_at_all_scales(void **state)
{
    struct receiver *receiver = *state;
    uint32_t flow = 0;

    for (int64_t ps = 0; ps < INT64_C(1) << 61; ps += ps / 8 + 1) {
        int64_t end_ps;

        take(receiver, flow, 0, ps);
        /* So that the maximum does not cut the answer. */
        take(receiver, flow, 1, INT64_C(1) << 62);
        end_ps = receiver_percentile_ps(receiver_flow(receiver, flow), 500000);
        assert_true(end_ps >= ps);
        assert_true(end_ps <= ps + ps / 32);
        flow++;
    }
    assert_in_range(flow, 300, 500);
}

static void
test_throughput(void **state)
{
    struct receiver *receiver = *state;

    for (uint32_t i = 0; i < 10; i++) {
        take(receiver, 1, i, 5);
    }
    /* 1,000 bytes, 1,240 on the wire, in a microsecond. */
    assert_true(receiver_bits_per_s(receiver_flow(receiver, 1), 1000000,
                                    false) == UINT64_C(8000000000));
    assert_true(receiver_bits_per_s(receiver_flow(receiver, 1), 1000000,
                                    true) == UINT64_C(9920000000));
}

static void
test_cleared_sink_goes_on_with_the_order(void **state)
{
    struct receiver *receiver = *state;

    take(receiver, 1, 0, 5);
    take(receiver, 1, 1, 5);
    receiver_clear(receiver);
    assert_int_equal(receiver->frames, 0);
    assert_int_equal(receiver_flow(receiver, 1)->frames, 0);
    assert_int_equal(receiver_mean_ps(receiver_flow(receiver, 1)), 0);
    assert_int_equal(receiver_percentile_ps(receiver_flow(receiver, 1), 500000),
                     0);
    take(receiver, 1, 2, 7);
    take(receiver, 1, 1, 9);
    assert_int_equal(receiver_flow(receiver, 1)->missing, 0);
    assert_int_equal(receiver_flow(receiver, 1)->duplicates, 1);
    assert_int_equal(receiver_flow(receiver, 1)->min_ps, 7);
}

#define SINK_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SINK_TEST(test_counts_by_flow_dscp_queue_and_mark),
        SINK_TEST(test_order),
        SINK_TEST(test_latencies),
        SINK_TEST(test_buckets_are_narrow_at_all_scales),
        SINK_TEST(test_throughput),
        SINK_TEST(test_cleared_sink_goes_on_with_the_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
