/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "lab/storage/slab_pool.h"

#include <stdlib.h>

#include "base/check.h"

enum { N_CLASSES = 64 };

/* A slab, or several that hold one large buffer. */
struct slab {
    uint64_t bytes; /* 0: this place is free. */
    uint32_t size_class;
    uint32_t used; /* Buffers. */
    uint32_t n;    /* Buffers that fit. */
    uint32_t next; /* Of its class, or of the free places. */
};

struct slab_pool {
    struct slab_pool_config config;
    struct slab_pool_stats stats;
    struct slab *slabs;
    uint32_t n, size;
    uint32_t free_place;
    uint32_t first[N_CLASSES]; /* Slab of each class: a list. */
    uint32_t n_empty;          /* Slabs without a used buffer. */
    uint64_t alone_bytes;      /* Of buffers above the limit. */
};

static bool
is_power_of_two(uint64_t value)
{
    return value && !(value & (value - 1));
}

static bool
is_valid(const struct slab_pool_config *config)
{
    return is_power_of_two(config->slab_bytes) &&
           config->slab_bytes >= SLAB_POOL_MIN_BYTES &&
           config->limit_bytes >= config->slab_bytes &&
           is_power_of_two(config->page_bytes) &&
           config->page_bytes >= SLAB_POOL_MIN_BYTES;
}

enum st
slab_pool_create(const struct slab_pool_config *config, struct slab_pool **pool)
{
    if (!is_valid(config)) {
        return ST_INVALID;
    }
    *pool = calloc(1, sizeof **pool);
    orch_assert(*pool);
    (*pool)->config = *config;
    (*pool)->free_place = SLAB_POOL_NONE;
    for (uint32_t i = 0; i < N_CLASSES; i++) {
        (*pool)->first[i] = SLAB_POOL_NONE;
    }
    return ST_OK;
}

void
slab_pool_destroy(struct slab_pool *pool)
{
    if (pool) {
        free(pool->slabs);
        free(pool);
    }
}

/* Returns the class of buffers of 'bytes': they have 2^class bytes. */
static uint32_t
class_of(uint64_t bytes)
{
    uint32_t size_class = 12; /* SLAB_POOL_MIN_BYTES */

    while (UINT64_C(1) << size_class < bytes) {
        size_class++;
    }
    return size_class;
}

static uint64_t
entries(const struct slab_pool *pool, uint64_t bytes)
{
    return (bytes + pool->config.page_bytes - 1) / pool->config.page_bytes;
}

/* Counts 'bytes' as registered. */
static void
note_registered(struct slab_pool *pool, uint64_t bytes)
{
    struct slab_pool_stats *stats = &pool->stats;

    stats->registrations++;
    stats->registered_bytes += bytes;
    stats->mtt_entries += entries(pool, bytes);
    if (stats->registered_bytes > stats->registered_peak_bytes) {
        stats->registered_peak_bytes = stats->registered_bytes;
    }
    if (stats->mtt_entries > stats->mtt_peak) {
        stats->mtt_peak = stats->mtt_entries;
    }
}

/* Registers a slab for buffers of 'size_class', and returns its place;
 * SLAB_POOL_NONE: the limit does not allow it. */
static uint32_t
add_slab(struct slab_pool *pool, uint32_t size_class)
{
    const uint64_t buffer = UINT64_C(1) << size_class;
    const uint64_t bytes =
        buffer > pool->config.slab_bytes ? buffer : pool->config.slab_bytes;
    uint32_t place = pool->free_place;

    if (pool->stats.registered_bytes - pool->alone_bytes + bytes >
        pool->config.limit_bytes) {
        return SLAB_POOL_NONE;
    }
    if (place != SLAB_POOL_NONE) {
        pool->free_place = pool->slabs[place].next;
    } else {
        if (pool->n == pool->size) {
            pool->size = pool->size ? 2 * pool->size : 8;
            pool->slabs =
                realloc(pool->slabs, pool->size * sizeof *pool->slabs);
            orch_assert(pool->slabs);
        }
        place = pool->n++;
    }
    pool->slabs[place] = (struct slab){.bytes = bytes,
                                       .size_class = size_class,
                                       .n = (uint32_t)(bytes / buffer),
                                       .next = pool->first[size_class]};
    pool->first[size_class] = place;
    pool->n_empty++;
    note_registered(pool, bytes);
    return place;
}

/* Stops counting 'bytes' as registered. */
static void
note_deregistered(struct slab_pool *pool, uint64_t bytes)
{
    pool->stats.deregistrations++;
    pool->stats.registered_bytes -= bytes;
    pool->stats.mtt_entries -= entries(pool, bytes);
}

/* Takes slab 'place', which is empty, out of its list, and gives it back. */
static void
remove_slab(struct slab_pool *pool, uint32_t place)
{
    struct slab *slab = &pool->slabs[place];
    uint32_t *link = &pool->first[slab->size_class];

    while (*link != place) {
        link = &pool->slabs[*link].next;
    }
    *link = slab->next;
    note_deregistered(pool, slab->bytes);
    pool->n_empty--;
    *slab = (struct slab){.next = pool->free_place};
    pool->free_place = place;
}

/* Gives empty slabs back that are not of 'but_class'.  Returns whether there
 * were any. */
static bool
reclaim(struct slab_pool *pool, uint32_t but_class)
{
    bool found = false;

    for (uint32_t i = 0; i < pool->n && pool->n_empty; i++) {
        const struct slab *slab = &pool->slabs[i];

        if (slab->bytes && !slab->used && slab->size_class != but_class) {
            remove_slab(pool, i);
            found = true;
        }
    }
    return found;
}

/* Finds a slab with room for a buffer of 'size_class', and registers one if
 * necessary ('*registers').  Returns its place, or SLAB_POOL_ALONE. */
static uint32_t
find_slab(struct slab_pool *pool, uint32_t size_class, bool *registers)
{
    uint32_t place = pool->first[size_class];

    while (place != SLAB_POOL_NONE &&
           pool->slabs[place].used == pool->slabs[place].n) {
        place = pool->slabs[place].next;
    }
    *registers = place == SLAB_POOL_NONE;
    if (*registers) {
        place = add_slab(pool, size_class);
    }
    /* Those of other classes make room. */
    if (place == SLAB_POOL_NONE && reclaim(pool, size_class)) {
        place = add_slab(pool, size_class);
    }
    return place == SLAB_POOL_NONE ? SLAB_POOL_ALONE : place;
}

bool
slab_pool_take(struct slab_pool *pool, uint64_t bytes,
               struct slab_buffer *buffer)
{
    struct slab_pool_stats *stats = &pool->stats;
    bool registers;
    const uint32_t place = find_slab(pool, class_of(bytes), &registers);

    if (place == SLAB_POOL_ALONE) {
        pool->alone_bytes += bytes;
        stats->alone++;
        note_registered(pool, bytes);
    } else {
        pool->n_empty -= !pool->slabs[place].used++;
    }
    stats->used_bytes += bytes;
    if (stats->used_bytes > stats->used_peak_bytes) {
        stats->used_peak_bytes = stats->used_bytes;
    }
    *buffer = (struct slab_buffer){.slab = place, .bytes = bytes};
    return registers;
}

void
slab_pool_give(struct slab_pool *pool, struct slab_buffer *buffer)
{
    const uint32_t place = buffer->slab;

    if (place == SLAB_POOL_NONE) {
        return;
    }
    pool->stats.used_bytes -= buffer->bytes;
    if (place == SLAB_POOL_ALONE) {
        pool->alone_bytes -= buffer->bytes;
        note_deregistered(pool, buffer->bytes);
    } else {
        orch_assert(pool->slabs[place].used);
        if (!--pool->slabs[place].used) {
            pool->n_empty++;
            if (pool->n_empty > pool->config.kept_slabs) {
                remove_slab(pool, place);
            }
        }
    }
    *buffer = (struct slab_buffer){.slab = SLAB_POOL_NONE};
}

void
slab_pool_trim(struct slab_pool *pool)
{
    (void)reclaim(pool, N_CLASSES);
}

uint32_t
slab_pool_regions(const struct slab_pool *pool)
{
    return (uint32_t)(pool->stats.registrations - pool->stats.deregistrations);
}

void
slab_pool_get_stats(const struct slab_pool *pool, struct slab_pool_stats *stats)
{
    *stats = pool->stats;
}

const char *
slab_pool_check(const struct slab_pool *pool)
{
    uint64_t registered = 0;
    uint32_t n_empty = 0;

    for (uint32_t i = 0; i < pool->n; i++) {
        const struct slab *slab = &pool->slabs[i];

        registered += slab->bytes;
        n_empty += slab->bytes && !slab->used;
        if (slab->used > slab->n) {
            return "a slab has more buffers in use than fit";
        }
    }
    return registered + pool->alone_bytes != pool->stats.registered_bytes
               ? "registered bytes differ"
           : n_empty != pool->n_empty              ? "empty slabs differ"
           : registered > pool->config.limit_bytes ? "the limit is exceeded"
           : pool->stats.used_bytes > pool->stats.registered_bytes
               ? "more is used than there is"
               : NULL;
}
