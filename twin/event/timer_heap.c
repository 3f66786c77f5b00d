/* SPDX-License-Identifier: Apache-2.0 */

/* A 4-ary heap with positions. */

#include <config.h>

#include "twin/event/timer_heap.h"

#include <stdlib.h>

#include "base/check.h"

enum {
    WAYS = 4,
    FIRST_CAPACITY = 16,
};

static uint32_t
parent_of(uint32_t position)
{
    return (position + WAYS - 2) / WAYS;
}

static uint32_t
first_child_of(uint32_t position)
{
    return WAYS * position - (WAYS - 2);
}

/* Touches the events only if time and order are equal. */
static bool
is_before(const struct timer_entry *a, const struct timer_entry *b)
{
    if (a->when_ps != b->when_ps) {
        return a->when_ps < b->when_ps;
    }
    return a->order != b->order ? a->order < b->order
                                : a->event->sequence < b->event->sequence;
}

static void
put(struct timer_heap *heap, uint32_t position, struct timer_entry entry)
{
    heap->entries[position] = entry;
    entry.event->position = position;
}

/* Puts 'entry' at 'position' or above. */
static void
rise(struct timer_heap *heap, uint32_t position, struct timer_entry entry)
{
    while (position > 1 &&
           is_before(&entry, &heap->entries[parent_of(position)])) {
        put(heap, position, heap->entries[parent_of(position)]);
        position = parent_of(position);
    }
    put(heap, position, entry);
}

/* Puts 'entry' at 'position' or below. */
static void
sink(struct timer_heap *heap, uint32_t position, struct timer_entry entry)
{
    for (;;) {
        const uint32_t child = first_child_of(position);
        uint32_t first = child;

        for (uint32_t k = child + 1; k < child + WAYS && k <= heap->n; k++) {
            if (is_before(&heap->entries[k], &heap->entries[first])) {
                first = k;
            }
        }
        if (child > heap->n || !is_before(&heap->entries[first], &entry)) {
            break;
        }
        put(heap, position, heap->entries[first]);
        position = first;
    }
    put(heap, position, entry);
}

/* Puts 'entry' where it belongs, starting from the gap at 'position'. */
static void
settle(struct timer_heap *heap, uint32_t position, struct timer_entry entry)
{
    if (position > 1 &&
        is_before(&entry, &heap->entries[parent_of(position)])) {
        rise(heap, position, entry);
    } else {
        sink(heap, position, entry);
    }
}

void
timer_heap_fini(struct timer_heap *heap)
{
    for (uint32_t i = 1; i <= heap->n; i++) {
        heap->entries[i].event->position = 0;
    }
    free(heap->entries);
    *heap = (struct timer_heap){0};
}

void
timer_heap_set(struct timer_heap *heap, struct event *event, int64_t when_ps)
{
    const struct timer_entry entry = {when_ps, event->order, event};

    event->when_ps = when_ps;
    event->sequence = ++heap->last_sequence;
    if (event_is_pending(event)) {
        settle(heap, event->position, entry);
        return;
    }
    if (heap->n + 1 >= heap->capacity) {
        heap->capacity =
            heap->capacity ? 2 * heap->capacity : (uint32_t)FIRST_CAPACITY;
        heap->entries = check_realloc(heap->entries,
                                      heap->capacity * sizeof *heap->entries);
    }
    rise(heap, ++heap->n, entry);
}

void
timer_heap_remove(struct timer_heap *heap, struct event *event)
{
    const uint32_t position = event->position;
    const struct timer_entry last = heap->entries[heap->n--];

    event->position = 0;
    if (last.event != event) {
        settle(heap, position, last);
    }
}
