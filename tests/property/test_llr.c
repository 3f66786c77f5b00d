/* SPDX-License-Identifier: Apache-2.0 */

/* Link-level retry over links with bit errors, for random speeds, lengths,
 * frames, windows and faults: every frame arrives once and in order, unless the
 * retry gives it up and says so; the counters of both ends agree.  LLR_SEEDS=n
 * runs more of them, LLR_SEED=n starts elsewhere; failures print the seed. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/cable.h"
#include "tests/support/llr_pair.h"
#include "tests/support/seed.h"

enum { N_SEEDS = 150, STEPS = 40 };

#define US INT64_C(1000000)
#define MS (1000 * US)

static uint64_t
environment(const char *name, uint64_t otherwise)
{
    const char *text = getenv(name);

    return text ? strtoull(text, NULL, 10) : otherwise;
}

/* Returns the window of the page: rate x (round trip + the distance of ACKs),
 * and the longest frame at both ends. */
static uint32_t
window_of(uint32_t speed_mbps, uint32_t length_m, uint32_t spacing_bytes)
{
    const int64_t round_ps = 2 * (int64_t)length_m * CABLE_PS_PER_METRE;

    return (uint32_t)(round_ps * speed_mbps / FRAME_PS_PER_BYTE_MBPS) +
           spacing_bytes + 2 * 9300;
}

/* The totals of both ends, which nothing in the air disturbs. */
static void
check_counters(struct llr_pair *pair, uint64_t seed)
{
    for (unsigned int i = 0; i < 2; i++) {
        const struct llr_stats tx = llr_pair_stats(pair, i);
        const struct llr_stats rx = llr_pair_stats(pair, 1 - i);
        const uint64_t accepted =
            rx.rx_expected_seq_good + rx.rx_expected_seq_poisoned;

        if (tx.rx_ack > rx.tx_ack || tx.rx_nack > rx.tx_nack ||
            rx.rx_init > tx.tx_init || tx.rx_init_echo > rx.tx_init_echo ||
            rx.rx_ok + rx.rx_poisoned + rx.rx_bad > tx.tx_ok + tx.tx_poisoned ||
            accepted + rx.rx_duplicate_seq > rx.rx_ok + rx.rx_poisoned ||
            rx.rx_missing_seq + rx.rx_expected_seq_bad < rx.tx_nack ||
            tx.rx_ack_nack_seq_error > 0) {
            fail_msg("LLR_SEED=%llu: the counters of end %u disagree",
                     (unsigned long long)seed, i);
        }
    }
}

/* Below a BER of 1e-6, with the window of the page, nothing is lost. */
static void
run_lossless(uint64_t first)
{
    static const uint32_t speeds[] = {100000, 200000, 400000, 800000};
    uint64_t seed = first * 1000003;
    const uint32_t speed = speeds[seed_below(&seed, 4)];
    const uint32_t length = (uint32_t)(1 + seed_below(&seed, 500));
    const uint32_t frame = (uint32_t)(60 + seed_below(&seed, 9000));
    const uint32_t bursts[] = {1, 1, 20, 500};
    const struct bit_error_rate rate = bit_error_rate_of(
        1, 1000000 + seed_below(&seed, 9000000), bursts[seed_below(&seed, 4)]);
    const bool both = seed_below(&seed, 2);
    struct llr_profile profile = llr_pair_profile;
    const uint64_t n = 20000000 / (frame + 24);
    struct llr_pair pair;
    const char *wrong;

    profile.spacing_bytes = (uint32_t)(400 + seed_below(&seed, 15985));
    profile.max_bytes = window_of(speed, length, profile.spacing_bytes);
    profile.replay_timer_ps = 4 * (int64_t)length * CABLE_PS_PER_METRE + 2 * US;
    llr_pair_init(&pair, speed, length, &profile);
    link_set_bit_errors(pair.link, 0, &rate, first);
    link_set_bit_errors(pair.link, 1, &rate, first);
    llr_pair_send(&pair, 0, n, frame);
    llr_pair_send(&pair, 1, both ? n : 0, frame);
    llr_pair_run(&pair, 30 * MS);
    wrong = llr_pair_check(&pair);
    if (wrong || pair.macs[1].received != n || pair.macs[0].lost ||
        pair.macs[1].lost || pair.macs[0].received != (both ? n : 0)) {
        fail_msg("LLR_SEED=%llu: %u Mb/s, %u m, %u bytes: %llu of %llu: %s",
                 (unsigned long long)first, speed, length, frame,
                 (unsigned long long)pair.macs[1].received,
                 (unsigned long long)n, wrong ? wrong : "frames are lost");
    }
    check_counters(&pair, first);
    llr_pair_fini(&pair);
}

/* One step of what may happen to a link. */
static void
take_step(struct llr_pair *pair, struct llr_profile profiles[2], uint64_t *seed)
{
    const unsigned int i = (unsigned int)seed_below(seed, 2);
    const struct bit_error_rate rate = bit_error_rate_of(
        seed_below(seed, 100), 1000000, (uint32_t)(1 + seed_below(seed, 200)));
    struct link_fault fault = {.seed = *seed};

    switch (seed_below(seed, 8)) {
    case 0:
        link_set_up(pair->link, seed_below(seed, 3) != 0);
        break;
    case 1:
        link_set_bit_errors(pair->link, i, &rate, *seed);
        break;
    case 2:
        fault.loss = UINT64_MAX / (1 + seed_below(seed, 100));
        fault.corrupts = seed_below(seed, 2);
        fault.poisons = !fault.corrupts && seed_below(seed, 2);
        link_set_fault(pair->link, i, seed_below(seed, 2) ? &fault : NULL);
        break;
    case 3:
        llr_mute(pair->llr, i, seed_below(seed, 4) == 0);
        break;
    case 4:
        llr_pair_pause(pair, i, (uint32_t)seed_below(seed, 20));
        break;
    case 5:
        profiles[i].in_init = (enum llr_action)seed_below(seed, 3);
        profiles[i].in_flush = (enum llr_action)seed_below(seed, 3);
        profiles[i].reinit = seed_below(seed, 4) != 0;
        llr_pair_set(pair, i, seed_below(seed, 8) != 0, true, &profiles[i], 0);
        break;
    default:
        llr_pair_send(pair, i, seed_below(seed, 300),
                      (uint32_t)(60 + seed_below(seed, 2000)));
    }
}

/* Whatever happens: no frame comes twice or is lost without a word, and at the
 * end, when nothing is wrong any more, nothing is left. */
static void
run_chaos(uint64_t first)
{
    uint64_t seed = first * 1000003;
    struct llr_profile profiles[2] = {llr_pair_profile, llr_pair_profile};
    const struct bit_error_rate none = {.burst_bits = 1};
    struct llr_pair pair;
    const char *wrong = NULL;

    for (int i = 0; i < 2; i++) {
        profiles[i].max_frames = (uint32_t)(1 + seed_below(&seed, 200));
        profiles[i].max_bytes = (uint32_t)(12000 + seed_below(&seed, 200000));
        profiles[i].max_replays = (uint32_t)(1 + seed_below(&seed, 6));
        profiles[i].pcs_timeout_ps = (int64_t)seed_below(&seed, 3) * 7 * US;
        profiles[i].age_timeout_ps = (int64_t)seed_below(&seed, 3) * 100 * US;
    }
    llr_pair_init(&pair, 100000, (uint32_t)seed_below(&seed, 300),
                  &profiles[seed_below(&seed, 2)]);
    for (int i = 0; i < STEPS && !wrong; i++) {
        take_step(&pair, profiles, &seed);
        llr_pair_run(&pair, (int64_t)seed_below(&seed, 60) * US);
        wrong = llr_pair_check(&pair);
    }
    link_set_up(pair.link, true);
    for (unsigned int i = 0; i < 2; i++) {
        link_set_fault(pair.link, i, NULL);
        link_set_bit_errors(pair.link, i, &none, 0);
        llr_mute(pair.llr, i, false);
        profiles[i].reinit = true;
        llr_pair_set(&pair, i, true, true, &profiles[i], 0);
    }
    llr_pair_run(&pair, 20 * MS);
    wrong = wrong ? wrong : llr_pair_check(&pair);
    for (unsigned int i = 0; i < 2 && !wrong; i++) {
        struct llr_amounts amounts;

        llr_get_amounts(pair.llr, i, &amounts);
        if (pair.macs[i].to_send || amounts.outstanding ||
            amounts.owed_frames || amounts.air_frames ||
            llr_tx_state(pair.llr, i) != LLR_TX_ADVANCE) {
            wrong = "the ends do not come to rest";
        }
    }
    if (wrong) {
        fail_msg("LLR_SEED=%llu: %s", (unsigned long long)first, wrong);
    }
    llr_pair_fini(&pair);
}

static void
test_no_loss_with_the_window_of_the_page(void **state)
{
    const uint64_t first = environment("LLR_SEED", 1);

    (void)state;
    for (uint64_t i = 0; i < environment("LLR_SEEDS", N_SEEDS) / 10; i++) {
        run_lossless(first + i);
    }
}

static void
test_nothing_is_lost_without_a_word(void **state)
{
    const uint64_t first = environment("LLR_SEED", 1);

    (void)state;
    for (uint64_t i = 0; i < environment("LLR_SEEDS", N_SEEDS); i++) {
        run_chaos(first + i);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_loss_with_the_window_of_the_page),
        cmocka_unit_test(test_nothing_is_lost_without_a_word),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
