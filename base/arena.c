/* SPDX-License-Identifier: Apache-2.0 */

/* A list of blocks, newest first.  Pieces come from the newest block. */

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

/* Prepends a block that holds at least 'need' bytes. */
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

/* Returns 'bytes' zeroed bytes that start at a multiple of 'align'. */
static void *
arena_cut(struct arena *arena, size_t bytes, size_t align)
{
    struct block *block = arena->newest;
    size_t start = block ? (block->used + align - 1) / align * align : 0;

    if (!block || start > block->size || block->size - start < bytes) {
        block = arena_grow(arena, bytes);
        start = 0;
    }
    block->used = start + bytes;
    return memset(block->data + start, 0, bytes);
}

void *
arena_alloc(struct arena *arena, size_t n, size_t size)
{
    orch_assert(size == 0 || n <= (SIZE_MAX / 2) / size);
    return arena_cut(arena, n * size, ARENA_ALIGN);
}

char *
arena_strdup(struct arena *arena, const char *text)
{
    return arena_strndup(arena, text, strlen(text));
}

/* Strings are packed: most are shorter than the alignment. */
char *
arena_strndup(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_cut(arena, length + 1, 1);

    memcpy(copy, text, length);
    return copy;
}

size_t
arena_bytes(const struct arena *arena)
{
    return arena->total_bytes;
}
