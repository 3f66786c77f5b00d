/* SPDX-License-Identifier: Apache-2.0 */

/* A binary heap of what is on its way. */

#include <config.h>

#include "tests/support/flights.h"

#include <stdbool.h>
#include <stdlib.h>

#include "base/check.h"

static bool
is_before(const struct flight *a, const struct flight *b)
{
    return a->at_ps != b->at_ps ? a->at_ps < b->at_ps : a->order < b->order;
}

void
flights_fini(struct flights *flights)
{
    free(flights->heap);
}

void
flights_put(struct flights *flights, const struct flight *flight)
{
    struct flight new = *flight;
    size_t i = flights->n++;

    new.order = flights->order++;
    if (i == flights->room) {
        flights->room = flights->room ? 2 * flights->room : 64;
        flights->heap =
            check_realloc(flights->heap, flights->room * sizeof *flights->heap);
    }
    while (i > 0 && is_before(&new, &flights->heap[(i - 1) / 2])) {
        flights->heap[i] = flights->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    flights->heap[i] = new;
}

int64_t
flights_next_ps(const struct flights *flights)
{
    return flights->n ? flights->heap[0].at_ps : INT64_MAX;
}

struct flight
flights_take(struct flights *flights)
{
    struct flight *heap = flights->heap;
    const struct flight first = heap[0];
    const struct flight last = heap[--flights->n];
    size_t i = 0;

    for (size_t child; (child = 2 * i + 1) < flights->n; i = child) {
        if (child + 1 < flights->n &&
            is_before(&heap[child + 1], &heap[child])) {
            child++;
        }
        if (!is_before(&heap[child], &last)) {
            break;
        }
        heap[i] = heap[child];
    }
    heap[i] = last;
    return first;
}
