/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIHOSTIF_H
#define ORCHD_SAI_INCLUDE_SAIHOSTIF_H

/* Packets to and from the CPU.
 *
 * A trap says which packets go to the CPU; its group gives them a queue and a
 * policer; the host interface table leads them to a network device, a file
 * descriptor, netlink or the callback. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "hostif.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Longest names, with their end. */
#define SAI_HOSTIF_NAME_SIZE                 16
#define SAI_HOSTIF_GENETLINK_MCGRP_NAME_SIZE 16

/* Attributes of a trap group. */
#define SAI_OBJECT_FILE "hostif_trap_group.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a trap. */
#define SAI_OBJECT_FILE "hostif_trap.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a trap of the host's own. */
#define SAI_OBJECT_FILE "hostif_user_defined_trap.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a host interface. */
#define SAI_OBJECT_FILE "hostif.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a row of the host interface table. */
#define SAI_OBJECT_FILE "hostif_table_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a packet. */
#define SAI_OBJECT_FILE "hostif_packet.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Trap groups.  A group to which traps refer cannot be removed. */
typedef sai_status_t (*sai_create_hostif_trap_group_fn)(
    sai_object_id_t *hostif_trap_group_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_hostif_trap_group_fn)(
    sai_object_id_t hostif_trap_group_id);
typedef sai_status_t (*sai_set_hostif_trap_group_attribute_fn)(
    sai_object_id_t hostif_trap_group_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_hostif_trap_group_attribute_fn)(
    sai_object_id_t hostif_trap_group_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Traps.  A trap type can be used once; without a trap the library does as
 * it likes with such packets. */
typedef sai_status_t (*sai_create_hostif_trap_fn)(
    sai_object_id_t *hostif_trap_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_hostif_trap_fn)(
    sai_object_id_t hostif_trap_id);
typedef sai_status_t (*sai_set_hostif_trap_attribute_fn)(
    sai_object_id_t hostif_trap_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_hostif_trap_attribute_fn)(
    sai_object_id_t hostif_trap_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Traps of the host's own. */
typedef sai_status_t (*sai_create_hostif_user_defined_trap_fn)(
    sai_object_id_t *hostif_user_defined_trap_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_hostif_user_defined_trap_fn)(
    sai_object_id_t hostif_user_defined_trap_id);
typedef sai_status_t (*sai_set_hostif_user_defined_trap_attribute_fn)(
    sai_object_id_t hostif_user_defined_trap_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_hostif_user_defined_trap_attribute_fn)(
    sai_object_id_t hostif_user_defined_trap_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Host interfaces. */
typedef sai_status_t (*sai_create_hostif_fn)(sai_object_id_t *hostif_id,
                                             sai_object_id_t switch_id,
                                             uint32_t attr_count,
                                             const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_hostif_fn)(sai_object_id_t hostif_id);
typedef sai_status_t (*sai_set_hostif_attribute_fn)(
    sai_object_id_t hostif_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_hostif_attribute_fn)(sai_object_id_t hostif_id,
                                                    uint32_t attr_count,
                                                    sai_attribute_t *attr_list);

/* Rows of the host interface table. */
typedef sai_status_t (*sai_create_hostif_table_entry_fn)(
    sai_object_id_t *hostif_table_entry_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_hostif_table_entry_fn)(
    sai_object_id_t hostif_table_entry_id);
typedef sai_status_t (*sai_set_hostif_table_entry_attribute_fn)(
    sai_object_id_t hostif_table_entry_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_hostif_table_entry_attribute_fn)(
    sai_object_id_t hostif_table_entry_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Packets through a file descriptor.  On receipt '*buffer_size' and
 * '*attr_count' are capacities on entry and sizes after; too small a buffer is
 * SAI_STATUS_BUFFER_OVERFLOW.  Buffers for sending may come from the library,
 * and are then freed by sending them or with the last function. */
typedef sai_status_t (*sai_recv_hostif_packet_fn)(sai_object_id_t hostif_id,
                                                  sai_size_t *buffer_size,
                                                  void *buffer,
                                                  uint32_t *attr_count,
                                                  sai_attribute_t *attr_list);
typedef sai_status_t (*sai_send_hostif_packet_fn)(
    sai_object_id_t hostif_id, sai_size_t buffer_size, const void *buffer,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_allocate_hostif_packet_fn)(
    sai_object_id_t hostif_id, sai_size_t buffer_size, void **buffer,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_free_hostif_packet_fn)(sai_object_id_t hostif_id,
                                                  void *buffer);

/* SAI_SWITCH_ATTR_PACKET_EVENT_NOTIFY: a packet for the CPU; 'buffer' ends
 * with the callback. */
typedef void (*sai_packet_event_notification_fn)(
    sai_object_id_t switch_id, sai_size_t buffer_size, const void *buffer,
    uint32_t attr_count, const sai_attribute_t *attr_list);

/* SAI_API_HOSTIF.  The order of the members is the ABI. */
typedef struct _sai_hostif_api_t {
    sai_create_hostif_fn create_hostif;
    sai_remove_hostif_fn remove_hostif;
    sai_set_hostif_attribute_fn set_hostif_attribute;
    sai_get_hostif_attribute_fn get_hostif_attribute;
    sai_create_hostif_table_entry_fn create_hostif_table_entry;
    sai_remove_hostif_table_entry_fn remove_hostif_table_entry;
    sai_set_hostif_table_entry_attribute_fn set_hostif_table_entry_attribute;
    sai_get_hostif_table_entry_attribute_fn get_hostif_table_entry_attribute;
    sai_create_hostif_trap_group_fn create_hostif_trap_group;
    sai_remove_hostif_trap_group_fn remove_hostif_trap_group;
    sai_set_hostif_trap_group_attribute_fn set_hostif_trap_group_attribute;
    sai_get_hostif_trap_group_attribute_fn get_hostif_trap_group_attribute;
    sai_create_hostif_trap_fn create_hostif_trap;
    sai_remove_hostif_trap_fn remove_hostif_trap;
    sai_set_hostif_trap_attribute_fn set_hostif_trap_attribute;
    sai_get_hostif_trap_attribute_fn get_hostif_trap_attribute;
    sai_create_hostif_user_defined_trap_fn create_hostif_user_defined_trap;
    sai_remove_hostif_user_defined_trap_fn remove_hostif_user_defined_trap;
    sai_set_hostif_user_defined_trap_attribute_fn
        set_hostif_user_defined_trap_attribute;
    sai_get_hostif_user_defined_trap_attribute_fn
        get_hostif_user_defined_trap_attribute;
    sai_recv_hostif_packet_fn recv_hostif_packet;
    sai_send_hostif_packet_fn send_hostif_packet;
    sai_allocate_hostif_packet_fn allocate_hostif_packet;
    sai_free_hostif_packet_fn free_hostif_packet;
} sai_hostif_api_t;

#endif /* saihostif.h */
