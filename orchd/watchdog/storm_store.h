/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_STORM_STORE_H
#define ORCHD_WATCHDOG_STORM_STORE_H

/* Where the watchdog keeps what others read, and what it wants to know after a
 * restart: hashes by key, and a channel.
 *
 * Providers: Redis (orchd/daemon/daemon_watchdog.h), and memory for a switch
 * without a database (offline/memory_store.h). */

#include <stddef.h>

#include "orchd/db/dbconfig.h"
#include "orchd/intent/field.h"

/* Told the fields of a hash; 'n' is 0 if there is none of that key. */
typedef void storm_hash_fn(void *context, const char *key,
                           const struct field *fields, size_t n);

struct storm_store;

/* All arguments are borrowed for the call.  Nothing is answered: what cannot be
 * written is lost, and written again when the owner says so. */
struct storm_store_ops {
    /* Sets 'n' fields of a hash, leaving others alone; removes one. */
    void (*set)(struct storm_store *store, enum database database,
                const char *key, const struct field *fields, size_t n);
    void (*unset)(struct storm_store *store, enum database database,
                  const char *key, const char *field);

    /* Tells the hash 'key', now or later; not at all if there is no saying
     * whether there is one. */
    void (*fetch)(struct storm_store *store, enum database database,
                  const char *key, storm_hash_fn *told, void *context);

    /* Tells each hash whose key begins with 'prefix', now or later, and then
     * that there are no more; not that if there is no saying. */
    void (*fetch_all)(struct storm_store *store, enum database database,
                      const char *prefix, storm_hash_fn *told,
                      void (*done)(void *context), void *context);

    /* Sends a message to whoever listens to 'channel'. */
    void (*publish)(struct storm_store *store, const char *channel,
                    const char *message);
};

/* A provider embeds this as its first member. */
struct storm_store {
    const struct storm_store_ops *ops;
};

#endif /* orchd/watchdog/storm_store.h */
