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
#include "orchd/orchagent/asic_states.h"
#include "orchd/orchagent/key_reading.h"
#include "sai/core/serialize.h"

#define ROW_PREFIX "ASIC_STATE:"

const struct redis_keys asic_reader_keys[] = {
#define X(database, pattern) {database, pattern},
    ASIC_READER_WATCHED(X)
#undef X
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

    struct key_reading *reading; /* Of everything. */
    uint64_t moment;             /* Of the rows when it began. */
    bool complete;               /* It has ended, once. */
};

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
    if (strchr(key, '|') || strstr(key, "_TABLE:")) {
        asic_rows_put_state(reader->rows, key, fields, n);
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

static void
on_began(void *reader_)
{
    struct asic_reader *reader = reader_;

    reader->moment = asic_rows_moment(reader->rows);
}

/* A reading has ended: what it has not found is gone. */
static void
on_ended(void *reader_)
{
    struct asic_reader *reader = reader_;

    asic_rows_sweep(reader->rows, reader->moment);
    reader->complete = true;
}

static const struct key_reading_ops reading_ops = {
    .began = on_began, .fetched = on_fetched, .ended = on_ended};

struct asic_reader *
asic_reader_create(struct redis *redis, struct asic_rows *rows)
{
    struct asic_reader *reader = check_calloc(1, sizeof *reader);

    reader->redis = redis;
    reader->rows = rows;
    reader->last = &reader->first;
    reader->reading =
        key_reading_create(redis, asic_reader_keys, &reading_ops, reader);
    return reader;
}

void
asic_reader_destroy(struct asic_reader *reader)
{
    if (reader) {
        forget(reader);
        key_reading_destroy(reader->reading);
        free(reader);
    }
}

void
asic_reader_restart(struct asic_reader *reader)
{
    forget(reader);
    key_reading_start(reader->reading);
    redis_fetch(reader->redis, ASIC_DB, maps[ASIC_MAP_RIDS].key, on_fetched,
                reader);
}

void
asic_reader_refresh(struct asic_reader *reader)
{
    if (!key_reading_in_progress(reader->reading)) {
        asic_reader_restart(reader);
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
