/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REDIS_H
#define ORCHD_DB_REDIS_H

/* The client of Redis: reads CONFIG_DB, writes everything else.
 *
 * Lock.  Only one orchd works on a Redis; before it reads or writes, it takes
 * the lock (owner.h).
 *
 * Reading.  A notification only says that a row is dirty; orchd then reads the
 * current row, once per turn even after several notifications.  After each
 * connect, and every 'audit_ns', it reads CONFIG_DB completely, because
 * notifications may be lost.  The order on each connection is: enable
 * notifications, subscribe, then read; so no change is missed in between.  If
 * Redis refuses to send notifications, the log says what to do, and orchd reads
 * CONFIG_DB completely every REDIS_POLL_NS instead.
 *
 * Writing.  Fire and forget: commands are collected in one pipeline per turn,
 * and errors are counted and logged.  While Redis is not connected the output
 * is dropped.  After each connect, and after a refusal (as soon as Redis
 * accepts writes again if it refuses all of them for a while, refusals.h; else
 * at the audit), 'resync' of the listener writes everything again.  So the
 * mirrors are correct whenever Redis is connected, and orchd never waits for
 * it.
 *
 * Two connections, because a subscriber may not issue commands.  hiredis has no
 * timeouts; ours come from the timeline: for connecting, for an unanswered
 * command, and for a subscription that no longer delivers.  After a loss orchd
 * reconnects at once, then with growing intervals up to
 * REDIS_BACKOFF_MAX_NS. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/db/redis_types.h"

struct log;
struct loop;
struct redis;

/* Starts to connect to Redis.  'loop' and 'log' are borrowed and must outlive
 * it; 'options' and 'listener' are copied. */
struct redis *redis_create(struct loop *loop, struct log *log,
                           const struct redis_options *options,
                           const struct redis_listener *listener,
                           void *context);

/* Closes the connections after handing the output to the kernel, without
 * calling the listener.  Pending callbacks of redis_barrier() and
 * redis_write_rows() are called with ST_IO.  Accepts NULL. */
void redis_destroy(struct redis *redis);

/* Returns whether other programs push the buffer tables into APPL_DB; then
 * orchd must not write them there. */
bool redis_buffers_pushed(const struct redis *redis);

/* Requests the dirty rows.  Must be called once per turn. */
void redis_turn(struct redis *redis);

/* Sends the output of a turn.  Must be called at its end. Otherwise output is
 * sent only when there is much of it, before a request that depends on it, and
 * by redis_destroy(). */
void redis_flush(struct redis *redis);

/* Does the same, and hands the output to the kernel at once, instead of in the
 * next turn of the loop: for what a turn has long before its end. */
void redis_send(struct redis *redis);

/* Returns whether Redis has answered every command so far, so that other
 * clients see everything that was published.  True also while not connected. */
bool redis_idle(const struct redis *redis);

/* Changes how often CONFIG_DB is read completely, from now on. */
void redis_set_audit(struct redis *redis, int64_t audit_ns);

/* The state of the connection, for status output. */
struct redis_status {
    bool up;              /* Connected, and CONFIG_DB was read completely
                           * once. */
    bool notified;        /* Redis sends notifications. */
    bool is_private;      /* orchd started it (spawn.h). */
    const char *endpoint; /* "unix:/run/redis.sock". */
    const char *reason;   /* Why it is not up or not notified; "" otherwise. */
    uint64_t n_connects, n_readings, n_rows_read;
    uint64_t n_writes, n_dropped, n_errors; /* Commands. */
};
void redis_status(const struct redis *redis, struct redis_status *status);

/* Calls 'resync' of the listener: other clients have removed output. */
void redis_republish(struct redis *redis);

/* Writers.  'key' is the complete key ("ORCHD_STATUS|PORT|Ethernet0"). */

/* Sets fields of a hash, leaving others alone. */
void redis_hset(struct redis *redis, enum database database, const char *key,
                const struct field *fields, size_t n);

/* Replaces a hash by these fields, in one atomic step. */
void redis_replace(struct redis *redis, enum database database, const char *key,
                   const struct field *fields, size_t n);

/* Remove one field of a hash; remove a key. */
void redis_hdel(struct redis *redis, enum database database, const char *key,
                const char *field);
void redis_del(struct redis *redis, enum database database, const char *key);

/* Pushes 'n' values to the head of a list, so that the last one is first, and
 * trims the list to 'limit' entries. */
void redis_push(struct redis *redis, enum database database, const char *key,
                const char *const *values, size_t n, size_t limit);

/* Adds a member to a set. */
void redis_sadd(struct redis *redis, enum database database, const char *key,
                const char *member);

/* Publishes a message on the channel "NAME_CHANNEL@N" of 'database' with the
 * number N, in order with the other writes to that database: wakes the consumer
 * of a table there. */
void redis_wake(struct redis *redis, enum database database, const char *name);

/* Adds a request to the queue "TABLE_KEY_VALUE_OP_QUEUE", and wakes its
 * consumer, which will set these fields of the row "TABLE:key", leaving others
 * alone; no fields: it will remove the row.  Requests of others in the queue
 * stay. */
void redis_produce(struct redis *redis, enum database database,
                   const char *table, const char *key,
                   const struct field *fields, size_t n);

/* Returns whether writers may write 'key' (redis_options.owned). */
bool redis_owns(const struct redis *redis, enum database database,
                const char *key);

/* Publishes a message on a channel. */
void redis_publish(struct redis *redis, const char *channel,
                   const char *message);

/* Make the writes to 'database' between these calls one atomic step.  Must not
 * be nested; do not write to another database in between. */
void redis_begin(struct redis *redis, enum database database);
void redis_commit(struct redis *redis);

/* Removes the keys that match 'pattern' (as for KEYS), except those for which
 * 'keep', called just before, returns true.  Removes stale keys of a previous
 * run. Calls 'done' at the end, unless output is being dropped: then 'resync'
 * will be called again anyway. */
typedef bool redis_keep_fn(void *context, const char *key);
void redis_sweep(struct redis *redis, enum database database,
                 const char *pattern, redis_keep_fn *keep,
                 void (*done)(void *context), void *context);

/* Removes the fields of the hash 'key' except those for which 'keep', called
 * when they have been read, returns true. */
typedef bool redis_keep_field_fn(void *context, const char *key,
                                 const struct field *field);
void redis_sweep_hash(struct redis *redis, enum database database,
                      const char *key, redis_keep_field_fn *keep,
                      void *context);

/* Reads a hash and passes its fields to the callback, none if it does not
 * exist. The callback is not called if the connection is or gets lost.  Used
 * for data of a previous run, and for data that tests set. */
typedef void redis_fetch_fn(void *context, const char *key,
                            const struct field *fields, size_t n);
void redis_fetch(struct redis *redis, enum database database, const char *key,
                 redis_fetch_fn *fetched, void *context);

/* Calls 'found' for each key of 'database' that matches 'pattern' (as for
 * KEYS), possibly twice, then 'done' with ST_OK, or ST_INVALID if Redis
 * refused.  Answers to redis_fetch() from 'found' come before those from
 * 'done'.  Neither is called if the connection is or gets lost. */
typedef void redis_found_fn(void *context, const char *key);
void redis_find(struct redis *redis, enum database database,
                const char *pattern, redis_found_fn *found,
                void (*done)(void *context, enum st status), void *context);

/* Does the same, for each key if 'pattern' is NULL, but always calls 'done':
 * with ST_IO if the connection is or gets lost, possibly before this function
 * returns. */
void redis_list(struct redis *redis, enum database database,
                const char *pattern, redis_found_fn *found,
                void (*done)(void *context, enum st status), void *context);

/* Reads a set and passes its members to the callback, in no order, none if it
 * does not exist.  In the same way as redis_fetch(). */
typedef void redis_members_fn(void *context, const char *key,
                              const char *const *members, size_t n);
void redis_members(struct redis *redis, enum database database, const char *key,
                   redis_members_fn *members, void *context);

/* Calls 'done' when everything that any client wrote to CONFIG_DB before this
 * call was read and passed to 'row' of the listener. */
void redis_barrier(struct redis *redis, redis_done_fn *done, void *context);

/* Writes rows into CONFIG_DB in one atomic step; 'mode' says what happens to
 * existing rows (keys that are not rows, such as CONFIG_DB_INITIALIZED, stay).
 * In a private Redis the step also sets CONFIG_DB_INITIALIZED to 1, as SONiC
 * does after it has loaded its configuration.  'rows' is copied. */
void redis_write_rows(struct redis *redis, const struct field_row *rows,
                      size_t n, enum redis_write mode, redis_done_fn *done,
                      void *context);

#endif /* orchd/db/redis.h */
