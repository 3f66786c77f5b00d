/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_ENGINE_H
#define ORCHD_TWIN_EVENT_ENGINE_H

/* The time that switches, links and hosts of one simulation share.
 *
 * An engine is a clock, in picoseconds from 0, and what is pending.  Its time
 * moves only when its owner says so, with the calls below, and what fires sees
 * it stand at the time of its event.  Events of equal times fire in the order
 * in which they were scheduled, so a run depends on nothing but its input.
 *
 * What is scheduled while an event fires, for now or later, fires within the
 * same call if its time allows.  Handlers must not run the engine. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/event_queue.h"

struct engine;

/* Returns a new engine at time 0.  End with engine_destroy(). */
struct engine *engine_create(void);

/* Frees 'engine'; pending events become not pending.  Accepts NULL. */
void engine_destroy(struct engine *engine);

int64_t engine_now_ps(const struct engine *engine);

/* Makes 'event' fire at 'when_ps', which is not in the past; if it was
 * pending, it is moved, behind all others of that time. */
void engine_schedule(struct engine *engine, struct event *event,
                     int64_t when_ps);

/* Makes 'event' not pending.  Does nothing if it was not. */
void engine_cancel(struct engine *engine, struct event *event);

/* Returns the time of the next event, EVENT_NEVER if there is none. */
int64_t engine_next_ps(struct engine *engine);

/* Fires the next event and makes its time the present.  Returns whether there
 * was one. */
bool engine_step(struct engine *engine);

/* Fires all events up to and including 'until_ps', and makes that the present
 * (EVENT_NEVER: all there are, and the time of the last remains).  A time in
 * the past changes nothing.  Returns how many fired. */
uint64_t engine_run_until(struct engine *engine, int64_t until_ps);

#endif /* twin/event/engine.h */
