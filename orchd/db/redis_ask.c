/* SPDX-License-Identifier: Apache-2.0 */

/* Requests other than reading CONFIG_DB: keys by pattern, single keys, and
 * whether all output has arrived. */

#include <config.h>

#include "orchd/db/redis_state.h"

#include <hiredis/hiredis.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "orchd/db/barrier.h"
#include "orchd/db/rows.h"
#include "orchd/db/scan.h"

/* One redis_sweep(). */
struct sweep {
    struct redis *redis;
    enum database database;
    redis_keep_fn *keep;
    void (*done)(void *context);
    void *context;
};

/* A key of a previous run, unless it is in use again. */
static void
on_sweep_key(void *sweep_, const char *key)
{
    const struct sweep *sweep = sweep_;

    if (!sweep->keep(sweep->context, key)) {
        redis_del(sweep->redis, sweep->database, key);
    }
}

static void
on_sweep_end(void *sweep_, enum st status, const char *error)
{
    struct sweep *sweep = sweep_;

    (void)error; /* The next connection sweeps again. */
    if (!status) {
        sweep->done(sweep->context);
    }
    free(sweep);
}

void
redis_sweep(struct redis *redis, enum database database, const char *pattern,
            redis_keep_fn *keep, void (*done)(void *context), void *context)
{
    struct sweep *sweep;

    if (!redis_may_write__(redis)) {
        return;
    }
    redis_flush(redis); /* What is being written is to be found. */
    sweep = check_malloc(sizeof *sweep);
    *sweep = (struct sweep){redis, database, keep, done, context};
    scan_keys(redis->commands, redis_number__(redis, database), pattern,
              on_sweep_key, on_sweep_end, sweep);
}

/* One redis_find(). */
struct find {
    redis_found_fn *found;
    void (*done)(void *context, enum st status);
    void *context;
    bool always; /* Calls 'done' also if the connection is lost. */
};

static void
on_found(void *find_, const char *key)
{
    const struct find *find = find_;

    find->found(find->context, key);
}

static void
on_find_end(void *find_, enum st status, const char *error)
{
    struct find *find = find_;

    (void)error; /* Callers have a fallback. */
    if (status != ST_IO || find->always) {
        find->done(find->context, status);
    }
    free(find);
}

void
redis_find(struct redis *redis, enum database database, const char *pattern,
           redis_found_fn *found, void (*done)(void *context, enum st status),
           void *context)
{
    struct find *find;

    if (!redis_may_write__(redis)) {
        return;
    }
    redis_flush(redis); /* What is being written is to be found. */
    find = check_malloc(sizeof *find);
    *find = (struct find){found, done, context, false};
    scan_keys(redis->commands, redis_number__(redis, database), pattern,
              on_found, on_find_end, find);
}

void
redis_list(struct redis *redis, enum database database, const char *pattern,
           redis_found_fn *found, void (*done)(void *context, enum st status),
           void *context)
{
    struct find *find;

    if (redis->phase < PHASE_READING) {
        done(context, ST_IO);
        return;
    }
    redis_flush(redis); /* What is being written is to be found. */
    find = check_malloc(sizeof *find);
    *find = (struct find){found, done, context, true};
    scan_keys(redis->commands, redis_number__(redis, database), pattern,
              on_found, on_find_end, find);
}

/* One redis_fetch(), redis_members() or redis_sweep_hash(). */
struct fetch {
    redis_fetch_fn *fetched;
    redis_members_fn *members;
    redis_keep_field_fn *keep;
    struct redis *redis; /* With 'keep': where fields are removed. */
    enum database database;
    void *context;
    char key[];
};

static void
on_fetched(void *fetch_, redisReply *reply)
{
    struct fetch *fetch = fetch_;
    size_t n = reply && link_is_hash(reply) ? reply->elements / 2 : 0;
    struct field *fields = check_calloc(n + 1, sizeof *fields);

    for (size_t i = 0; i < n; i++) {
        fields[i].name = reply->element[2 * i]->str;
        fields[i].value = reply->element[2 * i + 1]->str;
    }
    if (reply) {
        fetch->fetched(fetch->context, fetch->key, fields, n);
    }
    free(fields);
    free(fetch);
}

/* The fields of a hash that is swept. */
static void
on_sweep_fields(void *fetch_, redisReply *reply)
{
    struct fetch *fetch = fetch_;
    const size_t n = reply && link_is_hash(reply) ? reply->elements / 2 : 0;

    for (size_t i = 0; i < n; i++) {
        const struct field field = {reply->element[2 * i]->str,
                                    reply->element[2 * i + 1]->str};

        if (!fetch->keep(fetch->context, fetch->key, &field)) {
            redis_hdel(fetch->redis, fetch->database, fetch->key, field.name);
        }
    }
    free(fetch);
}

/* The members of a set. */
static void
on_members(void *fetch_, redisReply *reply)
{
    struct fetch *fetch = fetch_;
    const size_t n_elements =
        reply && reply->type == REDIS_REPLY_ARRAY ? reply->elements : 0;
    const char **members = check_calloc(n_elements + 1, sizeof *members);
    size_t n = 0;

    for (size_t i = 0; i < n_elements; i++) {
        if (reply->element[i]->type == REDIS_REPLY_STRING) {
            members[n++] = reply->element[i]->str;
        }
    }
    if (reply) {
        fetch->members(fetch->context, fetch->key, members, n);
    }
    free(members);
    free(fetch);
}

/* Sends the command that reads 'key'; 'reply' handles its answer. */
static void
read_key(struct redis *redis, enum database database, const char *command,
         const char *key, link_reply_fn *reply, const struct fetch *callback)
{
    struct fetch *fetch;

    if (!redis_may_write__(redis)) {
        return;
    }
    redis_flush(redis); /* What is being written is to be found. */
    fetch = check_malloc(sizeof *fetch + strlen(key) + 1);
    *fetch = *callback;
    strcpy(fetch->key, key);
    link_command(redis->commands, redis_number__(redis, database), reply, fetch,
                 command, key, NULL);
}

void
redis_fetch(struct redis *redis, enum database database, const char *key,
            redis_fetch_fn *fetched, void *context)
{
    const struct fetch callback = {.fetched = fetched, .context = context};

    read_key(redis, database, "HGETALL", key, on_fetched, &callback);
}

void
redis_sweep_hash(struct redis *redis, enum database database, const char *key,
                 redis_keep_field_fn *keep, void *context)
{
    const struct fetch callback = {
        .keep = keep, .redis = redis, .database = database, .context = context};

    read_key(redis, database, "HGETALL", key, on_sweep_fields, &callback);
}

void
redis_members(struct redis *redis, enum database database, const char *key,
              redis_members_fn *members, void *context)
{
    const struct fetch callback = {.members = members, .context = context};

    read_key(redis, database, "SMEMBERS", key, on_members, &callback);
}

void
redis_barrier(struct redis *redis, redis_done_fn *done, void *context)
{
    redis_flush(redis); /* Callers then expect all earlier output in Redis. */
    if (redis->phase >= PHASE_READING && redis->notified) {
        redis_check_notifications__(redis);
    }
    barriers_add(redis->barriers, done, context);
}

void
redis_write_rows(struct redis *redis, const struct field_row *rows, size_t n,
                 enum redis_write mode, redis_done_fn *done, void *context)
{
    struct err err;

    if (redis->phase < PHASE_READING) {
        err_set(&err, ST_IO, "redis-lost", "Redis is not connected: %s",
                redis->reason);
        done(context, ST_IO, &err);
        return;
    }
    rows_write(redis->commands, redis_number__(redis, CONFIG_DB),
               redis->options.dbconfig.databases[CONFIG_DB].separator, rows, n,
               mode, redis->options.is_private, done, context);
}
