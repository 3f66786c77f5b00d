/* SPDX-License-Identifier: Apache-2.0 */

/* Rings that grow. */

#include <config.h>

#include "twin/transport/ring.h"

#include <stdlib.h>

#include "base/check.h"

enum { FIRST_ROOM = 4 };

void *
ring_grow(void *items, uint32_t *room, uint64_t first, uint64_t end,
          size_t size)
{
    const uint32_t old = *room;
    char *grown;

    if (end - first < old) {
        return items;
    }
    *room = old ? 2 * old : FIRST_ROOM;
    grown = check_calloc(*room, size);
    for (uint64_t i = first; i < end; i++) {
        const char *from = (const char *)items + (i & (old - 1)) * size;
        char *to = grown + (i & (*room - 1)) * size;

        for (size_t byte = 0; byte < size; byte++) {
            to[byte] = from[byte];
        }
    }
    free(items);
    return grown;
}
