/* SPDX-License-Identifier: Apache-2.0 */

/* What is bound on a port that is shut (BEHAVIOUR 6.8). */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/derive/reclaim.h"

static const struct reclaim_zero queue_zeros[] = {
    {"egress_lossless_pool", "egress_lossless_zero_profile"},
    {"egress_lossy_pool", "egress_lossy_zero_profile"},
};
static const struct reclaim_rules queues = {
    .profile = "egress_lossless_zero_profile",
    .zeros = queue_zeros,
    .n_zeros = 2,
};
static const struct reclaim_rules pgs = {
    .has_ids = true,
    .ids = 0x1,
    .profile = "ingress_lossy_pg_zero_profile",
};

static void
check_binding(const struct reclaim_binding *binding, unsigned int first,
              unsigned int last, const char *profile, bool configured)
{
    assert_int_equal(binding->run.first, first);
    assert_int_equal(binding->run.last, last);
    assert_string_equal(binding->profile, profile);
    assert_int_equal(binding->configured, configured);
}

/* The example: PG 0 gets the profile that is named, PG 3-4 goes. */
static void
test_named_indices_replace_all_rows(void **state)
{
    static const struct reclaim_row rows[] = {{{0, 0}, "ingress_lossy_pool"},
                                              {{3, 4}, "ingress_pool"}};
    struct reclaim_binding bindings[2 + 32];
    struct reclaim_rules beyond = pgs;

    (void)state;
    assert_int_equal(reclaim_bindings(&pgs, rows, 2, 8, bindings), 1);
    check_binding(&bindings[0], 0, 0, "ingress_lossy_pg_zero_profile", false);
    beyond.ids = 0x301; /* The port has but 8. */
    assert_int_equal(reclaim_bindings(&beyond, rows, 2, 8, bindings), 1);
    beyond.profile = NULL;
    assert_int_equal(reclaim_bindings(&beyond, rows, 2, 8, bindings), 0);
}

static void
test_queues_get_the_zero_profile_of_their_pool(void **state)
{
    static const struct reclaim_row rows[] = {
        {{0, 2}, "egress_lossy_pool"},
        {{3, 4}, "egress_lossless_pool"},
        {{5, 6}, "egress_lossy_pool"},
    };
    struct reclaim_binding bindings[3 + 32];

    (void)state;
    assert_int_equal(reclaim_bindings(&queues, rows, 3, 16, bindings), 4);
    check_binding(&bindings[0], 0, 2, "egress_lossy_zero_profile", true);
    check_binding(&bindings[1], 3, 4, "egress_lossless_zero_profile", true);
    check_binding(&bindings[2], 5, 6, "egress_lossy_zero_profile", true);
    check_binding(&bindings[3], 7, 15, "egress_lossless_zero_profile", false);
}

/* A row that comes splits the run between, one that goes joins it again. */
static void
test_runs_between_split_and_join(void **state)
{
    static const struct reclaim_row rows[] = {
        {{0, 3}, "egress_lossy_pool"},
        {{5, 6}, "egress_lossy_pool"},
    };
    struct reclaim_binding bindings[2 + 32];

    (void)state;
    assert_int_equal(reclaim_bindings(&queues, rows, 1, 8, bindings), 2);
    check_binding(&bindings[1], 4, 7, "egress_lossless_zero_profile", false);
    assert_int_equal(reclaim_bindings(&queues, rows, 2, 8, bindings), 4);
    check_binding(&bindings[2], 4, 4, "egress_lossless_zero_profile", false);
    check_binding(&bindings[3], 7, 7, "egress_lossless_zero_profile", false);
    assert_int_equal(reclaim_bindings(&queues, NULL, 0, 64, bindings), 1);
    check_binding(&bindings[0], 0, 63, "egress_lossless_zero_profile", false);
    assert_int_equal(reclaim_bindings(&queues, NULL, 0, 0, bindings), 0);
}

static void
test_row_without_a_zero_profile_goes(void **state)
{
    static const struct reclaim_row rows[] = {{{0, 2}, "other_pool"},
                                              {{3, 3}, NULL}};
    struct reclaim_binding bindings[2 + 32];
    struct reclaim_rules rules = queues;

    (void)state;
    rules.profile = NULL;
    assert_int_equal(reclaim_bindings(&rules, rows, 2, 8, bindings), 0);
    /* The indices are configured all the same: nothing else is put there. */
    assert_int_equal(reclaim_bindings(&queues, rows, 2, 8, bindings), 1);
    check_binding(&bindings[0], 4, 7, "egress_lossless_zero_profile", false);
}

static void
test_without_removal_all_pools_need_a_zero_profile(void **state)
{
    static const char *const both[] = {"egress_lossy_pool",
                                       "egress_lossless_pool"};
    static const char *const other[] = {"egress_lossy_pool", "other_pool"};

    (void)state;
    assert_true(reclaim_without_removal(&queues, both, 2));
    assert_false(reclaim_without_removal(&queues, other, 2));
    assert_false(reclaim_without_removal(&pgs, NULL, 0));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_named_indices_replace_all_rows),
        cmocka_unit_test(test_queues_get_the_zero_profile_of_their_pool),
        cmocka_unit_test(test_runs_between_split_and_join),
        cmocka_unit_test(test_row_without_a_zero_profile_goes),
        cmocka_unit_test(test_without_removal_all_pools_need_a_zero_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
