/* SPDX-License-Identifier: Apache-2.0 */

/* The points of a sweep: values, ranges, combinations, and what is refused. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchctl/case_list.h"
#include "orchctl/sweep_points.h"

/* Expands 'n_cases' cases by 'params' and returns them as "a=1 b=x;...". */
static enum st
expand(size_t n_cases, const char *const *params, unsigned int repeat,
       struct text *text, struct err *err)
{
    struct case_list cases = {calloc(n_cases, sizeof *cases.items), n_cases};
    struct arena *arena = arena_create(0);
    json_t *list = json_array();
    enum st st;

    for (size_t i = 0; i < n_cases; i++) {
        cases.items[i].file = i ? "two" : "one";
    }
    for (size_t i = 0; params[i]; i++) {
        json_array_append_new(list, json_string(params[i]));
    }
    memset(err, 0, sizeof *err);
    st = sweep_points_expand(&cases, list, repeat, arena, err);
    for (size_t i = 0; !st && i < cases.n; i++) {
        const struct case_list_item *one = &cases.items[i];

        text_addf(text, "%s%s/%u", i ? ";" : "", one->file, one->repetition);
        for (size_t k = 0; k < one->n_sets; k++) {
            text_addf(text, " %s=%s", one->sets[k].name, one->sets[k].value);
        }
    }
    json_decref(list);
    free(cases.items);
    arena_destroy(arena);
    return st;
}

static void
assert_points(size_t n_cases, const char *const *params, unsigned int repeat,
              const char *expected)
{
    struct text text = {0};
    struct err err;

    assert_int_equal(expand(n_cases, params, repeat, &text, &err), ST_OK);
    assert_string_equal(text_string(&text), expected);
    text_fini(&text);
}

static void
test_ranges_and_lists(void **state)
{
    (void)state;
    assert_points(1, (const char *const[]){"a=-2..1", NULL}, 1,
                  "one/1 a=-2;one/1 a=-1;one/1 a=0;one/1 a=1");
    assert_points(1, (const char *const[]){"a=5..12..3,Ethernet0,2 * 3", NULL},
                  1,
                  "one/1 a=5;one/1 a=8;one/1 a=11;one/1 a=Ethernet0;"
                  "one/1 a=2 * 3");
    assert_points(1, (const char *const[]){"row(A|b=c).d=1", NULL}, 1,
                  "one/1 row(A|b=c).d=1");
}

static void
test_every_combination_the_last_fastest(void **state)
{
    (void)state;
    assert_points(2, (const char *const[]){"a=1,2", "b=x,y", NULL}, 1,
                  "one/1 a=1 b=x;one/1 a=1 b=y;one/1 a=2 b=x;one/1 a=2 b=y;"
                  "two/1 a=1 b=x;two/1 a=1 b=y;two/1 a=2 b=x;two/1 a=2 b=y");
    assert_points(1, (const char *const[]){"a=1,2", NULL}, 2,
                  "one/1 a=1;one/2 a=1;one/1 a=2;one/2 a=2");
    assert_points(1, (const char *const[]){NULL}, 3, "one/1;one/2;one/3");
}

static void
test_what_is_wrong_is_refused(void **state)
{
    static const struct {
        const char *param, *reason;
    } bads[] = {
        {"a", "needs NAME=VALUES"},
        {"a=", "needs NAME=VALUES"},
        {"=3", "needs NAME=VALUES"},
        {"a=1,,2", "an empty value in '1,,2'"},
        {"a=3..1", "'3..1' is not a range"},
        {"a=1..x", "'1..x' is not a range"},
        {"a=1..5..0", "'1..5..0' is not a range"},
        {"a=1..200000", "more than 100000"},
        {"b=1", "--param b is given twice"},
    };
    struct err err;

    (void)state;
    for (size_t i = 0; i < sizeof bads / sizeof *bads; i++) {
        const char *const params[] = {"b=7", bads[i].param, NULL};
        struct text text = {0};

        assert_int_equal(expand(1, params, 1, &text, &err), ST_INVALID);
        if (!strstr(err.reason, bads[i].reason)) {
            fail_msg("%s: %s", bads[i].param, err.reason);
        }
        text_fini(&text);
    }
    assert_int_equal(expand(3, (const char *const[]){"a=1..40000", NULL}, 1,
                            &(struct text){0}, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "more than 100000 runs"));
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ranges_and_lists),
        cmocka_unit_test(test_every_combination_the_last_fastest),
        cmocka_unit_test(test_what_is_wrong_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
