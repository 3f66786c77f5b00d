/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_ARENA_H
#define ORCHD_BASE_ARENA_H

/* Memory with one owner and one free.
 *
 * Motivation: a parsed configuration, the state of a chip or the plan of one
 * turn consists of many small pieces with the same lifetime.  They are
 * allocated from an arena, which frees all of them at once (the idea of BIRD's
 * pools).
 *
 * Usage: the arena is the first argument of each function that allocates from
 * it.  Pieces are aligned for any type and zeroed.  Cost: a pointer increment
 * per piece, one malloc per block. */

#include <stddef.h>

struct arena;

/* Returns a new, empty arena that grows in blocks of at least 'block_bytes'
 * (0: a sensible default).  The caller destroys it with arena_destroy(). */
struct arena *arena_create(size_t block_bytes);

/* Frees 'arena' with all its pieces.  Accepts NULL. */
void arena_destroy(struct arena *arena);

/* Drops all pieces but keeps the first block for reuse. */
void arena_reset(struct arena *arena);

/* Returns 'n' * 'size' zeroed bytes that live as long as 'arena'.  Aborts the
 * program on overflow: the caller bounds sizes from outside. */
void *arena_alloc(struct arena *arena, size_t n, size_t size);

/* Returns a copy of 'text', or of its first 'length' bytes. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Returns how many bytes 'arena' has allocated from the system. */
size_t arena_bytes(const struct arena *arena);

#endif /* base/arena.h */
