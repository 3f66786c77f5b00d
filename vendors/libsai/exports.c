/* SPDX-License-Identifier: Apache-2.0 */

/* The functions that a libsai exports, as sai.h and saiobject.h describe them.
 * This file implements those that do not depend on the provider. */

#include <config.h>

#include <sai.h>

#include "vendors/libsai/function_tables.h"
#include "vendors/libsai/libsai.h"

/* Library ------------------------------------------------------------- */

sai_status_t
sai_api_initialize(uint64_t flags, const sai_service_method_table_t *services)
{
    return libsai_provider()->initialize(flags, services);
}

sai_status_t
sai_api_query(sai_api_t api, void **api_method_table)
{
    const void *table = function_tables_get(api);

    if (!libsai_provider()->is_initialized()) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!api_method_table || !table) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    /* SAI's prototype has no const; clients only read. */
    *api_method_table = (void *)(uintptr_t)table;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_api_uninitialize(void)
{
    return libsai_provider()->uninitialize();
}

sai_status_t
sai_query_api_version(sai_api_version_t *version)
{
    if (!version) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *version = SAI_API_VERSION;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_log_set(sai_api_t api, sai_log_level_t log_level)
{
    return libsai_provider()->log_set(api, log_level);
}

sai_status_t
sai_dbg_generate_dump(const char *dump_file_name)
{
    return libsai_provider()->dump(dump_file_name);
}

sai_status_t
sai_tam_telemetry_get_data(sai_object_id_t switch_id,
                           sai_object_list_t obj_list, bool clear_on_read,
                           sai_size_t *buffer_size, void *buffer)
{
    (void)switch_id;
    (void)obj_list;
    (void)clear_on_read;
    (void)buffer_size;
    (void)buffer;
    return SAI_STATUS_NOT_IMPLEMENTED;
}

/* Objects ------------------------------------------------------------- */

sai_object_type_t
sai_object_type_query(sai_object_id_t object_id)
{
    return libsai_provider()->object_type(object_id);
}

sai_object_id_t
sai_switch_id_query(sai_object_id_t object_id)
{
    return libsai_provider()->switch_id(object_id);
}

sai_status_t
sai_get_maximum_attribute_count(sai_object_id_t switch_id,
                                sai_object_type_t object_type, uint32_t *count)
{
    return libsai_provider()->max_attributes(switch_id, object_type, count);
}

sai_status_t
sai_get_object_count(sai_object_id_t switch_id, sai_object_type_t object_type,
                     uint32_t *count)
{
    return libsai_provider()->object_count(switch_id, object_type, count);
}

sai_status_t
sai_get_object_key(sai_object_id_t switch_id, sai_object_type_t object_type,
                   uint32_t *object_count, sai_object_key_t *object_list)
{
    return libsai_provider()->object_keys(switch_id, object_type, object_count,
                                          object_list);
}

sai_status_t
sai_bulk_get_attribute(sai_object_id_t switch_id, sai_object_type_t object_type,
                       uint32_t object_count,
                       const sai_object_key_t *object_key, uint32_t *attr_count,
                       sai_attribute_t **attr_list,
                       sai_status_t *object_statuses)
{
    return libsai_provider()->bulk_get_attribute(
        switch_id, object_type, object_count, object_key, attr_count, attr_list,
        object_statuses);
}

sai_status_t
sai_object_type_get_availability(sai_object_id_t switch_id,
                                 sai_object_type_t object_type,
                                 uint32_t attr_count,
                                 const sai_attribute_t *attr_list,
                                 uint64_t *count)
{
    return libsai_provider()->availability(switch_id, object_type, attr_count,
                                           attr_list, count);
}

/* Capabilities -------------------------------------------------------- */

sai_status_t
sai_query_attribute_capability(sai_object_id_t switch_id,
                               sai_object_type_t object_type,
                               sai_attr_id_t attr_id,
                               sai_attr_capability_t *attr_capability)
{
    return libsai_provider()->attribute_capability(switch_id, object_type,
                                                   attr_id, attr_capability);
}

sai_status_t
sai_query_attribute_enum_values_capability(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    sai_attr_id_t attr_id, sai_s32_list_t *enum_values_capability)
{
    return libsai_provider()->enum_values(switch_id, object_type, attr_id,
                                          enum_values_capability);
}

sai_status_t
sai_query_stats_capability(sai_object_id_t switch_id,
                           sai_object_type_t object_type,
                           sai_stat_capability_list_t *stats_capability)
{
    return libsai_provider()->stats_capability(switch_id, object_type,
                                               stats_capability);
}

sai_status_t
sai_query_stats_st_capability(sai_object_id_t switch_id,
                              sai_object_type_t object_type,
                              sai_stat_st_capability_list_t *stats_capability)
{
    return libsai_provider()->stats_st_capability(switch_id, object_type,
                                                  stats_capability);
}

sai_status_t
sai_bulk_object_get_stats(sai_object_id_t switch_id,
                          sai_object_type_t object_type, uint32_t object_count,
                          const sai_object_key_t *object_key,
                          uint32_t number_of_counters,
                          const sai_stat_id_t *counter_ids,
                          sai_stats_mode_t mode, sai_status_t *object_statuses,
                          uint64_t *counters)
{
    return libsai_provider()->bulk_get_stats(
        switch_id, object_type, object_count, object_key, number_of_counters,
        counter_ids, mode, object_statuses, counters);
}

sai_status_t
sai_bulk_object_clear_stats(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    uint32_t object_count, const sai_object_key_t *object_key,
    uint32_t number_of_counters, const sai_stat_id_t *counter_ids,
    sai_stats_mode_t mode, sai_status_t *object_statuses)
{
    return libsai_provider()->bulk_clear_stats(
        switch_id, object_type, object_count, object_key, number_of_counters,
        counter_ids, mode, object_statuses);
}

sai_status_t
sai_query_object_stage(sai_object_id_t switch_id, sai_object_type_t object_type,
                       uint32_t attr_count, const sai_attribute_t *attr_list,
                       sai_object_stage_t *stage)
{
    return libsai_provider()->object_stage(switch_id, object_type, attr_count,
                                           attr_list, stage);
}
