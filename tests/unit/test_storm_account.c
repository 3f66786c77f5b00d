/* SPDX-License-Identifier: Apache-2.0 */

/* What storms cost, added up. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "orchd/watchdog/detection/storm_account.h"

static void
test_only_what_passes_during_a_storm_counts(void **state)
{
    struct storm_account account = {0};
    struct storm_counts counts = {100, 200, 300, 400};

    (void)state;
    storm_account_update(&account, &counts);
    storm_account_begin(&account);
    storm_account_update(&account, &counts);
    counts = (struct storm_counts){101, 202, 303, 404};
    storm_account_update(&account, &counts);
    counts = (struct storm_counts){111, 222, 333, 444};
    storm_account_end(&account, &counts);
    counts.tx_dropped = 9999;
    storm_account_update(&account, &counts);
    assert_int_equal(account.total.tx_packets, 11);
    assert_int_equal(account.total.tx_dropped, 22);
    assert_int_equal(account.total.rx_packets, 33);
    assert_int_equal(account.total.rx_dropped, 44);
    assert_int_equal(account.detected, 1);
    assert_int_equal(account.restored, 1);
}

static void
test_last_storm_is_kept_apart_from_all(void **state)
{
    struct storm_account account = {0};
    struct storm_counts counts = {0};

    (void)state;
    for (uint64_t i = 1; i <= 3; i++) {
        storm_account_begin(&account);
        storm_account_update(&account, &counts);
        counts.tx_dropped += i;
        storm_account_end(&account, &counts);
    }
    assert_int_equal(account.total.tx_dropped, 6);
    assert_int_equal(account.last.tx_dropped, 3);
    assert_int_equal(account.detected, 3);
}

static void
test_storm_of_an_earlier_run_is_not_counted_again(void **state)
{
    struct storm_account account = {
        .detected = 5, .restored = 4, .last = {.tx_dropped = 7}};

    (void)state;
    storm_account_begin(&account);
    assert_int_equal(account.detected, 5);
    assert_int_equal(account.last.tx_dropped, 7);
    storm_account_begin(&account);
    assert_int_equal(account.detected, 5);
    storm_account_end(&account, NULL);
    storm_account_end(&account, NULL);
    assert_int_equal(account.restored, 5);
}

/* What it has counted may become known when its storm goes on already. */
static void
test_what_an_earlier_run_has_counted_is_added(void **state)
{
    const struct storm_account ended = {.detected = 4,
                                        .restored = 4,
                                        .total = {.tx_dropped = 9},
                                        .last = {.tx_dropped = 5}};
    struct storm_account unended = ended;
    struct storm_account account = {0}, fresh = {0}, other = {0};
    struct storm_counts counts = {0};

    (void)state;
    unended.restored = 3;
    storm_account_begin(&account);
    storm_account_update(&account, &counts);
    counts.tx_dropped = 2;
    other = account;
    storm_account_resume(&account, &unended);
    storm_account_end(&account, &counts);
    assert_int_equal(account.detected, 4);
    assert_int_equal(account.restored, 4);
    assert_int_equal(account.total.tx_dropped, 11);
    assert_int_equal(account.last.tx_dropped, 7);
    /* Another storm than those that it has seen end. */
    storm_account_resume(&other, &ended);
    storm_account_end(&other, &counts);
    assert_int_equal(other.detected, 5);
    assert_int_equal(other.restored, 5);
    assert_int_equal(other.last.tx_dropped, 2);
    storm_account_resume(&fresh, &ended);
    assert_memory_equal(&fresh, &ended, sizeof fresh);
}

static void
test_counter_that_was_cleared_counts_from_zero(void **state)
{
    struct storm_account account = {0};
    struct storm_counts counts = {.tx_dropped = 1000};

    (void)state;
    storm_account_begin(&account);
    storm_account_update(&account, &counts);
    counts.tx_dropped = 30;
    storm_account_end(&account, &counts);
    assert_int_equal(account.total.tx_dropped, 30);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_only_what_passes_during_a_storm_counts),
        cmocka_unit_test(test_last_storm_is_kept_apart_from_all),
        cmocka_unit_test(test_storm_of_an_earlier_run_is_not_counted_again),
        cmocka_unit_test(test_what_an_earlier_run_has_counted_is_added),
        cmocka_unit_test(test_counter_that_was_cleared_counts_from_zero),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
