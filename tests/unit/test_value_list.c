/* SPDX-License-Identifier: Apache-2.0 */

/* Lists and ranges of values of "orchlab whatif". */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "base/text.h"
#include "orchlab/value_list.h"

static const struct value_list_rule lengths = {"length", QUANTITY_LENGTH, 0,
                                               INT64_C(20000000000)};
static const struct value_list_rule ratios = {"ratio", QUANTITY_COUNT, 1,
                                              65535};
static const struct value_list_rule factors = {"factor", QUANTITY_RATIO, 0, 0};

static void
test_values_of_lists(void **state)
{
    static const struct {
        const struct value_list_rule *rule;
        const char *text, *values;
    } cases[] = {
        {&lengths, "10km", "10km"},
        {&lengths, "1km,10km,100km", "1km 10km 100km"},
        {&lengths, "10km..80km", "10km 20km 40km 80km"},
        {&lengths, "10km..70km", "10km 20km 40km 70km"},
        {&lengths, "10km..80km:35km", "10km 45km 80km"},
        {&lengths, "0..2m:1m", "0km 1m 2m"},
        {&lengths, "500m..2km", "500m 1km 2km"},
        {&lengths, "1mm..3mm", "1mm 2mm 3mm"},
        {&lengths, "5km..5km", "5km"},
        {&lengths, "300m,1km..4km", "300m 1km 2km 4km"},
        {&lengths, "15000km..20000km", "15000km 20000km"},
        {&ratios, "4", "4"},
        {&ratios, "1..5", "1 2 3 4 5"},
        {&ratios, "1..16:5", "1 6 11 16"},
        {&ratios, "1..16:6,65535", "1 7 13 16 65535"},
        {&factors, "0.9,1,3/2,110%", "0.9 1 3/2 110%"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_create(0);
        struct text text = {0};
        struct value_list list;
        struct err err = {0};

        if (value_list_read(cases[i].rule, cases[i].text, arena, &list, &err)) {
            fail_msg("%s: %s", cases[i].text, err.reason);
        }
        for (size_t k = 0; k < list.n; k++) {
            text_addf(&text, k ? " %s" : "%s", list.texts[k]);
        }
        assert_string_equal(text_string(&text), cases[i].values);
        text_fini(&text);
        arena_destroy(arena);
    }
}

static void
test_wrong_values_are_named(void **state)
{
    static const struct {
        const struct value_list_rule *rule;
        const char *text, *reason;
    } cases[] = {
        {&lengths, "10km,2", "--length: '2' has no unit"},
        {&lengths, "10km,", "--length: ''"},
        {&lengths, "", "--length: ''"},
        {&lengths, "20001km",
         "--length: 20001km is not within "
         "0mm..20000000000mm"},
        {&lengths, "2km..1km", "'2km..1km' is not a range from a smaller"},
        {&lengths, "0..1km", "which a range of lengths from 0 needs"},
        {&lengths, "1km..2km:0", "with a step above 0"},
        {&lengths, "1km..", "--length: ''"},
        {&lengths, "1km..2km:", "--length: ''"},
        {&ratios, "0", "--ratio: 0 is not within 1..65535"},
        {&ratios, "1..65536", "--ratio: 65536 is not within 1..65535"},
        {&ratios, "1..65535", "--ratio has more than 256 values"},
        {&ratios, "3..1", "'3..1' is not a range from a smaller"},
        {&factors, "much", "--factor: 'much'"},
        {&factors, "0.9..1.1", "'0.9..1.1' is a range, and ratios have none"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena *arena = arena_create(0);
        struct value_list list;
        struct err err = {0};

        assert_int_equal(
            value_list_read(cases[i].rule, cases[i].text, arena, &list, &err),
            ST_INVALID);
        if (!strstr(err.reason, cases[i].reason)) {
            fail_msg("%s: '%s' lacks '%s'", cases[i].text, err.reason,
                     cases[i].reason);
        }
        arena_destroy(arena);
    }
}

/* As many values as there is room for, and one more. */
static void
test_most_values(void **state)
{
    struct arena *arena = arena_create(0);
    struct value_list list;
    struct err err = {0};

    (void)state;
    assert_int_equal(value_list_read(&ratios, "1..256", arena, &list, &err),
                     ST_OK);
    assert_int_equal(list.n, VALUE_LIST_MAX);
    assert_string_equal(list.texts[VALUE_LIST_MAX - 1], "256");
    assert_int_equal(value_list_read(&ratios, "1..256,1", arena, &list, &err),
                     ST_INVALID);
    arena_destroy(arena);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values_of_lists),
        cmocka_unit_test(test_wrong_values_are_named),
        cmocka_unit_test(test_most_values),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
