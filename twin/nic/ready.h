/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_READY_H
#define ORCHD_TWIN_NIC_READY_H

/* A heap of the queue pairs that wait for their pacer, by (time, number).
 *
 * The order of two that wait for the same time follows their numbers, never the
 * order of insertion.  A QP is in the heap at most once; its owner knows
 * whether it is.  The heap has four children per node: the usual adapter has a
 * few QPs, which then share one cache line.
 *
 * Cost: add and take are O(log n); the array grows, never shrinks. */

#include <stddef.h>
#include <stdint.h>

struct ready_item {
    int64_t when_ps;
    uint32_t qp;
};

/* Zero-initialised.  The members are read-only for users. */
struct ready_heap {
    struct ready_item *items;
    uint32_t n;
    uint32_t room;
};

/* Adds 'qp', which waits for 'when_ps'. */
void ready_add(struct ready_heap *heap, int64_t when_ps, uint32_t qp);

/* Removes the first item, which must exist, and returns its QP. */
uint32_t ready_take(struct ready_heap *heap);

/* Removes 'qp' if it is in the heap.  O(n). */
void ready_remove(struct ready_heap *heap, uint32_t qp);

/* Removes all. */
static inline void
ready_clear(struct ready_heap *heap)
{
    heap->n = 0;
}

/* Returns the time of the first item, INT64_MAX if there is none. */
static inline int64_t
ready_first_ps(const struct ready_heap *heap)
{
    return heap->n ? heap->items[0].when_ps : INT64_MAX;
}

/* Frees what 'heap' owns. */
void ready_fini(struct ready_heap *heap);

#endif /* twin/nic/ready.h */
