/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_RING_H
#define ORCHD_LAB_EXEC_RUN_RING_H

/* What ends of connections of storage (run_su_rdma.c, run_sk_rdma.c) keep in
 * order: rings of items of one size, and delay lines, in which items wait for
 * a time.
 *
 * Items are copied.  Their memory is of the arena that creation gets, and ends
 * with it; nothing here fails.  Who enters an item knows that there is room for
 * it. */

#include <stddef.h>
#include <stdint.h>

#include "lab/exec/run_state.h"

struct run_ring {
    unsigned char *items;
    size_t item_bytes;
    uint32_t room;       /* In items. */
    uint64_t first, end; /* Counted from the first item ever. */
};

void run_ring_create(struct run_ring *ring, struct arena *arena, uint32_t room,
                     size_t item_bytes);

/* Copies '*item' to the end; moves the first item, which is there, to
 * '*item'. */
void run_ring_put(struct run_ring *ring, const void *item);
void run_ring_take(struct run_ring *ring, void *item);

static inline uint64_t
run_ring_n(const struct run_ring *ring)
{
    return ring->end - ring->first;
}

/* Items that wait, in the order of their times. 'event', of the owner, is
 * pending while there are any, and does not move. */
struct run_delay {
    struct engine *engine;
    struct run_ring items;
    struct run_ring times; /* int64_t, ps. */
    int64_t last_ps;       /* When the last item ever leaves. */
    struct event event;
};

void run_delay_create(struct run_delay *line, struct arena *arena,
                      struct engine *engine, uint32_t room, size_t item_bytes,
                      struct event event);

/* Lets '*item' wait until 'at_ps', and behind all that waits. */
void run_delay_enter(struct run_delay *line, int64_t at_ps, const void *item);

/* Moves the item whose time has come, for which 'event' has fired, to
 * '*item'. */
void run_delay_leave(struct run_delay *line, void *item);

/* Lets 'event' not fire any more. */
void run_delay_stop(struct run_delay *line);

#endif /* lab/exec/run_ring.h */
