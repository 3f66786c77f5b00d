/* SPDX-License-Identifier: Apache-2.0 */

/* Attributes that are computed, not stored.
 *
 * The table at the end names a function for each.  The function computes the
 * attribute on each read, from the chip, the objects or the twin, so it is
 * never out of date. */

#include <config.h>

#include "vendors/softasic/sai/computed.h"

#include <string.h>

#include "base/check.h"
#include "sai/core/attr_value.h"
#include "sai/core/metadata.h"
#include "vendors/softasic/program/access_fields.h"
#include "vendors/softasic/program/access_lists.h"
#include "vendors/softasic/program/addresses.h"
#include "vendors/softasic/program/deadlocks.h"
#include "vendors/softasic/program/fdb_entries.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/program/port_limits.h"
#include "vendors/softasic/program/routes.h"
#include "vendors/softasic/program/stored.h"
#include "vendors/softasic/program/system_ports.h"
#include "vendors/softasic/program/tunnels.h"
#include "vendors/softasic/traffic/panel.h"

enum { MAX_MTU_BYTES = 9412, MAX_ACTIONS = 16 };

/* The function of a row.  Most return plain numbers; the kind of the attribute
 * selects the member of the value. */
typedef int64_t number_fn(const struct asic *asic,
                          const struct objects_item *item);
typedef sai_status_t answer_fn(const struct asic *asic,
                               const struct objects_item *item,
                               sai_attribute_t *attribute);

struct row {
    sai_object_type_t type;
    sai_attr_id_t id;
    number_fn *number; /* For a number or an object id. */
    answer_fn *answer; /* For anything else. */
};

static int64_t
zero(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    (void)item;
    return 0;
}

/* Switch -------------------------------------------------------------- */

/* Stores what entries can do: 'n' actions. */
static sai_status_t
acl_capability(uint32_t n, int32_t *actions, sai_attribute_t *attribute)
{
    const sai_attribute_value_t able = {
        .aclcapability = {.action_list = {n, actions}}};

    return attr_value_get(KIND_ACLCAPABILITY, &able, &attribute->value);
}

/* Stores the actions of 'stage', if the chip has tables there. */
static sai_status_t
acl_actions(const struct asic *asic, sai_acl_stage_t stage,
            sai_attribute_t *attribute)
{
    int32_t actions[MAX_ACTIONS];
    const bool has_any = stage == SAI_ACL_STAGE_EGRESS
                             ? asic->chip->egress_acl.tables > 0
                             : asic->chip->ingress_acl.tables > 0;
    const uint32_t n =
        has_any ? access_fields_actions(stage, MAX_ACTIONS, actions) : 0;

    orch_assert(n <= MAX_ACTIONS);
    return acl_capability(n, actions, attribute);
}

static sai_status_t
acl_ingress(const struct asic *asic, const struct objects_item *item,
            sai_attribute_t *attribute)
{
    (void)item;
    return acl_actions(asic, SAI_ACL_STAGE_INGRESS, attribute);
}

static sai_status_t
acl_egress(const struct asic *asic, const struct objects_item *item,
           sai_attribute_t *attribute)
{
    (void)item;
    return acl_actions(asic, SAI_ACL_STAGE_EGRESS, attribute);
}

static int64_t
acl_action_count(const struct asic *asic, const struct objects_item *item)
{
    int32_t actions[MAX_ACTIONS];

    (void)asic;
    (void)item;
    return access_fields_actions(SAI_ACL_STAGE_INGRESS, MAX_ACTIONS, actions);
}

static int64_t
acl_range_count(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    (void)item;
    return ACCESS_MAX_RANGES;
}

/* Stores how many more objects of 'type' fit, by stage and bind point. */
static sai_status_t
acl_room(const struct asic *asic, sai_object_type_t type,
         sai_attribute_t *attribute)
{
    enum { STAGES = 2, BIND_POINTS = 5 };
    sai_acl_resource_t room[STAGES * BIND_POINTS];
    const sai_attribute_value_t all = {
        .aclresource = {STAGES * BIND_POINTS, room}};

    for (int i = 0; i < STAGES * BIND_POINTS; i++) {
        const sai_acl_stage_t stage =
            i < BIND_POINTS ? SAI_ACL_STAGE_INGRESS : SAI_ACL_STAGE_EGRESS;
        const uint64_t left = type == SAI_OBJECT_TYPE_ACL_TABLE
                                  ? access_lists_stage_room(asic, stage, NULL)
                                  : access_lists_room(asic, type);

        room[i] = (sai_acl_resource_t){
            .stage = stage,
            .bind_point = (sai_acl_bind_point_type_t)(i % BIND_POINTS),
            .avail_num = access_fields_binds_at(stage, i % BIND_POINTS)
                             ? (uint32_t)left
                             : 0};
    }
    return attr_value_get(KIND_ACLRESOURCE, &all, &attribute->value);
}

static sai_status_t
acl_tables(const struct asic *asic, const struct objects_item *item,
           sai_attribute_t *attribute)
{
    (void)item;
    return acl_room(asic, SAI_OBJECT_TYPE_ACL_TABLE, attribute);
}

static sai_status_t
acl_groups(const struct asic *asic, const struct objects_item *item,
           sai_attribute_t *attribute)
{
    (void)item;
    return acl_room(asic, SAI_OBJECT_TYPE_ACL_TABLE_GROUP, attribute);
}

static sai_status_t
acl_entries(const struct asic *asic, const struct objects_item *item,
            sai_attribute_t *attribute)
{
    return l3_answer_members(asic, item, SAI_OBJECT_TYPE_ACL_ENTRY,
                             SAI_ACL_ENTRY_ATTR_TABLE_ID, attribute);
}

static sai_status_t
acl_members(const struct asic *asic, const struct objects_item *item,
            sai_attribute_t *attribute)
{
    return l3_answer_members(asic, item, SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER,
                             SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_GROUP_ID,
                             attribute);
}

/* Of entries, tables and members of groups: the larger wins. */
static int64_t
acl_priority_max(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    (void)item;
    return UINT16_MAX;
}

static int64_t
max_ports(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return asic->chip->ports;
}

static int64_t
max_mtu(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    (void)item;
    return MAX_MTU_BYTES;
}

static int64_t
cpu_port(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return (int64_t)asic->cpu_port->oid;
}

static int64_t
cpu_queues(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return asic->chip->cpu_queues;
}

/* Returns the only object of a type that has exactly one. */
static int64_t
sole(const struct asic *asic, sai_object_type_t type)
{
    const struct objects_item *item = objects_first(asic->objects, type);

    return item ? (int64_t)item->oid : 0;
}

static int64_t
default_vlan(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return sole(asic, SAI_OBJECT_TYPE_VLAN);
}

static int64_t
default_stp(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return sole(asic, SAI_OBJECT_TYPE_STP);
}

static int64_t
default_router(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return (int64_t)asic->domain->oid;
}

static int64_t
ecmp_hash(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return (int64_t)asic->ecmp_hash->oid;
}

static int64_t
lag_hash(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return (int64_t)asic->lag_hash->oid;
}

static int64_t
default_bridge(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return sole(asic, SAI_OBJECT_TYPE_BRIDGE);
}

static int64_t
default_traps(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return (int64_t)asic->trap_group->oid;
}

static int64_t
traffic_classes(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return asic->chip->tcs < UINT8_MAX ? asic->chip->tcs : UINT8_MAX;
}

static int64_t
levels(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    (void)item;
    return PORT_FAMILY_LEVELS;
}

static int64_t
memory_kb(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return (int64_t)(asic->chip->memory_bytes / 1024);
}

static int64_t
pools(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return asic->chip->pools;
}

static int64_t
fdb_room(const struct asic *asic, const struct objects_item *item)
{
    (void)item;
    return FDB_MAX_ENTRIES - (int64_t)fdb_entries_list(asic, NULL);
}

static int64_t
oper_up(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    (void)item;
    return SAI_SWITCH_OPER_STATUS_UP;
}

static sai_status_t
source_mac(const struct asic *asic, const struct objects_item *item,
           sai_attribute_t *attribute)
{
    memset(&attribute->value, 0, sizeof attribute->value);
    addresses_mac(asic, item, attribute->value.mac);
    return SAI_STATUS_SUCCESS;
}

/* Routing -------------------------------------------------------------- */

/* Returns how many more objects of 'type' can be created. */
static int64_t
room(const struct asic *asic, sai_object_type_t type)
{
    return (int64_t)l3_capacity(type) -
           (int64_t)objects_count(asic->objects, type);
}

#define ROOM(name, expression)                                                 \
    static int64_t name(const struct asic *asic,                               \
                        const struct objects_item *item)                       \
    {                                                                          \
        (void)item;                                                            \
        return (int64_t)(expression);                                          \
    }

#define ROUTES_LEFT(family)                                                    \
    (L3_MAX_ROUTES - router_n_routes(sim_router(asic->sim), family))
#define NEIGHBORS_LEFT(family)                                                 \
    (L3_MAX_NEIGHBORS - router_n_neighbors(sim_router(asic->sim), family))

ROOM(v4_route_room, ROUTES_LEFT(ADDRESS_V4))
ROOM(v6_route_room, ROUTES_LEFT(ADDRESS_V6))
ROOM(v4_neighbor_room, NEIGHBORS_LEFT(ADDRESS_V4))
ROOM(v6_neighbor_room, NEIGHBORS_LEFT(ADDRESS_V6))
/* Next hops of both families share a table. */
ROOM(next_hop_room, room(asic, SAI_OBJECT_TYPE_NEXT_HOP))
ROOM(group_room, room(asic, SAI_OBJECT_TYPE_NEXT_HOP_GROUP))
ROOM(member_room, room(asic, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER))
ROOM(max_routers, ((void)asic, L3_MAX_ROUTERS))
ROOM(max_groups, ((void)asic, L3_MAX_GROUPS))

static int64_t
entry_family(const struct asic *asic, const struct objects_item *item)
{
    (void)asic;
    return routes_family(item);
}

#define MEMBERS                                                                \
    SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER,                                     \
        SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID

static int64_t
group_size(const struct asic *asic, const struct objects_item *item)
{
    return l3_count_members(asic, item, MEMBERS);
}

static sai_status_t
group_members(const struct asic *asic, const struct objects_item *item,
              sai_attribute_t *attribute)
{
    return l3_answer_members(asic, item, MEMBERS, attribute);
}

static sai_status_t
lag_members(const struct asic *asic, const struct objects_item *item,
            sai_attribute_t *attribute)
{
    return l3_answer_members(asic, item, SAI_OBJECT_TYPE_LAG_MEMBER,
                             SAI_LAG_MEMBER_ATTR_LAG_ID, attribute);
}

static sai_status_t
tunnel_entries(const struct asic *asic, const struct objects_item *item,
               sai_attribute_t *attribute)
{
    return l3_answer_members(
        asic, item, SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY,
        SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_ACTION_TUNNEL_ID, attribute);
}

static sai_status_t
tunnel_map_entries(const struct asic *asic, const struct objects_item *item,
                   sai_attribute_t *attribute)
{
    return l3_answer_members(asic, item, SAI_OBJECT_TYPE_TUNNEL_MAP_ENTRY,
                             SAI_TUNNEL_MAP_ENTRY_ATTR_TUNNEL_MAP, attribute);
}

static sai_status_t
stats_modes(const struct asic *asic, const struct objects_item *item,
            sai_attribute_t *attribute)
{
    sai_int32_t modes[] = {SAI_STATS_MODE_READ, SAI_STATS_MODE_READ_AND_CLEAR};
    const sai_attribute_value_t all = {.s32list = {2, modes}};

    (void)asic;
    (void)item;
    return attr_value_get(KIND_S32LIST, &all, &attribute->value);
}

/* Ports --------------------------------------------------------------- */

/* A port is up if its ADMIN_STATE and its link are. */
static int64_t
oper_status(const struct asic *asic, const struct objects_item *item)
{
    return objects_number(item, SAI_PORT_ATTR_ADMIN_STATE) &&
                   panel_link_is_up(asic, item->handle)
               ? SAI_PORT_OPER_STATUS_UP
               : SAI_PORT_OPER_STATUS_DOWN;
}

static int64_t
oper_speed(const struct asic *asic, const struct objects_item *item)
{
    return oper_status(asic, item) == SAI_PORT_OPER_STATUS_UP
               ? objects_number(item, SAI_PORT_ATTR_SPEED)
               : 0;
}

static int64_t
headroom_size(const struct asic *asic, const struct objects_item *item)
{
    const uint64_t bytes = asic->chip->headroom_params.max_headroom_bytes;

    (void)item;
    return bytes < UINT32_MAX ? (int64_t)bytes : UINT32_MAX;
}

static sai_status_t
supported_speeds(const struct asic *asic, const struct objects_item *item,
                 sai_attribute_t *attribute)
{
    uint32_t mbps[PORT_LIMITS_SPEEDS];
    const sai_attribute_value_t all = {
        .u32list = {port_limits_speeds(asic, item, mbps), mbps}};

    return attr_value_get(KIND_U32LIST, &all, &attribute->value);
}

/* All modes are stored; the twin has no bit errors to correct. */
static sai_status_t
supported_fec_modes(const struct asic *asic, const struct objects_item *item,
                    sai_attribute_t *attribute)
{
    sai_int32_t modes[] = {SAI_PORT_FEC_MODE_NONE, SAI_PORT_FEC_MODE_RS,
                           SAI_PORT_FEC_MODE_FC};
    const sai_attribute_value_t all = {.s32list = {3, modes}};

    (void)asic;
    (void)item;
    return attr_value_get(KIND_S32LIST, &all, &attribute->value);
}

/* Buffers ------------------------------------------------------------- */

static int64_t
shared_size(const struct asic *asic, const struct objects_item *item)
{
    struct mmu_pool_stats stats;
    const enum st status = mmu_pool_get(asic->mmu, item->handle, &stats);

    orch_assert(status == ST_OK); /* Every pool is in the MMU. */
    return (int64_t)chip_cells_to_bytes(asic->chip, stats.shared_size);
}

/* Queues -------------------------------------------------------------- */

static int64_t
is_paused(const struct asic *asic, const struct objects_item *item)
{
    return item->handle != MMU_NONE &&
           sim_queue_is_paused(asic->sim, item->parent->handle, item->index);
}

/* Table --------------------------------------------------------------- */

#define SWITCH(NAME, fn)                                                       \
    {                                                                          \
        SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_##NAME, fn, NULL               \
    }
#define PORT(NAME, fn)                                                         \
    {                                                                          \
        SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_##NAME, fn, NULL                   \
    }

static const struct row rows[] = {
    SWITCH(MAX_NUMBER_OF_SUPPORTED_PORTS, max_ports),
    SWITCH(PORT_MAX_MTU, max_mtu),
    SWITCH(CPU_PORT, cpu_port),
    SWITCH(NUMBER_OF_CPU_QUEUES, cpu_queues),
    SWITCH(OPER_STATUS, oper_up),
    /* Clients read these defaults; the objects do not exist here. */
    SWITCH(DEFAULT_VLAN_ID, default_vlan),
    SWITCH(DEFAULT_STP_INST_ID, default_stp),
    SWITCH(DEFAULT_VIRTUAL_ROUTER_ID, default_router),
    SWITCH(DEFAULT_1Q_BRIDGE_ID, default_bridge),
    SWITCH(DEFAULT_TRAP_GROUP, default_traps),
    SWITCH(ECMP_HASH, ecmp_hash),
    SWITCH(LAG_HASH, lag_hash),
    SWITCH(QOS_MAX_NUMBER_OF_TRAFFIC_CLASSES, traffic_classes),
    SWITCH(QOS_MAX_NUMBER_OF_SCHEDULER_GROUP_HIERARCHY_LEVELS, levels),
    SWITCH(TOTAL_BUFFER_SIZE, memory_kb),
    SWITCH(INGRESS_BUFFER_POOL_NUM, pools),
    SWITCH(EGRESS_BUFFER_POOL_NUM, pools),
    SWITCH(AVAILABLE_IPV4_ROUTE_ENTRY, v4_route_room),
    SWITCH(AVAILABLE_IPV6_ROUTE_ENTRY, v6_route_room),
    SWITCH(AVAILABLE_IPV4_NEXTHOP_ENTRY, next_hop_room),
    SWITCH(AVAILABLE_IPV6_NEXTHOP_ENTRY, next_hop_room),
    SWITCH(AVAILABLE_IPV4_NEIGHBOR_ENTRY, v4_neighbor_room),
    SWITCH(AVAILABLE_IPV6_NEIGHBOR_ENTRY, v6_neighbor_room),
    SWITCH(AVAILABLE_NEXT_HOP_GROUP_ENTRY, group_room),
    SWITCH(AVAILABLE_NEXT_HOP_GROUP_MEMBER_ENTRY, member_room),
    SWITCH(MAX_VIRTUAL_ROUTERS, max_routers),
    SWITCH(NUMBER_OF_ECMP_GROUPS, max_groups),
    SWITCH(AVAILABLE_FDB_ENTRY, fdb_room),
    SWITCH(MAX_NUMBER_OF_TEMP_SENSORS, zero), /* There are none. */
    SWITCH(NUMBER_OF_SYSTEM_PORTS, system_ports_count),
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_SYSTEM_PORT_LIST, NULL,
     system_ports_list},
    {SAI_OBJECT_TYPE_SYSTEM_PORT, SAI_SYSTEM_PORT_ATTR_TYPE, system_ports_type,
     NULL},
    {SAI_OBJECT_TYPE_SYSTEM_PORT, SAI_SYSTEM_PORT_ATTR_QOS_NUMBER_OF_VOQS,
     system_ports_n_voqs, NULL},
    {SAI_OBJECT_TYPE_SYSTEM_PORT, SAI_SYSTEM_PORT_ATTR_QOS_VOQ_LIST, NULL,
     system_ports_voqs},
    {SAI_OBJECT_TYPE_SYSTEM_PORT, SAI_SYSTEM_PORT_ATTR_PORT, system_ports_port,
     NULL},
    PORT(SYSTEM_PORT, system_ports_of_port),
    SWITCH(ACL_ENTRY_MINIMUM_PRIORITY, zero),
    SWITCH(ACL_ENTRY_MAXIMUM_PRIORITY, acl_priority_max),
    SWITCH(ACL_TABLE_MINIMUM_PRIORITY, zero),
    SWITCH(ACL_TABLE_MAXIMUM_PRIORITY, acl_priority_max),
    SWITCH(ACL_TABLE_GROUP_MINIMUM_PRIORITY, zero),
    SWITCH(ACL_TABLE_GROUP_MAXIMUM_PRIORITY, acl_priority_max),
    SWITCH(MAX_ACL_ACTION_COUNT, acl_action_count),
    SWITCH(MAX_ACL_RANGE_COUNT, acl_range_count),
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_CAPABILITY, NULL, acl_ingress},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_INGRESS, NULL,
     acl_ingress},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ACL_STAGE_EGRESS, NULL,
     acl_egress},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_AVAILABLE_ACL_TABLE, NULL,
     acl_tables},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_AVAILABLE_ACL_TABLE_GROUP, NULL,
     acl_groups},
    {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_ENTRY_LIST, NULL,
     acl_entries},
    {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_AVAILABLE_ACL_ENTRY,
     access_lists_entry_room, NULL},
    {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_AVAILABLE_ACL_COUNTER,
     access_lists_counter_room, NULL},
    {SAI_OBJECT_TYPE_ACL_TABLE_GROUP, SAI_ACL_TABLE_GROUP_ATTR_MEMBER_LIST,
     NULL, acl_members},
    {SAI_OBJECT_TYPE_ACL_COUNTER, SAI_ACL_COUNTER_ATTR_PACKETS,
     access_lists_packets, NULL},
    {SAI_OBJECT_TYPE_ACL_COUNTER, SAI_ACL_COUNTER_ATTR_BYTES,
     access_lists_bytes, NULL},
    SWITCH(RESTART_TYPE, zero), /* NONE: no warm restart. */
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_SRC_MAC_ADDRESS, NULL, source_mac},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_SUPPORTED_EXTENDED_STATS_MODE,
     NULL, stats_modes},
    {SAI_OBJECT_TYPE_VIRTUAL_ROUTER, SAI_VIRTUAL_ROUTER_ATTR_SRC_MAC_ADDRESS,
     NULL, source_mac},
    {SAI_OBJECT_TYPE_ROUTER_INTERFACE,
     SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS, NULL, source_mac},
    {SAI_OBJECT_TYPE_NEXT_HOP_GROUP, SAI_NEXT_HOP_GROUP_ATTR_NEXT_HOP_COUNT,
     group_size, NULL},
    {SAI_OBJECT_TYPE_NEXT_HOP_GROUP, SAI_NEXT_HOP_GROUP_ATTR_REAL_SIZE,
     group_size, NULL},
    {SAI_OBJECT_TYPE_NEXT_HOP_GROUP,
     SAI_NEXT_HOP_GROUP_ATTR_NEXT_HOP_MEMBER_LIST, NULL, group_members},
    {SAI_OBJECT_TYPE_ROUTE_ENTRY, SAI_ROUTE_ENTRY_ATTR_IP_ADDR_FAMILY,
     entry_family, NULL},
    {SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, SAI_NEIGHBOR_ENTRY_ATTR_IP_ADDR_FAMILY,
     entry_family, NULL},
    {SAI_OBJECT_TYPE_LAG, SAI_LAG_ATTR_PORT_LIST, NULL, lag_members},
    {SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_TERM_TABLE_ENTRY_LIST, NULL,
     tunnel_entries},
    {SAI_OBJECT_TYPE_TUNNEL_MAP, SAI_TUNNEL_MAP_ATTR_ENTRY_LIST, NULL,
     tunnel_map_entries},
    {SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY,
     SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_IP_ADDR_FAMILY, tunnels_family, NULL},
    {SAI_OBJECT_TYPE_HOSTIF_TRAP, SAI_HOSTIF_TRAP_ATTR_TRAP_GROUP,
     default_traps, NULL},
    {SAI_OBJECT_TYPE_HOSTIF_TRAP, SAI_HOSTIF_TRAP_ATTR_TRAP_PRIORITY, zero,
     NULL},
    {SAI_OBJECT_TYPE_HOSTIF_USER_DEFINED_TRAP,
     SAI_HOSTIF_USER_DEFINED_TRAP_ATTR_TRAP_GROUP, default_traps, NULL},
    {SAI_OBJECT_TYPE_HOSTIF_USER_DEFINED_TRAP,
     SAI_HOSTIF_USER_DEFINED_TRAP_ATTR_TRAP_PRIORITY, zero, NULL},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PFC_TC_DLD_INTERVAL_RANGE, NULL,
     deadlocks_detection_range},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PFC_TC_DLR_INTERVAL_RANGE, NULL,
     deadlocks_recovery_range},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_PFC_TC_DLD_INTERVAL_RANGE, NULL,
     deadlocks_detection_range},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_PFC_TC_DLR_INTERVAL_RANGE, NULL,
     deadlocks_recovery_range},
    PORT(OPER_STATUS, oper_status),
    PORT(OPER_SPEED, oper_speed),
    PORT(QOS_MAXIMUM_HEADROOM_SIZE, headroom_size),
    PORT(SUPPORTED_AUTO_NEG_MODE, zero),
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_SUPPORTED_SPEED, NULL,
     supported_speeds},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_SUPPORTED_FEC_MODE, NULL,
     supported_fec_modes},
    {SAI_OBJECT_TYPE_BUFFER_POOL, SAI_BUFFER_POOL_ATTR_SHARED_SIZE, shared_size,
     NULL},
    {SAI_OBJECT_TYPE_DEBUG_COUNTER, SAI_DEBUG_COUNTER_ATTR_INDEX,
     stored_debug_index, NULL},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_PAUSE_STATUS, is_paused, NULL},
};

/* Returns the row of attribute 'id' of 'type', or NULL. */
static const struct row *
find_row(sai_object_type_t type, sai_attr_id_t id)
{
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].type == type && rows[i].id == id) {
            return &rows[i];
        }
    }
    return NULL;
}

/* Returns whether the row applies: a chip without a maximum headroom of a port
 * does not implement that attribute. */
static bool
is_unknown(const struct asic *asic, const struct row *row)
{
    return row->number == headroom_size &&
           asic->chip->headroom_params.max_headroom_bytes == 0;
}

sai_status_t
computed_get(void *context, const struct objects_item *item,
             sai_attribute_t *attribute)
{
    const struct asic *asic = context;
    const struct row *row = find_row(item->type, attribute->id);
    enum kind kind;

    if (l2_supports(item->type, attribute->id)) {
        return l2_compute(context, item, attribute);
    }
    if (!row || is_unknown(asic, row)) {
        return port_family_compute(asic->objects, &asic->family, item,
                                   attribute);
    }
    if (row->answer) {
        return row->answer(asic, item, attribute);
    }
    kind = metadata_attribute(item->type, attribute->id)->kind;
    if (kind == KIND_OID) {
        attribute->value = (sai_attribute_value_t){
            .oid = (sai_object_id_t)row->number(asic, item)};
    } else {
        metadata_set_number(kind, row->number(asic, item), &attribute->value);
    }
    return SAI_STATUS_SUCCESS;
}

bool
computed_supports(const struct asic *asic, sai_object_type_t type,
                  sai_attr_id_t id)
{
    const struct row *row = find_row(type, id);

    return (row && !is_unknown(asic, row)) || port_family_computes(type, id) ||
           l2_supports(type, id);
}
