/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_ENTRY_H
#define ORCHD_SAI_CORE_ENTRY_H

/* Keys of objects of any type: object ids and entries.
 *
 * Motivation: routes, neighbors and FDB entries have no object id; a structure,
 * the entry, is their key.  Code that stores, compares, records or prints
 * objects of all types uses sai_object_key_t, and this module handles the
 * difference.
 *
 * As text a key is the type and an id, or the type and JSON with the members
 * in alphabetical order, as in ASIC_DB:
 *
 *   SAI_OBJECT_TYPE_QUEUE:oid:0x15000000000001
 *   SAI_OBJECT_TYPE_ROUTE_ENTRY:{"dest":"10.0.0.0/8",
 *       "switch_id":"oid:0x21000000000000","vr":"oid:0x3000000000022"}
 *   SAI_OBJECT_TYPE_NEIGHBOR_ENTRY:{"ip":...,"rif":...,"switch_id":...}
 *   SAI_OBJECT_TYPE_FDB_ENTRY:{"bvid":...,"mac":...,"switch_id":...}
 *
 * without spaces or line breaks. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct text;

/* Returns whether the key of objects of 'type' is an entry that this module
 * knows, rather than an id. */
bool entry_is_key(sai_object_type_t type);

/* Returns the size in bytes of the key that SAI's functions for 'type' take: an
 * entry or an id. */
size_t entry_key_bytes(sai_object_type_t type);

/* Copies the key to '*to' and zeroes all unused bytes, so that equal keys are
 * equal memory and can be hashed. */
void entry_normalise(sai_object_type_t type, const sai_object_key_t *from,
                     sai_object_key_t *to);

/* Returns whether two keys of objects of 'type' are the same. */
bool entry_equal(sai_object_type_t type, const sai_object_key_t *a,
                 const sai_object_key_t *b);

/* The largest number of object ids in a key. */
enum { ENTRY_MAX_OIDS = 2 };

/* Stores pointers to the object ids in '*key' in 'oids', at most
 * ENTRY_MAX_OIDS, and returns how many: the id of the object itself, or the ids
 * that an entry refers to, the switch first. */
uint32_t entry_oids(sai_object_type_t type, sai_object_key_t *key,
                    sai_object_id_t **oids);

/* Appends a key to 'text'.  'type' is one of the release.  The key of a type
 * with an unknown form of entry is written as an id. */
void entry_write(sai_object_type_t type, const sai_object_key_t *key,
                 struct text *text);

/* Parses all of 'string' into '*type' and '*key', and normalises the key.  The
 * members of the JSON may be in any order, but none may be missing.  Returns
 * ST_OK, or ST_INVALID and stores nothing. */
enum st entry_parse(const char *string, sai_object_type_t *type,
                    sai_object_key_t *key) ST_WARN_UNUSED;

#endif /* sai/core/entry.h */
