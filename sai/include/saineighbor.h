/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAINEIGHBOR_H
#define ORCHD_SAI_INCLUDE_SAINEIGHBOR_H

/* Neighbors: which MAC address an IP address has on a router interface. */

#include <saistatus.h>
#include <saitypes.h>

/* An entry is identified by what it says, not by an object id. */
typedef struct _sai_neighbor_entry_t {
    sai_object_id_t switch_id;
    sai_object_id_t rif_id;
    sai_ip_address_t ip_address;
} sai_neighbor_entry_t;

/* Attributes of a neighbor. */
#define SAI_OBJECT_FILE "neighbor_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Neighbors.  Unless NO_HOST_ROUTE says otherwise, packets to the address
 * follow the neighbor without a route. */
typedef sai_status_t (*sai_create_neighbor_entry_fn)(
    const sai_neighbor_entry_t *neighbor_entry, uint32_t attr_count,
    const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_neighbor_entry_fn)(
    const sai_neighbor_entry_t *neighbor_entry);
typedef sai_status_t (*sai_set_neighbor_entry_attribute_fn)(
    const sai_neighbor_entry_t *neighbor_entry, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_neighbor_entry_attribute_fn)(
    const sai_neighbor_entry_t *neighbor_entry, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Removes all neighbors of a switch. */
typedef sai_status_t (*sai_remove_all_neighbor_entries_fn)(
    sai_object_id_t switch_id);

/* Several neighbors in one call; the rules for bulk calls hold (saitypes.h). */
typedef sai_status_t (*sai_bulk_create_neighbor_entry_fn)(
    uint32_t object_count, const sai_neighbor_entry_t *neighbor_entry,
    const uint32_t *attr_count, const sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_remove_neighbor_entry_fn)(
    uint32_t object_count, const sai_neighbor_entry_t *neighbor_entry,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_set_neighbor_entry_attribute_fn)(
    uint32_t object_count, const sai_neighbor_entry_t *neighbor_entry,
    const sai_attribute_t *attr_list, sai_bulk_op_error_mode_t mode,
    sai_status_t *object_statuses);
typedef sai_status_t (*sai_bulk_get_neighbor_entry_attribute_fn)(
    uint32_t object_count, const sai_neighbor_entry_t *neighbor_entry,
    const uint32_t *attr_count, sai_attribute_t **attr_list,
    sai_bulk_op_error_mode_t mode, sai_status_t *object_statuses);

/* SAI_API_NEIGHBOR.  The order of the members is the ABI. */
typedef struct _sai_neighbor_api_t {
    sai_create_neighbor_entry_fn create_neighbor_entry;
    sai_remove_neighbor_entry_fn remove_neighbor_entry;
    sai_set_neighbor_entry_attribute_fn set_neighbor_entry_attribute;
    sai_get_neighbor_entry_attribute_fn get_neighbor_entry_attribute;
    sai_remove_all_neighbor_entries_fn remove_all_neighbor_entries;

    /* Since 1.11.0. */
    sai_bulk_create_neighbor_entry_fn create_neighbor_entries;
    sai_bulk_remove_neighbor_entry_fn remove_neighbor_entries;
    sai_bulk_set_neighbor_entry_attribute_fn set_neighbor_entries_attribute;
    sai_bulk_get_neighbor_entry_attribute_fn get_neighbor_entries_attribute;
} sai_neighbor_api_t;

#endif /* saineighbor.h */
