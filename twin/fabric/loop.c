/* SPDX-License-Identifier: Apache-2.0 */

/* The loop over the events of a fabric.
 *
 * It knows every kind of place, and calls each directly.  While it handles an
 * event it fetches what later ones need into the cache. */

#include <config.h>

#include "base/check.h"
#include "twin/fabric/fabric.h"
#include "twin/forwarding/frame_pool.h"

enum {
    AHEAD_PLACE = 2, /* Events ahead whose place is fetched. */
};

/* Fetches the place of a later event, and its frame. */
static inline void
prefetch(const struct frame_pool *pool, const struct post *post)
{
    const void *place = frame_pool_place(pool, event_entity(post->order));
    const enum event_class class = event_class(post->order);

    __builtin_prefetch(place);
    if (class == EVENT_ARRIVE || class == EVENT_HOST_ARRIVE ||
        class == EVENT_NIC_ARRIVE) {
        __builtin_prefetch(frame_at(pool, event_arg(post->order)));
    }
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
        orch_assert(!"a post of a class that a fabric does not have");
    }
}

/* An engine_loop_fn. */
static uint64_t
run(void *pool, struct engine *engine, int64_t until_ps, uint64_t most)
{
    enum engine_next next;
    struct post post;
    uint64_t n = 0;

    while (n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
        n++;
        if (next == ENGINE_TIMER) {
            engine_fire(engine);
            continue;
        }
        prefetch(pool, engine_ahead(engine, AHEAD_PLACE));
        handle(pool, &post);
    }
    return n;
}

void
fabric_serve(struct engine *engine)
{
    engine_set_loop(engine, run, frame_pool_of(engine));
}
