/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIHASH_H
#define ORCHD_SAI_INCLUDE_SAIHASH_H

/* Hashes: the fields of a packet by which one of several equal paths, or a
 * member of a LAG, is chosen.  Algorithm, seed and offset are attributes of the
 * switch. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "hash.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a hash. */
#define SAI_OBJECT_FILE "hash.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Hashes.  A hash that the switch refers to cannot be removed. */
typedef sai_status_t (*sai_create_hash_fn)(sai_object_id_t *hash_id,
                                           sai_object_id_t switch_id,
                                           uint32_t attr_count,
                                           const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_hash_fn)(sai_object_id_t hash_id);
typedef sai_status_t (*sai_set_hash_attribute_fn)(sai_object_id_t hash_id,
                                                  const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_hash_attribute_fn)(sai_object_id_t hash_id,
                                                  uint32_t attr_count,
                                                  sai_attribute_t *attr_list);

/* Parts of fields. */
typedef sai_status_t (*sai_create_fine_grained_hash_field_fn)(
    sai_object_id_t *fine_grained_hash_field_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_fine_grained_hash_field_fn)(
    sai_object_id_t fine_grained_hash_field_id);
typedef sai_status_t (*sai_set_fine_grained_hash_field_attribute_fn)(
    sai_object_id_t fine_grained_hash_field_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_fine_grained_hash_field_attribute_fn)(
    sai_object_id_t fine_grained_hash_field_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_HASH.  The order of the members is the ABI. */
typedef struct _sai_hash_api_t {
    sai_create_hash_fn create_hash;
    sai_remove_hash_fn remove_hash;
    sai_set_hash_attribute_fn set_hash_attribute;
    sai_get_hash_attribute_fn get_hash_attribute;

    sai_create_fine_grained_hash_field_fn create_fine_grained_hash_field;
    sai_remove_fine_grained_hash_field_fn remove_fine_grained_hash_field;
    sai_set_fine_grained_hash_field_attribute_fn
        set_fine_grained_hash_field_attribute;
    sai_get_fine_grained_hash_field_attribute_fn
        get_fine_grained_hash_field_attribute;
} sai_hash_api_t;

#endif /* saihash.h */
