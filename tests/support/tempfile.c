/* SPDX-License-Identifier: Apache-2.0 */

/* mkstemp() and what belongs to it. */

#include <config.h>

#include "tests/support/tempfile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/text.h"

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
