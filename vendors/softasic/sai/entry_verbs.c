/* SPDX-License-Identifier: Apache-2.0 */

/* The verbs of SAI on what has a key: routes, neighbors and addresses of the
 * forwarding database. */

#include <config.h>

#include "vendors/softasic/sai/entry_verbs.h"

#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/sai/bulk.h"
#include "vendors/softasic/sai/library.h"

/* What differs by type.  Those that are not of the forwarding database are
 * entries of vendors/softasic/program/routes.h. */
static const struct kind {
    sai_object_type_t type;
    sai_api_t api;   /* For its log level. */
    size_t key_size; /* In bytes, of SAI's struct. */
} kinds[] = {
    {SAI_OBJECT_TYPE_FDB_ENTRY, SAI_API_FDB, sizeof(sai_fdb_entry_t)},
    {SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, SAI_API_NEIGHBOR,
     sizeof(sai_neighbor_entry_t)},
    {SAI_OBJECT_TYPE_ROUTE_ENTRY, SAI_API_ROUTE, sizeof(sai_route_entry_t)},
};

static const struct kind *
kind_of(sai_object_type_t type)
{
    size_t i = 0;

    while (kinds[i].type != type) {
        i++;
    }
    return &kinds[i];
}

/* Logs why an entry was refused, if that is known. */
static sai_status_t
explained(sai_object_type_t type, sai_status_t status, const struct err *err)
{
    if (status != SAI_STATUS_SUCCESS && err->reason[0]) {
        library_log(kind_of(type)->api, SAI_LOG_LEVEL_INFO, "%s", err->reason);
    }
    return status;
}

sai_status_t
entry_verbs_create(sai_object_type_t type, const void *entry, uint32_t n,
                   const sai_attribute_t *attributes)
{
    struct daemon_switch *asic = library_get()->asic;
    struct err err = {0};

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n && !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (type == SAI_OBJECT_TYPE_FDB_ENTRY) {
        return entries_create(asic, entry, n, attributes);
    }
    return explained(
        type, routes_create(asic, type, entry, n, attributes, &err), &err);
}

sai_status_t
entry_verbs_remove(sai_object_type_t type, const void *entry)
{
    struct daemon_switch *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return type == SAI_OBJECT_TYPE_FDB_ENTRY ? entries_remove(asic, entry)
                                             : routes_remove(asic, type, entry);
}

sai_status_t
entry_verbs_set(sai_object_type_t type, const void *entry,
                const sai_attribute_t *attribute)
{
    struct daemon_switch *asic = library_get()->asic;
    struct objects_item *item;
    struct err err = {0};
    sai_status_t status;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!attribute) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (type == SAI_OBJECT_TYPE_FDB_ENTRY) {
        return entries_set(asic, entry, attribute);
    }
    status = function_table_find(asic, type, entry, &item);
    if (status == SAI_STATUS_SUCCESS) {
        status = asic_change(asic, item, attribute, &err);
    }
    return explained(type, status, &err);
}

sai_status_t
entry_verbs_get(sai_object_type_t type, const void *entry, uint32_t n,
                sai_attribute_t *attributes)
{
    struct daemon_switch *asic = library_get()->asic;
    struct objects_item *item;
    sai_status_t status;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n == 0 || !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    if (type == SAI_OBJECT_TYPE_FDB_ENTRY) {
        return entries_get(asic, entry, n, attributes);
    }
    status = function_table_find(asic, type, entry, &item);
    return status == SAI_STATUS_SUCCESS ? asic_read(asic, item, n, attributes)
                                        : status;
}

sai_status_t
face_remove_all_neighbors(sai_object_id_t switch_id)
{
    struct daemon_switch *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    routes_remove_neighbors(asic);
    return SAI_STATUS_SUCCESS;
}

sai_status_t
face_flush_fdb_entries(sai_object_id_t switch_id, uint32_t n,
                       const sai_attribute_t *attributes)
{
    struct daemon_switch *asic = library_get()->asic;
    sai_status_t status;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    status = entries_flush(asic, n, attributes);
    notify_deliver(asic);
    return status;
}

/* Several entries ------------------------------------------------------ */

/* Returns key 'i' of an array of keys of 'type'. */
static const void *
key_at(sai_object_type_t type, const void *entries, uint32_t i)
{
    return (const char *)entries + i * kind_of(type)->key_size;
}

sai_status_t
face_entries_create(sai_object_type_t type, uint32_t n_entries,
                    const void *entries, const uint32_t *n,
                    const sai_attribute_t **attributes,
                    sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !n || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i,
                      entry_verbs_create(type, key_at(type, entries, i), n[i],
                                         attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
face_entries_remove(sai_object_type_t type, uint32_t n_entries,
                    const void *entries, sai_bulk_op_error_mode_t mode,
                    sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i,
                      entry_verbs_remove(type, key_at(type, entries, i)));
        }
    }
    return bulk.result;
}

sai_status_t
face_entries_set(sai_object_type_t type, uint32_t n_entries,
                 const void *entries, const sai_attribute_t *attributes,
                 sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i,
                      entry_verbs_set(type, key_at(type, entries, i),
                                      &attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
face_entries_get(sai_object_type_t type, uint32_t n_entries,
                 const void *entries, const uint32_t *n,
                 sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,
                 sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !n || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i,
                      entry_verbs_get(type, key_at(type, entries, i), n[i],
                                      attributes[i]));
        }
    }
    return bulk.result;
}
