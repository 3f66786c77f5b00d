/* SPDX-License-Identifier: Apache-2.0 */

/* The arithmetic of scenarios. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "base/text.h"
#include "breakpoint/expression.h"

static enum st
lookup(void *context, const char *name, size_t length,
       struct expression_value *value, struct err *err)
{
    (void)context;
    if (length == 1 && *name >= 'a' && *name <= 'f') {
        *value = (struct expression_value){*name - 'a' + 10, NULL, 0};
        return ST_OK;
    }
    if (length == 4 && !memcmp(name, "word", 4)) {
        *value = (struct expression_value){0, "static", 6};
        return ST_OK;
    }
    if (length > 4 && !memcmp(name, "row(", 4)) {
        *value = (struct expression_value){(int64_t)length, NULL, 0};
        return ST_OK;
    }
    return err_set(err, ST_INVALID, "param", "no '%.*s'", (int)length, name);
}

static void
test_computes(void **state)
{
    static const struct {
        const char *text;
        int64_t value;
    } cases[] = {
        {"0", 0},
        {"  12 ", 12},
        {"1 + 2 * 3", 7},
        {"(1 + 2) * 3", 9},
        {"10 - 4 - 3", 3},
        {"100 / 7 / 2", 7},
        {"2 * 7 / 3", 4},
        {"-7 / 2", -3},
        {"--3", 3},
        {"-$a + $b", 1},
        {"($f+$e-1)/$e", 2},
        {"- (2 - 5)", 3},
        {"9223372036854775807", INT64_MAX},
        {"-9223372036854775807 - 1", INT64_MIN},
        {"17 % 5", 2},
        {"-17 % 5", -2},
        {"ceil(7, 2)", 4},
        {"ceil(-7, 2)", -3},
        {"ceil(8, 2)", 4},
        {"floor(-7, 2)", -4},
        {"floor(7, 2)", 3},
        {"min(3, 1, 2)", 1},
        {"max( 3,min(9, 7) )", 7},
        {"1 + min($a, 2) * 3", 7},
        {"pow(2, 3)", 8},
        {"pow(-1, 9223372036854775807)", -1},
        {"pow(0, 0) + pow(0, 5) + pow(-2, 3)", -7},
        {"2 < 3", 1},
        {"3 < 3", 0},
        {"3 <= 3", 1},
        {"4 > 3 && 2 >= 3", 0},
        {"0 || 5", 1},
        {"!0 + !7", 1},
        {"1 + 1 == 2", 1},
        /* Of a row the lookup above tells the length: where it ends. */
        {"$row(T|k).3 + 1", 10 + 1},
        {"$row(T|$row(U|k).f).$ab * 2", 22 * 2},
        {"1 != 1", 0},
        {"if(1, 2, 3)", 2},
        {"if(0, 2, if(0, 3, 4))", 4},
        {"if($a > 5, $a, 1 / 0)", 10},
        {"0 && 1 / 0", 0},
        {"1 || 1 / 0", 1},
        {"if (0, $nowhere, 6)", 6},
        {"$word == static", 1},
        {"if($word != dynamic && $word == static, 8, 9)", 8},
        {"dynamic == $word", 0},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct expression_value value = {-99, NULL, 0};
        size_t offset = 0;
        struct err err;

        assert_int_equal(expression_evaluate(cases[i].text, lookup, NULL,
                                             &value, &offset, &err),
                         ST_OK);
        assert_true(!value.text && value.number == cases[i].value);
    }
}

static void
test_says_what_is_wrong_and_where(void **state)
{
    static const struct {
        const char *text;
        size_t offset;
        const char *reason;
    } cases[] = {
        {"", 0, "found the end"},
        {"1 +", 3, "found the end"},
        {"1 2", 2, "expected an operator"},
        {"(1 + 2", 0, "')'"},
        {"(1 + 2]", 6, "')'"},
        {"1 + x", 3, "'x' is text"},
        {"$word * 2", 0, "'static' is text"},
        {"$word < 2", 6, "== and !="},
        {"if(1, 2)", 7, "if(condition, value, otherwise)"},
        {"min(1)", 5, "two numbers or more"},
        {"ceil(1, 2, 3)", 12, "two numbers"},
        {"max(1, 2", 8, "')' or ','"},
        {"ceil(1, 0)", 0, "division by zero"},
        {"1 %% 0", 3, "found '%'"},
        {"1 % 0", 2, "division by zero"},
        {"pow(2, -1)", 0, "negative"},
        {"pow(2, 63)", 0, "64 bits"},
        {"$row(a", 0, "$row(TABLE|key).field"},
        {"$row(T|k).$", 0, "$row(TABLE|key).field"},
        {"$row(T|k)", 0, "$row(TABLE|key).field"},
        {"$chip", 0, "$chip.name"},
        {"1 + $", 4, "expected $name"},
        {"1 + $z", 4, "no 'z'"},
        {"4 / (2 - 2)", 2, "division by zero"},
        {"9223372036854775808", 0, "64 bits"},
        {"9223372036854775807 + 1", 20, "64 bits"},
        {"(-9223372036854775807 - 1) / -1", 27, "64 bits"},
        {"-(-9223372036854775807 - 1)", 0, "64 bits"},
        {"4611686018427387904 * 2", 20, "64 bits"},
        {"0x10", 1, "found 'x'"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct expression_value value = {-99, NULL, 0};
        size_t offset = 1000;
        struct err err;

        assert_int_equal(expression_evaluate(cases[i].text, lookup, NULL,
                                             &value, &offset, &err),
                         ST_INVALID);
        assert_int_equal(value.number, -99);
        assert_int_equal(offset, cases[i].offset);
        assert_non_null(strstr(err.reason, cases[i].reason));
    }
}

static void
test_nesting_is_bounded(void **state)
{
    struct text text = {0};
    struct expression_value value;
    size_t offset;
    struct err err;

    (void)state;
    for (size_t i = 0; i < 100000; i++) {
        text_add_char(&text, i % 2 ? '-' : '(');
    }
    assert_int_equal(expression_evaluate(text_string(&text), lookup, NULL,
                                         &value, &offset, &err),
                     ST_INVALID);
    assert_non_null(strstr(err.reason, "levels"));
    text_fini(&text);
}

int
main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_computes),
        cmocka_unit_test(test_says_what_is_wrong_and_where),
        cmocka_unit_test(test_nesting_is_bounded),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
