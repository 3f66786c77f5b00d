/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_METADATA_H
#define ORCHD_SAI_CORE_METADATA_H

/* The properties of every object type, attribute, counter and enumeration.
 *
 * Motivation: validation, text forms, storage, the host protocol and the
 * reconciler treat all attributes alike, by their properties.  The properties
 * are the rows of the .def files that sai/include/all.def lists.  The public
 * headers are made from the same rows.  This module compiles them into constant
 * tables and has no state.
 *
 * The modelled object types are those of all.def.  Of other types only the name
 * is known, and metadata_object() returns NULL for them.
 *
 * Cost: a look-up by id indexes an array, or searches it in binary steps where
 * ids have gaps.  A look-up by name walks the rows of one object type or
 * enumeration and compares lengths before text: a fraction of a microsecond for
 * the longest table, which has 276 rows.  All results are static. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"
#include "sai/core/metadata_tables.h"

/* Returns the modelled object types, and their number in '*n'. */
const struct metadata_object *metadata_objects(size_t *n);

/* Returns 'type', or NULL if it is not modelled. */
const struct metadata_object *metadata_object(sai_object_type_t type);

/* Returns attribute 'id' of 'type', or NULL if either is not known. */
const struct metadata_attribute *metadata_attribute(sai_object_type_t type,
                                                    sai_attr_id_t id);

/* Returns the attribute called 'name' ("SAI_QUEUE_ATTR_TYPE", or an alias),
 * and in '*type' (which may be NULL) its object type; NULL if there is none. */
const struct metadata_attribute *
metadata_attribute_by_name(const char *name, sai_object_type_t *type);

/* Returns counter 'id' of 'type', or NULL. */
const struct metadata_stat *metadata_stat(sai_object_type_t type,
                                          sai_stat_id_t id);

/* Returns the counter called 'name', and its object type as above. */
const struct metadata_stat *metadata_stat_by_name(const char *name,
                                                  sai_object_type_t *type);

/* Returns the enumeration called 'name' ("sai_packet_color_t"), or NULL. */
const struct metadata_enum *metadata_enum(const char *name);

/* Returns the name of 'value', or NULL if it is no member. */
const char *metadata_enum_name(const struct metadata_enum *enumeration,
                               int32_t value);

/* Stores the value of the member called 'name' in '*value'.  Returns false,
 * and stores nothing, if there is none. */
bool metadata_enum_value(const struct metadata_enum *enumeration,
                         const char *name, int32_t *value);

/* Returns whether 'value' is a member, or for flags a combination of some. */
bool metadata_enum_has(const struct metadata_enum *enumeration, int32_t value);

/* Returns the name of a unit, such as "bytes"; "" for no unit.  Static. */
const char *metadata_unit_name(enum metadata_unit unit);

/* Returns the name of a type, such as "SAI_OBJECT_TYPE_QUEUE", modelled or not;
 * NULL if the release has no such type. */
const char *metadata_type_name(sai_object_type_t type);

/* Returns the type of that name, SAI_OBJECT_TYPE_NULL if there is none. */
sai_object_type_t metadata_type_by_name(const char *name);

/* Stores the default of 'attribute' in '*value' (all zeros for an empty list).
 * Returns false, and stores nothing, if the attribute has no default or the
 * default depends on the device. */
bool metadata_default(const struct metadata_attribute *attribute,
                      sai_attribute_value_t *value);

/* Returns 'value' of an attribute of this kind as a number, for comparison
 * with the terms of a condition; 0 for kinds that are not numbers. */
int64_t metadata_number(enum kind kind, const sai_attribute_value_t *value);

/* Stores 'number' in the member of 'kind' and zeroes the rest. */
void metadata_set_number(enum kind kind, int64_t number,
                         sai_attribute_value_t *value);

#endif /* sai/core/metadata.h */
