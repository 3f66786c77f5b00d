/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_NEAREST_H
#define ORCHD_BASE_NEAREST_H

/* "Did you mean ...": the known word that is nearest to a misspelt one.
 *
 * The distance is the number of letters to insert, delete or replace and of
 * neighbours to exchange (Damerau and Levenshtein, restricted); upper and lower
 * case are the same letter.  A word of n letters has no nearest word beyond a
 * distance of n / 3 + 1. */

#include <stddef.h>

#include "base/status.h"

/* Longer words are not compared. */
#define NEAREST_LENGTH_MAX 48

/* The members are private. */
struct nearest {
    const char *word;
    size_t length;
    const char *best; /* Borrowed from the caller. */
    size_t distance;
};

/* Search for the word that is nearest to the first 'length' bytes of 'word':
 * start, offer each known word, then get the nearest, the first of several, or
 * NULL if none is near. */
void nearest_init(struct nearest *nearest, const char *word, size_t length);
void nearest_try(struct nearest *nearest, const char *known);
const char *nearest_get(const struct nearest *nearest);

/* Returns " (did you mean 'x'?)" in 'buffer', "" if no word is near; for the
 * end of a reason. */
#define NEAREST_HINT_SIZE 80
const char *nearest_hint(const struct nearest *nearest,
                         char buffer[NEAREST_HINT_SIZE]);

/* The same for a reason that also lists the known words. */
struct choices {
    struct nearest nearest;
    struct choice *list; /* Owned, with copies of the words. */
    size_t n, size;
};

/* Start; add known words, each once, or all items of a list "a, b, c". */
void choices_init(struct choices *choices, const char *word);
void choices_add(struct choices *choices, const char *known);
void choices_add_list(struct choices *choices, const char *list);

/* Completes 'err', whose reason says that the word is not known: appends the
 * hint to the reason, and sets field, value and allowed words.  These are in
 * the order in which they were added if all of them fit; otherwise as many as
 * fit, the nearest first.  Frees 'choices', and returns ST_INVALID.  'err' may
 * be NULL. */
enum st choices_explain(struct choices *choices, const char *field,
                        struct err *err);

#endif /* base/nearest.h */
