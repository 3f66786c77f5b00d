/* SPDX-License-Identifier: Apache-2.0 */

/* Whether headroom that was worked out on paper is lossless in the twin.
 *
 * A part of what tests/bench/headroom_proof prints, with more phases.  What is
 * asserted is what is true: a formula that is too small somewhere is in a table
 * here, by how much is in docs/explanation/headroom.md. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/bench/headroom_case.h"
#include "tests/bench/headroom_crowd.h"
#include "tests/bench/headroom_far.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/forwarding/frame.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

enum { MTU = 9100, LOSSLESS_MTU = 1024 };

struct setup {
    const char *platform;
    const char *chip;
    bool shared;
};

static const struct setup setups[] = {
    {"vs", "generic", false},      {"mellanox", "spc1", false},
    {"mellanox", "spc1", true},    {"mellanox", "spc3", false},
    {"mellanox", "spc4", true},    {"barefoot", "tofino2", true},
    {"generic", "generic", false}, {"generic", "th", false},
};

static struct chip *
load(const char *name)
{
    struct chip *chip = NULL;
    struct err err = {0};

    if (chip_file_load(CHIPS_DIR, name, &chip, &err) != ST_OK) {
        fail_msg("%s", err.reason);
    }
    return chip;
}

/* Where the formula is known to give less than is needed, though the traffic is
 * as it assumes: Spectrum takes some 10,000 bytes off private headroom,
 * which the formula does not know.  At 10 Gb/s little is under way, and that is
 * more than there is to spare. */
static const struct {
    const char *chip;
    uint32_t mtu;
    unsigned int traffics; /* A bit per enum proof_traffic. */
} known[] = {
    {"spc1", MTU, 1 << PROOF_STRADDLE},
    {"spc1", 1500,
     1 << PROOF_SMALL | 1 << PROOF_STRADDLE | 1 << PROOF_LONG |
         1 << PROOF_CHANGE},
    {"spc3", 1500, 1 << PROOF_CHANGE},
};

static bool
is_known_to_lose(const struct setup *setup, const struct proof_case *c)
{
    for (size_t i = 0; i < N_OF(known); i++) {
        if (!strcmp(setup->chip, known[i].chip) && !setup->shared &&
            c->port.speed_mbps == 10000 && c->port.mtu == known[i].mtu) {
            return known[i].traffics >> c->traffic & 1;
        }
    }
    return false;
}

static void
check_case(const struct setup *setup, const struct proof_case *c)
{
    struct proof proof;

    proof_find(c, &proof);
    if ((proof.lost_packets > 0) != is_known_to_lose(setup, c) ||
        (proof.lost_packets > 0) != (proof.xoff_bytes < proof.needed_bytes) ||
        proof.lost_with_less == 0 || !proof.worst_is_latest) {
        fail_msg("%s on %s, %u Mb/s, %u m, %s: %llu bytes, needed %llu, lost "
                 "%llu, with a cell less %llu, worst is latest: %d",
                 setup->platform, setup->chip, (unsigned int)c->port.speed_mbps,
                 (unsigned int)c->port.cable_m, proof_traffic_name(c->traffic),
                 (unsigned long long)proof.xoff_bytes,
                 (unsigned long long)proof.needed_bytes,
                 (unsigned long long)proof.lost_packets,
                 (unsigned long long)proof.lost_with_less,
                 proof.worst_is_latest);
    }
}

static void
test_formulas_lose_nothing_but_where_it_is_known(void **state)
{
    static const uint32_t speeds[] = {10000, 100000, 800000};
    static const struct {
        uint32_t length_m;
        uint32_t mtu;
    } cables[] = {{5, MTU}, {40, 1500}, {300, MTU}};

    (void)state;
    for (size_t i = 0; i < N_OF(setups); i++) {
        struct chip *chip = load(setups[i].chip);

        for (size_t j = 0; j < N_OF(speeds) * N_OF(cables); j++) {
            struct proof_case c = {
                .chip = chip,
                .platform = platform_find(setups[i].platform),
                .port = {.speed_mbps = speeds[j / N_OF(cables)],
                         .cable_m = cables[j % N_OF(cables)].length_m,
                         .mtu = cables[j % N_OF(cables)].mtu,
                         .lanes = 4},
                .mix = {LOSSLESS_MTU, 100},
                .shared = setups[i].shared,
                .n_phases = 4};

            for (c.traffic = PROOF_SMALL; c.traffic <= PROOF_CHANGE;
                 c.traffic++) {
                check_case(&setups[i], &c);
            }
        }
        chip_file_destroy(chip);
    }
}

/* If packets are smaller, or longer, than the formula assumes, some are lost.
 */
static void
test_unexpected_traffic_is_lost(void **state)
{
    static const struct {
        uint32_t small_percent;
        enum proof_traffic traffic;
    } lies[] = {{0, PROOF_SMALL}, {50, PROOF_SMALL}, {0, PROOF_JUMBO}};
    struct chip *chip = load("th");

    (void)state;
    for (size_t i = 0; i < N_OF(lies); i++) {
        const struct proof_case c = {
            .chip = chip,
            .platform = platform_find("generic"),
            .port = {.speed_mbps = 10000, .cable_m = 5, .mtu = MTU},
            .mix = {LOSSLESS_MTU, lies[i].small_percent},
            .traffic = lies[i].traffic};
        struct proof proof;

        proof_find(&c, &proof);
        assert_true(proof.lost_packets > 0);
        assert_true(proof.xoff_bytes < proof.needed_bytes);
    }
    chip_file_destroy(chip);
}

/* IEEE 802.1Q-2018 annex O by hand, for frames of one length: what arrives
 * while our own frame ends, the pause frame travels and takes effect, and what
 * is on the cable at that moment. */
static void
test_what_is_needed_is_what_annex_o_says(void **state)
{
    struct chip *chip = load("th");
    struct proof_case c = {
        .chip = chip,
        .platform = platform_find("generic"),
        .port = {.speed_mbps = 100000, .cable_m = 300, .mtu = MTU},
        .mix = {LOSSLESS_MTU, 100}};
    struct proof proof;
    /* 80 ps per byte; 394 quanta of 64 bytes, and 0.8 kB. */
    const int64_t response_ps = (394 * 64 * 10 + 8192) * 8;
    const int64_t wait_ps =
        (MTU + 14 + 24) * 80 - 1 + 84 * 80 + 2 * 300 * 5000 + response_ps;

    (void)state;
    proof_find(&c, &proof);
    assert_int_equal(proof.response_ps, response_ps);
    assert_int_equal(proof.xoff_bytes, 293888);
    /* ceil(5,831,584 / 6,720 ps) frames of 60 + 24 bytes, a cell each. */
    assert_int_equal(proof.needed_bytes, (wait_ps + 6719) / 6720 * 208);
    c.traffic = PROOF_LONG;
    proof_find(&c, &proof);
    assert_int_equal(proof.needed_bytes,
                     (wait_ps + 1048 * 80 - 1) / (1048 * 80) * 5 * 208);
    chip_file_destroy(chip);
}

static struct plan_question
question_for(const struct chip *chip, const struct headroom_port *port,
             uint32_t n_ports)
{
    return (struct plan_question){.chip = chip,
                                  .platform = platform_find(chip->platform),
                                  .traffic = {LOSSLESS_MTU, 100},
                                  .n_priorities = 2,
                                  .n_congested = 1,
                                  .fan_out = 1,
                                  .groups = {{n_ports, *port}},
                                  .n_groups = 1};
}

/* 4 PGs of a partition are promised; all of its 8 ports are too many. */
static void
test_pool_keeps_its_promise_and_no_more(void **state)
{
    const struct headroom_port port = {
        .speed_mbps = 100000, .cable_m = 300, .mtu = MTU, .lanes = 4};
    struct chip *chip = load("th");
    struct crowd_config config = {.question = question_for(chip, &port, 32),
                                  .lengths = {60},
                                  .n_lengths = 1,
                                  .n_runs = 5};
    struct crowd some, all, again;

    (void)state;
    config.question.ratio = 4;
    crowd_find(&config, 4, &some);
    assert_int_equal(some.n_at_once, 4);
    assert_int_equal(some.n_lossy, 0);
    crowd_find(&config, 32, &all);
    assert_int_equal(all.n_lossy, 5);
    assert_true(all.most_packets >= all.lost_packets / 5);
    assert_int_equal(all.lost_bytes, 60 * all.lost_packets);
    crowd_find(&config, 32, &again);
    assert_memory_equal(&all, &again, sizeof all);
    chip_file_destroy(chip);
}

static void
test_40_km_need_a_deep_chip(void **state)
{
    static const struct {
        const char *chip;
        bool fits;
    } cases[] = {{"th", false}, {"jr2", true}, {"j2c+", true}};
    const struct headroom_port port = {
        .speed_mbps = 100000, .cable_m = 40000, .mtu = MTU, .lanes = 4};

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct chip *chip = load(cases[i].chip);
        struct plan_question question = question_for(chip, &port, 1);
        struct plan_answer answer;
        struct peer_switch far;

        far_find(&question, 60, &far);
        /* The same for all of its ports. */
        question.groups[0].n_ports = chip->default_ports;
        question.n_priorities = 2;
        plan_answer(&question, &answer);
        assert_int_equal(answer.fits, cases[i].fits);
        assert_int_equal(far.fits, cases[i].fits);
        assert_int_equal(far.lost_packets == 0, cases[i].fits);
        assert_int_equal(far.headroom_bytes == far.xoff_bytes, cases[i].fits);
        /* 400 us at 100 Gb/s, in frames that take 6,720 ps. */
        assert_true(far.frames > 400000000 / 6720);
        chip_file_destroy(chip);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formulas_lose_nothing_but_where_it_is_known),
        cmocka_unit_test(test_unexpected_traffic_is_lost),
        cmocka_unit_test(test_what_is_needed_is_what_annex_o_says),
        cmocka_unit_test(test_pool_keeps_its_promise_and_no_more),
        cmocka_unit_test(test_40_km_need_a_deep_chip),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
