/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "orchd/control/json_reader.h"

/* Appends a random value, large enough that containers are entered. */
static void
add_random(struct text *text, unsigned int *seed, int depth)
{
    static const char *const scalars[] = {
        "12",
        "-0.5e3",
        " true ",
        "null",
        "\"\"",
        "false",
        "\"a\\\"b\\\\\"",
        "\"]}\"",
        "\"\\u00e9\xc3\xa9\"",
    };
    const int kind = rand_r(seed) % (depth ? 4 : 2);
    const int n = rand_r(seed) % (depth > 3 ? 20 : 5);

    if (kind < 2) {
        text_add(text, scalars[rand_r(seed) % 9]);
        return;
    }
    text_add(text, kind == 2 ? "[" : "{ ");
    for (int i = 0; i < n; i++) {
        text_add(text, i ? rand_r(seed) % 2 ? "," : " ,\n" : "");
        if (kind == 3) {
            text_addf(text, "\"name \\\"%d\"%s:", i,
                      rand_r(seed) % 2 ? " " : "");
        }
        add_random(text, seed, depth - 1);
    }
    text_add(text, kind == 2 ? "]" : "\t}");
}

/* Checks that the reader returns what jansson does; returns the number of
 * slices. */
static size_t
check_read(const char *text, size_t length, size_t budget)
{
    json_t *expected = json_loadb(text, length, JSON_REJECT_DUPLICATES, NULL);
    struct json_reader *reader = json_reader_create(text, length);
    struct err err = {0};
    size_t n = 1;
    json_t *value;

    while (json_reader_read(reader, budget)) {
        n++;
    }
    assert_false(json_reader_read(reader, budget));
    value = json_reader_take(reader, &err);
    assert_int_equal(!value, !expected);
    if (expected) {
        assert_true(json_equal(value, expected));
    } else {
        assert_int_equal(err.status, ST_INVALID);
        assert_string_equal(err.code, "json");
    }
    json_decref(value);
    json_decref(expected);
    json_reader_destroy(reader);
    return n;
}

static void
test_values_are_those_of_jansson(void **state)
{
    unsigned int seed = 1;
    struct text text = {0};

    (void)state;
    for (int i = 0; i < 200; i++) {
        text_clear(&text);
        text_add(&text, i % 2 ? " [" : "[");
        add_random(&text, &seed, 6);
        text_add(&text, "] ");
        check_read(text_string(&text), text.length, 1 + (size_t)i % 5000);
    }
    text_fini(&text);
}

/* Random bytes are removed, doubled or replaced. */
static void
test_errors_are_those_of_jansson(void **state)
{
    static const char bytes[] = "{}[],:\"\\ x0\n\xff";
    unsigned int seed = 2;
    struct text text = {0};

    (void)state;
    for (int i = 0; i < 2000; i++) {
        size_t at;

        text_clear(&text);
        text_add(&text, "{\"a\":[");
        add_random(&text, &seed, 5);
        text_add(&text, "],\"b\":{\"c\":");
        add_random(&text, &seed, 5);
        text_add(&text, "}}");
        at = (size_t)rand_r(&seed) % text.length;
        if (i % 3 == 0) {
            memmove(text.bytes + at, text.bytes + at + 1, text.length - at);
            text.length--;
        } else {
            text.bytes[at] = bytes[(size_t)rand_r(&seed) % (sizeof bytes - 1)];
        }
        check_read(text.bytes, text.length, 1 + (size_t)i % 3000);
    }
    text_fini(&text);
}

/* Makes a text whose containers are all entered. */
static void
add_long(struct text *text, const char *item)
{
    text_add(text, "{\"x\":[");
    for (int i = 0; i < 1000; i++) {
        text_add(text, "\"0123456789\",");
    }
    text_addf(text, "%s]}", item);
}

static void
test_odd_texts(void **state)
{
    static const char *const items[] = {
        "1",    "",        "1,",       "1 2",  "{\"a\":1,\"a\":2}", "[1",
        "1]]",  "{\"a\"}", "{a:1}",    "nul",  "\"\\u0000\"",       "\"\\x\"",
        "\"a",  "]",       "}",        "1}",   "{\"a\":1",          "--1",
        "1]}x", "1]} {}",  "\"\x01\"", "1]},",
    };
    struct text text = {0};

    (void)state;
    for (size_t i = 0; i < sizeof items / sizeof *items; i++) {
        text_clear(&text);
        add_long(&text, items[i]);
        check_read(text.bytes, text.length, 1000);
    }
    for (int depth = 1; depth < 60; depth += 7) {
        text_clear(&text);
        for (int i = 0; i < depth; i++) {
            text_add(&text, "[");
        }
        add_long(&text, "1");
        for (int i = 0; i < depth - depth % 2; i++) {
            text_add(&text, "]");
        }
        check_read(text.bytes, text.length, 1000);
    }
    text_clear(&text);
    text_add(&text, "{\"a\":1,");
    for (int i = 0; i < 1000; i++) {
        text_addf(&text, "\"b%d\":[\"0123456789\"],", i);
    }
    text_add(&text, "\"a\":2}"); /* The second time. */
    check_read(text.bytes, text.length, 1000);
    check_read("", 0, 1);
    check_read(" ", 1, 1);
    check_read("1", 1, 1);
    check_read("\"a\"", 3, 1);
    check_read("[\0]", 3, 1);
    text_fini(&text);
}

static void
test_slices_keep_to_their_budget(void **state)
{
    struct text text = {0};

    (void)state;
    text_add(&text, "[");
    for (int i = 0; i < 100; i++) {
        text_add(&text, i ? "," : "");
        add_long(&text, "1");
    }
    text_add(&text, "]");
    assert_in_range(check_read(text.bytes, text.length, 10000),
                    text.length / 10000 - text.length / 50000,
                    text.length / 10000 + 1);
    text_fini(&text);
}

/* The sanitizers notice what would be left. */
static void
test_reading_may_end_in_the_middle(void **state)
{
    struct text text = {0};

    (void)state;
    add_long(&text, "1");
    for (int i = 0; i < 10; i++) {
        struct json_reader *reader =
            json_reader_create(text.bytes, text.length);

        for (int k = 0; k < i; k++) {
            assert_true(json_reader_read(reader, 100));
        }
        if (i % 2) {
            json_decref(json_reader_give_up(reader));
        }
        json_reader_destroy(reader);
    }
    json_reader_destroy(NULL);
    text_fini(&text);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_are_those_of_jansson),
        cmocka_unit_test(test_errors_are_those_of_jansson),
        cmocka_unit_test(test_odd_texts),
        cmocka_unit_test(test_slices_keep_to_their_budget),
        cmocka_unit_test(test_reading_may_end_in_the_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
