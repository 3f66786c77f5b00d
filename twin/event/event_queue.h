/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_EVENT_QUEUE_H
#define ORCHD_TWIN_EVENT_EVENT_QUEUE_H

/* Pending events in order of time, for a simulation of many switches.
 *
 * Problem: a fabric has as many pending events as it has busy wires, thousands
 * to a million, and handles one for each end of a frame.  A binary heap
 * (base/timeline.h) costs O(log n) and a cache miss per level.
 *
 * What is asked of it: times are picoseconds, 0 and more (int64, 106 days);
 * nothing is added before the time that was reached, the one thing that
 * simulations keep to and a heap makes no use of; events of equal times come
 * out in the order in which they were added, for the same seed must give the
 * same bits; any event can be cancelled.
 *
 * Events are embedded in their owners.  A zero-initialised 'struct event' is
 * not pending; EVENT_OWNER() goes from it to its owner.  A pending event must
 * not move in memory.
 *
 * Cost: add, cancel and pop amortised O(1), as an event moves at most ten times
 * in its life.  Memory is taken when more is pending than ever before, about 20
 * bytes per event if there are many, and given back at the end: a simulation
 * that has settled allocates nothing. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* No event is pending; also a limit that limits nothing. */
#define EVENT_NEVER INT64_MAX

struct event;

/* Called with the event, which is no longer pending and may be added again or
 * freed, at its time. */
typedef void event_fn(struct event *event, int64_t now_ps);

/* The first two are in one line of the cache. */
struct event {
    _Alignas(16) int64_t when_ps; /* Stays when it is no longer pending. */
    bool is_pending;              /* The queue's. */
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

/* Frees 'queue'; pending events become not pending.  Accepts NULL. */
void event_queue_destroy(struct event_queue *queue);

/* Adds 'event', which must not be pending, for 'when_ps'; not before the time
 * of the last pop, which is that of its event, or its limit if it returned
 * none and the limit was not EVENT_NEVER. */
void event_queue_add(struct event_queue *queue, struct event *event,
                     int64_t when_ps);

/* Makes 'event' not pending.  Does nothing if it was not. */
void event_queue_cancel(struct event_queue *queue, struct event *event);

/* Returns the number of pending events. */
size_t event_queue_count(const struct event_queue *queue);

/* Returns the time of the earliest event, EVENT_NEVER if there is none.
 * Remembered until that event is gone, else it takes a look at those that
 * happen at about the same time. */
int64_t event_queue_next_ps(struct event_queue *queue);

/* Takes the earliest event out, if its time is at most 'limit_ps'.  Returns
 * NULL if there is none. */
struct event *event_queue_pop(struct event_queue *queue, int64_t limit_ps);

#endif /* twin/event/event_queue.h */
