/* SPDX-License-Identifier: Apache-2.0 */

/* The functions of sai.h and saiobject.h on the switch of this process. */

#include <config.h>

#include "vendors/softasic/sai/in_process.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "sai/core/metadata.h"
#include "vendors/objects/dump.h"
#include "vendors/remote/connection.h"
#include "vendors/softasic/program/counters.h"
#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/capabilities.h"
#include "vendors/softasic/sai/chip_select.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/sai/local_verbs.h"

/* Modes in which every counter can be read. */
#define STATS_MODES                                                            \
    (SAI_STATS_MODE_READ | SAI_STATS_MODE_READ_AND_CLEAR |                     \
     SAI_STATS_MODE_BULK_READ | SAI_STATS_MODE_BULK_CLEAR |                    \
     SAI_STATS_MODE_BULK_READ_AND_CLEAR)

/* SAI_STATUS_SUCCESS if 'switch_id' is the switch. */
static sai_status_t
check_switch(sai_object_id_t switch_id)
{
    const struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return switch_id == asic->sw->oid ? SAI_STATUS_SUCCESS
                                      : SAI_STATUS_INVALID_OBJECT_ID;
}

/* Library ------------------------------------------------------------- */

static sai_status_t
in_process_initialize(uint64_t flags,
                      const sai_service_method_table_t *services)
{
    struct library *library = library_get();
    const char *socket;

    if (flags != 0 || !services) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (library->is_initialized) {
        return SAI_STATUS_FAILURE;
    }
    socket = chip_select_socket(services);
    if (socket) {
        return connection_open(services, socket);
    }
    library->services = *services;
    library->is_initialized = true;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
in_process_uninitialize(void)
{
    if (!library_get()->is_initialized) {
        return SAI_STATUS_UNINITIALIZED;
    }
    library_reset();
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
in_process_log_set(sai_api_t api, sai_log_level_t log_level)
{
    if (api <= SAI_API_UNSPECIFIED || api >= SAI_API_MAX ||
        log_level > SAI_LOG_LEVEL_CRITICAL) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    library_get()->levels[api] = log_level;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
in_process_dump(const char *dump_file_name)
{
    const struct asic *asic = library_get()->asic;
    struct text text = {0};
    FILE *file;
    bool written;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    file = dump_file_name ? fopen(dump_file_name, "we") : NULL;
    if (!file) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    dump_objects(asic->objects, &text);
    written = fputs(text_string(&text), file) >= 0;
    written = fclose(file) == 0 && written;
    text_fini(&text);
    return written ? SAI_STATUS_SUCCESS : SAI_STATUS_FAILURE;
}

/* Objects ------------------------------------------------------------- */

static sai_object_type_t
in_process_object_type(sai_object_id_t object_id)
{
    const struct asic *asic = library_get()->asic;
    const struct objects_item *item =
        asic ? objects_find(asic->objects, object_id) : NULL;

    return item ? item->type : SAI_OBJECT_TYPE_NULL;
}

static sai_object_id_t
in_process_switch_id(sai_object_id_t object_id)
{
    return in_process_object_type(object_id) == SAI_OBJECT_TYPE_NULL
               ? SAI_NULL_OBJECT_ID
               : library_get()->asic->sw->oid;
}

static sai_status_t
in_process_max_attributes(sai_object_id_t switch_id,
                          sai_object_type_t object_type, uint32_t *count)
{
    const struct metadata_object *meta = metadata_object(object_type);
    const sai_status_t status = check_switch(switch_id);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!count || !meta) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *count = meta->n_attributes;
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
in_process_object_count(sai_object_id_t switch_id,
                        sai_object_type_t object_type, uint32_t *count)
{
    const sai_status_t status = check_switch(switch_id);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!count || object_type == SAI_OBJECT_TYPE_NULL ||
        !metadata_type_name(object_type)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *count = asic_count(library_get()->asic, object_type);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
in_process_object_keys(sai_object_id_t switch_id, sai_object_type_t object_type,
                       uint32_t *object_count, sai_object_key_t *object_list)
{
    uint32_t n;
    sai_status_t status;

    if (!object_count) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = in_process_object_count(switch_id, object_type, &n);
    return status == SAI_STATUS_SUCCESS
               ? asic_list(library_get()->asic, object_type, object_count,
                           object_list)
               : status;
}

static sai_status_t
in_process_bulk_get_attribute(sai_object_id_t switch_id,
                              sai_object_type_t object_type,
                              uint32_t object_count,
                              const sai_object_key_t *object_key,
                              uint32_t *attr_count, sai_attribute_t **attr_list,
                              sai_status_t *object_statuses)
{
    sai_status_t result = check_switch(switch_id);

    if (result != SAI_STATUS_SUCCESS) {
        return result;
    }
    if (object_count == 0 || !object_key || !attr_count || !attr_list ||
        !object_statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < object_count; i++) {
        object_statuses[i] =
            local_verbs_get(object_type, object_key[i].key.object_id,
                            attr_count[i], attr_list[i]);
        if (object_statuses[i] != SAI_STATUS_SUCCESS) {
            result = SAI_STATUS_FAILURE;
        }
    }
    return result;
}

static sai_status_t
in_process_availability(sai_object_id_t switch_id,
                        sai_object_type_t object_type, uint32_t attr_count,
                        const sai_attribute_t *attr_list, uint64_t *count)
{
    const sai_status_t status = check_switch(switch_id);

    (void)attr_count;
    (void)attr_list;
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!count || !metadata_object(object_type)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *count = asic_availability(library_get()->asic, object_type);
    return SAI_STATUS_SUCCESS;
}

/* Capabilities -------------------------------------------------------- */

static sai_status_t
in_process_attribute_capability(sai_object_id_t switch_id,
                                sai_object_type_t object_type,
                                sai_attr_id_t attr_id,
                                sai_attr_capability_t *attr_capability)
{
    const struct metadata_attribute *meta =
        metadata_attribute(object_type, attr_id);
    const sai_status_t status = check_switch(switch_id);

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!attr_capability || !meta) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    capabilities_attribute(library_get()->asic, meta, object_type,
                           attr_capability);
    return SAI_STATUS_SUCCESS;
}

static sai_status_t
in_process_enum_values(sai_object_id_t switch_id, sai_object_type_t object_type,
                       sai_attr_id_t attr_id,
                       sai_s32_list_t *enum_values_capability)
{
    const struct metadata_attribute *meta =
        metadata_attribute(object_type, attr_id);
    const sai_status_t status = check_switch(switch_id);
    uint32_t n = 0;

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!enum_values_capability || !meta || !meta->enumeration) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    /* Count first: if the capacity is too small, nothing may be written. */
    for (int pass = 0; pass < 2; pass++) {
        const struct metadata_enum *all = meta->enumeration;

        n = 0;
        for (uint32_t i = 0; i < all->n_members; i++) {
            const int32_t value = all->members[i].value;

            if (!capabilities_value(library_get()->asic, object_type, attr_id,
                                    value) ||
                (i && value == all->members[i - 1].value)) {
                continue;
            }
            if (pass == 1) {
                enum_values_capability->list[n] = value;
            }
            n++;
        }
        if (pass == 0 && (enum_values_capability->count < n ||
                          !enum_values_capability->list)) {
            enum_values_capability->count = n;
            return SAI_STATUS_BUFFER_OVERFLOW;
        }
    }
    enum_values_capability->count = n;
    return SAI_STATUS_SUCCESS;
}

/* Checks the arguments of a query for the counters of 'type', with capacity
 * '*count', and stores their number there. */
static sai_status_t
count_stats(sai_object_id_t switch_id, sai_object_type_t type, uint32_t *count,
            const void *list)
{
    const sai_status_t status = check_switch(switch_id);
    const uint32_t capacity = *count;

    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!metadata_object(type)) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    *count = counters_list(type, 0, NULL);
    if (*count == 0) {
        return SAI_STATUS_NOT_SUPPORTED;
    }
    return capacity < *count || !list ? SAI_STATUS_BUFFER_OVERFLOW
                                      : SAI_STATUS_SUCCESS;
}

enum { MAX_STATS = 256 }; /* More than any type offers. */

static sai_status_t
in_process_stats_capability(sai_object_id_t switch_id,
                            sai_object_type_t object_type,
                            sai_stat_capability_list_t *stats_capability)
{
    sai_stat_id_t ids[MAX_STATS];
    sai_status_t status;

    if (!stats_capability) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    status = count_stats(switch_id, object_type, &stats_capability->count,
                         stats_capability->list);
    if (status == SAI_STATUS_SUCCESS) {
        counters_list(object_type, MAX_STATS, ids);
        for (uint32_t i = 0; i < stats_capability->count; i++) {
            stats_capability->list[i] =
                (sai_stat_capability_t){ids[i], STATS_MODES};
        }
    }
    return status;
}

static sai_status_t
in_process_stats_st_capability(sai_object_id_t switch_id,
                               sai_object_type_t object_type,
                               sai_stat_st_capability_list_t *stats_capability)
{
    (void)object_type;
    (void)stats_capability;
    return check_switch(switch_id) == SAI_STATUS_SUCCESS
               ? SAI_STATUS_NOT_SUPPORTED /* No streaming telemetry. */
               : check_switch(switch_id);
}

/* Returns the mode for one object of a bulk mode, 0 if it is invalid. */
static sai_stats_mode_t
single_mode(sai_stats_mode_t mode)
{
    switch (mode) {
    case SAI_STATS_MODE_READ:
    case SAI_STATS_MODE_BULK_READ:
        return SAI_STATS_MODE_READ;
    case SAI_STATS_MODE_READ_AND_CLEAR:
    case SAI_STATS_MODE_BULK_CLEAR:
    case SAI_STATS_MODE_BULK_READ_AND_CLEAR:
        return SAI_STATS_MODE_READ_AND_CLEAR;
    default:
        return (sai_stats_mode_t)0;
    }
}

/* Reads or clears counters, or both, object by object; 'counters' is NULL to
 * clear only. */
static sai_status_t
bulk_stats(sai_object_id_t switch_id, sai_object_type_t type,
           uint32_t object_count, const sai_object_key_t *object_key,
           uint32_t n, const sai_stat_id_t *ids, sai_stats_mode_t mode,
           sai_status_t *statuses, uint64_t *counters)
{
    sai_status_t result = check_switch(switch_id);

    if (result != SAI_STATUS_SUCCESS) {
        return result;
    }
    if (object_count == 0 || !object_key || !statuses ||
        single_mode(mode) == 0) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < object_count; i++) {
        statuses[i] = local_verbs_stats(
            type, object_key[i].key.object_id, n, ids, single_mode(mode),
            counters ? counters + (size_t)i * n : NULL);
        if (statuses[i] != SAI_STATUS_SUCCESS) {
            result = SAI_STATUS_FAILURE;
        }
    }
    return result;
}

static sai_status_t
in_process_bulk_get_stats(sai_object_id_t switch_id,
                          sai_object_type_t object_type, uint32_t object_count,
                          const sai_object_key_t *object_key,
                          uint32_t number_of_counters,
                          const sai_stat_id_t *counter_ids,
                          sai_stats_mode_t mode, sai_status_t *object_statuses,
                          uint64_t *counters)
{
    return counters ? bulk_stats(switch_id, object_type, object_count,
                                 object_key, number_of_counters, counter_ids,
                                 mode, object_statuses, counters)
                    : SAI_STATUS_INVALID_PARAMETER;
}

static sai_status_t
in_process_bulk_clear_stats(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    uint32_t object_count, const sai_object_key_t *object_key,
    uint32_t number_of_counters, const sai_stat_id_t *counter_ids,
    sai_stats_mode_t mode, sai_status_t *object_statuses)
{
    (void)mode; /* The call always clears. */
    return bulk_stats(switch_id, object_type, object_count, object_key,
                      number_of_counters, counter_ids,
                      SAI_STATS_MODE_READ_AND_CLEAR, object_statuses, NULL);
}

static sai_status_t
in_process_object_stage(sai_object_id_t switch_id,
                        sai_object_type_t object_type, uint32_t attr_count,
                        const sai_attribute_t *attr_list,
                        sai_object_stage_t *stage)
{
    const sai_status_t status = check_switch(switch_id);

    (void)attr_count;
    (void)attr_list;
    if (status != SAI_STATUS_SUCCESS) {
        return status;
    }
    if (!stage) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    switch (object_type) {
    case SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP:
        *stage = SAI_OBJECT_STAGE_INGRESS;
        return SAI_STATUS_SUCCESS;
    case SAI_OBJECT_TYPE_QUEUE:
        *stage = SAI_OBJECT_STAGE_EGRESS;
        return SAI_STATUS_SUCCESS;
    default:
        return SAI_STATUS_NOT_SUPPORTED;
    }
}

static bool
in_process_is_initialized(void)
{
    return library_get()->is_initialized;
}

const struct libsai *
in_process_provider(void)
{
    static const struct libsai provider = {
        .initialize = in_process_initialize,
        .uninitialize = in_process_uninitialize,
        .log_set = in_process_log_set,
        .dump = in_process_dump,
        .object_type = in_process_object_type,
        .switch_id = in_process_switch_id,
        .max_attributes = in_process_max_attributes,
        .object_count = in_process_object_count,
        .object_keys = in_process_object_keys,
        .bulk_get_attribute = in_process_bulk_get_attribute,
        .availability = in_process_availability,
        .attribute_capability = in_process_attribute_capability,
        .enum_values = in_process_enum_values,
        .stats_capability = in_process_stats_capability,
        .stats_st_capability = in_process_stats_st_capability,
        .bulk_get_stats = in_process_bulk_get_stats,
        .bulk_clear_stats = in_process_bulk_clear_stats,
        .object_stage = in_process_object_stage,
        .is_initialized = in_process_is_initialized,
#define X(member) .member = local_verbs_##member,
        LOCAL_VERBS(X)
#undef X
    };

    return &provider;
}
