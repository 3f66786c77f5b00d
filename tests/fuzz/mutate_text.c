/* SPDX-License-Identifier: Apache-2.0 */

/* Mutates JSON, YAML, tables and records of calls: whole words, strings,
 * brackets with what is in them, and lines.
 *
 * Where each line is a request (MUTATE_LINES), what an input costs grows with
 * its lines, and most of what it finds is in the last: few are left in most
 * cases. */

#include <config.h>

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "tests/fuzz/mutate.h"

static bool
is_word(uint8_t c)
{
    return isalnum(c) || (c && strchr("_.-+$%|@", c));
}

/* Returns the line around byte 'at'. */
static struct span
line_at(const uint8_t *data, size_t size, size_t at)
{
    struct span line = {at, 1};

    while (line.start > 0 && data[line.start - 1] != '\n') {
        line.start--;
        line.length++;
    }
    while (line.start + line.length < size &&
           data[line.start + line.length - 1] != '\n') {
        line.length++;
    }
    return line;
}

/* Returns the string that begins with the quote at 'at'. */
static struct span
string_at(const uint8_t *data, size_t size, size_t at)
{
    size_t end = at + 1;

    while (end < size && data[end] != data[at] && data[end] != '\n') {
        end += data[end] == '\\' && end + 1 < size ? 2 : 1;
    }
    return (struct span){at, (end < size ? end + 1 : size) - at};
}

/* Returns the bracket at 'at' with all up to its end. */
static struct span
bracket_at(const uint8_t *data, size_t size, size_t at)
{
    size_t depth = 0, end = at;

    do {
        depth += data[end] == '{' || data[end] == '[' || data[end] == '(';
        depth -= data[end] == '}' || data[end] == ']' || data[end] == ')';
        end++;
    } while (depth && end < size);
    return (struct span){at, end - at};
}

/* Returns the value around or behind byte 'at'. */
static struct span
value_at(const uint8_t *data, size_t size, size_t at)
{
    struct span word;

    while (at + 1 < size && !is_word(data[at]) && !strchr("{[(\"'", data[at])) {
        at++;
    }
    if (data[at] == '"' || data[at] == '\'') {
        return string_at(data, size, at);
    }
    if (!is_word(data[at])) {
        return bracket_at(data, size, at);
    }
    word = (struct span){at, 0};
    while (word.start > 0 && is_word(data[word.start - 1])) {
        word.start--;
    }
    while (word.start + word.length < size &&
           is_word(data[word.start + word.length])) {
        word.length++;
    }
    return word;
}

static struct span
some_value(struct mutation *m, const uint8_t *data, size_t size)
{
    return value_at(data, size, mutate_below(m, size));
}

static struct span
some_line(struct mutation *m, const uint8_t *data, size_t size)
{
    return line_at(data, size, mutate_below(m, size));
}

/* Puts a number, or a word that means something in many places, into 'span'. */
static void
put_word(struct mutation *m, struct span span)
{
    static const char *const words[] = {
        "0",     "1",   "-1",    "2",          "7",
        "8",     "64",  "65535", "4294967296", "9223372036854775807",
        "1e9",   "0.5", "",      "null",       "true",
        "false", "[]",  "{}",    "\"\"",       "inf"};
    const char *word = words[mutate_below(m, sizeof words / sizeof *words)];

    mutate_replace(m, span, (const uint8_t *)word, strlen(word));
}

static void
mutate(struct mutation *m)
{
    struct span from = some_value(m, m->data, m->size);
    struct span to = some_value(m, m->data, m->size);

    switch (mutate_below(m, 6)) {
    case 0:
        put_word(m, to);
        break;
    case 1:
        mutate_replace(m, to, NULL, 0);
        break;
    case 2:
        mutate_replace(m, to, m->data + from.start, from.length);
        break;
    case 3: /* Once more, here. */
        from = some_line(m, m->data, m->size);
        to = (struct span){some_line(m, m->data, m->size).start, 0};
        mutate_replace(m, to, m->data + from.start, from.length);
        break;
    case 4:
        mutate_replace(m, some_line(m, m->data, m->size), NULL, 0);
        break;
    default: /* Lines up to another one. */
        from = some_line(m, m->data, m->size);
        to = some_line(m, m->data, m->size);
        if (to.start > from.start) {
            from.length = to.start - from.start;
            mutate_replace(m, from, NULL, 0);
        }
        break;
    }
}

#ifdef MUTATE_LINES
/* Leaves a few lines. */
static void
shorten(struct mutation *m)
{
    const size_t start = some_line(m, m->data, m->size).start;
    size_t end = start;

    for (uint32_t i = 1 + mutate_below(m, MUTATE_LINES); i > 0 && end < m->size;
         i--) {
        end += line_at(m->data, m->size, end).length;
    }
    mutate_replace(m, (struct span){end, m->size - end}, NULL, 0);
    mutate_replace(m, (struct span){0, start}, NULL, 0);
}
#endif

size_t
LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size,
                        unsigned int seed)
{
    struct mutation m = {data, size, max_size, seed};

#ifdef MUTATE_LINES
    if (size && mutate_below(&m, 8)) {
        shorten(&m);
    }
#endif
    if (m.size < 2 || mutate_below(&m, 2)) {
        return LLVMFuzzerMutate(data, m.size, max_size);
    }
    for (uint32_t i = 1 + mutate_below(&m, 3); i > 0 && m.size > 1; i--) {
        mutate(&m);
    }
    return m.size;
}

size_t
LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b,
                          size_t b_size, uint8_t *out, size_t max_size,
                          unsigned int seed)
{
    struct mutation m = {.state = seed};
    struct span to, from;

    if (!a_size || !b_size) {
        return 0;
    }
    if (mutate_below(&m, 2)) {
        to = (struct span){some_line(&m, a, a_size).start, 0};
        from = some_line(&m, b, b_size);
    } else {
        to = some_value(&m, a, a_size);
        from = some_value(&m, b, b_size);
    }
    return mutate_cross(a, a_size, to, b, from, out, max_size);
}
