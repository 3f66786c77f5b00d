/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIPOLICER_H
#define ORCHD_SAI_INCLUDE_SAIPOLICER_H

/* Policers: meters of RFC 2697 and RFC 2698 in front of a port, of traps or of
 * the packets of an access list.  sai_meter_type_t is in saischeduler.h. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "policer.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes and counters of a policer. */
#define SAI_OBJECT_FILE "policer.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Policers.  A policer that something refers to cannot be removed. */
typedef sai_status_t (*sai_create_policer_fn)(sai_object_id_t *policer_id,
                                              sai_object_id_t switch_id,
                                              uint32_t attr_count,
                                              const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_policer_fn)(sai_object_id_t policer_id);
typedef sai_status_t (*sai_set_policer_attribute_fn)(
    sai_object_id_t policer_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_policer_attribute_fn)(
    sai_object_id_t policer_id, uint32_t attr_count,
    sai_attribute_t *attr_list);
typedef sai_status_t (*sai_get_policer_stats_fn)(
    sai_object_id_t policer_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_policer_stats_ext_fn)(
    sai_object_id_t policer_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_policer_stats_fn)(
    sai_object_id_t policer_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* SAI_API_POLICER.  The order of the members is the ABI. */
typedef struct _sai_policer_api_t {
    sai_create_policer_fn create_policer;
    sai_remove_policer_fn remove_policer;
    sai_set_policer_attribute_fn set_policer_attribute;
    sai_get_policer_attribute_fn get_policer_attribute;
    sai_get_policer_stats_fn get_policer_stats;
    sai_get_policer_stats_ext_fn get_policer_stats_ext;
    sai_clear_policer_stats_fn clear_policer_stats;
} sai_policer_api_t;

#endif /* saipolicer.h */
