/* SPDX-License-Identifier: Apache-2.0 */

/* Tests of bars and sparklines. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/text.h"
#include "command/bars.h"
#include "command/terminal.h"

static void
test_bars_have_eighths(void **state)
{
    static const struct {
        double value, mark, whole;
        const char *blocks, *plain;
    } cases[] = {
        {0, -1, 8, "    ", "    "},     {8, -1, 8, "████", "####"},
        {9, -1, 8, "████", "####"},     {4, -1, 8, "██  ", "##  "},
        {4.25, -1, 8, "██▏ ", "##  "},  {5, -1, 8, "██▌ ", "### "},
        {0.001, -1, 8, "▏   ", "#   "}, {-1, -1, 8, "    ", "    "},
        {5, 0, 0, "    ", "    "},      {2, 4, 8, "█ │ ", "# | "},
        {8, 0, 8, "│███", "|###"},      {1, 8, 8, "▌  │", "#  |"},
        {1, 99, 8, "▌  │", "#  |"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text blocks = {0}, plain = {0};

        bars_add(&blocks, cases[i].value, cases[i].mark, cases[i].whole, 4,
                 true);
        bars_add(&plain, cases[i].value, cases[i].mark, cases[i].whole, 4,
                 false);
        assert_string_equal(text_string(&blocks), cases[i].blocks);
        assert_string_equal(text_string(&plain), cases[i].plain);
        text_fini(&blocks);
        text_fini(&plain);
    }
}

static void
test_sparklines_reach_from_the_lowest_to_the_highest(void **state)
{
    static const double rise[] = {10, 11, 12, 13, 14, 15, 16, 17};
    static const double same[] = {3, 3, 3};
    static const struct {
        const double *values;
        size_t n, width;
        const char *blocks, *plain;
    } cases[] = {
        {rise, 8, 20, "▁▂▃▄▅▆▇█", "_.:-=+*#"},
        {rise, 8, 4, "▂▄▆█", ".-+#"},
        {rise, 2, 20, "▁█", "_#"},
        {same, 3, 20, "▁▁▁", "___"},
        {rise, 0, 20, "", ""},
        {rise, 8, 0, "", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text blocks = {0}, plain = {0};

        bars_add_sparkline(&blocks, cases[i].values, cases[i].n, cases[i].width,
                           true);
        bars_add_sparkline(&plain, cases[i].values, cases[i].n, cases[i].width,
                           false);
        assert_string_equal(text_string(&blocks), cases[i].blocks);
        assert_string_equal(text_string(&plain), cases[i].plain);
        text_fini(&blocks);
        text_fini(&plain);
    }
}

static void
test_the_locale_decides_about_blocks(void **state)
{
    static const struct {
        const char *all, *ctype, *lang, *term;
        bool blocks;
    } cases[] = {
        {"", "", "C.UTF-8", "xterm", true},
        {"", "", "de_DE.utf8", "xterm", true},
        {"", "", "C.UTF-8", "dumb", false},
        {"", "", "C", "xterm", false},
        {"C", "", "C.UTF-8", "xterm", false},
        {"", "C", "C.UTF-8", "xterm", false},
        {"C.UTF-8", "C", "C", "xterm", true},
        {"", "", "", "xterm", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        setenv("LC_ALL", cases[i].all, true);
        setenv("LC_CTYPE", cases[i].ctype, true);
        setenv("LANG", cases[i].lang, true);
        setenv("TERM", cases[i].term, true);
        assert_int_equal(terminal_has_blocks(), cases[i].blocks);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bars_have_eighths),
        cmocka_unit_test(test_sparklines_reach_from_the_lowest_to_the_highest),
        cmocka_unit_test(test_the_locale_decides_about_blocks),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
