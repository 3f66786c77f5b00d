/* SPDX-License-Identifier: Apache-2.0 */

/* Chunks of pages, from which pieces are cut, and lists of pieces that were
 * given back, by size. */

#include <config.h>

#include "base/line_pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum {
    FIRST_CHUNK_BYTES = 1 << 16,
    HUGE_PAGE_BYTES = 1 << 21,
    LAST_CHUNK_BYTES = 1 << 25, /* Chunks do not become larger than this unless
                                 * a piece is. */
    N_SIZES = 58,               /* Powers of two, in lines. */
};

/* Pages from the system. */
struct chunk {
    struct chunk *next;
    void *pages;
    size_t bytes;
};

/* A piece that was given back. */
struct piece {
    struct piece *next;
};

struct line_pool {
    const struct line_pool_source *source;
    unsigned char *fresh; /* The rest of the newest chunk, zeroed. */
    size_t left;
    size_t chunk_bytes; /* Of the next chunk. */
    struct chunk *chunks;
    struct piece *pieces[N_SIZES];
};

static void *
heap_take(size_t bytes)
{
    return calloc(1, bytes);
}

static void
heap_give(void *pages, size_t bytes)
{
    (void)bytes;
    free(pages);
}

static const struct line_pool_source heap = {heap_take, heap_give};

struct line_pool *
line_pool_create(const struct line_pool_source *source)
{
    struct line_pool *pool = check_calloc(1, sizeof *pool);

    pool->source = source ? source : &heap;
    pool->chunk_bytes = FIRST_CHUNK_BYTES;
    return pool;
}

void
line_pool_destroy(struct line_pool *pool)
{
    while (pool && pool->chunks) {
        struct chunk *chunk = pool->chunks;

        pool->chunks = chunk->next;
        pool->source->give(chunk->pages, chunk->bytes);
        free(chunk);
    }
    free(pool);
}

/* Returns which power of two lines 'bytes' take. */
static unsigned int
size_of(size_t bytes)
{
    const size_t lines = (bytes - 1) / LINE_POOL_LINE + 1;

    return lines == 1 ? 0 : 64u - (unsigned int)__builtin_clzll(lines - 1);
}

static size_t
bytes_of(unsigned int size)
{
    return (size_t)LINE_POOL_LINE << size;
}

static size_t
alignment_of(unsigned int size)
{
    return bytes_of(size) < LINE_POOL_ALIGNMENT ? bytes_of(size)
                                                : (size_t)LINE_POOL_ALIGNMENT;
}

/* Makes a chunk with room for 'bytes' the newest one. */
static void
add_chunk(struct line_pool *pool, size_t bytes)
{
    struct chunk *chunk = check_malloc(sizeof *chunk);
    const size_t room = bytes > pool->chunk_bytes ? bytes : pool->chunk_bytes;
    const size_t alignment =
        room >= HUGE_PAGE_BYTES ? HUGE_PAGE_BYTES : LINE_POOL_ALIGNMENT;

    chunk->bytes = room + alignment;
    chunk->pages = pool->source->take(chunk->bytes);
    if (!chunk->pages) {
        check_no_memory(chunk->bytes);
    }
    chunk->next = pool->chunks;
    pool->chunks = chunk;
    pool->fresh = (unsigned char *)chunk->pages + alignment -
                  (uintptr_t)chunk->pages % alignment;
    pool->left = room;
    if (pool->chunk_bytes < LAST_CHUNK_BYTES) {
        pool->chunk_bytes *= 2;
    }
}

void *
line_pool_take(struct line_pool *pool, size_t bytes)
{
    const unsigned int size = size_of(bytes);
    struct piece *piece = pool->pieces[size];
    size_t gap;

    if (piece) {
        pool->pieces[size] = piece->next;
        return memset(piece, 0, bytes_of(size));
    }
    gap = -(uintptr_t)pool->fresh & (alignment_of(size) - 1);
    if (pool->left < gap + bytes_of(size)) {
        add_chunk(pool, bytes_of(size));
        gap = 0;
    }
    piece = (void *)(pool->fresh + gap);
    pool->fresh += gap + bytes_of(size);
    pool->left -= gap + bytes_of(size);
    return piece;
}

void
line_pool_give(struct line_pool *pool, void *piece_, size_t bytes)
{
    struct piece *piece = piece_;

    if (piece) {
        const unsigned int size = size_of(bytes);

        piece->next = pool->pieces[size];
        pool->pieces[size] = piece;
    }
}

void *
line_pool_extend(struct line_pool *pool, void *piece, size_t old_bytes,
                 size_t bytes)
{
    void *longer;

    if (piece && size_of(old_bytes) == size_of(bytes)) {
        return piece;
    }
    longer = line_pool_take(pool, bytes);
    if (piece) {
        memcpy(longer, piece, old_bytes);
        line_pool_give(pool, piece, old_bytes);
    }
    return longer;
}
