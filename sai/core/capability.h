/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_CAPABILITY_H
#define ORCHD_SAI_CORE_CAPABILITY_H

/* A cache of the capabilities that a library reports.
 *
 * sai_query_attribute_capability() returns for each attribute whether a client
 * can give it at creation, set it and read it.  The results depend only on the
 * switch, and a query may take long, so this module keeps the results per
 * object type and attribute.
 *
 * Old libraries lack the query, and many support it for a few attributes only.
 * So a missing result means that the capability is unknown; the only way to
 * find out is to try the call.
 *
 * The module queries only modelled attributes (sai/core/metadata.h). */

#include <stdint.h>

#include <sai.h>

#define CAPABILITY_KNOWN  0x1u /* The other flags are valid. */
#define CAPABILITY_CREATE 0x2u
#define CAPABILITY_SET    0x4u
#define CAPABILITY_GET    0x8u

/* sai_query_attribute_capability() of the library. */
typedef __typeof__(sai_query_attribute_capability) capability_query_fn;

struct capability;

/* Returns an empty cache of the results of 'query' (NULL: the library lacks
 * it).  Destroy it with capability_destroy(). */
struct capability *capability_create(capability_query_fn *query);

/* Frees 'capability'.  Accepts NULL. */
void capability_destroy(struct capability *capability);

/* Empties the cache, because its switch no longer exists. */
void capability_forget(struct capability *capability);

/* Returns the CAPABILITY_* flags of attribute 'id' of 'type' on switch
 * 'switch_id'; 0 if they are unknown, as always without a switch. */
unsigned int capability_flags(struct capability *capability,
                              sai_object_id_t switch_id, sai_object_type_t type,
                              sai_attr_id_t id);

#endif /* sai/core/capability.h */
