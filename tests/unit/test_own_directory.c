/* SPDX-License-Identifier: Apache-2.0 */

/* Directories that other users could exchange or write to are refused. */

#include <config.h>

#include <fcntl.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "process/own_directory.h"

struct fixture {
    char top[64], path[160];
};

static int
setup(void **state)
{
    struct fixture *fixture = calloc(1, sizeof *fixture);

    strcpy(fixture->top, "/tmp/orchd-test-XXXXXX");
    assert_non_null(mkdtemp(fixture->top));
    *state = fixture;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *fixture = *state;
    char command[100];

    snprintf(command, sizeof command, "rm -rf %s", fixture->top);
    assert_int_equal(system(command), 0);
    free(fixture);
    return 0;
}

/* Returns the path of 'name' in the directory of the test. */
static const char *
at(struct fixture *fixture, const char *name)
{
    snprintf(fixture->path, sizeof fixture->path, "%s/%s", fixture->top, name);
    return fixture->path;
}

/* Returns the lowest descriptor that is free. */
static int
free_descriptor(void)
{
    const int fd = dup(STDIN_FILENO);

    close(fd);
    return fd;
}

/* Opens 'path'; it must be 'expected', with a reason that has 'word'. */
static void
expect(const char *path, enum st expected, const char *word)
{
    char absolute[PATH_MAX] = "";
    struct err err = {0};
    struct stat named, opened;
    const int first = free_descriptor();
    int fd = -1;

    assert_int_equal(own_directory_open(path, "--what", &fd, absolute,
                                        sizeof absolute, &err),
                     expected);
    if (expected) {
        assert_int_equal(fd, -1);
        if (!strstr(err.reason, word)) {
            fail_msg("%s", err.reason);
        }
        assert_memory_equal(err.reason, "--what: ", 8);
        assert_int_equal(free_descriptor(), first);
        return;
    }
    assert_int_equal(absolute[0], '/');
    assert_int_equal(stat(absolute, &named), 0);
    assert_int_equal(fstat(fd, &opened), 0);
    assert_int_equal(named.st_ino, opened.st_ino);
    close(fd);
    assert_int_equal(free_descriptor(), first);
}

static void
test_own_directories(void **state)
{
    struct fixture *fixture = *state;
    struct stat file;
    char here[PATH_MAX];

    expect(fixture->top, ST_OK, "");
    expect(at(fixture, "new"), ST_OK, "");
    assert_int_equal(stat(at(fixture, "new"), &file), 0);
    assert_int_equal(file.st_mode & 07777, 0700);
    expect(at(fixture, "new"), ST_OK, "");
    expect(at(fixture, "new//./"), ST_OK, "");
    expect(at(fixture, "new/../other"), ST_OK, "");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(fixture->top), 0);
    expect("relative", ST_OK, "");
    expect(".", ST_OK, "");
    assert_int_equal(chdir(here), 0);
    assert_int_equal(stat(at(fixture, "relative"), &file), 0);
}

static void
test_what_others_can_change_is_refused(void **state)
{
    struct fixture *fixture = *state;

    expect(at(fixture, "real"), ST_OK, "");
    assert_int_equal(symlink("real", at(fixture, "link")), 0);
    expect(at(fixture, "link"), ST_INVALID, "link is a symbolic link");
    expect(at(fixture, "link/sub"), ST_INVALID, "link is a symbolic link");
    assert_int_equal(symlink("nowhere", at(fixture, "dangling")), 0);
    expect(at(fixture, "dangling"), ST_INVALID, "is a symbolic link");
    close(open(at(fixture, "file"), O_CREAT | O_WRONLY, 0600));
    expect(at(fixture, "file"), ST_INVALID, "is not a directory");
    expect(at(fixture, "none/sub"), ST_IO, "No such file");
    expect(at(fixture, "open"), ST_OK, "");
    assert_int_equal(chmod(at(fixture, "open"), 0770), 0);
    expect(at(fixture, "open"), ST_INVALID, "can be written by other users");
    expect(at(fixture, "open/sub"), ST_INVALID, "exchange what is in it");
    /* As /tmp: others can create files there, but not exchange ours. */
    assert_int_equal(chmod(at(fixture, "open"), 01777), 0);
    expect(at(fixture, "open"), ST_INVALID, "can be written by other users");
    expect(at(fixture, "open/sub"), ST_OK, "");
}

static void
test_directories_of_others_are_refused(void **state)
{
    struct fixture *fixture = *state;

    if (geteuid() == 0) {
        expect(at(fixture, "theirs"), ST_OK, "");
        assert_int_equal(chown(at(fixture, "theirs"), 54321, 54321), 0);
        expect(at(fixture, "theirs"), ST_INVALID, "belongs to another user");
        expect(at(fixture, "theirs/sub"), ST_INVALID,
               "belongs to another user, who");
    } else {
        expect("/", ST_INVALID, "belongs to another user");
    }
}

static void
test_paths_that_are_too_long(void **state)
{
    struct fixture *fixture = *state;
    char path[PATH_MAX + 100], small[16];
    struct err err = {0};
    int fd = -1;

    memset(path, 'x', sizeof path);
    path[sizeof path - 1] = '\0';
    expect(path, ST_IO, "--what: ");
    for (size_t i = 0; i < sizeof path - 1; i += 100) {
        path[i] = '/';
    }
    assert_int_equal(
        own_directory_open(path, "--what", &fd, small, sizeof small, &err),
        ST_IO);
    assert_int_equal(own_directory_open(fixture->top, "--what", &fd, small,
                                        sizeof small, &err),
                     ST_IO);
    /* A size has room for the terminator, too. */
    assert_int_equal(own_directory_open(fixture->top, "--what", &fd, path,
                                        strlen(fixture->top), &err),
                     ST_IO);
    assert_int_equal(own_directory_open(fixture->top, "--what", &fd, path,
                                        strlen(fixture->top) + 1, &err),
                     ST_OK);
    assert_string_equal(path, fixture->top);
    close(fd);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        TEST(test_own_directories),
        TEST(test_what_others_can_change_is_refused),
        TEST(test_directories_of_others_are_refused),
        TEST(test_paths_that_are_too_long),
    };
#undef TEST

    return cmocka_run_group_tests(tests, NULL, NULL);
}
