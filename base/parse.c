/* SPDX-License-Identifier: Apache-2.0 */

/* Strict numbers and lists. */

#include <config.h>

#include "base/parse.h"

#include <stdbool.h>
#include <string.h>

/* Parses 'length' bytes at 'digits', which must be one or more digits. */
static bool
parse_digits(const char *digits, size_t length, uint64_t *value)
{
    uint64_t v = 0;

    if (!length) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        unsigned int digit = (unsigned int)(digits[i] - '0');

        if (digits[i] < '0' || digits[i] > '9' ||
            v > (UINT64_MAX - digit) / 10) {
            return false;
        }
        v = v * 10 + digit;
    }
    *value = v;
    return true;
}

enum st
parse_u64(const char *text, uint64_t min, uint64_t max, uint64_t *value)
{
    uint64_t v;

    if (!parse_digits(text, strlen(text), &v) || v < min || v > max) {
        return ST_INVALID;
    }
    *value = v;
    return ST_OK;
}

enum st
parse_s64(const char *text, int64_t min, int64_t max, int64_t *value)
{
    bool negative = text[0] == '-';
    uint64_t magnitude;
    int64_t v;

    if (negative) {
        text++;
    }
    if (!parse_digits(text, strlen(text), &magnitude) ||
        magnitude > (uint64_t)INT64_MAX) {
        return ST_INVALID;
    }
    v = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    if (v < min || v > max) {
        return ST_INVALID;
    }
    *value = v;
    return ST_OK;
}

enum st
parse_range(const char *text, unsigned int max, unsigned int *first,
            unsigned int *last)
{
    const char *dash = strchr(text, '-');
    size_t length = dash ? (size_t)(dash - text) : strlen(text);
    uint64_t low, high;

    if (!parse_digits(text, length, &low)) {
        return ST_INVALID;
    }
    high = low;
    if (dash && !parse_digits(dash + 1, strlen(dash + 1), &high)) {
        return ST_INVALID;
    }
    if (low > high || high > max) {
        return ST_INVALID;
    }
    *first = (unsigned int)low;
    *last = (unsigned int)high;
    return ST_OK;
}

enum st
parse_place(const char *text, unsigned int max, size_t *length,
            unsigned int *index)
{
    size_t end = strlen(text);
    uint64_t number;

    while (end && !strchr("|:.", text[end - 1])) {
        end--;
    }
    if (end < 2 || parse_u64(text + end, 0, max, &number)) {
        return ST_INVALID;
    }
    *length = end - 1;
    *index = (unsigned int)number;
    return ST_OK;
}

bool
parse_list_next(const char **cursor, const char **item, size_t *length)
{
    const char *comma;

    if (!*cursor) {
        return false;
    }
    comma = strchr(*cursor, ',');
    *item = *cursor;
    *length = comma ? (size_t)(comma - *cursor) : strlen(*cursor);
    *cursor = comma ? comma + 1 : NULL;
    return true;
}

enum st
parse_priorities(const char *text, uint8_t *mask)
{
    const char *cursor = strcmp(text, "none") ? text : NULL, *item;
    unsigned int bits = 0;
    size_t length;

    while (parse_list_next(&cursor, &item, &length)) {
        if (length != 1 || *item < '0' || *item > '7') {
            return ST_INVALID;
        }
        bits |= 1u << (*item - '0');
    }
    *mask = (uint8_t)bits;
    return ST_OK;
}

const char *
parse_trim(const char *text, size_t *length)
{
    static const char blanks[] = " \t\r\n";
    size_t n;

    text += strspn(text, blanks);
    n = strlen(text);
    while (n && strchr(blanks, text[n - 1])) {
        n--;
    }
    *length = n;
    return text;
}
