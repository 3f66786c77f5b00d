/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_ENGINE_H
#define ORCHD_TWIN_EVENT_ENGINE_H

/* The clock that the switches, links and hosts of one simulation share.
 *
 * An engine is a clock, in picoseconds from 0, and two queues of pending
 * events: posts (wheel.h) and timers (timer_heap.h).  Together they have one
 * order, which event.h describes.  Time advances only when the owner calls the
 * functions below.  While an event is handled, the clock stands at the time of
 * that event.
 *
 * An event that is scheduled while another is handled also happens within the
 * same call, unless it lies beyond the limit of the call.  It must not be in
 * the past.  An event for the present that would come before the one being
 * handled comes next.  The handler of an event must not run the engine.
 *
 * The loop.  What a post means is known to switches, links and hosts, all of
 * which use this module.  So the loop over events belongs to the folder that
 * knows them all: twin/fabric for a fabric, twin/switch for a switch that is
 * alone. It takes events out with engine_pop(), which is inline, and calls what
 * belongs to their classes directly:
 *
 *     static uint64_t
 *     run(void *context, struct engine *engine, int64_t until_ps,
 *         uint64_t most)
 *     {
 *         uint64_t n = 0;
 *         struct post post;
 *         enum engine_next next;
 *
 *         while (n < most &&
 *                (next = engine_pop(engine, until_ps, &post)) != ENGINE_IDLE) {
 *             n++;
 *             if (next == ENGINE_TIMER) {
 *                 engine_fire(engine);
 *                 continue;
 *             }
 *             switch (event_class(post.order)) {
 *             case EVENT_TX_END:
 *                 ...(event_entity(post.order));
 *                 break;
 *             ...
 *             }
 *         }
 *         return n;
 *     }
 *
 * engine_set_loop() makes engine_run_until() and engine_step() use it: one call
 * through a pointer per run, none per event.  Without it an engine has only
 * timers.
 *
 * Lanes.  In the order of time, a large simulation touches another place with
 * every event, so that nothing is in the cache when it is needed.  But what
 * happens at a place concerns others only after the delay of a cable.
 * engine_divide() puts places into lanes, each with its own queues.  If an
 * event has effects in other lanes no sooner than 'lookahead' later, the lanes
 * can handle a window of that length one after the other, each on its own
 * clock (lanes.c), and what they do, place by place, is the same.  Only the
 * order of events of different lanes within a window changes, which nothing
 * may depend on that is asked for in between. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/event.h"
#include "twin/event/timer_heap.h"
#include "twin/event/wheel.h"

struct engine;
struct line_pool_source;

/* Handles events up to and including 'until_ps', at most 'most' of them, and
 * returns how many.  'context' is that of engine_set_loop(). */
typedef uint64_t engine_loop_fn(void *context, struct engine *engine,
                                int64_t until_ps, uint64_t most);

enum {
    ENGINE_MAX_LANES = 254,
    ENGINE_COMMON = 0, /* Not a lane: what concerns all. */
};

/* Private; here for the functions that are inline. */

/* Pending events. */
struct engine_queue {
    int64_t timer_ps; /* When the first timer fires; or EVENT_NEVER. */
    struct timer_heap timers;
    struct wheel wheel;
};

struct engine {
    int64_t now_ps;
    uint64_t order; /* Of the event that is handled; between runs, after all
                     * events of the present: UINT64_MAX. */
    struct engine_queue *queue; /* Its. */
    uint8_t *lane_of;           /* By entity; NULL: not divided. */
    uint32_t n_lane_of;
    uint32_t n_queues; /* 1 without lanes; with them, one more than these. */
    int64_t closed_ps; /* Up to here other lanes may have been. */
    struct event *due; /* The timer that engine_pop() has taken out. */
    engine_loop_fn *loop;
    void *context;
    struct line_pool *memory;
    void *pool;
    void (*destroy_pool)(void *pool);
    int64_t lookahead_ps;
    struct engine_queue **queues; /* By lane. */
    struct engine_queue *first;   /* The one of an engine without lanes. */
};

/* Returns a new engine at time 0.  End with engine_destroy(). */
struct engine *engine_create(void);

/* Does the same with memory from 'source' (base/line_pool.h). */
struct engine *engine_create_with(const struct line_pool_source *source);

/* Frees 'engine', cancels its timers, and drops its posts.  Accepts NULL. */
void engine_destroy(struct engine *engine);

static inline int64_t
engine_now_ps(const struct engine *engine)
{
    return engine->now_ps;
}

/* Returns the order (event_order()) of the event that is handled, UINT64_MAX
 * between runs. */
static inline uint64_t
engine_order(const struct engine *engine)
{
    return engine->order;
}

/* Returns whether an event for 'when_ps' with 'order' (event_order()), if it
 * had been posted, would already have been handled.  So what needs no handler,
 * and only has to be noticed, needs no post. */
static inline bool
engine_is_past(const struct engine *engine, int64_t when_ps, uint64_t order)
{
    return when_ps < engine->now_ps ||
           (when_ps == engine->now_ps && order < engine->order);
}

/* Returns memory for what is used with every event, until 'engine' is
 * destroyed. */
static inline struct line_pool *
engine_memory(const struct engine *engine)
{
    return engine->memory;
}

/* Makes 'loop' handle the events of 'engine'. */
void engine_set_loop(struct engine *engine, engine_loop_fn *loop,
                     void *context);

/* Returns whether engine_set_loop() was called. */
bool engine_has_loop(const struct engine *engine);

/* Gives 'engine' something that all its users share, for example a pool of
 * packets; engine_destroy() frees it with 'destroy', after the events.  May be
 * called once. */
void engine_set_pool(struct engine *engine, void *pool,
                     void (*destroy)(void *pool));

/* Returns what engine_set_pool() was given, NULL before. */
static inline void *
engine_pool(const struct engine *engine)
{
    return engine->pool;
}

/* Lanes ---------------------------------------------------------------- */

/* Puts the place of each entity below 'n' into lane 'lane_of[entity]', from 1
 * to 'n_lanes' (at most ENGINE_MAX_LANES), and the pending events with them.
 * What concerns all: entities in ENGINE_COMMON or not below 'n', and timers of
 * EVENT_TIMER_OBSERVE.  Their events happen when all lanes have come to that
 * time, so they may look at and change everything.
 *
 * An event at t that is of a lane must neither post, schedule nor cancel
 * anything in another lane, nor in common, before t + 'lookahead_ps' (not 0);
 * that stops the process.  Nor may it look at what other lanes change.  The
 * caller of engine_run_until() finds all lanes at one time.
 *
 * May be called once, between runs.  'lane_of' is copied. */
void engine_divide(struct engine *engine, const uint8_t *lane_of, uint32_t n,
                   uint32_t n_lanes, int64_t lookahead_ps);

/* Returns how long a window is, 0 if 'engine' is not divided.  Calls of
 * engine_run_until() that go less far from the next event on are exactly one
 * window. */
static inline int64_t
engine_lookahead_ps(const struct engine *engine)
{
    return engine->lookahead_ps;
}

/* Returns the lane of 'entity', ENGINE_COMMON if it has none. */
static inline uint8_t
engine_lane(const struct engine *engine, uint32_t entity)
{
    return engine->lane_of && entity < engine->n_lane_of
               ? engine->lane_of[entity]
               : ENGINE_COMMON;
}

/* For engine.c and lanes.c alone: an empty queue with memory from 'memory', its
 * end, and the time of its first event (EVENT_NEVER if there is none). */
struct engine_queue *engine_queue_create__(struct line_pool *memory);
void engine_queue_end__(struct engine_queue *queue);
int64_t engine_queue_next_ps__(const struct engine_queue *queue);

/* Handles the events of an engine with lanes up to and including 'until_ps', at
 * most 'most' of them and the rest of a window, and returns how many; frees
 * what engine_divide() has allocated. */
uint64_t engine_run_lanes__(struct engine *engine, int64_t until_ps,
                            uint64_t most);
void engine_end_lanes__(struct engine *engine);

/* Timers --------------------------------------------------------------- */

/* Schedules 'event' for 'when_ps', which must not be in the past, behind all
 * equal ones (event.h).  A pending event is moved. */
void engine_schedule(struct engine *engine, struct event *event,
                     int64_t when_ps);

/* Cancels 'event'.  Does nothing if it is not pending. */
void engine_cancel(struct engine *engine, struct event *event);

/* Posts ---------------------------------------------------------------- */

/* Posts an event.  'when_ps' must be neither in the past nor EVENT_NEVER,
 * 'entity' at most EVENT_MAX_ENTITY. */
static inline void
engine_post(struct engine *engine, int64_t when_ps, enum event_class class,
            uint32_t entity, uint32_t arg)
{
    struct engine_queue *queue = engine->queue;

    orch_assert(when_ps >= engine->now_ps && when_ps != EVENT_NEVER);
    if (engine->lane_of) {
        queue = engine->queues[engine_lane(engine, entity)];
        orch_assert(queue == engine->queue || when_ps > engine->closed_ps);
    }
    wheel_add(&queue->wheel,
              (struct post){when_ps, event_order(class, entity, arg)},
              engine->now_ps);
}

/* Calls 'visit' for each pending post, in no order: for what happens rarely. It
 * must not post, nor change the clock. */
void engine_visit(const struct engine *engine, wheel_visit_fn *visit,
                  void *context);

/* For loops ------------------------------------------------------------ */

enum engine_next {
    ENGINE_IDLE,  /* Nothing happens up to the limit. */
    ENGINE_POST,  /* The post that was stored. */
    ENGINE_TIMER, /* A timer; engine_fire() fires it. */
};

/* Does what engine_pop() does if the first post is not next, or not known. */
enum engine_next engine_pop_slow__(struct engine *engine, int64_t limit_ps,
                                   struct post *post);

/* Takes the first event out, if its time is at most 'limit_ps', and advances
 * the clock to it.  Stores a post in '*post'. */
static inline enum engine_next
engine_pop(struct engine *engine, int64_t limit_ps, struct post *post)
{
    struct engine_queue *queue = engine->queue;
    const struct post *first = queue->wheel.first;

    if (first->when_ps < queue->timer_ps && first->when_ps <= limit_ps &&
        first < queue->wheel.mark) {
        *post = *first;
        queue->wheel.first++;
        engine->now_ps = post->when_ps;
        engine->order = post->order;
        return ENGINE_POST;
    }
    return engine_pop_slow__(engine, limit_ps, post);
}

/* Fires the timer that engine_pop() has just taken out. */
static inline void
engine_fire(struct engine *engine)
{
    engine->due->fire(engine->due, engine->now_ps);
}

/* Returns the post that will be taken out after 'n' (below WHEEL_AHEAD) others,
 * unless others come before it, or one for EVENT_NEVER: so that a loop can
 * prefetch what it will need. */
static inline const struct post *
engine_ahead(const struct engine *engine, unsigned int n)
{
    return wheel_ahead(&engine->queue->wheel, n);
}

/* Running -------------------------------------------------------------- */

/* Returns the time of the next event, EVENT_NEVER if there is none. */
int64_t engine_next_ps(const struct engine *engine);

/* Advances the clock to the next event and handles it.  Returns false if no
 * event is pending. */
bool engine_step(struct engine *engine);

/* Handles all events up to and including 'until_ps', then advances the clock to
 * 'until_ps'.  With EVENT_NEVER it handles all events, and the clock stays at
 * the last one.  Does nothing if 'until_ps' is in the past.  Returns the number
 * of events. */
uint64_t engine_run_until(struct engine *engine, int64_t until_ps);

/* Does the same for at most 'most' events (not 0).  If it stops for that, the
 * clock stays at the last one.  With lanes it stops for that only at the end of
 * a window, after more events, unless 'most' is 1. */
uint64_t engine_run_some(struct engine *engine, int64_t until_ps,
                         uint64_t most);

#endif /* twin/event/engine.h */
