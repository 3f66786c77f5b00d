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

#define MAX_ARGS 8

static const struct options_surroundings root = {0, "/run/user/0"};
static const struct options_surroundings user = {1000, "/run/user/1000"};

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

static void
test_defaults(void **state)
{
    static const char *const none[] = {NULL};
    struct options options;
    struct err err;

    (void)state;
    assert_int_equal(parse(none, &root, &options, &err), ST_OK);
    assert_false(options.redis_given);
    assert_null(options.config);
    assert_null(options.database_config);
    assert_string_equal(options.sai, PKGLIBDIR "/libsai-softasic.so");
    assert_string_equal(options.yang_dir, PKGDATADIR "/yang");
    assert_string_equal(options.control, "/run/orchd/control.sock");
    assert_int_equal(options.n_assignments, 0);
    assert_int_equal(options.log_level, LOG_INFO);
    options_fini(&options);
    assert_int_equal(parse(none, &user, &options, &err), ST_OK);
    assert_string_equal(options.control, "/run/user/1000/orchd.sock");
    options_fini(&options);
}

static void
test_every_option_is_taken(void **state)
{
    struct options options;
    struct err err;

    (void)state;
    assert_int_equal(PARSE(&user, &options, &err, "--redis", "spawn:/tmp/x",
                           "--sai=/l.so", "--control", "/c", "--strict",
                           "--log-level=debug"),
                     ST_OK);
    assert_true(options.redis_given);
    assert_int_equal(options.redis.kind, ENDPOINT_SPAWN);
    assert_string_equal(options.redis.path, "/tmp/x");
    assert_string_equal(options.sai, "/l.so");
    assert_string_equal(options.control, "/c");
    assert_int_equal(options.log_level, LOG_DEBUG);
    options_fini(&options);
    assert_int_equal(PARSE(&user, &options, &err, "--database-config=/d",
                           "--state-dir=/s", "--yang-dir=/y", "--help",
                           "--version"),
                     ST_OK);
    assert_string_equal(options.database_config, "/d");
    assert_string_equal(options.state_dir, "/s");
    assert_string_equal(options.yang_dir, "/y");
    assert_true(options.help && options.version);
    options_fini(&options);
    assert_int_equal(PARSE(&user, &options, &err, "--schema-dir=/s",
                           "--record=/r", "--sai-faults", "/f"),
                     ST_OK);
    assert_string_equal(options.yang_dir, "/s");
    assert_string_equal(options.record, "/r");
    assert_string_equal(options.sai_faults, "/f");
    options_fini(&options);
}

static void
test_profile_entries_add_up(void **state)
{
    struct options options;
    struct err err;

    (void)state;
    assert_int_equal(PARSE(&user, &options, &err, "--profile", "A=1",
                           "--profile=B=2=3", "--profile=C="),
                     ST_OK);
    assert_int_equal(options.n_profile, 3);
    assert_string_equal(options.profile[0].key, "A");
    assert_string_equal(options.profile[0].value, "1");
    assert_string_equal(options.profile[1].key, "B");
    assert_string_equal(options.profile[1].value, "2=3");
    assert_string_equal(options.profile[2].value, "");
    options_fini(&options);
}

static void
test_the_command_line_overrides_the_config_file(void **state)
{
    char path[] = "/tmp/test_options.XXXXXX";
    static const char text[] = "audit_seconds = 7\nstrict = no\n";
    struct options options;
    struct settings settings;
    struct err err;
    int file = mkstemp(path);

    (void)state;
    assert_true(file >= 0);
    assert_int_equal(write(file, text, sizeof text - 1), sizeof text - 1);
    close(file);
    assert_int_equal(PARSE(&user, &options, &err, "--set=audit_seconds=8",
                           "--config", path, "--set", "audit_seconds=9",
                           "--strict"),
                     ST_OK);
    assert_int_equal(options_settings(&options, &settings, &err), ST_OK);
    assert_int_equal(settings.audit_seconds, 9);
    assert_true(settings.strict);
    settings_fini(&settings);
    options_fini(&options);
    assert_int_equal(PARSE(&user, &options, &err, "--config", path, "--set",
                           "audit_seconds=0"),
                     ST_OK);
    assert_int_equal(options_settings(&options, &settings, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "1..86400"));
    settings_fini(&settings);
    options_fini(&options);
    unlink(path);
    assert_int_equal(PARSE(&user, &options, &err, "--config", path), ST_OK);
    assert_int_equal(options_settings(&options, &settings, &err), ST_NOT_FOUND);
    settings_fini(&settings);
    options_fini(&options);
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
        {"--log-level", "loud", NULL},
        {"--control", "", NULL},
        {"--strict=yes", NULL},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct options options;
        struct err err = {0};

        assert_int_equal(parse(cases[i], &user, &options, &err), ST_INVALID);
        assert_true(*err.reason && *err.remedy);
        options_fini(&options);
    }
}

static void
test_help_names_every_option(void **state)
{
    static const char *const names[] = {
        "--redis",     "--sai",           "--profile",
        "--control",   "--yang-dir",      "--sai-unversioned",
        "--strict",    "--config",        "--set",
        "--log-level", "--help",          "--version",
        "strict = ",   "audit_seconds = "};
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
        cmocka_unit_test(test_every_option_is_taken),
        cmocka_unit_test(test_profile_entries_add_up),
        cmocka_unit_test(test_the_command_line_overrides_the_config_file),
        cmocka_unit_test(test_bad_options_are_explained),
        cmocka_unit_test(test_help_names_every_option),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
