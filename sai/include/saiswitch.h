/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAISWITCH_H
#define ORCHD_SAI_INCLUDE_SAISWITCH_H

/* The switch: the object that all others belong to.
 *
 * A client creates it after sai_api_initialize(), with
 * SAI_SWITCH_ATTR_INIT_SWITCH true, and then finds the objects that exist
 * from the start (ports, CPU port, default VLAN and so on) in its
 * attributes. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "switch.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a switch.  Most are read-only properties of the chip; many
 * others are defaults that attributes of other objects can override. */
#define SAI_OBJECT_FILE "switch.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Keys of the profile that sai_api_initialize() is given.  All values are
 * text; a library may know more keys, and ignores what it does not know. */

/* Sizes of tables that are wanted, in entries. */
#define SAI_KEY_FDB_TABLE_SIZE         "SAI_FDB_TABLE_SIZE"
#define SAI_KEY_L3_ROUTE_TABLE_SIZE    "SAI_L3_ROUTE_TABLE_SIZE"
#define SAI_KEY_L3_NEIGHBOR_TABLE_SIZE "SAI_L3_NEIGHBOR_TABLE_SIZE"
/* Members per LAG, LAGs, members per ECMP group, ECMP groups. */
#define SAI_KEY_NUM_LAG_MEMBERS  "SAI_NUM_LAG_MEMBERS"
#define SAI_KEY_NUM_LAGS         "SAI_NUM_LAGS"
#define SAI_KEY_NUM_ECMP_MEMBERS "SAI_NUM_ECMP_MEMBERS"
#define SAI_KEY_NUM_ECMP_GROUPS  "SAI_NUM_ECMP_GROUPS"
/* Queues per port by type and in all, and queues of the CPU port. */
#define SAI_KEY_NUM_UNICAST_QUEUES   "SAI_NUM_UNICAST_QUEUES"
#define SAI_KEY_NUM_MULTICAST_QUEUES "SAI_NUM_MULTICAST_QUEUES"
#define SAI_KEY_NUM_QUEUES           "SAI_NUM_QUEUES"
#define SAI_KEY_NUM_CPU_QUEUES       "SAI_NUM_CPU_QUEUES"
/* File of the vendor's own that describes ports and buffers. */
#define SAI_KEY_INIT_CONFIG_FILE "SAI_INIT_CONFIG_FILE"
/* "true" if next hop groups may contain groups. */
#define SAI_KEY_NHG_HIERARCHICAL_NEXTHOP "SAI_NHG_HIERARCHICAL_NEXTHOP"
/* 0 cold, 1 warm, 2 fast; for a warm boot, where to read and to write state. */
#define SAI_KEY_BOOT_TYPE            "SAI_BOOT_TYPE"
#define SAI_KEY_WARM_BOOT_READ_FILE  "SAI_WARM_BOOT_READ_FILE"
#define SAI_KEY_WARM_BOOT_WRITE_FILE "SAI_WARM_BOOT_WRITE_FILE"
/* File with the hardware profiles of ports. */
#define SAI_KEY_HW_PORT_PROFILE_ID_CONFIG_FILE                                 \
    "SAI_HW_PORT_PROFILE_ID_CONFIG_FILE"

/* Limits of text in the profile and in attributes. */
#define SAI_MAX_HARDWARE_ID_LEN        255
#define SAI_MAX_FIRMWARE_PATH_NAME_LEN 4096
/* Of a key of the profile, and the number of keys above. */
#define SAI_SWITCH_ATTR_MAX_KEY_STRING_LEN 64
#define SAI_SWITCH_ATTR_MAX_KEY_COUNT      17

/* Callbacks, set as attributes of the switch.  They run on threads of the
 * library and must neither block nor call back into it. */
typedef void (*sai_switch_state_change_notification_fn)(
    sai_object_id_t switch_id, sai_switch_oper_status_t switch_oper_status);
typedef void (*sai_switch_shutdown_request_notification_fn)(
    sai_object_id_t switch_id);
typedef void (*sai_switch_asic_sdk_health_event_notification_fn)(
    sai_object_id_t switch_id, sai_switch_asic_sdk_health_severity_t severity,
    sai_timespec_t timestamp, sai_switch_asic_sdk_health_category_t category,
    sai_switch_health_data_t data, const sai_u8_list_t description);
typedef void (*sai_switch_macsec_post_status_notification_fn)(
    sai_object_id_t switch_id,
    sai_switch_macsec_post_status_t switch_macsec_post_status);
typedef void (*sai_switch_ipsec_post_status_notification_fn)(
    sai_object_id_t switch_id,
    sai_switch_ipsec_post_status_t switch_ipsec_post_status);

/* Register access that the host offers to the driver of a PHY. */
typedef sai_status_t (*sai_switch_register_read_fn)(
    uint64_t platform_context, uint32_t device_addr, uint32_t start_reg_addr,
    uint32_t number_of_registers, uint32_t *reg_val);
typedef sai_status_t (*sai_switch_register_write_fn)(
    uint64_t platform_context, uint32_t device_addr, uint32_t start_reg_addr,
    uint32_t number_of_registers, const uint32_t *reg_val);

/* Register access that the switch offers to the host. */
typedef sai_status_t (*sai_switch_mdio_read_fn)(sai_object_id_t switch_id,
                                                uint32_t device_addr,
                                                uint32_t start_reg_addr,
                                                uint32_t number_of_registers,
                                                uint32_t *reg_val);
typedef sai_status_t (*sai_switch_mdio_write_fn)(sai_object_id_t switch_id,
                                                 uint32_t device_addr,
                                                 uint32_t start_reg_addr,
                                                 uint32_t number_of_registers,
                                                 const uint32_t *reg_val);
typedef sai_status_t (*sai_switch_mdio_cl22_read_fn)(
    sai_object_id_t switch_id, uint32_t device_addr, uint32_t start_reg_addr,
    uint32_t number_of_registers, uint32_t *reg_val);
typedef sai_status_t (*sai_switch_mdio_cl22_write_fn)(
    sai_object_id_t switch_id, uint32_t device_addr, uint32_t start_reg_addr,
    uint32_t number_of_registers, const uint32_t *reg_val);

/* The switch, the whole device that the library drives.  Its creation has no
 * switch id. */
typedef sai_status_t (*sai_create_switch_fn)(sai_object_id_t *switch_id,
                                             uint32_t attr_count,
                                             const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_switch_fn)(sai_object_id_t switch_id);
typedef sai_status_t (*sai_set_switch_attribute_fn)(
    sai_object_id_t switch_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_switch_attribute_fn)(sai_object_id_t switch_id,
                                                    uint32_t attr_count,
                                                    sai_attribute_t *attr_list);

/* Counters of the switch.  Reads the counters 'counter_ids' of one object
 * into 'counters', as many as 'number_of_counters'; an id that the library
 * does not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The third clears. */
typedef sai_status_t (*sai_get_switch_stats_fn)(
    sai_object_id_t switch_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_switch_stats_ext_fn)(
    sai_object_id_t switch_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_switch_stats_fn)(
    sai_object_id_t switch_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* Attributes of a switch tunnel. */
#define SAI_OBJECT_FILE "switch_tunnel.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Switch tunnels: what holds for all tunnels of one type. */
typedef sai_status_t (*sai_create_switch_tunnel_fn)(
    sai_object_id_t *switch_tunnel_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_switch_tunnel_fn)(
    sai_object_id_t switch_tunnel_id);
typedef sai_status_t (*sai_set_switch_tunnel_attribute_fn)(
    sai_object_id_t switch_tunnel_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_switch_tunnel_attribute_fn)(
    sai_object_id_t switch_tunnel_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_SWITCH.  The order of the members is the ABI. */
typedef struct _sai_switch_api_t {
    sai_create_switch_fn create_switch;
    sai_remove_switch_fn remove_switch;
    sai_set_switch_attribute_fn set_switch_attribute;
    sai_get_switch_attribute_fn get_switch_attribute;
    sai_get_switch_stats_fn get_switch_stats;
    sai_get_switch_stats_ext_fn get_switch_stats_ext;
    sai_clear_switch_stats_fn clear_switch_stats;
    sai_switch_mdio_read_fn switch_mdio_read;
    sai_switch_mdio_write_fn switch_mdio_write;

    /* Since 1.7.3. */
    sai_create_switch_tunnel_fn create_switch_tunnel;
    sai_remove_switch_tunnel_fn remove_switch_tunnel;
    sai_set_switch_tunnel_attribute_fn set_switch_tunnel_attribute;
    sai_get_switch_tunnel_attribute_fn get_switch_tunnel_attribute;

    /* Since 1.11.0. */
    sai_switch_mdio_cl22_read_fn switch_mdio_cl22_read;
    sai_switch_mdio_cl22_write_fn switch_mdio_cl22_write;
} sai_switch_api_t;

#endif /* saiswitch.h */
