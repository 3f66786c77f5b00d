/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIDEBUGCOUNTER_H
#define ORCHD_SAI_INCLUDE_SAIDEBUGCOUNTER_H

/* Debug counters: drops at ports or in the switch, by reason. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "debugcounter.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a debug counter. */
#define SAI_OBJECT_FILE "debug_counter.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Debug counters. */
typedef sai_status_t (*sai_create_debug_counter_fn)(
    sai_object_id_t *debug_counter_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_debug_counter_fn)(
    sai_object_id_t debug_counter_id);
typedef sai_status_t (*sai_set_debug_counter_attribute_fn)(
    sai_object_id_t debug_counter_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_debug_counter_attribute_fn)(
    sai_object_id_t debug_counter_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_DEBUG_COUNTER.  The order of the members is the ABI. */
typedef struct _sai_debug_counter_api_t {
    sai_create_debug_counter_fn create_debug_counter;
    sai_remove_debug_counter_fn remove_debug_counter;
    sai_set_debug_counter_attribute_fn set_debug_counter_attribute;
    sai_get_debug_counter_attribute_fn get_debug_counter_attribute;
} sai_debug_counter_api_t;

#endif /* saidebugcounter.h */
