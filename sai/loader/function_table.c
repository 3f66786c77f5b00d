/* SPDX-License-Identifier: Apache-2.0 */

/* The functions of each object type, and the length of each table. */

#include <config.h>

#include "sai/loader/function_table.h"

#define TYPE(TYPE, API)     .type = SAI_OBJECT_TYPE_##TYPE, .api = SAI_API_##API
#define AT(table, function) offsetof(sai_##table##_api_t, function)
#define VERBS(table, object)                                                   \
    .create = AT(table, create_##object),                                      \
    .remove = AT(table, remove_##object),                                      \
    .set = AT(table, set_##object##_attribute),                                \
    .get = AT(table, get_##object##_attribute)
#define STATS(table, object)                                                   \
    .get_stats = AT(table, get_##object##_stats),                              \
    .get_stats_ext = AT(table, get_##object##_stats_ext)
#define MAKE(table, objects)                                                   \
    .create_many = AT(table, create_##objects),                                \
    .remove_many = AT(table, remove_##objects)
#define USE(table, objects)                                                    \
    .set_many = AT(table, set_##objects##_attribute),                          \
    .get_many = AT(table, get_##objects##_attribute)

static const struct route routes[] = {
    {TYPE(SWITCH, SWITCH), VERBS(switch, switch), STATS(switch, switch)},
    {TYPE(SWITCH_TUNNEL, SWITCH), VERBS(switch, switch_tunnel)},
    {TYPE(PORT, PORT), VERBS(port, port), STATS(port, port), MAKE(port, ports),
     USE(port, ports)},
    {TYPE(PORT_POOL, PORT), VERBS(port, port_pool), STATS(port, port_pool)},
    {TYPE(PORT_CONNECTOR, PORT), VERBS(port, port_connector)},
    {TYPE(PORT_SERDES, PORT), VERBS(port, port_serdes),
     MAKE(port, port_serdess), USE(port, port_serdess)},
    {TYPE(PORT_LLR_PROFILE, PORT), VERBS(port, port_llr_profile)},
    {TYPE(BUFFER_POOL, BUFFER), VERBS(buffer, buffer_pool),
     STATS(buffer, buffer_pool)},
    {TYPE(BUFFER_PROFILE, BUFFER), VERBS(buffer, buffer_profile)},
    {TYPE(INGRESS_PRIORITY_GROUP, BUFFER),
     VERBS(buffer, ingress_priority_group),
     STATS(buffer, ingress_priority_group),
     USE(buffer, ingress_priority_groups)},
    {TYPE(QUEUE, QUEUE), VERBS(queue, queue), STATS(queue, queue),
     USE(queue, queues)},
    {TYPE(QOS_MAP, QOS_MAP), VERBS(qos_map, qos_map)},
    {TYPE(SCHEDULER, SCHEDULER), VERBS(scheduler, scheduler)},
    {TYPE(SCHEDULER_GROUP, SCHEDULER_GROUP),
     VERBS(scheduler_group, scheduler_group)},
    {TYPE(WRED, WRED), VERBS(wred, wred)},
    {TYPE(HOSTIF, HOSTIF), VERBS(hostif, hostif)},
    {TYPE(HOSTIF_TABLE_ENTRY, HOSTIF), VERBS(hostif, hostif_table_entry)},
    {TYPE(HOSTIF_TRAP_GROUP, HOSTIF), VERBS(hostif, hostif_trap_group)},
    {TYPE(HOSTIF_TRAP, HOSTIF), VERBS(hostif, hostif_trap)},
    {TYPE(HOSTIF_USER_DEFINED_TRAP, HOSTIF),
     VERBS(hostif, hostif_user_defined_trap)},
    {TYPE(VLAN, VLAN), VERBS(vlan, vlan), STATS(vlan, vlan)},
    {TYPE(VLAN_MEMBER, VLAN), VERBS(vlan, vlan_member),
     MAKE(vlan, vlan_members)},
    {TYPE(BRIDGE, BRIDGE), VERBS(bridge, bridge), STATS(bridge, bridge)},
    {TYPE(BRIDGE_PORT, BRIDGE), VERBS(bridge, bridge_port),
     STATS(bridge, bridge_port)},
    {TYPE(FDB_ENTRY, FDB), VERBS(fdb, fdb_entry), MAKE(fdb, fdb_entries),
     USE(fdb, fdb_entries)},
    {TYPE(VIRTUAL_ROUTER, VIRTUAL_ROUTER),
     VERBS(virtual_router, virtual_router)},
    {TYPE(ROUTER_INTERFACE, ROUTER_INTERFACE),
     VERBS(router_interface, router_interface),
     STATS(router_interface, router_interface),
     MAKE(router_interface, router_interfaces),
     USE(router_interface, router_interfaces)},
    {TYPE(NEXT_HOP, NEXT_HOP), VERBS(next_hop, next_hop),
     MAKE(next_hop, next_hops), USE(next_hop, next_hops)},
    {TYPE(NEXT_HOP_GROUP, NEXT_HOP_GROUP),
     VERBS(next_hop_group, next_hop_group),
     MAKE(next_hop_group, next_hop_groups),
     USE(next_hop_group, next_hop_groups)},
    {TYPE(NEXT_HOP_GROUP_MEMBER, NEXT_HOP_GROUP),
     VERBS(next_hop_group, next_hop_group_member),
     MAKE(next_hop_group, next_hop_group_members),
     USE(next_hop_group, next_hop_group_members)},
    {TYPE(NEXT_HOP_GROUP_MAP, NEXT_HOP_GROUP),
     VERBS(next_hop_group, next_hop_group_map)},
    {TYPE(NEIGHBOR_ENTRY, NEIGHBOR), VERBS(neighbor, neighbor_entry),
     MAKE(neighbor, neighbor_entries), USE(neighbor, neighbor_entries)},
    {TYPE(ROUTE_ENTRY, ROUTE), VERBS(route, route_entry),
     MAKE(route, route_entries), USE(route, route_entries)},
    {TYPE(LAG, LAG), VERBS(lag, lag)},
    {TYPE(LAG_MEMBER, LAG), VERBS(lag, lag_member), MAKE(lag, lag_members)},
};

/* Function tables: what each release has.  Sorted by release within an API. */
static const struct {
    sai_api_t api;
    uint64_t since;
    size_t n_slots;
} slots[] = {
    {SAI_API_SWITCH, SAI_VERSION(1, 9, 0), 13},
    {SAI_API_SWITCH, SAI_VERSION(1, 11, 0), 15},
    {SAI_API_PORT, SAI_VERSION(1, 9, 0), 23},
    {SAI_API_PORT, SAI_VERSION(1, 10, 2), 27},
    {SAI_API_PORT, SAI_VERSION(1, 13, 0), 31},
    {SAI_API_PORT, SAI_VERSION(1, 18, 0), 35},
    {SAI_API_BUFFER, SAI_VERSION(1, 9, 0), 18},
    {SAI_API_BUFFER, SAI_VERSION(1, 15, 0), 20},
    {SAI_API_QUEUE, SAI_VERSION(1, 9, 0), 7},
    {SAI_API_QUEUE, SAI_VERSION(1, 15, 0), 9},
    {SAI_API_QOS_MAP, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_SCHEDULER, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_SCHEDULER_GROUP, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_WRED, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_HOSTIF, SAI_VERSION(1, 9, 0), 24},
    {SAI_API_VLAN, SAI_VERSION(1, 9, 0), 13},
    {SAI_API_BRIDGE, SAI_VERSION(1, 9, 0), 14},
    {SAI_API_FDB, SAI_VERSION(1, 9, 0), 9},
    {SAI_API_VIRTUAL_ROUTER, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_ROUTER_INTERFACE, SAI_VERSION(1, 9, 0), 7},
    {SAI_API_ROUTER_INTERFACE, SAI_VERSION(1, 14, 0), 11},
    {SAI_API_NEXT_HOP, SAI_VERSION(1, 9, 0), 4},
    {SAI_API_NEXT_HOP, SAI_VERSION(1, 13, 0), 8},
    {SAI_API_NEXT_HOP_GROUP, SAI_VERSION(1, 9, 0), 14},
    {SAI_API_NEXT_HOP_GROUP, SAI_VERSION(1, 11, 0), 16},
    {SAI_API_NEXT_HOP_GROUP, SAI_VERSION(1, 16, 0), 20},
    {SAI_API_NEIGHBOR, SAI_VERSION(1, 9, 0), 5},
    {SAI_API_NEIGHBOR, SAI_VERSION(1, 11, 0), 9},
    {SAI_API_ROUTE, SAI_VERSION(1, 9, 0), 8},
    {SAI_API_LAG, SAI_VERSION(1, 9, 0), 10},
};

const struct route *
function_table_find(sai_object_type_t type)
{
    for (size_t i = 0; i < sizeof routes / sizeof routes[0]; i++) {
        if (routes[i].type == type) {
            return &routes[i];
        }
    }
    return NULL;
}

const struct route *
function_table_at(size_t i)
{
    return i < sizeof routes / sizeof routes[0] ? &routes[i] : NULL;
}

size_t
function_table_offset(const struct route *route, enum op op)
{
    const size_t offsets[N_OPS] = {
        [OP_CREATE] = route->create,
        [OP_REMOVE] = route->remove,
        [OP_SET] = route->set,
        [OP_GET] = route->get,
        [OP_GET_STATS] = route->get_stats_ext,
        [OP_CREATE_MANY] = route->create_many,
        [OP_REMOVE_MANY] = route->remove_many,
        [OP_SET_MANY] = route->set_many,
        [OP_GET_MANY] = route->get_many,
    };

    return offsets[op];
}

size_t
function_table_n_slots(sai_api_t api, uint64_t version)
{
    size_t n = 0;

    for (size_t i = 0; i < sizeof slots / sizeof slots[0]; i++) {
        if (slots[i].api == api && slots[i].since <= version) {
            n = slots[i].n_slots;
        }
    }
    return n;
}
