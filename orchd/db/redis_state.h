/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_REDIS_STATE_H
#define ORCHD_DB_REDIS_STATE_H

/* The internals of redis.h, for its own files:
 *
 *   redis_links.c  the two connections
 *   redis_write.c  output
 *   redis_ask.c    requests other than reading CONFIG_DB */

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
    struct redis_listener listener;
    void *context;
    char name[ENDPOINT_TEXT_SIZE]; /* The endpoint as given by the user. */
    bool resolved;                 /* Its host name is resolved. */

    enum phase phase;
    struct link *commands, *subscriber;
    unsigned int n_linked;     /* Links that are up. */
    unsigned int n_subscribed; /* Subscriptions that Redis confirmed. */
    bool notify_known;         /* 'notified' is known. */
    bool notified;
    bool enabling; /* Notifications: the answer is pending. */
    bool flushed;  /* A database was flushed since the last turn. */
    bool swapped;  /* Databases were swapped since the last turn. */
    bool refused;  /* Redis refused a published command since the last audit,
                    * and does not accept commands by itself later. */
    char pattern[32];
    char state_prefix[32];     /* Channel prefix of notifications about
                                * STATE_DB. */
    char pushed_pattern[64];   /* Channel pattern of notifications if tables are
                                * pushed, */
    char producer_pattern[64]; /* ... and of messages of their producers. */
    char reason[256];          /* Why it is not up, or not notified. */
    char logged[256];          /* The last reason in the log. */
    bool waiting_logged;       /* The log says that orchd waits for Redis. */
    int64_t since;             /* Start of the attempts to connect. */
    int64_t backoff;
    struct timer retry, audit;

    struct reader *reader;
    struct barriers *barriers;
    struct silent_commands *silent;
    struct refusals *refusals;
    struct owner *owner;
    bool owned;            /* The lock is ours, on this connection. */
    struct link_args args; /* Scratch for writers. */
    struct outbox *outbox; /* Output that was not sent yet. */
    bool in_transaction;
    enum database transaction; /* Its database. */
    uint64_t n_connects, n_writes, n_dropped, n_errors;
};

/* Returns the number of a logical database. */
static inline int
redis_number__(const struct redis *redis, enum database database)
{
    return redis->options.dbconfig.databases[database].number;
}

/* Counts one command.  Returns whether it can be sent. */
bool redis_may_write__(struct redis *redis);

/* Checks whether Redis still sends the notifications that orchd needs, and has
 * sent them all the time.  If not, enables them, reads all of CONFIG_DB, and
 * makes barriers wait for that reading. */
void redis_check_notifications__(struct redis *redis);

#endif /* orchd/db/redis_state.h */
