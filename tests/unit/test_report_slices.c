/* SPDX-License-Identifier: Apache-2.0 */

/* Reports that are made in slices, while rows change between two of them. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/text.h"
#include "orchd/report/explain.h"
#include "orchd/report/row_answers.h"
#include "tests/support/agent_harness.h"

enum { N_PROFILES = 20 };

#define PROFILE "pool=ingress;size=0;dynamic_th=0"
#define WAITING "pool=ingres;size=0;dynamic_th=0"

static void
put_profile(struct harness *harness, unsigned int i, const char *fields)
{
    char key[32];

    assert_true(text_format(key, sizeof key, "row_%02u", i));
    harness_apply(harness, "BUFFER_PROFILE", key, fields);
}

static void
put_profiles(struct harness *harness, const char *fields)
{
    for (unsigned int i = 0; i < N_PROFILES; i++) {
        put_profile(harness, i, fields);
    }
}

static json_int_t
count(const json_t *data, const char *state)
{
    return json_integer_value(
        json_object_get(json_object_get(data, "counts"), state));
}

/* Searches in the smallest slices, and calls 'change' between them. */
static json_t *
search(struct harness *harness, struct row_answers *answers,
       void (*change)(struct harness *harness, unsigned int n))
{
    unsigned int n = 0;

    row_answers_begin(answers, harness->agent);
    while (row_answers_continue(answers, 1)) {
        change(harness, n++);
    }
    return row_answers_end(answers);
}

static void
change_nothing(struct harness *harness, unsigned int n)
{
    (void)harness;
    (void)n;
}

static void
test_slices_find_what_one_piece_does(void **state)
{
    struct row_answers slices = {0}, piece = {0};
    json_t *found, *expected;

    put_profiles(*state, WAITING);
    harness_apply(*state, "BUFFER_PROFILE", "row_07", PROFILE);
    found = search(*state, &slices, change_nothing);
    expected =
        row_answers_find(&piece, ((const struct harness *)*state)->agent);
    assert_true(json_equal(found, expected));
    assert_int_equal(count(found, "waiting"), N_PROFILES - 1);
    assert_int_equal(slices.n_trouble, N_PROFILES - 1);
    assert_non_null(strstr(
        json_string_value(json_object_get(
            json_array_get(json_object_get(found, "rows"), 0), "reason")),
        "(did you mean 'ingress'?)"));
    json_decref(found);
    json_decref(expected);
}

/* Rows come and go, before and after the place of the search. */
static void
change_rows(struct harness *harness, unsigned int n)
{
    put_profile(harness, 50 + n % 40, n / 40 % 2 ? NULL : PROFILE);
    if (n == 2) {
        harness_apply(harness, "BUFFER_PROFILE", "row_19", NULL);
    }
}

static void
test_rows_that_stay_count_once(void **state)
{
    struct row_answers answers = {.one_table = true,
                                  .table = TABLE_BUFFER_PROFILE};
    json_t *found;

    put_profiles(*state, WAITING);
    found = search(*state, &answers, change_rows);
    assert_int_equal(count(found, "waiting"), N_PROFILES - 1);
    assert_int_equal(json_array_size(json_object_get(found, "rows")),
                     N_PROFILES - 1);
    json_decref(found);
}

/* A row that is asked for by its key takes one slice. */
static void
test_one_row_is_one_slice(void **state)
{
    struct harness *harness = *state;
    struct row_answers answers = {0}, none = {0};
    struct err err;
    json_t *found;

    put_profiles(harness, WAITING);
    assert_int_equal(
        row_answers_select(&answers, "BUFFER_PROFILE|row_03", &err), ST_OK);
    row_answers_begin(&answers, harness->agent);
    assert_false(row_answers_continue(&answers, 1));
    found = row_answers_end(&answers);
    assert_int_equal(count(found, "waiting"), 1);
    assert_int_equal(json_array_size(json_object_get(found, "rows")), 1);
    json_decref(found);

    assert_int_equal(row_answers_select(&none, "BUFFER_PROFILE|none", &err),
                     ST_OK);
    found = row_answers_find(&none, harness->agent);
    assert_int_equal(json_array_size(json_object_get(found, "rows")), 0);
    json_decref(found);
}

/* The sanitizers notice what would be left. */
static void
test_a_search_may_end_in_the_middle(void **state)
{
    struct row_answers answers = {0};

    put_profiles(*state, WAITING);
    row_answers_cancel(&answers);
    for (size_t n = 0; n < 60; n += 10) {
        row_answers_begin(&answers, ((const struct harness *)*state)->agent);
        for (size_t i = 0; i < n; i++) {
            assert_true(row_answers_continue(&answers, 1));
        }
        row_answers_cancel(&answers);
        answers = (struct row_answers){0};
    }
}

/* --- Explanations -------------------------------------------------------- */

/* A row of several objects, and its explanation in the smallest slices. */
static struct explain *
begin_explain(struct harness *harness)
{
    harness_apply(harness, "BUFFER_PROFILE", "other", PROFILE);
    harness_apply(harness, "BUFFER_PG", "Ethernet0,Ethernet4|5-7",
                  "profile=other");
    return explain_begin(harness->agent, TABLE_BUFFER_PG,
                         "Ethernet0,Ethernet4|5-7");
}

static bool
explain_next(struct harness *harness, struct explain *explain)
{
    return explain_continue(explain, harness->agent,
                            store_backend(harness->store), 1);
}

static void
test_objects_are_explained_once(void **state)
{
    struct harness *harness = *state;
    struct explain *explain = begin_explain(harness);
    unsigned int n = 1;
    json_t *data, *objects;

    while (explain_next(harness, explain)) {
        put_profile(harness, n % 7, n % 2 ? PROFILE : NULL);
        n++;
    }
    data = explain_end(explain, harness->agent);
    objects = json_object_get(data, "objects");
    assert_true(n >= 6);
    assert_int_equal(json_array_size(objects), 6);
    for (size_t i = 0; i < 6; i++) {
        const json_t *attribute = json_array_get(
            json_object_get(json_array_get(objects, i), "attributes"), 0);

        assert_string_equal(
            json_string_value(json_object_get(attribute, "found")),
            "BUFFER_PROFILE|other");
        assert_string_equal(
            json_string_value(json_object_get(attribute, "intended")),
            "BUFFER_PROFILE|other");
    }
    json_decref(data);
}

static void
test_a_row_may_go_during_its_explanation(void **state)
{
    struct harness *harness = *state;
    struct explain *explain = begin_explain(harness);
    json_t *data;

    assert_true(explain_next(harness, explain));
    assert_true(explain_next(harness, explain));
    harness_apply(harness, "BUFFER_PG", "Ethernet0,Ethernet4|5-7", NULL);
    while (explain_next(harness, explain)) {
    }
    data = explain_end(explain, harness->agent);
    assert_int_equal(json_array_size(json_object_get(data, "objects")), 2);
    assert_int_equal(json_object_size(json_object_get(data, "fields")), 0);
    json_decref(data);
}

static void
test_an_explanation_may_end_in_the_middle(void **state)
{
    struct explain *explain = begin_explain(*state);

    assert_true(explain_next(*state, explain));
    explain_destroy(explain);
    explain_destroy(NULL);
    assert_null(explain_begin(((const struct harness *)*state)->agent,
                              TABLE_BUFFER_PG, "Ethernet0|none"));
}

#define SLICE_TEST(name)                                                       \
    cmocka_unit_test_setup_teardown(name, harness_setup_applied,               \
                                    harness_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SLICE_TEST(test_slices_find_what_one_piece_does),
        SLICE_TEST(test_rows_that_stay_count_once),
        SLICE_TEST(test_one_row_is_one_slice),
        SLICE_TEST(test_a_search_may_end_in_the_middle),
        SLICE_TEST(test_objects_are_explained_once),
        SLICE_TEST(test_a_row_may_go_during_its_explanation),
        SLICE_TEST(test_an_explanation_may_end_in_the_middle),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
