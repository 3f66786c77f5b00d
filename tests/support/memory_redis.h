/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_MEMORY_REDIS_H
#define ORCHD_TESTS_SUPPORT_MEMORY_REDIS_H

/* A Redis in memory, for tests of modules that use orchd/db/redis.h: a second
 * implementation of those of its functions that they call.
 *
 * Nothing happens by itself.  What the tested modules send waits until the test
 * lets it be executed; the answers, and the notifications of changed keys, wait
 * until the test lets them arrive.  Each of the three queues keeps its order,
 * as connections do, and the test chooses how far each gets, so every
 * interleaving that a real server can produce is possible.  Transactions are
 * executed as a whole.  A walk over keys takes several requests. */

#include <stdbool.h>
#include <stddef.h>

#include "orchd/db/redis_types.h"

struct field;
struct redis;

/* Whom a Redis informs. */
struct memory_redis_listener {
    /* A key of 'watched' was written or removed. */
    void (*key)(void *context, enum database database, const char *key);

    /* Connected, or a database was flushed. */
    void (*resync)(void *context);
    void *context;
};

/* Returns an empty Redis that is not connected; 'watched' is borrowed,
 * 'listener' is copied. */
struct redis *memory_redis_create(const struct redis_keys *watched,
                                  const struct memory_redis_listener *listener);
void memory_redis_destroy(struct redis *redis);

/* The connection of the tested modules.  A break drops what was not executed
 * and what has not arrived; the callbacks that redis.h promises are called. */
void memory_redis_connect(struct redis *redis);
void memory_redis_break(struct redis *redis);
bool memory_redis_is_connected(const struct redis *redis);

/* Execute the next request; let the next answer or notification arrive.  Return
 * false if there is none. */
bool memory_redis_execute(struct redis *redis);
bool memory_redis_answer(struct redis *redis);
bool memory_redis_notify(struct redis *redis);

/* Another client, whose commands are executed at once. */
void memory_redis_put(struct redis *redis, enum database database,
                      const char *key, const char *field, const char *value);
void memory_redis_unset(struct redis *redis, enum database database,
                        const char *key, const char *field);
void memory_redis_remove(struct redis *redis, enum database database,
                         const char *key);
void memory_redis_flush(struct redis *redis, enum database database);

/* Returns the value of a field, or NULL.  Borrowed until the next change. */
const char *memory_redis_get(const struct redis *redis, enum database database,
                             const char *key, const char *field);

/* Returns the fields (or the members of a set, as names) of a key, and their
 * number; NULL if there is none.  Borrowed until the next change. */
const struct field *memory_redis_fields(const struct redis *redis,
                                        enum database database, const char *key,
                                        size_t *n);

/* Calls 'visit' for each key that begins with 'prefix', in the order in which
 * they were created; it must not change anything. */
void memory_redis_each(const struct redis *redis, enum database database,
                       const char *prefix,
                       void (*visit)(void *context, const char *key),
                       void *context);

#endif /* tests/support/memory_redis.h */
