/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIFDB_H
#define ORCHD_SAI_INCLUDE_SAIFDB_H

/* Forwarding database: which MAC address is where.
 *
 * Entries are static, made by the host, or dynamic, learned from source
 * addresses and forgotten after SAI_SWITCH_ATTR_FDB_AGING_TIME. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "fdb.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* An entry is identified by what it says, not by an object id. */
typedef struct _sai_fdb_entry_t {
    sai_object_id_t switch_id;
    sai_mac_t mac_address;
    sai_object_id_t bv_id; /* A VLAN or a bridge. */
} sai_fdb_entry_t;

/* Attributes of an entry. */
#define SAI_OBJECT_FILE "fdb_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Arguments of a flush. */
#define SAI_OBJECT_FILE "fdb_flush.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* 'attr' holds 'attr_count' attributes of the entry; both belong to the
 * library and end with the callback. */
typedef struct _sai_fdb_event_notification_data_t {
    sai_fdb_event_t event_type;
    sai_fdb_entry_t fdb_entry;
    uint32_t attr_count;
    sai_attribute_t *attr;
} sai_fdb_event_notification_data_t;

/* SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY. */
typedef void (*sai_fdb_event_notification_fn)(
    uint32_t count, const sai_fdb_event_notification_data_t *data);

/* Entries.  Creating an existing entry is SAI_STATUS_ITEM_ALREADY_EXISTS. */
typedef sai_status_t (*sai_create_fdb_entry_fn)(
    const sai_fdb_entry_t *fdb_entry, uint32_t attr_count,
    const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_fdb_entry_fn)(
    const sai_fdb_entry_t *fdb_entry);
typedef sai_status_t (*sai_set_fdb_entry_attribute_fn)(
    const sai_fdb_entry_t *fdb_entry, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_fdb_entry_attribute_fn)(
    const sai_fdb_entry_t *fdb_entry, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Forgets all entries that match the arguments, dynamic ones unless they say
 * otherwise. */
typedef sai_status_t (*sai_flush_fdb_entries_fn)(
    sai_object_id_t switch_id, uint32_t attr_count,
    const sai_attribute_t *attr_list);

/* Several entries in one call; the rules for bulk calls hold (saitypes.h). */
typedef sai_status_t (*sai_bulk_create_fdb_entry_fn)(
    uint32_t object_count, const sai_fdb_entry_t *fdb_entry,
    const uint32_t *attr_count, const sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_remove_fdb_entry_fn)(
    uint32_t object_count, const sai_fdb_entry_t *fdb_entry,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_set_fdb_entry_attribute_fn)(
    uint32_t object_count, const sai_fdb_entry_t *fdb_entry,
    const sai_attribute_t *attr_list, sai_bulk_op_error_mode_t mode,
    sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_get_fdb_entry_attribute_fn)(
    uint32_t object_count, const sai_fdb_entry_t *fdb_entry,
    const uint32_t *attr_count, sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);

/* SAI_API_FDB.  The order of the members is the ABI. */
typedef struct _sai_fdb_api_t {
    sai_create_fdb_entry_fn create_fdb_entry;
    sai_remove_fdb_entry_fn remove_fdb_entry;
    sai_set_fdb_entry_attribute_fn set_fdb_entry_attribute;
    sai_get_fdb_entry_attribute_fn get_fdb_entry_attribute;
    sai_flush_fdb_entries_fn flush_fdb_entries;
    sai_bulk_create_fdb_entry_fn create_fdb_entries;
    sai_bulk_remove_fdb_entry_fn remove_fdb_entries;
    sai_bulk_set_fdb_entry_attribute_fn set_fdb_entries_attribute;
    sai_bulk_get_fdb_entry_attribute_fn get_fdb_entries_attribute;
} sai_fdb_api_t;

#endif /* saifdb.h */
