/* SPDX-License-Identifier: Apache-2.0 */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "orchd/control/json_writer.h"

/* A list of 'n' objects, as commands answer. */
static json_t *
make_list(int n)
{
    json_t *list = json_array();

    for (int i = 0; i < n; i++) {
        json_array_append_new(
            list, json_pack("{s:s, s:i, s:{s:I, s:n, s:b}, s:[i, f, s]}",
                            "port", "Ethernet0", "index", i, "stats", "bytes",
                            (json_int_t)i * 1000, "none", "yes", i % 2, "more",
                            i, 0.5, "\"quoted\"\n"));
    }
    return json_pack("{s:i, s:{s:o}}", "exit", 0, "data", "queues", list);
}

/* Returns a value of up to 'depth' more levels. */
static json_t *
make_random(unsigned int *seed, int depth)
{
    static const int sizes[] = {0, 1, 5, 70, 200};
    const int kind = rand_r(seed) % (depth ? 8 : 4);
    json_t *value;
    char name[16];
    int n = sizes[rand_r(seed) % (depth > 2 ? 3 : 5)];

    switch (kind) {
    case 0:
        return json_integer(rand_r(seed));
    case 1:
        return json_sprintf("%0*d \\ \"", 1 + rand_r(seed) % 300, 7);
    case 2:
        return json_boolean(rand_r(seed) % 2);
    case 3:
        return json_null();
    case 4:
    case 5:
        value = json_array();
        while (n--) {
            json_array_append_new(value, make_random(seed, depth - 1));
        }
        return value;
    default:
        value = json_object();
        while (n--) {
            text_format(name, sizeof name, "\"%d|", rand_r(seed) % 1000);
            json_object_set_new(value, name, make_random(seed, depth - 1));
        }
        return value;
    }
}

/* Checks that the writer appends what jansson does; returns the number of
 * slices. */
static size_t
check_written(json_t *value, size_t budget)
{
    char *expected = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    struct text text = {0};
    struct json_writer *writer = json_writer_create(value, &text);
    size_t n = 1;

    while (json_writer_write(writer, budget)) {
        n++;
    }
    assert_false(json_writer_write(writer, budget));
    assert_string_equal(text_string(&text), expected);
    json_writer_destroy(writer);
    text_fini(&text);
    free(expected);
    return n;
}

static void
test_text_is_that_of_jansson(void **state)
{
    unsigned int seed = 1;

    (void)state;
    for (int i = 0; i < 300; i++) {
        check_written(make_random(&seed, 4), 1 + (size_t)i % 100);
    }
    check_written(json_object(), 1);
    check_written(json_array(), 1);
    check_written(json_string("only"), 1);
}

static void
test_short_value_takes_one_slice(void **state)
{
    (void)state;
    assert_int_equal(check_written(make_list(1), 1), 1);
    assert_int_equal(check_written(make_list(20), 1000), 1);
}

/* An object of the list has 11 values, and two more are the list's own. */
static void
test_slices_keep_to_their_budget(void **state)
{
    (void)state;
    assert_in_range(check_written(make_list(10000), 1000), 100, 120);
    assert_in_range(check_written(make_list(10000), 1), 10000, 10010);
}

/* A string counts more the longer it is. */
static void
test_long_strings_take_slices_of_their_own(void **state)
{
    json_t *list = json_array();
    char string[6401];

    (void)state;
    memset(string, 's', sizeof string - 1);
    string[sizeof string - 1] = '\0';
    for (int i = 0; i < 100; i++) {
        json_array_append_new(list, json_string(string));
    }
    assert_in_range(check_written(list, 100), 100, 102);
}

static void
test_text_grows_by_what_the_budget_allows(void **state)
{
    struct text text = {0};
    struct json_writer *writer = json_writer_create(make_list(10000), &text);
    size_t before = 0, most = 0;
    bool more;

    (void)state;
    do {
        more = json_writer_write(writer, 100);
        most = text.length - before > most ? text.length - before : most;
        before = text.length;
    } while (more);
    assert_in_range(most, 100, 2 * (100 + JSON_WRITER_PART) * 10);
    json_writer_destroy(writer);
    text_fini(&text);
}

/* More than JSON_WRITER_DEPTH levels, each with more than a part has. */
static void
test_deep_value(void **state)
{
    json_t *value = json_null();

    (void)state;
    for (int i = 0; i < 3 * JSON_WRITER_DEPTH; i++) {
        json_t *outer = json_array();

        for (int j = 0; j < 2 * JSON_WRITER_PART; j++) {
            json_array_append_new(outer, json_integer(j));
        }
        json_array_append_new(outer, value);
        value = i % 2 ? json_pack("{s:o}", "inner", outer) : outer;
    }
    assert_true(check_written(value, 10) > 10);
}

/* A part that has another reference stays as it is, at any depth. */
static void
test_shared_values_stay(void **state)
{
    json_t *value = make_list(1000);
    json_t *data = json_incref(json_object_get(value, "data"));
    json_t *list = json_object_get(data, "queues");
    json_t *copy = json_deep_copy(data);

    (void)state;
    check_written(value, 50);
    assert_true(json_equal(data, copy));
    json_incref(list);
    check_written(data, 50);
    assert_true(json_equal(list, json_object_get(copy, "queues")));
    json_decref(list);
    json_decref(copy);
}

/* Once written, values are freed in the same slice. */
static void
test_values_are_freed_on_the_way(void **state)
{
    json_t *value = make_list(1000);
    json_t *list = json_object_get(json_object_get(value, "data"), "queues");
    struct json_writer *writer = json_writer_create(value, NULL);

    (void)state;
    assert_true(json_writer_write(writer, 1100));
    assert_true(json_is_null(json_array_get(list, 50)));
    assert_true(json_is_object(json_array_get(list, 950)));
    while (json_writer_write(writer, 1100)) {
    }
    json_writer_destroy(writer);
}

/* The same for the members of an object. */
static void
test_members_are_freed_on_the_way(void **state)
{
    json_t *value = json_object();
    struct json_writer *writer;
    char name[16];

    (void)state;
    for (int i = 0; i < 1000; i++) {
        assert_true(text_format(name, sizeof name, "m%03d", i));
        json_object_set_new(value, name, json_integer(i));
    }
    writer = json_writer_create(value, NULL);
    assert_true(json_writer_write(writer, 100));
    assert_true(json_is_null(json_object_get(value, "m050")));
    assert_true(json_is_integer(json_object_get(value, "m950")));
    json_writer_destroy(writer);
}

/* The sanitizers notice what a writer that ends early would leak. */
static void
test_it_can_end_at_any_time(void **state)
{
    (void)state;
    for (size_t n = 0; n < 50; n++) {
        struct text text = {0};
        struct json_writer *writer = json_writer_create(make_list(100), &text);

        for (size_t i = 0; i < n; i++) {
            (void)json_writer_write(writer, 30);
        }
        json_writer_destroy(writer);
        text_fini(&text);
    }
    json_writer_destroy(NULL);
    json_writer_destroy(json_writer_create(NULL, NULL));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text_is_that_of_jansson),
        cmocka_unit_test(test_short_value_takes_one_slice),
        cmocka_unit_test(test_slices_keep_to_their_budget),
        cmocka_unit_test(test_long_strings_take_slices_of_their_own),
        cmocka_unit_test(test_text_grows_by_what_the_budget_allows),
        cmocka_unit_test(test_deep_value),
        cmocka_unit_test(test_shared_values_stay),
        cmocka_unit_test(test_values_are_freed_on_the_way),
        cmocka_unit_test(test_members_are_freed_on_the_way),
        cmocka_unit_test(test_it_can_end_at_any_time),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
