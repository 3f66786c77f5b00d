/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAISCHEDULERGROUP_H
#define ORCHD_SAI_INCLUDE_SAISCHEDULERGROUP_H

/* Scheduler groups: the nodes between a port and its queues.  They usually
 * exist with their port. */

#include <saistatus.h>
#include <saitypes.h>

/* Attributes of a scheduler group. */
#define SAI_OBJECT_FILE "scheduler_group.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Groups exist with their port in most libraries; a client then sets their
 * profile only. */
typedef sai_status_t (*sai_create_scheduler_group_fn)(
    sai_object_id_t *scheduler_group_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_scheduler_group_fn)(
    sai_object_id_t scheduler_group_id);
typedef sai_status_t (*sai_set_scheduler_group_attribute_fn)(
    sai_object_id_t scheduler_group_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_scheduler_group_attribute_fn)(
    sai_object_id_t scheduler_group_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_SCHEDULER_GROUP.  The order of the members is the ABI. */
typedef struct _sai_scheduler_group_api_t {
    sai_create_scheduler_group_fn create_scheduler_group;
    sai_remove_scheduler_group_fn remove_scheduler_group;
    sai_set_scheduler_group_attribute_fn set_scheduler_group_attribute;
    sai_get_scheduler_group_attribute_fn get_scheduler_group_attribute;
} sai_scheduler_group_api_t;

#endif /* saischedulergroup.h */
