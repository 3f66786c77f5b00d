/* SPDX-License-Identifier: Apache-2.0 */

/* Effective speed, names of profiles (BEHAVIOUR 6.1, 6.2), and runs of
 * indices. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/derive/port_state.h"

#define N_OF(array) (sizeof(array) / sizeof((array)[0]))

static void
test_effective_speed(void **state)
{
    static const struct {
        bool autoneg;
        const char *adv, *supported;
        uint32_t expected;
    } cases[] = {
        {false, "25000", "50000", 100000},
        {true, "25000,50000,10000", "100000", 50000},
        {true, "all", "100000,200000", 200000},
        {true, "0", "100000", 100000},
        {true, "", "100000", 100000},
        {true, NULL, "100000", 100000},
        {true, NULL, NULL, 0},
        {true, "all", "", 0},
        {true, "x,25000", NULL, 25000},
        {true, "99999999999999999999,25000", NULL, 25000},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        assert_int_equal(port_effective_speed(cases[i].autoneg, 100000,
                                              cases[i].adv, cases[i].supported),
                         cases[i].expected);
    }
}

static void
test_names_of_profiles(void **state)
{
    static const struct {
        struct profile_label label;
        const char *expected;
    } cases[] = {
        {{100000, 5, 9100, false, 0, NULL, false},
         "pg_lossless_100000_5m_profile"},
        {{100000, 40, 1500, false, 0, NULL, false},
         "pg_lossless_100000_40m_mtu1500_profile"},
        {{100000, 40, 9100, true, -1, NULL, false},
         "pg_lossless_100000_40m_th-1_profile"},
        {{100000, 40, 9100, true, 0, NULL, false},
         "pg_lossless_100000_40m_th0_profile"},
        {{100000, 300, 9100, false, 3, "MELLANOX-GEARBOX-3800", false},
         "pg_lossless_100000_300m_MELLANOX-GEARBOX-3800_profile"},
        {{200000, 40, 4096, true, 2, "G", true},
         "pg_lossless_200000_40m_mtu4096_th2_G_8lane_profile"},
    };
    char name[PROFILE_NAME_SIZE];

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        assert_string_equal(profile_label_name(&cases[i].label, name),
                            cases[i].expected);
    }
}

static void
test_names_tell_eight_lanes_where_they_differ(void **state)
{
    static const struct {
        uint32_t model, lanes, speed;
        bool expected;
    } cases[] = {
        {4700, 8, 400000, false}, {4700, 8, 200000, true},
        {4700, 4, 200000, false}, {5600, 8, 800000, false},
        {5640, 8, 400000, true},  {3700, 8, 200000, false},
        {0, 8, 200000, false},
    };

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        assert_int_equal(port_names_eight_lanes(cases[i].model, cases[i].lanes,
                                                cases[i].speed),
                         cases[i].expected);
    }
}

static void
test_runs_are_contiguous(void **state)
{
    static const struct {
        uint64_t mask;
        size_t n;
        struct run runs[3];
    } cases[] = {
        {0, 0, {{0, 0}}},
        {0x18, 1, {{3, 4}}},
        {0x4c, 2, {{2, 3}, {6, 6}}},
        {0x01, 1, {{0, 0}}},
        {0xff, 1, {{0, 7}}},
        {0x15, 3, {{0, 0}, {2, 2}, {4, 4}}},
        {UINT64_MAX, 1, {{0, 63}}},
    };
    struct run runs[32];

    (void)state;
    for (size_t i = 0; i < N_OF(cases); i++) {
        assert_int_equal(runs_of_mask(cases[i].mask, runs), cases[i].n);
        assert_memory_equal(runs, cases[i].runs, cases[i].n * sizeof runs[0]);
    }
    assert_int_equal(runs_of_mask(UINT64_C(0x5555555555555555), runs), 32);
    assert_int_equal(runs[31].first, 62);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_effective_speed),
        cmocka_unit_test(test_names_of_profiles),
        cmocka_unit_test(test_names_tell_eight_lanes_where_they_differ),
        cmocka_unit_test(test_runs_are_contiguous),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
