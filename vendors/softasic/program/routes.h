/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_ROUTES_H
#define ORCHD_SOFTASIC_PROGRAM_ROUTES_H

/* Routes and neighbors in terms of SAI.
 *
 * They have keys instead of object ids: switch, virtual router and prefix, or
 * switch, router interface and address.  For an invalid key the functions
 * return
 *
 *   SAI_STATUS_INVALID_PARAMETER    for a family that does not exist, a mask
 *                                   with holes, bits beyond the mask, a group
 *                                   address as a neighbor,
 *   SAI_STATUS_INVALID_OBJECT_ID    for a switch, a virtual router or an
 *                                   interface that does not exist,
 *   SAI_STATUS_INVALID_OBJECT_TYPE  if the id is that of another object.
 *
 * An entry is an object that is in no list of the store; the twin holds it and
 * finds it by its key.  Objects that the key names are in use. */

#include <sai.h>

#include "base/status.h"
#include "vendors/softasic/state.h"

/* Returns whether 'type' is that of routes or neighbors. */
bool routes_handles_type(sai_object_type_t type);

/* Their verbs; 'key' points to a sai_route_entry_t or sai_neighbor_entry_t.
 * SAI_STATUS_ITEM_ALREADY_EXISTS, SAI_STATUS_ITEM_NOT_FOUND,
 * SAI_STATUS_TABLE_FULL. */
sai_status_t routes_create(struct asic *asic, sai_object_type_t type,
                           const void *key, uint32_t n,
                           const sai_attribute_t *attributes, struct err *err);
sai_status_t routes_remove(struct asic *asic, sai_object_type_t type,
                           const void *key);

/* Stores the entry of 'key' in '*item'; its attributes are set and read like
 * those of objects.  SAI_STATUS_ITEM_NOT_FOUND. */
sai_status_t routes_find(const struct asic *asic, sai_object_type_t type,
                         const void *key, struct objects_item **item);

/* Removes all neighbors. */
void routes_remove_neighbors(struct asic *asic);

/* Frees all entries, before the twin is destroyed. */
void routes_fini(struct asic *asic);

/* Programs a change of attribute 'id' of 'item', see program_set(). */
sai_status_t routes_update(struct asic *asic, struct objects_item *item,
                           sai_attr_id_t id, struct err *err);

/* Returns the family of the key of 'item'. */
sai_ip_addr_family_t routes_family(const struct objects_item *item);

/* Returns how many entries there are, and stores their keys in 'keys' (NULL:
 * only counts). */
uint32_t routes_list(const struct asic *asic, sai_object_type_t type,
                     sai_object_key_t *keys);

/* Returns the bytes of all entries, without those of the twin. */
size_t routes_bytes(const struct asic *asic);

#endif /* vendors/softasic/program/routes.h */
