/* SPDX-License-Identifier: Apache-2.0 */

/* A ring of frames. */

#include <config.h>

#include "twin/switch/fifo.h"

#include <stdlib.h>

#include "base/check.h"

/* Returns the slot of frame 'i', counted from the oldest. */
static struct sim_frame *
slot(const struct fifo *fifo, uint32_t i)
{
    return &fifo->frames[(fifo->head + i) % fifo->room];
}

void
fifo_set_limit(struct fifo *fifo, uint32_t limit)
{
    const uint32_t room = limit > fifo->n ? limit : fifo->n;
    struct sim_frame *frames;

    fifo->limit = limit;
    if (room == fifo->room) {
        return;
    }
    frames = room ? check_calloc(room, sizeof *frames) : NULL;
    for (uint32_t i = 0; i < fifo->n; i++) {
        frames[i] = *slot(fifo, i);
    }
    free(fifo->frames);
    fifo->frames = frames;
    fifo->room = room;
    fifo->head = 0;
}

bool
fifo_is_full(const struct fifo *fifo)
{
    return fifo->n >= fifo->limit;
}

struct sim_frame *
fifo_add(struct fifo *fifo)
{
    orch_assert(!fifo_is_full(fifo));
    return slot(fifo, fifo->n++);
}

bool
fifo_take(struct fifo *fifo, struct sim_frame *frame)
{
    struct sim_frame *oldest;

    if (fifo->n == 0) {
        return false;
    }
    oldest = slot(fifo, 0);
    sim_payload_unref(frame->payload);
    *frame = *oldest;
    oldest->payload = NULL;
    fifo->head = (fifo->head + 1) % fifo->room;
    fifo->n--;
    return true;
}

uint32_t
fifo_clear(struct fifo *fifo)
{
    const uint32_t n = fifo->n;
    struct sim_frame frame = {0};

    while (fifo_take(fifo, &frame)) {
    }
    sim_payload_unref(frame.payload);
    return n;
}

void
fifo_fini(struct fifo *fifo)
{
    (void)fifo_clear(fifo);
    fifo_set_limit(fifo, 0);
}
