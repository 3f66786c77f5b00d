/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_EVENT_QUEUE_H
#define ORCHD_TWIN_EVENT_EVENT_QUEUE_H

/* A queue of pending events in order of time, for a simulation of many
 * switches.
 *
 * Problem: a fabric has one pending event per busy wire, thousands to a
 * million, and fires one for each end of a frame.  A binary heap
 * (base/timeline.h) costs O(log n) and a cache miss per level.
 *
 * Requirements: times are picoseconds from 0 (int64, 106 days).  No event is
 * added before the time already reached, which every simulation guarantees and
 * a heap does not exploit.  Events of equal times come out in the order in
 * which they were added, because the same seed must give the same bits.  Any
 * event can be cancelled.
 *
 * Events are embedded in their owners.  A zero-initialised 'struct event' is
 * not pending.  EVENT_OWNER() gives the owner of an event.  A pending event
 * must not move in memory.
 *
 * Cost: add, cancel and pop take amortised O(1), because an event is moved at
 * most ten times.  The queue allocates memory only when more events are pending
 * than ever before, about 20 bytes per event, and frees it when it is
 * destroyed: a simulation in steady state allocates nothing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The time of the next event if none is pending; as a limit: no limit. */
#define EVENT_NEVER INT64_MAX

struct event;

/* Called at the time of 'event'.  The event is no longer pending, so the
 * function may add it again or free it. */
typedef void event_fn(struct event *event, int64_t now_ps);

/* The first two members share a cache line. */
struct event {
    _Alignas(16) int64_t when_ps; /* Kept after the event has fired. */
    bool is_pending;              /* Private to the queue. */
    event_fn *fire; /* Set by the owner; the queue does not call it. */
};

/* The 'type' whose member 'member' is '*event'. */
#define EVENT_OWNER(event, type, member)                                       \
    ((type *)(void *)((char *)(event)-offsetof(type, member)))

static inline bool
event_is_pending(const struct event *event)
{
    return event->is_pending;
}

struct event_queue;

/* Returns a new queue at time 0, empty.  End with event_queue_destroy(). */
struct event_queue *event_queue_create(void);

/* Frees 'queue' and cancels its pending events.  Accepts NULL. */
void event_queue_destroy(struct event_queue *queue);

/* Adds 'event', which must not be pending, for 'when_ps'.  That must not be
 * before the time of the last pop: the time of the event it returned, or its
 * limit if it returned NULL and the limit was not EVENT_NEVER. */
void event_queue_add(struct event_queue *queue, struct event *event,
                     int64_t when_ps);

/* Cancels 'event'.  Does nothing if it is not pending. */
void event_queue_cancel(struct event_queue *queue, struct event *event);

/* Returns the number of pending events. */
size_t event_queue_count(const struct event_queue *queue);

/* Returns the time of the earliest event, EVENT_NEVER if there is none. The
 * queue remembers the answer until that event fires or is cancelled; then it
 * has to look at the events of about the same time. */
int64_t event_queue_next_ps(struct event_queue *queue);

/* Removes and returns the earliest event if its time is at most 'limit_ps',
 * else returns NULL. */
struct event *event_queue_pop(struct event_queue *queue, int64_t limit_ps);

#endif /* twin/event/event_queue.h */
