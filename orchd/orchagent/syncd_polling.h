/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHAGENT_SYNCD_POLLING_H
#define ORCHD_ORCHAGENT_SYNCD_POLLING_H

/* Lets syncd poll for orchd what nobody else lets it poll (syncd_plan.h), and
 * says whether it does.
 *
 * Problem: COUNTERS_DB does not say when a value was read, and values stay when
 * the polling has ended.  What a queue holds is worth nothing if it is old.
 *
 * Idea: Redis announces each write.  syncd writes the rows of buffer pools, of
 * which a switch has a few, at each interval, so those are listened to: the
 * beat.  A value is recent if its counter is polled, and the beat is not older
 * than SYNCD_POLLING_BEATS intervals and SYNCD_POLLING_GRACE_NS.  On a switch
 * that does not count what its pools hold, nothing is recent.
 *
 * Requests go through the queues of syncd, which writes the rows when it takes
 * them.  They are made again if rows disappear (a restart of syncd, a flush of
 * the database), and when the beat comes back after it had stopped.  While it
 * has stopped, only those for pools are made again, now and then, so that the
 * queue of a syncd that does not run stays short.
 *
 * Reads no clock; times are nanoseconds of the timeline. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "orchd/db/redis_types.h"

struct asic_rows;
struct redis;
struct syncd_polling;
struct timeline;

#define SYNCD_POLLING_BEATS     3
#define SYNCD_POLLING_GRACE_NS  (INT64_C(1) * 1000 * 1000 * 1000)
#define SYNCD_POLLING_REPEAT_NS (INT64_C(60) * 1000 * 1000 * 1000)

/* The keys to listen to, for redis_options.watched: X(database, pattern). */
#define SYNCD_POLLING_WATCHED(X)                                               \
    X(FLEX_COUNTER_DB, "FLEX_COUNTER_GROUP_TABLE:*")                           \
    X(FLEX_COUNTER_DB, "FLEX_COUNTER_TABLE:*")                                 \
    X(COUNTERS_DB, "COUNTERS:oid:0x18*")

/* The keys that are written, for redis_options.owned: the queues and channels
 * of syncd, to which requests about groups of orchd are added. */
#define SYNCD_POLLING_OWNED(X)                                                 \
    X(FLEX_COUNTER_DB, "FLEX_COUNTER_GROUP_TABLE_KEY_VALUE_OP_QUEUE")          \
    X(FLEX_COUNTER_DB, "FLEX_COUNTER_GROUP_TABLE_CHANNEL@*")                   \
    X(FLEX_COUNTER_DB, "FLEX_COUNTER_TABLE_KEY_VALUE_OP_QUEUE")                \
    X(FLEX_COUNTER_DB, "FLEX_COUNTER_TABLE_CHANNEL@*")

/* What it works with; all borrowed. */
struct syncd_polling_options {
    struct redis *redis;
    struct timeline *timeline;    /* A timer wakes its owner for a turn. */
    const struct asic_rows *rows; /* Have the name maps. */
    uint32_t interval_ms;         /* 0: nothing is polled for orchd. */
};

/* Returns one that has asked for nothing yet; 'options' are copied.  Free it
 * with syncd_polling_destroy(), which accepts NULL, after the connection to
 * Redis was closed. */
struct syncd_polling *
syncd_polling_create(const struct syncd_polling_options *options);
void syncd_polling_destroy(struct syncd_polling *polling);

/* Redis has become reachable, or may have lost data: reads all rows. */
void syncd_polling_restart(struct syncd_polling *polling);

/* A key that SYNCD_POLLING_WATCHED matches was written or removed.  Returns
 * false, and does nothing, if 'key' is another one. */
bool syncd_polling_key(struct syncd_polling *polling, enum database database,
                       const char *key, int64_t now);

/* Ends a turn: asks for what has changed. */
void syncd_polling_turn(struct syncd_polling *polling, int64_t now);

/* Ends the polling: disables the groups of orchd, whose rows stay for the next
 * start.  To be called while Redis is still connected. */
void syncd_polling_end(struct syncd_polling *polling);

/* Returns whether what COUNTERS_DB has of counter 'id' of objects of 'type' is
 * recent. */
bool syncd_polling_is_recent(const struct syncd_polling *polling,
                             sai_object_type_t type, sai_stat_id_t id,
                             int64_t now);

#endif /* orchd/orchagent/syncd_polling.h */
