/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_NEAREST_H
#define ORCHD_BASE_NEAREST_H

/* "Did you mean ...": the known word that is nearest to a misspelt one.
 *
 * The distance is the number of letters to insert, delete or replace
 * (Levenshtein).  A word of n letters has no nearest word beyond a distance of
 * n / 3 + 1. */

#include <stddef.h>

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

#endif /* base/nearest.h */
