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

#include "twin/forwarding/frame.h"

/* A zero-initialised FIFO has no room. */
struct fifo {
    struct sim_frame *frames; /* A ring; unused slots have no payload. */
    uint32_t room;            /* Size of 'frames'. */
    uint32_t limit;           /* The most frames it takes; at most 'room'. */
    uint32_t head;            /* Index of the oldest frame. */
    uint32_t n;
};

/* Sets the limit of 'fifo' to 'limit' frames.  If it has more, they stay, and
 * it takes no others until it is below the limit. */
void fifo_set_limit(struct fifo *fifo, uint32_t limit);

bool fifo_is_full(const struct fifo *fifo);

/* Appends a frame to 'fifo', which must not be full, and returns it for the
 * caller to fill.  Borrowed; valid until the next call with 'fifo'. */
struct sim_frame *fifo_add(struct fifo *fifo);

/* Moves the oldest frame to '*frame', which holds a reference to its payload if
 * it has one.  Returns false if there is none. */
bool fifo_take(struct fifo *fifo, struct sim_frame *frame);

/* Discards all frames, and returns how many there were. */
uint32_t fifo_clear(struct fifo *fifo);

/* Frees what 'fifo' owns, and leaves it without room. */
void fifo_fini(struct fifo *fifo);

#endif /* twin/switch/fifo.h */
