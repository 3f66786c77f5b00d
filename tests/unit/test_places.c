/* SPDX-License-Identifier: Apache-2.0 */

/* Where programs and data are, in a build tree and installed. */

#include <config.h>

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

#include "base/text.h"
#include "process/places.h"

/* This test is not where programs are: PROGRAM/PROGRAM. */
static void
test_another_program_is_not_in_a_build_tree(void **state)
{
    struct places places;
    char path[PLACES_PATH_SIZE];

    (void)state;
    places_find(&places);
    assert_string_equal(places.build, "");
    assert_string_equal(places_data(&places, "chips", "/usr/chips", path),
                        "/usr/chips");
    assert_string_equal(places_built(&places, "x.so", "/usr/x.so", path),
                        "/usr/x.so");
}

static void
test_a_build_tree_has_everything(void **state)
{
    static const struct places places = {
        .here = "/b/orchlab", .build = "/b", .source = "/s"};
    char path[PLACES_PATH_SIZE];

    (void)state;
    assert_string_equal(places_data(&places, "chips", "/usr/chips", path),
                        "/s/chips");
    assert_string_equal(places_built(&places, ".libs/x.so", "/usr/x.so", path),
                        "/b/.libs/x.so");
    assert_string_equal(places_program(&places, "orchd", path),
                        "/b/orchd/orchd");
}

/* bin and sbin of one installation; else PATH. */
static void
test_programs_are_beside_each_other(void **state)
{
    char top[] = "/tmp/places-XXXXXX";
    struct places places = {.here = ""};
    char path[PLACES_PATH_SIZE], folder[64], program[80];
    FILE *file;

    (void)state;
    assert_non_null(mkdtemp(top));
    text_format(places.here, sizeof places.here, "%s/bin", top);
    text_format(folder, sizeof folder, "%s/sbin", top);
    text_format(program, sizeof program, "%s/orchd", folder);
    assert_int_equal(mkdir(places.here, 0700), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_string_equal(places_program(&places, "orchd", path), "orchd");
    file = fopen(program, "we");
    assert_non_null(file);
    assert_int_equal(fchmod(fileno(file), 0700), 0);
    fclose(file);
    assert_non_null(
        strstr(places_program(&places, "orchd", path), "/bin/../sbin/orchd"));
    unlink(program);
    rmdir(folder);
    rmdir(places.here);
    rmdir(top);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_program_is_not_in_a_build_tree),
        cmocka_unit_test(test_a_build_tree_has_everything),
        cmocka_unit_test(test_programs_are_beside_each_other),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
