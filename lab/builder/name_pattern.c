/* SPDX-License-Identifier: Apache-2.0 */

/* Matches names of nodes with patterns. */

#include <config.h>

#include "lab/builder/name_pattern.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads the number at '*text' and moves behind it.  Returns false if there is
 * none, or one of more than nine digits. */
static bool
read_number(const char **text, uint32_t *number)
{
    size_t n = strspn(*text, "0123456789");

    *number = 0;
    if (!n || n > 9) {
        return false;
    }
    for (; is_digit(**text); ++*text) {
        *number = *number * 10 + (uint32_t)(**text - '0');
    }
    return true;
}

/* Matches the number at '*name' with "[a..b]" at '*pattern', and moves behind
 * both if it matches. */
static bool
match_range(const char **pattern, const char **name)
{
    const char *at = *pattern + 1, *rest = *name;
    uint32_t low, high, number;

    if (!read_number(&at, &low) || strncmp(at, "..", 2)) {
        return false;
    }
    at += 2;
    if (!read_number(&at, &high) || *at != ']' ||
        (*rest == '0' && is_digit(rest[1])) || !read_number(&rest, &number) ||
        number < low || number > high) {
        return false;
    }
    *pattern = at + 1;
    *name = rest;
    return true;
}

bool
name_pattern_is(const char *text)
{
    return strpbrk(text, "*[") != NULL;
}

bool
name_pattern_match(const char *pattern, const char *name)
{
    /* Where to go on if the text behind the latest '*' does not match: the '*'
     * takes one more character. */
    const char *star = NULL, *retry = NULL;

    for (;;) {
        if (*pattern == '*') {
            if (!pattern[1]) {
                return true;
            }
            star = ++pattern;
            retry = name;
        } else if (*pattern == '[' && match_range(&pattern, &name)) {
            continue;
        } else if (*pattern != '[' && *pattern && *pattern == *name) {
            pattern++;
            name++;
        } else if (!*pattern && !*name) {
            return true;
        } else if (star && *retry && *retry != '-') {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
}
