/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAINEXTHOP_H
#define ORCHD_SAI_INCLUDE_SAINEXTHOP_H

/* Next hops: a neighbor on a router interface, or the far end of a tunnel. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "nexthop.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a next hop. */
#define SAI_OBJECT_FILE "next_hop.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Next hops.  A next hop to which routes or groups refer cannot be removed. */
typedef sai_status_t (*sai_create_next_hop_fn)(
    sai_object_id_t *next_hop_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_next_hop_fn)(sai_object_id_t next_hop_id);
typedef sai_status_t (*sai_set_next_hop_attribute_fn)(
    sai_object_id_t next_hop_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_next_hop_attribute_fn)(
    sai_object_id_t next_hop_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_NEXT_HOP.  The order of the members is the ABI. */
typedef struct _sai_next_hop_api_t {
    sai_create_next_hop_fn create_next_hop;
    sai_remove_next_hop_fn remove_next_hop;
    sai_set_next_hop_attribute_fn set_next_hop_attribute;
    sai_get_next_hop_attribute_fn get_next_hop_attribute;

    /* Since 1.13.0. */
    sai_bulk_object_create_fn create_next_hops;
    sai_bulk_object_remove_fn remove_next_hops;
    sai_bulk_object_set_attribute_fn set_next_hops_attribute;
    sai_bulk_object_get_attribute_fn get_next_hops_attribute;
} sai_next_hop_api_t;

#endif /* sainexthop.h */
