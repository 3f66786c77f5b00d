/* SPDX-License-Identifier: Apache-2.0 */

/* SAI's function tables.
 *
 * SAI wants a function of its own for each verb on each object type; they
 * differ only in the type (libsai.h).  The macros below generate those
 * functions, and the slots of a table, from the regular names that SAI gives
 * them.  So an object type takes a line here and a line in its table.
 *
 * Every table ends with some more functions than its release of SAI has.  A
 * client that was built for a later release calls one of them, not whatever is
 * next in memory. */

#include <config.h>

#include "vendors/libsai/function_tables.h"

#include "vendors/libsai/libsai.h"
#include "vendors/libsai/stubs.h"

/* The functions that follow a table, see GUARDED. */
#define STUBS_8                                                                \
    stubs_any, stubs_any, stubs_any, stubs_any, stubs_any, stubs_any,          \
        stubs_any, stubs_any

typedef sai_status_t guard_fn(void);

/* Functions by object type -------------------------------------------- */

/* The four verbs on objects of 'TYPE', which are called 'name'. */
#define OBJECT(name, TYPE)                                                     \
    static sai_status_t create_##name(sai_object_id_t *oid,                    \
                                      sai_object_id_t switch_id, uint32_t n,   \
                                      const sai_attribute_t *attributes)       \
    {                                                                          \
        return libsai_provider()->create(SAI_OBJECT_TYPE_##TYPE, oid,          \
                                         switch_id, n, attributes);            \
    }                                                                          \
    static sai_status_t remove_##name(sai_object_id_t oid)                     \
    {                                                                          \
        return libsai_provider()->remove(SAI_OBJECT_TYPE_##TYPE, oid);         \
    }                                                                          \
    ACCESS(name, TYPE)

#define ACCESS(name, TYPE)                                                     \
    static sai_status_t set_##name##_attribute(                                \
        sai_object_id_t oid, const sai_attribute_t *attribute)                 \
    {                                                                          \
        return libsai_provider()->set(SAI_OBJECT_TYPE_##TYPE, oid, attribute); \
    }                                                                          \
    static sai_status_t get_##name##_attribute(                                \
        sai_object_id_t oid, uint32_t n, sai_attribute_t *attributes)          \
    {                                                                          \
        return libsai_provider()->get(SAI_OBJECT_TYPE_##TYPE, oid, n,          \
                                      attributes);                             \
    }

/* Counters of such objects. */
#define STATS(name, TYPE)                                                      \
    static sai_status_t get_##name##_stats_ext(                                \
        sai_object_id_t oid, uint32_t n, const sai_stat_id_t *ids,             \
        sai_stats_mode_t mode, uint64_t *values)                               \
    {                                                                          \
        return values ? libsai_provider()->stats(SAI_OBJECT_TYPE_##TYPE, oid,  \
                                                 n, ids, mode, values)         \
                      : SAI_STATUS_INVALID_PARAMETER;                          \
    }                                                                          \
    static sai_status_t get_##name##_stats(sai_object_id_t oid, uint32_t n,    \
                                           const sai_stat_id_t *ids,           \
                                           uint64_t *values)                   \
    {                                                                          \
        return libsai_provider()->stats(SAI_OBJECT_TYPE_##TYPE, oid, n, ids,   \
                                        SAI_STATS_MODE_READ, values);          \
    }                                                                          \
    static sai_status_t clear_##name##_stats(sai_object_id_t oid, uint32_t n,  \
                                             const sai_stat_id_t *ids)         \
    {                                                                          \
        return libsai_provider()->stats(SAI_OBJECT_TYPE_##TYPE, oid, n, ids,   \
                                        SAI_STATS_MODE_READ_AND_CLEAR, NULL);  \
    }

/* Set and get attributes of several such objects. */
#define BULK_ACCESS(names, TYPE)                                               \
    static sai_status_t set_##names##_attribute(                               \
        uint32_t n_objects, const sai_object_id_t *oids,                       \
        const sai_attribute_t *attributes, sai_bulk_op_error_mode_t mode,      \
        sai_status_t *statuses)                                                \
    {                                                                          \
        return libsai_provider()->bulk_set(SAI_OBJECT_TYPE_##TYPE, n_objects,  \
                                           oids, attributes, mode, statuses);  \
    }                                                                          \
    static sai_status_t get_##names##_attribute(                               \
        uint32_t n_objects, const sai_object_id_t *oids, const uint32_t *n,    \
        sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,           \
        sai_status_t *statuses)                                                \
    {                                                                          \
        return libsai_provider()->bulk_get(SAI_OBJECT_TYPE_##TYPE, n_objects,  \
                                           oids, n, attributes, mode,          \
                                           statuses);                          \
    }

/* Create and remove several such objects. */
#define BULK_LIFE(names, TYPE)                                                 \
    static sai_status_t create_##names(                                        \
        sai_object_id_t switch_id, uint32_t n_objects, const uint32_t *n,      \
        const sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,     \
        sai_object_id_t *oids, sai_status_t *statuses)                         \
    {                                                                          \
        return libsai_provider()->bulk_create(                                 \
            SAI_OBJECT_TYPE_##TYPE, switch_id, n_objects, n, attributes, mode, \
            oids, statuses);                                                   \
    }                                                                          \
    static sai_status_t remove_##names(                                        \
        uint32_t n_objects, const sai_object_id_t *oids,                       \
        sai_bulk_op_error_mode_t mode, sai_status_t *statuses)                 \
    {                                                                          \
        return libsai_provider()->bulk_remove(                                 \
            SAI_OBJECT_TYPE_##TYPE, n_objects, oids, mode, statuses);          \
    }

/* The verbs on entries of 'TYPE', which are called 'name' and have keys of type
 * 'key', and on several of them. */
#define ENTRY(name, TYPE, key)                                                 \
    static sai_status_t create_##name(const key *entry, uint32_t n,            \
                                      const sai_attribute_t *attributes)       \
    {                                                                          \
        return libsai_provider()->entry_create(SAI_OBJECT_TYPE_##TYPE, entry,  \
                                               n, attributes);                 \
    }                                                                          \
    static sai_status_t remove_##name(const key *entry)                        \
    {                                                                          \
        return libsai_provider()->entry_remove(SAI_OBJECT_TYPE_##TYPE, entry); \
    }                                                                          \
    static sai_status_t set_##name##_attribute(                                \
        const key *entry, const sai_attribute_t *attribute)                    \
    {                                                                          \
        return libsai_provider()->entry_set(SAI_OBJECT_TYPE_##TYPE, entry,     \
                                            attribute);                        \
    }                                                                          \
    static sai_status_t get_##name##_attribute(const key *entry, uint32_t n,   \
                                               sai_attribute_t *attributes)    \
    {                                                                          \
        return libsai_provider()->entry_get(SAI_OBJECT_TYPE_##TYPE, entry, n,  \
                                            attributes);                       \
    }
#define ENTRIES(names, TYPE, key)                                              \
    static sai_status_t create_##names(                                        \
        uint32_t n_entries, const key *entries, const uint32_t *n,             \
        const sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,     \
        sai_status_t *statuses)                                                \
    {                                                                          \
        return libsai_provider()->entries_create(SAI_OBJECT_TYPE_##TYPE,       \
                                                 n_entries, entries, n,        \
                                                 attributes, mode, statuses);  \
    }                                                                          \
    static sai_status_t remove_##names(uint32_t n_entries, const key *entries, \
                                       sai_bulk_op_error_mode_t mode,          \
                                       sai_status_t *statuses)                 \
    {                                                                          \
        return libsai_provider()->entries_remove(                              \
            SAI_OBJECT_TYPE_##TYPE, n_entries, entries, mode, statuses);       \
    }                                                                          \
    static sai_status_t set_##names##_attribute(                               \
        uint32_t n_entries, const key *entries,                                \
        const sai_attribute_t *attributes, sai_bulk_op_error_mode_t mode,      \
        sai_status_t *statuses)                                                \
    {                                                                          \
        return libsai_provider()->entries_set(SAI_OBJECT_TYPE_##TYPE,          \
                                              n_entries, entries, attributes,  \
                                              mode, statuses);                 \
    }                                                                          \
    static sai_status_t get_##names##_attribute(                               \
        uint32_t n_entries, const key *entries, const uint32_t *n,             \
        sai_attribute_t **attributes, sai_bulk_op_error_mode_t mode,           \
        sai_status_t *statuses)                                                \
    {                                                                          \
        return libsai_provider()->entries_get(SAI_OBJECT_TYPE_##TYPE,          \
                                              n_entries, entries, n,           \
                                              attributes, mode, statuses);     \
    }

/* Functions whose names follow no pattern. */

static sai_status_t
create_switch(sai_object_id_t *oid, uint32_t n,
              const sai_attribute_t *attributes)
{
    return libsai_provider()->create_switch(oid, n, attributes);
}

static sai_status_t
remove_switch(sai_object_id_t oid)
{
    return libsai_provider()->remove_switch(oid);
}

static sai_status_t
clear_port(sai_object_id_t oid)
{
    return libsai_provider()->clear_port(oid);
}

static sai_status_t
remove_all_neighbors(sai_object_id_t switch_id)
{
    return libsai_provider()->remove_all_neighbors(switch_id);
}

static sai_status_t
flush_fdb_entries(sai_object_id_t switch_id, uint32_t n,
                  const sai_attribute_t *attributes)
{
    return libsai_provider()->flush_fdb_entries(switch_id, n, attributes);
}

/* The functions of each object type. */

ACCESS(switch, SWITCH)
STATS(switch, SWITCH)
OBJECT(port, PORT)
STATS(port, PORT)
BULK_ACCESS(ports, PORT)
OBJECT(port_llr_profile, PORT_LLR_PROFILE)
OBJECT(buffer_pool, BUFFER_POOL)
STATS(buffer_pool, BUFFER_POOL)
OBJECT(buffer_profile, BUFFER_PROFILE)
OBJECT(ingress_priority_group, INGRESS_PRIORITY_GROUP)
STATS(ingress_priority_group, INGRESS_PRIORITY_GROUP)
BULK_ACCESS(ingress_priority_groups, INGRESS_PRIORITY_GROUP)
OBJECT(queue, QUEUE)
STATS(queue, QUEUE)
BULK_ACCESS(queues, QUEUE)
OBJECT(qos_map, QOS_MAP)
OBJECT(scheduler, SCHEDULER)
OBJECT(scheduler_group, SCHEDULER_GROUP)
OBJECT(wred, WRED)
OBJECT(vlan, VLAN)
STATS(vlan, VLAN)
OBJECT(vlan_member, VLAN_MEMBER)
OBJECT(bridge, BRIDGE)
STATS(bridge, BRIDGE)
OBJECT(bridge_port, BRIDGE_PORT)
STATS(bridge_port, BRIDGE_PORT)

BULK_LIFE(vlan_members, VLAN_MEMBER)
BULK_LIFE(ports, PORT)
OBJECT(virtual_router, VIRTUAL_ROUTER)
OBJECT(router_interface, ROUTER_INTERFACE)
STATS(router_interface, ROUTER_INTERFACE)
BULK_LIFE(router_interfaces, ROUTER_INTERFACE)
BULK_ACCESS(router_interfaces, ROUTER_INTERFACE)
OBJECT(next_hop, NEXT_HOP)
BULK_LIFE(next_hops, NEXT_HOP)
BULK_ACCESS(next_hops, NEXT_HOP)
OBJECT(next_hop_group, NEXT_HOP_GROUP)
BULK_LIFE(next_hop_groups, NEXT_HOP_GROUP)
BULK_ACCESS(next_hop_groups, NEXT_HOP_GROUP)
OBJECT(next_hop_group_member, NEXT_HOP_GROUP_MEMBER)
BULK_LIFE(next_hop_group_members, NEXT_HOP_GROUP_MEMBER)
BULK_ACCESS(next_hop_group_members, NEXT_HOP_GROUP_MEMBER)
ENTRY(fdb_entry, FDB_ENTRY, sai_fdb_entry_t)
ENTRIES(fdb_entries, FDB_ENTRY, sai_fdb_entry_t)
ENTRY(neighbor_entry, NEIGHBOR_ENTRY, sai_neighbor_entry_t)
ENTRIES(neighbor_entries, NEIGHBOR_ENTRY, sai_neighbor_entry_t)
ENTRY(route_entry, ROUTE_ENTRY, sai_route_entry_t)
ENTRIES(route_entries, ROUTE_ENTRY, sai_route_entry_t)
OBJECT(lag, LAG)
OBJECT(hash, HASH)
OBJECT(lag_member, LAG_MEMBER)
BULK_LIFE(lag_members, LAG_MEMBER)
OBJECT(acl_table, ACL_TABLE)
OBJECT(acl_entry, ACL_ENTRY)
OBJECT(acl_counter, ACL_COUNTER)
OBJECT(acl_range, ACL_RANGE)
OBJECT(acl_table_group, ACL_TABLE_GROUP)
OBJECT(acl_table_group_member, ACL_TABLE_GROUP_MEMBER)
OBJECT(mirror_session, MIRROR_SESSION)
OBJECT(samplepacket, SAMPLEPACKET)
OBJECT(policer, POLICER)
STATS(policer, POLICER)
OBJECT(tunnel_map, TUNNEL_MAP)
OBJECT(tunnel_map_entry, TUNNEL_MAP_ENTRY)
OBJECT(tunnel, TUNNEL)
STATS(tunnel, TUNNEL)
BULK_ACCESS(tunnels, TUNNEL)
BULK_LIFE(tunnels, TUNNEL)
OBJECT(tunnel_term_table_entry, TUNNEL_TERM_TABLE_ENTRY)
OBJECT(debug_counter, DEBUG_COUNTER)
OBJECT(my_mac, MY_MAC)
OBJECT(system_port, SYSTEM_PORT)
OBJECT(hostif, HOSTIF)
OBJECT(hostif_table_entry, HOSTIF_TABLE_ENTRY)
OBJECT(hostif_trap_group, HOSTIF_TRAP_GROUP)
OBJECT(hostif_trap, HOSTIF_TRAP)
OBJECT(hostif_user_defined_trap, HOSTIF_USER_DEFINED_TRAP)

/* Tables -------------------------------------------------------------- */

/* A table with the stubs that follow it. */
#define GUARDED(type)                                                          \
    struct {                                                                   \
        type api;                                                              \
        guard_fn *guards[STUBS_N_GUARDS];                                      \
    }

#define SET_GET(name)                                                          \
    .set_##name##_attribute = set_##name##_attribute,                          \
    .get_##name##_attribute = get_##name##_attribute
#define VERBS(name)                                                            \
    .create_##name = create_##name, .remove_##name = remove_##name,            \
    SET_GET(name)
#define COUNTERS(name)                                                         \
    .get_##name##_stats = get_##name##_stats,                                  \
    .get_##name##_stats_ext = get_##name##_stats_ext,                          \
    .clear_##name##_stats = clear_##name##_stats
#define LIFE(names)                                                            \
    .create_##names = create_##names, .remove_##names = remove_##names
#define NO_VERBS(name)                                                         \
    .create_##name = stubs_create, .remove_##name = stubs_remove,              \
    .set_##name##_attribute = stubs_set, .get_##name##_attribute = stubs_get
#define NO_COUNTERS(name)                                                      \
    .get_##name##_stats = stubs_stats,                                         \
    .get_##name##_stats_ext = stubs_stats_ext,                                 \
    .clear_##name##_stats = stubs_clear_stats

static const GUARDED(sai_switch_api_t) switch_table = {
    .api =
        {
            .create_switch = create_switch,
            .remove_switch = remove_switch,
            SET_GET(switch),
            COUNTERS(switch),
            .switch_mdio_read = stubs_mdio_read,
            .switch_mdio_write = stubs_mdio_write,
            NO_VERBS(switch_tunnel),
            .switch_mdio_cl22_read = stubs_mdio_read,
            .switch_mdio_cl22_write = stubs_mdio_write,
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_port_api_t) port_table = {
    .api =
        {
            VERBS(port),
            COUNTERS(port),
            .clear_port_all_stats = clear_port,
            NO_VERBS(port_pool),
            NO_COUNTERS(port_pool),
            NO_VERBS(port_connector),
            NO_VERBS(port_serdes),
            LIFE(ports),
            SET_GET(ports),
            .create_port_serdess = stubs_bulk_create,
            .remove_port_serdess = stubs_bulk_remove,
            .set_port_serdess_attribute = stubs_bulk_set,
            .get_port_serdess_attribute = stubs_bulk_get,
            VERBS(port_llr_profile),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_buffer_api_t) buffer_table = {
    .api =
        {
            VERBS(buffer_pool),
            COUNTERS(buffer_pool),
            VERBS(ingress_priority_group),
            COUNTERS(ingress_priority_group),
            VERBS(buffer_profile),
            SET_GET(ingress_priority_groups),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_queue_api_t) queue_table = {
    .api =
        {
            VERBS(queue),
            COUNTERS(queue),
            SET_GET(queues),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_qos_map_api_t) qos_map_table = {
    .api = {VERBS(qos_map)},
    .guards = {STUBS_8},
};

static const GUARDED(sai_scheduler_api_t) scheduler_table = {
    .api = {VERBS(scheduler)},
    .guards = {STUBS_8},
};

static const GUARDED(sai_scheduler_group_api_t) scheduler_group_table = {
    .api = {VERBS(scheduler_group)},
    .guards = {STUBS_8},
};

static const GUARDED(sai_wred_api_t) wred_table = {
    .api = {VERBS(wred)},
    .guards = {STUBS_8},
};

static const GUARDED(sai_vlan_api_t) vlan_table = {
    .api =
        {
            VERBS(vlan),
            VERBS(vlan_member),
            LIFE(vlan_members),
            COUNTERS(vlan),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_bridge_api_t) bridge_table = {
    .api =
        {
            VERBS(bridge),
            COUNTERS(bridge),
            VERBS(bridge_port),
            COUNTERS(bridge_port),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_fdb_api_t) fdb_table = {
    .api =
        {
            VERBS(fdb_entry),
            .flush_fdb_entries = flush_fdb_entries,
            LIFE(fdb_entries),
            SET_GET(fdb_entries),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_virtual_router_api_t) virtual_router_table = {
    .api = {VERBS(virtual_router)},
    .guards = {STUBS_8},
};

static const GUARDED(sai_router_interface_api_t) router_interface_table = {
    .api =
        {
            VERBS(router_interface),
            COUNTERS(router_interface),
            LIFE(router_interfaces),
            SET_GET(router_interfaces),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_next_hop_api_t) next_hop_table = {
    .api =
        {
            VERBS(next_hop),
            LIFE(next_hops),
            SET_GET(next_hops),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_next_hop_group_api_t) next_hop_group_table = {
    .api =
        {
            VERBS(next_hop_group),
            VERBS(next_hop_group_member),
            LIFE(next_hop_group_members),
            NO_VERBS(next_hop_group_map),
            SET_GET(next_hop_group_members),
            LIFE(next_hop_groups),
            SET_GET(next_hop_groups),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_neighbor_api_t) neighbor_table = {
    .api =
        {
            VERBS(neighbor_entry),
            .remove_all_neighbor_entries = remove_all_neighbors,
            LIFE(neighbor_entries),
            SET_GET(neighbor_entries),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_route_api_t) route_table = {
    .api =
        {
            VERBS(route_entry),
            LIFE(route_entries),
            SET_GET(route_entries),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_lag_api_t) lag_table = {
    .api =
        {
            VERBS(lag),
            VERBS(lag_member),
            LIFE(lag_members),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_hash_api_t) hash_table = {
    .api =
        {
            VERBS(hash),
            NO_VERBS(fine_grained_hash_field),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_acl_api_t) acl_table = {
    .api =
        {
            VERBS(acl_table),
            VERBS(acl_entry),
            VERBS(acl_counter),
            VERBS(acl_range),
            VERBS(acl_table_group),
            VERBS(acl_table_group_member),
            NO_VERBS(acl_table_chain_group),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_mirror_api_t) mirror_table = {
    .api =
        {
            VERBS(mirror_session),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_samplepacket_api_t) samplepacket_table = {
    .api =
        {
            VERBS(samplepacket),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_policer_api_t) policer_table = {
    .api =
        {
            VERBS(policer),
            COUNTERS(policer),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_tunnel_api_t) tunnel_table = {
    .api =
        {
            VERBS(tunnel_map),
            VERBS(tunnel),
            COUNTERS(tunnel),
            VERBS(tunnel_term_table_entry),
            VERBS(tunnel_map_entry),
            LIFE(tunnels),
            .set_tunnels_attribute = set_tunnels_attribute,
            .get_tunnels_attribute = get_tunnels_attribute,
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_debug_counter_api_t) debug_counter_table = {
    .api =
        {
            VERBS(debug_counter),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_my_mac_api_t) my_mac_table = {
    .api =
        {
            VERBS(my_mac),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_system_port_api_t) system_port_table = {
    .api =
        {
            VERBS(system_port),
        },
    .guards = {STUBS_8},
};

static const GUARDED(sai_hostif_api_t) hostif_table = {
    .api =
        {
            VERBS(hostif),
            VERBS(hostif_table_entry),
            VERBS(hostif_trap_group),
            VERBS(hostif_trap),
            VERBS(hostif_user_defined_trap),
            .recv_hostif_packet = stubs_recv_packet,
            .send_hostif_packet = stubs_send_packet,
            .allocate_hostif_packet = stubs_allocate_packet,
            .free_hostif_packet = stubs_free_packet,
        },
    .guards = {STUBS_8},
};

/* The tables of the modelled APIs. */
static const struct {
    sai_api_t api;
    const void *table;
} tables[] = {
    {SAI_API_SWITCH, &switch_table},
    {SAI_API_PORT, &port_table},
    {SAI_API_BUFFER, &buffer_table},
    {SAI_API_QUEUE, &queue_table},
    {SAI_API_QOS_MAP, &qos_map_table},
    {SAI_API_SCHEDULER, &scheduler_table},
    {SAI_API_SCHEDULER_GROUP, &scheduler_group_table},
    {SAI_API_WRED, &wred_table},
    {SAI_API_VLAN, &vlan_table},
    {SAI_API_BRIDGE, &bridge_table},
    {SAI_API_FDB, &fdb_table},
    {SAI_API_VIRTUAL_ROUTER, &virtual_router_table},
    {SAI_API_ROUTER_INTERFACE, &router_interface_table},
    {SAI_API_NEXT_HOP, &next_hop_table},
    {SAI_API_NEXT_HOP_GROUP, &next_hop_group_table},
    {SAI_API_NEIGHBOR, &neighbor_table},
    {SAI_API_ROUTE, &route_table},
    {SAI_API_LAG, &lag_table},
    {SAI_API_HASH, &hash_table},
    {SAI_API_ACL, &acl_table},
    {SAI_API_MIRROR, &mirror_table},
    {SAI_API_SAMPLEPACKET, &samplepacket_table},
    {SAI_API_POLICER, &policer_table},
    {SAI_API_TUNNEL, &tunnel_table},
    {SAI_API_DEBUG_COUNTER, &debug_counter_table},
    {SAI_API_MY_MAC, &my_mac_table},
    {SAI_API_SYSTEM_PORT, &system_port_table},
    {SAI_API_HOSTIF, &hostif_table},
};

const void *
function_tables_get(sai_api_t api)
{
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        if (tables[i].api == api) {
            return tables[i].table;
        }
    }
    return stubs_table(api, NULL);
}
