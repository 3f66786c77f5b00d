/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_CAPABILITY_H
#define ORCHD_SAI_CORE_CAPABILITY_H

/* A cache of the capabilities that a library reports.
 *
 * sai_query_attribute_capability() returns for each attribute whether a client
 * can give it at creation, set it and read it; a second query returns the
 * supported members of an enumeration.  The results depend only on the switch,
 * and a query may take long, so this module keeps the results per object type
 * and attribute.
 *
 * Old libraries lack the queries, and many support them for a few attributes
 * only.  So a missing result means that the capability is unknown; the only way
 * to find out is to try the call.
 *
 * The module queries only modelled attributes (sai/core/metadata.h). */

#include <stdint.h>

#include <sai.h>

#define CAPABILITY_KNOWN  0x1u /* The other flags are valid. */
#define CAPABILITY_CREATE 0x2u
#define CAPABILITY_SET    0x4u
#define CAPABILITY_GET    0x8u

/* The library's functions; NULL if it lacks one. */
struct capability_queries {
    __typeof__(&sai_query_attribute_capability) attribute;
    __typeof__(&sai_query_attribute_enum_values_capability) enum_values;
};

struct capability;

/* Returns an empty cache of 'queries', which are copied.  Destroy it with
 * capability_destroy(). */
struct capability *capability_create(const struct capability_queries *queries);

/* Frees 'capability'.  Accepts NULL. */
void capability_destroy(struct capability *capability);

/* Empties the cache, because its switch no longer exists. */
void capability_forget(struct capability *capability);

/* Returns the CAPABILITY_* flags of attribute 'id' of 'type' on switch
 * 'switch_id'; 0 if they are unknown, as always without a switch. */
unsigned int capability_flags(struct capability *capability,
                              sai_object_id_t switch_id, sai_object_type_t type,
                              sai_attr_id_t id);

/* Returns the supported values of an enumeration attribute, and their number in
 * '*n'; NULL if they are unknown.  Borrowed; valid until
 * capability_forget(). */
const int32_t *capability_enum_values(struct capability *capability,
                                      sai_object_id_t switch_id,
                                      sai_object_type_t type, sai_attr_id_t id,
                                      uint32_t *n);

#endif /* sai/core/capability.h */
