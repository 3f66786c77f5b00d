/* SPDX-License-Identifier: Apache-2.0 */

/* RDMA Estats without a run: clocks within their bound, groups that merge, and
 * the rule that names a side, reason by reason. */

#include <config.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/estats/clock.h"
#include "lab/estats/groups.h"
#include "lab/estats/side.h"

enum { CLOCKS = 200, TIMES = 200 };

#define US INT64_C(1000000)
#define MS (1000 * US)
#define S  (1000 * MS)

/* Clocks ------------------------------------------------------------------- */

static int64_t
draw(struct random *random, int64_t low, int64_t high)
{
    return low + (int64_t)random_below(random, (uint64_t)(high - low) + 1);
}

static struct estats_clock_config
draw_clock(struct random *random)
{
    struct estats_clock_config config = {.drift_max_ppb =
                                             draw(random, 0, 1000000),
                                         .offset_ps = draw(random, -S, S),
                                         .tick_ps = draw(random, 1, 8000),
                                         .every_ps = draw(random, MS, 2 * S),
                                         .read_ps = draw(random, 0, 5 * US),
                                         .seed = random_u64(random)};

    config.drift_ppb =
        draw(random, -config.drift_max_ppb, config.drift_max_ppb);
    return config;
}

static void
test_a_converted_time_is_within_its_bound(void **state)
{
    struct random random;
    int64_t closest = 0; /* Permille of the bound. */

    (void)state;
    random_init(&random, 18);
    for (int i = 0; i < CLOCKS; i++) {
        struct estats_clock clock = {.config = draw_clock(&random)};
        int64_t now_ps = draw(&random, 0, 100 * US);

        for (int k = 0; k < TIMES; k++) {
            int64_t bound_ps;
            const int64_t seen_ps = estats_clock_host(
                &clock, estats_clock_nic(&clock.config, now_ps), now_ps,
                &bound_ps);
            const int64_t error_ps =
                seen_ps > now_ps ? seen_ps - now_ps : now_ps - seen_ps;

            assert_true(error_ps <= bound_ps);
            if (error_ps * 1000 / bound_ps > closest) {
                closest = error_ps * 1000 / bound_ps;
            }
            now_ps += draw(&random, 0, clock.config.every_ps / 8);
        }
    }
    /* The bound is not much larger than what happens. */
    assert_true(closest > 800);
}

static void
test_a_clock_drifts_and_has_ticks(void **state)
{
    const struct estats_clock_config config = {
        .drift_ppb = 50000, .offset_ps = 7, .tick_ps = 1000, .every_ps = S};

    (void)state;
    assert_int_equal(estats_clock_nic(&config, 0), 0);
    assert_int_equal(estats_clock_nic(&config, 999), 1000);
    assert_int_equal(estats_clock_nic(&config, S), S + 50 * US);
    assert_int_equal(estats_clock_nic(&config, -1000), -1000);
}

static void
test_the_second_read_removes_the_drift(void **state)
{
    struct estats_clock clock = {.config = {.drift_ppb = 100000,
                                            .drift_max_ppb = 100000,
                                            .tick_ps = 1,
                                            .every_ps = 10 * MS}};
    int64_t bound_ps, seen_ps;

    (void)state;
    /* 100 ppm of 9 ms. */
    seen_ps = estats_clock_host(&clock, estats_clock_nic(&clock.config, 9 * MS),
                                9 * MS, &bound_ps);
    assert_int_equal(seen_ps, 9 * MS + 900000);
    assert_in_range(bound_ps, 900000, 901000);
    seen_ps = estats_clock_host(
        &clock, estats_clock_nic(&clock.config, 19 * MS), 19 * MS, &bound_ps);
    assert_true(llabs(seen_ps - 19 * MS) <= 4);
    assert_in_range(bound_ps, 1, 10);
}

/* Groups ------------------------------------------------------------------- */

struct listing {
    uint32_t n;
    struct estats_key keys[8];
    uint64_t counts[8];
    int64_t parts[8];
};

static void
list(void *context, const struct estats_group *group)
{
    struct listing *listing = context;

    listing->keys[listing->n] = group->key;
    listing->parts[listing->n] = group->parts_ps[ESTATS_PART_NETWORK];
    assert_int_equal(group->total.n, group->poll.n);
    listing->counts[listing->n++] = group->total.n;
}

static void
test_groups_are_separate_sorted_and_merge(void **state)
{
    static const struct estats_key keys[] = {
        {.connection = 2, .operation = ESTATS_WRITE},
        {.connection = 1, .operation = ESTATS_WRITE, .status = 2},
        {.connection = 1, .operation = ESTATS_WRITE},
        {.connection = 1, .end = 1, .operation = ESTATS_SEND}};
    struct estats_groups *a = estats_groups_create();
    struct estats_groups *b = estats_groups_create();
    struct estats_times times = {
        .total_ps = 5, .nic_ps = -3, .poll_ps = 8, .bytes = 10};
    struct listing listing = {0};

    (void)state;
    times.parts_ps[ESTATS_PART_NETWORK] = 4;
    for (int i = 0; i < 4; i++) {
        estats_groups_add(a, &keys[i], &times);
    }
    estats_groups_add(b, &keys[0], &times);
    estats_groups_merge(b, a);
    estats_groups_clear(a);
    estats_groups_each(a, list, &listing);
    assert_int_equal(listing.n, 0);
    estats_groups_each(b, list, &listing);
    assert_int_equal(listing.n, 4);
    assert_memory_equal(&listing.keys[0], &keys[2], sizeof keys[0]);
    assert_memory_equal(&listing.keys[1], &keys[1], sizeof keys[0]);
    assert_memory_equal(&listing.keys[2], &keys[3], sizeof keys[0]);
    assert_memory_equal(&listing.keys[3], &keys[0], sizeof keys[0]);
    assert_int_equal(listing.counts[0], 1);
    assert_int_equal(listing.counts[3], 2);
    assert_int_equal(listing.parts[3], 8);
    estats_groups_destroy(a);
    estats_groups_destroy(b);
    estats_groups_destroy(NULL);
}

/* Sides -------------------------------------------------------------------- */

/* An interval of 10 ms with 10 operations of 1 ms, where 11 us would do. */
static struct estats_evidence
slow(void)
{
    return (struct estats_evidence){.interval_ps = 10 * MS,
                                    .n = 10,
                                    .total_ps = 10 * MS,
                                    .nic_ps = 10 * MS,
                                    .backlog_bytes = 10 * UINT64_C(12500),
                                    .n_posts = 10,
                                    .requester = {.probe_ps = -1},
                                    .responder = {.probe_ps = -1},
                                    .timeout_ps = MS,
                                    .rnr_ps = MS,
                                    .recovery_ps = 500 * US,
                                    .base_ps = 10 * US,
                                    .line_bps = UINT64_C(100000000000)};
}

static void
expect(const struct estats_evidence *evidence, enum estats_side side,
       enum estats_reason reason)
{
    struct estats_finding finding;

    estats_find(evidence, &finding);
    assert_int_equal(finding.side, side);
    assert_int_equal(finding.reason, reason);
    /* What is divided is what there is. */
    assert_in_range(finding.parts_ps[0] + finding.parts_ps[1] +
                        finding.parts_ps[2] + finding.parts_ps[3],
                    (uint64_t)(evidence->total_ps / 10 - US / 100),
                    (uint64_t)(evidence->total_ps / 10 +
                               evidence->deliver_ps / 10 + 12 * US));
}

#define EXPECT(evidence, side, reason)                                         \
    expect(evidence, ESTATS_SIDE_##side, ESTATS_REASON_##reason)

static void
test_the_ideal_has_base_and_backlog(void **state)
{
    struct estats_evidence evidence = slow();
    struct estats_finding finding;

    (void)state;
    estats_find(&evidence, &finding);
    /* 12,500 bytes at 100 Gb/s. */
    assert_int_equal(finding.parts_ps[ESTATS_SIDE_NONE], 11 * US);
    evidence.total_ps = evidence.nic_ps = 10 * 18 * US;
    estats_find(&evidence, &finding);
    assert_int_equal(finding.side, ESTATS_SIDE_NONE);
    evidence.total_ps = evidence.nic_ps = 10 * 19 * US;
    estats_find(&evidence, &finding);
    assert_int_equal(finding.side, ESTATS_SIDE_SENDER);
    evidence.n = 0;
    estats_find(&evidence, &finding);
    assert_int_equal(finding.side, ESTATS_SIDE_NONE);
}

static void
test_a_requester_is_the_sender_unless_it_reads(void **state)
{
    struct estats_evidence evidence = slow();

    (void)state;
    evidence.nic_ps = 4 * MS;
    evidence.poll_ps = 6 * MS;
    EXPECT(&evidence, SENDER, POLL);
    evidence.is_read = true;
    EXPECT(&evidence, RECEIVER, POLL);
    evidence = slow();
    evidence.requester.jobs = 20;
    evidence.requester.jobs_ps = 6 * MS;
    evidence.n_posts = 20;
    EXPECT(&evidence, SENDER, POST); /* Two jobs of 300 us. */
    evidence.is_read = true;
    EXPECT(&evidence, RECEIVER, POST);
    evidence.requester.jobs = 0; /* The thread still waits. */
    EXPECT(&evidence, RECEIVER, POST);
}

static void
test_the_receiver_is_named_by_its_counters(void **state)
{
    struct estats_evidence evidence = slow();

    (void)state;
    evidence.responder.asked_ps = 7 * MS;
    evidence.requester.obeyed_ps = 8 * MS; /* The same pauses. */
    evidence.cnps = 1;
    evidence.cnp_ps = 5 * MS;
    EXPECT(&evidence, RECEIVER, PAUSES);
    evidence.is_read = true; /* The responder sends: its own PCIe. */
    evidence.cnp_ps = 0;
    EXPECT(&evidence, SENDER, OWN_PCIE);
    evidence = slow();
    evidence.rnr_naks = 6;
    EXPECT(&evidence, RECEIVER, RECEIVES);
    evidence = slow();
    evidence.responder.bus_ps = 91 * MS / 10;
    EXPECT(&evidence, RECEIVER, PCIE);
    evidence = slow();
    evidence.timeouts = 6;
    evidence.responder.fifo_drops = 1;
    EXPECT(&evidence, RECEIVER, DROPS);
    evidence = slow();
    evidence.n_received = 10;
    evidence.deliver_ps = 20 * MS;
    EXPECT(&evidence, RECEIVER, DELIVER);
}

static void
test_the_network_is_named_by_its_traces(void **state)
{
    struct estats_evidence evidence = slow();

    (void)state;
    evidence.requester.obeyed_ps = 6 * MS;
    EXPECT(&evidence, NETWORK, CONGESTION);
    evidence = slow();
    evidence.naks = 12;
    EXPECT(&evidence, NETWORK, LOSS);
    evidence = slow();
    evidence.timeouts = 6;
    EXPECT(&evidence, NETWORK, LOSS);
    evidence.duplicates = 6; /* Nothing was lost. */
    EXPECT(&evidence, SENDER, IDLE_LINK);
    evidence = slow();
    evidence.responder.received_ps = 95 * MS / 10;
    EXPECT(&evidence, NETWORK, CONGESTION);
    evidence = slow();
    evidence.requester.probe_ps = 800 * US;
    EXPECT(&evidence, NETWORK, DELAY);
    evidence.clock_ps = 395 * US; /* It may be no longer at all. */
    EXPECT(&evidence, SENDER, IDLE_LINK);
    evidence.clock_ps = 0;
    evidence.requester.probe_ps = 400 * US; /* Too little: 429 of 989 us. */
    EXPECT(&evidence, SENDER, IDLE_LINK);
}

static void
test_a_delay_in_one_direction_only_is_of_the_sender(void **state)
{
    struct estats_evidence evidence = slow();

    (void)state;
    evidence.requester.probe_ps = 900 * US;
    evidence.responder.probe_ps = 10 * US;
    EXPECT(&evidence, SENDER, IDLE_LINK);
    evidence.responder.probe_ps = 950 * US;
    EXPECT(&evidence, NETWORK, DELAY);
    evidence.requester.asked_ps = 2 * MS / 10; /* Its own PCIe is late. */
    EXPECT(&evidence, SENDER, OWN_PCIE);
}

static void
test_the_sender_is_left(void **state)
{
    struct estats_evidence evidence = slow();

    (void)state;
    EXPECT(&evidence, SENDER, IDLE_LINK);
    evidence.requester.sent_ps = 95 * MS / 10;
    EXPECT(&evidence, SENDER, FULL_LINK);
}

static void
test_cnps_explain_what_follows(void **state)
{
    struct estats_cnps cnps = {0};
    struct estats_evidence evidence = slow();

    (void)state;
    evidence.interval_ps = 2 * MS;
    evidence.cnps = 1;
    estats_explain_cnps(&cnps, &evidence);
    assert_int_equal(evidence.cnp_ps, 2 * MS);
    assert_false(evidence.cnps_are_of_receiver);
    evidence.cnps = 0;
    estats_explain_cnps(&cnps, &evidence);
    estats_explain_cnps(&cnps, &evidence);
    assert_int_equal(evidence.cnp_ps, 2 * MS);
    estats_explain_cnps(&cnps, &evidence);
    assert_int_equal(evidence.cnp_ps, 1 * MS);
    estats_explain_cnps(&cnps, &evidence);
    assert_int_equal(evidence.cnp_ps, 0);
    /* Of a receiver that asked for pauses. */
    evidence.cnps = 3;
    evidence.responder.asked_ps = MS / 10;
    estats_explain_cnps(&cnps, &evidence);
    evidence.cnps = 0;
    evidence.responder.asked_ps = 0;
    estats_explain_cnps(&cnps, &evidence);
    assert_true(evidence.cnps_are_of_receiver);
    evidence.interval_ps = 10 * MS;
    evidence.cnp_ps = 6 * MS;
    EXPECT(&evidence, RECEIVER, RECOVERY);
    evidence.cnps_are_of_receiver = false;
    EXPECT(&evidence, NETWORK, CONGESTION);
}

static void
test_intervals_are_weighted(void **state)
{
    const struct estats_finding none = {.parts_ps = {10, 1, 0, 0}};
    const struct estats_finding sender = {.side = ESTATS_SIDE_SENDER,
                                          .reason = ESTATS_REASON_POST,
                                          .parts_ps = {10, 90, 0, 0}};
    const struct estats_finding network = {.side = ESTATS_SIDE_NETWORK,
                                           .reason = ESTATS_REASON_LOSS,
                                           .parts_ps = {10, 0, 50, 0}};
    struct estats_summary summary = {0};
    struct estats_finding all;

    (void)state;
    estats_summary_get(&summary, &all);
    assert_int_equal(all.side, ESTATS_SIDE_NONE);
    estats_summary_add(&summary, &none, 100);
    estats_summary_get(&summary, &all);
    assert_int_equal(all.side, ESTATS_SIDE_NONE);
    estats_summary_add(&summary, &sender, 1);
    estats_summary_add(&summary, &network, 1);
    estats_summary_get(&summary, &all);
    assert_int_equal(all.side, ESTATS_SIDE_SENDER);
    estats_summary_add(&summary, &network, 1); /* 100 in two intervals. */
    estats_summary_get(&summary, &all);
    assert_int_equal(all.side, ESTATS_SIDE_NETWORK);
    estats_summary_add(&summary, &sender, 1);
    estats_summary_get(&summary, &all);
    assert_int_equal(all.side, ESTATS_SIDE_SENDER);
    assert_int_equal(all.reason, ESTATS_REASON_POST);
    estats_summary_add(&summary, &network, 97);
    estats_summary_get(&summary, &all);
    assert_int_equal(all.side, ESTATS_SIDE_NETWORK);
    assert_int_equal(all.reason, ESTATS_REASON_LOSS);
    assert_int_equal(all.parts_ps[ESTATS_SIDE_NETWORK], 99 * 50 / 201);
    assert_int_equal(all.parts_ps[ESTATS_SIDE_NONE], 10);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_converted_time_is_within_its_bound),
        cmocka_unit_test(test_a_clock_drifts_and_has_ticks),
        cmocka_unit_test(test_the_second_read_removes_the_drift),
        cmocka_unit_test(test_groups_are_separate_sorted_and_merge),
        cmocka_unit_test(test_the_ideal_has_base_and_backlog),
        cmocka_unit_test(test_a_requester_is_the_sender_unless_it_reads),
        cmocka_unit_test(test_the_receiver_is_named_by_its_counters),
        cmocka_unit_test(test_the_network_is_named_by_its_traces),
        cmocka_unit_test(test_a_delay_in_one_direction_only_is_of_the_sender),
        cmocka_unit_test(test_the_sender_is_left),
        cmocka_unit_test(test_cnps_explain_what_follows),
        cmocka_unit_test(test_intervals_are_weighted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
