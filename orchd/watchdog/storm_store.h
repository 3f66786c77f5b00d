/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_STORM_STORE_H
#define ORCHD_WATCHDOG_STORM_STORE_H

/* Where the watchdog writes what others read, and what it needs after a
 * restart: hashes by key, and a channel.
 *
 * Providers: Redis (orchd/daemon/daemon_watchdog.h), and memory for a switch
 * without a database (orchd/watchdog/memory_store.h). */

#include <stddef.h>

#include "orchd/db/dbconfig.h"
#include "orchd/intent/field.h"

/* Receives the fields of a hash; 'n' is 0 if the key does not exist. */
typedef void storm_hash_fn(void *context, const char *key,
                           const struct field *fields, size_t n);

struct storm_store;

/* All arguments are borrowed for the call.  There is no result: what cannot be
 * written is lost, and the owner has it written again by pfcwd_resync(). */
struct storm_store_ops {
    /* 'set' sets 'n' fields of a hash, and keeps the others; 'unset' removes
     * one. */
    void (*set)(struct storm_store *store, enum database database,
                const char *key, const struct field *fields, size_t n);
    void (*unset)(struct storm_store *store, enum database database,
                  const char *key, const char *field);

    /* Passes the hash 'key' to 'found', now or later; never if it is unknown
     * whether it exists. */
    void (*fetch)(struct storm_store *store, enum database database,
                  const char *key, storm_hash_fn *found, void *context);

    /* Passes each hash whose key begins with 'prefix' to 'found', now or later,
     * and then calls 'done'; never 'done' if that is unknown. */
    void (*fetch_all)(struct storm_store *store, enum database database,
                      const char *prefix, storm_hash_fn *found,
                      void (*done)(void *context), void *context);

    /* Publishes a message on 'channel'. */
    void (*publish)(struct storm_store *store, const char *channel,
                    const char *message);
};

/* A provider embeds this as its first member. */
struct storm_store {
    const struct storm_store_ops *ops;
};

#endif /* orchd/watchdog/storm_store.h */
