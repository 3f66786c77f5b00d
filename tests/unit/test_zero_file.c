/* SPDX-License-Identifier: Apache-2.0 */

/* Files with zero profiles, good ones and wrong ones. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "orchd/derive/zero_profiles.h"
#include "orchd/files/zero_file.h"
#include "tests/support/tempfile.h"

#define POOL                                                                   \
    "{\"BUFFER_POOL_TABLE:zero\": {\"type\": \"ingress\", \"mode\": "          \
    "\"static\", \"size\": \"0\"}, \"OP\": \"SET\"}"
#define PROFILE                                                                \
    "{\"BUFFER_PROFILE_TABLE:none\": {\"pool\": \"zero\", \"size\": 0, "       \
    "\"static_th\": \"0\"}, \"OP\": \"SET\"}"
#define CONTROL(fields) "{\"control_fields\": {" fields "}, \"OP\": \"SET\"}"

static enum st
read_file(const char *text, struct zero_profiles *zeros, struct err *err)
{
    char path[TEMPFILE_SIZE];
    enum st st;

    tempfile_make(path, text);
    st = zero_file_read(path, zeros, err);
    tempfile_remove(path);
    return st;
}

/* Control fields may come before the rows that they name. */
static void
test_rows_and_control_fields_are_read(void **state)
{
    struct zero_profiles zeros = {0};
    struct err err = {0};

    (void)state;
    assert_int_equal(
        read_file("[" CONTROL("\"pgs_to_apply_zero_profile\": \"0,3-4\", "
                              "\"ingress_zero_profile\": \"none\", "
                              "\"support_removing_buffer_items\": \"no\"") //
                  ", " POOL ", " PROFILE "]",
                  &zeros, &err),
        ST_OK);
    assert_int_equal(zeros.n, 2);
    assert_string_equal(zero_field(&zeros.rows[0], "type"), "ingress");
    assert_string_equal(
        zero_field(zero_profiles_find(&zeros, TABLE_BUFFER_PROFILE, "none"),
                   "size"),
        "0");
    assert_null(zero_profiles_find(&zeros, TABLE_BUFFER_POOL, "none"));
    assert_true(zeros.has_ids[ZERO_INGRESS]);
    assert_int_equal(zeros.ids[ZERO_INGRESS], 0x19);
    assert_false(zeros.has_ids[ZERO_EGRESS]);
    assert_string_equal(zeros.named[ZERO_INGRESS], "none");
    assert_null(zeros.named[ZERO_EGRESS]);
    assert_true(zeros.keeps_rows);
    zero_profiles_fini(&zeros);
}

static void
test_wrong_files_are_refused_with_the_place(void **state)
{
    static const struct {
        const char *text, *reason;
    } cases[] = {
        {"", "expected near end of file"},
        {"{}", "expected a list"},
        {"[]", "has no zero profile"},
        {"[3]", "item 1 is no object"},
        {"[" POOL ", " POOL "]", "occurs twice"},
        {"[{\"BUFFER_PG_TABLE:x\": {}}]", "a row is a BUFFER_POOL_TABLE"},
        {"[{\"BUFFER_POOL_TABLE:x\": []}]", "expected an object"},
        {"[{\"BUFFER_POOL_TABLE:x\": {\"type\": null}}]", "type is neither"},
        {"[{\"BUFFER_POOL_TABLE:x\": {\"type\": \"in\"}}]", "type = in is not"},
        {"[{\"BUFFER_POOL_TABLE:x\": {\"typo\": \"1\"}}]", "typo = 1 is not"},
        {"[{\"BUFFER_POOL_TABLE:x\": {\"mode\": \"static\", \"size\": 0}}]",
         "x lacks type"},
        {"[{\"BUFFER_PROFILE_TABLE:x\": {\"pool\": \"p\", \"size\": 1518, "
         "\"static_th\": 0}}]",
         "a zero profile reserves nothing"},
        {"[{\"BUFFER_PROFILE_TABLE:x\": {\"pool\": \"p\", \"size\": 0}}]",
         "one of static_th and dynamic_th"},
        {"[{\"BUFFER_PROFILE_TABLE:x\": {\"pool\": \"p\", \"size\": 0, "
         "\"static_th\": 0, \"dynamic_th\": 0}}]",
         "one of static_th and dynamic_th"},
        {"[" POOL ", " CONTROL("\"egress_zero_profile\": \"no\"") "]",
         "there is no profile no"},
        {"[" POOL ", " CONTROL("\"pgs_to_apply_zero_profile\": \"0,64\"") "]",
         "0,64 is not a list of indices"},
        {"[" POOL ", " CONTROL("\"support_removing_buffer_items\": \"1\"") "]",
         "yes or no, not 1"},
        {"[" POOL ", " CONTROL("\"pgs\": \"1\"") "]", "no control field pgs"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct zero_profiles zeros = {0};
        struct err err = {0};

        assert_int_equal(read_file(cases[i].text, &zeros, &err), ST_INVALID);
        assert_int_equal(zeros.n, 0);
        assert_string_equal(err.code, "zero-profiles");
        assert_non_null(strstr(err.reason, "/tmp/orchd-test-"));
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("%s: not %s", err.reason, cases[i].reason);
        }
    }
}

static void
test_file_that_is_not_there(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct zero_profiles zeros = {0};
    struct err err = {0};

    (void)state;
    tempfile_missing(nowhere, "zero.json");
    assert_int_equal(zero_file_read(nowhere, &zeros, &err), ST_NOT_FOUND);
    assert_non_null(strstr(err.reason, nowhere));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_and_control_fields_are_read),
        cmocka_unit_test(test_wrong_files_are_refused_with_the_place),
        cmocka_unit_test(test_file_that_is_not_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
