/* SPDX-License-Identifier: Apache-2.0 */

/* The config file of the daemon. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/secret.h"
#include "orchd/daemon/settings.h"
#include "orchd/daemon/settings_text.h"
#include "sai/loader/loader.h"

static enum st
parse(struct settings *settings, const char *text, struct err *err)
{
    settings_init(settings);
    return settings_parse(settings, text, strlen(text), "orchd.conf", err);
}

static void
test_defaults(void **state)
{
    struct settings settings;

    (void)state;
    settings_init(&settings);
    assert_false(settings.strict);
    assert_int_equal(settings.audit_seconds, 60);
    assert_int_equal(settings.scheduler_target, 0);
    settings_fini(&settings);
}

static void
test_blanks_comments_and_a_missing_end_of_line_are_fine(void **state)
{
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(parse(&settings,
                           "# our switch\n\n  strict=yes\r\ncompat = on\n"
                           "\t# more\n audit_seconds   =   5",
                           &err),
                     ST_OK);
    assert_true(settings.strict && settings.compat);
    assert_int_equal(settings.audit_seconds, 5);
    settings_fini(&settings);
}

static void
test_each_word_for_a_flag(void **state)
{
    static const struct {
        const char *word;
        enum st status;
        bool value;
    } cases[] = {
        {"true", ST_OK, true},       {"yes", ST_OK, true},
        {"on", ST_OK, true},         {"false", ST_OK, false},
        {"no", ST_OK, false},        {"off", ST_OK, false},
        {"1", ST_INVALID, false},    {"", ST_INVALID, false},
        {"True", ST_INVALID, false}, {"true|yes", ST_INVALID, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct settings settings;
        struct err err;

        settings_init(&settings);
        assert_int_equal(settings_set(&settings, "strict", cases[i].word, &err),
                         cases[i].status);
        assert_int_equal(settings.strict, cases[i].value);
        settings_fini(&settings);
    }
}

static void
test_errors_say_where_and_what(void **state)
{
    static const char *const cases[][2] = {
        {"strict", "orchd.conf:1: expected KEY = VALUE, found 'strict'"},
        {"\n\nstrikt = true", "orchd.conf:3: there is no setting 'strikt'"},
        {"strict = maybe",
         "orchd.conf:1: strict must be true|false, not 'maybe'"},
        {"audit_seconds = 86401",
         "orchd.conf:1: audit_seconds must be a number in 1..86400, "
         "not '86401'"},
        {"audit_seconds = 5s", "must be a number in 1..86400, not '5s'"},
        {"strict = true\nstrict = true\n", "orchd.conf:2: strict is set twice"},
        {" = 5\n", "there is no setting ''"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct settings settings;
        struct err err = {0};

        assert_int_equal(parse(&settings, cases[i][0], &err), ST_INVALID);
        assert_non_null(strstr(err.reason, cases[i][1]));
        settings_fini(&settings);
        assert_int_equal(parse(&settings, cases[i][0], NULL), ST_INVALID);
        settings_fini(&settings);
    }
}

static void
test_a_text_is_judged_by_its_own_lines(void **state)
{
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(parse(&settings, "strikt = yes\n", &err), ST_INVALID);
    assert_int_equal(
        settings_parse(&settings, "strict = yes\n", 13, "second", &err), ST_OK);
    assert_int_equal(settings_problem(&settings, 0, &err), ST_INVALID);
    settings_fini(&settings);
}

static void
test_pairs_are_set_together_or_not_at_all(void **state)
{
    static const struct settings_source environment = {
        SETTINGS_FROM_ENVIRONMENT, "ORCHD_PROFILE", 0};
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(parse(&settings, "profile = A=1\n", &err), ST_OK);
    assert_int_equal(settings_assign(&settings, "profile", "A=2 B=3 =bad",
                                     &environment, &err),
                     ST_INVALID);
    assert_int_equal(settings.profile.n, 1);
    assert_string_equal(settings.profile.list[0].value, "1");
    assert_int_equal(settings.profile.sources[0].line, 1);
    assert_int_equal(
        settings_assign(&settings, "profile", "A=2 B=3", &environment, &err),
        ST_OK);
    assert_int_equal(settings.profile.n, 2);
    assert_string_equal(settings.profile.list[0].value, "2");
    assert_int_equal(settings.profile.sources[0].line, 0);
    settings_fini(&settings);
}

static void
test_a_zero_byte_does_not_end_a_line(void **state)
{
    static const char text[] = "strict = true\0 or false\n";
    struct settings settings;
    struct err err;

    (void)state;
    settings_init(&settings);
    assert_int_equal(
        settings_parse(&settings, text, sizeof text - 1, "x", &err),
        ST_INVALID);
    assert_false(settings.strict);
    settings_fini(&settings);
}

static void
test_bytes_that_cannot_be_printed_are_not_repeated(void **state)
{
    struct settings settings;
    struct err err = {0};

    (void)state;
    assert_int_equal(parse(&settings, "str\033[31mict = true\n", &err),
                     ST_INVALID);
    assert_string_equal(err.reason, "orchd.conf:1: the line is not text");
    settings_fini(&settings);
    assert_int_equal(
        parse(&settings, "record\t=\t/tmp/gr\303\266\303\237e\n", &err), ST_OK);
    assert_string_equal(settings.record, "/tmp/gr\303\266\303\237e");
    settings_fini(&settings);
}

/* What test_the_sample_is_a_configuration() reads. */
static void
uncomment(char *text)
{
    for (char *line = text; line && *line;) {
        char *end = strchr(line, '\n');

        if (line[0] == '#' && line[1] != ' ') {
            line[0] = ' ';
        }
        line = end ? end + 1 : NULL;
    }
}

static void
test_the_sample_is_a_configuration(void **state)
{
    struct settings settings, again;
    struct err err = {0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    settings_init(&settings);
    settings_text_file(&settings, stream);
    fclose(stream);
    settings_fini(&settings);
    assert_int_equal(parse(&again, text, &err), ST_OK);
    assert_int_equal(again.sources[SETTINGS_INDEX_sai].origin,
                     SETTINGS_FROM_DEFAULT);
    settings_fini(&again);
    uncomment(text);
    assert_int_equal(parse(&again, text, &err), ST_OK);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        assert_int_equal(again.sources[i].origin, SETTINGS_FROM_FILE);
    }
    settings_fini(&again);
    free(text);
}

static void
test_a_file_with_values_is_read_back(void **state)
{
    struct settings settings, again;
    struct err err = {0};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    assert_int_equal(parse(&settings,
                           "strict = yes\nprofile = A=1 2\nprofile = B=\n"
                           "redis = unix:/r\nrepair = on\n",
                           &err),
                     ST_OK);
    settings_text_file(&settings, stream);
    fclose(stream);
    assert_int_equal(parse(&again, text, &err), ST_OK);
    for (size_t i = 0; i < N_SETTINGS; i++) {
        assert_false(
            settings_differ(&settings, &again, (enum settings_index)i));
    }
    settings_fini(&settings);
    settings_fini(&again);
    free(text);
}

static void
add_text(void *all, const struct settings_row *row)
{
    if (row->value) {
        strncat(all, row->value, 100);
        strcat(all, "\n");
    }
}

static void
test_secrets_are_masked(void **state)
{
    static const struct {
        const char *name;
        bool secret;
    } cases[] = {
        {"redis_password", true}, {"PASSKEY", true},
        {"auth_token", true},     {"redis_password_file", false},
        {"SAI_KEY", false},       {"SNMP_COMMUNITY", true},
    };
    struct settings settings;
    struct err err = {0};
    char all[4096] = "";

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(secret_is_name(cases[i].name), cases[i].secret);
    }
    assert_int_equal(parse(&settings, "profile = MY_PASSWORD=hunter2\n", &err),
                     ST_OK);
    settings_each(&settings, add_text, all);
    assert_non_null(strstr(all, "MY_PASSWORD=" SECRET_MASK));
    assert_null(strstr(all, "hunter2"));
    settings_fini(&settings);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(
            test_blanks_comments_and_a_missing_end_of_line_are_fine),
        cmocka_unit_test(test_each_word_for_a_flag),
        cmocka_unit_test(test_errors_say_where_and_what),
        cmocka_unit_test(test_a_text_is_judged_by_its_own_lines),
        cmocka_unit_test(test_pairs_are_set_together_or_not_at_all),
        cmocka_unit_test(test_a_zero_byte_does_not_end_a_line),
        cmocka_unit_test(test_bytes_that_cannot_be_printed_are_not_repeated),
        cmocka_unit_test(test_the_sample_is_a_configuration),
        cmocka_unit_test(test_a_file_with_values_is_read_back),
        cmocka_unit_test(test_secrets_are_masked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
