/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_NIC_LOOKUP_CACHE_H
#define ORCHD_TWIN_NIC_LOOKUP_CACHE_H

/* A cache of an adapter: which of the entries of a table in the memory of the
 * host it holds.
 *
 * The table has any number of entries, which numbers name; the cache holds at
 * most 'capacity' of them, fully associative.  An entry that is not there is
 * read, and replaces the one that was used the longest time ago (LRU).  What is
 * in the entries does not matter here.
 *
 * With independent uniform accesses to n entries the share of hits is
 * min(1, capacity / n), whatever is replaced; with accesses in a cycle of
 * n > capacity it is 0.
 *
 * Pure; an access takes a time that does not depend on the size.  24 bytes and
 * two words of an index per entry. */

#include <stdbool.h>
#include <stdint.h>

enum { LOOKUP_CACHE_MAX = 1 << 24 };

struct lookup_cache;

/* Returns an empty cache for 'capacity' entries, 1..LOOKUP_CACHE_MAX.  End with
 * lookup_cache_destroy(). */
struct lookup_cache *lookup_cache_create(uint32_t capacity);
void lookup_cache_destroy(struct lookup_cache *cache);

/* Uses entry 'number'.  Returns true if the cache holds it; otherwise it holds
 * it from now on. */
bool lookup_cache_use(struct lookup_cache *cache, uint64_t number);

/* Returns how many entries the cache holds. */
uint32_t lookup_cache_n(const struct lookup_cache *cache);

#endif /* twin/nic/lookup_cache.h */
