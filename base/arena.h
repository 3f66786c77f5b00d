/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_ARENA_H
#define ORCHD_BASE_ARENA_H

/* Memory with one owner and one free.
 *
 * Motivation: a parsed configuration, the state of a chip or the plan of one
 * turn is many small pieces that live and die together.  They are cut from an
 * arena, never freed singly, and go with it (the idea of BIRD's pools).
 *
 * Usage: the arena is the first argument of whatever allocates from it.
 * Pieces are aligned for any type and start out zeroed.  Cost: a pointer bump;
 * one malloc per block. */

#include <stddef.h>

struct arena;

/* Returns a new, empty arena that grows in blocks of at least 'block_bytes'
 * (0: a sensible default).  The caller ends it with arena_destroy(). */
struct arena *arena_create(size_t block_bytes);

/* Frees 'arena' with all its pieces.  Accepts NULL. */
void arena_destroy(struct arena *arena);

/* Forgets all pieces but keeps the first block for reuse. */
void arena_reset(struct arena *arena);

/* Returns 'n' * 'size' zeroed bytes that live as long as 'arena'.  Stops the
 * program on overflow: bound sizes from outside before. */
void *arena_alloc(struct arena *arena, size_t n, size_t size);

/* Returns a copy of 'text', or of its first 'length' bytes. */
char *arena_strdup(struct arena *arena, const char *text);
char *arena_strndup(struct arena *arena, const char *text, size_t length);

/* Returns the bytes that 'arena' holds from the system. */
size_t arena_bytes(const struct arena *arena);

#endif /* base/arena.h */
