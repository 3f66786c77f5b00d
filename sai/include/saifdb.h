/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIFDB_H
#define ORCHD_SAI_INCLUDE_SAIFDB_H

/* Forwarding database: the key of an entry, and the notification of changes.
 * Programming entries is not modelled here yet. */

#include <saitypes.h>

/* An entry is identified by what it says, not by an object id. */
typedef struct _sai_fdb_entry_t {
    sai_object_id_t switch_id;
    sai_mac_t mac_address;
    sai_object_id_t bv_id; /* A VLAN or a bridge. */
} sai_fdb_entry_t;

/* What happened to an entry. */
typedef enum _sai_fdb_event_t {
    SAI_FDB_EVENT_LEARNED = 0,
    SAI_FDB_EVENT_AGED = 1,
    SAI_FDB_EVENT_MOVE = 2,
    SAI_FDB_EVENT_FLUSHED = 3,
} sai_fdb_event_t;

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

#endif /* saifdb.h */
