/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_REPLAY_REPLAY_MAP_H
#define ORCHD_SAI_REPLAY_REPLAY_MAP_H

/* The translation of recorded object ids to those of the replay. */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"

struct replay_map;

/* Returns an empty map.  Destroy it with replay_map_destroy(), which accepts
 * NULL. */
struct replay_map *replay_map_create(void);
void replay_map_destroy(struct replay_map *map);

/* Maps 'recorded' to 'found' and replaces any previous mapping. */
void replay_map_bind(struct replay_map *map, sai_object_id_t recorded,
                     sai_object_id_t found);

/* Translates '*oid' in place.  Returns false, and leaves it unchanged, if it is
 * unknown.  Null stays null. */
bool replay_map_id(const struct replay_map *map, sai_object_id_t *oid);

/* Translates all ids in a value in the same way.  Pointers, which are
 * meaningless in another process, become NULL. */
bool replay_map_value(const struct replay_map *map, enum kind kind,
                      sai_attribute_value_t *value);

/* Returns the object ids in a value, and their number in '*n'; NULL and 0 for
 * other kinds. */
sai_object_id_t *replay_map_ids(enum kind kind, sai_attribute_value_t *value,
                                uint32_t *n);

#endif /* sai/replay/replay_map.h */
