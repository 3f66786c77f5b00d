/* SPDX-License-Identifier: Apache-2.0 */

/* A chain of blocks, the newest first; pieces are cut from the newest. */

#include <config.h>

#include "base/arena.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"

enum {
    ARENA_ALIGN = _Alignof(max_align_t),
    ARENA_DEFAULT_BLOCK = 4096,
};

struct block {
    struct block *next;
    size_t size; /* Usable bytes at 'data'. */
    size_t used;
    _Alignas(max_align_t) unsigned char data[];
};

struct arena {
    struct block *newest;
    size_t block_bytes;
    size_t total_bytes;
};

struct arena *
arena_create(size_t block_bytes)
{
    struct arena *arena = check_calloc(1, sizeof *arena);

    arena->block_bytes = block_bytes ? block_bytes : ARENA_DEFAULT_BLOCK;
    return arena;
}

void
arena_destroy(struct arena *arena)
{
    if (arena) {
        arena_reset(arena);
        free(arena->newest);
        free(arena);
    }
}

void
arena_reset(struct arena *arena)
{
    struct block *block = arena->newest;

    while (block && block->next) {
        struct block *next = block->next;

        arena->total_bytes -= block->size;
        free(block);
        block = next;
    }
    if (block) {
        block->used = 0;
    }
    arena->newest = block;
}

/* Puts a block that holds at least 'need' bytes in front. */
static struct block *
arena_grow(struct arena *arena, size_t need)
{
    size_t size = need > arena->block_bytes ? need : arena->block_bytes;
    struct block *block = check_malloc(sizeof *block + size);

    block->next = arena->newest;
    block->size = size;
    block->used = 0;
    arena->newest = block;
    arena->total_bytes += size;
    return block;
}

void *
arena_alloc(struct arena *arena, size_t n, size_t size)
{
    struct block *block = arena->newest;
    size_t bytes;
    void *piece;

    orch_assert(size == 0 || n <= (SIZE_MAX / 2) / size);
    bytes = (n * size + ARENA_ALIGN - 1) / ARENA_ALIGN * ARENA_ALIGN;
    if (!block || block->size - block->used < bytes) {
        block = arena_grow(arena, bytes);
    }
    piece = block->data + block->used;
    block->used += bytes;
    return memset(piece, 0, bytes);
}

char *
arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

char *
arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_alloc(arena, length + 1, 1);

    memcpy(copy, text, length);
    return copy;
}

size_t
arena_bytes(const struct arena *arena)
{
    return arena->total_bytes;
}
