/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIVLAN_H
#define ORCHD_SAI_INCLUDE_SAIVLAN_H

/* VLANs.
 *
 * A VLAN is a flooding domain of its number on all ports; its members are
 * bridge ports (saibridge.h) with a tagging mode each. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "vlan.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* The only set of counters. */
#define SAI_VLAN_COUNTER_SET_DEFAULT 0

/* Attributes of a VLAN. */
#define SAI_OBJECT_FILE "vlan.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a VLAN member. */
#define SAI_OBJECT_FILE "vlan_member.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* VLANs.  Each number can be used once.  A VLAN with members cannot be
 * removed. */
typedef sai_status_t (*sai_create_vlan_fn)(sai_object_id_t *vlan_id,
                                           sai_object_id_t switch_id,
                                           uint32_t attr_count,
                                           const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_vlan_fn)(sai_object_id_t vlan_id);
typedef sai_status_t (*sai_set_vlan_attribute_fn)(sai_object_id_t vlan_id,
                                                  const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_vlan_attribute_fn)(sai_object_id_t vlan_id,
                                                  uint32_t attr_count,
                                                  sai_attribute_t *attr_list);

/* Members.  A bridge port is a member of a VLAN once at most. */
typedef sai_status_t (*sai_create_vlan_member_fn)(
    sai_object_id_t *vlan_member_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_vlan_member_fn)(
    sai_object_id_t vlan_member_id);
typedef sai_status_t (*sai_set_vlan_member_attribute_fn)(
    sai_object_id_t vlan_member_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_vlan_member_attribute_fn)(
    sai_object_id_t vlan_member_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Counters of a VLAN.  Reads the counters 'counter_ids' of one object into
 * 'counters', as many as 'number_of_counters'; an id that the library does
 * not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The third clears. */
typedef sai_status_t (*sai_get_vlan_stats_fn)(sai_object_id_t vlan_id,
                                              uint32_t number_of_counters,
                                              const sai_stat_id_t *counter_ids,
                                              uint64_t *counters);
typedef sai_status_t (*sai_get_vlan_stats_ext_fn)(
    sai_object_id_t vlan_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_vlan_stats_fn)(
    sai_object_id_t vlan_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* SAI_API_VLAN.  The order of the members is the ABI. */
typedef struct _sai_vlan_api_t {
    sai_create_vlan_fn create_vlan;
    sai_remove_vlan_fn remove_vlan;
    sai_set_vlan_attribute_fn set_vlan_attribute;
    sai_get_vlan_attribute_fn get_vlan_attribute;
    sai_create_vlan_member_fn create_vlan_member;
    sai_remove_vlan_member_fn remove_vlan_member;
    sai_set_vlan_member_attribute_fn set_vlan_member_attribute;
    sai_get_vlan_member_attribute_fn get_vlan_member_attribute;
    sai_bulk_object_create_fn create_vlan_members;
    sai_bulk_object_remove_fn remove_vlan_members;
    sai_get_vlan_stats_fn get_vlan_stats;
    sai_get_vlan_stats_ext_fn get_vlan_stats_ext;
    sai_clear_vlan_stats_fn clear_vlan_stats;
} sai_vlan_api_t;

#endif /* saivlan.h */
