/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_EVENT_TIMER_HEAP_H
#define ORCHD_TWIN_EVENT_TIMER_HEAP_H

/* The pending timers of an engine, in order.
 *
 * A heap of 4-way nodes in one array.  Each event knows its position in it, so
 * cancelling and moving one are as cheap as adding one and leave nothing
 * behind, and the first event is always known, which a loop compares with the
 * first post.
 *
 * Alternatives: a radix heap (a timing wheel without ticks) takes 30 to 45 ns
 * to take an event out and add it again, with a thousand events as with a
 * million. This heap takes three times as long with a thousand events, and 20
 * times with a million.  But a radix heap needs a table of cancelled entries, a
 * search for the earliest time, and a sort of equal times.  Timers are rare: a
 * pause, an age, a timeout, thousands in a large fabric, of which few expire.
 * What happens with every packet is a post (wheel.h), which costs less than the
 * radix heap. */

#include <stddef.h>
#include <stdint.h>

#include "twin/event/event.h"

/* A copy of what orders an event, so that the heap does not touch events while
 * it compares. */
struct timer_entry {
    int64_t when_ps;
    uint64_t order;
    struct event *event;
};

/* Zero-initialised it is empty.  End with timer_heap_fini(). */
struct timer_heap {
    struct timer_entry *entries; /* From 1 on. */
    uint32_t n;
    uint32_t capacity;
    uint64_t last_sequence;
};

/* Frees what 'heap' owns, and cancels its events. */
void timer_heap_fini(struct timer_heap *heap);

/* Schedules 'event' for 'when_ps', behind all equal ones.  A pending event is
 * moved. */
void timer_heap_set(struct timer_heap *heap, struct event *event,
                    int64_t when_ps);

/* Cancels 'event', which is pending. */
void timer_heap_remove(struct timer_heap *heap, struct event *event);

/* Returns the first event, NULL if there is none. */
static inline struct event *
timer_heap_first(const struct timer_heap *heap)
{
    return heap->n ? heap->entries[1].event : NULL;
}

#endif /* twin/event/timer_heap.h */
