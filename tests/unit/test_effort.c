/* SPDX-License-Identifier: Apache-2.0 */

/* How much a call does per turn. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "orchd/control/effort.h"

#define NS_PER_MS INT64_C(1000000)

/* Lets turns pass in which each costs 'each_ns', and returns the longest. */
static int64_t
turns(struct effort *effort, int n, int64_t each_ns)
{
    int64_t longest_ns = 0;

    for (int i = 0; i < n; i++) {
        const int64_t took_ns = (int64_t)effort->n * each_ns;

        longest_ns = took_ns > longest_ns ? took_ns : longest_ns;
        effort_adapt(effort, effort->n, took_ns);
    }
    return longest_ns;
}

static void
test_turns_are_short_whatever_an_event_costs(void **state)
{
    (void)state;
    for (int64_t each_ns = 10; each_ns <= 10000; each_ns *= 10) {
        struct effort effort;

        effort_init(&effort, 64, 1 << 20);
        assert_true(turns(&effort, 100, each_ns) <= 3 * NS_PER_MS / 2);
        assert_true((int64_t)effort.n * each_ns >= NS_PER_MS / 2);
    }
}

static void
test_bounds(void **state)
{
    struct effort effort;

    (void)state;
    effort_init(&effort, 64, 1000);
    (void)turns(&effort, 100, 1);
    assert_int_equal(effort.n, 1000);
    (void)turns(&effort, 100, 100 * NS_PER_MS);
    assert_int_equal(effort.n, 1);
}

/* A turn that had less to do says nothing about a full one. */
static void
test_a_short_rest(void **state)
{
    struct effort effort;

    (void)state;
    effort_init(&effort, 64, 1000);
    effort_adapt(&effort, 3, 10);
    assert_int_equal(effort.n, 64);
    effort_adapt(&effort, 64, 10);
    assert_int_equal(effort.n, 128);
    effort_adapt(&effort, 3, 100 * NS_PER_MS);
    assert_int_equal(effort.n, 64);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_turns_are_short_whatever_an_event_costs),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_a_short_rest),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
