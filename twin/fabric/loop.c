/* SPDX-License-Identifier: Apache-2.0 */

/* The loop over the events of a fabric.
 *
 * It knows every kind of place, and calls each directly.  In a fabric that is
 * larger than the caches it fetches what later events need, while it handles an
 * event.  In others that takes longer than it saves. */

#include <config.h>

#include "base/check.h"
#include "twin/fabric/fabric.h"
#include "twin/forwarding/frame_pool.h"

/* For functions that only fetch.  A compiler sees no effect in them, and drops
 * the call of one that it has not inlined before it looks. */
#define FORESEE_INLINE static inline __attribute__((always_inline))

/* How many events ahead a step is taken. */
enum {
    AHEAD_FIRST = 15, /* The frame. */
    AHEAD_PLACE = 13,
    AHEAD_THIRD = 11,
    AHEAD_FOURTH = 9,
    AHEAD_FIFTH = 7,
    AHEAD_SIXTH = 5,
    AHEAD_SEVENTH = 3,
    AHEAD_LAST = 1,
};

/* Whether a post is the arrival of a frame. */
static inline bool is_arrival(enum event_class class)
{
    return class == EVENT_ARRIVE || class == EVENT_HOST_ARRIVE ||
           class == EVENT_NIC_ARRIVE;
}

/* Each step takes what an event needs one further. */
FORESEE_INLINE void
foresee_first(const struct frame_pool *pool, const struct post *post)
{
    if (is_arrival(event_class(post->order))) {
        __builtin_prefetch(frame_at(pool, event_arg(post->order)));
    }
    frame_pool_foresee(pool, event_entity(post->order));
}

FORESEE_INLINE void
foresee_place(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const enum event_class class = event_class(post->order);

    if (class == EVENT_ARRIVE) {
        sim_foresee_ingress(pool, entity);
    } else if (class == EVENT_TX_END) {
        sim_foresee_port(pool, entity);
    } else if (class == EVENT_NIC_ARRIVE || class == EVENT_NIC_TX_END ||
               class == EVENT_NIC_WAKE) {
        nic_foresee(pool, entity);
    }
}

FORESEE_INLINE void
foresee_third(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const uint32_t arg = event_arg(post->order);

    switch (event_class(post->order)) {
    case EVENT_ARRIVE:
        sim_foresee_arrival(pool, entity, arg);
        break;
    case EVENT_TX_END:
        sim_foresee_tx_end(pool, entity);
        break;
    case EVENT_NIC_ARRIVE:
        nic_foresee_arrival(pool, entity, arg);
        break;
    case EVENT_NIC_TX_END:
    case EVENT_NIC_WAKE:
        nic_foresee_sending(pool, entity);
        break;
    default:
        break;
    }
}

FORESEE_INLINE void
foresee_fourth(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const uint32_t arg = event_arg(post->order);

    switch (event_class(post->order)) {
    case EVENT_ARRIVE:
        sim_foresee_flow(pool, entity, arg);
        break;
    case EVENT_TX_END:
        sim_foresee_buffer(pool, entity);
        break;
    case EVENT_NIC_ARRIVE:
        nic_foresee_transport(pool, entity, arg);
        break;
    default:
        break;
    }
}

FORESEE_INLINE void
foresee_fifth(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const enum event_class class = event_class(post->order);

    if (class == EVENT_ARRIVE) {
        sim_foresee_way(pool, entity, event_arg(post->order));
    } else if (class == EVENT_TX_END) {
        sim_foresee_place(pool, entity);
    }
}

FORESEE_INLINE void
foresee_sixth(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const enum event_class class = event_class(post->order);

    if (class == EVENT_ARRIVE) {
        sim_foresee_accounts(pool, entity, event_arg(post->order));
    } else if (class == EVENT_TX_END) {
        sim_foresee_queue(pool, entity);
    }
}

FORESEE_INLINE void
foresee_seventh(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const enum event_class class = event_class(post->order);

    if (class == EVENT_ARRIVE) {
        sim_foresee_admission(pool, entity, event_arg(post->order));
    } else if (class == EVENT_TX_END) {
        sim_foresee_head(pool, entity);
    }
}

FORESEE_INLINE void
foresee_last(const struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const enum event_class class = event_class(post->order);

    if (class == EVENT_TX_END) {
        sim_foresee_departure(pool, entity);
    }
}

/* Fetches what the events after the present one need. */
FORESEE_INLINE void
foresee(const struct frame_pool *pool, const struct engine *engine)
{
    foresee_first(pool, engine_ahead(engine, AHEAD_FIRST));
    foresee_place(pool, engine_ahead(engine, AHEAD_PLACE));
    foresee_third(pool, engine_ahead(engine, AHEAD_THIRD));
    foresee_fourth(pool, engine_ahead(engine, AHEAD_FOURTH));
    foresee_fifth(pool, engine_ahead(engine, AHEAD_FIFTH));
    foresee_sixth(pool, engine_ahead(engine, AHEAD_SIXTH));
    foresee_seventh(pool, engine_ahead(engine, AHEAD_SEVENTH));
    foresee_last(pool, engine_ahead(engine, AHEAD_LAST));
}

static inline void
handle(struct frame_pool *pool, const struct post *post)
{
    const uint32_t entity = event_entity(post->order);
    const uint32_t arg = event_arg(post->order);

    switch (event_class(post->order)) {
    case EVENT_TX_END:
        sim_handle_tx_end(pool, entity, arg);
        break;
    case EVENT_ARRIVE:
        sim_handle_arrive(pool, entity, arg);
        break;
    case EVENT_HOST_TX_END:
        host_handle_tx_end(pool, entity, arg);
        break;
    case EVENT_HOST_ARRIVE:
        host_handle_arrive(pool, entity, arg);
        break;
    case EVENT_NIC_TX_END:
        nic_handle_tx_end(pool, entity);
        break;
    case EVENT_NIC_ARRIVE:
        nic_handle_arrive(pool, entity, arg);
        break;
    case EVENT_NIC_DRAIN:
        nic_handle_drain(pool, entity);
        break;
    case EVENT_NIC_WAKE:
        nic_handle_wake(pool, entity);
        break;
    case EVENT_TIMER_RETRY:
        nic_handle_retry(pool, entity, arg);
        break;
    default:
        check_failed("a class of posts that a fabric has", __FILE__, __LINE__);
    }
}

/* An engine_loop_fn. */
static uint64_t
run(void *pool, struct engine *engine, int64_t until_ps, uint64_t most)
{
    enum engine_next next;
    struct post post;
    const bool is_large = frame_pool_is_large(pool);
    uint64_t n = 0;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        n++;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
            continue;
        }
        if (is_large) {
            foresee(pool, engine);
        }
        handle(pool, &post);
    }
    return n;
}

void
fabric_serve(struct engine *engine)
{
    engine_set_loop(engine, run, frame_pool_of(engine));
}
