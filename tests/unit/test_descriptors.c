/* SPDX-License-Identifier: Apache-2.0 */

/* The limit of open files is raised as far as it may be, and never lowered. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>

#include <cmocka.h>

#include "process/descriptors.h"

static void
test_the_limit_is_raised(void **state)
{
    static const struct {
        uint64_t wanted, expected;
    } cases[] = {{100, 100}, {50, 100}, {300, 200}, {300, 200}};
    struct rlimit limit = {.rlim_cur = 60, .rlim_max = 200};

    (void)state;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(descriptors_raise(cases[i].wanted), cases[i].expected);
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
        assert_int_equal(limit.rlim_cur, cases[i].expected);
        assert_int_equal(limit.rlim_max, 200);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_limit_is_raised),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
