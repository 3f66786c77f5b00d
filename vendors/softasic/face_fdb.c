/* SPDX-License-Identifier: Apache-2.0 */

/* The functions of SAI on entries of the forwarding database. */

#include <config.h>

#include "vendors/softasic/bulk.h"
#include "vendors/softasic/entries.h"
#include "vendors/softasic/face.h"
#include "vendors/softasic/library.h"
#include "vendors/softasic/notify.h"

sai_status_t
face_fdb_create(const sai_fdb_entry_t *entry, uint32_t n,
                const sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;

    return asic ? entries_create(asic, entry, n, attributes)
                : SAI_STATUS_UNINITIALIZED;
}

sai_status_t
face_fdb_remove(const sai_fdb_entry_t *entry)
{
    struct asic *asic = library_get()->asic;

    return asic ? entries_remove(asic, entry) : SAI_STATUS_UNINITIALIZED;
}

sai_status_t
face_fdb_set(const sai_fdb_entry_t *entry, const sai_attribute_t *attribute)
{
    struct asic *asic = library_get()->asic;

    if (!asic) {
        return SAI_STATUS_UNINITIALIZED;
    }
    return attribute ? entries_set(asic, entry, attribute)
                     : SAI_STATUS_INVALID_PARAMETER;
}

sai_status_t
face_fdb_get(const sai_fdb_entry_t *entry, uint32_t n,
             sai_attribute_t *attributes)
{
    const struct asic *asic = library_get()->asic;

    return asic ? entries_get(asic, entry, n, attributes)
                : SAI_STATUS_UNINITIALIZED;
}

sai_status_t
face_fdb_flush(sai_object_id_t switch_id, uint32_t n,
               const sai_attribute_t *attributes)
{
    struct asic *asic = library_get()->asic;
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

sai_status_t
face_fdb_bulk_create(uint32_t n_entries, const sai_fdb_entry_t *entries,
                     const uint32_t *n, const sai_attribute_t **attributes,
                     sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !n || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i,
                      face_fdb_create(&entries[i], n[i], attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
face_fdb_bulk_remove(uint32_t n_entries, const sai_fdb_entry_t *entries,
                     sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i, face_fdb_remove(&entries[i]));
        }
    }
    return bulk.result;
}

sai_status_t
face_fdb_bulk_set(uint32_t n_entries, const sai_fdb_entry_t *entries,
                  const sai_attribute_t *attributes,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i, face_fdb_set(&entries[i], &attributes[i]));
        }
    }
    return bulk.result;
}

sai_status_t
face_fdb_bulk_get(uint32_t n_entries, const sai_fdb_entry_t *entries,
                  const uint32_t *n, sai_attribute_t **attributes,
                  sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_entries == 0 || !entries || !n || !attributes || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_entries; i++) {
        if (bulk_goes_on(&bulk, i)) {
            bulk_note(&bulk, i, face_fdb_get(&entries[i], n[i], attributes[i]));
        }
    }
    return bulk.result;
}
