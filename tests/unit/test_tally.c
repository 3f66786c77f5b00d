/* SPDX-License-Identifier: Apache-2.0 */

/* Frames that left a port, counted, shared out and put in order. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "breakpoint/tally.h"

/* Adds 'n' frames of a queue. */
static void
add(struct tally *tally, uint8_t queue, uint8_t ecn, uint64_t n)
{
    const struct target_frames row = {.queue = queue, .ecn = ecn, .frames = n};

    tally_add(tally, &row);
}

static struct frame_match
of_queue(int64_t queue)
{
    struct frame_match match = {.has = 1 << FRAME_QUEUE};

    match.values[FRAME_QUEUE] = queue;
    return match;
}

static void
test_counts_what_matches(void **state)
{
    struct tally tally = {0}, before;
    struct rx_claim claim = {.where = of_queue(3)};

    (void)state;
    add(&tally, 3, 0, 5);
    add(&tally, 4, 0, 7);
    tally_copy(&before, &tally);
    add(&tally, 3, TARGET_ECN_CE, 2);
    add(&tally, 3, 0, 1);
    assert_int_equal(tally.n, 3);
    assert_int_equal(tally_value(&tally, NULL, &claim), 8);
    assert_int_equal(tally_value(&tally, &before, &claim), 3);
    claim.where.has |= 1 << FRAME_CE;
    claim.where.values[FRAME_CE] = 1;
    assert_int_equal(tally_value(&tally, NULL, &claim), 2);
    assert_int_equal(tally_value(&before, NULL, &claim), 0);
    claim.where.has = 0;
    assert_int_equal(tally_value(&tally, NULL, &claim), 15);
    tally_fini(&tally);
    tally_fini(&before);
}

static void
test_a_share_is_rounded_to_the_nearest(void **state)
{
    struct tally tally = {0};
    struct rx_claim claim = {.is_share = true, .where = of_queue(3)};

    (void)state;
    assert_int_equal(tally_value(&tally, NULL, &claim), 0);
    add(&tally, 3, 0, 2);
    add(&tally, 4, 0, 1);
    assert_int_equal(tally_value(&tally, NULL, &claim), 667);
    claim.where = (struct frame_match){.has = 1 << FRAME_CE};
    claim.where.values[FRAME_CE] = 1;
    claim.of = of_queue(3);
    add(&tally, 3, TARGET_ECN_CE, 1);
    add(&tally, 4, TARGET_ECN_CE, 9);
    assert_int_equal(tally_value(&tally, NULL, &claim), 333);
    tally_fini(&tally);
}

static void
test_the_first_and_the_last(void **state)
{
    struct tally tally = {.ordered = true}, before;
    struct rx_claim claim = {.where = of_queue(3), .first = 4};

    (void)state;
    add(&tally, 3, 0, 3);
    add(&tally, 4, 0, 2);
    add(&tally, 3, 0, 1);
    assert_int_equal(tally.n, 3);
    assert_int_equal(tally_value(&tally, NULL, &claim), 3);
    claim.first = 0;
    claim.last = 2;
    assert_int_equal(tally_value(&tally, NULL, &claim), 1);
    claim.last = 100;
    assert_int_equal(tally_value(&tally, NULL, &claim), 4);

    /* Frames that look as the last before the snapshot count as new. */
    tally_copy(&before, &tally);
    add(&tally, 3, 0, 2);
    add(&tally, 4, 0, 8);
    claim.last = 0;
    claim.first = 3;
    assert_int_equal(tally_value(&tally, &before, &claim), 2);
    tally_fini(&tally);
    tally_fini(&before);
}

static void
test_an_order_is_broken_by_what_comes_late(void **state)
{
    const struct frame_match order[] = {of_queue(5), of_queue(3), of_queue(1)};
    struct tally tally = {.ordered = true}, before;
    struct rx_claim claim = {.order = order, .n_order = 3};

    (void)state;
    add(&tally, 5, 0, 3);
    add(&tally, 9, 0, 1); /* In no item. */
    add(&tally, 3, 0, 2);
    assert_int_equal(tally_value(&tally, NULL, &claim), 0);
    add(&tally, 5, 0, 4);
    add(&tally, 1, 0, 1);
    tally_copy(&before, &tally);
    assert_int_equal(tally_value(&tally, NULL, &claim), 4);
    add(&tally, 3, 0, 2);
    add(&tally, 1, 0, 1);
    assert_int_equal(tally_value(&tally, NULL, &claim), 6);
    assert_int_equal(tally_value(&tally, &before, &claim), 0);
    tally_fini(&tally);
    tally_fini(&before);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_counts_what_matches),
        cmocka_unit_test(test_a_share_is_rounded_to_the_nearest),
        cmocka_unit_test(test_the_first_and_the_last),
        cmocka_unit_test(test_an_order_is_broken_by_what_comes_late),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
