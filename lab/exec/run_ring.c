/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/exec/run_ring.h"

#include <string.h>

#include "base/check.h"

void
run_ring_create(struct run_ring *ring, struct arena *arena, uint32_t room,
                size_t item_bytes)
{
    *ring = (struct run_ring){.items = arena_alloc(arena, room, item_bytes),
                              .item_bytes = item_bytes,
                              .room = room};
}

static unsigned char *
item_at(const struct run_ring *ring, uint64_t at)
{
    return ring->items + at % ring->room * ring->item_bytes;
}

void
run_ring_put(struct run_ring *ring, const void *item)
{
    orch_assert(run_ring_n(ring) < ring->room);
    memcpy(item_at(ring, ring->end++), item, ring->item_bytes);
}

void
run_ring_take(struct run_ring *ring, void *item)
{
    orch_assert(ring->first < ring->end);
    memcpy(item, item_at(ring, ring->first++), ring->item_bytes);
}

void
run_delay_create(struct run_delay *line, struct arena *arena,
                 struct engine *engine, uint32_t room, size_t item_bytes,
                 struct event event)
{
    *line = (struct run_delay){.engine = engine, .event = event};
    run_ring_create(&line->items, arena, room, item_bytes);
    run_ring_create(&line->times, arena, room, sizeof(int64_t));
}

void
run_delay_enter(struct run_delay *line, int64_t at_ps, const void *item)
{
    line->last_ps = at_ps > line->last_ps ? at_ps : line->last_ps;
    run_ring_put(&line->items, item);
    run_ring_put(&line->times, &line->last_ps);
    if (run_ring_n(&line->items) == 1) {
        engine_schedule(line->engine, &line->event, line->last_ps);
    }
}

void
run_delay_leave(struct run_delay *line, void *item)
{
    int64_t at_ps;

    run_ring_take(&line->items, item);
    run_ring_take(&line->times, &at_ps);
    if (run_ring_n(&line->times)) {
        memcpy(&at_ps, item_at(&line->times, line->times.first), sizeof at_ps);
        engine_schedule(line->engine, &line->event, at_ps);
    }
}

void
run_delay_stop(struct run_delay *line)
{
    engine_cancel(line->engine, &line->event);
}
