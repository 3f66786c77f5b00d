/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESERVED_BYTES_H
#define ORCHD_RECONCILE_RESERVED_BYTES_H

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

struct reserved_bytes_profile;

/* Zeroed at first; empty again, so that there is nothing to free, when all was
 * taken back. */
struct reserved_bytes {
    struct reserved_bytes_profile *profiles;
    uint64_t bytes; /* The sum. */
};

/* A profile has 'bytes' more, or is attached to one place more; or that is
 * taken back. */
void reserved_bytes_add_size(struct reserved_bytes *reserved,
                             const void *profile, uint64_t bytes);
void reserved_bytes_take_size(struct reserved_bytes *reserved,
                              const void *profile, uint64_t bytes);
void reserved_bytes_add_place(struct reserved_bytes *reserved,
                              const void *profile);
void reserved_bytes_take_place(struct reserved_bytes *reserved,
                               const void *profile);

#endif /* orchd/reconcile/reserved_bytes.h */
