/* SPDX-License-Identifier: Apache-2.0 */

/* A cache of an adapter, with replacement of the least recently used entry.
 *
 * Entries are in a doubly linked list, the last used first, and in chains of an
 * index by their numbers.  Slot 0 is the head of the list. */

#include <config.h>

#include "twin/nic/lookup_cache.h"

#include <stdlib.h>

#include "base/check.h"

enum { HEAD = 0 };

struct entry {
    uint64_t number;
    uint32_t newer, older; /* In the list. */
    uint32_t next;         /* In the chain; HEAD: none. */
};

struct lookup_cache {
    struct entry *entries; /* 'capacity' and the head. */
    uint32_t *chains;      /* Their first entries; HEAD: none. */
    uint32_t mask;         /* Of the index. */
    uint32_t capacity;
    uint32_t n;
};

struct lookup_cache *
lookup_cache_create(uint32_t capacity)
{
    struct lookup_cache *cache = check_calloc(1, sizeof *cache);
    uint32_t n_chains = 1;

    while (n_chains < capacity) {
        n_chains *= 2;
    }
    cache->capacity = capacity;
    cache->mask = n_chains - 1;
    cache->entries = check_calloc((size_t)capacity + 1, sizeof *cache->entries);
    cache->chains = check_calloc(n_chains, sizeof *cache->chains);
    return cache;
}

void
lookup_cache_destroy(struct lookup_cache *cache)
{
    if (cache) {
        free(cache->entries);
        free(cache->chains);
        free(cache);
    }
}

/* Returns the chain of 'number': numbers of pages and of queue pairs follow
 * each other, so Fibonacci hashing spreads them. */
static uint32_t *
chain_of(struct lookup_cache *cache, uint64_t number)
{
    const uint64_t hash = number * UINT64_C(0x9e3779b97f4a7c15);

    return &cache->chains[(uint32_t)(hash >> 32) & cache->mask];
}

/* Takes 'slot' out of the list. */
static void
unlink_entry(struct lookup_cache *cache, uint32_t slot)
{
    const struct entry *entry = &cache->entries[slot];

    cache->entries[entry->newer].older = entry->older;
    cache->entries[entry->older].newer = entry->newer;
}

/* Puts 'slot' before all others. */
static void
link_first(struct lookup_cache *cache, uint32_t slot)
{
    struct entry *head = &cache->entries[HEAD];
    struct entry *entry = &cache->entries[slot];

    entry->newer = HEAD;
    entry->older = head->older;
    cache->entries[head->older].newer = slot;
    head->older = slot;
}

/* Takes the entry that was used the longest time ago out of list and index.
 * Returns its slot. */
static uint32_t
evict(struct lookup_cache *cache)
{
    const uint32_t slot = cache->entries[HEAD].newer;
    uint32_t *at = chain_of(cache, cache->entries[slot].number);

    while (*at != slot) {
        at = &cache->entries[*at].next;
    }
    *at = cache->entries[slot].next;
    unlink_entry(cache, slot);
    return slot;
}

bool
lookup_cache_use(struct lookup_cache *cache, uint64_t number)
{
    uint32_t *chain = chain_of(cache, number);
    uint32_t slot = *chain;

    while (slot != HEAD && cache->entries[slot].number != number) {
        slot = cache->entries[slot].next;
    }
    if (slot != HEAD) {
        unlink_entry(cache, slot);
        link_first(cache, slot);
        return true;
    }
    slot = cache->n < cache->capacity ? ++cache->n : evict(cache);
    cache->entries[slot].number = number;
    cache->entries[slot].next = *chain;
    *chain = slot;
    link_first(cache, slot);
    return false;
}

uint32_t
lookup_cache_n(const struct lookup_cache *cache)
{
    return cache->n;
}
