/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_ENTRY_H
#define ORCHD_SAI_CORE_ENTRY_H

/* Keys of objects of any type, with an id or without.
 *
 * Motivation: routes, neighbors and entries of the forwarding database have no
 * object id; what they say is their key.  Whoever stores, compares, records or
 * prints objects of all types works on sai_object_key_t and lets this module
 * know the difference.
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
 * without a space or a line break. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "base/status.h"

struct text;

/* Returns whether objects of 'type' are identified by an entry whose form is
 * known here, rather than by an id. */
bool entry_is_key(sai_object_type_t type);

/* Returns the size in bytes of a key as SAI's functions for 'type' take it: an
 * entry, or an id. */
size_t entry_key_bytes(sai_object_type_t type);

/* Makes '*to' the same key with all bytes that mean nothing zeroed, so that
 * equal keys are equal memory and may be hashed as such. */
void entry_normalise(sai_object_type_t type, const sai_object_key_t *from,
                     sai_object_key_t *to);

/* Returns whether two keys of objects of 'type' are the same. */
bool entry_equal(sai_object_type_t type, const sai_object_key_t *a,
                 const sai_object_key_t *b);

/* Most object ids in a key. */
enum { ENTRY_MAX_OIDS = 2 };

/* Stores in 'oids' where the object ids in '*key' are, at most ENTRY_MAX_OIDS,
 * and returns how many: that of the object itself, or those that an entry
 * names, the switch first. */
uint32_t entry_oids(sai_object_type_t type, sai_object_key_t *key,
                    sai_object_id_t **oids);

/* Appends a key to 'text'.  'type' is one of the release; the key of a type
 * that has neither an id nor a known form is taken for an id. */
void entry_write(sai_object_type_t type, const sai_object_key_t *key,
                 struct text *text);

/* Parses all of 'string' into '*type' and '*key', which is then normalised.
 * Members of the JSON may come in any order, but none may be missing.  Returns
 * ST_OK; or ST_INVALID, and nothing stored, if it is no key. */
enum st entry_parse(const char *string, sai_object_type_t *type,
                    sai_object_key_t *key) ST_WARN_UNUSED;

#endif /* sai/core/entry.h */
