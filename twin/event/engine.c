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

struct engine *
engine_create_with(const struct line_pool_source *source)
{
    struct line_pool *memory = line_pool_create(source);
    struct engine *engine = line_pool_take(memory, sizeof *engine);

    engine->memory = memory;
    engine->timer_ps = EVENT_NEVER;
    engine->order = UINT64_MAX;
    engine->loop = run_timers;
    wheel_init(&engine->wheel, memory);
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
    timer_heap_fini(&engine->timers);
    wheel_fini(&engine->wheel);
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
note_first_timer(struct engine *engine)
{
    const struct event *event = timer_heap_first(&engine->timers);

    engine->timer_ps = event ? event->when_ps : EVENT_NEVER;
}

void
engine_schedule(struct engine *engine, struct event *event, int64_t when_ps)
{
    orch_assert(when_ps >= engine->now_ps && when_ps != EVENT_NEVER);
    timer_heap_set(&engine->timers, event, when_ps);
    note_first_timer(engine);
}

void
engine_cancel(struct engine *engine, struct event *event)
{
    if (event_is_pending(event)) {
        timer_heap_remove(&engine->timers, event);
        note_first_timer(engine);
    }
}

/* Loops ---------------------------------------------------------------- */

/* Takes 'event', the first timer, out. */
static enum engine_next
take_timer(struct engine *engine, struct event *event)
{
    timer_heap_remove(&engine->timers, event);
    note_first_timer(engine);
    engine->due = event;
    engine->now_ps = event->when_ps;
    engine->order = event->order;
    return ENGINE_TIMER;
}

enum engine_next
engine_pop_slow__(struct engine *engine, int64_t limit_ps, struct post *post)
{
    struct wheel *wheel = &engine->wheel;
    struct event *timer = timer_heap_first(&engine->timers);
    const int64_t bound_ps =
        engine->timer_ps < limit_ps ? engine->timer_ps : limit_ps;
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
engine_next_ps(const struct engine *engine)
{
    const int64_t post_ps = wheel_next_ps(&engine->wheel);

    return post_ps < engine->timer_ps ? post_ps : engine->timer_ps;
}

bool
engine_step(struct engine *engine)
{
    return engine->loop(engine->context, engine, EVENT_NEVER, 1) != 0;
}

uint64_t
engine_run_some(struct engine *engine, int64_t until_ps, uint64_t most)
{
    uint64_t n;

    if (until_ps < engine->now_ps) {
        return 0;
    }
    n = engine->loop(engine->context, engine, until_ps, most);
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
