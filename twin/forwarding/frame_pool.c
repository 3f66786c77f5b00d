/* SPDX-License-Identifier: Apache-2.0 */

/* Blocks of frames, and a list of those that are free. */

#include <config.h>

#include "twin/forwarding/frame_pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "twin/event/engine.h"

enum {
    FRAME_LINE = 64, /* Bytes of a cache line. */
    FIRST_PLACES = 64,
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
    for (uint32_t i = 0; i < FRAME_POOL_BLOCKS && pool->blocks[i]; i++) {
        free(pool->blocks[i]);
    }
    free(pool->places);
    free(pool);
}

struct frame_pool *
frame_pool_of(struct engine *engine)
{
    struct frame_pool *pool = engine_pool(engine);

    if (!pool) {
        pool = check_calloc(1, sizeof *pool);
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
        pool->blocks[block] = aligned_alloc(
            FRAME_LINE, FRAME_POOL_BLOCK * sizeof(struct sim_frame));
        orch_assert(pool->blocks[block]);
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
        pool->places = check_realloc(pool->places, n * sizeof *pool->places);
        memset(pool->places + pool->n_places, 0,
               (n - pool->n_places) * sizeof *pool->places);
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
