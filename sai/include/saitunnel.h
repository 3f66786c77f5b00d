/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_INCLUDE_SAITUNNEL_H
#define ORCHD_SAI_INCLUDE_SAITUNNEL_H

/* Tunnels: encapsulation towards next hops, decapsulation by entries, and maps
 * between the two sides. */

#include <saistatus.h>
#include <saitypes.h>

#define SAI_ENUM_FILE "tunnel.def"
#include "enum/declare.def"
#undef SAI_ENUM_FILE

/* Attributes of a map. */
#define SAI_OBJECT_FILE "tunnel_map.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of an entry of a map. */
#define SAI_OBJECT_FILE "tunnel_map_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes and counters of a tunnel. */
#define SAI_OBJECT_FILE "tunnel.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Attributes of an entry for decapsulation. */
#define SAI_OBJECT_FILE "tunnel_term_table_entry.def"
#include "object/declare.def"
#undef SAI_OBJECT_FILE

/* Maps. */
typedef sai_status_t (*sai_create_tunnel_map_fn)(
    sai_object_id_t *tunnel_map_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_tunnel_map_fn)(sai_object_id_t tunnel_map_id);
typedef sai_status_t (*sai_set_tunnel_map_attribute_fn)(
    sai_object_id_t tunnel_map_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_tunnel_map_attribute_fn)(
    sai_object_id_t tunnel_map_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Tunnels. */
typedef sai_status_t (*sai_create_tunnel_fn)(sai_object_id_t *tunnel_id,
                                             sai_object_id_t switch_id,
                                             uint32_t attr_count,
                                             const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_tunnel_fn)(sai_object_id_t tunnel_id);
typedef sai_status_t (*sai_set_tunnel_attribute_fn)(
    sai_object_id_t tunnel_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_tunnel_attribute_fn)(sai_object_id_t tunnel_id,
                                                    uint32_t attr_count,
                                                    sai_attribute_t *attr_list);
typedef sai_status_t (*sai_get_tunnel_stats_fn)(
    sai_object_id_t tunnel_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, uint64_t *counters);
typedef sai_status_t (*sai_get_tunnel_stats_ext_fn)(
    sai_object_id_t tunnel_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids, sai_stats_mode_t mode,
    uint64_t *counters);
typedef sai_status_t (*sai_clear_tunnel_stats_fn)(
    sai_object_id_t tunnel_id, uint32_t number_of_counters,
    const sai_stat_id_t *counter_ids);

/* Entries for decapsulation. */
typedef sai_status_t (*sai_create_tunnel_term_table_entry_fn)(
    sai_object_id_t *tunnel_term_table_entry_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_tunnel_term_table_entry_fn)(
    sai_object_id_t tunnel_term_table_entry_id);
typedef sai_status_t (*sai_set_tunnel_term_table_entry_attribute_fn)(
    sai_object_id_t tunnel_term_table_entry_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_tunnel_term_table_entry_attribute_fn)(
    sai_object_id_t tunnel_term_table_entry_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* Entries of maps. */
typedef sai_status_t (*sai_create_tunnel_map_entry_fn)(
    sai_object_id_t *tunnel_map_entry_id, sai_object_id_t switch_id,
    uint32_t attr_count, const sai_attribute_t *attr_list);
typedef sai_status_t (*sai_remove_tunnel_map_entry_fn)(
    sai_object_id_t tunnel_map_entry_id);
typedef sai_status_t (*sai_set_tunnel_map_entry_attribute_fn)(
    sai_object_id_t tunnel_map_entry_id, const sai_attribute_t *attr);
typedef sai_status_t (*sai_get_tunnel_map_entry_attribute_fn)(
    sai_object_id_t tunnel_map_entry_id, uint32_t attr_count,
    sai_attribute_t *attr_list);

/* SAI_API_TUNNEL.  The order of the members is the ABI. */
typedef struct _sai_tunnel_api_t {
    sai_create_tunnel_map_fn create_tunnel_map;
    sai_remove_tunnel_map_fn remove_tunnel_map;
    sai_set_tunnel_map_attribute_fn set_tunnel_map_attribute;
    sai_get_tunnel_map_attribute_fn get_tunnel_map_attribute;
    sai_create_tunnel_fn create_tunnel;
    sai_remove_tunnel_fn remove_tunnel;
    sai_set_tunnel_attribute_fn set_tunnel_attribute;
    sai_get_tunnel_attribute_fn get_tunnel_attribute;
    sai_get_tunnel_stats_fn get_tunnel_stats;
    sai_get_tunnel_stats_ext_fn get_tunnel_stats_ext;
    sai_clear_tunnel_stats_fn clear_tunnel_stats;
    sai_create_tunnel_term_table_entry_fn create_tunnel_term_table_entry;
    sai_remove_tunnel_term_table_entry_fn remove_tunnel_term_table_entry;
    sai_set_tunnel_term_table_entry_attribute_fn
        set_tunnel_term_table_entry_attribute;
    sai_get_tunnel_term_table_entry_attribute_fn
        get_tunnel_term_table_entry_attribute;
    sai_create_tunnel_map_entry_fn create_tunnel_map_entry;
    sai_remove_tunnel_map_entry_fn remove_tunnel_map_entry;
    sai_set_tunnel_map_entry_attribute_fn set_tunnel_map_entry_attribute;
    sai_get_tunnel_map_entry_attribute_fn get_tunnel_map_entry_attribute;
    sai_bulk_object_create_fn create_tunnels;
    sai_bulk_object_remove_fn remove_tunnels;
    sai_bulk_object_set_attribute_fn set_tunnels_attribute;
    sai_bulk_object_get_attribute_fn get_tunnels_attribute;
} sai_tunnel_api_t;

#endif /* saitunnel.h */
