/* SPDX-License-Identifier: Apache-2.0 */

/* The analytic oracles, against numbers worked out by hand or stated in the
 * sources that their headers name. */

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/random.h"
#include "lab/oracle/buffer.h"
#include "lab/oracle/dcqcn_point.h"
#include "lab/oracle/delay.h"
#include "lab/oracle/fairness.h"
#include "lab/oracle/hashing.h"
#include "lab/oracle/marking.h"
#include "lab/oracle/retry.h"
#include "lab/oracle/transport.h"

#define G UINT64_C(1000000000)

static void
assert_near(double value, double wanted, double relative)
{
    if (fabs(value - wanted) > relative * fabs(wanted)) {
        fail_msg("%.10g, not %.10g", value, wanted);
    }
}

/* Three flows share link 0 of 9; one of them also passes link 1 of 1, so it has
 * 1 and the others 4 each. */
static void
test_max_min_gives_what_a_slow_flow_leaves(void **state)
{
    const uint32_t both[] = {0, 1}, one[] = {0};
    const struct fairness_flow flows[] = {
        {both, 2, INFINITY}, {one, 1, INFINITY}, {one, 1, INFINITY}};
    double rates[3];

    (void)state;
    fairness_max_min((const double[]){9, 1}, 2, flows, 3, rates);
    assert_near(rates[0], 1, 1e-12);
    assert_near(rates[1], 4, 1e-12);
    assert_near(rates[2], 4, 1e-12);
}

/* The parking lot of Bertsekas and Gallager: a flow over n links of capacity 1
 * and one more on each has 1/2 everywhere. */
static void
test_max_min_of_a_parking_lot(void **state)
{
    const uint32_t all[] = {0, 1, 2, 3};
    struct fairness_flow flows[5] = {{all, 4, INFINITY}};
    double rates[5];

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        flows[i + 1] = (struct fairness_flow){&all[i], 1, INFINITY};
    }
    fairness_max_min((const double[]){1, 1, 1, 1}, 4, flows, 5, rates);
    for (uint32_t i = 0; i < 5; i++) {
        assert_near(rates[i], 0.5, 1e-12);
    }
}

static void
test_max_min_obeys_caps(void **state)
{
    const uint32_t one[] = {0};
    const struct fairness_flow flows[] = {
        {one, 1, 2}, {one, 1, INFINITY}, {one, 1, 3.5}, {NULL, 0, 7}};
    double rates[4];

    (void)state;
    fairness_max_min((const double[]){10}, 1, flows, 4, rates);
    assert_near(rates[0], 2, 1e-12);
    assert_near(rates[1], 4.5, 1e-12);
    assert_near(rates[2], 3.5, 1e-12);
    assert_near(rates[3], 7, 1e-12);
}

static void
test_max_min_of_a_dead_link_is_zero(void **state)
{
    const uint32_t both[] = {0, 1}, one[] = {1};
    const struct fairness_flow flows[] = {{both, 2, INFINITY},
                                          {one, 1, INFINITY}};
    double rates[2];

    (void)state;
    fairness_max_min((const double[]){0, 5}, 2, flows, 2, rates);
    assert_true(rates[0] == 0);
    assert_near(rates[1], 5, 1e-12);
}

enum { N_LINKS = 12, N_FLOWS = 40 };

/* The defining property: each flow is at its cap, or passes a full link on
 * which no other flow has more. */
static void
check_max_min(const double *capacities, const struct fairness_flow *flows,
              const double *rates)
{
    double used[N_LINKS] = {0}, most[N_LINKS] = {0};

    for (int i = 0; i < N_FLOWS; i++) {
        for (uint32_t k = 0; k < flows[i].n_links; k++) {
            used[flows[i].links[k]] += rates[i];
            most[flows[i].links[k]] = fmax(most[flows[i].links[k]], rates[i]);
        }
    }
    for (int i = 0; i < N_LINKS; i++) {
        assert_true(used[i] <= capacities[i] * (1 + 1e-9));
    }
    for (int i = 0; i < N_FLOWS; i++) {
        int limited = rates[i] >= flows[i].cap * (1 - 1e-9);

        for (uint32_t k = 0; k < flows[i].n_links; k++) {
            const uint32_t link = flows[i].links[k];

            limited |= used[link] >= capacities[link] * (1 - 1e-9) &&
                       rates[i] >= most[link] * (1 - 1e-9);
        }
        assert_true(limited);
    }
}

static void
test_max_min_has_its_defining_property(void **state)
{
    struct random random;

    (void)state;
    random_init(&random, 7);
    for (int round = 0; round < 200; round++) {
        uint32_t links[N_FLOWS][3];
        struct fairness_flow flows[N_FLOWS];
        double capacities[N_LINKS], rates[N_FLOWS];

        for (int i = 0; i < N_LINKS; i++) {
            capacities[i] = (double)random_below(&random, 100) + 1;
        }
        for (int i = 0; i < N_FLOWS; i++) {
            for (uint32_t k = 0; k < 3; k++) {
                links[i][k] = 4 * k + (uint32_t)random_below(&random, 4);
            }
            flows[i] = (struct fairness_flow){
                links[i], 1 + (uint32_t)random_below(&random, 3),
                random_below(&random, 3) ? INFINITY
                                         : (double)random_below(&random, 20)};
        }
        fairness_max_min(capacities, N_LINKS, flows, N_FLOWS, rates);
        check_max_min(capacities, flows, rates);
    }
}

static void
test_jain(void **state)
{
    (void)state;
    assert_near(fairness_jain((const double[]){3, 3, 3}, 3), 1, 1e-12);
    assert_near(fairness_jain((const double[]){5, 0, 0, 0}, 4), 0.25, 1e-12);
    /* (1+2+3)^2 / (3 * 14) */
    assert_near(fairness_jain((const double[]){1, 2, 3}, 3), 36.0 / 42, 1e-12);
    assert_near(fairness_jain(NULL, 0), 1, 0);
}

/* A byte at 100G takes 80 ps, at 800G 10 ps: 1106 bytes 88.48 ns and 11.06 ns.
 */
static void
test_sending_takes_exact_times(void **state)
{
    (void)state;
    assert_int_equal(delay_send_ps(1106, 100 * G), 88480);
    assert_int_equal(delay_send_ps(1106, 800 * G), 11060);
    assert_int_equal(delay_send_ps(1106, 40 * G), 221200);
    assert_int_equal(delay_send_ps(1, 3), 2666666666667);
}

/* Host, 3 m, T0, 20 m, T1, 20 m, T0, 3 m, host at 40G; 500 ns in each switch:
 * 4 * 221.2 ns + 46 m * 5 ns + 3 * 500 ns. */
static void
test_path_adds_up(void **state)
{
    const struct delay_hop hops[] = {{40 * G, 3000, 500000},
                                     {40 * G, 20000, 500000},
                                     {40 * G, 20000, 500000},
                                     {40 * G, 3000, 0}};
    const int64_t there = 4 * 221200 + 46 * 5000 + 3 * 500000;
    /* An ACK of 66 bytes and preamble and gap: 86 * 200 ps. */
    const int64_t back = 4 * 17200 + 46 * 5000 + 3 * 500000;

    (void)state;
    assert_int_equal(delay_path_ps(hops, 4, 1106), there);
    assert_int_equal(delay_round_trip_ps(hops, 4, 1106, 86, 12345),
                     there + back + 12345);
}

/* Ten packets over 100G then 40G: the first takes both, nine more follow at the
 * rate of the slow link. */
static void
test_train_is_paced_by_the_slowest_link(void **state)
{
    const struct delay_hop hops[] = {
        {100 * G, 1000, 0}, {40 * G, 1000, 0}, {1 * G, 1000, 0}};

    (void)state;
    assert_int_equal(delay_train_ps(hops, 2, 10, 1000),
                     80000 + 5000 + 200000 + 5000 + 9 * 200000);
    assert_int_equal(delay_train_ps(hops, 2, 0, 1000), 0);
}

/* LAB 2.11: 65535 quanta are 839, 336 and 84 us at 40, 100 and 400G. */
static void
test_pause_quanta(void **state)
{
    (void)state;
    assert_int_equal(delay_pause_ps(65535, 40 * G), 838848000);
    assert_int_equal(delay_pause_ps(65535, 100 * G), 335539200);
    assert_int_equal(delay_pause_ps(65535, 400 * G), 83884800);
    assert_int_equal(delay_pause_ps(0, 40 * G), 0);
}

/* A PG with alpha 1 on TH pauses at floor(13071 / 2) =
 * 6535 cells used, one less than the u* of a charge-first chip. */
static void
test_pfc_point(void **state)
{
    (void)state;
    assert_int_equal(buffer_pg_point(13071, 1, (struct buffer_alpha){1, 1}),
                     6535);
    /* N = 4, alpha 1/8: each S / 12, together S / 3. */
    assert_int_equal(buffer_pg_point(12000, 4, (struct buffer_alpha){1, 8}),
                     1000);
    assert_int_equal(buffer_pfc_point(12000, 4, (struct buffer_alpha){1, 8}),
                     4000);
    /* alpha 8, N = 2: 16/17 S. */
    assert_int_equal(buffer_pfc_point(17000, 2, (struct buffer_alpha){8, 1}),
                     16000);
}

static void
test_what_fires_first(void **state)
{
    const struct buffer_alpha eighth = {1, 8};

    (void)state;
    /* The PFC point is 4000. */
    assert_int_equal(buffer_first(12000, 4, eighth, 4000, 8000),
                     BUFFER_PFC_FIRST);
    assert_int_equal(buffer_first(12000, 4, eighth, 3999, 4000),
                     BUFFER_ECN_FIRST);
    assert_int_equal(buffer_first(12000, 4, eighth, 1000, 3999),
                     BUFFER_ECN_FULLY_FIRST);
}

/* Row A21: 100 ports with 2 priorities need 1.25 GB at 100G over 50 km and 5 GB
 * at 400G. */
static void
test_long_links_need_gigabytes(void **state)
{
    (void)state;
    assert_int_equal(buffer_in_flight_bytes(100 * G, 50 * UINT64_C(1000000)) *
                         200,
                     1250000000);
    assert_int_equal(buffer_in_flight_bytes(400 * G, 50 * UINT64_C(1000000)) *
                         200,
                     5000000000);
}

/* 100 m at 100G: 12,500 bytes in flight; a response of 1 us 12,500 more; with
 * frames of 1000 and a pause frame of 84 bytes. */
static void
test_headroom_adds_up(void **state)
{
    const struct buffer_link link = {.rate_bps = 100 * G,
                                     .length_mm = 100000,
                                     .response_ps = 1000000,
                                     .pause_bytes = 84,
                                     .own_bytes = 1000,
                                     .peer_bytes = 1000};

    (void)state;
    assert_int_equal(buffer_headroom_bytes(&link), 12500 + 12500 + 2084);
    /* 1 mm at 100G is 10 ps in both directions, an eighth of a byte. */
    assert_int_equal(buffer_in_flight_bytes(100 * G, 1), 1);
    assert_int_equal(buffer_in_flight_bytes(100 * G, 8), 1);
    assert_int_equal(buffer_in_flight_bytes(100 * G, 9), 2);
    assert_int_equal(buffer_in_flight_bytes(100 * G, 0), 0);
}

static void
test_goodput_under_loss(void **state)
{
    (void)state;
    /* Row C5: p = 1/256, 4 MB messages of 1024 bytes: go-back-0 is dead,
     * go-back-N with W = 100 has 71.9 %, selective repetition 99.6 %. */
    assert_true(transport_go_back_0(1 / 256.0, 4096) < 1.2e-7);
    /* Messages of one packet: each loss costs W and is sent again. */
    assert_near(transport_go_back_0_goodput(0.2, 1, 3, 0, 40e9, 8000),
                1 / (1 + 0.25 * 3), 1e-12);
    /* Of two: 1/4 succeed; the first lost is packet 1 in 2 of 3 failures. */
    assert_near(transport_go_back_0_goodput(0.5, 2, 5, 0, 40e9, 8000),
                2 / (2 + 3 * (1 / 3.0 + 5)), 1e-12);
    /* 0.2 us of silence are a packet of 1,000 bytes at 40G. */
    assert_near(transport_go_back_0_goodput(0.5, 2, 5, 2e5, 40e9, 8000),
                2 / (2 + 3 * (1 / 3.0 + 6)), 1e-12);
    assert_true(transport_go_back_0_goodput(1 / 256.0, 4096, 100, 0, 40e9,
                                            8000) < 0.001);
    assert_near(transport_go_back_n(1 / 256.0, 100, 0, 40e9, 8000), 256.0 / 356,
                1e-12);
    assert_near(transport_selective(1 / 256.0), 0.99609375, 1e-12);
    /* 300 us of silence at 40G and 1000 bytes: 1500 packets. */
    assert_near(transport_go_back_n(1e-3, 0, 300e6, 40e9, 8000), 1 / 2.5,
                1e-12);
}

static void
test_incast_and_fence(void **state)
{
    (void)state;
    /* Row D9: 48 flows of 2 MB into 100G take 7.68 ms. */
    assert_near(transport_incast_ps(48, 2e6, 100e9), 7.68e9, 1e-12);
    /* Row A36: 64,000 bytes for each RTT of 2 ms are 0.256 Gb/s. */
    assert_near(transport_serial_bps(64000, 2e9, 0), 0.256e9, 1e-12);
    assert_near(transport_serial_bps(64000, 90e6, 10e6), 5.12e9, 1e-12);
}

/* Two balls in two bins: the largest load is 1 or 2 with 1/2 each.  Three balls
 * in three bins: 6 of 27 ways have load 1, 18 load 2, 3 load 3. */
static void
test_small_bins_are_exact(void **state)
{
    (void)state;
    assert_near(hashing_max_load_cdf(2, 2, 1), 0.5, 1e-12);
    assert_near(hashing_expected_max(2, 2), 1.5, 1e-12);
    assert_near(hashing_max_load_cdf(3, 3, 1), 6 / 27.0, 1e-12);
    assert_near(hashing_max_load_cdf(3, 3, 2), 24 / 27.0, 1e-12);
    assert_near(hashing_expected_max(3, 3), (6 + 36 + 9) / 27.0, 1e-12);
    assert_true(hashing_max_load_cdf(5, 2, 2) == 0);
    assert_true(hashing_max_load_cdf(5, 2, 5) == 1);
    assert_true(hashing_expected_max(0, 4) == 0);
    assert_near(hashing_expected_max(9, 1), 9, 1e-12);
}

/* As many balls as bins: 1 - 1/e of the bins are used. */
static void
test_used_bins(void **state)
{
    (void)state;
    assert_near(hashing_expected_used(2, 2), 1.5, 1e-12);
    assert_near(hashing_expected_used(100000, 100000) / 100000, 1 - exp(-1),
                1e-5);
}

/* The exact expectation agrees with an experiment. */
static void
test_largest_load_agrees_with_sampling(void **state)
{
    enum { BALLS = 256, BINS = 64, ROUNDS = 4000 };
    struct random random;
    double sum = 0;

    (void)state;
    random_init(&random, 3);
    for (int round = 0; round < ROUNDS; round++) {
        unsigned int bins[BINS] = {0}, most = 0;

        for (int i = 0; i < BALLS; i++) {
            unsigned int load = ++bins[random_below(&random, BINS)];

            most = load > most ? load : most;
        }
        sum += most;
    }
    assert_near(hashing_expected_max(BALLS, BINS), sum / ROUNDS, 0.01);
}

/* Row B7: the same seed on two tiers, 4 uplinks then 16 spines: 4 of 16. */
static void
test_equal_hashes_polarize(void **state)
{
    (void)state;
    assert_int_equal(hashing_polarized_used(4, 16), 4);
    assert_int_equal(hashing_polarized_used(3, 16), 16);
    assert_int_equal(hashing_polarized_used(16, 4), 1);
}

/* LAB 2.11: 40G, constants of the paper: p* = 0.78 % for N = 10, and above Pmax
 * from N = 12 on. */
static void
test_dcqcn_settles_where_the_paper_says(void **state)
{
    struct dcqcn_link link = {.rate_bps = 40e9,
                              .packet_bytes = 1000,
                              .n = 10,
                              .additive_bps = 40e6,
                              .alpha_period_s = 55e-6,
                              .timer_s = 55e-6,
                              .byte_counter = 10e6,
                              .kmin_bytes = 5e3,
                              .kmax_bytes = 200e3,
                              .pmax = 0.01};
    struct dcqcn_point point;

    (void)state;
    dcqcn_point_solve(&link, &point);
    assert_near(point.p, 0.00785, 0.002);
    assert_false(point.at_kmax);
    assert_near(point.queue_bytes, 5e3 + 0.785 * 195e3, 0.002);
    assert_near(point.rate_bps, 4e9, 1e-12);
    link.n = 11;
    dcqcn_point_solve(&link, &point);
    assert_false(point.at_kmax);
    link.n = 12;
    dcqcn_point_solve(&link, &point);
    assert_true(point.at_kmax);
    assert_near(point.queue_bytes, 200e3, 1e-12);
}

/* Two streams at the speed of the link, a frame of 1,000 bytes in 100 ns: with
 * each pair one more frame stays.  The second frame of pair k (from 0) finds k
 * frames, without the one that is being sent. */
static void
test_first_mark(void **state)
{
    struct marking_queue queue = {.n = 2,
                                  .first_ps = 50000,
                                  .in_ps = 100000,
                                  .out_ps = 100000,
                                  .frame_bytes = 1000,
                                  .kmin_bytes = 5000,
                                  .kmax_bytes = 5000,
                                  .pmax = 1,
                                  .until_ps = INFINITY};

    (void)state;
    /* More than five are found by the second frame of pair 6. */
    assert_near(marking_first_ps(&queue), 50000 + 6 * 100000, 1e-12);
    /* Between two pairs a frame leaves, before the next arrive: the first of
     * pair k leaves k - 1 behind, when pair k has not arrived. */
    queue.at_departure = true;
    assert_near(marking_first_ps(&queue), 50000 + 7 * 100000, 1e-12);
    queue.at_departure = false;
    /* Not before what stops the streams. */
    queue.until_ps = 50000 + 6 * 100000;
    assert_true(marking_first_ps(&queue) > 1e30);
    queue.until_ps = 50000 + 6 * 100000 + 1;
    assert_true(marking_first_ps(&queue) < 1e30);
    queue.until_ps = INFINITY;
    /* Half of the frames that find 6,000 bytes, all that find more: the first
     * of pair 7 finds 6,000 as well, so it has 1/4, the second the rest. */
    queue.kmax_bytes = 6000;
    queue.pmax = 0.5;
    assert_near(marking_first_ps(&queue),
                50000 + (6 * 0.5 + 7 * 0.25 + 7 * 0.25) * 100000, 1e-12);
    /* A queue that does not grow. */
    queue.n = 1;
    assert_true(marking_first_ps(&queue) > 1e30);
    queue.n = 2;
    queue.out_ps = 50000;
    assert_true(marking_first_ps(&queue) > 1e30);
}

/* LLR: without errors a frame per T, with a small window N per round trip, and
 * an error costs the frames of a round trip. */
static void
test_retry(void **state)
{
    struct retry_link link = {.rate_bps = 100e9,
                              .delay_ps = 100000,
                              .frame_bytes = 1226, /* T = 100 ns. */
                              .window_frames = 1000,
                              .timer_ps = 1e6,
                              .spacing_bytes = 2048};
    const double bad = -expm1(1238 * 8 * log1p(-1e-7));

    (void)state;
    assert_near(retry_frames_per_second(&link), 1e7, 1e-12);
    link.ber = 1e-7;
    /* R = 300.64 ns: four frames, 400 ns. */
    assert_near(1e9 / retry_frames_per_second(&link), 100 + bad * 400, 1e-4);
    link.ber = 0;
    link.window_frames = 2;
    assert_near(1e9 / retry_frames_per_second(&link), (300.64 + 163.84 / 2) / 2,
                1e-9);
    link.window_frames = 0;
    assert_true(retry_frames_per_second(&link) == 0);
    assert_true(retry_window_frames(9219, 9216, 1500) == 0);
    assert_true(retry_window_frames(9220, 9216, 1500) == 1);
    assert_true(retry_window_frames(9220 + 1504, 9216, 1500) == 2);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_first_mark),
        cmocka_unit_test(test_retry),
        cmocka_unit_test(test_max_min_gives_what_a_slow_flow_leaves),
        cmocka_unit_test(test_max_min_of_a_parking_lot),
        cmocka_unit_test(test_max_min_obeys_caps),
        cmocka_unit_test(test_max_min_of_a_dead_link_is_zero),
        cmocka_unit_test(test_max_min_has_its_defining_property),
        cmocka_unit_test(test_jain),
        cmocka_unit_test(test_sending_takes_exact_times),
        cmocka_unit_test(test_path_adds_up),
        cmocka_unit_test(test_train_is_paced_by_the_slowest_link),
        cmocka_unit_test(test_pause_quanta),
        cmocka_unit_test(test_pfc_point),
        cmocka_unit_test(test_what_fires_first),
        cmocka_unit_test(test_long_links_need_gigabytes),
        cmocka_unit_test(test_headroom_adds_up),
        cmocka_unit_test(test_goodput_under_loss),
        cmocka_unit_test(test_incast_and_fence),
        cmocka_unit_test(test_small_bins_are_exact),
        cmocka_unit_test(test_used_bins),
        cmocka_unit_test(test_largest_load_agrees_with_sampling),
        cmocka_unit_test(test_equal_hashes_polarize),
        cmocka_unit_test(test_dcqcn_settles_where_the_paper_says),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
