/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_TIMELINE_H
#define ORCHD_BASE_TIMELINE_H

/* Timers without a clock.
 *
 * Motivation: all logic that waits must be testable in no time and repeatable
 * to the bit.  So a timeline never asks what time it is: its owner says.  The
 * daemon arms one libevent timer at timeline_next(); a test or the simulator
 * calls timeline_run() with the time it likes.
 *
 * Usage: a 'struct timer' is embedded in its owner, zero-initialised, and in
 * at most one timeline.  Times are signed 64-bit counts of a unit that the
 * owner of the timeline chooses: nanoseconds in the daemon, picoseconds in the
 * simulated fabric.  Timers with equal times fire in the order in which they
 * were set.
 *
 * Cost: a binary heap; set and cancel are O(log n), next is O(1). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No timer is pending. */
#define TIMELINE_NEVER INT64_MAX

struct timeline;
struct timer;

/* Called with the timer, which is no longer pending and may be set again or
 * freed, and with the time for which it was set. */
typedef void timer_fn(struct timer *timer, int64_t when);

struct timer {
    timer_fn *fire;    /* Set by the owner. */
    void *owner;       /* For 'fire'; free for the owner's use. */
    int64_t when;      /* Valid only while pending. */
    uint64_t sequence; /* Order among equal times. */
    size_t slot;       /* 1 + position in the heap; 0 while not pending. */
};

/* Returns a new timeline without timers.  End with timeline_destroy(). */
struct timeline *timeline_create(void);

/* Frees 'timeline'; pending timers become not pending.  Accepts NULL. */
void timeline_destroy(struct timeline *timeline);

/* Makes 'timer' fire at 'when'; if it was pending, it is moved. */
void timeline_set(struct timeline *timeline, struct timer *timer, int64_t when);

/* Makes 'timer' not pending.  Does nothing if it was not. */
void timeline_cancel(struct timeline *timeline, struct timer *timer);

/* Returns whether 'timer' will fire. */
bool timer_pending(const struct timer *timer);

/* Returns the time of the earliest timer, TIMELINE_NEVER if there is none. */
int64_t timeline_next(const struct timeline *timeline);

/* Fires all timers up to and including 'now', in order, those set meanwhile
 * for such a time included.  Returns how many fired. */
size_t timeline_run(struct timeline *timeline, int64_t now);

/* Fires only the earliest timer, if its time is at most 'limit'.  Returns
 * whether one fired. */
bool timeline_step(struct timeline *timeline, int64_t limit);

#endif /* base/timeline.h */
