/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REDIS_H
#define ORCHD_DB_REDIS_H

/* Redis: CONFIG_DB in, everything else out.
 *
 * Reading.  A notification only says that a row is dirty; the row is then read
 * as it is, and duplicates that came in the same turn are one reading.  After
 * each connection, and every 'audit_ns', CONFIG_DB is read completely, because
 * notifications may be lost.  Order on each connection: make sure that Redis
 * sends notifications, subscribe, then read; so nothing falls in between.  If
 * Redis refuses to send notifications, the log says what to do, and CONFIG_DB
 * is read completely every REDIS_POLL_NS instead.
 *
 * Writing.  Fire and forget: commands are collected in one pipeline per turn,
 * errors are counted and logged.  While Redis is away the output is dropped;
 * after each connection, and at the audit after a refusal, the handler 'resync'
 * is asked to write everything again.  So the mirrors are right whenever Redis
 * is there, and orchd never waits for it.
 *
 * Two connections, because a subscriber may not issue commands.  hiredis has
 * no timeouts; ours come from the timeline: for connecting, for a command that
 * is not answered, and for a subscription that has gone deaf.  After a loss
 * the next attempt follows at once, then ever later, at most every
 * REDIS_BACKOFF_MAX_NS. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/db/redis_types.h"

struct log;
struct loop;
struct redis;

/* Starts to connect to Redis.  'loop' and 'log' are borrowed and must outlive
 * it; 'options' and 'handlers' are copied. */
struct redis *redis_create(struct loop *loop, struct log *log,
                           const struct redis_options *options,
                           const struct redis_handlers *handlers,
                           void *context);

/* Closes the connections after handing what was written to the kernel, without
 * calling handlers; callbacks of redis_barrier() and redis_write_rows() that
 * are pending are told ST_IO.  Accepts NULL. */
void redis_destroy(struct redis *redis);

/* Returns whether other programs push the buffer tables into APPL_DB, so that
 * they are not to be written there. */
bool redis_buffers_pushed(const struct redis *redis);

/* To be called once per turn: reads the rows that have become dirty. */
void redis_turn(struct redis *redis);

/* To be called when all is said in a turn: sends what was published in it.
 * What is published is otherwise sent only when it is much, when it would come
 * too late for something that is asked, and by redis_destroy(). */
void redis_flush(struct redis *redis);

/* Returns whether Redis has answered every command so far, so that whoever asks
 * it now finds what was published.  True also while Redis is away. */
bool redis_idle(const struct redis *redis);

/* How things are, for people and for the control socket. */
struct redis_status {
    bool up;              /* Connected, and CONFIG_DB read completely once. */
    bool notified;        /* Redis sends notifications. */
    const char *endpoint; /* "unix:/run/redis.sock". */
    const char *reason;   /* Why not up or not notified; "" otherwise. */
    uint64_t n_connects, n_readings, n_rows_read;
    uint64_t n_writes, n_dropped, n_errors; /* Commands. */
};
void redis_status(const struct redis *redis, struct redis_status *status);

/* Writers.  'key' is the complete key ("ORCHD_STATUS|PORT|Ethernet0"). */

/* Sets fields of a hash, leaving others alone. */
void redis_hset(struct redis *redis, enum database database, const char *key,
                const struct field *fields, size_t n);

/* Makes a hash consist of just these fields, in one atomic step. */
void redis_replace(struct redis *redis, enum database database, const char *key,
                   const struct field *fields, size_t n);

/* Removes one field of a hash; a key. */
void redis_hdel(struct redis *redis, enum database database, const char *key,
                const char *field);
void redis_del(struct redis *redis, enum database database, const char *key);

/* Puts 'n' values at the head of a list, the last one first, and cuts it to
 * 'limit' entries. */
void redis_push(struct redis *redis, enum database database, const char *key,
                const char *const *values, size_t n, size_t limit);

/* Publishes a message on a channel. */
void redis_publish(struct redis *redis, const char *channel,
                   const char *message);

/* Make what is written to 'database' in between one atomic step.  Do not nest,
 * and write to no other database meanwhile. */
void redis_begin(struct redis *redis, enum database database);
void redis_commit(struct redis *redis);

/* Removes the keys that match 'pattern' (as KEYS does) and that 'keep', asked
 * for each just before, does not want.  For what an earlier run left behind.
 * 'done' is told when there are no more; it is not when the output is being
 * dropped, for then the handler 'resync' is called again later anyway. */
typedef bool redis_keep_fn(void *context, const char *key);
void redis_sweep(struct redis *redis, enum database database,
                 const char *pattern, redis_keep_fn *keep,
                 void (*done)(void *context), void *context);

/* Reads a hash and tells its fields, none if it is not there; not if Redis is
 * or goes away.  For what an earlier run left, and for what tests set. */
typedef void redis_fetch_fn(void *context, const char *key,
                            const struct field *fields, size_t n);
void redis_fetch(struct redis *redis, enum database database, const char *key,
                 redis_fetch_fn *told, void *context);

/* Tells each key of 'database' that matches 'pattern' (as KEYS does), possibly
 * twice, and then 'done': ST_OK, or ST_INVALID if Redis refused.  What is
 * fetched from 'found' is told before what is fetched from 'done'.  Neither is
 * called if Redis is or goes away. */
typedef void redis_found_fn(void *context, const char *key);
void redis_find(struct redis *redis, enum database database,
                const char *pattern, redis_found_fn *found,
                void (*done)(void *context, enum st status), void *context);

/* Calls 'done' once everything that anybody wrote to CONFIG_DB before this
 * call was seen and handed to the handler 'row'. */
void redis_barrier(struct redis *redis, redis_done_fn *done, void *context);

/* Writes rows into CONFIG_DB in one atomic step; 'mode' says what becomes of
 * what is there (keys that are not rows, such as CONFIG_DB_INITIALIZED, stay).
 * 'rows' is copied. */
void redis_write_rows(struct redis *redis, const struct field_row *rows,
                      size_t n, enum redis_write mode, redis_done_fn *done,
                      void *context);

#endif /* orchd/db/redis.h */
