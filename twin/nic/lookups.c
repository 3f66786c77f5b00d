/* SPDX-License-Identifier: Apache-2.0 */

/* The lookups of a packet that an adapter has received. */

#include <config.h>

#include "twin/nic/lookups.h"

#include <stdlib.h>

#include "base/check.h"
#include "twin/event/random_stream.h"
#include "twin/nic/lookup_cache.h"

struct lookups {
    struct lookups_config config;
    struct lookup_cache *contexts;     /* NULL: all fit. */
    struct lookup_cache *translations; /* Likewise. */
    struct lookups_stats stats;
    struct random_stream random;
    uint64_t next; /* Where the next sequential message begins. */
    uint64_t *ats; /* By QP: where the next packet of its message goes. */
    uint32_t n_ats;
};

bool
lookups_are_valid(const struct lookups_config *config)
{
    return config->contexts <= LOOKUP_CACHE_MAX &&
           config->translations <= LOOKUP_CACHE_MAX &&
           (!config->translations ||
            (config->page_bytes &&
             config->page_bytes % LOOKUPS_ALIGN_BYTES == 0 &&
             config->region_bytes >= config->page_bytes &&
             config->region_bytes % config->page_bytes == 0));
}

bool
lookups_are_equal(const struct lookups_config *a,
                  const struct lookups_config *b)
{
    return a->contexts == b->contexts && a->translations == b->translations &&
           a->page_bytes == b->page_bytes &&
           a->region_bytes == b->region_bytes &&
           a->is_sequential == b->is_sequential && a->seed == b->seed;
}

struct lookups *
lookups_create(const struct lookups_config *config, uint32_t entity)
{
    struct lookups *lookups;

    if (!config->contexts && !config->translations) {
        return NULL;
    }
    lookups = check_calloc(1, sizeof *lookups);
    lookups->config = *config;
    random_stream_init(&lookups->random, config->seed, entity, RANDOM_ADDRESS);
    if (config->contexts) {
        lookups->contexts = lookup_cache_create(config->contexts);
    }
    if (config->translations) {
        lookups->translations = lookup_cache_create(config->translations);
    }
    return lookups;
}

void
lookups_destroy(struct lookups *lookups)
{
    if (lookups) {
        lookup_cache_destroy(lookups->contexts);
        lookup_cache_destroy(lookups->translations);
        free(lookups->ats);
        free(lookups);
    }
}

/* Returns the place of the next packet of 'qp'. */
static uint64_t *
at_of(struct lookups *lookups, uint32_t qp)
{
    if (qp >= lookups->n_ats) {
        const uint32_t n = 2 * qp + 1;

        lookups->ats = check_realloc(lookups->ats, n * sizeof *lookups->ats);
        for (uint32_t i = lookups->n_ats; i < n; i++) {
            lookups->ats[i] = 0;
        }
        lookups->n_ats = n;
    }
    return &lookups->ats[qp];
}

/* Returns where a message begins. */
static uint64_t
begin(struct lookups *lookups)
{
    const uint64_t n = lookups->config.region_bytes / LOOKUPS_ALIGN_BYTES;
    const uint64_t after =
        (lookups->next + LOOKUPS_ALIGN_BYTES - 1) / LOOKUPS_ALIGN_BYTES % n;

    return LOOKUPS_ALIGN_BYTES *
           (lookups->config.is_sequential
                ? after
                : random_stream_below(&lookups->random, n));
}

/* Uses the translations of 'bytes' at 'at'.  Returns the misses. */
static uint32_t
translate(struct lookups *lookups, uint64_t at, uint32_t bytes)
{
    const uint64_t page_bytes = lookups->config.page_bytes;
    const uint64_t n_pages = lookups->config.region_bytes / page_bytes;
    const uint64_t first = at / page_bytes;
    const uint64_t last = (at + bytes - 1) / page_bytes;
    uint32_t n = 0;

    for (uint64_t page = first; page <= last; page++) {
        n += !lookup_cache_use(lookups->translations, page % n_pages);
    }
    lookups->stats.translation_misses += n;
    lookups->stats.translation_hits += last - first + 1 - n;
    return n;
}

uint32_t
lookups_find_context(struct lookups *lookups, uint64_t entry)
{
    uint32_t n = 0;

    if (lookups->contexts) {
        n = !lookup_cache_use(lookups->contexts, entry);
        lookups->stats.context_misses += n;
        lookups->stats.context_hits += !n;
    }
    return n;
}

uint32_t
lookups_find(struct lookups *lookups, uint32_t qp, uint32_t payload_bytes,
             bool begins)
{
    uint32_t n = lookups_find_context(lookups, qp);

    if (lookups->translations && payload_bytes) {
        uint64_t *at = at_of(lookups, qp);

        if (begins) {
            *at = begin(lookups);
        }
        n += translate(lookups, *at, payload_bytes);
        *at = (*at + payload_bytes) % lookups->config.region_bytes;
        lookups->next = *at;
    }
    return n;
}

void
lookups_get(const struct lookups *lookups, struct lookups_stats *stats)
{
    *stats = lookups->stats;
}
