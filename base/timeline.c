/* SPDX-License-Identifier: Apache-2.0 */

/* A binary heap ordered by (when, sequence).  Each timer stores its slot, so
 * that moving or cancelling it needs no search. */

#include <config.h>

#include "base/timeline.h"

#include <stdlib.h>

#include "base/check.h"

struct timeline {
    struct timer **heap; /* heap[0] is the earliest. */
    size_t n;
    size_t size;
    uint64_t sequence; /* Of the timer that was set last. */
};

struct timeline *
timeline_create(void)
{
    return check_calloc(1, sizeof(struct timeline));
}

void
timeline_destroy(struct timeline *timeline)
{
    if (timeline) {
        for (size_t i = 0; i < timeline->n; i++) {
            timeline->heap[i]->slot = 0;
        }
        free(timeline->heap);
        free(timeline);
    }
}

static bool
timer_before(const struct timer *a, const struct timer *b)
{
    return a->when != b->when ? a->when < b->when : a->sequence < b->sequence;
}

static void
heap_put(struct timeline *timeline, size_t i, struct timer *timer)
{
    timeline->heap[i] = timer;
    timer->slot = i + 1;
}

/* Moves 'timer' from position 'i' towards the root while it is earlier. */
static void
heap_up(struct timeline *timeline, size_t i, struct timer *timer)
{
    while (i > 0) {
        size_t parent = (i - 1) / 2;

        if (!timer_before(timer, timeline->heap[parent])) {
            break;
        }
        heap_put(timeline, i, timeline->heap[parent]);
        i = parent;
    }
    heap_put(timeline, i, timer);
}

/* Moves 'timer' from position 'i' towards the leaves while it is later. */
static void
heap_down(struct timeline *timeline, size_t i, struct timer *timer)
{
    for (;;) {
        size_t child = 2 * i + 1;

        if (child >= timeline->n) {
            break;
        }
        if (child + 1 < timeline->n &&
            timer_before(timeline->heap[child + 1], timeline->heap[child])) {
            child++;
        }
        if (!timer_before(timeline->heap[child], timer)) {
            break;
        }
        heap_put(timeline, i, timeline->heap[child]);
        i = child;
    }
    heap_put(timeline, i, timer);
}

/* Moves 'timer' from position 'i' to its place in the heap. */
static void
heap_settle(struct timeline *timeline, size_t i, struct timer *timer)
{
    if (i > 0 && timer_before(timer, timeline->heap[(i - 1) / 2])) {
        heap_up(timeline, i, timer);
    } else {
        heap_down(timeline, i, timer);
    }
}

void
timeline_set(struct timeline *timeline, struct timer *timer, int64_t when)
{
    orch_assert(timer->fire != NULL);
    timer->when = when;
    timer->sequence = ++timeline->sequence;
    if (timer->slot) {
        heap_settle(timeline, timer->slot - 1, timer);
        return;
    }
    if (timeline->n == timeline->size) {
        timeline->size = timeline->size ? 2 * timeline->size : 64;
        timeline->heap = check_realloc(timeline->heap,
                                       timeline->size * sizeof *timeline->heap);
    }
    timeline->n++;
    heap_up(timeline, timeline->n - 1, timer);
}

void
timeline_cancel(struct timeline *timeline, struct timer *timer)
{
    size_t i;
    struct timer *last;

    if (!timer->slot) {
        return;
    }
    i = timer->slot - 1;
    timer->slot = 0;
    timeline->n--;
    last = timeline->heap[timeline->n];
    if (last != timer) {
        heap_settle(timeline, i, last);
    }
}

void
timer_wake(struct timer *timer, int64_t when)
{
    (void)timer;
    (void)when;
}

bool
timer_pending(const struct timer *timer)
{
    return timer->slot != 0;
}

int64_t
timeline_next(const struct timeline *timeline)
{
    return timeline->n ? timeline->heap[0]->when : TIMELINE_NEVER;
}

size_t
timeline_run(struct timeline *timeline, int64_t now)
{
    size_t n_fired = 0;

    while (timeline_step(timeline, now)) {
        n_fired++;
    }
    return n_fired;
}

bool
timeline_step(struct timeline *timeline, int64_t limit)
{
    struct timer *timer;
    int64_t when;

    if (!timeline->n || timeline->heap[0]->when > limit) {
        return false;
    }
    timer = timeline->heap[0];
    when = timer->when;
    timeline_cancel(timeline, timer);
    timer->fire(timer, when);
    return true;
}
