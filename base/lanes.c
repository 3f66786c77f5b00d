/* SPDX-License-Identifier: Apache-2.0 */

/* Compares lists of lanes, which are short. */

#include <config.h>

#include "base/lanes.h"

uint32_t
lanes_n_shared(const struct lanes *a, const struct lanes *b)
{
    uint32_t n = 0;

    for (uint32_t i = 0; i < a->n; i++) {
        for (uint32_t j = 0; j < b->n; j++) {
            n += a->list[i] == b->list[j];
        }
    }
    return n;
}

bool
lanes_collide(const struct lanes *a, const struct lanes *b)
{
    const uint32_t n_shared = lanes_n_shared(a, b);
    const bool single = a->n == 1 || b->n == 1;

    if (n_shared != 1) {
        return n_shared > 1;
    }
    /* Two ports of one lane would be the same port. */
    return a->n == b->n ? single : !single;
}

bool
lanes_find_twice(const struct lanes *lanes, uint32_t *lane)
{
    for (uint32_t i = 1; i < lanes->n; i++) {
        for (uint32_t j = 0; j < i; j++) {
            if (lanes->list[i] == lanes->list[j]) {
                *lane = lanes->list[i];
                return true;
            }
        }
    }
    return false;
}
