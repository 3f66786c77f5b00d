/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REDIS_STATE_H
#define ORCHD_DB_REDIS_STATE_H

/* What the files behind redis.h share:
 *
 *   redis_links.c  the two connections
 *   redis_write.c  what is published
 *   redis_ask.c    what is asked for beside CONFIG_DB
 */

#include <stdbool.h>
#include <stdint.h>

#include "base/timeline.h"
#include "orchd/db/link.h"
#include "orchd/db/redis.h"

enum phase {
    PHASE_DOWN,
    PHASE_CONNECTING,
    PHASE_PREPARING,
    PHASE_READING,
    PHASE_UP,
};

struct redis {
    struct loop *loop;
    struct log *log;
    struct redis_options options;
    struct redis_handlers handlers;
    void *context;
    char name[ENDPOINT_TEXT_SIZE]; /* The endpoint as the user gave it. */
    bool resolved;                 /* Its host is an address. */

    enum phase phase;
    struct link *commands, *subscriber;
    unsigned int n_linked;     /* Links that are up. */
    unsigned int n_subscribed; /* Subscriptions that Redis confirmed. */
    bool notify_known;         /* 'notified' is. */
    bool notified;
    bool flushed; /* Since the last turn. */
    bool swapped; /* The same. */
    bool refused; /* Something that was published, since the last audit. */
    char pattern[32];
    char state_prefix[32];     /* Of notifications about STATE_DB. */
    char pushed_pattern[64];   /* Of notifications, where tables are pushed, */
    char producer_pattern[64]; /* ... and of word from their producers. */
    char reason[256];          /* Why not up, or not notified. */
    char logged[256];          /* The reason that the log has. */
    int64_t since;             /* Of the attempts to connect. */
    int64_t backoff;
    struct timer retry, audit;

    struct reader *reader;
    struct barriers *barriers;
    struct swapdb *swaps;
    struct link_args args; /* Scratch, for writers. */
    struct outbox *outbox; /* Published, but not sent yet. */
    bool in_transaction;
    enum database transaction; /* The database it is about. */
    uint64_t n_connects, n_writes, n_dropped, n_errors;
};

/* Returns the number of a logical database. */
static inline int
redis_number__(const struct redis *redis, enum database database)
{
    return redis->options.dbconfig.databases[database].number;
}

/* Counts one command, and returns whether it can be sent. */
bool redis_may_write__(struct redis *redis);

#endif /* orchd/db/redis_state.h */
