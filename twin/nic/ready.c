/* SPDX-License-Identifier: Apache-2.0 */

/* A heap of the queue pairs that wait for their pacer, by (time, number). */

#include <config.h>

#include "twin/nic/ready.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"

enum { CHILDREN = 4, FIRST_ROOM = 4 };

static bool
is_before(const struct ready_item *a, const struct ready_item *b)
{
    return a->when_ps != b->when_ps ? a->when_ps < b->when_ps : a->qp < b->qp;
}

/* Puts 'item' at 'i' or nearer to the root. */
static void
rise(struct ready_heap *heap, uint32_t i, struct ready_item item)
{
    while (i > 0) {
        const uint32_t parent = (i - 1) / CHILDREN;

        if (!is_before(&item, &heap->items[parent])) {
            break;
        }
        heap->items[i] = heap->items[parent];
        i = parent;
    }
    heap->items[i] = item;
}

/* Puts 'item' at 'i' or further from the root. */
static void
sink(struct ready_heap *heap, uint32_t i, struct ready_item item)
{
    for (;;) {
        const uint32_t first = i * CHILDREN + 1;
        uint32_t best = first;

        for (uint32_t k = first + 1; k < first + CHILDREN && k < heap->n; k++) {
            if (is_before(&heap->items[k], &heap->items[best])) {
                best = k;
            }
        }
        if (first >= heap->n || !is_before(&heap->items[best], &item)) {
            break;
        }
        heap->items[i] = heap->items[best];
        i = best;
    }
    heap->items[i] = item;
}

void
ready_add(struct ready_heap *heap, int64_t when_ps, uint32_t qp)
{
    if (heap->n == heap->room) {
        heap->room = heap->room ? 2 * heap->room : FIRST_ROOM;
        heap->items =
            check_realloc(heap->items, heap->room * sizeof *heap->items);
    }
    rise(heap, heap->n++, (struct ready_item){.when_ps = when_ps, .qp = qp});
}

/* Removes the item at 'i'. */
static void
drop(struct ready_heap *heap, uint32_t i)
{
    const struct ready_item last = heap->items[--heap->n];

    if (i == heap->n) {
        return;
    }
    if (i > 0 && is_before(&last, &heap->items[(i - 1) / CHILDREN])) {
        rise(heap, i, last);
    } else {
        sink(heap, i, last);
    }
}

uint32_t
ready_take(struct ready_heap *heap)
{
    const uint32_t qp = heap->items[0].qp;

    drop(heap, 0);
    return qp;
}

void
ready_remove(struct ready_heap *heap, uint32_t qp)
{
    for (uint32_t i = 0; i < heap->n; i++) {
        if (heap->items[i].qp == qp) {
            drop(heap, i);
            return;
        }
    }
}

void
ready_fini(struct ready_heap *heap)
{
    free(heap->items);
    *heap = (struct ready_heap){0};
}
