/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAIROUTERINTERFACE_H
#define ORCHD_SAI_INCLUDE_SAIROUTERINTERFACE_H

/* Router interfaces: what joins a virtual router to a port, a LAG, a VLAN or
 * a bridge.  Packets that come in there for its MAC address are routed. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "routerinterface.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a router interface. */
#define SAI_OBJECT_FILE "router_interface.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Interfaces.  An interface to which neighbors or next hops refer cannot be
 * removed. */
typedef sai_status_t (*sai_create_router_interface_fn)(
    sai_object_id_t *router_interface_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_router_interface_fn)(
    sai_object_id_t router_interface_id);
typedef sai_status_t (*sai_set_router_interface_attribute_fn)(
    sai_object_id_t router_interface_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_router_interface_attribute_fn)(
    sai_object_id_t router_interface_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Counters of an interface.  Reads the counters 'counter_ids' of one object
 * into 'counters', as many as 'number_of_counters'; an id that the library does
 * not have fails the whole call.  The first only reads; the second also
 * clears if 'mode' says so, in one step per counter.  The third clears. */
typedef sai_status_t (*sai_get_router_interface_stats_fn)(
    sai_object_id_t router_interface_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_router_interface_stats_ext_fn)(
    sai_object_id_t router_interface_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_router_interface_stats_fn)(
    sai_object_id_t router_interface_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* SAI_API_ROUTER_INTERFACE.  The order of the members is the ABI. */
typedef struct _sai_router_interface_api_t {
    sai_create_router_interface_fn create_router_interface;
    sai_remove_router_interface_fn remove_router_interface;
    sai_set_router_interface_attribute_fn set_router_interface_attribute;
    sai_get_router_interface_attribute_fn get_router_interface_attribute;
    sai_get_router_interface_stats_fn get_router_interface_stats;
    sai_get_router_interface_stats_ext_fn get_router_interface_stats_ext;
    sai_clear_router_interface_stats_fn clear_router_interface_stats;

    /* Since 1.14.0. */
    sai_bulk_object_create_fn create_router_interfaces;
    sai_bulk_object_remove_fn remove_router_interfaces;
    sai_bulk_object_set_attribute_fn set_router_interfaces_attribute;
    sai_bulk_object_get_attribute_fn get_router_interfaces_attribute;
} sai_router_interface_api_t;

#endif /* sairouterinterface.h */
