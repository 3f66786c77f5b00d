/* SPDX-License-Identifier: Apache-2.0 */

/* The rate and the flight of an SRD context, packet by packet. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/srd_bench.h"

/* Sends 'n' packets 'gap_ps' apart from 'at_ps' on, and acknowledges them after
 * 'rtt_ps', 'ack_gap_ps' apart. */
static void
exchange(struct bench *bench, uint32_t n, int64_t at_ps, int64_t gap_ps,
         int64_t rtt_ps, int64_t ack_gap_ps)
{
    struct srd_packet packets[64];

    post(bench, n + 1); /* It is never idle. */
    for (uint32_t i = 0; i < n; i++) {
        packets[i] = send(bench, at_ps + i * gap_ps);
    }
    for (uint32_t i = 0; i < n; i++) {
        acknowledge(bench, &packets[i], at_ps + rtt_ps + i * ack_gap_ps);
    }
}

static void
test_flight_starts_small_and_doubles(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packets[64];
    uint32_t n = 0;

    (void)state;
    begin(&bench);
    post(&bench, 64);
    while (srd_peek(bench.srd, 0)) {
        packets[n] = send(&bench, n * US);
        n++;
    }
    assert_int_equal(n, 10);
    assert_int_equal(srd_flight_bytes(bench.srd), 10 * WIRE);
    assert_int_equal(srd_outstanding(bench.srd), 64);
    assert_int_equal(srd_rate_bps(bench.srd), bench.config.line_bps);
    /* The round ends with an ACK that is an RTT after its first. */
    for (uint32_t i = 0; i < 10; i++) {
        acknowledge(&bench, &packets[i], 8 * US + i * US);
    }
    assert_int_equal(srd_min_rtt_ps(bench.srd), 8 * US);
    assert_int_equal(srd_srtt_ps(bench.srd), 8 * US);
    assert_int_equal(srd_counters(bench.srd)->rounds, 1);
    assert_int_equal(srd_counters(bench.srd)->congested, 0);
    /* 1.25 * 100 Gb/s * 8 us and two packets, which is less than twice. */
    assert_int_equal(srd_flight_limit_bytes(bench.srd), 125000 + 2 * WIRE);
    srd_destroy(bench.srd);
}

static void
test_slower_delivery_lowers_the_rate(void **state)
{
    struct bench bench = {.config = srd_config_default};
    const int64_t delivery_bps =
        INT64_C(8) * 9 * WIRE * 1000000 / 18; /* Per 18 us. */

    (void)state;
    bench.config.queue_ps = 1000 * US;
    begin(&bench);
    exchange(&bench, 10, 0, US, 10 * US, 2 * US);
    assert_int_equal(srd_counters(bench.srd)->congested, 1);
    assert_int_equal(srd_counters(bench.srd)->congested_by_rtt, 0);
    assert_int_equal(srd_delivery_bps(bench.srd), delivery_bps);
    assert_int_equal(srd_rate_bps(bench.srd),
                     delivery_bps - (delivery_bps >> 4));
    /* 10 us is the least; 1.25 of what is delivered in it, and two packets. */
    assert_in_range(srd_flight_limit_bytes(bench.srd), 57000 + 2 * WIRE - 600,
                    57000 + 2 * WIRE + 600);
    srd_destroy(bench.srd);
}

static void
test_delivery_above_the_rate_is_no_congestion(void **state)
{
    struct bench bench = {.config = srd_config_default};
    int64_t before_bps;

    (void)state;
    bench.config.queue_ps = 1000 * US;
    begin(&bench);
    exchange(&bench, 8, 0, US, 10 * US, 2 * US);
    before_bps = srd_rate_bps(bench.srd);
    /* R is 15/16 of a packet each 2 us: the second round is faster.  That it is
     * slower than it was sent does not count after start-up. */
    exchange(&bench, 8, 100 * US, US, 10 * US, 2080000);
    assert_int_equal(srd_counters(bench.srd)->rounds, 2);
    assert_int_equal(srd_counters(bench.srd)->congested, 1);
    /* A packet per smoothed RTT. */
    assert_int_equal(srd_rate_bps(bench.srd),
                     before_bps + INT64_C(8) * WIRE * 1000 * MS /
                                      srd_srtt_ps(bench.srd));
    srd_destroy(bench.srd);
}

/* A round with a delivery of 'percent' of R, as fast as it was sent. */
static void
deliver_percent(struct bench *bench, int64_t at_ps, int64_t percent)
{
    const int64_t bps = srd_rate_bps(bench->srd) * percent / 100;
    const int64_t gap_ps = INT64_C(8) * WIRE * 1000 * MS / bps;
    const uint64_t rounds = srd_counters(bench->srd)->rounds;

    exchange(bench, 8, at_ps, gap_ps, 10 * US, gap_ps);
    assert_int_equal(srd_counters(bench->srd)->rounds, rounds + 1);
}

static void
test_delivery_is_compared_with_95_percent_of_the_rate(void **state)
{
    static const struct {
        int64_t percents[2]; /* Of R, in the rounds after start-up. */
        bool is_congested;   /* The last one. */
    } cases[] = {
        {{96, 96}, false},
        {{94, 94}, true},
        {{94, 96}, false}, /* A single round is not exact. */
        {{96, 94}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct bench bench = {.config = srd_config_default};
        int64_t rate_bps;

        bench.config.queue_ps = 1000 * US;
        bench.config.increase_packets = 0;
        begin(&bench);
        /* Start-up ends with R at 15/16 of the delivery rate. */
        exchange(&bench, 8, 0, US, 10 * US, 2 * US);
        assert_int_equal(srd_counters(bench.srd)->congested, 1);
        rate_bps = srd_rate_bps(bench.srd);
        deliver_percent(&bench, 100 * US, cases[i].percents[0]);
        assert_int_equal(srd_counters(bench.srd)->congested, 1);
        deliver_percent(&bench, 200 * US, cases[i].percents[1]);
        assert_int_equal(srd_counters(bench.srd)->congested,
                         1 + cases[i].is_congested);
        assert_int_equal(srd_counters(bench.srd)->congested_by_rtt, 0);
        assert_int_equal(srd_rate_bps(bench.srd) < rate_bps,
                         cases[i].is_congested);
        srd_destroy(bench.srd);
    }
}

static void
test_start_up_compares_with_95_percent_of_sending(void **state)
{
    (void)state;
    for (int64_t extra_ps = 0; extra_ps <= 1; extra_ps++) {
        struct bench bench = {.config = srd_config_default};

        bench.config.queue_ps = 1000 * US;
        begin(&bench);
        /* R, the line rate, is 1.4 times what is sent, and does not count. */
        exchange(&bench, 8, 0, 950000, 5 * US, US + extra_ps);
        assert_int_equal(srd_counters(bench.srd)->rounds, 1);
        assert_int_equal(srd_counters(bench.srd)->congested, extra_ps);
        srd_destroy(bench.srd);
    }
}

static void
test_queues_on_most_paths_are_congestion(void **state)
{
    for (int64_t extra_us = 8; extra_us <= 9; extra_us++) {
        struct bench bench = {.config = srd_config_default};

        (void)state;
        bench.config.queue_ps = 8 * US;
        begin(&bench);
        exchange(&bench, 1, 0, 0, 5 * US, 0);
        exchange(&bench, 9, 50 * US, 2 * US, (5 + extra_us) * US, 2 * US);
        assert_int_equal(srd_counters(bench.srd)->congested_by_rtt,
                         extra_us > 8);
        srd_destroy(bench.srd);
    }
}

/* Single packets that wait in full queues, with long pauses between them: what
 * they deliver is no rate that the network would not exceed. */
static void
test_pauses_of_the_application_do_not_lower_the_rate(void **state)
{
    struct bench bench = {.config = srd_config_default};

    (void)state;
    begin(&bench);
    for (uint32_t i = 0; i < 9; i++) {
        struct srd_packet packet;

        post(&bench, 1);
        packet = send(&bench, i * MS);
        assert_false(srd_peek(bench.srd, i * MS));
        acknowledge(&bench, &packet, i * MS + (i ? 30 : 10) * US);
    }
    assert_int_equal(srd_counters(bench.srd)->rounds, 1);
    assert_int_equal(srd_counters(bench.srd)->congested_by_rtt, 1);
    assert_int_equal(srd_rate_bps(bench.srd), bench.config.line_bps);
    srd_destroy(bench.srd);
}

/* Datagrams of 1/8 of the MTU take 5 us, full ones 9: that is no queue. */
static void
test_short_packets_are_no_measure_of_long_ones(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packet;

    (void)state;
    begin(&bench);
    for (uint32_t i = 0; i < 2; i++) { /* Not one more byte is as short. */
        post_length(&bench, MTU / 8 + i);
        packet = send(&bench, i * 20 * US);
        acknowledge(&bench, &packet, i * 20 * US + (5 + 4 * i) * US);
    }
    exchange(&bench, 10, 50 * US, US, 9 * US, US);
    exchange(&bench, 3, 100 * US, US, 9 * US, US);
    assert_int_equal(srd_counters(bench.srd)->rounds, 1);
    assert_int_equal(srd_counters(bench.srd)->congested_by_rtt, 0);
    assert_int_equal(srd_min_rtt_ps(bench.srd), 5 * US);
    /* The flight is what the long ones need. */
    assert_int_equal(srd_flight_limit_bytes(bench.srd),
                     srd_delivery_bps(bench.srd) * 9 / 1000000 * 5 / 32 +
                         2 * WIRE);
    srd_destroy(bench.srd);
}

/* A long packet in 6 us shows that one of a short one, 9 us, was queueing. */
static void
test_long_packets_are_a_measure_of_short_ones(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packet;

    (void)state;
    bench.config.n_paths = 1;
    begin(&bench);
    for (uint32_t i = 0; i < 10; i++) {
        post_length(&bench, i ? 64 : MTU);
        post(&bench, 1);
        packet = send(&bench, i * 20 * US);
        acknowledge(&bench, &packet, i * 20 * US + (i ? 9 : 6) * US);
        packet = send(&bench, i * 20 * US + 10 * US);
        acknowledge(&bench, &packet, i * 20 * US + 16 * US);
    }
    assert_true(srd_counters(bench.srd)->rounds > 1);
    assert_int_equal(srd_min_rtt_ps(bench.srd), 6 * US);
    srd_destroy(bench.srd);
}

/* Sends all of 'n' datagrams, a us apart as far as the flight allows, from
 * 'at_ps' on; the first acknowledgement comes after 10 us, others a us later
 * each. */
static void
send_message(struct bench *bench, uint32_t n, int64_t at_ps)
{
    struct srd_packet packets[64];
    uint32_t n_sent = 0;

    post(bench, n);
    for (uint32_t i = 0; i < n + 10; i++) {
        const int64_t now_ps = at_ps + i * US;

        if (i >= 10) {
            acknowledge(bench, &packets[i - 10], now_ps);
        }
        if (n_sent < n && srd_peek(bench->srd, now_ps)) {
            packets[n_sent++] = send(bench, now_ps);
        }
    }
    assert_int_equal(n_sent, n);
    assert_int_equal(srd_outstanding(bench->srd), 0);
}

/* After the last acknowledgement of a message there is a pause, in the middle
 * of a round. */
static void
test_pauses_between_messages_do_not_lower_the_rate(void **state)
{
    (void)state;
    for (uint32_t n = 8; n < 48; n++) {
        struct bench bench = {.config = srd_config_default};

        bench.config.queue_ps = 1000 * US;
        bench.config.initial_packets = 64;
        begin(&bench);
        for (uint32_t k = 0; k < 5; k++) {
            send_message(&bench, n, k * MS);
        }
        assert_true(srd_rate_bps(bench.srd) > INT64_C(60000000000));
        assert_true(srd_counters(bench.srd)->rounds > 2);
        srd_destroy(bench.srd);
    }
}

static void
test_flight_is_limited(void **state)
{
    struct bench bench = {.config = srd_config_default};
    uint64_t limit;

    (void)state;
    begin(&bench);
    exchange(&bench, 10, 0, US, 10 * US, 2 * US);
    limit = srd_flight_limit_bytes(bench.srd);
    post(&bench, 100);
    while (srd_peek(bench.srd, 100 * US)) {
        (void)send(&bench, 100 * US);
    }
    assert_in_range(srd_flight_bytes(bench.srd), limit - WIRE + 1, limit);
    srd_destroy(bench.srd);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flight_starts_small_and_doubles),
        cmocka_unit_test(test_slower_delivery_lowers_the_rate),
        cmocka_unit_test(test_delivery_above_the_rate_is_no_congestion),
        cmocka_unit_test(test_delivery_is_compared_with_95_percent_of_the_rate),
        cmocka_unit_test(test_start_up_compares_with_95_percent_of_sending),
        cmocka_unit_test(test_queues_on_most_paths_are_congestion),
        cmocka_unit_test(test_pauses_of_the_application_do_not_lower_the_rate),
        cmocka_unit_test(test_short_packets_are_no_measure_of_long_ones),
        cmocka_unit_test(test_long_packets_are_a_measure_of_short_ones),
        cmocka_unit_test(test_pauses_between_messages_do_not_lower_the_rate),
        cmocka_unit_test(test_flight_is_limited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
