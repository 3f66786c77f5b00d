/* SPDX-License-Identifier: Apache-2.0 */

/* Levenshtein's distance with exchanged neighbours, computed with three rows of
 * its table; and lists of words ordered by it. */

#include <config.h>

#include "base/nearest.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"

/* A known word. */
struct choice {
    char *word;
    size_t distance;
    size_t place; /* In the order in which they were added. */
};

void
nearest_init(struct nearest *nearest, const char *word, size_t length)
{
    *nearest = (struct nearest){
        .word = word, .length = length, .distance = length / 3 + 2};
}

static size_t
min3(size_t a, size_t b, size_t c)
{
    size_t least = a < b ? a : b;

    return least < c ? least : c;
}

/* Returns a letter, a capital one as the small one. */
static char
small(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Returns whether the letters that end at 'i' of the word are those that end at
 * 'k' of 'known', exchanged. */
static bool
is_exchanged(const struct nearest *nearest, size_t i, const char *known,
             size_t k)
{
    return i && k && small(nearest->word[i]) == small(known[k - 1]) &&
           small(nearest->word[i - 1]) == small(known[k]);
}

/* Returns the distance of 'known' from the word.  Both are at most
 * NEAREST_LENGTH_MAX long. */
static size_t
distance_to(const struct nearest *nearest, const char *known, size_t length)
{
    /* The rows of the letter in work, the one before, and the one before. */
    size_t rows[3][NEAREST_LENGTH_MAX + 1] = {{0}};
    size_t *row = rows[0], *last = rows[1], *before = rows[2];

    for (size_t k = 0; k <= length; k++) {
        row[k] = k;
    }
    for (size_t i = 0; i < nearest->length; i++) {
        size_t *const next = before;

        before = last;
        last = row;
        row = next;
        row[0] = i + 1;
        for (size_t k = 0; k < length; k++) {
            row[k + 1] =
                min3(last[k + 1] + 1, row[k] + 1,
                     last[k] + (small(nearest->word[i]) != small(known[k])));
            if (is_exchanged(nearest, i, known, k) &&
                before[k - 1] + 1 < row[k + 1]) {
                row[k + 1] = before[k - 1] + 1;
            }
        }
    }
    return row[length];
}

/* The same for words of any length; SIZE_MAX if one is not compared. */
static size_t
any_distance_to(const struct nearest *nearest, const char *known)
{
    const size_t length = strlen(known);

    return length > NEAREST_LENGTH_MAX || nearest->length > NEAREST_LENGTH_MAX
               ? SIZE_MAX
               : distance_to(nearest, known, length);
}

void
nearest_try(struct nearest *nearest, const char *known)
{
    const size_t distance = any_distance_to(nearest, known);

    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = known;
    }
}

const char *
nearest_get(const struct nearest *nearest)
{
    return nearest->best;
}

const char *
nearest_hint(const struct nearest *nearest, char buffer[NEAREST_HINT_SIZE])
{
    *buffer = '\0';
    if (nearest->best) {
        text_format(buffer, NEAREST_HINT_SIZE, " (did you mean '%s'?)",
                    nearest->best);
    }
    return buffer;
}

/* --- Choices ------------------------------------------------------------ */

void
choices_init(struct choices *choices, const char *word)
{
    *choices = (struct choices){.n = 0};
    nearest_init(&choices->nearest, word, strlen(word));
}

/* Adds the first 'length' bytes of 'known'. */
static void
add_bytes(struct choices *choices, const char *known, size_t length)
{
    char *word = check_malloc(length + 1);

    memcpy(word, known, length);
    word[length] = '\0';
    if (choices->n == choices->size) {
        choices->size = choices->size ? 2 * choices->size : 16;
        choices->list =
            check_realloc(choices->list, choices->size * sizeof *choices->list);
    }
    choices->list[choices->n] = (struct choice){
        word, any_distance_to(&choices->nearest, word), choices->n};
    choices->n++;
    nearest_try(&choices->nearest, word);
}

void
choices_add(struct choices *choices, const char *known)
{
    add_bytes(choices, known, strlen(known));
}

void
choices_add_list(struct choices *choices, const char *list)
{
    while (*list) {
        const size_t length = strcspn(list, ",");

        add_bytes(choices, list, length);
        list += length;
        list += strspn(list, ", ");
    }
}

static int
choice_compare(const void *a, const void *b)
{
    const struct choice *x = a, *y = b;
    const int order = (x->distance > y->distance) - (x->distance < y->distance);

    return order ? order : (x->place > y->place) - (x->place < y->place);
}

/* Appends the words, each after ", " unless it is the first. */
static void
add_words(const struct choices *choices, struct text *text)
{
    for (size_t i = 0; i < choices->n; i++) {
        text_add_item(text, ", ", choices->list[i].word);
    }
}

enum st
choices_explain(struct choices *choices, const char *field, struct err *err)
{
    char hint[NEAREST_HINT_SIZE];
    struct text reason = {0}, words = {0};
    const char *word = choices->nearest.word;
    struct err unused = {0};

    err = err ? err : &unused;
    add_words(choices, &words);
    if (words.length >= sizeof err->allowed) {
        qsort(choices->list, choices->n, sizeof *choices->list, choice_compare);
        text_clear(&words);
        add_words(choices, &words);
    }
    text_addf(&reason, "%s%s", err->reason,
              nearest_hint(&choices->nearest, hint));
    text_copy(err->reason, sizeof err->reason, text_string(&reason));
    err_set_field(err, field, word, text_string(&words));
    for (size_t i = 0; i < choices->n; i++) {
        free(choices->list[i].word);
    }
    free(choices->list);
    text_fini(&reason);
    text_fini(&words);
    return ST_INVALID;
}
