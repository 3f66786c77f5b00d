/* SPDX-License-Identifier: Apache-2.0 */

/* Where Redis is, which database has which number, and which letters it needs
 * to send notifications. */

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
#include <jansson.h>

#include "orchd/db/dbconfig.h"
#include "orchd/db/dbconfig_file.h"
#include "orchd/db/endpoint.h"
#include "orchd/db/notify.h"
#include "tests/support/tempfile.h"

static void
test_endpoints_parse_and_format(void **state)
{
    static const struct {
        const char *text;
        enum endpoint_kind kind;
        const char *path, *host;
        int port;
    } cases[] = {
        {"unix:/run/redis.sock", ENDPOINT_UNIX, "/run/redis.sock", "", 0},
        {"tcp:127.0.0.1:6379", ENDPOINT_TCP, "", "127.0.0.1", 6379},
        {"tcp:redis:1", ENDPOINT_TCP, "", "redis", 1},
        {"tcp:[::1]:65535", ENDPOINT_TCP, "", "::1", 65535},
        {"spawn", ENDPOINT_SPAWN, "", "", 0},
        {"spawn:/tmp/x", ENDPOINT_SPAWN, "/tmp/x", "", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct endpoint endpoint;
        char text[ENDPOINT_TEXT_SIZE];

        assert_int_equal(endpoint_parse(cases[i].text, &endpoint, NULL), ST_OK);
        assert_int_equal(endpoint.kind, cases[i].kind);
        assert_string_equal(endpoint.path, cases[i].path);
        assert_string_equal(endpoint.host, cases[i].host);
        assert_int_equal(endpoint.port, cases[i].port);
        endpoint_format(&endpoint, text);
        assert_string_equal(text, cases[i].text);
    }
}

static void
test_bad_endpoints_are_explained(void **state)
{
    static const char *const cases[] = {
        "",
        "redis",
        "unix:",
        "spawn:",
        "tcp:",
        "tcp:host",
        "tcp::6379",
        "tcp:host:0",
        "tcp:host:65536",
        "tcp:host:6379x",
        "tcp:[]:1",
        "unix:/"
        "0000000000000000000000000000000000000000000000000000000000000000000000"
        "00"
        "00000000000000000000000000000000000000000000",
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct endpoint endpoint = {.kind = ENDPOINT_UNIX, .path = "same"};
        struct err err;

        assert_int_equal(endpoint_parse(cases[i], &endpoint, &err), ST_INVALID);
        assert_true(*err.reason && *err.allowed && *err.remedy);
        assert_string_equal(endpoint.path, "same");
    }
}

static void
test_the_longest_path(void **state)
{
    enum { LONGEST = 106 };
    static const char prefix[] = "unix:/";
    char text[sizeof "unix:" + LONGEST + 1]; /* One byte too many. */
    struct endpoint endpoint;

    (void)state;
    memset(text, 'x', sizeof text);
    memcpy(text, prefix, strlen(prefix));
    text[sizeof text - 1] = '\0';
    assert_int_equal(endpoint_parse(text, &endpoint, NULL), ST_INVALID);
    text[sizeof text - 2] = '\0';
    assert_int_equal(endpoint_parse(text, &endpoint, NULL), ST_OK);
    assert_int_equal(strlen(endpoint.path), LONGEST);
}

static void
test_an_address_resolves_to_itself(void **state)
{
    struct endpoint endpoint;

    (void)state;
    assert_int_equal(endpoint_parse("tcp:127.0.0.1:1", &endpoint, NULL), ST_OK);
    assert_int_equal(endpoint_resolve(&endpoint, NULL), ST_OK);
    assert_string_equal(endpoint.host, "127.0.0.1");
}

static void
test_missing_notification_letters_are_added(void **state)
{
    static const struct {
        const char *present;
        const char *wanted; /* NULL: nothing is missing. */
    } cases[] = {
        {"", "Kgh$lszt"},         {"AKE", NULL},         {"AK", NULL},
        {"Kgh$lszt", NULL},       {"$hgxetzslKE", NULL}, {"AE", "AEK"},
        {"K", "Kgh$lszt"},        {"Kgh$", "Kgh$lszt"},  {"Ex", "ExKgh$lszt"},
        {"Kg$xlsz", "Kg$xlszht"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char wanted[64] = "untouched";
        bool lacks = notify_lacks(cases[i].present, wanted, sizeof wanted);

        assert_int_equal(lacks, cases[i].wanted != NULL);
        assert_string_equal(wanted, lacks ? cases[i].wanted : "untouched");
    }
}

/* Loads 'content' as a file. */
static enum st
load(struct dbconfig *config, const char *content, struct err *err)
{
    char path[TEMPFILE_SIZE];
    enum st status;

    tempfile_make(path, content);
    status = dbconfig_load(config, path, err);
    tempfile_remove(path);
    return status;
}

static void
test_usual_numbers_without_a_file(void **state)
{
    struct dbconfig config;

    (void)state;
    dbconfig_init(&config);
    assert_int_equal(config.databases[CONFIG_DB].number, 4);
    assert_int_equal(config.databases[CONFIG_DB].separator, '|');
    assert_int_equal(config.databases[ASIC_DB].separator, ':');
    assert_int_equal(config.databases[APPL_STATE_DB].number, 14);
    assert_string_equal(database_name(STATE_DB), "STATE_DB");
    assert_int_equal(config.port, 6379);
}

static void
test_a_file_overrides_what_it_names(void **state)
{
    struct dbconfig config;
    struct err err;

    (void)state;
    dbconfig_init(&config);
    assert_int_equal(
        load(&config,
             "{\"INSTANCES\":{\"redis\":{\"hostname\":\"::1\",\"port\":7000,"
             "\"unix_socket_path\":\"/x\"}},\"DATABASES\":{\"CONFIG_DB\":"
             "{\"id\":9,\"separator\":\"#\",\"instance\":\"redis\"},"
             "\"OTHER_DB\":{\"id\":3}},\"VERSION\":\"1.0\"}",
             &err),
        ST_OK);
    assert_int_equal(config.databases[CONFIG_DB].number, 9);
    assert_int_equal(config.databases[CONFIG_DB].separator, '#');
    assert_int_equal(config.databases[STATE_DB].number, 6);
    assert_string_equal(config.unix_path, "/x");
    assert_string_equal(config.host, "::1");
    assert_int_equal(config.port, 7000);
}

static void
test_bad_files_say_what_and_where(void **state)
{
    static const struct {
        const char *content;
        const char *reason; /* A part of it. */
    } cases[] = {
        {"{", ":1:1:"},
        {"[]", "DATABASES must"},
        {"{\"DATABASES\":{\"CONFIG_DB\":7}}", "DATABASES.CONFIG_DB must"},
        {"{\"DATABASES\":{\"CONFIG_DB\":{\"id\":\"4\"}}}", "CONFIG_DB.id"},
        {"{\"DATABASES\":{\"CONFIG_DB\":{\"id\":-1}}}", "CONFIG_DB.id"},
        {"{\"DATABASES\":{\"CONFIG_DB\":{\"id\":4,\"separator\":\"||\"}}}",
         "CONFIG_DB.separator"},
        {"{\"DATABASES\":{\"CONFIG_DB\":{\"id\":4,\"instance\":\"x\"}}}",
         "INSTANCES.x"},
        {"{\"INSTANCES\":{\"x\":{\"port\":0}},\"DATABASES\":"
         "{\"CONFIG_DB\":{\"id\":4,\"instance\":\"x\"}}}",
         "INSTANCES.x"},
        {"{\"DATABASES\":{\"CONFIG_DB\":{\"id\":4,\"instance\":\"x\"},"
         "\"STATE_DB\":{\"id\":6,\"instance\":\"y\"}}}",
         "STATE_DB is on instance y"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct dbconfig config, before;
        struct err err;

        dbconfig_init(&config);
        before = config;
        assert_int_equal(load(&config, cases[i].content, &err), ST_INVALID);
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("'%s' does not say '%s'", err.reason, cases[i].reason);
        }
        assert_memory_equal(&config, &before, sizeof config);
    }
}

static void
test_a_file_that_is_not_there(void **state)
{
    char nowhere[TEMPFILE_SIZE];
    struct dbconfig config;
    struct err err;

    (void)state;
    tempfile_missing(nowhere, "x.json");
    dbconfig_init(&config);
    assert_int_equal(dbconfig_load(&config, nowhere, &err), ST_NOT_FOUND);
    assert_true(strstr(err.reason, nowhere));
}

static void
test_a_written_file_is_what_sonic_has(void **state)
{
    static const struct {
        const char *name;
        int number;
        const char *separator;
    } cases[] = {
        {"APPL_DB", 0, ":"},         {"ASIC_DB", 1, ":"},
        {"COUNTERS_DB", 2, ":"},     {"LOGLEVEL_DB", 3, ":"},
        {"CONFIG_DB", 4, "|"},       {"PFC_WD_DB", 5, ":"},
        {"FLEX_COUNTER_DB", 5, ":"}, {"STATE_DB", 6, "|"},
        {"SNMP_OVERLAY_DB", 7, "|"}, {"RESTAPI_DB", 8, "|"},
        {"GB_ASIC_DB", 9, ":"},      {"GB_COUNTERS_DB", 10, ":"},
        {"PROFILE_DB", 15, "|"},     {"GB_FLEX_COUNTER_DB", 11, ":"},
        {"APPL_STATE_DB", 14, ":"},
    };
    const size_t n = sizeof cases / sizeof *cases;
    struct dbconfig config;
    json_t *root, *databases, *instance;
    char *text;

    (void)state;
    dbconfig_init(&config);
    text = dbconfig_file_text(&config, "/tmp/x/redis.sock");
    root = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    free(text);
    assert_non_null(root);
    databases = json_object_get(root, "DATABASES");
    assert_int_equal(json_object_size(databases), n);
    for (size_t i = 0; i < n; i++) {
        const char *separator, *of;
        int number;

        assert_int_equal(json_unpack(json_object_get(databases, cases[i].name),
                                     "{s:i, s:s, s:s !}", "id", &number,
                                     "separator", &separator, "instance", &of),
                         0);
        assert_int_equal(number, cases[i].number);
        assert_string_equal(separator, cases[i].separator);
        assert_string_equal(of, "redis");
    }
    instance = json_object_get(json_object_get(root, "INSTANCES"), "redis");
    /* swss-common requires all three. */
    assert_string_equal(
        json_string_value(json_object_get(instance, "unix_socket_path")),
        "/tmp/x/redis.sock");
    assert_string_equal(
        json_string_value(json_object_get(instance, "hostname")), "127.0.0.1");
    assert_int_equal(json_integer_value(json_object_get(instance, "port")),
                     6379);
    json_decref(root);
}

static void
test_a_written_file_is_read_back(void **state)
{
    struct dbconfig config, back;
    struct err err;
    char *text;

    (void)state;
    dbconfig_init(&config);
    config.databases[CONFIG_DB].number = 9;
    config.databases[CONFIG_DB].separator = '#';
    config.databases[FLEX_COUNTER_DB].number = 12;
    text = dbconfig_file_text(&config, "/tmp/a \"b\"/redis.sock");
    dbconfig_init(&back);
    assert_int_equal(load(&back, text, &err), ST_OK);
    assert_memory_equal(back.databases, config.databases,
                        sizeof config.databases);
    assert_string_equal(back.unix_path, "/tmp/a \"b\"/redis.sock");
    /* The older name follows. */
    assert_non_null(strstr(text, "\"PFC_WD_DB\": {\n            \"id\": 12,"));
    free(text);
    assert_null(dbconfig_file_text(&config, "/tmp/\xff/redis.sock"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endpoints_parse_and_format),
        cmocka_unit_test(test_bad_endpoints_are_explained),
        cmocka_unit_test(test_the_longest_path),
        cmocka_unit_test(test_an_address_resolves_to_itself),
        cmocka_unit_test(test_missing_notification_letters_are_added),
        cmocka_unit_test(test_usual_numbers_without_a_file),
        cmocka_unit_test(test_a_file_overrides_what_it_names),
        cmocka_unit_test(test_bad_files_say_what_and_where),
        cmocka_unit_test(test_a_file_that_is_not_there),
        cmocka_unit_test(test_a_written_file_is_what_sonic_has),
        cmocka_unit_test(test_a_written_file_is_read_back),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
