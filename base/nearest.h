/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_NEAREST_H
#define ORCHD_BASE_NEAREST_H

/* "Did you mean ...": the known word that is most like a misspelt one.
 *
 * Likeness is the number of letters to be put in, left out or replaced
 * (Levenshtein); a word that needs more than a third of them is not like. */

#include <stddef.h>

/* Longer words are not compared. */
#define NEAREST_LENGTH_MAX 48

/* The members are private. */
struct nearest {
    const char *word;
    size_t length;
    const char *best; /* Borrowed from whoever gave it. */
    size_t distance;
};

/* Begins with the misspelt word, the first 'length' bytes of 'word'; tries a
 * known one; returns the one most like it, the first of several, NULL if none
 * is. */
void nearest_init(struct nearest *nearest, const char *word, size_t length);
void nearest_try(struct nearest *nearest, const char *known);
const char *nearest_get(const struct nearest *nearest);

#endif /* base/nearest.h */
