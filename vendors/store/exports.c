/* SPDX-License-Identifier: Apache-2.0 */

/* The exports of libsai-store: those of an old release, and of the optional
 * entry points only the capability queries. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <sai.h>

#include "sai/core/metadata.h"
#include "vendors/store/function_tables.h"
#include "vendors/store/library.h"

sai_status_t
sai_api_initialize(uint64_t flags, const sai_service_method_table_t *services)
{
    struct library *library = library_get();
    sai_status_t status;

    if (flags || !services) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (library->store) {
        return SAI_STATUS_FAILURE;
    }
    status = library_open(services);
    if (status == SAI_STATUS_SUCCESS) {
        library->tables =
            function_tables_create(library->version, library->bulk_absent);
    }
    return status;
}

sai_status_t
sai_api_uninitialize(void)
{
    if (!library_get()->store) {
        return SAI_STATUS_UNINITIALIZED;
    }
    function_tables_destroy(library_get()->tables);
    library_close();
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_api_query(sai_api_t api, void **api_method_table)
{
    void *table;

    if (!library_get()->store) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!api_method_table) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    table = function_tables_find(library_get()->tables, api);
    if (!table) {
        return api > SAI_API_UNSPECIFIED && api < SAI_API_MAX
                   ? SAI_STATUS_NOT_IMPLEMENTED
                   : SAI_STATUS_INVALID_PARAMETER;
    }
    *api_method_table = table;
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_query_api_version(sai_api_version_t *version)
{
    if (!version) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return library_version(version) ? SAI_STATUS_SUCCESS : SAI_STATUS_FAILURE;
}

sai_status_t
sai_log_set(sai_api_t api, sai_log_level_t log_level)
{
    return api <= SAI_API_UNSPECIFIED || api >= SAI_API_MAX ||
                   log_level > SAI_LOG_LEVEL_CRITICAL
               ? SAI_STATUS_INVALID_PARAMETER
               : SAI_STATUS_SUCCESS;
}

sai_object_type_t
sai_object_type_query(sai_object_id_t object_id)
{
    const struct store *store = library_get()->store;

    return store ? store_type_of(store, library_in(object_id))
                 : SAI_OBJECT_TYPE_NULL;
}

sai_object_id_t
sai_switch_id_query(sai_object_id_t object_id)
{
    return sai_object_type_query(object_id) == SAI_OBJECT_TYPE_NULL
               ? SAI_NULL_OBJECT_ID
               : library_out(store_backend(library_get()->store)->switch_id);
}

sai_status_t
sai_dbg_generate_dump(const char *dump_file_name)
{
    FILE *file;
    char *text;
    bool written;

    if (!library_get()->store) {
        return SAI_STATUS_UNINITIALIZED;
    }
    file = dump_file_name ? fopen(dump_file_name, "we") : NULL;
    if (!file) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    text = store_dump(library_get()->store);
    written = fputs(text, file) >= 0;
    written = fclose(file) == 0 && written;
    free(text);
    return written ? SAI_STATUS_SUCCESS : SAI_STATUS_FAILURE;
}

sai_status_t
sai_query_attribute_capability(sai_object_id_t switch_id,
                               sai_object_type_t object_type,
                               sai_attr_id_t attr_id,
                               sai_attr_capability_t *attr_capability)
{
    const struct metadata_attribute *attribute =
        metadata_attribute(object_type, attr_id);
    bool has;

    if (!library_get()->answers_capabilities) {
        return SAI_STATUS_NOT_IMPLEMENTED;
    }
    if (sai_object_type_query(switch_id) != SAI_OBJECT_TYPE_SWITCH ||
        !attribute || !attr_capability) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    has = library_check_attribute(object_type, attr_id) == SAI_STATUS_SUCCESS;
    memset(attr_capability, 0, sizeof *attr_capability);
    attr_capability->create_implemented =
        has && !(attribute->flags & METADATA_FLAG_READ_ONLY);
    attr_capability->set_implemented =
        has && (attribute->flags & METADATA_FLAG_CREATE_AND_SET);
    attr_capability->get_implemented =
        has && !library_is_unreadable(object_type, attr_id);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
sai_query_attribute_enum_values_capability(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    sai_attr_id_t attr_id, sai_s32_list_t *enum_values_capability)
{
    (void)switch_id;
    (void)object_type;
    (void)attr_id;
    (void)enum_values_capability;
    return SAI_STATUS_NOT_IMPLEMENTED;
}
