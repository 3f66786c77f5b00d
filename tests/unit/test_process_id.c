/* SPDX-License-Identifier: Apache-2.0 */

/* Which process is meant, and whether it runs. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"
#include "process/process_id.h"

/* Splits the identity of this process into its place ("HOST/BOOT/NAMESPACE"),
 * pid and start. */
static void
split_own(char *place, char **pid, char **start)
{
    process_id_own(place);
    *start = strrchr(place, '/');
    assert_non_null(*start);
    *(*start)++ = '\0';
    *pid = strrchr(place, '/');
    assert_non_null(*pid);
    *(*pid)++ = '\0';
}

static enum process_life
ask(const char *place, const char *pid, const char *start)
{
    char id[PROCESS_ID_SIZE];

    assert_true(text_format(id, sizeof id, "%s/%s/%s", place, pid, start));
    return process_id_life(id);
}

static void
test_this_process_runs(void **state)
{
    char id[PROCESS_ID_SIZE];

    (void)state;
    process_id_own(id);
    assert_int_equal(process_id_life(id), PROCESS_RUNS);
}

static void
test_a_pid_that_is_used_again_is_another_process(void **state)
{
    char place[PROCESS_ID_SIZE], *pid, *start;

    (void)state;
    split_own(place, &pid, &start);
    assert_int_equal(ask(place, pid, start), PROCESS_RUNS);
    assert_int_equal(ask(place, pid, "1"), PROCESS_ENDED);
}

static void
test_a_child_has_ended_before_and_after_it_is_reaped(void **state)
{
    char place[PROCESS_ID_SIZE], *pid, *start, child_pid[32];
    char child_id[PROCESS_ID_SIZE] = "";
    int pipes[2];
    pid_t child;
    siginfo_t info;

    (void)state;
    split_own(place, &pid, &start);
    assert_int_equal(pipe(pipes), 0);
    child = fork();
    if (!child) {
        process_id_own(child_id);
        _exit(write(pipes[1], child_id, sizeof child_id) !=
              (ssize_t)sizeof child_id);
    }
    assert_true(child > 0);
    assert_int_equal(read(pipes[0], child_id, sizeof child_id),
                     sizeof child_id);
    close(pipes[0]);
    close(pipes[1]);
    text_format(child_pid, sizeof child_pid, "/%ld/", (long)child);
    assert_non_null(strstr(child_id, child_pid));
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    assert_int_equal(process_id_life(child_id), PROCESS_ENDED); /* A zombie. */
    assert_int_equal(waitpid(child, NULL, 0), child);
    assert_int_equal(process_id_life(child_id), PROCESS_ENDED);
}

static void
test_processes_elsewhere_are_unknown(void **state)
{
    char place[PROCESS_ID_SIZE], *pid, *start;
    static const char *const strange[] = {"",  "/",       "-/-/-/1/-",
                                          "x", "a/b/c/d", "other/boot/1/1/1"};

    (void)state;
    for (size_t i = 0; i < sizeof strange / sizeof *strange; i++) {
        assert_int_equal(process_id_life(strange[i]), PROCESS_UNKNOWN);
    }
    split_own(place, &pid, &start);
    assert_int_equal(ask(place, "x", start), PROCESS_UNKNOWN);
    assert_int_equal(ask(place, "-1", start), PROCESS_UNKNOWN);
    assert_int_equal(ask(place, "0", start), PROCESS_UNKNOWN);
    assert_int_equal(ask(place, "99999999999999999999", start),
                     PROCESS_UNKNOWN);
    place[strlen(place) - 1] ^= 1; /* Another pid namespace. */
    assert_int_equal(ask(place, pid, start), PROCESS_UNKNOWN);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_this_process_runs),
        cmocka_unit_test(test_a_pid_that_is_used_again_is_another_process),
        cmocka_unit_test(test_a_child_has_ended_before_and_after_it_is_reaped),
        cmocka_unit_test(test_processes_elsewhere_are_unknown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
