/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_REPLAY_MAP_H
#define ORCHD_SAI_REPLAY_REPLAY_MAP_H

/* Which object of today stands for which one of a record. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"

struct replay_map;

/* Returns an empty map.  End with replay_map_destroy(), which accepts NULL. */
struct replay_map *replay_map_create(void);
void replay_map_destroy(struct replay_map *map);

/* Says that 'recorded' is now 'found', whatever it was before. */
void replay_map_bind(struct replay_map *map, sai_object_id_t recorded,
                     sai_object_id_t found);

/* Translates '*oid' in place; false, and it stays, if it is not known.  Null is
 * null. */
bool replay_map_id(const struct replay_map *map, sai_object_id_t *oid);

/* Translates all ids in a value in the same manner.  Addresses mean nothing in
 * another process and become NULL. */
bool replay_map_value(const struct replay_map *map, enum kind kind,
                      sai_attribute_value_t *value);

/* Returns the objects that a value names, and how many in '*n'; NULL and 0 if
 * it is of another kind. */
sai_object_id_t *replay_map_ids(enum kind kind, sai_attribute_value_t *value,
                                uint32_t *n);

#endif /* sai/replay/replay_map.h */
