/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIQUEUE_H
#define ORCHD_SAI_INCLUDE_SAIQUEUE_H

/* Egress queues.
 *
 * Queues exist with their port and are found in
 * SAI_PORT_ATTR_QOS_QUEUE_LIST, unicast ones first.  A client attaches a
 * buffer profile, a WRED profile and a scheduler to them. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "queue.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a queue. */
#define SAI_OBJECT_FILE "queue.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Queues exist with their port; a client usually sets them only.  Setting a
 * profile to null detaches it. */
typedef sai_status_t (*sai_create_queue_fn)(sai_object_id_t *queue_id,
                                            sai_object_id_t switch_id,
                                            uint32_t attr_count,
                                            const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_queue_fn)(sai_object_id_t queue_id);
typedef sai_status_t (*sai_set_queue_attribute_fn)(sai_object_id_t queue_id,
                                                   const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_queue_attribute_fn)(sai_object_id_t queue_id,
                                                   uint32_t attr_count,
                                                   sai_attribute_t *attr_list);

/* Counters of a queue.  Reads the counters 'counter_ids' of one object into
 * 'counters', as many as 'number_of_counters'; an id that the library does
 * not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The third clears.  A
 * watermark that is cleared restarts at the present occupancy. */
typedef sai_status_t (*sai_get_queue_stats_fn)(sai_object_id_t queue_id,
                                               uint32_t number_of_counters,
                                               const sai_stat_id_t *counter_ids,
                                               uint64_t *counters);
typedef sai_status_t (*sai_get_queue_stats_ext_fn)(
    sai_object_id_t queue_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_queue_stats_fn)(
    sai_object_id_t queue_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* A queue that stayed paused for the detection time, or whose recovery has
 * ended. */
typedef struct _sai_queue_deadlock_notification_data_t {
    sai_object_id_t queue_id;
    sai_queue_pfc_deadlock_event_type_t event;
    bool app_managed_recovery; /* Meant as an answer, but const: false. */
} sai_queue_deadlock_notification_data_t;

/* SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY: queues that were found dead or
 * have recovered. */
typedef void (*sai_queue_pfc_deadlock_notification_fn)(
    uint32_t count, const sai_queue_deadlock_notification_data_t *data);

/* SAI_API_QUEUE.  The order of the members is the ABI. */
typedef struct _sai_queue_api_t {
    sai_create_queue_fn create_queue;
    sai_remove_queue_fn remove_queue;
    sai_set_queue_attribute_fn set_queue_attribute;
    sai_get_queue_attribute_fn get_queue_attribute;
    sai_get_queue_stats_fn get_queue_stats;
    sai_get_queue_stats_ext_fn get_queue_stats_ext;
    sai_clear_queue_stats_fn clear_queue_stats;

    /* Since 1.15.0. */
    sai_bulk_object_set_attribute_fn set_queues_attribute;
    sai_bulk_object_get_attribute_fn get_queues_attribute;
} sai_queue_api_t;

#endif /* saiqueue.h */
