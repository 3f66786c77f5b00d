/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_FORWARDING_FRAME_POOL_H
#define ORCHD_TWIN_FORWARDING_FRAME_POOL_H

/* The frames of a simulation, by index.
 *
 * All switches, links and hosts on one engine share one pool, so a frame keeps
 * its place in memory from its source to its sink.  Every frame has one owner:
 * the host that makes it, the wire, the buffer of a switch, the host that
 * receives it.  The owner passes the index on, and with it the ownership, or
 * gives the frame back.
 *
 * A frame never moves.  The pool grows by blocks, about 64 bytes per frame that
 * is in the simulation at the same time; memory that is not used yet is not
 * touched.  The frame given back last is taken first, so it is likely to be in
 * the cache.  Indices are for identity only: they depend on what happened
 * elsewhere, so no result may depend on them.
 *
 * The pool also knows the places between which frames travel: what has which
 * entity (twin/event/event.h), so that a loop over events finds it. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "twin/forwarding/frame.h"

struct engine;
struct line_pool;

enum {
    FRAME_POOL_BLOCK_BITS = 12,
    FRAME_POOL_BLOCK = 1 << FRAME_POOL_BLOCK_BITS, /* Frames per block. */
    FRAME_POOL_BLOCKS = 1 << 13, /* 32 M frames in all, 2 GB. */
    FRAME_POOL_LARGE = 1 << 12,  /* Places.  See frame_pool_is_large(). */
};

/* No frame. */
#define FRAME_NONE UINT32_MAX

/* The members are private, but 'memory'. */
struct frame_pool {
    struct line_pool *memory; /* For what is used with every packet, by all that
                               * use the pool. */
    uint32_t free;            /* The frame given back last; FRAME_NONE: none. */
    uint32_t fresh;           /* The first frame that was never taken. */
    uint32_t n;               /* Frames in use. */
    uint32_t n_flows;         /* Payload numbers given so far. */
    uint32_t n_epochs;
    uint32_t n_places;
    void **places; /* By entity. */
    struct sim_frame *blocks[FRAME_POOL_BLOCKS];
};

/* Returns the pool of 'engine'; the first call creates it.  Borrowed; the
 * engine owns it, and gives back what is still in use when it is destroyed. */
struct frame_pool *frame_pool_of(struct engine *engine);

/* Returns frame 'index', which is in use. */
static inline struct sim_frame *
frame_at(const struct frame_pool *pool, uint32_t index)
{
    return &pool->blocks[index >> FRAME_POOL_BLOCK_BITS]
                        [index & (FRAME_POOL_BLOCK - 1)];
}

/* Extends the pool.  Returns a fresh frame. */
uint32_t frame_pool_extend__(struct frame_pool *pool);

/* Takes a frame, for the caller to fill completely.  Never fails. */
static inline uint32_t
frame_take(struct frame_pool *pool)
{
    const uint32_t index = pool->free;

    pool->n++;
    if (index == FRAME_NONE) {
        return frame_pool_extend__(pool);
    }
    pool->free = frame_at(pool, index)->flow;
    return index;
}

/* Gives frame 'index' back, and drops its reference to its payload. */
static inline void
frame_give(struct frame_pool *pool, uint32_t index)
{
    struct sim_frame *frame = frame_at(pool, index);

    if (frame->payload && !frame->borrows) {
        sim_payload_unref(frame->payload);
    }
    frame->flow = pool->free;
    pool->free = index;
    pool->n--;
}

/* Takes a frame and makes it a copy of '*frame', with a reference to its
 * payload unless that is borrowed. */
uint32_t frame_copy(struct frame_pool *pool, const struct sim_frame *frame);

/* Makes 'place' known as 'entity'; NULL: there is nothing any more.  What kind
 * of place it is follows from the class of an event. */
void frame_pool_settle(struct frame_pool *pool, uint32_t entity, void *place);

/* Returns what is at 'entity', NULL if nothing is. */
static inline void *
frame_pool_place(const struct frame_pool *pool, uint32_t entity)
{
    return entity < pool->n_places ? pool->places[entity] : NULL;
}

/* Returns whether the places are so many that what they need does not stay in
 * the caches of a processor. */
static inline bool
frame_pool_is_large(const struct frame_pool *pool)
{
    return pool->n_places >= FRAME_POOL_LARGE;
}

/* Fetches into the cache what frame_pool_place() will need. */
static inline __attribute__((always_inline)) void
frame_pool_foresee(const struct frame_pool *pool, uint32_t entity)
{
    __builtin_prefetch(&pool->places[entity]);
}

/* Returns a number, not 0, that tells what was posted before from what is
 * posted later.  It repeats after 65,535 others. */
static inline uint16_t
frame_pool_epoch(struct frame_pool *pool)
{
    return (uint16_t)(pool->n_epochs++ % UINT16_MAX + 1);
}

/* Returns a number, not 0, for the payload of a flow. */
static inline uint32_t
frame_pool_flow(struct frame_pool *pool)
{
    return ++pool->n_flows ? pool->n_flows : ++pool->n_flows;
}

/* Returns how many frames are in use. */
static inline uint32_t
frame_pool_in_use(const struct frame_pool *pool)
{
    return pool->n;
}

#endif /* twin/forwarding/frame_pool.h */
