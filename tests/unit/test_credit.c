/* SPDX-License-Identifier: Apache-2.0 */

/* The arithmetic of credit-based flow control. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/qos/credit.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

enum { LONGEST = 1514 }; /* 1,518 bytes with FCS: 12 credits of 128. */

static struct credit_sender
make(void)
{
    struct credit_sender sender;

    credit_sender_init(&sender);
    return sender;
}

/* Gives 'vc' a profile without a pool. */
static void
reserve(struct credit_sender *sender, unsigned int vc, uint32_t credits)
{
    assert_true(credit_sender_set_profile(
        sender, vc,
        &(struct credit_profile){.pool = CREDIT_POOL_NONE,
                                 .reserved = credits}));
}

/* Gives 'vc' a profile on pool 0. */
static void
share(struct credit_sender *sender, unsigned int vc, uint32_t reserved,
      enum credit_threshold mode, int value)
{
    struct credit_profile profile = {.reserved = reserved, .mode = mode};

    if (mode == CREDIT_THRESHOLD_DYNAMIC) {
        profile.dynamic_exponent = (int8_t)value;
    } else {
        profile.static_limit = (uint32_t)value;
    }
    assert_true(credit_sender_set_profile(sender, vc, &profile));
}

/* Charges frames of one credit each. */
static void
charge(struct credit_sender *sender, unsigned int vc, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        credit_sender_charge(sender, vc, 60);
    }
}

static void
test_a_frame_costs_whole_credits(void **state)
{
    static const struct {
        struct credit_unit unit;
        uint32_t length, credits;
    } cases[] = {
        {{128, 0}, 60, 1},        {{128, 0}, 124, 1},
        {{128, 0}, 125, 2},       {{128, 0}, LONGEST, 12},
        {{128, 18}, LONGEST, 12}, {{128, 19}, LONGEST, 13},
        {{128, -16}, 140, 1},     {{128, -16}, 141, 2},
        {{2048, 0}, LONGEST, 1},  {{16, -16}, 14, 1},
        {{1, -16}, 14, 2},        {{1, 0}, 65535, 65539},
        {{65535, -16}, 14, 1},
    };

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        assert_int_equal(credit_cost(&cases[i].unit, cases[i].length),
                         cases[i].credits);
    }
}

/* Case 19 of the next-generation cases: 10^6 frames. */
static void
test_counters_wrap_at_both_ends(void **state)
{
    struct credit_sender sender = make();
    struct credit_receiver receiver = {0};
    struct credit_cf cf;

    (void)state;
    reserve(&sender, 3, 4000);
    credit_receiver_enable(&receiver, 3, true);
    for (int i = 0; i < 1000000; i++) {
        assert_true(credit_sender_may_send(&sender, 3, LONGEST));
        credit_sender_charge(&sender, 3, LONGEST);
        credit_receiver_store(&receiver, 3, 12);
        credit_receiver_free(&receiver, 3, 12);
        assert_true(credit_receiver_next(&receiver, &cf));
        assert_int_equal(cf.pair, 1);
        assert_true(credit_sender_update(&sender, 3, cf.freed[1]));
    }
    assert_int_equal(sender.vcs[3].consumed, 465664);
    assert_int_equal(receiver.vcs[3].consumed, 465664);
    assert_int_equal(receiver.vcs[3].freed, 465664);
    assert_int_equal(sender.vcs[3].used_watermark, 12);
    assert_int_equal(sender.used_watermark, 12);
    assert_int_equal(sender.used, 0);
}

/* Case 20: all frames are lost. */
static void
test_a_cc_update_frees_what_was_lost(void **state)
{
    struct credit_sender sender = make();
    struct credit_receiver receiver = {0};
    struct credit_cf cf;

    (void)state;
    reserve(&sender, 0, 2000);
    credit_receiver_enable(&receiver, 0, true);
    for (int i = 0; i < 100; i++) {
        credit_sender_charge(&sender, 0, LONGEST);
    }
    assert_false(credit_receiver_has_news(&receiver));
    assert_true(credit_receiver_next(&receiver, &cf));
    assert_true(credit_sender_update(&sender, 0, cf.freed[0]));
    assert_int_equal(sender.vcs[0].consumed, 1200);
    assert_int_equal(sender.vcs[0].freed, 0);

    assert_int_equal(credit_receiver_correct(&receiver, 0, 1200), 1200);
    assert_true(credit_receiver_has_news(&receiver));
    assert_int_equal(receiver.vcs[0].consumed, 1200);
    assert_true(credit_receiver_next(&receiver, &cf));
    assert_true(credit_sender_update(&sender, 0, cf.freed[0]));
    assert_int_equal(sender.vcs[0].freed, 1200);
    assert_int_equal(credit_receiver_correct(&receiver, 0, 1200), 0);
    /* The sender has started again. */
    assert_int_equal(credit_receiver_correct(&receiver, 0, 7), 0);
    assert_int_equal(receiver.vcs[0].consumed, 7);
    assert_false(credit_receiver_has_news(&receiver));
}

static void
test_reserved_credits_are_the_limit_without_a_pool(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    reserve(&sender, 0, 24);
    charge(&sender, 0, 12);
    assert_int_equal(credit_sender_room(&sender, 0), 12);
    assert_true(credit_sender_may_send(&sender, 0, LONGEST));
    charge(&sender, 0, 1);
    assert_false(credit_sender_may_send(&sender, 0, LONGEST));
    assert_true(credit_sender_may_send(&sender, 0, LONGEST - 128));
    assert_true(credit_sender_update(&sender, 0, 1));
    assert_true(credit_sender_may_send(&sender, 0, LONGEST));
}

static void
test_the_port_limits_the_sum_of_its_vcs(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    reserve(&sender, 0, 100);
    reserve(&sender, 1, 100);
    assert_true(credit_sender_set_limit(&sender, 120));
    charge(&sender, 0, 90);
    assert_int_equal(credit_sender_room(&sender, 0), 10);
    assert_int_equal(credit_sender_room(&sender, 1), 30);
    charge(&sender, 1, 30);
    assert_int_equal(credit_sender_room(&sender, 0), 0);
    assert_int_equal(sender.used_watermark, 120);
    /* A lower limit than what is used is no room, not a huge one. */
    assert_true(credit_sender_set_limit(&sender, 50));
    assert_int_equal(credit_sender_room(&sender, 1), 0);
    assert_true(credit_sender_set_limit(&sender, 0));
    assert_int_equal(credit_sender_room(&sender, 1), 70);
    assert_false(credit_sender_set_limit(&sender, CREDIT_MAX + 1));
    assert_int_equal(credit_sender_room(&sender, 1), 70);
}

static void
test_a_vc_without_threshold_takes_all_that_is_left(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    assert_true(credit_sender_set_pool(&sender, 0, 100));
    share(&sender, 0, 10, CREDIT_THRESHOLD_NONE, 0);
    share(&sender, 1, 20, CREDIT_THRESHOLD_STATIC, 0);
    assert_int_equal(credit_sender_room(&sender, 0), 80);
    charge(&sender, 0, 50);
    assert_int_equal(sender.shared[0], 40);
    assert_int_equal(credit_sender_room(&sender, 0), 30);
    assert_int_equal(credit_sender_room(&sender, 1), 50);
    assert_true(credit_sender_update(&sender, 0, 45));
    assert_int_equal(sender.shared[0], 0);
    assert_int_equal(credit_sender_room(&sender, 1), 90);
}

static void
test_a_static_threshold_limits_the_share(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    assert_true(credit_sender_set_pool(&sender, 0, 100));
    share(&sender, 0, 10, CREDIT_THRESHOLD_STATIC, 25);
    share(&sender, 1, 0, CREDIT_THRESHOLD_NONE, 0);
    assert_int_equal(credit_sender_room(&sender, 0), 35);
    charge(&sender, 0, 12);
    assert_int_equal(credit_sender_room(&sender, 0), 23);
    charge(&sender, 1, 80);
    assert_int_equal(credit_sender_room(&sender, 0), 8);
}

static void
test_a_dynamic_threshold_is_a_share_of_what_is_free(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    assert_true(credit_sender_set_pool(&sender, 0, 100));
    share(&sender, 0, 0, CREDIT_THRESHOLD_DYNAMIC, 0);
    share(&sender, 1, 0, CREDIT_THRESHOLD_DYNAMIC, -2);
    share(&sender, 2, 0, CREDIT_THRESHOLD_DYNAMIC, 3);
    assert_int_equal(credit_sender_room(&sender, 0), 100);
    assert_int_equal(credit_sender_room(&sender, 1), 25);
    assert_int_equal(credit_sender_room(&sender, 2), 100);
    charge(&sender, 0, 40);
    assert_int_equal(credit_sender_room(&sender, 0), 20);
    assert_int_equal(credit_sender_room(&sender, 1), 15);
    assert_int_equal(credit_sender_room(&sender, 2), 60);
    charge(&sender, 0, 20);
    assert_int_equal(credit_sender_room(&sender, 0), 0);
}

static void
test_best_effort_uses_no_credits(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    assert_true(credit_sender_set_limit(&sender, 1));
    assert_true(credit_sender_may_send(&sender, 5, 9000));
    credit_sender_charge(&sender, 5, 9000);
    assert_int_equal(sender.used, 0);
    assert_int_equal(sender.vcs[5].consumed, 0);
    assert_false(credit_sender_update(&sender, 5, 0));
}

static void
test_impossible_settings_change_nothing(void **state)
{
    struct credit_sender sender = make();
    const struct credit_profile too_much = {.reserved = 101};
    struct credit_profile profile = {.pool = CREDIT_POOL_NONE + 1};

    (void)state;
    assert_true(credit_sender_set_pool(&sender, 0, 100));
    assert_false(credit_sender_set_profile(&sender, 0, &too_much));
    assert_false(credit_sender_set_profile(&sender, 0, &profile));
    profile.pool = CREDIT_POOL_NONE;
    assert_false(credit_sender_set_profile(&sender, CREDIT_MAX_VCS, &profile));
    profile.reserved = CREDIT_MAX + 1;
    assert_false(credit_sender_set_profile(&sender, 0, &profile));
    profile.reserved = CREDIT_MAX;
    profile.dynamic_exponent = CREDIT_MAX_DYNAMIC + 1;
    assert_false(credit_sender_set_profile(&sender, 0, &profile));
    profile.dynamic_exponent = CREDIT_MIN_DYNAMIC - 1;
    assert_false(credit_sender_set_profile(&sender, 0, &profile));
    profile.dynamic_exponent = 0;
    profile.static_limit = CREDIT_MAX + 1;
    assert_false(credit_sender_set_profile(&sender, 0, &profile));
    assert_false(sender.vcs[0].has_profile);

    share(&sender, 0, 60, CREDIT_THRESHOLD_NONE, 0);
    assert_false(credit_sender_set_pool(&sender, 0, 59));
    assert_false(credit_sender_set_pool(&sender, 0, CREDIT_MAX + 1));
    assert_false(credit_sender_set_pool(&sender, CREDIT_MAX_POOLS, 1));
    assert_true(credit_sender_set_pool(&sender, 0, 60));
    /* What it has reserved does not count against its new profile. */
    share(&sender, 0, 55, CREDIT_THRESHOLD_NONE, 0);
    assert_int_equal(sender.reserved[0], 55);

    charge(&sender, 0, 1);
    assert_false(credit_sender_set_profile(&sender, 0, NULL));
    assert_false(credit_sender_set_unit(
        &sender, &(struct credit_unit){.size_bytes = 64}));
    assert_true(credit_sender_update(&sender, 0, 1));
    assert_false(credit_sender_set_unit(
        &sender, &(struct credit_unit){.size_bytes = 0}));
    assert_false(credit_sender_set_unit(
        &sender,
        &(struct credit_unit){.size_bytes = 1, .overhead_bytes = 128}));
    assert_false(credit_sender_set_unit(
        &sender,
        &(struct credit_unit){.size_bytes = 1, .overhead_bytes = -17}));
    assert_int_equal(sender.unit.size_bytes, CREDIT_DEFAULT_SIZE);
    assert_true(credit_sender_set_unit(
        &sender, &(struct credit_unit){.size_bytes = 64}));
    assert_true(credit_sender_set_profile(&sender, 0, NULL));
    assert_int_equal(sender.reserved[0], 0);
}

static void
test_an_update_that_frees_too_much_is_refused(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    reserve(&sender, 0, 100);
    charge(&sender, 0, 10);
    assert_false(credit_sender_update(&sender, 0, 11));
    assert_true(credit_sender_update(&sender, 0, 4));
    /* An older one than the last looks like one that frees too much. */
    assert_false(credit_sender_update(&sender, 0, 3));
    assert_int_equal(credit_sender_used(&sender, 0), 6);
    assert_true(credit_sender_update(&sender, 0, 10));
    assert_int_equal(sender.used, 0);
}

static void
test_a_reset_gives_back_what_was_used(void **state)
{
    struct credit_sender sender = make();

    (void)state;
    assert_true(credit_sender_set_pool(&sender, 0, 100));
    share(&sender, 0, 10, CREDIT_THRESHOLD_NONE, 0);
    share(&sender, 1, 0, CREDIT_THRESHOLD_NONE, 0);
    charge(&sender, 0, 30);
    charge(&sender, 1, 5);
    credit_sender_reset(&sender, 0);
    assert_int_equal(sender.vcs[0].consumed, 0);
    assert_int_equal(sender.vcs[0].used_watermark, 0);
    assert_int_equal(sender.used, 5);
    assert_int_equal(sender.shared[0], 5);
}

static void
test_updates_go_round(void **state)
{
    static const unsigned int expected[] = {3, 8, 15, 0, 3, 8};
    struct credit_receiver receiver = {0};
    struct credit_cf cf;

    (void)state;
    assert_false(credit_receiver_next(&receiver, &cf));
    credit_receiver_enable(&receiver, 7, true);
    credit_receiver_enable(&receiver, 16, true);
    credit_receiver_enable(&receiver, 31, true);
    credit_receiver_enable(&receiver, 0, true);
    credit_receiver_free(&receiver, 1, 1); /* It is not enabled. */
    credit_receiver_store(&receiver, 1, 1);
    assert_int_equal(receiver.vcs[1].consumed, 0);
    assert_false(credit_receiver_has_news(&receiver));
    assert_int_equal(credit_receiver_correct(&receiver, 1, 9), 0);
    credit_receiver_free(&receiver, 7, 1);
    for (size_t i = 0; i < N(expected); i++) {
        assert_true(credit_receiver_next(&receiver, &cf));
        assert_int_equal(cf.pair, expected[i]);
        assert_int_equal(cf.freed[1], expected[i] == 3);
        assert_int_equal(cf.freed[0], 0);
    }
    /* News go first. */
    credit_receiver_free(&receiver, 7, 1);
    assert_true(credit_receiver_next(&receiver, &cf));
    assert_int_equal(cf.pair, 3);
    assert_int_equal(cf.freed[1], 2);
    credit_receiver_free(&receiver, 7, 1);
    credit_receiver_enable(&receiver, 7, false);
    assert_false(credit_receiver_has_news(&receiver));
    assert_true(credit_receiver_next(&receiver, &cf));
    assert_int_not_equal(cf.pair, 3);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_frame_costs_whole_credits),
        cmocka_unit_test(test_counters_wrap_at_both_ends),
        cmocka_unit_test(test_a_cc_update_frees_what_was_lost),
        cmocka_unit_test(test_reserved_credits_are_the_limit_without_a_pool),
        cmocka_unit_test(test_the_port_limits_the_sum_of_its_vcs),
        cmocka_unit_test(test_a_vc_without_threshold_takes_all_that_is_left),
        cmocka_unit_test(test_a_static_threshold_limits_the_share),
        cmocka_unit_test(test_a_dynamic_threshold_is_a_share_of_what_is_free),
        cmocka_unit_test(test_best_effort_uses_no_credits),
        cmocka_unit_test(test_impossible_settings_change_nothing),
        cmocka_unit_test(test_an_update_that_frees_too_much_is_refused),
        cmocka_unit_test(test_a_reset_gives_back_what_was_used),
        cmocka_unit_test(test_updates_go_round),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
