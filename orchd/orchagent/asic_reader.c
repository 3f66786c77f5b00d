/* SPDX-License-Identifier: Apache-2.0 */

/* Requests hashes, and passes the answers on. */

#include <config.h>

#include "orchd/orchagent/asic_reader.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "orchd/db/redis.h"
#include "orchd/orchagent/asic_rows.h"
#include "sai/core/serialize.h"

#define ROW_PREFIX    "ASIC_STATE:"
#define LIMITS_PREFIX "BUFFER_MAX_PARAM_TABLE|"

#define ROWS(type) "ASIC_STATE:SAI_OBJECT_TYPE_" type ":*"

/* RIDTOVID has an entry for each object of the switch, routes' next hops
 * included: it is read together with LANES, but not watched. */
const struct redis_keys asic_reader_keys[] = {
    {ASIC_DB, ROWS("SWITCH")},
    {ASIC_DB, ROWS("PORT")},
    {ASIC_DB, ROWS("QUEUE")},
    {ASIC_DB, ROWS("INGRESS_PRIORITY_GROUP")},
    {ASIC_DB, ROWS("BUFFER_POOL")},
    {ASIC_DB, ROWS("BUFFER_PROFILE")},
    {ASIC_DB, ROWS("QOS_MAP")},
    {ASIC_DB, ROWS("SCHEDULER")},
    {ASIC_DB, ROWS("SCHEDULER_GROUP")},
    {ASIC_DB, ROWS("WRED")},
    {ASIC_DB, "LANES"},
    {COUNTERS_DB, "COUNTERS_PORT_NAME_MAP"},
    {COUNTERS_DB, "COUNTERS_PG_NAME_MAP"},
    {COUNTERS_DB, "COUNTERS_QUEUE_NAME_MAP"},
    {COUNTERS_DB, "COUNTERS_BUFFER_POOL_NAME_MAP"},
    {STATE_DB, LIMITS_PREFIX "*"},
    {STATE_DB, NULL},
};

static const struct {
    enum database database;
    const char *key;
} maps[] = {
#define X(member, database, key) [ASIC_MAP_##member] = {database, key},
    ASIC_MAP_LIST(X)
#undef X
};

/* A key that has changed. */
struct dirty {
    struct dirty *next;
    enum database database;
    char key[];
};

struct asic_reader {
    struct redis *redis;
    struct asic_rows *rows;
    struct hash_index keys; /* The dirty keys. */
    struct dirty *first, **last;

    /* A complete reading. */
    uint64_t epoch;      /* Of the rows when it began. */
    unsigned int n_open; /* Walks that have not ended. */
    bool complete;
};

struct asic_reader *
asic_reader_create(struct redis *redis, struct asic_rows *rows)
{
    struct asic_reader *reader = check_calloc(1, sizeof *reader);

    reader->redis = redis;
    reader->rows = rows;
    reader->last = &reader->first;
    return reader;
}

/* Forgets the dirty keys. */
static void
forget(struct asic_reader *reader)
{
    while (reader->first) {
        struct dirty *dirty = reader->first;

        reader->first = dirty->next;
        free(dirty);
    }
    reader->last = &reader->first;
    hash_index_fini(&reader->keys);
}

void
asic_reader_destroy(struct asic_reader *reader)
{
    if (reader) {
        forget(reader);
        free(reader);
    }
}

/* Passes a hash to the rows. */
static void
take(struct asic_reader *reader, const char *key, const struct field *fields,
     size_t n)
{
    sai_object_type_t type;
    sai_object_id_t oid;

    if (!strncmp(key, ROW_PREFIX, strlen(ROW_PREFIX))) {
        if (!serialize_parse_key(key + strlen(ROW_PREFIX), &type, &oid)) {
            asic_rows_put(reader->rows, type, oid, fields, n);
        }
        return;
    }
    if (!strncmp(key, LIMITS_PREFIX, strlen(LIMITS_PREFIX))) {
        asic_rows_put_limits(reader->rows, key + strlen(LIMITS_PREFIX), fields,
                             n);
        return;
    }
    for (int i = 0; i < N_ASIC_MAPS; i++) {
        if (!strcmp(maps[i].key, key)) {
            asic_rows_put_map(reader->rows, (enum asic_map)i, fields, n);
        }
    }
}

/* Implements redis_fetch_fn. */
static void
on_fetched(void *reader, const char *key, const struct field *fields, size_t n)
{
    take(reader, key, fields, n);
}

/* Implements redis_found_fn, for each database. */
static void
on_found_asic(void *reader_, const char *key)
{
    struct asic_reader *reader = reader_;

    redis_fetch(reader->redis, ASIC_DB, key, on_fetched, reader);
}

static void
on_found_state(void *reader_, const char *key)
{
    struct asic_reader *reader = reader_;

    redis_fetch(reader->redis, STATE_DB, key, on_fetched, reader);
}

/* The answer to the last request of a reading: all others came before. */
static void
on_last(void *reader_, const char *key, const struct field *fields, size_t n)
{
    struct asic_reader *reader = reader_;

    take(reader, key, fields, n);
    if (reader->n_open == 0) {
        asic_rows_sweep(reader->rows, reader->epoch);
        reader->complete = true;
    }
}

/* One walk has found all its keys; the answers for these come next. */
static void
on_walked(void *reader_, enum st status)
{
    struct asic_reader *reader = reader_;

    (void)status;
    if (reader->n_open > 0 && --reader->n_open == 0) {
        redis_fetch(reader->redis, ASIC_DB, maps[ASIC_MAP_LANES].key, on_last,
                    reader);
    }
}

void
asic_reader_restart(struct asic_reader *reader)
{
    forget(reader);
    reader->epoch = asic_rows_epoch(reader->rows);
    reader->n_open = 0;
    for (const struct redis_keys *p = asic_reader_keys; p->pattern; p++) {
        reader->n_open += strchr(p->pattern, '*') != NULL;
    }
    for (int i = 0; i < N_ASIC_MAPS; i++) {
        redis_fetch(reader->redis, maps[i].database, maps[i].key, on_fetched,
                    reader);
    }
    for (const struct redis_keys *p = asic_reader_keys; p->pattern; p++) {
        if (strchr(p->pattern, '*')) {
            redis_find(reader->redis, p->database, p->pattern,
                       p->database == ASIC_DB ? on_found_asic : on_found_state,
                       on_walked, reader);
        }
    }
}

/* A hash_index_equal_fn. */
static bool
is_dirty(const void *dirty_, const void *key)
{
    const struct dirty *dirty = dirty_;

    return !strcmp(dirty->key, key);
}

void
asic_reader_key(struct asic_reader *reader, enum database database,
                const char *key)
{
    const uint32_t hash = hash_index_text(key);
    const size_t length = strlen(key) + 1;
    struct dirty *dirty;

    if (hash_index_find(&reader->keys, hash, is_dirty, key)) {
        return;
    }
    dirty = check_calloc(1, sizeof *dirty + length);
    dirty->database = database;
    memcpy(dirty->key, key, length);
    *reader->last = dirty;
    reader->last = &dirty->next;
    hash_index_add(&reader->keys, hash, dirty);
}

void
asic_reader_turn(struct asic_reader *reader)
{
    for (const struct dirty *dirty = reader->first; dirty;
         dirty = dirty->next) {
        if (!strcmp(dirty->key, maps[ASIC_MAP_LANES].key)) {
            redis_fetch(reader->redis, ASIC_DB, maps[ASIC_MAP_RIDS].key,
                        on_fetched, reader);
        }
        redis_fetch(reader->redis, dirty->database, dirty->key, on_fetched,
                    reader);
    }
    forget(reader);
}

bool
asic_reader_complete(const struct asic_reader *reader)
{
    return reader->complete;
}
