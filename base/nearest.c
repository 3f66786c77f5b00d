/* SPDX-License-Identifier: Apache-2.0 */

/* Levenshtein's distance, computed with one row of its table. */

#include <config.h>

#include "base/nearest.h"

#include <string.h>

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

/* Returns the distance of 'known' from the word.  Both are at most
 * NEAREST_LENGTH_MAX long. */
static size_t
distance_to(const struct nearest *nearest, const char *known, size_t length)
{
    size_t row[NEAREST_LENGTH_MAX + 1];

    for (size_t k = 0; k <= length; k++) {
        row[k] = k;
    }
    for (size_t i = 0; i < nearest->length; i++) {
        size_t corner = row[0]; /* The value above and to the left. */

        row[0] = i + 1;
        for (size_t k = 0; k < length; k++) {
            size_t above = row[k + 1];

            row[k + 1] = min3(above + 1, row[k] + 1,
                              corner + (nearest->word[i] != known[k]));
            corner = above;
        }
    }
    return row[length];
}

void
nearest_try(struct nearest *nearest, const char *known)
{
    size_t length = strlen(known), distance;

    if (length > NEAREST_LENGTH_MAX || nearest->length > NEAREST_LENGTH_MAX) {
        return;
    }
    distance = distance_to(nearest, known, length);
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
