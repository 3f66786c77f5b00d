/* SPDX-License-Identifier: Apache-2.0 */

/* Tests of options and their letters. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "command/manual.h"
#include "command/option.h"

static const struct option of_all[] = {
    {"help", OPTION_FLAG, NULL, 0, 0, "print this help"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

static const struct option own[] = {
    {"output", OPTION_TEXT, "FILE", 0, 0, "the file"},
    {"plot", OPTION_FILE, "[PICTURE]", 0, 0, "the picture"},
    {"order", OPTION_NUMBER, "N", 1, 9, "the order"},
    {NULL, OPTION_FLAG, NULL, 0, 0, NULL},
};

/* Takes all options of 'line', words between blanks, and returns the values as
 * JSON, or the message. */
static void
take(const char *line, const struct option *options, struct text *result)
{
    json_t *global = json_object(), *values = json_object();
    const struct option_set sets[] = {{of_all, global}, {options, values}};
    char copy[128], *words[8], *rest = copy, *json;
    struct err err = {0};
    int n = 0;

    text_clear(result);
    text_copy(copy, sizeof copy, line);
    while (rest) {
        words[n++] = strsep(&rest, " ");
    }
    for (int i = 0; i < n; i++) {
        if (option_take(sets, 2, n, words, &i, &err)) {
            text_add(result, err.reason);
            i = n;
        }
    }
    if (!result->length) {
        json_object_update(values, global);
        json = json_dumps(values, JSON_SORT_KEYS | JSON_COMPACT);
        text_add(result, json);
        free(json);
    }
    json_decref(global);
    json_decref(values);
}

static void
test_letters_are_short_for_options_of_a_name(void **state)
{
    static const struct {
        const char *line;
        const struct option *options;
        const char *result;
    } cases[] = {
        {"--output f", own, "{\"output\":\"f\"}"},
        {"--output=f", own, "{\"output\":\"f\"}"},
        {"-o f", own, "{\"output\":\"f\"}"},
        {"-o -", own, "{\"output\":\"-\"}"},
        {"-h -o f --order 3", own,
         "{\"help\":true,\"order\":3,\"output\":\"f\"}"},
        {"-h", NULL, "{\"help\":true}"},
        {"-o", own, "--output needs a value: FILE"},
        {"-o f", NULL, "unknown option -o"},
        {"-of", own, "unknown option -of"},
        {"-output f", own, "unknown option -output (did you mean '--output'?)"},
        {"-x", own, "unknown option -x"},
        {"-", own, "unknown option -"},
        {"--plot", own, "{\"plot\":true}"},
        {"--plot a.svg", own, "{\"plot\":\"a.svg\"}"},
        {"--plot=a", own, "{\"plot\":\"a\"}"},
        {"--plot -o f.png", own, "{\"output\":\"f.png\",\"plot\":true}"},
        {"--plot Ethernet0.3", own, "unknown option Ethernet0.3"},
    };
    struct text result = {0};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        take(cases[i].line, cases[i].options, &result);
        if (strcmp(text_string(&result), cases[i].result) != 0) {
            fail_msg("%s: %s", cases[i].line, text_string(&result));
        }
    }
    text_fini(&result);
}

static void
test_tables_have_the_letter(void **state)
{
    json_t *list = manual_options(own);

    (void)state;
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(list, 0), "letter")),
        "-o");
    assert_true(
        json_is_null(json_object_get(json_array_get(list, 1), "letter")));
    json_decref(list);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_letters_are_short_for_options_of_a_name),
        cmocka_unit_test(test_tables_have_the_letter),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
