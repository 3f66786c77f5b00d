/* SPDX-License-Identifier: Apache-2.0 */

/* Replaces parts of an input. */

#include <config.h>

#include "tests/fuzz/mutate.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

uint32_t
mutate_below(struct mutation *mutation, size_t n)
{
    /* xorshift; 0 would stay 0. */
    mutation->state |= !mutation->state;
    mutation->state ^= mutation->state << 13;
    mutation->state ^= mutation->state >> 17;
    mutation->state ^= mutation->state << 5;
    return (uint32_t)(mutation->state % n);
}

void
mutate_replace(struct mutation *mutation, struct span span,
               const uint8_t *bytes, size_t n)
{
    const size_t end = span.start + span.length;
    const size_t rest = mutation->size - end;
    uint8_t *copy;

    if (span.start + n + rest > mutation->max_size) {
        return;
    }
    copy = check_malloc(n + 1);
    if (n) {
        memcpy(copy, bytes, n);
    }
    memmove(mutation->data + span.start + n, mutation->data + end, rest);
    if (n) {
        memcpy(mutation->data + span.start, copy, n);
    }
    mutation->size = span.start + n + rest;
    free(copy);
}

size_t
mutate_cross(const uint8_t *a, size_t a_size, struct span to, const uint8_t *b,
             struct span from, uint8_t *out, size_t max_size)
{
    struct mutation mutation = {.data = out, .max_size = max_size};

    mutation.size = a_size < max_size ? a_size : max_size;
    memcpy(out, a, mutation.size);
    if (to.start + to.length <= mutation.size) {
        mutate_replace(&mutation, to, b + from.start, from.length);
    }
    return mutation.size;
}
