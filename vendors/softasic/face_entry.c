/* SPDX-License-Identifier: Apache-2.0 */

/* The verbs of SAI on routes and neighbors. */

#include <config.h>

#include "vendors/softasic/face_entry.h"

#include "vendors/softasic/bulk.h"
#include "vendors/softasic/library.h"
#include "vendors/softasic/routes.h"

/* Logs why an entry was refused, if that is known. */
static sai_status_t
explained(sai_object_type_t type, sai_status_t status, const struct err *err)
{
    if (status != SAI_STATUS_SUCCESS && err->reason[0]) {
        library_log(type == SAI_OBJECT_TYPE_ROUTE_ENTRY ? SAI_API_ROUTE
                                                        : SAI_API_NEIGHBOR,
                    SAI_LOG_LEVEL_INFO, "%s", err->reason);
    }
    return status;
}

sai_status_t
face_entry_create(sai_object_type_t type, const void *entry, uint32_t n,
                  const sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;
    struct err err = {0};

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n && !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return explained(
        type, routes_create(asic, type, entry, n, attributes, &err), &err);
}

sai_status_t
face_entry_remove(sai_object_type_t type, const void *entry)
{
    struct asic *asic = library_get()->asic;

    return asic ? routes_remove(asic, type, entry) : SAI_STATUS_UNINITIALIZED;
}

sai_status_t
face_entry_set(sai_object_type_t type, const void *entry,
               const sai_attribute_t *attribute)
{
    struct asic *asic = library_get()->asic;
    struct err err = {0};

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (!attribute) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return explained(type, routes_set(asic, type, entry, attribute, &err),
                     &err);
}

sai_status_t
face_entry_get(sai_object_type_t type, const void *entry, uint32_t n,
               sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (n == 0 || !attributes) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    return routes_get(asic, type, entry, n, attributes);
}

sai_status_t
face_remove_all_neighbors(sai_object_id_t switch_id)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    if (switch_id != asic->sw->oid) {
        return SAI_STATUS_INVALID_OBJECT_ID;
    }
    routes_remove_neighbors(asic);
    return SAI_STATUS_SUCCESS;
}

/* Several entries ------------------------------------------------------ */

/* Returns key 'i' of an array of keys of 'type'. */
static const void *
key_at(sai_object_type_t type, const void *entries, uint32_t i)
{
    return type == SAI_OBJECT_TYPE_ROUTE_ENTRY
               ? (const void *)((const sai_route_entry_t *)entries + i)
               : (const void *)((const sai_neighbor_entry_t *)entries + i);
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
                      face_entry_create(type, key_at(type, entries, i), n[i],
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
                      face_entry_remove(type, key_at(type, entries, i)));
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
            bulk_note(
                &bulk, i,
                face_entry_set(type, key_at(type, entries, i), &attributes[i]));
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
                      face_entry_get(type, key_at(type, entries, i), n[i],
                                     attributes[i]));
        }
    }
    return bulk.result;
}
