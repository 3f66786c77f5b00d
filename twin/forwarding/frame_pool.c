/* SPDX-License-Identifier: Apache-2.0 */

/* Blocks of frames, and a list of those that are free. */

#include <config.h>

#include "twin/forwarding/frame_pool.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/line_pool.h"
#include "twin/event/engine.h"

enum {
    FIRST_PLACES = 64,
    BLOCK_BYTES = FRAME_POOL_BLOCK * sizeof(struct sim_frame),
};

/* Drops the references of all frames of 'pool' to their payloads. */
static void
clear(struct frame_pool *pool)
{
    while (pool->free != FRAME_NONE) {
        struct sim_frame *frame = frame_at(pool, pool->free);

        pool->free = frame->flow;
        frame->payload = NULL;
    }
    for (uint32_t i = 0; i < pool->fresh; i++) {
        const struct sim_frame *frame = frame_at(pool, i);

        if (frame->payload && !frame->borrows) {
            sim_payload_unref(frame->payload);
        }
    }
}

/* Frees a pool. */
static void
destroy(void *pool_)
{
    struct frame_pool *pool = pool_;

    clear(pool);
    free(pool);
}

struct frame_pool *
frame_pool_of(struct engine *engine)
{
    struct frame_pool *pool = engine_pool(engine);

    if (!pool) {
        pool = check_calloc(1, sizeof *pool);
        pool->memory = engine_memory(engine);
        pool->free = FRAME_NONE;
        engine_set_pool(engine, pool, destroy);
    }
    return pool;
}

uint32_t
frame_pool_extend__(struct frame_pool *pool)
{
    const uint32_t block = pool->fresh >> FRAME_POOL_BLOCK_BITS;

    orch_assert(block < FRAME_POOL_BLOCKS);
    if (!pool->blocks[block]) {
        pool->blocks[block] = line_pool_take(pool->memory, BLOCK_BYTES);
    }
    return pool->fresh++;
}

void
frame_pool_settle(struct frame_pool *pool, uint32_t entity, void *place)
{
    uint32_t n = pool->n_places ? pool->n_places : FIRST_PLACES;

    while (n <= entity) {
        n *= 2;
    }
    if (n > pool->n_places) {
        pool->places = line_pool_extend(pool->memory, pool->places,
                                        pool->n_places * sizeof *pool->places,
                                        n * sizeof *pool->places);
        pool->n_places = n;
    }
    pool->places[entity] = place;
}

uint32_t
frame_copy(struct frame_pool *pool, const struct sim_frame *frame)
{
    const uint32_t index = frame_take(pool);

    *frame_at(pool, index) = *frame;
    if (frame->payload && !frame->borrows) {
        frame->payload->references++;
    }
    return index;
}
