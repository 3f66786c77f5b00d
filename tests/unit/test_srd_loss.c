/* SPDX-License-Identifier: Apache-2.0 */

/* What an SRD context repeats, and when: timeouts, dead paths, later ACKs, and
 * ACKs of other attempts. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/srd_bench.h"

static void
test_timeouts_double(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packet;
    struct srd_actions actions;
    int64_t now_ps = 0;

    (void)state;
    bench.config.dead_ps = 1000 * MS;
    begin(&bench);
    post(&bench, 1);
    assert_int_equal(srd_deadline_ps(bench.srd), INT64_MAX);
    for (uint32_t i = 0; i < 8; i++) {
        const int64_t rto_ps = MS << (i < 6 ? i : 6);
        uint32_t path;

        packet = send(&bench, now_ps);
        path = packet.path;
        assert_int_equal(packet.attempt, i + 1);
        assert_int_equal(srd_deadline_ps(bench.srd), now_ps + rto_ps);
        srd_timeout(bench.srd, now_ps + rto_ps - 1, &actions);
        assert_false(actions.send);
        now_ps += rto_ps;
        srd_timeout(bench.srd, now_ps, &actions);
        assert_true(actions.send);
        assert_int_equal(srd_path(bench.srd, path).state, SRD_PATH_DEAD);
    }
    assert_int_equal(srd_counters(bench.srd)->timeouts, 8);
    packet = send(&bench, now_ps);
    acknowledge(&bench, &packet, now_ps + 20 * US);
    /* With a sample: at least 100 us, without back-off. */
    post(&bench, 1);
    now_ps += MS;
    (void)send(&bench, now_ps);
    assert_int_equal(srd_deadline_ps(bench.srd), now_ps + 100 * US);
    srd_destroy(bench.srd);
}

/* Sends a packet at 'now_ps' that is acknowledged after 'rtt_ps'; nothing else
 * is in flight, so its RTO is 'rto_ps'. */
static void
sample(struct bench *bench, int64_t now_ps, int64_t rto_ps, int64_t rtt_ps)
{
    struct srd_packet packet;

    post(bench, 1);
    packet = send(bench, now_ps);
    assert_int_equal(srd_deadline_ps(bench->srd), now_ps + rto_ps);
    acknowledge(bench, &packet, now_ps + rtt_ps);
    assert_int_equal(srd_deadline_ps(bench->srd), INT64_MAX);
}

static void
test_the_rto_has_four_variations(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packet;
    struct srd_actions actions;

    (void)state;
    bench.config.choice = SRD_SINGLE;
    begin(&bench);
    sample(&bench, 0, MS, 160 * US);
    /* The first sample: its half is the variation.  160 + 4 * 80. */
    sample(&bench, 1 * MS, 480 * US, 240 * US);
    /* 7/8 * 160 + 1/8 * 240 = 170, and 3/4 * 80 + 1/4 * 80 = 80. */
    sample(&bench, 2 * MS, (170 + 4 * 80) * US, 10 * US);
    /* 7/8 * 170 + 1/8 * 10 = 150, and 3/4 * 80 + 1/4 * 160 = 100. */
    post(&bench, 1);
    packet = send(&bench, 3 * MS);
    assert_int_equal(srd_deadline_ps(bench.srd), 3 * MS + 550 * US);
    srd_timeout(bench.srd, 3 * MS + 550 * US - 1, &actions);
    assert_int_equal(srd_counters(bench.srd)->timeouts, 0);
    srd_timeout(bench.srd, 3 * MS + 550 * US, &actions);
    assert_int_equal(srd_counters(bench.srd)->timeouts, 1);
    assert_int_equal(send(&bench, 4 * MS).sequence, packet.sequence);
    srd_destroy(bench.srd);

    /* A path without a sample has that of the context. */
    bench.config.choice = SRD_RANDOM;
    begin(&bench);
    sample(&bench, 0, MS, 160 * US);
    post(&bench, 1);
    packet = send(&bench, MS);
    assert_int_equal(srd_path(bench.srd, packet.path).srtt_ps, 0);
    assert_int_equal(srd_deadline_ps(bench.srd), MS + 480 * US);
    srd_destroy(bench.srd);
}

/* A timer of a packet that has ended is none of those that are sent later: a
 * caller would be asked to set one in the past. */
static void
test_a_deadline_ends_with_its_packet(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet first;
    struct srd_actions actions;

    (void)state;
    bench.config.choice = SRD_SINGLE;
    begin(&bench);
    sample(&bench, 0, MS, 20 * US);
    /* Its deadline would have been 1 ms.  At least 100 us. */
    sample(&bench, 5 * MS, 100 * US, 20 * US);
    srd_destroy(bench.srd);

    /* With another one in flight: an early call finds the right time. */
    begin(&bench);
    post(&bench, 2);
    first = send(&bench, 0);
    (void)send(&bench, 500 * US);
    acknowledge(&bench, &first, 600 * US);
    assert_in_range(srd_deadline_ps(bench.srd), 600 * US, 2300 * US);
    srd_timeout(bench.srd, srd_deadline_ps(bench.srd), &actions);
    assert_int_equal(srd_deadline_ps(bench.srd), (500 + 600 + 4 * 300) * US);
    assert_int_equal(srd_counters(bench.srd)->timeouts, 0);
    srd_timeout(bench.srd, 2300 * US, &actions);
    assert_int_equal(srd_counters(bench.srd)->timeouts, 1);
    srd_destroy(bench.srd);
}

/* However short the time of a dead path is. */
static void
test_probes_do_not_keep_packets_waiting(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_actions actions;
    struct srd_packet packet;
    uint32_t n_data = 0;

    (void)state;
    bench.config.n_paths = bench.config.n_entropies = 4;
    bench.config.dead_ps = US;
    begin(&bench);
    post(&bench, 8);
    for (uint32_t i = 0; i < 8; i++) {
        (void)send(&bench, 0);
    }
    srd_timeout(bench.srd, 100 * MS, &actions);
    assert_true(srd_path(bench.srd, 0).state == SRD_PATH_DEAD);
    for (int64_t now_ps = 101 * MS; n_data < 8; now_ps += 2 * US) {
        assert_true(now_ps < 102 * MS);
        assert_true(srd_next(bench.srd, now_ps, &packet));
        n_data += packet.kind == SRD_DATA;
    }
    srd_destroy(bench.srd);
}

static void
test_all_on_a_dead_path_is_sent_elsewhere(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packets[10];
    struct srd_actions actions;
    uint32_t on_first = 0;

    (void)state;
    bench.config.n_paths = bench.config.n_entropies = 2;
    begin(&bench);
    post(&bench, 10);
    for (uint32_t i = 0; i < 10; i++) {
        packets[i] = send(&bench, i * US);
        on_first += packets[i].path == packets[0].path;
    }
    assert_in_range(on_first, 2, 9);
    for (uint32_t i = 0; i < 10; i++) {
        if (packets[i].path != packets[0].path) {
            acknowledge(&bench, &packets[i], 10 * US);
        }
    }
    srd_timeout(bench.srd, MS, &actions);
    for (uint32_t i = 0; i < on_first; i++) {
        const struct srd_packet again = send(&bench, MS);

        assert_int_equal(again.path, !packets[0].path);
        assert_int_equal(again.attempt, 2);
    }
    assert_false(srd_peek(bench.srd, MS));
    assert_int_equal(srd_counters(bench.srd)->retransmitted, on_first);
    /* A late acknowledgement shows that the path works. */
    acknowledge(&bench, &packets[0], MS + US);
    assert_int_equal(srd_path(bench.srd, packets[0].path).state,
                     SRD_PATH_AVOID);
    srd_destroy(bench.srd);
}

static void
test_three_later_acks_are_a_loss(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packets[5], again;

    (void)state;
    bench.config.choice = SRD_SINGLE;
    begin(&bench);
    post(&bench, 5);
    for (uint32_t i = 0; i < 5; i++) {
        packets[i] = send(&bench, i * US);
        assert_int_equal(packets[i].path, 0);
    }
    acknowledge(&bench, &packets[1], 20 * US);
    acknowledge(&bench, &packets[2], 20 * US);
    assert_false(srd_peek(bench.srd, 20 * US));
    acknowledge(&bench, &packets[4], 20 * US);
    again = send(&bench, 20 * US);
    assert_int_equal(again.sequence, packets[0].sequence);
    assert_false(srd_peek(bench.srd, 20 * US));
    assert_int_equal(srd_counters(bench.srd)->reordered, 1);
    srd_destroy(bench.srd);
}

/* Of two paths that are ok, the one that has lost a packet is the faster. */
static void
lose_and_repeat(struct bench *bench)
{
    struct srd_packet packets[10], again;
    uint32_t on_path[2] = {0};
    uint32_t worse, lost = 0;

    begin(bench);
    post(bench, 10);
    for (uint32_t i = 0; i < 10; i++) {
        packets[i] = send(bench, 0);
        on_path[packets[i].path]++;
    }
    worse = on_path[1] > on_path[0]; /* It has at least 5. */
    while (packets[lost].path != worse) {
        lost++;
    }
    for (uint32_t i = lost + 1; i < 10; i++) {
        if (packets[i].path == worse) {
            acknowledge(bench, &packets[i], 10 * US);
        }
    }
    for (uint32_t i = 0; i < 10; i++) {
        if (packets[i].path != worse) {
            acknowledge(bench, &packets[i], 11 * US);
        }
    }
    assert_int_equal(srd_counters(bench->srd)->reordered, 1);
    assert_int_equal(srd_path(bench->srd, 0).state, SRD_PATH_OK);
    assert_int_equal(srd_path(bench->srd, 1).state, SRD_PATH_OK);
    again = send(bench, 20 * US);
    assert_int_equal(again.sequence, packets[lost].sequence);
    assert_int_equal(again.attempt, 2);
    assert_int_equal(again.path, !worse);
    srd_destroy(bench->srd);
}

static void
test_what_is_lost_takes_another_path(void **state)
{
    struct bench bench = {.config = srd_config_default};

    (void)state;
    bench.config.n_paths = bench.config.n_entropies = 2;
    for (uint64_t seed = 0; seed < 32; seed++) {
        bench.seed = seed;
        bench.config.choice = SRD_STEERED;
        lose_and_repeat(&bench);
        bench.config.choice = SRD_RANDOM;
        lose_and_repeat(&bench);
    }
}

/* Gives 'bench' a packet whose first attempt, '*first', was late. */
static void
repeat(struct bench *bench, struct srd_packet *first)
{
    struct srd_actions actions;

    begin(bench);
    post(bench, 1);
    *first = send(bench, 0);
    srd_timeout(bench->srd, MS, &actions);
    assert_int_equal(send(bench, MS).attempt, 2);
}

static void
test_samples_are_of_the_present_attempt(void **state)
{
    struct bench bench = {.config = srd_config_default};

    (void)state;
    /* The second attempt takes another path, or the same one. */
    for (int choice = SRD_STEERED; choice <= SRD_SINGLE; choice++) {
        struct srd_packet first;
        struct srd_completion completion;

        bench.config.choice = (enum srd_choice)choice;
        repeat(&bench, &first);
        acknowledge(&bench, &first, MS + US);
        assert_int_equal(srd_srtt_ps(bench.srd), 0);
        assert_int_equal(srd_min_rtt_ps(bench.srd), 0);
        assert_true(srd_poll(bench.srd, &completion));
        assert_int_equal(completion.attempts, 2);
        assert_int_equal(completion.status, SRD_OK);
        assert_int_equal(srd_flight_bytes(bench.srd), 0);
        srd_destroy(bench.srd);
    }
}

/* From the 255th on, attempts have the same number. */
static void
test_samples_are_of_the_present_path(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet before, last;
    struct srd_actions actions;
    int64_t now_ps = 0;

    (void)state;
    begin(&bench);
    post(&bench, 1);
    last = send(&bench, 0);
    do {
        before = last;
        now_ps = srd_deadline_ps(bench.srd);
        srd_timeout(bench.srd, now_ps, &actions);
        do { /* Dead paths are probed meanwhile. */
            last = send(&bench, now_ps);
        } while (last.kind != SRD_DATA);
        assert_int_equal(last.attempt,
                         before.attempt < 255 ? before.attempt + 1 : 255);
    } while (before.attempt < 255);
    assert_int_not_equal(last.path, before.path);
    acknowledge(&bench, &before, now_ps + US);
    assert_int_equal(srd_srtt_ps(bench.srd), 0);
    assert_int_equal(srd_outstanding(bench.srd), 0);
    srd_destroy(bench.srd);
}

/* That the first attempt was dropped says nothing about the second. */
static void
test_a_refusal_is_of_the_present_attempt(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet ack;
    struct srd_actions actions;

    (void)state;
    bench.config.choice = SRD_SINGLE;
    repeat(&bench, &ack);
    ack.kind = SRD_ACK;
    ack.status = SRD_OUT_OF_ORDER;
    for (uint32_t attempt = 1; attempt <= 2; attempt++) {
        ack.attempt = (uint8_t)attempt;
        srd_receive(bench.srd, &ack, SRD_OK, MS + 10 * US, &actions);
        assert_int_equal(srd_counters(bench.srd)->refused, attempt == 2);
        assert_int_equal(srd_flight_bytes(bench.srd), attempt == 2 ? 0 : WIRE);
        assert_null(srd_check(bench.srd));
    }
    assert_int_equal(send(&bench, MS + 10 * US).attempt, 3);
    srd_destroy(bench.srd);
}

static void
test_senseless_acks_are_ignored(void **state)
{
    struct bench bench = {.config = srd_config_default};
    struct srd_packet packet, wrong;

    (void)state;
    begin(&bench);
    post(&bench, 2);
    packet = send(&bench, 0);
    wrong = packet;
    wrong.sequence++; /* It waits; it was not sent. */
    acknowledge(&bench, &wrong, US);
    wrong.sequence -= 2;
    acknowledge(&bench, &wrong, US);
    wrong = packet;
    wrong.path = SRD_MAX_PATHS;
    acknowledge(&bench, &wrong, US);
    assert_int_equal(srd_outstanding(bench.srd), 2);
    acknowledge(&bench, &packet, US);
    acknowledge(&bench, &packet, US);
    assert_int_equal(srd_outstanding(bench.srd), 1);
    srd_destroy(bench.srd);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_timeouts_double),
        cmocka_unit_test(test_the_rto_has_four_variations),
        cmocka_unit_test(test_a_deadline_ends_with_its_packet),
        cmocka_unit_test(test_probes_do_not_keep_packets_waiting),
        cmocka_unit_test(test_all_on_a_dead_path_is_sent_elsewhere),
        cmocka_unit_test(test_three_later_acks_are_a_loss),
        cmocka_unit_test(test_what_is_lost_takes_another_path),
        cmocka_unit_test(test_samples_are_of_the_present_attempt),
        cmocka_unit_test(test_samples_are_of_the_present_path),
        cmocka_unit_test(test_a_refusal_is_of_the_present_attempt),
        cmocka_unit_test(test_senseless_acks_are_ignored),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
