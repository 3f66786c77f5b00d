/* SPDX-License-Identifier: Apache-2.0 */

/* An engine whose places are divided into lanes.
 *
 * Windows.  Let t be the time of the next event of all lanes.  What happens
 * from t on reaches other lanes no sooner than t + lookahead.  So until just
 * before, each lane has all its events already, and can handle them without the
 * others.  The window ends earlier where something concerns all.  (This is what
 * conservative parallel simulation does, on one processor: Chandy and Misra
 * 1979; Fujimoto, "Parallel discrete event simulation", 1990.)
 *
 * Instants.  At a time at which something concerns all, and for a single event,
 * the first event of all queues is handled, one at a time, in the order that an
 * engine without lanes has.
 *
 * Cost: a look at each queue per window, some 5 us for 64. */

#include <config.h>

#include "twin/event/engine.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* Moves the pending events to the queues of their lanes. */
static void
deal(struct engine *engine, struct engine_queue *from)
{
    struct event *event;

    while (wheel_next_ps(&from->wheel) != EVENT_NEVER) {
        struct post post;

        if (from->wheel.first == from->wheel.end) {
            wheel_open(&from->wheel, EVENT_NEVER);
        }
        post = *from->wheel.first++;
        wheel_add(&engine->queues[engine_lane(engine, event_entity(post.order))]
                       ->wheel,
                  post, engine->now_ps);
    }
    /* In their order, which equal ones keep. */
    while ((event = timer_heap_first(&from->timers))) {
        timer_heap_remove(&from->timers, event);
        engine_schedule(engine, event, event->when_ps);
    }
}

void
engine_divide(struct engine *engine, const uint8_t *lane_of, uint32_t n,
              uint32_t n_lanes, int64_t lookahead_ps)
{
    orch_assert(!engine->lane_of && engine->order == UINT64_MAX);
    orch_assert(n_lanes > 0 && n_lanes <= ENGINE_MAX_LANES);
    orch_assert(n > 0 && lookahead_ps > 0);
    for (uint32_t i = 0; i < n; i++) {
        orch_assert(lane_of[i] <= n_lanes);
    }
    engine->n_queues = n_lanes + 1;
    engine->queues = check_calloc(engine->n_queues, sizeof(void *));
    for (uint32_t i = 0; i < engine->n_queues; i++) {
        engine->queues[i] = engine_queue_create__(engine->memory);
    }
    engine->lane_of = check_malloc(n);
    memcpy(engine->lane_of, lane_of, n);
    engine->n_lane_of = n;
    engine->lookahead_ps = lookahead_ps;
    engine->queue = engine->queues[ENGINE_COMMON];
    deal(engine, engine->first);
    engine_queue_end__(engine->first);
}

void
engine_end_lanes__(struct engine *engine)
{
    free(engine->lane_of);
    free(engine->queues);
}

/* Returns the order of the first event in 'queue', which is at 'now_ps'. */
static uint64_t
first_order(struct engine_queue *queue, int64_t now_ps)
{
    const struct event *timer = timer_heap_first(&queue->timers);
    uint64_t order = UINT64_MAX;

    if (queue->wheel.first == queue->wheel.end) {
        wheel_open(&queue->wheel, now_ps);
    }
    if (queue->wheel.first != queue->wheel.end &&
        queue->wheel.first->when_ps == now_ps) {
        order = queue->wheel.first->order;
    }
    return timer && timer->when_ps == now_ps && timer->order < order
               ? timer->order
               : order;
}

/* Handles the first of all events, which is at 'next_ps'. */
static uint64_t
handle_one(struct engine *engine, int64_t next_ps)
{
    uint64_t least = UINT64_MAX;

    for (uint32_t i = 0; i < engine->n_queues; i++) {
        struct engine_queue *queue = engine->queues[i];

        if (engine_queue_next_ps__(queue) == next_ps) {
            const uint64_t order = first_order(queue, next_ps);

            if (order < least) {
                least = order;
                engine->queue = queue;
            }
        }
    }
    return engine->loop(engine->context, engine, next_ps, 1);
}

/* Handles all events from 'next_ps', the first, to 'bound_ps', lane by lane. */
static uint64_t
handle_window(struct engine *engine, int64_t next_ps, int64_t bound_ps)
{
    int64_t last_ps = next_ps;
    uint64_t n = 0;

    engine->closed_ps = bound_ps;
    for (uint32_t i = ENGINE_COMMON + 1; i < engine->n_queues; i++) {
        engine->queue = engine->queues[i];
        engine->now_ps = next_ps;
        n += engine->loop(engine->context, engine, bound_ps, UINT64_MAX);
        last_ps = engine->now_ps > last_ps ? engine->now_ps : last_ps;
    }
    engine->closed_ps = -1;
    engine->now_ps = last_ps;
    engine->order = UINT64_MAX;
    return n;
}

/* Returns the end of the window that begins with 'next_ps', the time of the
 * next event; before 'next_ps' if that concerns all. */
static int64_t
window_end_ps(const struct engine *engine, int64_t next_ps, int64_t until_ps)
{
    const int64_t common_ps =
        engine_queue_next_ps__(engine->queues[ENGINE_COMMON]);
    int64_t end_ps = until_ps;

    if (end_ps - next_ps >= engine->lookahead_ps) {
        end_ps = next_ps + engine->lookahead_ps - 1;
    }
    return common_ps <= end_ps ? common_ps - 1 : end_ps;
}

uint64_t
engine_run_lanes__(struct engine *engine, int64_t until_ps, uint64_t most)
{
    uint64_t n = 0;

    while (n < most) {
        const int64_t next_ps = engine_next_ps(engine);
        int64_t end_ps;

        if (next_ps > until_ps || next_ps == EVENT_NEVER) {
            break;
        }
        end_ps = window_end_ps(engine, next_ps, until_ps);
        n += most == 1 || end_ps < next_ps
                 ? handle_one(engine, next_ps)
                 : handle_window(engine, next_ps, end_ps);
    }
    return n;
}
