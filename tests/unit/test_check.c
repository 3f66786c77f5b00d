/* SPDX-License-Identifier: Apache-2.0 */

/* What the program says before it aborts. */

#include <config.h>

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/check.h"

/* Runs 'break_it' in another process, which must abort; stores in 'text' what
 * it prints to stderr. */
static void
abort_of(void (*break_it)(void), char *text, size_t size)
{
    size_t length = 0;
    ssize_t n;
    int pipe_fds[2], status;
    pid_t pid;

    assert_int_equal(pipe(pipe_fds), 0);
    pid = fork();
    if (!pid) {
        const struct rlimit no_core = {0, 0};

        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGABRT, SIG_DFL);
        dup2(pipe_fds[1], STDERR_FILENO);
        close(pipe_fds[0]);
        break_it();
        _exit(0);
    }
    assert_true(pid > 0);
    close(pipe_fds[1]);
    while (length + 1 < size &&
           (n = read(pipe_fds[0], text + length, size - length - 1)) > 0) {
        length += (size_t)n;
    }
    text[length] = '\0';
    close(pipe_fds[0]);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void
break_invariant(void)
{
    orch_assert(1 + 1 == 3);
}

static void
run_out_of_memory(void)
{
    check_no_memory(123456);
}

static void
test_a_broken_invariant_says_where(void **state)
{
    char text[512];

    (void)state;
    abort_of(break_invariant, text, sizeof text);
    assert_non_null(strstr(text, "test_check.c:"));
    assert_non_null(strstr(text, "1 + 1 == 3 does not hold"));
}

static void
test_out_of_memory_says_how_much_was_wanted(void **state)
{
    char text[512];

    (void)state;
    abort_of(run_out_of_memory, text, sizeof text);
    assert_non_null(
        strstr(text, "orchd: out of memory: 123456 bytes were wanted\n"));
}

#ifndef SANITIZED /* With sanitizers, malloc() itself ends the program. */

/* More than any machine has; volatile, or the compiler complains. */
static volatile size_t too_much = SIZE_MAX / 4;

static void
allocate(void)
{
    free(check_malloc(too_much));
}

static void
allocate_many(void)
{
    free(check_calloc(too_much, 8));
}

static void
grow(void)
{
    free(check_realloc(check_malloc(1), too_much));
}

static void
test_each_allocation_checks(void **state)
{
    void (*const fails[])(void) = {allocate, grow};
    char text[512], expected[128];

    (void)state;
    snprintf(expected, sizeof expected,
             "orchd: out of memory: %zu bytes were wanted\n", too_much);
    for (size_t i = 0; i < sizeof fails / sizeof *fails; i++) {
        abort_of(fails[i], text, sizeof text);
        assert_non_null(strstr(text, expected));
    }
    /* The product does not fit. */
    snprintf(expected, sizeof expected,
             "orchd: out of memory: %zu bytes were wanted\n", SIZE_MAX);
    abort_of(allocate_many, text, sizeof text);
    assert_non_null(strstr(text, expected));
}

#endif

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_broken_invariant_says_where),
        cmocka_unit_test(test_out_of_memory_says_how_much_was_wanted),
#ifndef SANITIZED
        cmocka_unit_test(test_each_allocation_checks),
#endif
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
