/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIPORT_H
#define ORCHD_SAI_INCLUDE_SAIPORT_H

/* Ports.
 *
 * A port is identified by its lanes.  Its queues, priority groups and
 * scheduler groups exist with it.  Speeds are Mbit/s, sizes bytes. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "port.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a port.  Lists of ids are in the order of the indices of what
 * they name. */
#define SAI_OBJECT_FILE "port.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* A port that went up or down. */
typedef struct _sai_port_oper_status_notification_t {
    sai_object_id_t port_id;
    sai_port_oper_status_t port_state;
    sai_port_error_status_t
        port_error_status; /* Only from 1.15.0 on, but not in 1.15.5. */
} sai_port_oper_status_notification_t;

/* The same with attributes of the port as they were then. */
typedef struct _sai_extended_port_oper_status_notification_t {
    sai_object_id_t port_id;
    sai_port_oper_status_t port_state;
    sai_port_error_status_t port_error_status;
    uint32_t attr_count;
    sai_attribute_t *attr_list;
} sai_extended_port_oper_status_notification_t;

/* SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY and its relatives.  What the
 * arguments point to ends with the callback. */
typedef void (*sai_port_state_change_notification_fn)(
    uint32_t count, const sai_port_oper_status_notification_t *data);
typedef void (*sai_extended_port_state_change_notification_fn)(
    uint32_t count, const sai_extended_port_oper_status_notification_t *data);
typedef void (*sai_port_host_tx_ready_notification_fn)(
    sai_object_id_t switch_id, sai_object_id_t port_id,
    sai_port_host_tx_ready_status_t host_tx_ready_status);

/* Ports.  A new port needs lanes that no other port has; its queues and
 * groups come and go with it. */
typedef sai_status_t (*sai_create_port_fn)(sai_object_id_t *port_id,
                                           sai_object_id_t switch_id,
                                           uint32_t attr_count,
                                           const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_port_fn)(sai_object_id_t port_id);
typedef sai_status_t (*sai_set_port_attribute_fn)(sai_object_id_t port_id,
                                                  const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_port_attribute_fn)(sai_object_id_t port_id,
                                                  uint32_t attr_count,
                                                  sai_attribute_t *attr_list);

/* Counters of a port.  Reads the counters 'counter_ids' of one object into
 * 'counters', as many as 'number_of_counters'; an id that the library does
 * not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The last two clear
 * some or all of them. */
typedef sai_status_t (*sai_get_port_stats_fn)(sai_object_id_t port_id,
                                              uint32_t number_of_counters,
                                              const sai_stat_id_t *counter_ids,
                                              uint64_t *counters);
typedef sai_status_t (*sai_get_port_stats_ext_fn)(
    sai_object_id_t port_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_port_stats_fn)(
    sai_object_id_t port_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

typedef sai_status_t (*sai_clear_port_all_stats_fn)(sai_object_id_t port_id);

/* Attributes of a port pool. */
#define SAI_OBJECT_FILE "port_pool.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Port pools: the use that one port makes of one buffer pool, with WRED and
 * counters of its own. */
typedef sai_status_t (*sai_create_port_pool_fn)(
    sai_object_id_t *port_pool_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_port_pool_fn)(sai_object_id_t port_pool_id);
typedef sai_status_t (*sai_set_port_pool_attribute_fn)(
    sai_object_id_t port_pool_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_port_pool_attribute_fn)(
    sai_object_id_t port_pool_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

typedef sai_status_t (*sai_get_port_pool_stats_fn)(
    sai_object_id_t port_pool_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_port_pool_stats_ext_fn)(
    sai_object_id_t port_pool_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_port_pool_stats_fn)(
    sai_object_id_t port_pool_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* Attributes of a port connector. */
#define SAI_OBJECT_FILE "port_connector.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Connectors join a system side port of a gearbox to a line side port, with
 * fail-over. */
typedef sai_status_t (*sai_create_port_connector_fn)(
    sai_object_id_t *port_connector_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_port_connector_fn)(
    sai_object_id_t port_connector_id);
typedef sai_status_t (*sai_set_port_connector_attribute_fn)(
    sai_object_id_t port_connector_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_port_connector_attribute_fn)(
    sai_object_id_t port_connector_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Attributes of the serdes of a port. */
#define SAI_OBJECT_FILE "port_serdes.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Serdes settings of a port, one value per lane each; found in
 * SAI_PORT_ATTR_PORT_SERDES_ID. */
typedef sai_status_t (*sai_create_port_serdes_fn)(
    sai_object_id_t *port_serdes_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_port_serdes_fn)(
    sai_object_id_t port_serdes_id);
typedef sai_status_t (*sai_set_port_serdes_attribute_fn)(
    sai_object_id_t port_serdes_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_port_serdes_attribute_fn)(
    sai_object_id_t port_serdes_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Attributes of a link-level retry profile. */
#define SAI_OBJECT_FILE "port_llr_profile.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Link-level retry profiles: timers and limits, named by
 * SAI_PORT_ATTR_LLR_PROFILE. */
typedef sai_status_t (*sai_create_port_llr_profile_fn)(
    sai_object_id_t *port_llr_profile_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_port_llr_profile_fn)(
    sai_object_id_t port_llr_profile_id);
typedef sai_status_t (*sai_set_port_llr_profile_attribute_fn)(
    sai_object_id_t port_llr_profile_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_port_llr_profile_attribute_fn)(
    sai_object_id_t port_llr_profile_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_PORT.  The order of the members is the ABI. */
typedef struct _sai_port_api_t {
    sai_create_port_fn create_port;
    sai_remove_port_fn remove_port;
    sai_set_port_attribute_fn set_port_attribute;
    sai_get_port_attribute_fn get_port_attribute;
    sai_get_port_stats_fn get_port_stats;
    sai_get_port_stats_ext_fn get_port_stats_ext;
    sai_clear_port_stats_fn clear_port_stats;
    sai_clear_port_all_stats_fn clear_port_all_stats;
    sai_create_port_pool_fn create_port_pool;
    sai_remove_port_pool_fn remove_port_pool;
    sai_set_port_pool_attribute_fn set_port_pool_attribute;
    sai_get_port_pool_attribute_fn get_port_pool_attribute;
    sai_get_port_pool_stats_fn get_port_pool_stats;
    sai_get_port_pool_stats_ext_fn get_port_pool_stats_ext;
    sai_clear_port_pool_stats_fn clear_port_pool_stats;
    sai_create_port_connector_fn create_port_connector;
    sai_remove_port_connector_fn remove_port_connector;
    sai_set_port_connector_attribute_fn set_port_connector_attribute;
    sai_get_port_connector_attribute_fn get_port_connector_attribute;
    sai_create_port_serdes_fn create_port_serdes;
    sai_remove_port_serdes_fn remove_port_serdes;
    sai_set_port_serdes_attribute_fn set_port_serdes_attribute;
    sai_get_port_serdes_attribute_fn get_port_serdes_attribute;

    /* Since 1.10.2. */
    sai_bulk_object_create_fn create_ports;
    sai_bulk_object_remove_fn remove_ports;
    sai_bulk_object_set_attribute_fn set_ports_attribute;
    sai_bulk_object_get_attribute_fn get_ports_attribute;

    /* Since 1.13.0. */
    sai_bulk_object_create_fn create_port_serdess;
    sai_bulk_object_remove_fn remove_port_serdess;
    sai_bulk_object_set_attribute_fn set_port_serdess_attribute;
    sai_bulk_object_get_attribute_fn get_port_serdess_attribute;

    /* Since 1.18.0. */
    sai_create_port_llr_profile_fn create_port_llr_profile;
    sai_remove_port_llr_profile_fn remove_port_llr_profile;
    sai_set_port_llr_profile_attribute_fn set_port_llr_profile_attribute;
    sai_get_port_llr_profile_attribute_fn get_port_llr_profile_attribute;
} sai_port_api_t;

#endif /* saiport.h */
