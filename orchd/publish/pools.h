/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_POOLS_H
#define ORCHD_PUBLISH_POOLS_H

/* COUNTERS_DB: COUNTERS_BUFFER_POOL_NAME_MAP, pool name -> pool id.
 *
 * Internal to publish/.  Each pool that is in the map is handed to the
 * counters, and taken from them before it goes. */

#include <sai.h>

struct counters;
struct pools;
struct redis;

/* Creates an empty map; both are borrowed. */
struct pools *pools_create(struct redis *redis, struct counters *counters);

/* Frees 'pools'; the database stays as it is.  Accepts NULL. */
void pools_destroy(struct pools *pools);

/* Forgets all pools and empties the map. */
void pools_restart(struct pools *pools);

/* Adds pool 'name', or gives it the id of its successor. */
void pools_appeared(struct pools *pools, const char *name, sai_object_id_t oid);

/* Pool 'oid' is gone; one that was replaced by another takes no entry along. */
void pools_gone(struct pools *pools, const char *name, sai_object_id_t oid);

#endif /* orchd/publish/pools.h */
