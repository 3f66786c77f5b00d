/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_RESERVED_BYTES_H
#define ORCHD_RECONCILE_RESERVED_BYTES_H

/* How much of the packet buffer is reserved right now.
 *
 * resources.h sums up all that is wanted; this keeps a running sum of what SAI
 * has accepted: the reserved size of profiles, once for each priority group and
 * queue that they are attached to, plus the shared headroom of pools.  While a
 * profile is being replaced, the old and the new one both count.
 *
 * A profile is identified by its address. */

#include <stddef.h>
#include <stdint.h>

struct reserved_bytes_profile;

/* Zero-initialise.  Empty again, with nothing to free, once everything was
 * taken back. */
struct reserved_bytes {
    struct reserved_bytes_profile *profiles;
    uint64_t bytes; /* The sum. */
};

/* Adds 'bytes' to the size of a profile, or one user of it; or takes that back.
 */
void reserved_bytes_add_size(struct reserved_bytes *reserved,
                             const void *profile, uint64_t bytes);
void reserved_bytes_take_size(struct reserved_bytes *reserved,
                              const void *profile, uint64_t bytes);
void reserved_bytes_add_user(struct reserved_bytes *reserved,
                             const void *profile);
void reserved_bytes_take_user(struct reserved_bytes *reserved,
                              const void *profile);

#endif /* orchd/reconcile/reserved_bytes.h */
