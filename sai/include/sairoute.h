/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIROUTE_H
#define ORCHD_SAI_INCLUDE_SAIROUTE_H

/* Routes.  Of all prefixes that match, the longest one counts. */

#include <saistatus.h>
#include <saitypes.h>

/* An entry is identified by what it says, not by an object id. */
typedef struct _sai_route_entry_t {
    sai_object_id_t switch_id;
    sai_object_id_t vr_id;
    sai_ip_prefix_t destination;
} sai_route_entry_t;

/* Attributes of a route. */
#define SAI_OBJECT_FILE "route_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Routes.  Creating an existing route is SAI_STATUS_ITEM_ALREADY_EXISTS. */
typedef sai_status_t (*sai_create_route_entry_fn)(
    const sai_route_entry_t *route_entry, uint32_t attr_count,
    const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_route_entry_fn)(
    const sai_route_entry_t *route_entry);
typedef sai_status_t (*sai_set_route_entry_attribute_fn)(
    const sai_route_entry_t *route_entry, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_route_entry_attribute_fn)(
    const sai_route_entry_t *route_entry, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Several routes in one call; the rules for bulk calls hold (saitypes.h). */
typedef sai_status_t (*sai_bulk_create_route_entry_fn)(
    uint32_t object_count, const sai_route_entry_t *route_entry,
    const uint32_t *attr_count, const sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_remove_route_entry_fn)(
    uint32_t object_count, const sai_route_entry_t *route_entry,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_set_route_entry_attribute_fn)(
    uint32_t object_count, const sai_route_entry_t *route_entry,
    const sai_attribute_t *attr_list, sai_bulk_op_error_mode_t mode,
    sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_get_route_entry_attribute_fn)(
    uint32_t object_count, const sai_route_entry_t *route_entry,
    const uint32_t *attr_count, sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);

/* SAI_API_ROUTE.  The order of the members is the ABI. */
typedef struct _sai_route_api_t {
    sai_create_route_entry_fn create_route_entry;
    sai_remove_route_entry_fn remove_route_entry;
    sai_set_route_entry_attribute_fn set_route_entry_attribute;
    sai_get_route_entry_attribute_fn get_route_entry_attribute;
    sai_bulk_create_route_entry_fn create_route_entries;
    sai_bulk_remove_route_entry_fn remove_route_entries;
    sai_bulk_set_route_entry_attribute_fn set_route_entries_attribute;
    sai_bulk_get_route_entry_attribute_fn get_route_entries_attribute;
} sai_route_api_t;

#endif /* sairoute.h */
