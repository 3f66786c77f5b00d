/* SPDX-License-Identifier: Apache-2.0 */

/* Changes between JSON values and between columns: applied to the old value,
 * each gives the new one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "orchd/control/columns.h"
#include "orchd/page/delta.h"

/* Applies a change, as docs/reference/http.md says; returns a new value. */
static json_t *
apply(json_t *old, json_t *change)
{
    json_t *whole = json_object_get(change, "=");
    json_t *value, *member;
    const char *name;

    if (!json_is_object(change)) {
        return json_incref(change);
    }
    if (whole) {
        return json_incref(whole);
    }
    value = json_copy(old);
    json_object_foreach(change, name, member)
    {
        if (json_is_array(old)) {
            const size_t i = strtoul(name, NULL, 10);

            json_array_set_new(value, i, apply(json_array_get(old, i), member));
        } else if (json_is_null(member)) {
            assert_int_equal(json_object_del(value, name), 0);
        } else {
            json_object_set_new(value, name,
                                apply(json_object_get(old, name), member));
        }
    }
    return value;
}

/* Checks the change from one text of JSON to another. */
static void
check(const char *old_text, const char *new_text, const char *expected)
{
    json_t *old = json_loads(old_text, JSON_DECODE_ANY, NULL);
    json_t *new = json_loads(new_text, JSON_DECODE_ANY, NULL);
    json_t *change = delta_make(old, new);
    char *text = change ? json_dumps(change, JSON_COMPACT | JSON_ENCODE_ANY)
                        : strdup("same");

    assert_string_equal(text, expected);
    free(text);
    json_decref(change);
    json_decref(old);
    json_decref(new);
}

static void
test_the_format(void **state)
{
    (void)state;
    check("1", "1", "same");
    check("1", "2", "2");
    check("1", "\"a\"", "\"a\"");
    check("1", "null", "{\"=\":null}");
    check("null", "[]", "{\"=\":[]}");
    check("{\"a\":1,\"b\":2}", "{\"b\":3,\"c\":null}",
          "{\"b\":3,\"c\":{\"=\":null},\"a\":null}");
    check("{\"a\":null}", "{\"a\":1}", "{\"a\":1}");
    check("{}", "{\"a\":{}}", "{\"a\":{\"=\":{}}}");
    check("[1,2,3]", "[1,5,null]", "{\"1\":5,\"2\":{\"=\":null}}");
    check("[1,2]", "[1,2,3]", "{\"=\":[1,2,3]}");
    check("[[0,{\"a\":1}]]", "[[0,{\"a\":2}]]", "{\"0\":{\"1\":{\"a\":2}}}");
    check("{\"=\":1}", "{\"=\":1}", "same");
    check("{\"=\":1}", "{\"=\":2}", "{\"=\":{\"=\":2}}");
    check("{\"a\":1}", "{\"=\":1}", "{\"=\":{\"=\":1}}");
    check("{\"=\":1}", "{\"a\":1}", "{\"=\":{\"a\":1}}");
    check("{\"a\":{\"=\":1}}", "{\"a\":{\"b\":1}}",
          "{\"a\":{\"=\":{\"b\":1}}}");
    check("[]", "{}", "{\"=\":{}}");
}

/* Returns a random value of few kinds, so that parts are often equal. */
static json_t *
make_random(unsigned int *seed, int depth)
{
    static const char *const names[] = {"a", "b", "=", "1", "null"};
    json_t *value;
    int n = rand_r(seed) % 4;

    switch (rand_r(seed) % (depth ? 7 : 4)) {
    case 0:
        return json_null();
    case 1:
        return json_integer(rand_r(seed) % 3);
    case 2:
        return json_boolean(rand_r(seed) % 2);
    case 3:
        return json_string(names[rand_r(seed) % 5]);
    case 4:
        value = json_array();
        while (n--) {
            json_array_append_new(value, make_random(seed, depth - 1));
        }
        return value;
    default:
        value = json_object();
        while (n--) {
            /* "=" is rare, or most objects would be replaced. */
            json_object_set_new(
                value, names[rand_r(seed) % (rand_r(seed) % 9 ? 2 : 5)],
                make_random(seed, depth - 1));
        }
        return value;
    }
}

static void
test_changes_give_the_new_value(void **state)
{
    (void)state;
    for (unsigned int i = 0; i < 20000; i++) {
        unsigned int seed = i;
        json_t *old = make_random(&seed, 4);
        json_t *new = make_random(&seed, 4);
        json_t *change = delta_make(old, new);
        json_t *applied = change ? apply(old, change) : json_incref(old);

        if (!json_equal(applied, new) ||
            (change == NULL) != (bool)json_equal(old, new)) {
            fail_msg("seed %u", i);
        }
        json_decref(applied);
        json_decref(change);
        json_decref(old);
        json_decref(new);
    }
}

/* Fills in tables of the same columns with random numbers. */
static void
make_columns(struct columns *columns, unsigned int *seed)
{
    static const char *const first[] = {"a", "b"};
    static const char *const second[] = {"c"};
    static const int64_t values[] = {
        0, 1, -1, COLUMNS_NULL, INT64_MAX, INT64_MIN + 1};

    memset(columns, 0, sizeof *columns);
    columns->n_numbers = 1;
    columns->numbers[0].name = "n";
    columns->numbers[0].value = values[rand_r(seed) % 6];
    (void)columns_add_table(columns, "x", first, 2, (size_t)(rand_r(seed) % 3));
    (void)columns_add_table(columns, "y", second, 1,
                            (size_t)(rand_r(seed) % 2 * 50));
    for (size_t t = 0; t < columns->n_tables; t++) {
        struct columns_table *table = &columns->tables[t];

        for (size_t i = 0; i < table->n_columns; i++) {
            for (size_t row = 0; row < table->n_rows; row++) {
                if (rand_r(seed) % 3) {
                    table->values[i][row] = values[rand_r(seed) % 6];
                }
            }
        }
    }
}

/* Checks that the text of 'columns' is their JSON. */
static void
check_text(const struct columns *columns, const json_t *json)
{
    struct text text = {0};
    json_t *read;

    columns_print(columns, &text);
    read = json_loads(text_string(&text), 0, NULL);
    assert_true(json_equal(read, json));
    json_decref(read);
    text_fini(&text);
}

static void
test_columns_are_like_their_json(void **state)
{
    (void)state;
    for (unsigned int i = 0; i < 5000; i++) {
        unsigned int seed = i;
        struct columns old, new;
        struct columns *copy;
        struct text text = {0};
        json_t *old_json, *new_json, *change, *expected;

        make_columns(&old, &seed);
        make_columns(&new, &seed);
        copy = columns_copy(&new);
        old_json = columns_json(&old);
        new_json = columns_json(copy);
        check_text(&new, new_json);
        expected = delta_make(old_json, new_json);
        assert_int_equal(columns_print_change(&old, &new, &text),
                         expected != NULL);
        change = json_loads(text_string(&text), 0, NULL);
        if (!json_equal(change, expected) && (change || expected)) {
            fail_msg("seed %u: %s", i, text_string(&text));
        }
        text_clear(&text);
        assert_false(columns_print_change(&new, copy, &text));
        assert_int_equal(text.length, 0);
        json_decref(change);
        json_decref(expected);
        json_decref(old_json);
        json_decref(new_json);
        text_fini(&text);
        columns_fini(&old);
        columns_fini(&new);
        columns_destroy(copy);
    }
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_format),
        cmocka_unit_test(test_changes_give_the_new_value),
        cmocka_unit_test(test_columns_are_like_their_json),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
