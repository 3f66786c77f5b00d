/* SPDX-License-Identifier: Apache-2.0 */

/* Link-level retry: what the two ends of a link do, counter by counter. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/picoseconds.h"
#include "tests/support/llr_pair.h"

enum { SPEED_MBPS = 100000, METRES = 20, SHORT = 60 };

#define US INT64_C(1000000)

/* A pair of ends with 'profile', at rest. */
static struct llr_pair *
make(struct llr_pair *pair, const struct llr_profile *profile)
{
    llr_pair_init(pair, SPEED_MBPS, METRES, profile);
    assert_int_equal(llr_tx_state(pair->llr, 0), LLR_TX_ADVANCE);
    assert_int_equal(llr_rx_state(pair->llr, 1), LLR_RX_SEND_ACKS);
    return pair;
}

static void
end(struct llr_pair *pair)
{
    assert_null(llr_pair_check(pair));
    llr_pair_fini(pair);
}

/* Strikes each 'every'th IP packet, or none. */
static void
strike(struct llr_pair *pair, struct link_fault fault)
{
    link_set_fault(pair->link, 0, &fault);
}

#define ALL UINT64_MAX /* Of 2^64: every frame. */

/* Strikes the one frame that starts after 'n' of 'length_bytes'. */
static void
strike_one(struct llr_pair *pair, uint64_t n, uint32_t length_bytes,
           struct link_fault fault)
{
    llr_pair_run(pair, (int64_t)n * frame_wire_ps(length_bytes, SPEED_MBPS) -
                           frame_wire_ps(length_bytes, SPEED_MBPS) / 2);
    strike(pair, fault);
    llr_pair_run(pair, frame_wire_ps(length_bytes, SPEED_MBPS));
    link_set_fault(pair->link, 0, NULL);
}

/* NEXTGEN, case 12. */
static void
test_frames_are_numbered_and_acknowledged(void **state)
{
    struct llr_pair pair;
    struct llr_stats tx, rx;
    struct llr_amounts amounts;

    (void)state;
    make(&pair, &llr_pair_profile);
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, 100 * US);
    tx = llr_pair_stats(&pair, 0);
    rx = llr_pair_stats(&pair, 1);
    assert_int_equal(tx.tx_ok, 1000);
    assert_int_equal(rx.rx_ok, 1000);
    assert_int_equal(rx.rx_expected_seq_good, 1000);
    assert_int_equal(pair.macs[1].received, 1000);
    /* 84,000 bytes of wire at a distance of 2048 bytes: 41 and the first. */
    assert_in_range(rx.tx_ack, 41, 43);
    assert_int_equal(tx.rx_ack, rx.tx_ack);
    assert_int_equal(rx.tx_nack, 0);
    assert_int_equal(tx.tx_replay, 0);
    llr_get_amounts(pair.llr, 0, &amounts);
    assert_int_equal(amounts.outstanding, 0);
    end(&pair);
}

/* Cases 13 and 14: a frame that is missing, and one that is damaged. */
static void
test_one_loss_costs_one_nack_and_one_replay(void **state)
{
    static const struct {
        struct link_fault fault;
        uint64_t missing, bad;
    } rows[] = {{{.loss = ALL}, 1, 0}, {{.loss = ALL, .corrupts = true}, 0, 1}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct llr_pair pair;
        struct llr_stats tx, rx;

        make(&pair, &llr_pair_profile);
        llr_pair_set(&pair, 0, false, false, &llr_pair_profile, 0);
        llr_pair_set(&pair, 0, true, true, &llr_pair_profile, 1);
        llr_pair_run(&pair, 20 * US);
        llr_clear_stats(pair.llr, 0);
        llr_pair_send(&pair, 0, 1000, SHORT);
        strike_one(&pair, 900, SHORT, rows[i].fault);
        llr_pair_run(&pair, 100 * US);
        tx = llr_pair_stats(&pair, 0);
        rx = llr_pair_stats(&pair, 1);
        assert_int_equal(rx.tx_nack, 1);
        assert_int_equal(tx.rx_nack, 1);
        assert_int_equal(rx.rx_missing_seq, rows[i].missing);
        assert_int_equal(rx.rx_expected_seq_bad, rows[i].bad);
        assert_int_equal(rx.rx_bad, rows[i].bad);
        assert_int_equal(rx.rx_expected_seq_good, 1000);
        assert_int_equal(rx.rx_replay, 1);
        assert_int_equal(tx.tx_replay, 1);
        assert_int_equal(rx.rx_duplicate_seq, 0);
        assert_int_equal(tx.tx_ok, rx.rx_ok + rows[i].missing + rows[i].bad);
        assert_int_equal(pair.macs[1].received, 1000);
        assert_int_equal(pair.macs[0].lost, 0);
        end(&pair);
    }
}

/* Case 15. */
static void
test_replays_without_progress_end(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;
    struct llr_amounts amounts;
    struct llr_stats tx, rx;

    (void)state;
    profile.max_replays = 3;
    profile.reinit = false;
    make(&pair, &profile);
    llr_mute(pair.llr, 1, true);
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, 1000 * US);
    tx = llr_pair_stats(&pair, 0);
    rx = llr_pair_stats(&pair, 1);
    assert_int_equal(tx.tx_ok, 4000);
    assert_int_equal(tx.tx_replay, 3);
    assert_int_equal(rx.rx_replay, 3);
    assert_int_equal(rx.rx_ok, 4000);
    assert_int_equal(rx.rx_duplicate_seq, 3000);
    assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_FLUSH);
    assert_int_equal(pair.macs[0].flushes, 1);
    llr_get_amounts(pair.llr, 0, &amounts);
    assert_int_equal(amounts.flushes, 1);
    /* All have come: nothing was lost. */
    assert_int_equal(pair.macs[0].lost, 0);
    /* Management can begin again. */
    profile.reinit = true;
    llr_mute(pair.llr, 1, false);
    llr_pair_set(&pair, 0, true, true, &profile, 0);
    llr_pair_run(&pair, 20 * US);
    assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_ADVANCE);
    end(&pair);
}

/* Case 16. */
static void
test_a_window_limits_what_is_outstanding(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;
    struct llr_stats rx;

    (void)state;
    profile.max_frames = 10;
    profile.max_replays = 3;
    profile.reinit = false;
    profile.in_flush = LLR_BLOCK;
    make(&pair, &profile);
    llr_mute(pair.llr, 1, true);
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, 1000 * US);
    rx = llr_pair_stats(&pair, 1);
    assert_int_equal(rx.rx_ok, 40);
    assert_int_equal(rx.rx_duplicate_seq, 30);
    assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_FLUSH);
    assert_int_equal(pair.macs[0].to_send, 990);
    end(&pair);
}

/* Case 17. */
static void
test_a_flush_leads_to_init(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;
    struct llr_stats tx, rx;

    (void)state;
    profile.max_replays = 3;
    profile.in_init = LLR_DISCARD;
    make(&pair, &profile);
    llr_mute(pair.llr, 1, true);
    llr_pair_send(&pair, 0, 100, SHORT);
    llr_pair_run(&pair, 1000 * US);
    tx = llr_pair_stats(&pair, 0);
    rx = llr_pair_stats(&pair, 1);
    assert_int_equal(rx.rx_ok, 400);
    assert_int_equal(rx.rx_expected_seq_good, 100);
    assert_int_equal(rx.rx_duplicate_seq, 300);
    assert_true(tx.tx_init > 0);
    assert_int_equal(rx.rx_init, tx.tx_init);
    assert_int_equal(rx.tx_init_echo, tx.tx_init);
    assert_int_equal(tx.rx_init_echo, tx.tx_init);
    llr_mute(pair.llr, 1, false);
    llr_clear_stats(pair.llr, 0);
    llr_clear_stats(pair.llr, 1);
    llr_pair_send(&pair, 0, 100, SHORT);
    llr_pair_run(&pair, 100 * US);
    assert_int_equal(llr_pair_stats(&pair, 0).tx_ok, 100);
    assert_int_equal(llr_pair_stats(&pair, 1).rx_ok, 100);
    assert_int_equal(pair.macs[1].received, 200);
    end(&pair);
}

/* Case 18. */
static void
test_poisoned_frames_are_not_asked_for_again(void **state)
{
    struct llr_pair pair;
    struct llr_stats tx, rx;

    (void)state;
    make(&pair, &llr_pair_profile);
    strike(&pair, (struct link_fault){.loss = ALL, .poisons = true});
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, 100 * US);
    tx = llr_pair_stats(&pair, 0);
    rx = llr_pair_stats(&pair, 1);
    assert_int_equal(tx.tx_poisoned, 1000);
    assert_int_equal(tx.tx_ok, 0);
    assert_int_equal(rx.rx_poisoned, 1000);
    assert_int_equal(rx.rx_expected_seq_poisoned, 1000);
    assert_int_equal(rx.tx_nack, 0);
    assert_int_equal(tx.tx_replay, 0);
    /* The MAC drops them for their FCS. */
    assert_int_equal(pair.macs[0].lost, 1000);
    assert_int_equal(pair.macs[0].why, LINK_LOSS_FCS);
    end(&pair);
}

/* A poisoned frame that is resent is still poisoned. */
static void
test_a_replay_keeps_poison(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;

    (void)state;
    make(&pair, &profile);
    llr_pair_send(&pair, 0, 20, SHORT);
    strike_one(&pair, 5, SHORT,
               (struct link_fault){.loss = ALL, .poisons = true});
    llr_mute(pair.llr, 1, true);
    llr_pair_run(&pair, 12 * US);
    llr_mute(pair.llr, 1, false);
    llr_pair_run(&pair, 100 * US);
    assert_true(llr_pair_stats(&pair, 0).tx_replay > 0);
    assert_int_equal(llr_pair_stats(&pair, 0).tx_poisoned,
                     llr_pair_stats(&pair, 1).rx_poisoned);
    assert_int_equal(llr_pair_stats(&pair, 1).rx_expected_seq_poisoned, 1);
    assert_int_equal(pair.macs[0].lost, 1);
    assert_int_equal(pair.macs[1].received, 19);
    end(&pair);
}

/* The three actions, while there is no peer. */
static void
test_frames_wait_pass_or_are_dropped_in_init(void **state)
{
    static const struct {
        enum llr_action action;
        uint64_t received, dropped, waiting;
    } rows[] = {{LLR_DISCARD, 0, 20, 0},
                {LLR_BLOCK, 0, 0, 20},
                {LLR_BEST_EFFORT, 20, 0, 0}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct llr_profile profile = llr_pair_profile;
        struct llr_pair pair;

        profile.in_init = rows[i].action;
        make(&pair, &profile);
        llr_pair_set(&pair, 1, true, false, &profile, 0);
        llr_pair_set(&pair, 0, false, true, &profile, 0);
        llr_pair_set(&pair, 0, true, true, &profile, 0);
        llr_pair_send(&pair, 0, 20, SHORT);
        llr_pair_run(&pair, 100 * US);
        assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_INIT);
        assert_int_equal(llr_rx_state(pair.llr, 1), LLR_RX_OFF);
        assert_int_equal(pair.macs[1].received, rows[i].received);
        assert_int_equal(pair.macs[0].lost, rows[i].dropped);
        assert_int_equal(llr_pair_stats(&pair, 0).tx_discard, rows[i].dropped);
        assert_int_equal(pair.macs[0].to_send, rows[i].waiting);
        assert_int_equal(llr_pair_stats(&pair, 0).tx_ok, 0);
        /* One INIT per period, and no answer. */
        assert_in_range(llr_pair_stats(&pair, 0).tx_init, 10, 13);
        assert_int_equal(llr_pair_stats(&pair, 1).tx_init_echo, 0);
        end(&pair);
    }
}

/* PFC has no number, is not delayed by a replay, and passes a full window. */
static void
test_pauses_pass(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;

    (void)state;
    profile.max_frames = 10;
    make(&pair, &profile);
    llr_mute(pair.llr, 1, true);
    llr_pair_pause(&pair, 0, 2);
    llr_pair_run(&pair, US);
    assert_int_equal(pair.macs[1].received_pauses, 2);
    assert_int_equal(llr_pair_stats(&pair, 0).tx_ok, 0);
    pair.macs[1].received_pauses = 0;
    llr_pair_send(&pair, 0, 20, 1500);
    llr_pair_run(&pair, 5 * US);
    assert_true(pair.macs[0].is_held);
    llr_pair_pause(&pair, 0, 3);
    llr_pair_run(&pair, US);
    assert_int_equal(pair.macs[1].received_pauses, 3);
    /* During the replay of 10 frames, which takes 1.2 us. */
    while (llr_tx_state(pair.llr, 0) != LLR_TX_REPLAY) {
        llr_pair_run(&pair, 1000);
    }
    llr_pair_pause(&pair, 0, 1);
    while (pair.macs[1].received_pauses < 4) {
        assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_REPLAY);
        llr_pair_run(&pair, 1000);
    }
    llr_mute(pair.llr, 1, false);
    llr_pair_run(&pair, 100 * US);
    assert_int_equal(pair.macs[1].received, 20);
    end(&pair);
}

/* The bytes of the profile are never exceeded. */
static void
test_bytes_limit_what_is_outstanding(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_amounts amounts;
    struct llr_pair pair;

    (void)state;
    profile.max_bytes = 20000;
    make(&pair, &profile);
    llr_mute(pair.llr, 1, true);
    llr_pair_send(&pair, 0, 100, 1500);
    llr_pair_run(&pair, 5 * US);
    assert_int_equal(pair.macs[1].received, 8); /* 8 x 1504 > 20000 - 9220 */
    llr_mute(pair.llr, 1, false);
    llr_pair_run(&pair, 100 * US);
    llr_get_amounts(pair.llr, 0, &amounts);
    assert_int_equal(pair.macs[1].received, 100);
    /* Room for a frame of the MTU: 9216 + 4 bytes. */
    assert_in_range(amounts.most_bytes, 20000 - 9220, 20000);
    end(&pair);
}

static void
test_numbers_wrap(void **state)
{
    struct llr_pair pair;

    (void)state;
    make(&pair, &llr_pair_profile);
    llr_pair_set(&pair, 0, false, false, &llr_pair_profile, 0);
    llr_pair_set(&pair, 0, true, true, &llr_pair_profile, LLR_NUMBERS - 500);
    llr_pair_run(&pair, 20 * US);
    llr_clear_stats(pair.llr, 1);
    strike(&pair, (struct link_fault){.loss = ALL / 50});
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, 2000 * US);
    assert_int_equal(pair.macs[1].received, 1000);
    assert_int_equal(llr_pair_stats(&pair, 1).rx_expected_seq_good, 1000);
    assert_true(llr_pair_stats(&pair, 1).rx_missing_seq > 5);
    end(&pair);
}

/* A link that goes down and comes back loses nothing, unless it is down for too
 * long. */
static void
test_the_link_goes_down(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;

    (void)state;
    profile.pcs_timeout_ps = 50 * US;
    profile.in_flush = LLR_BLOCK;
    profile.reinit = false;
    make(&pair, &profile);
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, US);
    link_set_up(pair.link, false);
    llr_pair_run(&pair, 49 * US);
    assert_true(pair.macs[0].is_held);
    link_set_up(pair.link, true);
    llr_pair_run(&pair, 200 * US);
    assert_int_equal(pair.macs[1].received, 1000);
    assert_int_equal(pair.macs[0].lost, 0);
    llr_pair_send(&pair, 0, 1000, SHORT);
    llr_pair_run(&pair, US);
    link_set_up(pair.link, false);
    llr_pair_run(&pair, 50 * US);
    assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_FLUSH);
    assert_int_equal(pair.macs[0].flushes, 1);
    /* 20 m: 100 ns, which are 15 frames of 6.72 ns. */
    assert_in_range(pair.macs[0].lost, 14, 17);
    assert_int_equal(pair.macs[0].why, LINK_LOSS_LLR);
    end(&pair);
}

static void
test_copies_do_not_get_too_old(void **state)
{
    struct llr_profile profile = llr_pair_profile;
    struct llr_pair pair;

    (void)state;
    profile.age_timeout_ps = 25 * US;
    profile.reinit = false;
    make(&pair, &profile);
    llr_mute(pair.llr, 1, true);
    llr_pair_send(&pair, 0, 10, SHORT);
    llr_pair_run(&pair, 25 * US - 1000);
    assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_ADVANCE);
    llr_pair_run(&pair, 1000);
    assert_int_equal(llr_tx_state(pair.llr, 0), LLR_TX_FLUSH);
    end(&pair);
}

/* A frame that was given up while it was in the air is delivered, or lost, and
 * nothing else. */
static void
test_frames_in_the_air_outlive_a_flush(void **state)
{
    struct llr_pair pair;

    (void)state;
    make(&pair, &llr_pair_profile);
    llr_pair_send(&pair, 0, 100, 1500);
    llr_pair_run(&pair, 2 * US);
    llr_pair_set(&pair, 0, false, false, &llr_pair_profile, 0);
    llr_pair_run(&pair, 100 * US);
    assert_int_equal(pair.macs[1].received, 100);
    llr_pair_set(&pair, 0, true, false, &llr_pair_profile, 0);
    llr_pair_run(&pair, 20 * US);
    strike(&pair, (struct link_fault){.loss = ALL});
    llr_pair_send(&pair, 0, 10, 1500);
    llr_pair_run(&pair, US);
    llr_pair_set(&pair, 0, false, false, &llr_pair_profile, 0);
    llr_pair_run(&pair, 100 * US);
    assert_int_equal(pair.macs[0].lost, 10);
    end(&pair);
}

/* An ACK of what was never sent. */
static void
test_numbers_outside_the_window_are_errors(void **state)
{
    struct llr_pair pair;

    (void)state;
    make(&pair, &llr_pair_profile);
    llr_pair_send(&pair, 0, 100, SHORT);
    llr_pair_run(&pair, 20 * US);
    assert_int_equal(llr_pair_stats(&pair, 0).rx_ack_nack_seq_error, 0);
    /* The peer expects number 100; the sender begins again at 0, and is not
     * heard. */
    llr_pair_send(&pair, 0, 10, 1500);
    llr_pair_run(&pair, 200000);
    llr_pair_set(&pair, 0, false, true, &llr_pair_profile, 0);
    llr_pair_run(&pair, 20 * US);
    assert_true(llr_pair_stats(&pair, 0).rx_ack_nack_seq_error > 0);
    end(&pair);
}

/* Ordered sets take what they displace from the frames of the same end: 8 bytes
 * per 2048. */
static void
test_ordered_sets_take_bandwidth(void **state)
{
    struct llr_pair pair;
    int64_t start_ps, took_ps;
    uint64_t acks;

    (void)state;
    make(&pair, &llr_pair_profile);
    start_ps = engine_now_ps(pair.engine);
    llr_pair_send(&pair, 0, 10000, 1500);
    llr_pair_send(&pair, 1, 10000, 1500);
    llr_pair_run(&pair, 2000 * US);
    took_ps = pair.macs[0].last_ps - start_ps - METRES * 5000;
    acks = llr_pair_stats(&pair, 1).tx_ack;
    assert_int_equal(pair.macs[0].received, 10000);
    assert_in_range(acks, 7000, 7500); /* 15.24 MB / 2056 B. */
    assert_in_range(took_ps - 10000 * frame_wire_ps(1500, SPEED_MBPS),
                    (acks - 5) * 640, acks * 640);
    end(&pair);
}

/* Reading counters and states changes nothing. */
static void
test_looking_changes_nothing(void **state)
{
    struct llr_stats stats[2][2];
    int64_t last_ps[2];
    const struct bit_error_rate rate = bit_error_rate_of(1, 200000, 1);

    (void)state;
    for (int looks = 0; looks < 2; looks++) {
        struct llr_pair pair;

        make(&pair, &llr_pair_profile);
        link_set_bit_errors(pair.link, 0, &rate, 7);
        link_set_bit_errors(pair.link, 1, &rate, 7);
        llr_pair_send(&pair, 0, 2000, 1500);
        llr_pair_send(&pair, 1, 1000, 700);
        for (int i = 0; i < 3000; i++) {
            llr_pair_run(&pair, 314159);
            if (looks) {
                assert_null(llr_pair_check(&pair));
                llr_pair_stats(&pair, 0);
                llr_pair_stats(&pair, 1);
            }
        }
        assert_int_equal(pair.macs[1].received, 2000);
        last_ps[looks] = pair.macs[1].last_ps;
        stats[looks][0] = llr_pair_stats(&pair, 0);
        stats[looks][1] = llr_pair_stats(&pair, 1);
        end(&pair);
    }
    assert_int_equal(last_ps[0], last_ps[1]);
    assert_memory_equal(stats[0], stats[1], sizeof stats[0]);
    assert_true(stats[0][1].rx_bad > 50);
}

/* A last frame that is lost without a trace is noticed by the timer. */
static void
test_the_timer_notices_a_lost_tail(void **state)
{
    struct llr_pair pair;
    int64_t start_ps;

    (void)state;
    make(&pair, &llr_pair_profile);
    strike(&pair, (struct link_fault){.loss = ALL});
    start_ps = engine_now_ps(pair.engine);
    llr_pair_send(&pair, 0, 1, SHORT);
    llr_pair_run(&pair, US);
    link_set_fault(pair.link, 0, NULL);
    llr_pair_run(&pair, 100 * US);
    assert_int_equal(pair.macs[1].received, 1);
    assert_int_equal(llr_pair_stats(&pair, 0).tx_replay, 1);
    assert_int_equal(pair.macs[1].last_ps - start_ps,
                     10 * US + frame_wire_ps(SHORT, SPEED_MBPS) +
                         METRES * 5000);
    end(&pair);
}

/* Without retry a damaged frame is lost by its FCS. */
static void
test_bit_errors_without_retry(void **state)
{
    struct llr_pair pair;
    const struct bit_error_rate rate = bit_error_rate_of(1, 1000000, 1);

    (void)state;
    llr_pair_init(&pair, SPEED_MBPS, METRES, NULL);
    link_set_bit_errors(pair.link, 0, &rate, 1);
    llr_pair_send(&pair, 0, 100000, 1238);
    llr_pair_run(&pair, 20000 * US);
    assert_int_equal(pair.macs[0].why, LINK_LOSS_FCS);
    /* 1 - (1 - 1e-6)^10000 = 0.995 %: 995 +- 4 x 31. */
    assert_in_range(pair.macs[0].lost, 870, 1120);
    end(&pair);
}

/* The share of wrong bits is the BER for any burst, and bursts damage fewer
 * frames. */
static void
test_bursts_keep_the_bit_error_ratio(void **state)
{
    static const struct {
        uint32_t burst;
        double damaged; /* Frames of 1000 bits, of a million, at 1e-4. */
    } rows[] = {{1, 95163}, {10, 10050}, {40, 2597}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct bit_error_rate rate =
            bit_error_rate_of(1, 10000, rows[i].burst);
        struct bit_errors errors;
        uint64_t wrong = 0, damaged = 0;

        bit_errors_init(&errors, &rate, 5, 1, RANDOM_BIT_ERRORS);
        for (int k = 0; k < 20000000; k++) {
            wrong += bit_errors_hit(&errors, 1);
        }
        bit_errors_init(&errors, &rate, 6, 1, RANDOM_BIT_ERRORS);
        for (int k = 0; k < 1000000; k++) {
            damaged += bit_errors_hit(&errors, 1000);
        }
        assert_in_range(wrong, 800, 3600); /* 2000 */
        assert_in_range(damaged, (uint64_t)(rows[i].damaged * 0.9),
                        (uint64_t)(rows[i].damaged * 1.1));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_frames_are_numbered_and_acknowledged),
        cmocka_unit_test(test_one_loss_costs_one_nack_and_one_replay),
        cmocka_unit_test(test_replays_without_progress_end),
        cmocka_unit_test(test_a_window_limits_what_is_outstanding),
        cmocka_unit_test(test_a_flush_leads_to_init),
        cmocka_unit_test(test_poisoned_frames_are_not_asked_for_again),
        cmocka_unit_test(test_a_replay_keeps_poison),
        cmocka_unit_test(test_frames_wait_pass_or_are_dropped_in_init),
        cmocka_unit_test(test_pauses_pass),
        cmocka_unit_test(test_bytes_limit_what_is_outstanding),
        cmocka_unit_test(test_numbers_wrap),
        cmocka_unit_test(test_the_link_goes_down),
        cmocka_unit_test(test_copies_do_not_get_too_old),
        cmocka_unit_test(test_frames_in_the_air_outlive_a_flush),
        cmocka_unit_test(test_numbers_outside_the_window_are_errors),
        cmocka_unit_test(test_ordered_sets_take_bandwidth),
        cmocka_unit_test(test_looking_changes_nothing),
        cmocka_unit_test(test_the_timer_notices_a_lost_tail),
        cmocka_unit_test(test_bit_errors_without_retry),
        cmocka_unit_test(test_bursts_keep_the_bit_error_ratio),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
