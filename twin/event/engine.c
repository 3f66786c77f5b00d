/* SPDX-License-Identifier: Apache-2.0 */

/* A clock and an event queue. */

#include <config.h>

#include "twin/event/engine.h"

#include <stdlib.h>

#include "base/check.h"

struct engine {
    struct event_queue *queue;
    int64_t now_ps;
    void *pool;
    void (*destroy_pool)(void *pool);
};

struct engine *
engine_create(void)
{
    struct engine *engine = check_calloc(1, sizeof *engine);

    engine->queue = event_queue_create();
    return engine;
}

void
engine_destroy(struct engine *engine)
{
    if (engine) {
        event_queue_destroy(engine->queue);
        if (engine->pool) {
            engine->destroy_pool(engine->pool);
        }
        free(engine);
    }
}

void
engine_set_pool(struct engine *engine, void *pool, void (*destroy)(void *pool))
{
    orch_assert(!engine->pool);
    engine->pool = pool;
    engine->destroy_pool = destroy;
}

void *
engine_pool(const struct engine *engine)
{
    return engine->pool;
}

int64_t
engine_now_ps(const struct engine *engine)
{
    return engine->now_ps;
}

void
engine_schedule(struct engine *engine, struct event *event, int64_t when_ps)
{
    orch_assert(when_ps >= engine->now_ps);
    event_queue_cancel(engine->queue, event);
    event_queue_add(engine->queue, event, when_ps);
}

void
engine_cancel(struct engine *engine, struct event *event)
{
    event_queue_cancel(engine->queue, event);
}

int64_t
engine_next_ps(struct engine *engine)
{
    return event_queue_next_ps(engine->queue);
}

/* Fires the next event if its time is at most 'limit_ps'. */
static bool
fire_next(struct engine *engine, int64_t limit_ps)
{
    struct event *event = event_queue_pop(engine->queue, limit_ps);

    if (!event) {
        return false;
    }
    engine->now_ps = event->when_ps;
    event->fire(event, engine->now_ps);
    return true;
}

bool
engine_step(struct engine *engine)
{
    return fire_next(engine, EVENT_NEVER);
}

uint64_t
engine_run_until(struct engine *engine, int64_t until_ps)
{
    uint64_t fired = 0;

    if (until_ps < engine->now_ps) {
        return 0;
    }
    while (fire_next(engine, until_ps)) {
        fired++;
    }
    if (until_ps != EVENT_NEVER) {
        engine->now_ps = until_ps;
    }
    return fired;
}
