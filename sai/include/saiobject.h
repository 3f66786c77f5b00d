/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIOBJECT_H
#define ORCHD_SAI_INCLUDE_SAIOBJECT_H

/* Queries for objects of any type. */

#include <saifdb.h>
#include <saineighbor.h>
#include <sairoute.h>
#include <saistatus.h>
#include <saitypes.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The key of any object: its id, or the entry itself.  Types of entries that
 * are not modelled here use 'opaque'. */
typedef union _sai_object_key_entry_t {
    sai_object_id_t object_id;
    sai_fdb_entry_t fdb_entry;
    sai_neighbor_entry_t neighbor_entry;
    sai_route_entry_t route_entry;
    uint64_t opaque[8];
} sai_object_key_entry_t;

/* A structure around the key, so that later releases can extend it. */
typedef struct _sai_object_key_t {
    sai_object_key_entry_t key;
} sai_object_key_t;

/* The operations on an attribute that a library supports. */
typedef struct _sai_attr_capability_t {
    bool create_implemented; /* Taken at creation. */
    bool set_implemented;    /* Changed later. */
    bool get_implemented;    /* Read. */
} sai_attr_capability_t;

/* Stores the largest number of attributes of an object of 'object_type' in
 * '*count'. */
sai_status_t sai_get_maximum_attribute_count(sai_object_id_t switch_id,
                                             sai_object_type_t object_type,
                                             uint32_t *count);

/* Stores the number of existing objects of 'object_type' in '*count'. */
sai_status_t sai_get_object_count(sai_object_id_t switch_id,
                                  sai_object_type_t object_type,
                                  uint32_t *count);

/* Lists the keys of all objects of 'object_type'.  '*object_count' is the
 * capacity of 'object_list' on entry; the rule for lists holds (saitypes.h). */
sai_status_t sai_get_object_key(sai_object_id_t switch_id,
                                sai_object_type_t object_type,
                                uint32_t *object_count,
                                sai_object_key_t *object_list);

/* Reads several objects of one type: 'attr_count[i]' attributes
 * 'attr_list[i]' of 'object_key[i]'.  Stores the result of object i in
 * 'object_statuses[i]'. */
sai_status_t sai_bulk_get_attribute(sai_object_id_t switch_id,
                                    sai_object_type_t object_type,
                                    uint32_t object_count,
                                    const sai_object_key_t *object_key,
                                    uint32_t *attr_count,
                                    sai_attribute_t **attr_list,
                                    sai_status_t *object_statuses);

/* Returns whether attribute 'attr_id' can be given at creation, set and read.
 */
sai_status_t sai_query_attribute_capability(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    sai_attr_id_t attr_id, sai_attr_capability_t *attr_capability);

/* Lists the values that an enumerated attribute can take; the rule for lists
 * holds. */
sai_status_t sai_query_attribute_enum_values_capability(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    sai_attr_id_t attr_id, sai_s32_list_t *enum_values_capability);

/* Lists the counters of a type and the modes in which they can be read; the
 * rule for lists holds.  The second form adds polling intervals of streaming
 * telemetry. */
sai_status_t
sai_query_stats_capability(sai_object_id_t switch_id,
                           sai_object_type_t object_type,
                           sai_stat_capability_list_t *stats_capability);
sai_status_t
sai_query_stats_st_capability(sai_object_id_t switch_id,
                              sai_object_type_t object_type,
                              sai_stat_st_capability_list_t *stats_capability);

/* Reads counters of several objects: stores counter j of object i in
 * 'counters[i * number_of_counters + j]'.  'object_statuses' is valid only if
 * the result is not SAI_STATUS_SUCCESS. */
sai_status_t sai_bulk_object_get_stats(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    uint32_t object_count, const sai_object_key_t *object_key,
    uint32_t number_of_counters, const sai_stat_id_t *counter_ids,
    sai_stats_mode_t mode, sai_status_t *object_statuses, uint64_t *counters);

/* Clears counters of several objects. */
sai_status_t sai_bulk_object_clear_stats(
    sai_object_id_t switch_id, sai_object_type_t object_type,
    uint32_t object_count, const sai_object_key_t *object_key,
    uint32_t number_of_counters, const sai_stat_id_t *counter_ids,
    sai_stats_mode_t mode, sai_status_t *object_statuses);

/* Returns the direction in which an object with these attributes uses
 * resources. */
sai_status_t sai_query_object_stage(sai_object_id_t switch_id,
                                    sai_object_type_t object_type,
                                    uint32_t attr_count,
                                    const sai_attribute_t *attr_list,
                                    sai_object_stage_t *stage);

#ifdef __cplusplus
}
#endif

#endif /* saiobject.h */
