/* SPDX-License-Identifier: Apache-2.0 */

/* Plans of headroom: sums that can be checked by hand, and thresholds against
 * the twin, packet by packet. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchctl/headroom_need.h"
#include "orchctl/headroom_parse.h"
#include "orchctl/headroom_plan.h"
#include "orchctl/headroom_rows.h"
#include "tests/support/seed.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/mmu/mmu.h"

/* More than any group takes. */
#define TOO_LONG                                                               \
    "000000000000000000000000000000000000000000000000000000000000000000000000" \
    "0"                                                                        \
    "0000000000000000000000000000001x100G@5m"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static struct chip *
load(const char *name)
{
    struct chip *chip = NULL;
    struct err err = {0};

    if (chip_file_load(TOP_SRCDIR "/chips", name, &chip, &err) != ST_OK) {
        fail_msg("%s", err.reason);
    }
    return chip;
}

static struct plan_question
question_for(const struct chip *chip, const char *const *groups, size_t n)
{
    struct plan_question question = {
        .chip = chip,
        .platform = platform_find(chip->platform),
        .traffic = {1024, 100},
        .n_priorities = 2,
        .n_congested = 1,
        .fan_out = 1,
        .n_groups = n,
    };

    for (size_t i = 0; i < n; i++) {
        struct err err = {0};

        question.groups[i].port.mtu = 9100;
        question.groups[i].port.lanes = chip->lanes_per_port;
        if (headroom_parse_group(groups[i], &question.groups[i], &err)) {
            fail_msg("%s", err.reason);
        }
    }
    return question;
}

/* Where docs/explanation/headroom.md shows by simulation that packets are lost,
 * the plan says so; the least that lost nothing there is 'value' of a line of
 * tests/bench/headroom_proof. */
static void
test_what_a_formula_leaves_out_is_reported(void **state)
{
    static const struct {
        const char *chip, *group;
        uint32_t mtu, small_percent, ratio;
        bool large_fit, any_fit;
        uint64_t value; /* If all are of 1,024 bytes. */
    } cases[] = {
        {"spc1", "1x10G@40m", 1500, 100, 0, false, false, 16512},
        {"spc1", "1x10G@40m", 1500, 100, 2, true, true, 7392},
        {"spc1", "1x400G@5m", 9100, 100, 0, true, true, 80928},
        {"spc4", "1x25G@40m", 1500, 100, 0, true, false, 19392},
        {"spc3", "1x400G@5m", 9100, 0, 0, false, false, 96048},
        {"tofino2", "1x400G@300m", 9100, 0, 2, false, false, 279840},
        {"tofino2", "1x10G@5m", 9100, 0, 2, false, false, 15840},
        {"tofino2", "1x400G@300m", 9100, 100, 2, true, true, 279840},
        {"th", "1x100G@300m", 9100, 100, 0, true, true, 72800},
        {"th", "1x100G@300m", 9100, 50, 0, true, false, 72800},
        {"th", "1x100G@300m", 9100, 0, 0, true, false, 72800},
        {"j2c+", "1x400G@40km", 9100, 0, 0, false, false, 20000000},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        const char *group = cases[i].group;
        struct chip *chip = load(cases[i].chip);
        struct plan_question question = question_for(chip, &group, 1);
        struct headroom_need need;

        question.traffic.small_percent = cases[i].small_percent;
        question.ratio = cases[i].ratio;
        question.groups[0].port.mtu = cases[i].mtu;
        question.groups[0].port.lanes = 4;
        headroom_need(&question, 0, &need);
        if ((need.has >= need.large) != cases[i].large_fit ||
            (need.has >= need.any) != cases[i].any_fit ||
            need.large + need.taken < cases[i].value) {
            fail_msg(
                "%s %s, %u %%: has %llu, takes %llu, needs %llu and %llu",
                cases[i].chip, group, cases[i].small_percent,
                (unsigned long long)need.has, (unsigned long long)need.taken,
                (unsigned long long)need.large, (unsigned long long)need.any);
        }
        chip_file_destroy(chip);
    }
}

static void
test_groups_are_read(void **state)
{
    static const struct {
        const char *text;
        uint32_t n, speed, lanes, cable;
    } good[] = {
        {"32x100G@300m", 32, 100000, 4, 300},
        {"100000@5m", 1, 100000, 4, 5},
        {"4x400G/8@40km", 4, 400000, 8, 40000},
        {"2x10000M@0m", 2, 10000, 4, 0},
        {"1x1T@1000km", 1, 1000000, 4, 1000000},
    };
    static const char *const bad[] = {
        "",
        "x",
        "32x100G",
        "0x100G@5m",
        "x100G@5m",
        "4097x1G@5m",
        "1x0G@5m",
        "1x2T@5m",
        "1x100g@5m",
        "1xG@5m",
        "1x100G@5",
        "1x100G@m",
        "1x100G@-5m",
        "1x100G@1001km",
        "1x100G@5mm",
        "1x100G/0@5m",
        "1x100G/17@5m",
        "1x100G/@5m",
        "1x99999999999999999999G@5m",
        "1.5x100G@5m",
        " 1x100G@5m",
        TOO_LONG,
    };
    struct plan_group group;
    struct err err = {0};

    (void)state;
    for (size_t i = 0; i < N_OF(good); i++) {
        group = (struct plan_group){.port.lanes = 4};
        assert_int_equal(headroom_parse_group(good[i].text, &group, &err),
                         ST_OK);
        assert_int_equal(group.n_ports, good[i].n);
        assert_int_equal(group.port.speed_mbps, good[i].speed);
        assert_int_equal(group.port.lanes, good[i].lanes);
        assert_int_equal(group.port.cable_m, good[i].cable);
    }
    for (size_t i = 0; i < N_OF(bad); i++) {
        group.n_ports = 77;
        if (headroom_parse_group(bad[i], &group, &err) != ST_INVALID) {
            fail_msg("'%s' was taken", bad[i]);
        }
        assert_int_equal(group.n_ports, 77);
    }
}

static void
test_priorities_are_read(void **state)
{
    static const char *const bad[] = {"", "8", "3,3", "3,", "a", "3 ,4", "34"};
    uint32_t mask = 0;
    struct err err;

    (void)state;
    assert_int_equal(headroom_parse_priorities("3,4", &mask, &err), ST_OK);
    assert_int_equal(mask, 0x18);
    assert_int_equal(headroom_parse_priorities("7,0", &mask, &err), ST_OK);
    assert_int_equal(mask, 0x81);
    for (size_t i = 0; i < N_OF(bad); i++) {
        assert_int_equal(headroom_parse_priorities(bad[i], &mask, &err),
                         ST_INVALID);
    }
    assert_int_equal(mask, 0x81);
}

/* docs/explanation/headroom.md: 32 ports of 100G with cables of 300 m on
 * Tomahawk, whose cells have 208 bytes and whose memory has 4 partitions of
 * 20,480 cells. */
static void
test_worked_example(void **state)
{
    static const char *const groups[] = {"32x100G@300m"};
    struct chip *chip = load("th");
    struct plan_question question = question_for(chip, groups, 1);
    struct plan_answer answer;

    (void)state;
    plan_answer(&question, &answer);
    /* prop = 9,100 + 300 * 100,000 / 792 + 819.2 + 64 * 394 = 73,013.99;
     * a packet of 64 bytes takes 4 cells of its length: xoff = 1,024 + 4 *
     * 73,013.99 = 293,079.96, up to 287 kB = 293,888, up to 1,413 cells. */
    assert_int_equal(answer.groups[0].headroom.xoff, 293888);
    assert_int_equal(answer.groups[0].xoff_bytes, 1413 * 208);
    assert_int_equal(answer.groups[0].guarantee_bytes, 89 * 208);
    /* 8 ports and 16 PGs in each partition: 16 * (89 + 1,413) of 20,480. */
    assert_int_equal(answer.private_room.needed_bytes, 4 * 16 * 1502 * 208);
    assert_int_equal(answer.private_room.left_bytes,
                     4 * (20480 - 16 * 1502) * 208);
    assert_false(answer.fits);
    assert_int_equal(answer.min_ratio, 2);
    question.ratio = 4;
    question.n_congested = 16;
    plan_answer(&question, &answer);
    assert_true(answer.fits);
    /* 16 * 1,413 / 4 = 5,652 cells of headroom: 4 PGs at once. */
    assert_int_equal(answer.shared_room.headroom_bytes, 4 * 5652 * 208);
    assert_int_equal(answer.groups[0].n_at_once, 4);
    /* S = 20,480 - 16 * 89 - 5,652 = 13,404; 89 + 13,404 / (1 + 16) = 877. */
    assert_int_equal(answer.shared_limit_bytes, 13404 * 208);
    assert_int_equal(answer.pfc_bytes, 877 * 208);
    assert_int_equal(answer.kmin_bytes, 876 * 208);
    assert_int_equal(answer.pool_size_bytes, 4 * 13404 * 208);
    assert_int_equal(answer.pool_xoff_bytes, 4 * 5652 * 208);
    question.fan_out = 4;
    plan_answer(&question, &answer);
    assert_int_equal(answer.kmin_bytes, 219 * 208);
    chip_file_destroy(chip);
}

/* Regional links: 40 km at 400G are 400 us and 20 MB on the way. */
static void
test_regional_links_on_shallow_and_deep_chips(void **state)
{
    static const char deep[] =
        "{name: deep, unit: byte, memory_bytes: 8589934592, partitions: 2, "
        "pg_guarantee: none, headroom_params: {cell_size: 1, "
        "pipeline_latency: 18, mac_phy_delay: 0.8, peer_response_time: 3.8}}";
    static const char *const groups[] = {"4x400G@40km", "28x400G@5m"};
    struct chip *chip = load("th");
    struct plan_question question = question_for(chip, groups, 2);
    struct plan_answer answer;

    (void)state;
    plan_answer(&question, &answer);
    assert_false(answer.fits);
    assert_int_equal(answer.min_ratio, 0);
    assert_true(answer.groups[0].headroom.xoff > 4 * 20000000);
    question.ratio = 1000;
    plan_answer(&question, &answer);
    assert_false(answer.fits);
    chip_file_destroy(chip);
    chip = NULL;
    assert_int_equal(chip_file_parse(deep, "deep.yaml", &chip, NULL), ST_OK);
    question = question_for(chip, groups, 2);
    plan_answer(&question, &answer);
    assert_true(answer.fits);
    assert_true(answer.groups[0].longest_cable_m > 1000000 / 2);
    assert_int_equal(answer.groups[0].guarantee_bytes, 0);
    chip_file_destroy(chip);
}

static void
test_chip_without_a_shared_pool_says_so(void **state)
{
    static const char *const groups[] = {"32x40G@300m"};
    struct chip *chip = load("td2");
    struct plan_question question = question_for(chip, groups, 1);
    struct plan_answer answer;

    (void)state;
    plan_answer(&question, &answer);
    assert_true(answer.fits);
    assert_false(answer.can_share);
    assert_int_equal(answer.pool_xoff_bytes, 0);
    question.ratio = 2;
    plan_answer(&question, &answer);
    assert_false(answer.fits);
    assert_int_equal(answer.min_ratio, 0);
    chip_file_destroy(chip);
}

static struct plan_question
random_question(const struct chip *chip, uint64_t *seed)
{
    static const char *const kinds[] = {"8x100G@5m", "4x400G/8@300m",
                                        "16x25G/1@40m", "2x100G@3km"};
    const char *groups[2] = {kinds[seed_below(seed, N_OF(kinds))],
                             kinds[seed_below(seed, N_OF(kinds))]};
    struct plan_question question =
        question_for(chip, groups, 1 + seed_below(seed, 2));

    question.groups[0].port.cable_m = (uint32_t)seed_below(seed, 20000);
    question.n_priorities = 1 + (uint32_t)seed_below(seed, 8);
    question.ratio = chip->pg_guarantee == CHIP_GUARANTEE_SIZE_MINUS_XOFF
                         ? 0
                         : (uint32_t)seed_below(seed, 12);
    question.n_congested = 1 + (uint32_t)seed_below(seed, 4);
    question.alpha_exponent = (int)seed_below(seed, 10) - 6;
    question.reserved_bytes = seed_below(seed, 1000000);
    return question;
}

/* Whatever is planned stays within the memory; the longest cable fits and one
 * metre more does not; the least ratio fits and one less does not. */
static void
test_random_plans_keep_within_the_memory(void **state)
{
    static const char *const names[] = {"th", "td2", "generic"};
    uint64_t seed = UINT64_C(0x94d049bb133111eb);
    size_t n_fit = 0;

    (void)state;
    for (size_t i = 0; i < 600; i++) {
        struct chip *chip = load(names[i % N_OF(names)]);
        struct plan_question question = random_question(chip, &seed);
        struct plan_answer answer, other;

        plan_answer(&question, &answer);
        n_fit += answer.fits;
        if (answer.fits) {
            assert_true(
                answer.shared_limit_bytes * chip->partitions +
                    (question.ratio ? answer.shared_room : answer.private_room)
                        .needed_bytes <=
                chip->memory_bytes);
            assert_true(answer.kmin_bytes < answer.pfc_bytes);
            assert_true(
                answer.pfc_bytes <=
                answer.shared_limit_bytes + answer.groups[0].guarantee_bytes +
                    answer.groups[question.n_groups - 1].guarantee_bytes);
        }
        if (answer.groups[0].some_cable_fits) {
            struct plan_question longer = question;

            longer.groups[0].port.cable_m = answer.groups[0].longest_cable_m;
            plan_answer(&longer, &other);
            assert_true(other.fits);
            longer.groups[0].port.cable_m++;
            plan_answer(&longer, &other);
            assert_false(other.fits);
        }
        if (answer.min_ratio > 1) {
            question.ratio = answer.min_ratio;
            plan_answer(&question, &other);
            assert_true(other.fits);
            question.ratio--;
            plan_answer(&question, &other);
            assert_false(other.fits);
        }
        chip_file_destroy(chip);
    }
    assert_true(n_fit > 100 && n_fit < 500);
}

/* The twin, configured as a plan says: the PGs of one partition. */
struct testbench {
    struct mmu *mmu;
    uint32_t pgs[64];
    uint32_t n_pgs;
    uint32_t length_bytes; /* Of a packet of one cell. */
};

static void
bench_init(struct testbench *bench, const struct plan_question *question,
           const struct plan_answer *answer, int dynamic_th)
{
    const struct chip *chip = question->chip;
    const struct plan_group_answer *group = &answer->groups[0];
    bool one = chip->pg_guarantee == CHIP_GUARANTEE_SIZE_MINUS_XOFF;
    struct mmu_pool_config pool_config = {MMU_INGRESS, answer->pool_size_bytes,
                                          answer->pool_xoff_bytes};
    struct mmu_profile_config config = {
        .reserved_bytes =
            group->guarantee_bytes + (one ? group->xoff_bytes : 0),
        .dynamic_th = dynamic_th,
        .xoff_bytes = group->xoff_bytes,
        .xon_offset_bytes = group->headroom.xon};
    uint32_t profile;
    struct err err = {0};

    *bench =
        (struct testbench){.mmu = mmu_create(chip, NULL), .length_bytes = 64};
    assert_int_equal(
        mmu_pool_create(bench->mmu, &pool_config, &config.pool, &err), ST_OK);
    assert_int_equal(mmu_profile_create(bench->mmu, &config, &profile, &err),
                     ST_OK);
    for (uint32_t port = 0; port < question->groups[0].n_ports; port++) {
        uint32_t partition = port % chip->partitions;

        assert_int_equal(mmu_port_add(bench->mmu, port, partition), ST_OK);
        for (uint32_t i = 0; i < question->n_priorities; i++) {
            uint32_t pg = mmu_pg_id(bench->mmu, port, i);

            if (mmu_pg_attach(bench->mmu, pg, profile, &err) != ST_OK) {
                fail_msg("%s", err.reason);
            }
            if (partition == 0) {
                bench->pgs[bench->n_pgs++] = pg;
            }
        }
    }
}

/* Offers a packet of one cell to PG 'i', for a queue of the same number. */
static bool
offer(struct testbench *bench, uint32_t i)
{
    uint32_t packet;

    return mmu_enqueue(bench->mmu, bench->pgs[i],
                       mmu_queue_id(bench->mmu, 0, i % 8), bench->length_bytes,
                       &packet) == MMU_ADMITTED;
}

static uint64_t
held(const struct testbench *bench, uint32_t i)
{
    struct mmu_pg_stats stats;

    mmu_pg_get(bench->mmu, bench->pgs[i], &stats);
    return stats.reserved + stats.shared + stats.headroom;
}

/* Fills 'n' PGs evenly until one pauses; returns what each then holds. */
static uint64_t
fill_until_pause(struct testbench *bench, uint32_t n)
{
    for (;;) {
        for (uint32_t i = 0; i < n; i++) {
            assert_true(offer(bench, i));
            if (mmu_pg_is_xoff(bench->mmu, bench->pgs[i])) {
                return held(bench, i);
            }
        }
    }
}

static void
test_twin_pauses_where_the_plan_says(void **state)
{
    static const struct {
        const char *chip, *group;
        uint32_t ratio, congested;
        int alpha;
    } cases[] = {
        {"th", "32x100G@300m", 4, 1, 0},    {"th", "32x100G@300m", 4, 16, 0},
        {"th", "32x100G@300m", 8, 3, -2},   {"th", "32x100G@5m", 0, 5, 1},
        {"td2", "32x40G@300m", 0, 1, 0},    {"td2", "32x40G@40m", 0, 7, -3},
        {"generic", "8x100G@2km", 0, 2, 0}, {"generic", "8x100G@2km", 4, 8, 2},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        struct chip *chip = load(cases[i].chip);
        struct plan_question question = question_for(chip, &cases[i].group, 1);
        uint64_t cell = chip->cell_bytes, got;
        struct plan_answer answer;
        struct testbench bench;

        question.ratio = cases[i].ratio;
        question.n_congested = cases[i].congested;
        question.alpha_exponent = cases[i].alpha;
        plan_answer(&question, &answer);
        assert_true(answer.fits);
        bench_init(&bench, &question, &answer, cases[i].alpha);
        got = fill_until_pause(&bench, cases[i].congested);
        if (got * cell <= answer.kmin_bytes ||
            got * cell > answer.pfc_bytes + 2 * cell ||
            got * cell + 2 * cell < answer.pfc_bytes) {
            fail_msg("case %zu: %llu cells, not %llu", i,
                     (unsigned long long)got,
                     (unsigned long long)(answer.pfc_bytes / cell));
        }
        assert_null(mmu_check(bench.mmu));
        mmu_destroy(bench.mmu);
        chip_file_destroy(chip);
    }
}

/* Fills 'n' PGs until they pause, then sends what was under way.  Returns
 * whether all of it was admitted. */
static bool
pause_at_once(const struct plan_question *question,
              const struct plan_answer *answer, uint32_t n)
{
    uint64_t cells = answer->groups[0].xoff_bytes / answer->cell_bytes;
    bool admitted = true;
    struct testbench bench;

    bench_init(&bench, question, answer, question->alpha_exponent);
    assert_true(n <= bench.n_pgs);
    for (uint32_t i = 0; i < n; i++) {
        while (!mmu_pg_is_xoff(bench.mmu, bench.pgs[i])) {
            assert_true(offer(&bench, i));
        }
    }
    for (uint64_t j = 0; j < cells; j++) {
        for (uint32_t i = 0; i < n; i++) {
            admitted &= offer(&bench, i);
        }
    }
    mmu_destroy(bench.mmu);
    return admitted;
}

static void
test_twin_absorbs_as_many_pauses_as_planned(void **state)
{
    static const char *const groups[] = {"32x100G@300m"};
    struct chip *chip = load("th");
    struct plan_question question = question_for(chip, groups, 1);
    struct plan_answer answer;

    (void)state;
    for (question.ratio = 2; question.ratio <= 16; question.ratio *= 2) {
        uint32_t n;

        plan_answer(&question, &answer);
        n = (uint32_t)answer.groups[0].n_at_once;
        assert_int_equal(n, 16 / question.ratio);
        assert_true(pause_at_once(&question, &answer, n));
        assert_false(pause_at_once(&question, &answer, n + 1));
    }
    chip_file_destroy(chip);
}

static const char *
field(const json_t *tables, const char *table, const char *key,
      const char *name)
{
    return json_string_value(json_object_get(
        json_object_get(json_object_get(tables, table), key), name));
}

static void
test_rows_of_a_plan(void **state)
{
    static const char *const groups[] = {"2x100G@300m", "1x100G/8@300m"};
    struct chip *chip = load("th");
    struct plan_question question = question_for(chip, groups, 2);
    struct plan_answer answer;
    json_t *rows;

    (void)state;
    question.ratio = 2;
    plan_answer(&question, &answer);
    assert_true(answer.fits);
    rows = headroom_rows(&question, &answer, -1, 0x58);
    assert_int_equal(json_object_size(json_object_get(rows, "BUFFER_PG")), 6);
    assert_string_equal(field(rows, "BUFFER_PG", "Ethernet0|3-4", "profile"),
                        "pg_lossless_100000_300m_profile");
    assert_string_equal(field(rows, "BUFFER_PG", "Ethernet4|6", "profile"),
                        "pg_lossless_100000_300m_profile");
    assert_string_equal(field(rows, "BUFFER_PG", "Ethernet8|3-4", "profile"),
                        "pg_lossless_100000_300m_8lane_profile");
    assert_string_equal(field(rows, "CABLE_LENGTH", "AZURE", "Ethernet8"),
                        "300m");
    assert_string_equal(field(rows, "BUFFER_PROFILE",
                              "pg_lossless_100000_300m_profile", "size"),
                        "18512");
    assert_string_equal(field(rows, "BUFFER_PROFILE",
                              "pg_lossless_100000_300m_8lane_profile", "xon"),
                        "36864");
    assert_string_equal(field(rows, "BUFFER_PROFILE",
                              "pg_lossless_100000_300m_profile", "dynamic_th"),
                        "-1");
    assert_string_equal(
        field(rows, "BUFFER_POOL", "egress_lossless_pool", "size"), "17039360");
    assert_non_null(
        field(rows, "WRED_PROFILE", "AZURE_LOSSLESS", "green_min_threshold"));
    json_decref(rows);
    chip_file_destroy(chip);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_groups_are_read),
        cmocka_unit_test(test_what_a_formula_leaves_out_is_reported),
        cmocka_unit_test(test_priorities_are_read),
        cmocka_unit_test(test_worked_example),
        cmocka_unit_test(test_regional_links_on_shallow_and_deep_chips),
        cmocka_unit_test(test_chip_without_a_shared_pool_says_so),
        cmocka_unit_test(test_random_plans_keep_within_the_memory),
        cmocka_unit_test(test_twin_pauses_where_the_plan_says),
        cmocka_unit_test(test_twin_absorbs_as_many_pauses_as_planned),
        cmocka_unit_test(test_rows_of_a_plan),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
