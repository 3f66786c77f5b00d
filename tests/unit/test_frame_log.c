/* SPDX-License-Identifier: Apache-2.0 */

/* Frames that left a port, counted, shared out and put in order. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "breakpoint/frame_log.h"

/* Adds 'n' frames of a queue. */
static void
add(struct frame_log *log, uint8_t queue, uint8_t ecn, uint64_t n)
{
    const struct target_frames row = {.queue = queue, .ecn = ecn, .frames = n};

    frame_log_add(log, &row);
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
    struct frame_log log = {0}, before;
    struct rx_claim claim = {.where = of_queue(3)};

    (void)state;
    add(&log, 3, 0, 5);
    add(&log, 4, 0, 7);
    frame_log_copy(&before, &log);
    add(&log, 3, TARGET_ECN_CE, 2);
    add(&log, 3, 0, 1);
    assert_int_equal(log.n, 3);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 8);
    assert_int_equal(frame_log_value(&log, &before, &claim), 3);
    claim.where.has |= 1 << FRAME_CE;
    claim.where.values[FRAME_CE] = 1;
    assert_int_equal(frame_log_value(&log, NULL, &claim), 2);
    assert_int_equal(frame_log_value(&before, NULL, &claim), 0);
    claim.where.has = 0;
    assert_int_equal(frame_log_value(&log, NULL, &claim), 15);
    frame_log_fini(&log);
    frame_log_fini(&before);
}

static void
test_a_share_is_rounded_to_the_nearest(void **state)
{
    struct frame_log log = {0};
    struct rx_claim claim = {.is_share = true, .where = of_queue(3)};

    (void)state;
    assert_int_equal(frame_log_value(&log, NULL, &claim), 0);
    add(&log, 3, 0, 2);
    add(&log, 4, 0, 1);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 667);
    claim.where = (struct frame_match){.has = 1 << FRAME_CE};
    claim.where.values[FRAME_CE] = 1;
    claim.of = of_queue(3);
    add(&log, 3, TARGET_ECN_CE, 1);
    add(&log, 4, TARGET_ECN_CE, 9);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 333);
    frame_log_fini(&log);
}

static void
test_the_first_and_the_last(void **state)
{
    struct frame_log log = {.ordered = true}, before;
    struct rx_claim claim = {.where = of_queue(3), .first = 4};

    (void)state;
    add(&log, 3, 0, 3);
    add(&log, 4, 0, 2);
    add(&log, 3, 0, 1);
    assert_int_equal(log.n, 3);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 3);
    claim.first = 0;
    claim.last = 2;
    assert_int_equal(frame_log_value(&log, NULL, &claim), 1);
    claim.last = 100;
    assert_int_equal(frame_log_value(&log, NULL, &claim), 4);

    /* Frames that look as the last before the snapshot count as new. */
    frame_log_copy(&before, &log);
    add(&log, 3, 0, 2);
    add(&log, 4, 0, 8);
    claim.last = 0;
    claim.first = 3;
    assert_int_equal(frame_log_value(&log, &before, &claim), 2);
    frame_log_fini(&log);
    frame_log_fini(&before);
}

static void
test_an_order_is_broken_by_what_comes_late(void **state)
{
    const struct frame_match order[] = {of_queue(5), of_queue(3), of_queue(1)};
    struct frame_log log = {.ordered = true}, before;
    struct rx_claim claim = {.order = order, .n_order = 3};

    (void)state;
    add(&log, 5, 0, 3);
    add(&log, 9, 0, 1); /* In no item. */
    add(&log, 3, 0, 2);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 0);
    add(&log, 5, 0, 4);
    add(&log, 1, 0, 1);
    frame_log_copy(&before, &log);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 4);
    add(&log, 3, 0, 2);
    add(&log, 1, 0, 1);
    assert_int_equal(frame_log_value(&log, NULL, &claim), 6);
    assert_int_equal(frame_log_value(&log, &before, &claim), 0);
    frame_log_fini(&log);
    frame_log_fini(&before);
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
