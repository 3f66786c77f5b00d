/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIBRIDGE_H
#define ORCHD_SAI_INCLUDE_SAIBRIDGE_H

/* Bridges and bridge ports.
 *
 * The 802.1Q bridge exists with the switch
 * (SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID) and has a bridge port for every port
 * from the start; VLANs divide it.  A bridge of 802.1D is one domain of its
 * own. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "bridge.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a bridge port. */
#define SAI_OBJECT_FILE "bridge_port.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of a bridge. */
#define SAI_OBJECT_FILE "bridge.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Bridges.  A bridge with ports cannot be removed. */
typedef sai_status_t (*sai_create_bridge_fn)(sai_object_id_t *bridge_id,
                                             sai_object_id_t switch_id,
                                             uint32_t attr_count,
                                             const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_bridge_fn)(sai_object_id_t bridge_id);
typedef sai_status_t (*sai_set_bridge_attribute_fn)(
    sai_object_id_t bridge_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_bridge_attribute_fn)(sai_object_id_t bridge_id,
                                                    uint32_t attr_count,
                                                    sai_attribute_t *attr_list);

/* Counters of a bridge.  Reads the counters 'counter_ids' of one object into
 * 'counters', as many as 'number_of_counters'; an id that the library does
 * not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The third clears. */
typedef sai_status_t (*sai_get_bridge_stats_fn)(
    sai_object_id_t bridge_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_bridge_stats_ext_fn)(
    sai_object_id_t bridge_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_bridge_stats_fn)(
    sai_object_id_t bridge_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* Bridge ports.  A bridge port to which VLAN members or FDB entries refer
 * cannot be removed. */
typedef sai_status_t (*sai_create_bridge_port_fn)(
    sai_object_id_t *bridge_port_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_bridge_port_fn)(
    sai_object_id_t bridge_port_id);
typedef sai_status_t (*sai_set_bridge_port_attribute_fn)(
    sai_object_id_t bridge_port_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_bridge_port_attribute_fn)(
    sai_object_id_t bridge_port_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Counters of a bridge port; as for bridges. */
typedef sai_status_t (*sai_get_bridge_port_stats_fn)(
    sai_object_id_t bridge_port_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_bridge_port_stats_ext_fn)(
    sai_object_id_t bridge_port_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_bridge_port_stats_fn)(
    sai_object_id_t bridge_port_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* SAI_API_BRIDGE.  The order of the members is the ABI. */
typedef struct _sai_bridge_api_t {
    sai_create_bridge_fn create_bridge;
    sai_remove_bridge_fn remove_bridge;
    sai_set_bridge_attribute_fn set_bridge_attribute;
    sai_get_bridge_attribute_fn get_bridge_attribute;
    sai_get_bridge_stats_fn get_bridge_stats;
    sai_get_bridge_stats_ext_fn get_bridge_stats_ext;
    sai_clear_bridge_stats_fn clear_bridge_stats;
    sai_create_bridge_port_fn create_bridge_port;
    sai_remove_bridge_port_fn remove_bridge_port;
    sai_set_bridge_port_attribute_fn set_bridge_port_attribute;
    sai_get_bridge_port_attribute_fn get_bridge_port_attribute;
    sai_get_bridge_port_stats_fn get_bridge_port_stats;
    sai_get_bridge_port_stats_ext_fn get_bridge_port_stats_ext;
    sai_clear_bridge_port_stats_fn clear_bridge_port_stats;
} sai_bridge_api_t;

#endif /* saibridge.h */
