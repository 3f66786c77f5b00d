/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POOL_MAP_H
#define ORCHD_TELEMETRY_POOL_MAP_H

/* COUNTERS_DB: COUNTERS_BUFFER_POOL_NAME_MAP, pool name -> pool id.
 *
 * Internal to the publisher.  Each pool in the map is polled: it is added to
 * the counters, and removed from them before it leaves the map. */

#include <sai.h>

#define POOL_MAP "COUNTERS_BUFFER_POOL_NAME_MAP"

struct counters;
struct pool_map;
struct redis;

/* Creates an empty map; both are borrowed. */
struct pool_map *pool_map_create(struct redis *redis,
                                 struct counters *counters);

/* Frees 'pools'; the database stays as it is.  Accepts NULL. */
void pool_map_destroy(struct pool_map *pools);

/* Forgets all pools; the database stays as it is. */
void pool_map_forget(struct pool_map *pools);

/* Adds pool 'name', or changes its id if a new object has replaced it. */
void pool_map_appeared(struct pool_map *pools, const char *name,
                       sai_object_id_t oid);

/* Handles the removal of pool 'oid'; keeps the entry if it has another id by
 * then. */
void pool_map_gone(struct pool_map *pools, const char *name,
                   sai_object_id_t oid);

#endif /* orchd/telemetry/pool_map.h */
