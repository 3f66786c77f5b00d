/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESERVED_H
#define ORCHD_RECONCILE_RESERVED_H

/* How much of the packet buffer is promised to somebody right now.
 *
 * What resources.h sums over all that is wanted is kept here for what SAI has
 * accepted, call by call, so that it costs nothing to ask: the reserved size of
 * profiles, once for each priority group and queue that they are attached to,
 * plus the shared headroom of pools.  An object that is being replaced counts
 * twice as long as there are two of it. */

#include <stdint.h>

struct object;
struct reserved_profile;
struct slot;

/* Zeroed at first. */
struct reserved {
    struct reserved_profile *profiles; /* That are attached to something. */
    uint64_t shared_headroom_bytes;    /* Of all pools. */
};

/* Takes in, or out again, what 'slot' of 'object' holds. */
void reserved_add(struct reserved *reserved, const struct object *object,
                  const struct slot *slot);
void reserved_subtract(struct reserved *reserved, const struct object *object,
                       const struct slot *slot);

/* Returns the sum.  Costs a step per profile in use. */
uint64_t reserved_bytes(const struct reserved *reserved);

#endif /* orchd/reconcile/reserved.h */
