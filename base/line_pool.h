/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_LINE_POOL_H
#define ORCHD_BASE_LINE_POOL_H

/* Memory for what is used all the time, by many objects with one lifetime.
 *
 * Motivation: a simulation of a thousand switches visits another one with each
 * event.  If each has its state in pages of its own, these are more than the
 * processor can translate without walking the page tables, which takes longer
 * than the access.  So everything that is used with every packet comes from
 * here: next to each other, and in huge pages where the caller provides them.
 *
 * Pieces are zeroed and begin at a cache line.  A piece that was given back is
 * used again for one of about its size: sizes are rounded up to a power of two.
 * Everything is freed with the pool.  A small pool takes little memory: chunks
 * begin with 64 KB, only those of 2 MB and more are for huge pages, and memory
 * that is not touched is not resident. */

#include <stddef.h>

struct line_pool;

enum {
    LINE_POOL_LINE = 64, /* Bytes of a cache line. */
    LINE_POOL_ALIGNMENT = 256,
};

/* Where a pool gets its chunks from.  'take' returns 'bytes' zeroed bytes, in
 * huge pages if possible; 'give' takes them back. */
struct line_pool_source {
    void *(*take)(size_t bytes);
    void (*give)(void *pages, size_t bytes);
};

/* Returns an empty pool.  'source' outlives it; NULL: calloc(), which knows
 * nothing of huge pages.  End with line_pool_destroy(). */
struct line_pool *line_pool_create(const struct line_pool_source *source);

/* Frees 'pool' with all its pieces.  Accepts NULL. */
void line_pool_destroy(struct line_pool *pool);

/* Returns 'bytes' (not 0) zeroed bytes, aligned to the power of two that is not
 * less, up to LINE_POOL_ALIGNMENT.  Aborts if there is no memory. */
void *line_pool_take(struct line_pool *pool, size_t bytes);

/* Gives back 'piece', which was taken with 'bytes'.  NULL is ignored. */
void line_pool_give(struct line_pool *pool, void *piece, size_t bytes);

/* Replaces 'piece' of 'old_bytes' (NULL: 0) by one of 'bytes', which are more,
 * with the same content and zeroes behind it. */
void *line_pool_extend(struct line_pool *pool, void *piece, size_t old_bytes,
                       size_t bytes);

#endif /* base/line_pool.h */
