/* SPDX-License-Identifier: Apache-2.0 */

/* Pools by name. */

#include <config.h>

#include "orchd/publish/pools.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/counters/counted.h"
#include "orchd/db/redis.h"
#include "orchd/publish/counters.h"

#define MAP "COUNTERS_BUFFER_POOL_NAME_MAP"

struct pool {
    char *name; /* Key. */
    sai_object_id_t oid;
    UT_hash_handle hh;
};

struct pools {
    struct redis *redis;
    struct counters *counters;
    struct pool *pools;
};

struct pools *
pools_create(struct redis *redis, struct counters *counters)
{
    struct pools *pools = check_calloc(1, sizeof *pools);

    pools->redis = redis;
    pools->counters = counters;
    return pools;
}

static void
pool_free(struct pools *pools, struct pool *pool)
{
    HASH_DEL(pools->pools, pool);
    free(pool->name);
    free(pool);
}

static void
forget(struct pools *pools)
{
    struct pool *pool, *next;

    HASH_ITER(hh, pools->pools, pool, next)
    {
        pool_free(pools, pool);
    }
}

void
pools_destroy(struct pools *pools)
{
    if (pools) {
        forget(pools);
        free(pools);
    }
}

void
pools_restart(struct pools *pools)
{
    forget(pools);
    redis_del(pools->redis, COUNTERS_DB, MAP);
}

static struct pool *
find(const struct pools *pools, const char *name)
{
    struct pool *pool;

    HASH_FIND_STR(pools->pools, name, pool);
    return pool;
}

void
pools_appeared(struct pools *pools, const char *name, sai_object_id_t oid)
{
    const struct counted_place counted = {
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
    redis_hset(pools->redis, COUNTERS_DB, MAP, &field, 1);
    counters_add(pools->counters, &counted);
}

void
pools_gone(struct pools *pools, const char *name, sai_object_id_t oid)
{
    struct pool *pool = find(pools, name);

    if (pool && pool->oid == oid) {
        counters_remove(pools->counters, oid);
        redis_hdel(pools->redis, COUNTERS_DB, MAP, name);
        pool_free(pools, pool);
    }
}
