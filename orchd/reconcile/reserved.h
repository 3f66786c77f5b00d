/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESERVED_H
#define ORCHD_RECONCILE_RESERVED_H

/* How much of the packet buffer is promised to somebody right now.
 *
 * What resources.h sums over all that is wanted is kept here for what SAI has
 * accepted, call by call, so that it costs nothing to ask: the reserved size of
 * profiles, once for each priority group and queue that they are attached to,
 * plus the shared headroom of pools.  A profile that is being replaced counts
 * with both sizes as long as there are two of it.
 *
 * A profile is known by the address of whatever stands for it. */

#include <stddef.h>
#include <stdint.h>

struct reserved_profile;

/* Zeroed at first; empty again, so that there is nothing to free, when all was
 * taken back. */
struct reserved {
    struct reserved_profile *profiles;
    uint64_t bytes; /* The sum. */
};

/* A profile has 'bytes' more, or is attached to one place more; or that is
 * taken back. */
void reserved_add_size(struct reserved *reserved, const void *profile,
                       uint64_t bytes);
void reserved_take_size(struct reserved *reserved, const void *profile,
                        uint64_t bytes);
void reserved_add_place(struct reserved *reserved, const void *profile);
void reserved_take_place(struct reserved *reserved, const void *profile);

#endif /* orchd/reconcile/reserved.h */
