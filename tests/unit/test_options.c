/* SPDX-License-Identifier: Apache-2.0 */

/* The command line. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "orchd/daemon/options.h"
#include "process/socket.h"
#include "sai/loader/loader.h"

#define MAX_ARGS 8

static const struct options_surroundings root = {0, "/run/user/0", NULL, NULL};
static const struct options_surroundings user = {1000, "/run/user/1000", NULL,
                                                 NULL};

/* Parses up to MAX_ARGS words, ended by NULL. */
static enum st
parse(const char *const *words, const struct options_surroundings *surroundings,
      struct options *options, struct err *err)
{
    static char name[] = "orchd";
    char *argv[MAX_ARGS + 2] = {name};
    int argc = 1;

    for (; words[argc - 1]; argc++) {
        assert_true(argc <= MAX_ARGS);
        argv[argc] = (char *)(uintptr_t)words[argc - 1];
    }
    return options_parse(argc, argv, surroundings, options, err);
}

#define PARSE(surroundings, options, err, ...)                                 \
    parse((const char *const[]){__VA_ARGS__, NULL}, surroundings, options, err)

/* Parses words and reads the settings. */
static enum st
read_settings(const char *const *words,
              const struct options_surroundings *surroundings,
              struct settings *settings, struct err *err)
{
    struct options options;
    enum st status = parse(words, surroundings, &options, err);

    if (status) {
        settings_init(settings);
    } else {
        status = options_settings(&options, settings, err);
    }
    options_fini(&options);
    return status;
}

#define READ(surroundings, settings, err, ...)                                 \
    read_settings((const char *const[]){__VA_ARGS__, NULL}, surroundings,      \
                  settings, err)

/* Writes 'text' to a new file; the caller removes it. */
static void
write_file(char *path, const char *text)
{
    int file = mkstemp(path);

    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
}

static void
test_defaults(void **state)
{
    static const char *const none[] = {NULL};
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(read_settings(none, &root, &settings, &err), ST_OK);
    assert_null(settings.redis);
    assert_null(settings.file);
    assert_null(settings.database_config);
    assert_string_equal(settings.sai, PKGLIBDIR "/libsai-softasic.so");
    assert_string_equal(settings.yang_dir, PKGDATADIR "/yang");
    assert_string_equal(settings.control, "/run/orchd/control.sock");
    assert_int_equal(settings.log_level, LOG_INFO);
    settings_fini(&settings);
    assert_int_equal(read_settings(none, &user, &settings, &err), ST_OK);
    assert_string_equal(settings.control, "/run/user/1000/orchd.sock");
    settings_fini(&settings);
}

static void
test_every_setting_is_an_option(void **state)
{
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(READ(&user, &settings, &err, "--redis", "spawn:/tmp/x",
                          "--sai=/l.so", "--control", "/c", "--strict",
                          "--log-level=debug"),
                     ST_OK);
    assert_string_equal(settings.redis, "spawn:/tmp/x");
    assert_string_equal(settings.sai, "/l.so");
    assert_string_equal(settings.control, "/c");
    assert_true(settings.strict);
    assert_int_equal(settings.log_level, LOG_DEBUG);
    settings_fini(&settings);
    assert_int_equal(READ(&user, &settings, &err, "--schema-dir=/s",
                          "--sai-faults", "/f", "--strict=no",
                          "--drift-seconds", "7", "--repair=on"),
                     ST_OK);
    assert_string_equal(settings.yang_dir, "/s");
    assert_string_equal(settings.sai_faults, "/f");
    assert_false(settings.strict);
    assert_int_equal(settings.drift_seconds, 7);
    assert_int_equal(settings.repair, SETTINGS_REPAIR_ON);
    assert_string_equal(settings.sources[SETTINGS_INDEX_repair].name,
                        "--repair");
    settings_fini(&settings);
}

static void
test_what_to_do_is_an_option(void **state)
{
    struct options options;
    struct err err;

    (void)state;
    assert_int_equal(PARSE(&user, &options, &err, "--help", "--version",
                           "--json", "--print-config"),
                     ST_OK);
    assert_true(options.help && options.version && options.json &&
                options.print_config);
    options_fini(&options);
    assert_int_equal(PARSE(&user, &options, &err, "--check-config", "/x.conf"),
                     ST_OK);
    assert_true(options.check_config);
    assert_string_equal(options.config, "/x.conf");
    options_fini(&options);
}

static void
test_profile_entries_add_up_and_a_later_one_wins(void **state)
{
    static const char *const environment[] = {"ORCHD_PROFILE=A=9  D=4", NULL};
    const struct options_surroundings around = {1000, "/run", NULL,
                                                environment};
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(READ(&around, &settings, &err, "--profile", "A=1",
                          "--profile=B=2=3 4", "--profile=C="),
                     ST_OK);
    assert_int_equal(settings.profile.n, 4);
    assert_string_equal(settings.profile.list[0].key, "A");
    assert_string_equal(settings.profile.list[0].value, "1");
    assert_string_equal(settings.profile.list[1].key, "D");
    assert_string_equal(settings.profile.list[2].value, "2=3 4");
    assert_string_equal(settings.profile.list[3].value, "");
    assert_string_equal(settings.profile.sources[0].name, "--profile");
    assert_string_equal(settings.profile.sources[1].name, "ORCHD_PROFILE");
    settings_fini(&settings);
}

static void
test_command_line_before_environment_before_file(void **state)
{
    static const char *const environment[] = {
        "ORCHD_AUDIT_SECONDS=8", "ORCHD_DRIFT_SECONDS=80", "HOME=/", NULL};
    const struct options_surroundings around = {1000, "/run", NULL,
                                                environment};
    char path[] = "/tmp/test_options.XXXXXX";
    struct settings settings;
    struct err err;

    (void)state;
    write_file(path, "audit_seconds = 7\ndrift_seconds=70\n\nstrict = yes\n");
    assert_int_equal(READ(&around, &settings, &err, "--set=audit_seconds=9",
                          "--config", path),
                     ST_OK);
    assert_int_equal(settings.audit_seconds, 9);
    assert_int_equal(settings.drift_seconds, 80);
    assert_true(settings.strict);
    assert_int_equal(settings.sources[SETTINGS_INDEX_audit_seconds].origin,
                     SETTINGS_FROM_OPTION);
    assert_int_equal(settings.sources[SETTINGS_INDEX_drift_seconds].origin,
                     SETTINGS_FROM_ENVIRONMENT);
    assert_int_equal(settings.sources[SETTINGS_INDEX_strict].origin,
                     SETTINGS_FROM_FILE);
    assert_int_equal(settings.sources[SETTINGS_INDEX_strict].line, 4);
    assert_string_equal(settings.file, path);
    settings_fini(&settings);
    unlink(path);
    assert_int_equal(READ(&around, &settings, &err, "--config", path),
                     ST_NOT_FOUND);
    settings_fini(&settings);
}

static void
test_the_usual_file_may_be_absent(void **state)
{
    char path[] = "/tmp/test_options.XXXXXX";
    static const char *const other[] = {"ORCHD_CONFIG=/dev/null", NULL};
    const struct options_surroundings around = {1000, "/run", path, NULL};
    const struct options_surroundings named = {1000, "/run", path, other};
    static const char *const none[] = {NULL};
    struct settings settings;
    struct err err;

    (void)state;
    write_file(path, "strict = yes\n");
    assert_int_equal(read_settings(none, &around, &settings, &err), ST_OK);
    assert_true(settings.strict);
    settings_fini(&settings);
    assert_int_equal(read_settings(none, &named, &settings, &err), ST_OK);
    assert_false(settings.strict);
    settings_fini(&settings);
    unlink(path);
    assert_int_equal(read_settings(none, &around, &settings, &err), ST_OK);
    assert_null(settings.file);
    assert_int_equal(settings.n_problems, 0);
    settings_fini(&settings);
}

static void
test_the_usual_file_must_be_a_file(void **state)
{
    const struct options_surroundings around = {1000, "/run", "/tmp", NULL};
    static const char *const none[] = {NULL};
    struct settings settings;
    struct err err;

    (void)state;
    assert_int_equal(read_settings(none, &around, &settings, &err), ST_IO);
    assert_non_null(strstr(err.reason, "Is a directory"));
    settings_fini(&settings);
}

static void
test_the_longest_control_socket(void **state)
{
    char path[SOCKET_PATH_SIZE + 1];
    struct settings settings;
    struct err err;

    (void)state;
    memset(path, '/', sizeof path);
    for (size_t i = 0; i < 2; i++) {
        path[SOCKET_PATH_SIZE - 1] = i ? '/' : '\0';
        path[SOCKET_PATH_SIZE] = '\0';
        assert_int_equal(READ(&user, &settings, &err, "--control", path),
                         i ? ST_INVALID : ST_OK);
        settings_fini(&settings);
    }
}

static void
test_all_errors_are_reported_with_their_places(void **state)
{
    static const char *const environment[] = {"ORCHD_REPAIR=maybe",
                                              "ORCHD_AUDIT_SECOND=3", NULL};
    const struct options_surroundings around = {1000, "/run", NULL,
                                                environment};
    char path[] = "/tmp/test_options.XXXXXX";
    struct settings settings;
    struct err err;
    char where[64];

    (void)state;
    write_file(path, "strikt = 1\n\naudit_seconds = 0\nredis = nowhere\n");
    assert_int_equal(
        READ(&around, &settings, &err, "--config", path, "--log-level", "loud"),
        ST_INVALID);
    assert_int_equal(settings.n_problems, 6);
    snprintf(where, sizeof where, "%s:1: there is no setting 'strikt'", path);
    assert_non_null(strstr(settings.problems[0].reason, where));
    assert_non_null(strstr(settings.problems[0].reason, "'strict'?"));
    snprintf(where, sizeof where, "%s:3: audit_seconds must be", path);
    assert_non_null(strstr(settings.problems[1].reason, where));
    assert_non_null(strstr(settings.problems[2].reason, "ORCHD_REPAIR: "));
    assert_int_equal(settings.problems[3].status, ST_UNSUPPORTED);
    assert_non_null(strstr(settings.problems[3].reason, "'audit_seconds'?"));
    assert_non_null(strstr(settings.problems[4].reason, "--log-level: "));
    snprintf(where, sizeof where, "%s:4: 'nowhere'", path);
    assert_non_null(strstr(settings.problems[5].reason, where));
    settings_fini(&settings);
    unlink(path);
}

static void
test_a_file_has_a_limited_size(void **state)
{
    enum { LIMIT = 1 << 20 };
    struct settings settings;
    struct err err;
    char *text = malloc(LIMIT + 2);

    (void)state;
    memset(text, '\n', LIMIT + 1);
    text[LIMIT + 1] = '\0';
    for (int i = 0; i < 2; i++) {
        char path[] = "/tmp/test_options.XXXXXX";

        text[LIMIT] = i ? '\n' : '\0';
        write_file(path, text);
        assert_int_equal(READ(&user, &settings, &err, "--config", path),
                         i ? ST_INVALID : ST_OK);
        assert_true(!i || strstr(err.reason, "more than 1048576 bytes"));
        settings_fini(&settings);
        unlink(path);
    }
    free(text);
}

static void
test_settings_that_exclude_each_other(void **state)
{
    static const char *const others[] = {"input=appl_db", "compat=true"};
    struct settings settings;
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        assert_int_equal(READ(&user, &settings, &err, "--set",
                              "output=orchagent", "--set", others[i]),
                         ST_INVALID);
        assert_non_null(strstr(err.reason, "output=orchagent"));
        assert_true(*err.remedy);
        settings_fini(&settings);
        assert_int_equal(READ(&user, &settings, &err, "--set", others[i]),
                         ST_OK);
        settings_fini(&settings);
    }
}

static void
test_bad_options_are_explained(void **state)
{
    static const char *const cases[][3] = {
        {"--nonsense", NULL},
        {"word", NULL},
        {"-x", NULL},
        {"--redis", NULL},
        {"--redis", "nowhere", NULL},
        {"--redis=tcp:host", NULL},
        {"--profile", "SOFTASIC_MODEL", NULL},
        {"--profile", "=x", NULL},
        {"--config", NULL},
        {"--set", NULL},
        {"--set", "audit_seconds=0", NULL},
        {"--log-level", "loud", NULL},
        {"--control", "", NULL},
        {"--strict=maybe", NULL},
        {"--json", NULL},
        {"--json", "--check-config", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct settings settings;
        struct err err = {0};

        assert_int_equal(read_settings(cases[i], &user, &settings, &err),
                         ST_INVALID);
        assert_true(*err.reason && *err.remedy);
        settings_fini(&settings);
    }
}

static void
test_help_names_every_option(void **state)
{
    static const char *const names[] = {"--redis",
                                        "--sai",
                                        "--profile",
                                        "--control",
                                        "--yang-dir",
                                        "--sai-unversioned",
                                        "--strict",
                                        "--config",
                                        "--set",
                                        "--log-level",
                                        "--help",
                                        "--version",
                                        "--audit-seconds 1..86400"};
    char *text = NULL;
    size_t size;
    FILE *stream = open_memstream(&text, &size);

    (void)state;
    options_help(stream);
    fclose(stream);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        assert_non_null(strstr(text, names[i]));
    }
    for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
        assert_true(strcspn(line, "\n") <= 80 || strchr(line, '/'));
    }
    free(text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_setting_is_an_option),
        cmocka_unit_test(test_what_to_do_is_an_option),
        cmocka_unit_test(test_profile_entries_add_up_and_a_later_one_wins),
        cmocka_unit_test(test_command_line_before_environment_before_file),
        cmocka_unit_test(test_the_usual_file_may_be_absent),
        cmocka_unit_test(test_all_errors_are_reported_with_their_places),
        cmocka_unit_test(test_a_file_has_a_limited_size),
        cmocka_unit_test(test_the_usual_file_must_be_a_file),
        cmocka_unit_test(test_the_longest_control_socket),
        cmocka_unit_test(test_settings_that_exclude_each_other),
        cmocka_unit_test(test_bad_options_are_explained),
        cmocka_unit_test(test_help_names_every_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
