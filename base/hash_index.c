/* SPDX-License-Identifier: Apache-2.0 */

/* An item is at the place that its hash names, or after it without a gap. */

#include <config.h>

#include "base/hash_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

#define MIN_SIZE 8

/* An odd number without pattern, the first digits of the golden ratio. */
#define FACTOR UINT64_C(0x9e3779b97f4a7c15)

/* Spreads the bits of 'word' over all of a hash. */
static uint64_t
mix(uint64_t word)
{
    word *= FACTOR;
    word ^= word >> 32;
    return word * FACTOR;
}

uint32_t
hash_index_number(uint64_t number)
{
    return (uint32_t)(mix(number) >> 32);
}

uint32_t
hash_index_bytes(const void *bytes_, size_t n)
{
    const char *bytes = bytes_;
    uint64_t hash = n, word;

    for (; n >= sizeof word; n -= sizeof word, bytes += sizeof word) {
        memcpy(&word, bytes, sizeof word);
        hash = mix(hash ^ word);
    }
    word = 0;
    memcpy(&word, bytes, n);
    return hash_index_number(hash ^ word);
}

uint32_t
hash_index_text(const char *text)
{
    return hash_index_bytes(text, strlen(text));
}

void
hash_index_fini(struct hash_index *index)
{
    free(index->items);
    free(index->hashes);
    memset(index, 0, sizeof *index);
}

/* Returns the place that 'hash' names. */
static size_t
named_by(const struct hash_index *index, uint32_t hash)
{
    return (size_t)((uint64_t)hash * index->size >> 32);
}

/* Returns the place after 'place'. */
static size_t
after(const struct hash_index *index, size_t place)
{
    return place + 1 < index->size ? place + 1 : 0;
}

/* Returns how far 'to' is after 'from'. */
static size_t
distance(const struct hash_index *index, size_t from, size_t to)
{
    return to >= from ? to - from : to + index->size - from;
}

/* Puts 'item' at the first free place. */
static void
put(struct hash_index *index, uint32_t hash, void *item)
{
    size_t place = named_by(index, hash);

    while (index->items[place]) {
        place = after(index, place);
    }
    index->items[place] = item;
    index->hashes[place] = hash;
}

/* Adds half as many places. */
static void
grow(struct hash_index *index)
{
    const struct hash_index old = *index;

    index->size = old.size ? old.size + old.size / 2 : MIN_SIZE;
    orch_assert(index->size <= UINT32_MAX);
    index->items = check_calloc(index->size, sizeof *index->items);
    index->hashes = check_calloc(index->size, sizeof *index->hashes);
    for (size_t i = 0; i < old.size; i++) {
        if (old.items[i]) {
            put(index, old.hashes[i], old.items[i]);
        }
    }
    free(old.items);
    free(old.hashes);
}

void *
hash_index_find(const struct hash_index *index, uint32_t hash,
                hash_index_equal_fn *equal, const void *key)
{
    size_t place;

    if (!index->n) {
        return NULL;
    }
    place = named_by(index, hash);
    while (index->items[place]) {
        if (index->hashes[place] == hash && equal(index->items[place], key)) {
            return index->items[place];
        }
        place = after(index, place);
    }
    return NULL;
}

void
hash_index_add(struct hash_index *index, uint32_t hash, void *item)
{
    orch_assert(item);
    if (4 * (index->n + 1) > 3 * index->size) {
        grow(index);
    }
    put(index, hash, item);
    index->n++;
}

/* Returns whether the item at 'place' may move to 'gap', which is before it:
 * its hash names no place between the two. */
static bool
may_move(const struct hash_index *index, size_t place, size_t gap)
{
    const size_t named = named_by(index, index->hashes[place]);

    return distance(index, named, place) >= distance(index, gap, place);
}

void
hash_index_remove(struct hash_index *index, uint32_t hash, const void *item)
{
    size_t gap, place;

    orch_assert(index->size);
    gap = named_by(index, hash);
    while (index->items[gap] != item) {
        orch_assert(index->items[gap]);
        gap = after(index, gap);
    }
    for (place = after(index, gap); index->items[place];
         place = after(index, place)) {
        if (may_move(index, place, gap)) {
            index->items[gap] = index->items[place];
            index->hashes[gap] = index->hashes[place];
            gap = place;
        }
    }
    index->items[gap] = NULL;
    index->n--;
}

void *
hash_index_next(const struct hash_index *index, size_t *place)
{
    while (*place < index->size) {
        void *item = index->items[(*place)++];

        if (item) {
            return item;
        }
    }
    return NULL;
}
