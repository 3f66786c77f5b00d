/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_FIFO_H
#define ORCHD_TWIN_SWITCH_FIFO_H

/* What lies between the buffer and the wire of a port.
 *
 * The MAC of a port, and the pipeline before it, hold a few frames that the
 * shared buffer no longer counts.  While the port sends that is of no
 * consequence, and the twin starts every frame straight from the buffer.  A
 * port that is kept from sending still takes as many as it has room for: test
 * suites call them "leak-out", for they are missing in the buffer afterwards.
 *
 * Nothing is allocated but by fifo_set_limit(). */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/frame.h"

/* All zero is a FIFO without room. */
struct fifo {
    struct sim_frame *frames; /* A ring; those not in use have no payload. */
    uint32_t room;            /* Of 'frames'. */
    uint32_t limit;           /* Frames that it takes; at most 'room'. */
    uint32_t head;            /* The oldest. */
    uint32_t n;
};

/* Makes 'fifo' take up to 'limit' frames.  If it has more they stay, and it
 * takes none until they have gone. */
void fifo_set_limit(struct fifo *fifo, uint32_t limit);

bool fifo_is_full(const struct fifo *fifo);

/* Adds a frame behind the others of 'fifo', which is not full, and returns it
 * to be filled.  Borrowed; valid until the next call for 'fifo'. */
struct sim_frame *fifo_add(struct fifo *fifo);

/* Moves the oldest frame to '*frame', which holds a reference to its payload if
 * it has one.  Returns false if there is none. */
bool fifo_take(struct fifo *fifo, struct sim_frame *frame);

/* Discards all frames, and returns how many there were. */
uint32_t fifo_clear(struct fifo *fifo);

/* Frees what 'fifo' has, which is then one without room. */
void fifo_fini(struct fifo *fifo);

#endif /* twin/switch/fifo.h */
