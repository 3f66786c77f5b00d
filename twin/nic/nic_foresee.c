/* SPDX-License-Identifier: Apache-2.0 */

/* Fetches into the cache what an adapter will need for an event of the near
 * future; see twin/switch/foresee.c. */

#include <config.h>

#include <stdint.h>

#include "twin/nic/nic_state.h"

enum { LINE = 64 };

/* Fetches 'n' lines from 'p' on, which may be NULL. */
static inline __attribute__((always_inline)) void
fetch(const void *p, unsigned int n)
{
    for (unsigned int i = 0; i < n; i++) {
        __builtin_prefetch((const void *)((uintptr_t)p + i * LINE));
    }
}

void
nic_foresee(const struct frame_pool *pool, uint32_t entity)
{
    const struct nic *nic = frame_pool_place(pool, entity);

    if (nic) {
        fetch(nic, 4);
    }
}

void
nic_foresee_arrival(const struct frame_pool *pool, uint32_t entity,
                    uint32_t index)
{
    const struct nic *nic = frame_pool_place(pool, entity);
    const struct sim_frame *frame = frame_at(pool, index);

    if (nic && frame->flow < nic->n_qps) {
        __builtin_prefetch(nic->in_wire);
        fetch(&nic->qps[frame->flow], 5);
    }
}

void
nic_foresee_transport(const struct frame_pool *pool, uint32_t entity,
                      uint32_t index)
{
    const struct nic *nic = frame_pool_place(pool, entity);
    const struct sim_frame *frame = frame_at(pool, index);

    if (nic && frame->flow < nic->n_qps) {
        __builtin_prefetch(nic->out_wire);
        fetch(nic->qps[frame->flow].rc, 3);
    }
}

void
nic_foresee_sending(const struct frame_pool *pool, uint32_t entity)
{
    const struct nic *nic = frame_pool_place(pool, entity);

    if (nic) {
        __builtin_prefetch(nic->out_wire);
        if (nic->heap.n) {
            fetch(nic->heap.items, 1);
        }
    }
}
