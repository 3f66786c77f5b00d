/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_MEMORY_STORE_H
#define ORCHD_WATCHDOG_MEMORY_STORE_H

/* A store for the PFC watchdog (orchd/watchdog/storm_store.h) in memory: it
 * holds what the daemon has in Redis, so that a scenario can read it.
 * Messages are discarded. */

#include <stddef.h>

#include "orchd/db/dbconfig.h"
#include "orchd/watchdog/storm_store.h"

struct stored_hash;

struct memory_store {
    struct storm_store store;   /* First: the watchdog's store. */
    struct stored_hash *hashes; /* A hash by database and key. */
};

/* Initializes '*memory' as an empty store, which must not move afterwards. */
void memory_store_init(struct memory_store *memory);

/* Frees the contents.  Accepts a zeroed store. */
void memory_store_fini(struct memory_store *memory);

/* Returns the fields of a hash and stores their number; NULL and 0 if there is
 * no such hash.  Valid until the next change. */
const struct field *memory_store_get(const struct memory_store *memory,
                                     enum database database, const char *key,
                                     size_t *n);

#endif /* orchd/watchdog/memory_store.h */
