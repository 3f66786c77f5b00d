/* SPDX-License-Identifier: Apache-2.0 */

/* The lock of the results of a run, among processes. */

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/text.h"
#include "orchlab/run_lock.h"

static char folder[] = "/tmp/test_run_lock.XXXXXX";
static char path[64], lock_path[80];

static int
make_folder(void **state)
{
    (void)state;
    assert_non_null(mkdtemp(folder));
    assert_true(text_format(path, sizeof path, "%s/a.sqlite", folder));
    assert_true(text_format(lock_path, sizeof lock_path, "%s.lock", path));
    return 0;
}

static int
remove_folder(void **state)
{
    (void)state;
    return rmdir(folder);
}

/* Another process that takes the lock, says so, and waits for a byte. */
struct holder {
    pid_t pid;
    int said, input; /* Pipes. */
};

static struct holder
start_holder(void)
{
    int said[2], input[2];
    struct holder holder;

    assert_int_equal(pipe(said), 0);
    assert_int_equal(pipe(input), 0);
    holder = (struct holder){fork(), said[0], input[1]};
    assert_true(holder.pid >= 0);
    if (!holder.pid) {
        struct run_lock *lock;
        struct err err = {0};
        bool waited;
        char byte;

        close(input[1]);
        if (run_lock_take(path, &lock, &waited, &err)) {
            _exit(1);
        }
        byte = waited ? 'w' : 'h';
        if (write(said[1], &byte, 1) != 1 || read(input[0], &byte, 1) != 1) {
            _exit(1);
        }
        run_lock_give(lock);
        _exit(0);
    }
    close(said[1]);
    close(input[0]);
    return holder;
}

/* Waits until 'holder' has the lock, and returns what it said. */
static char
hear(const struct holder *holder)
{
    char byte = 0;

    assert_int_equal(read(holder->said, &byte, 1), 1);
    return byte;
}

/* Waits until 'holder' waits for the lock: /proc/locks names it. */
static void
wait_until_blocked(const struct holder *holder)
{
    char line[256], pid[32];
    bool found = false;

    text_format(pid, sizeof pid, " %d ", (int)holder->pid);
    while (!found) {
        FILE *file = fopen("/proc/locks", "re");

        assert_non_null(file);
        while (!found && fgets(line, sizeof line, file)) {
            found = strstr(line, "->") && strstr(line, pid);
        }
        fclose(file);
    }
}

/* Lets 'holder' give the lock back, or kills it. */
static void
end(struct holder *holder, bool killed)
{
    int status;

    if (killed) {
        assert_int_equal(kill(holder->pid, SIGKILL), 0);
    } else {
        assert_int_equal(write(holder->input, "x", 1), 1);
    }
    assert_int_equal(waitpid(holder->pid, &status, 0), holder->pid);
    assert_true(killed ? WIFSIGNALED(status)
                       : WIFEXITED(status) && !WEXITSTATUS(status));
    close(holder->said);
    close(holder->input);
}

static void
test_the_file_exists_while_the_lock_is_held(void **state)
{
    struct run_lock *lock;
    struct err err = {0};
    bool waited = true;

    (void)state;
    assert_int_equal(run_lock_take(path, &lock, &waited, &err), ST_OK);
    assert_false(waited);
    assert_int_equal(access(lock_path, F_OK), 0);
    run_lock_give(lock);
    assert_int_not_equal(access(lock_path, F_OK), 0);
    run_lock_give(NULL);
}

static void
test_a_second_process_waits(void **state)
{
    struct holder first = start_holder(), second;

    (void)state;
    assert_int_equal(hear(&first), 'h');
    second = start_holder();
    wait_until_blocked(&second);
    end(&first, false);
    assert_int_equal(hear(&second), 'w');
    /* It has the file of its own, not the one that was removed. */
    assert_int_equal(access(lock_path, F_OK), 0);
    end(&second, false);
    assert_int_not_equal(access(lock_path, F_OK), 0);
}

static void
test_a_dead_process_holds_nothing(void **state)
{
    struct holder first = start_holder(), second, third;

    (void)state;
    assert_int_equal(hear(&first), 'h');
    second = start_holder();
    wait_until_blocked(&second);
    end(&first, true);
    assert_int_equal(hear(&second), 'w');
    end(&second, true);
    /* The file is still there, and nobody has it. */
    assert_int_equal(access(lock_path, F_OK), 0);
    third = start_holder();
    assert_int_equal(hear(&third), 'h');
    end(&third, false);
    assert_int_not_equal(access(lock_path, F_OK), 0);
}

static void
test_a_folder_that_is_not_there(void **state)
{
    struct run_lock *lock;
    struct err err = {0};
    bool waited;

    (void)state;
    assert_int_equal(run_lock_take("/nowhere/a", &lock, &waited, &err), ST_IO);
    assert_non_null(strstr(err.reason, "cannot lock /nowhere/a.lock"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_file_exists_while_the_lock_is_held),
        cmocka_unit_test(test_a_second_process_waits),
        cmocka_unit_test(test_a_dead_process_holds_nothing),
        cmocka_unit_test(test_a_folder_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
