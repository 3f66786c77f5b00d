/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAILAG_H
#define ORCHD_SAI_INCLUDE_SAILAG_H

/* Link aggregation groups.  Their ports are members; traffic is shared among
 * those whose egress is not disabled. */

#include <saistatus.h>
#include <saitypes.h>

/* Attributes of a LAG. */
#define SAI_OBJECT_FILE "lag.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a LAG member. */
#define SAI_OBJECT_FILE "lag_member.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Groups.  A group with members cannot be removed. */
typedef sai_status_t (*sai_create_lag_fn)(sai_object_id_t *lag_id,
                                          sai_object_id_t switch_id,
                                          uint32_t attr_count,
                                          const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_lag_fn)(sai_object_id_t lag_id);
typedef sai_status_t (*sai_set_lag_attribute_fn)(sai_object_id_t lag_id,
                                                 const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_lag_attribute_fn)(sai_object_id_t lag_id,
                                                 uint32_t attr_count,
                                                 sai_attribute_t *attr_list);

/* Members.  A port belongs to one group at most. */
typedef sai_status_t (*sai_create_lag_member_fn)(
    sai_object_id_t *lag_member_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_lag_member_fn)(sai_object_id_t lag_member_id);
typedef sai_status_t (*sai_set_lag_member_attribute_fn)(
    sai_object_id_t lag_member_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_lag_member_attribute_fn)(
    sai_object_id_t lag_member_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_LAG.  The order of the members is the ABI. */
typedef struct _sai_lag_api_t {
    sai_create_lag_fn create_lag;
    sai_remove_lag_fn remove_lag;
    sai_set_lag_attribute_fn set_lag_attribute;
    sai_get_lag_attribute_fn get_lag_attribute;
    sai_create_lag_member_fn create_lag_member;
    sai_remove_lag_member_fn remove_lag_member;
    sai_set_lag_member_attribute_fn set_lag_member_attribute;
    sai_get_lag_member_attribute_fn get_lag_member_attribute;
    sai_bulk_object_create_fn create_lag_members;
    sai_bulk_object_remove_fn remove_lag_members;
} sai_lag_api_t;

#endif /* sailag.h */
