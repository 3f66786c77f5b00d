/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIBUFFER_H
#define ORCHD_SAI_INCLUDE_SAIBUFFER_H

/* Packet buffers.
 *
 * A pool limits what its users hold together, in one direction.  A profile
 * says what each of its users is guaranteed, how much of the pool's shared
 * part it may take, and for lossless traffic when to pause the sender and
 * how much to absorb after that.  Users are ingress priority groups (here),
 * queues (saiqueue.h) and whole ports (saiport.h).
 *
 * All sizes and thresholds are bytes. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "buffer.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a buffer pool. */
#define SAI_OBJECT_FILE "buffer_pool.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Pools.  A pool to which a profile refers cannot be removed:
 * SAI_STATUS_OBJECT_IN_USE. */
typedef sai_status_t (*sai_create_buffer_pool_fn)(
    sai_object_id_t *buffer_pool_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_buffer_pool_fn)(
    sai_object_id_t buffer_pool_id);
typedef sai_status_t (*sai_set_buffer_pool_attribute_fn)(
    sai_object_id_t buffer_pool_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_buffer_pool_attribute_fn)(
    sai_object_id_t buffer_pool_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Counters of a pool.  Reads the counters 'counter_ids' of one object into
 * 'counters', as many as 'number_of_counters'; an id that the library does
 * not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The third clears.  A
 * watermark that is cleared restarts at the present occupancy. */
typedef sai_status_t (*sai_get_buffer_pool_stats_fn)(
    sai_object_id_t buffer_pool_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_buffer_pool_stats_ext_fn)(
    sai_object_id_t buffer_pool_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_buffer_pool_stats_fn)(
    sai_object_id_t buffer_pool_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* Attributes of a buffer profile. */
#define SAI_OBJECT_FILE "buffer_profile.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Profiles.  A profile to which a priority group, a queue or a port refers
 * cannot be removed.  A change applies to all users at once. */
typedef sai_status_t (*sai_create_buffer_profile_fn)(
    sai_object_id_t *buffer_profile_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_buffer_profile_fn)(
    sai_object_id_t buffer_profile_id);
typedef sai_status_t (*sai_set_buffer_profile_attribute_fn)(
    sai_object_id_t buffer_profile_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_buffer_profile_attribute_fn)(
    sai_object_id_t buffer_profile_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Attributes of an ingress priority group. */
#define SAI_OBJECT_FILE "ingress_priority_group.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Priority groups exist with their port and are found in
 * SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST; a client usually sets them
 * only. */
typedef sai_status_t (*sai_create_ingress_priority_group_fn)(
    sai_object_id_t *ingress_priority_group_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_ingress_priority_group_fn)(
    sai_object_id_t ingress_priority_group_id);
typedef sai_status_t (*sai_set_ingress_priority_group_attribute_fn)(
    sai_object_id_t ingress_priority_group_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_ingress_priority_group_attribute_fn)(
    sai_object_id_t ingress_priority_group_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Counters of a priority group; as for pools. */
typedef sai_status_t (*sai_get_ingress_priority_group_stats_fn)(
    sai_object_id_t ingress_priority_group_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_ingress_priority_group_stats_ext_fn)(
    sai_object_id_t ingress_priority_group_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_ingress_priority_group_stats_fn)(
    sai_object_id_t ingress_priority_group_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* SAI_API_BUFFER.  The order of the members is the ABI. */
typedef struct _sai_buffer_api_t {
    sai_create_buffer_pool_fn create_buffer_pool;
    sai_remove_buffer_pool_fn remove_buffer_pool;
    sai_set_buffer_pool_attribute_fn set_buffer_pool_attribute;
    sai_get_buffer_pool_attribute_fn get_buffer_pool_attribute;
    sai_get_buffer_pool_stats_fn get_buffer_pool_stats;
    sai_get_buffer_pool_stats_ext_fn get_buffer_pool_stats_ext;
    sai_clear_buffer_pool_stats_fn clear_buffer_pool_stats;
    sai_create_ingress_priority_group_fn create_ingress_priority_group;
    sai_remove_ingress_priority_group_fn remove_ingress_priority_group;
    sai_set_ingress_priority_group_attribute_fn
        set_ingress_priority_group_attribute;
    sai_get_ingress_priority_group_attribute_fn
        get_ingress_priority_group_attribute;
    sai_get_ingress_priority_group_stats_fn get_ingress_priority_group_stats;
    sai_get_ingress_priority_group_stats_ext_fn
        get_ingress_priority_group_stats_ext;
    sai_clear_ingress_priority_group_stats_fn
        clear_ingress_priority_group_stats;
    sai_create_buffer_profile_fn create_buffer_profile;
    sai_remove_buffer_profile_fn remove_buffer_profile;
    sai_set_buffer_profile_attribute_fn set_buffer_profile_attribute;
    sai_get_buffer_profile_attribute_fn get_buffer_profile_attribute;

    /* Since 1.15.0. */
    sai_bulk_object_set_attribute_fn set_ingress_priority_groups_attribute;
    sai_bulk_object_get_attribute_fn get_ingress_priority_groups_attribute;
} sai_buffer_api_t;

#endif /* saibuffer.h */
