/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_LANES_H
#define ORCHD_BASE_LANES_H

/* Lists of the lanes of a port.
 *
 * Two ports cannot use the same lanes, with one exception: configurations of
 * real switches name one lane twice, in a port of several lanes and in one of
 * that lane only, or in two ports of the same width. */

#include <stdbool.h>
#include <stdint.h>

struct lanes {
    const uint32_t *list; /* Borrowed. */
    uint32_t n;
};

/* Returns how many lanes both lists contain.  No lane may be twice in a list.
 */
uint32_t lanes_n_shared(const struct lanes *a, const struct lanes *b);

/* Returns whether two ports with these lanes cannot exist together. */
bool lanes_collide(const struct lanes *a, const struct lanes *b);

/* Finds a lane that is twice in 'lanes'.  Returns whether there is one. */
bool lanes_find_twice(const struct lanes *lanes, uint32_t *lane);

#endif /* base/lanes.h */
