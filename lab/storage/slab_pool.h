/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_STORAGE_SLAB_POOL_H
#define ORCHD_LAB_STORAGE_SLAB_POOL_H

/* A pool of memory that is registered for RDMA.
 *
 * Registering memory costs a call of the system and of the adapter for each
 * region, and an entry of the memory translation table (MTT) for each page.  So
 * programs do not register each message: they share a pool, which registers
 * large slabs and cuts buffers from them.
 *
 * A slab holds buffers of one size class, a power of two; a buffer that is
 * larger than a slab gets one of its own.  The pool registers a new slab when
 * no buffer of a class is free, up to a limit, and gives a slab back when none
 * of its buffers is in use and the pool has more free slabs than it keeps.
 * Above the limit a buffer is registered for itself, and given back after use:
 * that is slow, but no end waits for memory that its peer, which waits as well,
 * would free.
 *
 * Only sizes are simulated: there are no addresses behind the buffers. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

enum { SLAB_POOL_MIN_BYTES = 4096 }; /* Of a slab and of a buffer. */

struct slab_pool_config {
    uint64_t slab_bytes;  /* A power of two, at least SLAB_POOL_MIN_BYTES. */
    uint64_t limit_bytes; /* Of all slabs: at least a slab. */
    uint32_t page_bytes;  /* Of the MTT: a power of two, at least 4 KiB. */
    uint32_t kept_slabs;  /* Free slabs that stay registered. */
};

struct slab_pool_stats {
    uint64_t registered_bytes, registered_peak_bytes;
    uint64_t used_bytes, used_peak_bytes; /* As asked for. */
    uint64_t mtt_entries, mtt_peak;
    uint64_t registrations, deregistrations;
    uint64_t alone; /* Buffers above the limit. */
};

struct slab_pool;

/* A buffer of a pool. */
struct slab_buffer {
    uint32_t slab; /* Or one of the values below. */
    uint64_t bytes;
};

#define SLAB_POOL_NONE  UINT32_MAX       /* There is no buffer. */
#define SLAB_POOL_ALONE (UINT32_MAX - 1) /* It is not part of a slab. */

/* Stores an empty pool in '*pool'.  ST_INVALID: a member of 'config' is out of
 * its range.  End with slab_pool_destroy(), which accepts NULL. */
enum st slab_pool_create(const struct slab_pool_config *config,
                         struct slab_pool **pool) ST_WARN_UNUSED;
void slab_pool_destroy(struct slab_pool *pool);

/* Takes a buffer of 'bytes', not 0.  Returns whether memory had to be
 * registered for it. */
bool slab_pool_take(struct slab_pool *pool, uint64_t bytes,
                    struct slab_buffer *buffer);

/* Gives '*buffer', which is one of 'pool' or none, back; it is none then. */
void slab_pool_give(struct slab_pool *pool, struct slab_buffer *buffer);

/* Gives all slabs back of which no buffer is in use. */
void slab_pool_trim(struct slab_pool *pool);

/* Returns how many slabs, and buffers above the limit, are registered. */
uint32_t slab_pool_regions(const struct slab_pool *pool);

void slab_pool_get_stats(const struct slab_pool *pool,
                         struct slab_pool_stats *stats);

/* Returns NULL if all invariants hold, else a sentence about one that does not.
 * For tests. */
const char *slab_pool_check(const struct slab_pool *pool);

#endif /* lab/storage/slab_pool.h */
