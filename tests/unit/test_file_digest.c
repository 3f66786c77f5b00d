/* SPDX-License-Identifier: Apache-2.0 */

/* Digests of files and of folders of models. */

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

#include "base/digest.h"
#include "base/text.h"
#include "command/file_digest.h"
#include "tests/support/tempfile.h"

static char path[80];

/* Returns the path of 'name' in the folder. */
static const char *
place(const char *name)
{
    text_format(path, sizeof path, "%s/%s", tempfile_folder, name);
    return path;
}

static void
write_file(const char *name, const char *contents)
{
    FILE *file = fopen(place(name), "we");

    assert_non_null(file);
    assert_true(fputs(contents, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static uint64_t
models(void)
{
    uint64_t digest = DIGEST_START;
    struct err err = {0};

    assert_int_equal(file_digest_models(tempfile_folder, &digest, &err), ST_OK);
    return digest;
}

static void
test_a_file_is_its_bytes(void **state)
{
    char contents[10001];
    uint64_t digest = 77;
    struct err err = {0};

    (void)state;
    memset(contents, 'x', sizeof contents);
    contents[sizeof contents - 1] = '\0';
    write_file("a.yaml", contents);
    assert_int_equal(file_digest(place("a.yaml"), &digest, &err), ST_OK);
    assert_true(digest == digest_bytes(77, contents, strlen(contents)));
    assert_int_equal(unlink(place("a.yaml")), 0);
    assert_int_equal(file_digest(place("a.yaml"), &digest, &err), ST_IO);
    assert_non_null(strstr(err.reason, "a.yaml"));
    /* A folder can be opened, but not read. */
    assert_int_equal(file_digest(tempfile_folder, &digest, &err), ST_IO);
}

static void
test_models_are_names_and_contents_in_order(void **state)
{
    uint64_t expected = DIGEST_START, before;

    (void)state;
    write_file("b.json", "2");
    write_file("a.yaml", "1");
    write_file("README", "not a model");
    expected = digest_bytes(digest_text(expected, "a.yaml"), "1", 1);
    expected = digest_bytes(digest_text(expected, "b.json"), "2", 1);
    before = models();
    assert_true(before == expected);
    write_file("README", "another text");
    assert_true(models() == before);
    write_file("a.yaml", "3");
    assert_true(models() != before);
    assert_int_equal(unlink(place("a.yaml")), 0);
    assert_int_equal(unlink(place("b.json")), 0);
    assert_int_equal(unlink(place("README")), 0);
    assert_true(models() == DIGEST_START);
}

static void
test_what_cannot_be_read_is_reported(void **state)
{
    uint64_t digest = DIGEST_START;
    struct err err = {0};

    (void)state;
    assert_int_equal(file_digest_models("/nowhere", &digest, &err), ST_IO);
    assert_non_null(strstr(err.reason, "/nowhere"));
    assert_int_equal(mkdir(place("c.yaml"), 0777), 0);
    write_file("d.yaml", "4");
    assert_int_equal(file_digest_models(tempfile_folder, &digest, &err), ST_IO);
    assert_non_null(strstr(err.reason, "c.yaml"));
    assert_int_equal(rmdir(place("c.yaml")), 0);
    assert_int_equal(unlink(place("d.yaml")), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_file_is_its_bytes),
        cmocka_unit_test(test_models_are_names_and_contents_in_order),
        cmocka_unit_test(test_what_cannot_be_read_is_reported),
    };

    return cmocka_run_group_tests(tests, tempfile_folder_make,
                                  tempfile_folder_remove);
}
