/* SPDX-License-Identifier: Apache-2.0 */

/* mkstemp(), mkdtemp() and what belongs to them. */

#include <config.h>

#include "tests/support/tempfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"

static char folder[] = "/tmp/orchd-test-XXXXXX";

char tempfile_folder[TEMPFILE_SIZE] = "/tmp/orchd-test-XXXXXX";

static void
remove_folder(void)
{
    (void)!rmdir(folder);
}

void
tempfile_make(char path[TEMPFILE_SIZE], const char *text)
{
    FILE *file;
    int fd;

    text_copy(path, TEMPFILE_SIZE, "/tmp/orchd-test-XXXXXX");
    fd = mkstemp(path);
    assert_true(fd >= 0);
    file = fdopen(fd, "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

void
tempfile_remove(const char *path)
{
    assert_int_equal(unlink(path), 0);
}

void
tempfile_missing(char path[TEMPFILE_SIZE], const char *name)
{
    static bool exists;

    if (!exists) {
        assert_non_null(mkdtemp(folder));
        assert_int_equal(atexit(remove_folder), 0);
        exists = true;
    }
    text_format(path, TEMPFILE_SIZE, "%s/missing/%s", folder, name);
    assert_true(strlen(path) < TEMPFILE_SIZE - 1); /* It is not cut. */
}

int
tempfile_folder_make(void **state)
{
    (void)state;
    return mkdtemp(tempfile_folder) ? 0 : -1;
}

int
tempfile_folder_remove(void **state)
{
    (void)state;
    return rmdir(tempfile_folder);
}
