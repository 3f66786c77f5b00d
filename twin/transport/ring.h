/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_RING_H
#define ORCHD_TWIN_TRANSPORT_RING_H

/* Rings that grow: item i is at place i modulo the room, a power of two. */

#include <stddef.h>
#include <stdint.h>

/* Returns the ring 'items' of '*room' items of 'size', of which those from
 * 'first' to 'end' are used, with room for another one; unused ones may be
 * zeroed.  The caller owns it, and frees it with free(). */
void *ring_grow(void *items, uint32_t *room, uint64_t first, uint64_t end,
                size_t size);

#endif /* twin/transport/ring.h */
