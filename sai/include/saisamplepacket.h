/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAISAMPLEPACKET_H
#define ORCHD_SAI_INCLUDE_SAISAMPLEPACKET_H

/* Samplers: one of N packets is copied to the CPU. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "samplepacket.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a sampler. */
#define SAI_OBJECT_FILE "samplepacket.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Samplers. */
typedef sai_status_t (*sai_create_samplepacket_fn)(
    sai_object_id_t *samplepacket_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_samplepacket_fn)(
    sai_object_id_t samplepacket_id);
typedef sai_status_t (*sai_set_samplepacket_attribute_fn)(
    sai_object_id_t samplepacket_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_samplepacket_attribute_fn)(
    sai_object_id_t samplepacket_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_SAMPLEPACKET.  The order of the members is the ABI. */
typedef struct _sai_samplepacket_api_t {
    sai_create_samplepacket_fn create_samplepacket;
    sai_remove_samplepacket_fn remove_samplepacket;
    sai_set_samplepacket_attribute_fn set_samplepacket_attribute;
    sai_get_samplepacket_attribute_fn get_samplepacket_attribute;
} sai_samplepacket_api_t;

#endif /* saisamplepacket.h */
