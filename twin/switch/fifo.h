/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_FIFO_H
#define ORCHD_TWIN_SWITCH_FIFO_H

/* The frames between the buffer and the wire of a port.
 *
 * The MAC of a port, and the pipeline before it, hold a few frames that the
 * shared buffer no longer counts.  While the port sends, this has no visible
 * effect, and the twin starts every frame straight from the buffer.  A port
 * that is kept from sending still takes as many frames as the FIFO has room
 * for: test suites call them "leak-out", because they are missing in the buffer
 * afterwards.
 *
 * Only fifo_set_limit() allocates memory. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/frame_pool.h"

/* A zero-initialised FIFO has no room. */
struct fifo {
    uint32_t *frames; /* A ring of indices of the pool; owned. */
    uint32_t room;    /* Size of 'frames'. */
    uint32_t limit;   /* The most frames it takes; at most 'room'. */
    uint32_t head;    /* Index of the oldest frame. */
    uint32_t n;
};

/* Sets the limit of 'fifo' to 'limit' frames.  If it has more, they stay, and
 * it takes no others until it is below the limit. */
void fifo_set_limit(struct fifo *fifo, uint32_t limit);

bool fifo_is_full(const struct fifo *fifo);

/* Appends 'frame' to 'fifo', which must not be full and owns it from now on. */
void fifo_add(struct fifo *fifo, uint32_t frame);

/* Takes the oldest frame out, and returns it; FRAME_NONE if there is none. */
uint32_t fifo_take(struct fifo *fifo);

/* Adds how many frames 'fifo' has, and their bytes, to '*frames' and '*bytes'.
 */
void fifo_count(const struct fifo *fifo, const struct frame_pool *pool,
                uint64_t *frames, uint64_t *bytes);

/* Gives all frames back to 'pool', and leaves 'fifo' without room and memory.
 */
void fifo_fini(struct fifo *fifo, struct frame_pool *pool);

#endif /* twin/switch/fifo.h */
