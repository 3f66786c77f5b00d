/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIQOSMAP_H
#define ORCHD_SAI_INCLUDE_SAIQOSMAP_H

/* QoS maps: from header fields to traffic class and color, from there to
 * queue, priority group and header fields again.
 *
 * A map acts where a port or the switch names it. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "qosmap.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a QoS map.  The type cannot be changed: a map of another type
 * is another object. */
#define SAI_OBJECT_FILE "qos_map.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Maps.  A map to which a port or the switch refers cannot be removed.  Its
 * list can be set at any time and applies at once. */
typedef sai_status_t (*sai_create_qos_map_fn)(sai_object_id_t *qos_map_id,
                                              sai_object_id_t switch_id,
                                              uint32_t attr_count,
                                              const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_qos_map_fn)(sai_object_id_t qos_map_id);
typedef sai_status_t (*sai_set_qos_map_attribute_fn)(
    sai_object_id_t qos_map_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_qos_map_attribute_fn)(
    sai_object_id_t qos_map_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_QOS_MAP.  The order of the members is the ABI. */
typedef struct _sai_qos_map_api_t {
    sai_create_qos_map_fn create_qos_map;
    sai_remove_qos_map_fn remove_qos_map;
    sai_set_qos_map_attribute_fn set_qos_map_attribute;
    sai_get_qos_map_attribute_fn get_qos_map_attribute;
} sai_qos_map_api_t;

#endif /* saiqosmap.h */
