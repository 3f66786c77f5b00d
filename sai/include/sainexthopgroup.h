/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAINEXTHOPGROUP_H
#define ORCHD_SAI_INCLUDE_SAINEXTHOPGROUP_H

/* Next hop groups: equal-cost paths, protection, choice by class.
 *
 * An equal-cost group chooses a member by the hash of the flow, in proportion
 * to its weight. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "nexthopgroup.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a group. */
#define SAI_OBJECT_FILE "next_hop_group.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a member. */
#define SAI_OBJECT_FILE "next_hop_group_member.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a map. */
#define SAI_OBJECT_FILE "next_hop_group_map.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Groups.  A group to which routes refer cannot be removed. */
typedef sai_status_t (*sai_create_next_hop_group_fn)(
    sai_object_id_t *next_hop_group_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_next_hop_group_fn)(
    sai_object_id_t next_hop_group_id);
typedef sai_status_t (*sai_set_next_hop_group_attribute_fn)(
    sai_object_id_t next_hop_group_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_next_hop_group_attribute_fn)(
    sai_object_id_t next_hop_group_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Members.  The same next hop may be in several groups. */
typedef sai_status_t (*sai_create_next_hop_group_member_fn)(
    sai_object_id_t *next_hop_group_member_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_next_hop_group_member_fn)(
    sai_object_id_t next_hop_group_member_id);
typedef sai_status_t (*sai_set_next_hop_group_member_attribute_fn)(
    sai_object_id_t next_hop_group_member_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_next_hop_group_member_attribute_fn)(
    sai_object_id_t next_hop_group_member_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Maps that choose a member. */
typedef sai_status_t (*sai_create_next_hop_group_map_fn)(
    sai_object_id_t *next_hop_group_map_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_next_hop_group_map_fn)(
    sai_object_id_t next_hop_group_map_id);
typedef sai_status_t (*sai_set_next_hop_group_map_attribute_fn)(
    sai_object_id_t next_hop_group_map_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_next_hop_group_map_attribute_fn)(
    sai_object_id_t next_hop_group_map_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_NEXT_HOP_GROUP.  The order of the members is the ABI. */
typedef struct _sai_next_hop_group_api_t {
    sai_create_next_hop_group_fn create_next_hop_group;
    sai_remove_next_hop_group_fn remove_next_hop_group;
    sai_set_next_hop_group_attribute_fn set_next_hop_group_attribute;
    sai_get_next_hop_group_attribute_fn get_next_hop_group_attribute;
    sai_create_next_hop_group_member_fn create_next_hop_group_member;
    sai_remove_next_hop_group_member_fn remove_next_hop_group_member;
    sai_set_next_hop_group_member_attribute_fn
        set_next_hop_group_member_attribute;
    sai_get_next_hop_group_member_attribute_fn
        get_next_hop_group_member_attribute;
    sai_bulk_object_create_fn create_next_hop_group_members;
    sai_bulk_object_remove_fn remove_next_hop_group_members;

    /* Since 1.9.0. */
    sai_create_next_hop_group_map_fn create_next_hop_group_map;
    sai_remove_next_hop_group_map_fn remove_next_hop_group_map;
    sai_set_next_hop_group_map_attribute_fn set_next_hop_group_map_attribute;
    sai_get_next_hop_group_map_attribute_fn get_next_hop_group_map_attribute;

    /* Since 1.11.0. */
    sai_bulk_object_set_attribute_fn set_next_hop_group_members_attribute;
    sai_bulk_object_get_attribute_fn get_next_hop_group_members_attribute;

    /* Since 1.16.0. */
    sai_bulk_object_create_fn create_next_hop_groups;
    sai_bulk_object_remove_fn remove_next_hop_groups;
    sai_bulk_object_set_attribute_fn set_next_hop_groups_attribute;
    sai_bulk_object_get_attribute_fn get_next_hop_groups_attribute;
} sai_next_hop_group_api_t;

#endif /* sainexthopgroup.h */
