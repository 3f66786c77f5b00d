/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_OWNER_H
#define ORCHD_DB_OWNER_H

/* The lock that makes one orchd the only writer of a Redis.
 *
 * Problem: two orchds on one Redis create two switches, and each overwrites
 * what the other publishes.  Nothing tells them of each other.
 *
 * Idea: before it reads or writes anything, orchd claims the hash OWNER_KEY of
 * STATE_DB for OWNER_TTL_NS, and renews it every OWNER_RENEW_NS.  A script
 * compares and sets in one step, so of two that claim at once one is refused.
 * The hash says who holds the lock: the identity of the process
 * (process/process_id.h), host, pid and control socket.
 *
 * If another process holds the lock:
 *   - it has ended, which can be seen if it ran on the same host and in the
 *     same pid namespace: orchd takes the lock at once;
 *   - it cannot be seen: orchd waits until the lock expires or is renewed;
 *   - it runs, or renews: the lock is refused.
 *
 * The holder loses the lock if another orchd takes it with --force-owner, or
 * because the holder did not run or was cut off for OWNER_TTL_NS.  It learns
 * that by a message, or at the next renewal, and must stop.  A lock that has
 * vanished (FLUSHALL, a restart of Redis) is taken again.
 *
 * If Redis does not run the script (an ACL, no memory), orchd logs that and
 * works without the lock.  Internal to db/. */

#include <stdbool.h>

#include "base/status.h"

#define OWNER_KEY      "ORCHD_OWNER|global"
#define OWNER_CHANNEL  "ORCHD_OWNER"
#define OWNER_TTL_NS   (INT64_C(15) * 1000 * 1000 * 1000)
#define OWNER_RENEW_NS (INT64_C(5) * 1000 * 1000 * 1000)

struct link;
struct log;
struct loop;
struct owner;

struct owner_options {
    int database;        /* The number of STATE_DB. */
    const char *name;    /* Of the Redis, for messages; borrowed. */
    const char *control; /* The control socket, for messages; borrowed, may be
                          * NULL. */
    bool force;          /* Take the lock from another process. */
};

struct owner_listener {
    /* This process holds the lock, or works without it: the first time after
     * owner_attach(). */
    void (*held)(void *context);

    /* Another process holds the lock; 'err' says which. */
    void (*lost)(void *context, const struct err *err);

    /* Redis still loads its data: the lock cannot be claimed now. */
    void (*loading)(void *context, const char *reason);

    void *context;
};

/* 'loop' and 'log' are borrowed; 'options' and 'listener' are copied. */
struct owner *owner_create(struct loop *loop, struct log *log,
                           const struct owner_options *options,
                           const struct owner_listener *listener);

/* Accepts NULL.  The link must be detached or closed. */
void owner_destroy(struct owner *owner);

/* Claims the lock on 'link', which is up; NULL: the connection is lost. */
void owner_attach(struct owner *owner, struct link *link);

/* Claims the lock again: it may have vanished or have another holder. */
void owner_renew(struct owner *owner);

/* Gives the lock up, if this process holds it. */
void owner_release(struct owner *owner);

#endif /* orchd/db/owner.h */
