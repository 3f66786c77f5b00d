/* SPDX-License-Identifier: Apache-2.0 */

/* What is bound on a port that is shut (BEHAVIOUR 6.8). */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
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

/* Checks what reclaim_rest() says of a port of which the indices of
 * 'configured' have rows: "4 7-15 ". */
static void
check_rest(const struct reclaim_rules *rules, uint64_t configured,
           unsigned int n_indices, const char *expected)
{
    struct run runs[32];
    size_t n = reclaim_rest(rules, configured, n_indices, runs);
    char text[512] = "";

    for (size_t i = 0; i < n; i++) {
        size_t length = strlen(text);

        if (runs[i].first == runs[i].last) {
            text_format(text + length, sizeof text - length, "%u ",
                        runs[i].first);
        } else {
            text_format(text + length, sizeof text - length, "%u-%u ",
                        runs[i].first, runs[i].last);
        }
    }
    assert_string_equal(text, expected);
}

static void
check_row(const struct reclaim_rules *rules, unsigned int first,
          unsigned int last, const char *pool, const char *expected)
{
    const char *zero = reclaim_row(rules, (struct run){first, last}, pool);

    assert_string_equal(zero ? zero : "", expected);
}

/* The example: PG 0 gets the profile that is named, PG 3-4 goes. */
static void
test_named_indices_get_the_profile(void **state)
{
    static const char zero[] = "ingress_lossy_pg_zero_profile";
    struct reclaim_rules rules = pgs;

    (void)state;
    check_row(&pgs, 0, 0, "ingress_lossy_pool", zero);
    check_row(&pgs, 3, 4, "ingress_lossy_pool", "");
    check_row(&pgs, 0, 2, NULL, zero); /* As a whole. */
    check_rest(&pgs, 0x1, 8, "");
    check_rest(&pgs, 0x18, 8, "0 ");
    rules.ids = 0x301; /* The port has but 8. */
    check_rest(&rules, 0, 8, "0 ");
    rules.profile = NULL;
    check_row(&rules, 0, 0, "ingress_lossy_pool", "");
    check_rest(&rules, 0, 8, "");
}

static void
test_queues_get_the_zero_profile_of_their_pool(void **state)
{
    (void)state;
    check_row(&queues, 0, 2, "egress_lossy_pool", "egress_lossy_zero_profile");
    check_row(&queues, 3, 4, "egress_lossless_pool",
              "egress_lossless_zero_profile");
    check_rest(&queues, 0x7f, 16, "7-15 ");
}

/* A row that comes splits the run between, one that goes joins it again. */
static void
test_runs_between_split_and_join(void **state)
{
    (void)state;
    check_rest(&queues, 0x0f, 8, "4-7 ");
    check_rest(&queues, 0x6f, 8, "4 7 ");
    check_rest(&queues, 0, 64, "0-63 ");
    check_rest(&queues, 0, 0, "");
    assert_true(reclaim_mask((struct run){0, 63}) == UINT64_MAX);
    assert_true(reclaim_mask((struct run){3, 4}) == 0x18);
    assert_true(reclaim_mask((struct run){63, 63}) == UINT64_C(1) << 63);
    assert_true(reclaim_mask((struct run){64, 70}) == 0);
}

static void
test_row_without_a_zero_profile_goes(void **state)
{
    struct reclaim_rules rules = queues;

    (void)state;
    check_row(&queues, 0, 2, "other_pool", "");
    check_row(&queues, 3, 3, NULL, "");
    rules.profile = NULL;
    check_rest(&rules, 0xf, 8, "");
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
        cmocka_unit_test(test_named_indices_get_the_profile),
        cmocka_unit_test(test_queues_get_the_zero_profile_of_their_pool),
        cmocka_unit_test(test_runs_between_split_and_join),
        cmocka_unit_test(test_row_without_a_zero_profile_goes),
        cmocka_unit_test(test_without_removal_all_pools_need_a_zero_profile),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
