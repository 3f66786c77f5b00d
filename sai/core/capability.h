/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_CAPABILITY_H
#define ORCHD_SAI_CORE_CAPABILITY_H

/* What a library says that it can do, asked once.
 *
 * sai_query_attribute_capability() tells of each attribute whether it can be
 * given at creation, set and read; a second query tells which members of an
 * enumeration it takes.  Both depend on nothing but the switch, and a library
 * may need a while to answer; hence a cache of answers per object type and
 * attribute.
 *
 * Old libraries lack the queries, and many answer them for a few attributes
 * only.  So no answer means that nothing is known, and that trying is the only
 * way to find out.
 *
 * Only modelled attributes (sai/core/metadata.h) are asked for. */

#include <stdint.h>

#include <sai.h>

#define CAPABILITY_KNOWN  0x1u /* Else the other flags mean nothing. */
#define CAPABILITY_CREATE 0x2u
#define CAPABILITY_SET    0x4u
#define CAPABILITY_GET    0x8u

/* The library's functions; NULL if it lacks one. */
struct capability_queries {
    __typeof__(&sai_query_attribute_capability) attribute;
    __typeof__(&sai_query_attribute_enum_values_capability) enum_values;
};

struct capability;

/* Returns an empty cache in front of 'queries', which are copied.  End with
 * capability_destroy(). */
struct capability *capability_create(const struct capability_queries *queries);

/* Frees 'capability'.  Accepts NULL. */
void capability_destroy(struct capability *capability);

/* Forgets all answers: they were those of a switch that is gone. */
void capability_forget(struct capability *capability);

/* Returns CAPABILITY_* of attribute 'id' of 'type' on switch 'switch_id'; 0 if
 * nothing is known, as always while there is no switch. */
unsigned int capability_flags(struct capability *capability,
                              sai_object_id_t switch_id, sai_object_type_t type,
                              sai_attr_id_t id);

/* Returns the values that an enumeration attribute takes, and their number in
 * '*n'; NULL if nothing is known.  Borrowed; valid until the answers are
 * forgotten. */
const int32_t *capability_enum_values(struct capability *capability,
                                      sai_object_id_t switch_id,
                                      sai_object_type_t type, sai_attr_id_t id,
                                      uint32_t *n);

#endif /* sai/core/capability.h */
