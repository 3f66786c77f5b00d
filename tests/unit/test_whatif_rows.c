/* SPDX-License-Identifier: Apache-2.0 */

/* Rows of CONFIG_DB that answers of orchlab whatif paste. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "orchlab/whatif_rows.h"

/* Ethernet0 has a profile with headroom for 3 and 4, Ethernet4 and Ethernet8
 * share a row, Ethernet12 has none with headroom, Ethernet28 names no priority
 * groups, and ports inside of a chassis have '-' in their names. */
static const char config_text[] =
    "{\"BUFFER_PROFILE\": {"
    "\"near\": {\"pool\": \"in\", \"size\": \"1248\", \"xoff\": \"1000\"},"
    "\"far\": {\"pool\": \"in\", \"size\": \"1248\", \"xoff\": \"30000\"},"
    "\"else\": {\"pool\": \"in2\", \"size\": \"1248\", \"xoff\": \"700000\"},"
    "\"inside\": {\"pool\": \"in4\", \"size\": \"1248\", \"xoff\": \"500\"},"
    "\"lossy\": {\"pool\": \"in\", \"size\": \"0\"}},"
    "\"BUFFER_PG\": {"
    "\"Ethernet0|0\": {\"profile\": \"lossy\"},"
    "\"Ethernet0|3-4\": {\"profile\": \"near\"},"
    "\"Ethernet4,Ethernet8|2-4\": {\"profile\": \"far\"},"
    "\"Ethernet12|0\": {\"profile\": \"lossy\"},"
    "\"Ethernet16|3\": {\"profile\": \"else\"},"
    "\"Ethernet20|3\": {\"profile\": \"none\"},"
    "\"Ethernet24|3\": {},"
    "\"Ethernet28\": {\"profile\": \"lossy\"},"
    "\"Ethernet-BP0,Ethernet-BP4|3\": {\"profile\": \"inside\"}}}";

static json_t *
parse(const char *text)
{
    json_t *json = json_loads(text, JSON_REJECT_DUPLICATES, NULL);

    assert_non_null(json);
    return json;
}

/* Checks that 'rows' are exactly those of 'text', and frees them. */
static void
check_rows(json_t *rows, const char *text)
{
    json_t *expected = parse(text);

    assert_true(json_equal(rows, expected));
    json_decref(expected);
    json_decref(rows);
}

static void
test_rows_are_added_and_replaced(void **state)
{
    json_t *rows = json_object();
    json_t *opened;

    (void)state;
    whatif_rows_add(rows, "t0", "PORT", "Ethernet0", parse("{\"mtu\": \"1\"}"));
    whatif_rows_add(rows, "t0", "PORT", "Ethernet4", parse("{\"mtu\": \"2\"}"));
    whatif_rows_add(rows, "t0", "WRED", "a", parse("{\"x\": \"3\"}"));
    whatif_rows_add(rows, "t1", "PORT", "Ethernet0", parse("{\"mtu\": \"4\"}"));
    whatif_rows_add(rows, "t0", "PORT", "Ethernet0", parse("{\"fec\": \"5\"}"));
    /* An opened row keeps what it has; another is new and empty. */
    opened = whatif_rows_open(rows, "t1", "PORT", "Ethernet0");
    json_object_set_new(opened, "fec", json_string("rs"));
    opened = whatif_rows_open(rows, "t2", "CABLE_LENGTH", "AZURE");
    assert_int_equal(json_object_size(opened), 0);
    check_rows(rows, "{\"t0\": {\"PORT\": {\"Ethernet0\": {\"fec\": \"5\"},"
                     "\"Ethernet4\": {\"mtu\": \"2\"}},"
                     "\"WRED\": {\"a\": {\"x\": \"3\"}}},"
                     "\"t1\": {\"PORT\": {\"Ethernet0\":"
                     "{\"mtu\": \"4\", \"fec\": \"rs\"}}},"
                     "\"t2\": {\"CABLE_LENGTH\": {\"AZURE\": {}}}}");
}

/* Rows that are gone are no rows to paste; a role without any is not named. */
static void
test_what_differs_is_collected(void **state)
{
    json_t *before = parse("{\"A\": {\"same\": {\"x\": \"1\"},"
                           "\"changed\": {\"x\": \"1\", \"y\": \"1\"},"
                           "\"gone\": {\"x\": \"1\"}},"
                           "\"GONE\": {\"a\": {}}}");
    json_t *after = parse("{\"A\": {\"same\": {\"x\": \"1\"},"
                          "\"changed\": {\"x\": \"1\", \"y\": \"2\"},"
                          "\"new\": {}}, \"NEW\": {\"b\": {\"z\": [\"3\"]}}}");
    json_t *rows = json_object();

    (void)state;
    whatif_rows_collect(rows, "t1", before, before);
    whatif_rows_collect(rows, "t0", before, after);
    /* The rows are copies. */
    json_array_clear(json_object_get(
        json_object_get(json_object_get(after, "NEW"), "b"), "z"));
    check_rows(rows, "{\"t0\": {\"A\": {\"changed\":"
                     "{\"x\": \"1\", \"y\": \"2\"}, \"new\": {}},"
                     "\"NEW\": {\"b\": {\"z\": [\"3\"]}}}}");
    rows = json_object();
    whatif_rows_collect(rows, "t0", NULL, before);
    assert_true(json_equal(json_object_get(rows, "t0"), before));
    json_decref(rows);
    json_decref(after);
    json_decref(before);
}

static void
test_numbers_are_read(void **state)
{
    json_t *row = parse("{\"a\": \"08\", \"b\": \"18446744073709551615\","
                        "\"c\": \"x\", \"d\": 7}");

    (void)state;
    assert_int_equal(whatif_rows_number(row, "a"), 8);
    assert_true(whatif_rows_number(row, "b") == UINT64_MAX);
    assert_int_equal(whatif_rows_number(row, "c"), 0);
    assert_int_equal(whatif_rows_number(row, "d"), 0);
    assert_int_equal(whatif_rows_number(row, "e"), 0);
    assert_int_equal(whatif_rows_number(NULL, "a"), 0);
    json_decref(row);
}

static void
test_profiles_with_headroom_are_found(void **state)
{
    static const struct {
        const char *port, *profile; /* NULL: none. */
    } cases[] = {
        {"Ethernet0", "near"},  {"Ethernet4", "far"},
        {"Ethernet8", "far"},   {"Ethernet12", NULL},
        {"Ethernet16", "else"}, {"Ethernet20", NULL},
        {"Ethernet24", NULL},   {"Ethernet1", NULL},
        {"Ethernet", NULL},     {"Ethernet80", NULL},
        {"Ethernet28", NULL},   {"Ethernet-BP4", "inside"},
        {"thernet8", NULL},     {"3-4", NULL},
    };
    json_t *config = parse(config_text);
    const json_t *profiles = json_object_get(config, "BUFFER_PROFILE");

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const json_t *found = NULL;
        const char *name = whatif_rows_lossless(config, cases[i].port, &found);

        if (cases[i].profile) {
            assert_non_null(name);
            assert_string_equal(name, cases[i].profile);
            assert_ptr_equal(found, json_object_get(profiles, name));
        } else {
            assert_null(name);
        }
    }
    json_decref(config);
}

/* By pool: ports of a row times its priority groups times the headroom. */
static void
test_headroom_is_added_up(void **state)
{
    json_t *config = parse(config_text);
    json_t *empty = json_object();

    (void)state;
    assert_int_equal(whatif_rows_headroom(config, "in"),
                     2 * 1000 + 2 * 3 * 30000);
    assert_int_equal(whatif_rows_headroom(config, "in2"), 700000);
    assert_int_equal(whatif_rows_headroom(config, "in3"), 0);
    assert_int_equal(whatif_rows_headroom(config, "in4"), 2 * 500);
    assert_int_equal(whatif_rows_headroom(empty, "in"), 0);
    json_decref(empty);
    json_decref(config);
}

/* All fields that are asked for have to be there; others do not matter. */
static void
test_rows_that_hold_are_known(void **state)
{
    json_t *config = parse("{\"BUFFER_POOL\": {\"in\": {\"xoff\": \"1000\", "
                           "\"mode\": \"dynamic\"}, \"out\": {}}}");
    json_t *rows = json_object();
    const char *table = NULL, *key = NULL;

    (void)state;
    assert_true(whatif_rows_hold(config, rows, &table, &key));
    json_object_set_new(whatif_rows_open(rows, "t0", "BUFFER_POOL", "in"),
                        "xoff", json_string("1000"));
    assert_true(whatif_rows_hold(config, json_object_get(rows, "t0"), &table,
                                 &key));
    json_object_set_new(whatif_rows_open(rows, "t0", "BUFFER_POOL", "out"),
                        "xoff", json_string("1000"));
    assert_false(whatif_rows_hold(config, json_object_get(rows, "t0"), &table,
                                  &key));
    assert_string_equal(table, "BUFFER_POOL");
    assert_string_equal(key, "out");
    json_object_set_new(whatif_rows_open(rows, "t1", "BUFFER_POOL", "in"),
                        "xoff", json_string("1001"));
    assert_false(whatif_rows_hold(config, json_object_get(rows, "t1"), &table,
                                  &key));
    assert_string_equal(key, "in");
    json_decref(rows);
    json_decref(config);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows_are_added_and_replaced),
        cmocka_unit_test(test_what_differs_is_collected),
        cmocka_unit_test(test_numbers_are_read),
        cmocka_unit_test(test_profiles_with_headroom_are_found),
        cmocka_unit_test(test_headroom_is_added_up),
        cmocka_unit_test(test_rows_that_hold_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
