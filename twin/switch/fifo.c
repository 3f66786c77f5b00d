/* SPDX-License-Identifier: Apache-2.0 */

/* A ring of frames. */

#include <config.h>

#include "twin/switch/fifo.h"

#include <stdlib.h>

#include "base/check.h"

/* Returns the slot of frame 'i', counted from the oldest. */
static uint32_t *
slot(const struct fifo *fifo, uint32_t i)
{
    return &fifo->frames[(fifo->head + i) % fifo->room];
}

void
fifo_set_limit(struct fifo *fifo, uint32_t limit)
{
    const uint32_t room = limit > fifo->n ? limit : fifo->n;
    uint32_t *frames;

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

void
fifo_add(struct fifo *fifo, uint32_t frame)
{
    orch_assert(!fifo_is_full(fifo));
    *slot(fifo, fifo->n++) = frame;
}

uint32_t
fifo_take(struct fifo *fifo)
{
    uint32_t frame;

    if (fifo->n == 0) {
        return FRAME_NONE;
    }
    frame = *slot(fifo, 0);
    fifo->head = (fifo->head + 1) % fifo->room;
    fifo->n--;
    return frame;
}

void
fifo_count(const struct fifo *fifo, const struct frame_pool *pool,
           uint64_t *frames, uint64_t *bytes)
{
    *frames += fifo->n;
    for (uint32_t i = 0; i < fifo->n; i++) {
        *bytes += frame_at(pool, *slot(fifo, i))->length_bytes;
    }
}

void
fifo_fini(struct fifo *fifo, struct frame_pool *pool)
{
    while (fifo->n) {
        frame_give(pool, fifo_take(fifo));
    }
    fifo_set_limit(fifo, 0);
}
