/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the pools by name. */

#include <config.h>

#include "orchd/telemetry/pool_map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/redis.h"
#include "orchd/telemetry/counters.h"
#include "orchd/telemetry/polling/polled_object.h"

struct pool {
    char *name; /* Key. */
    sai_object_id_t oid;
    UT_hash_handle hh;
};

struct pool_map {
    struct redis *redis;
    struct counters *counters;
    struct pool *pools;
};

struct pool_map *
pool_map_create(struct redis *redis, struct counters *counters)
{
    struct pool_map *pools = check_calloc(1, sizeof *pools);

    pools->redis = redis;
    pools->counters = counters;
    return pools;
}

static void
pool_free(struct pool_map *pools, struct pool *pool)
{
    HASH_DEL(pools->pools, pool);
    free(pool->name);
    free(pool);
}

void
pool_map_forget(struct pool_map *pools)
{
    struct pool *pool, *next;

    HASH_ITER(hh, pools->pools, pool, next)
    {
        pool_free(pools, pool);
    }
}

void
pool_map_destroy(struct pool_map *pools)
{
    if (pools) {
        pool_map_forget(pools);
        free(pools);
    }
}

static struct pool *
find(const struct pool_map *pools, const char *name)
{
    struct pool *pool;

    HASH_FIND_STR(pools->pools, name, pool);
    return pool;
}

void
pool_map_appeared(struct pool_map *pools, const char *name, sai_object_id_t oid)
{
    const struct polled_object_id polled = {
        .type = SAI_OBJECT_TYPE_BUFFER_POOL, .oid = oid, .name = name};
    struct pool *pool = find(pools, name);
    char text[24];
    const struct field field = {name, text};

    if (!pool) {
        pool = check_calloc(1, sizeof *pool);
        pool->name = check_strdup(name);
        HASH_ADD_KEYPTR(hh, pools->pools, pool->name, strlen(pool->name), pool);
    } else if (pool->oid != oid) {
        counters_remove(pools->counters, pool->oid);
    }
    pool->oid = oid;
    text_format(text, sizeof text, "oid:0x%" PRIx64, oid);
    redis_hset(pools->redis, COUNTERS_DB, POOL_MAP, &field, 1);
    counters_add(pools->counters, &polled);
}

void
pool_map_gone(struct pool_map *pools, const char *name, sai_object_id_t oid)
{
    struct pool *pool = find(pools, name);

    if (pool && pool->oid == oid) {
        counters_remove(pools->counters, oid);
        redis_hdel(pools->redis, COUNTERS_DB, POOL_MAP, name);
        pool_free(pools, pool);
    }
}
