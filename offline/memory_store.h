/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_MEMORY_STORE_H
#define ORCHD_OFFLINE_MEMORY_STORE_H

/* The store of the PFC watchdog (orchd/watchdog/storm_store.h) in memory: what
 * the daemon would have in Redis, to be looked at by a scenario.  Nobody
 * listens to its channels. */

#include <stddef.h>

#include "orchd/db/dbconfig.h"
#include "orchd/watchdog/storm_store.h"

struct stored_hash;

struct memory_store {
    struct storm_store store;   /* First: what the watchdog holds. */
    struct stored_hash *hashes; /* A hash by database and key. */
};

/* Makes '*memory' an empty store; it has to stay where it is. */
void memory_store_init(struct memory_store *memory);

/* Frees what it holds.  Zeroed ones are accepted. */
void memory_store_fini(struct memory_store *memory);

/* Returns the fields of a hash and stores how many there are; NULL and 0 if
 * there are none.  Valid until the next change. */
const struct field *memory_store_get(const struct memory_store *memory,
                                     enum database database, const char *key,
                                     size_t *n);

#endif /* offline/memory_store.h */
