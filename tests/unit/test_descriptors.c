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

/* The hard limit stays as it is: valgrind lets nobody lower it. */
static void
test_the_limit_is_raised(void **state)
{
    struct rlimit limit;
    uint64_t most;

    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    most = limit.rlim_max;
    limit.rlim_cur = 60;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    for (int i = 0; i < 4; i++) {
        static const uint64_t wanted[] = {100, 50, UINT64_MAX, UINT64_MAX};
        const uint64_t expected = i < 2 ? 100 : most;

        assert_true(descriptors_raise(wanted[i]) == expected);
        assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
        assert_true(limit.rlim_cur == expected);
        assert_true(limit.rlim_max == most);
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
