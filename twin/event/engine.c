/* SPDX-License-Identifier: Apache-2.0 */

/* A clock, posts and timers. */

#include <config.h>

#include "twin/event/engine.h"

#include <stdlib.h>

#include "base/check.h"
#include "base/line_pool.h"

/* An engine_loop_fn for an engine without posts. */
static uint64_t
run_timers(void *context, struct engine *engine, int64_t until_ps,
           uint64_t most)
{
    uint64_t n = 0;
    struct post post;
    enum engine_next next;

    (void)context;
    for (; n < most &&
           (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE;
         n++) {
        orch_assert(next == ENGINE_TIMER);
        engine_fire(engine);
    }
    return n;
}

struct engine_queue *
engine_queue_create__(struct line_pool *memory)
{
    struct engine_queue *queue = line_pool_take(memory, sizeof *queue);

    queue->timer_ps = EVENT_NEVER;
    wheel_init(&queue->wheel, memory);
    return queue;
}

void
engine_queue_end__(struct engine_queue *queue)
{
    timer_heap_fini(&queue->timers);
    wheel_fini(&queue->wheel);
}

struct engine *
engine_create_with(const struct line_pool_source *source)
{
    struct line_pool *memory = line_pool_create(source);
    struct engine *engine = line_pool_take(memory, sizeof *engine);

    engine->memory = memory;
    engine->order = UINT64_MAX;
    engine->loop = run_timers;
    engine->first = engine->queue = engine_queue_create__(memory);
    engine->queues = &engine->first;
    engine->n_queues = 1;
    engine->closed_ps = -1;
    return engine;
}

struct engine *
engine_create(void)
{
    return engine_create_with(NULL);
}

void
engine_destroy(struct engine *engine)
{
    if (!engine) {
        return;
    }
    for (uint32_t i = 0; i < engine->n_queues; i++) {
        engine_queue_end__(engine->queues[i]);
    }
    if (engine->lane_of) {
        engine_end_lanes__(engine);
    }
    if (engine->destroy_pool) {
        engine->destroy_pool(engine->pool);
    }
    line_pool_destroy(engine->memory);
}

bool
engine_has_loop(const struct engine *engine)
{
    return engine->loop != run_timers;
}

void
engine_set_loop(struct engine *engine, engine_loop_fn *loop, void *context)
{
    engine->loop = loop;
    engine->context = context;
}

void
engine_set_pool(struct engine *engine, void *pool, void (*destroy)(void *pool))
{
    orch_assert(!engine->pool);
    engine->pool = pool;
    engine->destroy_pool = destroy;
}

/* Timers --------------------------------------------------------------- */

/* Updates what engine_pop() compares with. */
static void
note_first_timer(struct engine_queue *queue)
{
    const struct event *event = timer_heap_first(&queue->timers);

    queue->timer_ps = event ? event->when_ps : EVENT_NEVER;
}

/* Returns the queue of timer 'event', which happens at 'when_ps'. */
static struct engine_queue *
queue_of(const struct engine *engine, const struct event *event,
         int64_t when_ps)
{
    struct engine_queue *queue;

    if (!engine->lane_of) {
        return engine->queue;
    }
    queue =
        engine->queues[event_class(event->order) == EVENT_TIMER_OBSERVE
                           ? ENGINE_COMMON
                           : engine_lane(engine, event_entity(event->order))];
    orch_assert(queue == engine->queue || when_ps > engine->closed_ps);
    return queue;
}

void
engine_schedule(struct engine *engine, struct event *event, int64_t when_ps)
{
    struct engine_queue *queue = queue_of(engine, event, when_ps);

    orch_assert(when_ps >= engine->now_ps && when_ps != EVENT_NEVER);
    timer_heap_set(&queue->timers, event, when_ps);
    note_first_timer(queue);
}

void
engine_cancel(struct engine *engine, struct event *event)
{
    if (event_is_pending(event)) {
        struct engine_queue *queue = queue_of(engine, event, event->when_ps);

        timer_heap_remove(&queue->timers, event);
        note_first_timer(queue);
    }
}

/* Loops ---------------------------------------------------------------- */

/* Takes 'event', the first timer, out. */
static enum engine_next
take_timer(struct engine *engine, struct event *event)
{
    timer_heap_remove(&engine->queue->timers, event);
    note_first_timer(engine->queue);
    engine->due = event;
    engine->now_ps = event->when_ps;
    engine->order = event->order;
    return ENGINE_TIMER;
}

enum engine_next
engine_pop_slow__(struct engine *engine, int64_t limit_ps, struct post *post)
{
    struct engine_queue *queue = engine->queue;
    struct wheel *wheel = &queue->wheel;
    struct event *timer = timer_heap_first(&queue->timers);
    const int64_t bound_ps =
        queue->timer_ps < limit_ps ? queue->timer_ps : limit_ps;
    const struct post *first;

    if (wheel->first == wheel->end) {
        wheel_open(wheel, bound_ps);
    }
    if (wheel->first >= wheel->mark) {
        wheel_extend(wheel, engine->now_ps);
    }
    first = wheel->first;
    if (timer && timer->when_ps <= limit_ps &&
        (timer->when_ps < first->when_ps ||
         (timer->when_ps == first->when_ps && timer->order < first->order))) {
        return take_timer(engine, timer);
    }
    if (first == wheel->end || first->when_ps > limit_ps) {
        return ENGINE_IDLE;
    }
    *post = *first;
    wheel->first++;
    engine->now_ps = post->when_ps;
    engine->order = post->order;
    return ENGINE_POST;
}

/* Running -------------------------------------------------------------- */

int64_t
engine_queue_next_ps__(const struct engine_queue *queue)
{
    const int64_t post_ps = wheel_next_ps(&queue->wheel);

    return post_ps < queue->timer_ps ? post_ps : queue->timer_ps;
}

int64_t
engine_next_ps(const struct engine *engine)
{
    int64_t next_ps = engine_queue_next_ps__(engine->queues[0]);

    for (uint32_t i = 1; i < engine->n_queues; i++) {
        const int64_t other_ps = engine_queue_next_ps__(engine->queues[i]);

        next_ps = other_ps < next_ps ? other_ps : next_ps;
    }
    return next_ps;
}

void
engine_visit(const struct engine *engine, wheel_visit_fn *visit, void *context)
{
    for (uint32_t i = 0; i < engine->n_queues; i++) {
        wheel_visit(&engine->queues[i]->wheel, visit, context);
    }
}

/* Handles events up to and including 'until_ps', at most 'most' of them, and
 * returns how many. */
static uint64_t
handle(struct engine *engine, int64_t until_ps, uint64_t most)
{
    return engine->lane_of
               ? engine_run_lanes__(engine, until_ps, most)
               : engine->loop(engine->context, engine, until_ps, most);
}

bool
engine_step(struct engine *engine)
{
    return handle(engine, EVENT_NEVER, 1) != 0;
}

uint64_t
engine_run_some(struct engine *engine, int64_t until_ps, uint64_t most)
{
    uint64_t n;

    if (until_ps < engine->now_ps) {
        return 0;
    }
    n = handle(engine, until_ps, most);
    if (n < most) {
        engine->order = UINT64_MAX;
        engine->now_ps = until_ps != EVENT_NEVER ? until_ps : engine->now_ps;
    }
    return n;
}

uint64_t
engine_run_until(struct engine *engine, int64_t until_ps)
{
    return engine_run_some(engine, until_ps, UINT64_MAX);
}
