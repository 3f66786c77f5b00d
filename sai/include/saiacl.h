/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIACL_H
#define ORCHD_SAI_INCLUDE_SAIACL_H

/* Access lists.  Tables of entries are bound to ports, VLANs, interfaces, LAGs
 * or the switch, alone or in groups; an entry matches fields of a packet and
 * has actions. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "acl.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a group of tables. */
#define SAI_OBJECT_FILE "acl_table_group.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a member of a group. */
#define SAI_OBJECT_FILE "acl_table_group_member.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a group of chained tables. */
#define SAI_OBJECT_FILE "acl_table_chain_group.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a table. */
#define SAI_OBJECT_FILE "acl_table.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of an entry. */
#define SAI_OBJECT_FILE "acl_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a counter. */
#define SAI_OBJECT_FILE "acl_counter.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a range. */
#define SAI_OBJECT_FILE "acl_range.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Tables. */
typedef sai_status_t (*sai_create_acl_table_fn)(
    sai_object_id_t *acl_table_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_table_fn)(sai_object_id_t acl_table_id);
typedef sai_status_t (*sai_set_acl_table_attribute_fn)(
    sai_object_id_t acl_table_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_table_attribute_fn)(
    sai_object_id_t acl_table_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Entries. */
typedef sai_status_t (*sai_create_acl_entry_fn)(
    sai_object_id_t *acl_entry_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_entry_fn)(sai_object_id_t acl_entry_id);
typedef sai_status_t (*sai_set_acl_entry_attribute_fn)(
    sai_object_id_t acl_entry_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_entry_attribute_fn)(
    sai_object_id_t acl_entry_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Counters. */
typedef sai_status_t (*sai_create_acl_counter_fn)(
    sai_object_id_t *acl_counter_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_counter_fn)(
    sai_object_id_t acl_counter_id);
typedef sai_status_t (*sai_set_acl_counter_attribute_fn)(
    sai_object_id_t acl_counter_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_counter_attribute_fn)(
    sai_object_id_t acl_counter_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Ranges. */
typedef sai_status_t (*sai_create_acl_range_fn)(
    sai_object_id_t *acl_range_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_range_fn)(sai_object_id_t acl_range_id);
typedef sai_status_t (*sai_set_acl_range_attribute_fn)(
    sai_object_id_t acl_range_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_range_attribute_fn)(
    sai_object_id_t acl_range_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Groups of tables. */
typedef sai_status_t (*sai_create_acl_table_group_fn)(
    sai_object_id_t *acl_table_group_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_table_group_fn)(
    sai_object_id_t acl_table_group_id);
typedef sai_status_t (*sai_set_acl_table_group_attribute_fn)(
    sai_object_id_t acl_table_group_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_table_group_attribute_fn)(
    sai_object_id_t acl_table_group_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Members of groups. */
typedef sai_status_t (*sai_create_acl_table_group_member_fn)(
    sai_object_id_t *acl_table_group_member_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_table_group_member_fn)(
    sai_object_id_t acl_table_group_member_id);
typedef sai_status_t (*sai_set_acl_table_group_member_attribute_fn)(
    sai_object_id_t acl_table_group_member_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_table_group_member_attribute_fn)(
    sai_object_id_t acl_table_group_member_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Groups of chained tables. */
typedef sai_status_t (*sai_create_acl_table_chain_group_fn)(
    sai_object_id_t *acl_table_chain_group_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_acl_table_chain_group_fn)(
    sai_object_id_t acl_table_chain_group_id);
typedef sai_status_t (*sai_set_acl_table_chain_group_attribute_fn)(
    sai_object_id_t acl_table_chain_group_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_acl_table_chain_group_attribute_fn)(
    sai_object_id_t acl_table_chain_group_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_ACL.  The order of the members is the ABI. */
typedef struct _sai_acl_api_t {
    sai_create_acl_table_fn create_acl_table;
    sai_remove_acl_table_fn remove_acl_table;
    sai_set_acl_table_attribute_fn set_acl_table_attribute;
    sai_get_acl_table_attribute_fn get_acl_table_attribute;
    sai_create_acl_entry_fn create_acl_entry;
    sai_remove_acl_entry_fn remove_acl_entry;
    sai_set_acl_entry_attribute_fn set_acl_entry_attribute;
    sai_get_acl_entry_attribute_fn get_acl_entry_attribute;
    sai_create_acl_counter_fn create_acl_counter;
    sai_remove_acl_counter_fn remove_acl_counter;
    sai_set_acl_counter_attribute_fn set_acl_counter_attribute;
    sai_get_acl_counter_attribute_fn get_acl_counter_attribute;
    sai_create_acl_range_fn create_acl_range;
    sai_remove_acl_range_fn remove_acl_range;
    sai_set_acl_range_attribute_fn set_acl_range_attribute;
    sai_get_acl_range_attribute_fn get_acl_range_attribute;
    sai_create_acl_table_group_fn create_acl_table_group;
    sai_remove_acl_table_group_fn remove_acl_table_group;
    sai_set_acl_table_group_attribute_fn set_acl_table_group_attribute;
    sai_get_acl_table_group_attribute_fn get_acl_table_group_attribute;
    sai_create_acl_table_group_member_fn create_acl_table_group_member;
    sai_remove_acl_table_group_member_fn remove_acl_table_group_member;
    sai_set_acl_table_group_member_attribute_fn
        set_acl_table_group_member_attribute;
    sai_get_acl_table_group_member_attribute_fn
        get_acl_table_group_member_attribute;
    sai_create_acl_table_chain_group_fn create_acl_table_chain_group;
    sai_remove_acl_table_chain_group_fn remove_acl_table_chain_group;
    sai_set_acl_table_chain_group_attribute_fn
        set_acl_table_chain_group_attribute;
    sai_get_acl_table_chain_group_attribute_fn
        get_acl_table_chain_group_attribute;
} sai_acl_api_t;

#endif /* saiacl.h */
