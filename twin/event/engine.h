/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_ENGINE_H
#define ORCHD_TWIN_EVENT_ENGINE_H

/* The clock that the switches, links and hosts of one simulation share.
 *
 * An engine is a clock, in picoseconds from 0, and a queue of pending events.
 * Time advances only when the owner calls the functions below.  While an event
 * fires, the clock stands at the time of that event.  Events of equal times
 * fire in the order in which they were scheduled, so a run depends only on its
 * input.
 *
 * An event that is scheduled while another fires also fires within the same
 * call, unless it lies beyond the limit of the call.  An event function must
 * not run the engine. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/event_queue.h"

struct engine;

/* Returns a new engine at time 0.  End with engine_destroy(). */
struct engine *engine_create(void);

/* Frees 'engine' and cancels its pending events.  Accepts NULL. */
void engine_destroy(struct engine *engine);

/* Gives 'engine' something that all its users share, for example a pool of
 * packets; engine_destroy() frees it with 'destroy', after the events.  May be
 * called once. */
void engine_set_pool(struct engine *engine, void *pool,
                     void (*destroy)(void *pool));

/* Returns what engine_set_pool() was given, NULL before. */
void *engine_pool(const struct engine *engine);

int64_t engine_now_ps(const struct engine *engine);

/* Schedules 'event' for 'when_ps', which must not be in the past, behind all
 * other events of that time.  A pending event is moved. */
void engine_schedule(struct engine *engine, struct event *event,
                     int64_t when_ps);

/* Cancels 'event'.  Does nothing if it is not pending. */
void engine_cancel(struct engine *engine, struct event *event);

/* Returns the time of the next event, EVENT_NEVER if there is none. */
int64_t engine_next_ps(struct engine *engine);

/* Advances the clock to the next event and fires it.  Returns false if no event
 * is pending. */
bool engine_step(struct engine *engine);

/* Fires all events up to and including 'until_ps', then advances the clock to
 * 'until_ps'.  With EVENT_NEVER it fires all events, and the clock stays at the
 * last one.  Does nothing if 'until_ps' is in the past.  Returns the number of
 * events that fired. */
uint64_t engine_run_until(struct engine *engine, int64_t until_ps);

#endif /* twin/event/engine.h */
