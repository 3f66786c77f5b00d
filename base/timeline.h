/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_TIMELINE_H
#define ORCHD_BASE_TIMELINE_H

/* Timers without a clock.
 *
 * Motivation: tests of logic that waits must take no time and repeat exactly.
 * So a timeline reads no clock; its owner passes the time.  The daemon arms one
 * libevent timer at timeline_next(); a test or the simulator calls
 * timeline_run() with any time it chooses.
 *
 * Usage: embed a 'struct timer' in its owner and zero-initialise it.  It is in
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

/* A timer_fn that does nothing, for a timer that only wakes the owner of the
 * timeline: the work is done in the turn that follows. */
void timer_wake(struct timer *timer, int64_t when);

/* Returns a new, empty timeline.  Destroy it with timeline_destroy(). */
struct timeline *timeline_create(void);

/* Frees 'timeline' and cancels its timers.  Accepts NULL. */
void timeline_destroy(struct timeline *timeline);

/* Makes 'timer' fire at 'when'.  A pending timer is moved. */
void timeline_set(struct timeline *timeline, struct timer *timer, int64_t when);

/* Cancels 'timer' if it is pending. */
void timeline_cancel(struct timeline *timeline, struct timer *timer);

/* Returns whether 'timer' is pending. */
bool timer_pending(const struct timer *timer);

/* Returns the time of the earliest timer, TIMELINE_NEVER if there is none. */
int64_t timeline_next(const struct timeline *timeline);

/* Fires all timers up to and including 'now' in order, including those that are
 * set meanwhile.  Returns how many fired. */
size_t timeline_run(struct timeline *timeline, int64_t now);

/* Fires the earliest timer if its time is at most 'limit'.  Returns whether it
 * fired. */
bool timeline_step(struct timeline *timeline, int64_t limit);

#endif /* base/timeline.h */
