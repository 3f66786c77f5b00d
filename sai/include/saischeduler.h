/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAISCHEDULER_H
#define ORCHD_SAI_INCLUDE_SAISCHEDULER_H

/* Scheduler profiles: discipline, weight and rates of a queue, of a
 * scheduler group or of a port.
 *
 * Rates are bytes (not bits) or packets per second, by METER_TYPE. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "scheduler.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a scheduler profile.  A guaranteed rate and a limit are
 * independent of the discipline. */
#define SAI_OBJECT_FILE "scheduler.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Profiles.  A profile in use cannot be removed.  A change applies to all users
 * at once. */
typedef sai_status_t (*sai_create_scheduler_fn)(
    sai_object_id_t *scheduler_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_scheduler_fn)(sai_object_id_t scheduler_id);
typedef sai_status_t (*sai_set_scheduler_attribute_fn)(
    sai_object_id_t scheduler_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_scheduler_attribute_fn)(
    sai_object_id_t scheduler_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_SCHEDULER.  The order of the members is the ABI. */
typedef struct _sai_scheduler_api_t {
    sai_create_scheduler_fn create_scheduler;
    sai_remove_scheduler_fn remove_scheduler;
    sai_set_scheduler_attribute_fn set_scheduler_attribute;
    sai_get_scheduler_attribute_fn get_scheduler_attribute;
} sai_scheduler_api_t;

#endif /* saischeduler.h */
