/* SPDX-License-Identifier: Apache-2.0 */

/* Names of tables, and keys of rows. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/intent/key.h"
#include "orchd/intent/table.h"

#define N(array) (sizeof(array) / sizeof *(array))

static void
test_table_is_found_by_its_whole_name(void **state)
{
    enum table table = N_TABLES;

    (void)state;
    for (int i = 0; i < N_TABLES; i++) {
        const char *name = table_name((enum table)i);

        assert_true(table_find(name, strlen(name), &table));
        assert_int_equal(table, i);
    }
    assert_true(table_find("PORT|Ethernet0", 4, &table));
    assert_int_equal(table, TABLE_PORT);
    table = N_TABLES;
    assert_false(table_find("POR", 3, &table));
    assert_false(table_find("PORTS", 5, &table));
    assert_false(table_find("port", 4, &table));
    assert_false(table_find("", 0, &table));
    assert_int_equal(table, N_TABLES);
}

static void
test_key_is_taken_apart(void **state)
{
    struct key key;

    (void)state;
    assert_int_equal(key_parse(TABLE_BUFFER_POOL, "a b", &key, NULL),
                     ST_INVALID);
    assert_int_equal(
        key_parse(TABLE_BUFFER_POOL, "ingress_lossless_pool", &key, NULL),
        ST_OK);
    assert_string_equal(key.name, "ingress_lossless_pool");
    assert_null(key.ports);
    key_fini(&key);
    assert_int_equal(
        key_parse(TABLE_BUFFER_PG, "Ethernet0,Ethernet4|3-4", &key, NULL),
        ST_OK);
    assert_int_equal(key.n_ports, 2);
    assert_string_equal(key.ports[0], "Ethernet0");
    assert_string_equal(key.ports[1], "Ethernet4");
    assert_int_equal(key.first, 3);
    assert_int_equal(key.last, 4);
    key_fini(&key);
    assert_null(key.ports);
    assert_int_equal(key_parse(TABLE_PORT_QOS_MAP, "global", &key, NULL),
                     ST_OK);
    assert_int_equal(key.n_ports, 1);
    assert_string_equal(key.ports[0], "global");
    key_fini(&key);
}

static void
test_key_names_system_ports(void **state)
{
    struct key key;
    char part[32];

    (void)state;
    assert_int_equal(
        key_parse(TABLE_QUEUE, "lc1|asic0|Ethernet0,Ethernet12|3-4", &key,
                  NULL),
        ST_OK);
    assert_int_equal(key.n_ports, 2);
    assert_string_equal(key.ports[0], "lc1|asic0|Ethernet0");
    assert_string_equal(key.ports[1], "lc1|asic0|Ethernet12");
    assert_true(key_is_system_port(key.ports[1]));
    assert_false(key_is_system_port("Ethernet12"));
    assert_int_equal(key.first, 3);
    assert_int_equal(key.last, 4);
    key_get_part(key.ports[1], KEY_PART_DEVICE, part, sizeof part);
    assert_string_equal(part, "lc1");
    key_get_part(key.ports[1], KEY_PART_ASIC, part, sizeof part);
    assert_string_equal(part, "asic0");
    key_get_part(key.ports[1], KEY_PART_PORT, part, sizeof part);
    assert_string_equal(part, "Ethernet12");
    strcpy(part, "lc1|asic0|Ethernet12|3-4");
    key_separate(part, ':');
    assert_string_equal(part, "lc1|asic0|Ethernet12:3-4");
    strcpy(part, "lc1|asic0|Ethernet12");
    key_separate(part, ':');
    assert_string_equal(part, "lc1|asic0|Ethernet12");
    strcpy(part, "Ethernet12|3-4");
    key_separate(part, ':');
    assert_string_equal(part, "Ethernet12:3-4");
    key_get_part(key.ports[1], KEY_PART_PORT, part, 6);
    assert_string_equal(part, "Ether");
    key_fini(&key);
    assert_int_equal(
        key_parse(TABLE_SYSTEM_PORT, "lc1|asic0|Ethernet0", &key, NULL), ST_OK);
    assert_string_equal(key.name, "lc1|asic0|Ethernet0");
    assert_null(key.ports);
    key_fini(&key);
}

/* What a key of each table is worth; the code is "" for a good one. */
static const struct {
    enum table table;
    const char *key;
    const char *code;
} key_cases[] = {
    {TABLE_BUFFER_PG, "Ethernet0|0", ""},
    {TABLE_BUFFER_PG, "Ethernet0|3-3", ""},
    {TABLE_BUFFER_PG, "Ethernet0|63", ""},
    {TABLE_BUFFER_PG, "1|0", ""},
    {TABLE_BUFFER_PG, "Ethernet0|64", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|7-3", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|03", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|3-04", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|00", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|3-", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|-3", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|3,4", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|x", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|", "key"},
    {TABLE_BUFFER_PG, "Ethernet0", "key"},
    {TABLE_BUFFER_PG, "|3", "key"},
    {TABLE_BUFFER_PG, "", "key"},
    {TABLE_BUFFER_PG, "Ethernet0,|3", "key"},
    {TABLE_BUFFER_PG, ",Ethernet0|3", "key"},
    {TABLE_BUFFER_PG, "Ethernet0,,Ethernet4|3", "key"},
    {TABLE_BUFFER_PG, "Ethernet0,Ethernet0|3", "key"},
    {TABLE_BUFFER_PG, "Ethernet4,Ethernet0,Ethernet4|3", "key"},
    {TABLE_BUFFER_PG, "Ethernet0, Ethernet4|3", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|3 ", "key"},
    {TABLE_BUFFER_PG, "Ethernet0|3|4", "key"},
    {TABLE_BUFFER_PG, "host|asic0|Ethernet0|3", "key"},
    {TABLE_BUFFER_QUEUE, "host|asic0|Ethernet0|3", ""},
    {TABLE_QUEUE, "host|asic0|Ethernet0|3-4", ""},
    {TABLE_QUEUE, "host|asic0|Ethernet0,Ethernet4|3-4", ""},
    {TABLE_QUEUE, "host|asic0|Ethernet0,Ethernet0|3-4", "key"},
    {TABLE_QUEUE, "host|asic0|Ethernet0,|3-4", "key"},
    {TABLE_QUEUE, "host|asic0|x|Ethernet0|3-4", "key"},
    {TABLE_BUFFER_PG, "host|asic0|Ethernet0|3", "key"},
    {TABLE_SYSTEM_PORT, "host|asic0|Ethernet0", ""},
    {TABLE_SYSTEM_PORT, "host|asic0|Ethernet 0", "key"},
    {TABLE_SYSTEM_PORT, "host|asic0", "key"},
    {TABLE_SYSTEM_PORT, "host|asic0|", "key"},
    {TABLE_SYSTEM_PORT, "host||Ethernet0", "key"},
    {TABLE_SYSTEM_PORT, "host|asic0|Ethernet0|3", "key"},
    {TABLE_SYSTEM_PORT, "", "key"},
    {TABLE_QUEUE, "host|asic0|Ethernet0|4-3", "key"},
    {TABLE_QUEUE, "host|asic0|Ethernet0|", "key"},
    {TABLE_QUEUE, "host||Ethernet0|3", "key"},
    {TABLE_QUEUE, "|asic0|Ethernet0|3", "key"},
    {TABLE_BUFFER_QUEUE, "asic0|Ethernet0|3", "key"},
    {TABLE_BUFFER_QUEUE, "Ethernet0|10-19", ""},
    {TABLE_PORT_QOS_MAP, "Ethernet0|3", "key"},
    {TABLE_PORT_QOS_MAP, "Ethernet0,Ethernet4", ""},
    {TABLE_BUFFER_POOL, "a|b", "key"},
    {TABLE_BUFFER_POOL, "", "key"},
};

static void
test_key_is_read_strictly(void **state)
{
    (void)state;
    for (size_t i = 0; i < N(key_cases); i++) {
        struct err err = {0};
        struct key key;
        enum st status =
            key_parse(key_cases[i].table, key_cases[i].key, &key, &err);

        if (strcmp(err.code, key_cases[i].code) != 0) {
            fail_msg("\"%s\": \"%s\", not \"%s\"", key_cases[i].key, err.code,
                     key_cases[i].code);
        }
        assert_int_equal(status, err.status);
        if (status) {
            struct key zero = {0};

            assert_memory_equal(&key, &zero, sizeof key);
            assert_string_not_equal(err.reason, "");
            assert_string_equal(err.value, key_cases[i].key);
        }
        key_fini(&key);
    }
}

/* A key that is none of the two forms of its table names both. */
static void
test_key_of_a_queue_has_two_forms(void **state)
{
    static const char *const wrong[] = {"asic0|Ethernet0|3", "a|b|c|d|3"};
    struct err err = {0};
    struct key key;

    (void)state;
    for (size_t i = 0; i < N(wrong); i++) {
        (void)!key_parse(TABLE_BUFFER_QUEUE, wrong[i], &key, &err);
        assert_non_null(strstr(err.allowed, "index or range: Ethernet0|3-4;"));
        assert_non_null(strstr(err.allowed, "lc1|asic0|Ethernet0|3-4"));
        /* Priority groups have one form. */
        (void)!key_parse(TABLE_BUFFER_PG, wrong[i], &key, &err);
        assert_string_equal(err.allowed,
                            "ports, '|' and an index or range: Ethernet0|3-4");
    }
    (void)!key_parse(TABLE_QUEUE, "host||Ethernet0|3", &key, &err);
    assert_string_equal(
        err.allowed,
        "device, ASIC, ports, and an index or range: lc1|asic0|Ethernet0|3-4");
}

static void
test_key_bounds_the_number_of_ports(void **state)
{
    struct text text = {0};
    struct key key;

    (void)state;
    for (int i = 0; i < KEY_PORTS_MAX; i++) {
        text_addf(&text, "%sp%d", i ? "," : "", i);
    }
    assert_int_equal(
        key_parse(TABLE_PORT_QOS_MAP, text_string(&text), &key, NULL), ST_OK);
    assert_int_equal(key.n_ports, KEY_PORTS_MAX);
    key_fini(&key);
    text_add(&text, ",q");
    assert_int_equal(
        key_parse(TABLE_PORT_QOS_MAP, text_string(&text), &key, NULL),
        ST_INVALID);
    text_fini(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table_is_found_by_its_whole_name),
        cmocka_unit_test(test_key_is_taken_apart),
        cmocka_unit_test(test_key_names_system_ports),
        cmocka_unit_test(test_key_is_read_strictly),
        cmocka_unit_test(test_key_of_a_queue_has_two_forms),
        cmocka_unit_test(test_key_bounds_the_number_of_ports),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
