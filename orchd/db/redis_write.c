/* SPDX-License-Identifier: Apache-2.0 */

/* Output: it waits in the outbox until the end of the turn, or until there is
 * much of it, and is dropped while Redis is not connected: the publishers write
 * it again after the next connect. */

#include <config.h>

#include "orchd/db/redis_state.h"

#include <stdarg.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "orchd/db/outbox.h"

bool
redis_may_write__(struct redis *redis)
{
    if (redis->phase < PHASE_READING) {
        redis->n_dropped++;
        return false;
    }
    redis->n_writes++;
    return true;
}

/* Returns whether 'pattern', which may end in "*", matches 'key'. */
static bool
pattern_matches(const char *pattern, const char *key)
{
    const size_t length = strlen(pattern);

    return length && pattern[length - 1] == '*'
               ? !strncmp(pattern, key, length - 1)
               : !strcmp(pattern, key);
}

bool
redis_owns(const struct redis *redis, enum database database, const char *key)
{
    const struct redis_keys *owned = redis->options.owned;

    while (owned && owned->pattern &&
           !(owned->database == database &&
             pattern_matches(owned->pattern, key))) {
        owned++;
    }
    return !owned || owned->pattern;
}

/* Returns whether 'key' may be written, and Redis is connected. */
static bool
may_write(struct redis *redis, enum database database, const char *key)
{
    return redis_owns(redis, database, key) && redis_may_write__(redis);
}

/* Adds the command in the scratch arguments to the outbox. */
static void
post(struct redis *redis, enum database database)
{
    outbox_add(redis->outbox, database, &redis->args);
    if (outbox_full(redis->outbox) && !redis->in_transaction) {
        redis_flush(redis);
    }
}

/* Does the same for a command given as strings, ended by NULL. */
static void __attribute__((sentinel))
post_command(struct redis *redis, enum database database, ...)
{
    const char *string;
    va_list list;

    link_args_clear(&redis->args);
    va_start(list, database);
    while ((string = va_arg(list, const char *)) != NULL) {
        link_arg(&redis->args, string);
    }
    va_end(list);
    post(redis, database);
}

void
redis_hset(struct redis *redis, enum database database, const char *key,
           const struct field *fields, size_t n)
{
    struct link_args *args = &redis->args;

    if (!n || !may_write(redis, database, key)) {
        return;
    }
    link_args_clear(args);
    link_arg(args, "HSET");
    link_arg(args, key);
    for (size_t i = 0; i < n; i++) {
        link_arg(args, fields[i].name);
        link_arg(args, fields[i].value);
    }
    post(redis, database);
}

void
redis_replace(struct redis *redis, enum database database, const char *key,
              const struct field *fields, size_t n)
{
    bool alone = !redis->in_transaction;

    if (alone) {
        redis_begin(redis, database);
    }
    redis_del(redis, database, key);
    redis_hset(redis, database, key, fields, n);
    if (alone) {
        redis_commit(redis);
    }
}

void
redis_hdel(struct redis *redis, enum database database, const char *key,
           const char *field)
{
    if (may_write(redis, database, key)) {
        post_command(redis, database, "HDEL", key, field, NULL);
    }
}

void
redis_del(struct redis *redis, enum database database, const char *key)
{
    if (may_write(redis, database, key)) {
        post_command(redis, database, "DEL", key, NULL);
    }
}

void
redis_push(struct redis *redis, enum database database, const char *key,
           const char *const *values, size_t n, size_t limit)
{
    struct link_args *args = &redis->args;
    char last[32];

    if (!n || !may_write(redis, database, key)) {
        return;
    }
    link_args_clear(args);
    link_arg(args, "LPUSH");
    link_arg(args, key);
    for (size_t i = 0; i < n; i++) {
        link_arg(args, values[i]);
    }
    post(redis, database);
    text_format(last, sizeof last, "%zu", limit - 1);
    post_command(redis, database, "LTRIM", key, "0", last, NULL);
}

void
redis_sadd(struct redis *redis, enum database database, const char *key,
           const char *member)
{
    if (may_write(redis, database, key)) {
        post_command(redis, database, "SADD", key, member, NULL);
    }
}

void
redis_wake(struct redis *redis, enum database database, const char *name)
{
    char channel[96];

    text_format(channel, sizeof channel, "%s_CHANNEL@%d", name,
                redis_number__(redis, database));
    if (may_write(redis, database, channel)) {
        post_command(redis, database, "PUBLISH", channel, "G", NULL);
    }
}

void
redis_produce(struct redis *redis, enum database database, const char *table,
              const char *key, const struct field *fields, size_t n)
{
    struct text value = {0};
    char queue[96];

    text_format(queue, sizeof queue, "%s_KEY_VALUE_OP_QUEUE", table);
    if (!may_write(redis, database, queue)) {
        return;
    }
    for (size_t i = 0; i < n; i++) {
        text_add_char(&value, i ? ',' : '[');
        text_add_json(&value, fields[i].name);
        text_add_char(&value, ',');
        text_add_json(&value, fields[i].value);
    }
    text_add(&value, n ? "]" : "{}");
    redis_begin(redis, database);
    post_command(redis, database, "LPUSH", queue, key, text_string(&value),
                 n ? "SSET" : "DDEL", NULL);
    redis_wake(redis, database, table);
    redis_commit(redis);
    text_fini(&value);
}

void
redis_publish(struct redis *redis, const char *channel, const char *message)
{
    if (!redis->options.owned && redis_may_write__(redis)) {
        post_command(redis, (enum database)OUTBOX_MESSAGES, "PUBLISH", channel,
                     message, NULL);
    }
}

void
redis_begin(struct redis *redis, enum database database)
{
    orch_assert(!redis->in_transaction);
    redis->in_transaction = true;
    redis->transaction = database;
    if (redis->phase >= PHASE_READING) {
        post_command(redis, database, "MULTI", NULL);
    }
}

void
redis_commit(struct redis *redis)
{
    orch_assert(redis->in_transaction);
    redis->in_transaction = false;
    if (redis->phase >= PHASE_READING) {
        post_command(redis, redis->transaction, "EXEC", NULL);
    }
}
