/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_HASH_INDEX_H
#define ORCHD_BASE_HASH_INDEX_H

/* A hash table of pointers to items that the owner allocates.
 *
 * Motivation: a switch of 512 ports has some 20,000 rows and 25,000 objects,
 * each in several tables.  A table with links within its items (uthash) takes
 * 56 bytes of each, and reads an item for each step along a chain.  This one
 * takes 12 bytes for each of its places, of which between 1/2 and 3/4 are used,
 * and reads an item only if all 32 bits of its hash are those of the key.
 *
 * Open addressing with linear probing; a removal moves later items forward, so
 * that no marks of removed items remain.  The order of a walk is that of the
 * places: the same for the same calls, but otherwise arbitrary.
 *
 * Keys stay with the owner: it computes their hashes, and compares. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All zero: an empty index.  End with hash_index_fini(). */
struct hash_index {
    void **items;     /* NULL: the place is free. */
    uint32_t *hashes; /* Of the items. */
    size_t n;         /* Items. */
    size_t size;      /* Places. */
};

/* Returns whether 'item' is the one with 'key'. */
typedef bool hash_index_equal_fn(const void *item, const void *key);

/* Return the hash of 'n' bytes, of a string, and of a number. */
uint32_t hash_index_bytes(const void *bytes, size_t n);
uint32_t hash_index_text(const char *text);
uint32_t hash_index_number(uint64_t number);

/* Frees the memory of 'index', which is empty then; the items stay. */
void hash_index_fini(struct hash_index *index);

/* Returns the item with 'hash' for which equal(item, key) is true, or NULL. */
void *hash_index_find(const struct hash_index *index, uint32_t hash,
                      hash_index_equal_fn *equal, const void *key);

/* Adds 'item', which is not NULL and not in 'index'. */
void hash_index_add(struct hash_index *index, uint32_t hash, void *item);

/* Removes 'item', which was added with 'hash'. */
void hash_index_remove(struct hash_index *index, uint32_t hash,
                       const void *item);

/* Returns an item, and stores in '*place' where to go on; NULL after the last
 * one.  A walk begins with '*place' 0, and must not add or remove items. */
void *hash_index_next(const struct hash_index *index, size_t *place);

#endif /* base/hash_index.h */
