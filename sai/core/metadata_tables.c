/* SPDX-License-Identifier: Apache-2.0 */

/* The tables, made from the .def files.
 *
 * Each .def file is included once for every column set that is wanted from it,
 * with the row macro defined accordingly.  So a new attribute is one new row,
 * and a new object type one .def file, one array here and one row in the table
 * of objects. */

#include <config.h>

#include "sai/core/metadata_tables.h"

#define COUNT(array)      (sizeof(array) / sizeof((array)[0]))
#define NAME_LENGTH(name) (sizeof(#name) - 1)

/* Enumerations: the members of each, then the table. */

#define SAI_ENUM_MARK(name, value)
#define SAI_ENUM_BEGIN(e)                                                      \
    static const struct metadata_enumerator e##_members[] = {
#define SAI_FLAGS_BEGIN(e)          SAI_ENUM_BEGIN(e)
#define SAI_ENUM_VALUE(name, value) {name, NAME_LENGTH(name), #name},
#define SAI_ENUM_END(e)                                                        \
    }                                                                          \
    ;
#include "enum/all.def"
#undef SAI_ENUM_BEGIN
#undef SAI_FLAGS_BEGIN
#undef SAI_ENUM_VALUE
#undef SAI_ENUM_END

#define ENUM_ROW(e, is_flags)                                                  \
    {"sai_" #e "_t", e##_members, COUNT(e##_members), is_flags},

const struct metadata_enum metadata_tables_enums[] = {
#define SAI_ENUM_BEGIN(e)  ENUM_ROW(e, false)
#define SAI_FLAGS_BEGIN(e) ENUM_ROW(e, true)
#define SAI_ENUM_VALUE(name, value)
#define SAI_ENUM_END(e)
#include "enum/all.def"
};

/* Attributes.  The columns of a row become designated initialisers: ROW_ and
 * the first word of the column name the macro that makes them. */

#define ROW_BOOL                       .kind = KIND_BOOL
#define ROW_CHARDATA                   .kind = KIND_CHARDATA
#define ROW_U8                         .kind = KIND_U8
#define ROW_S8                         .kind = KIND_S8
#define ROW_U16                        .kind = KIND_U16
#define ROW_U32                        .kind = KIND_U32
#define ROW_S32                        .kind = KIND_S32
#define ROW_U64                        .kind = KIND_U64
#define ROW_POINTER                    .kind = KIND_POINTER
#define ROW_MAC                        .kind = KIND_MAC
#define ROW_U16RANGE                   .kind = KIND_U16RANGE
#define ROW_U32RANGE                   .kind = KIND_U32RANGE
#define ROW_TIMESPEC                   .kind = KIND_TIMESPEC
#define ROW_RX_STATE                   .kind = KIND_RX_STATE
#define ROW_REACHABILITY               .kind = KIND_REACHABILITY
#define ROW_LATCHSTATUS                .kind = KIND_LATCHSTATUS
#define ROW_U8LIST                     .kind = KIND_U8LIST
#define ROW_S8LIST                     .kind = KIND_S8LIST
#define ROW_U32LIST                    .kind = KIND_U32LIST
#define ROW_S32LIST                    .kind = KIND_S32LIST
#define ROW_QOSMAP                     .kind = KIND_QOSMAP
#define ROW_MAPLIST                    .kind = KIND_MAPLIST
#define ROW_ACLRESOURCE                .kind = KIND_ACLRESOURCE
#define ROW_ACLCHAINLIST               .kind = KIND_ACLCHAINLIST
#define ROW_ACLCAPABILITY              .kind = KIND_ACLCAPABILITY
#define ROW_SYSPORTCONFIGLIST          .kind = KIND_SYSPORTCONFIGLIST
#define ROW_PORTERROR                  .kind = KIND_PORTERROR
#define ROW_PORTEYEVALUES              .kind = KIND_PORTEYEVALUES
#define ROW_PORTPAM4EYEVALUES          .kind = KIND_PORTPAM4EYEVALUES
#define ROW_PORTLANELATCHSTATUSLIST    .kind = KIND_PORTLANELATCHSTATUSLIST
#define ROW_PORTFREQUENCYOFFSETPPMLIST .kind = KIND_PORTFREQUENCYOFFSETPPMLIST
#define ROW_PORTSNRLIST                .kind = KIND_PORTSNRLIST
#define ROW_PRBS_RX_STATUS_LIST        .kind = KIND_PRBS_RX_STATUS_LIST
#define ROW_PRBS_RX_STATE_LIST         .kind = KIND_PRBS_RX_STATE_LIST
#define ROW_PRBS_BER_LIST              .kind = KIND_PRBS_BER_LIST

#define ROW_IPADDR         .kind = KIND_IPADDR
#define ROW_JSON           .kind = KIND_JSON
#define ROW_PORTSERDESTAPS .kind = KIND_PORTSERDESTAPS

#define ROW_ENUM(e)                                                            \
    .kind = KIND_S32, .enumeration = &metadata_tables_enums[TABLES_ENUM_##e]
#define ROW_ENUMLIST(e)                                                        \
    .kind = KIND_S32LIST, .enumeration = &metadata_tables_enums[TABLES_ENUM_##e]

/* T() and EQ() end in a comma, so that lists of them need no other. */
#define T(TYPE) SAI_OBJECT_TYPE_##TYPE,
#define TYPES(...)                                                             \
    .objects = (const sai_object_type_t[])                                     \
    {                                                                          \
        __VA_ARGS__ SAI_OBJECT_TYPE_NULL                                       \
    }
#define ROW_OID(...)         .kind = KIND_OID, TYPES(__VA_ARGS__)
#define ROW_OID_OR_NULL(...) ROW_OID(__VA_ARGS__), .null_allowed = true
#define ROW_OBJLIST(...)     .kind = KIND_OBJLIST, TYPES(__VA_ARGS__)

#define MANDATORY_ON_CREATE METADATA_FLAG_MANDATORY_ON_CREATE
#define CREATE_ONLY         METADATA_FLAG_CREATE_ONLY
#define CREATE_AND_SET      METADATA_FLAG_CREATE_AND_SET
#define READ_ONLY           METADATA_FLAG_READ_ONLY
#define KEY                 METADATA_FLAG_KEY

#define ROW_NO_DEFAULT .default_kind = METADATA_DEFAULT_NONE
#define ROW_EMPTY_LIST .default_kind = METADATA_DEFAULT_EMPTY
#define ROW_INTERNAL   .default_kind = METADATA_DEFAULT_INTERNAL
#define ROW_VENDOR     .default_kind = METADATA_DEFAULT_VENDOR
#define ROW_SAME_AS(TYPE, attribute)                                           \
    .default_kind = METADATA_DEFAULT_SAME_AS,                                  \
    .default_object = SAI_OBJECT_TYPE_##TYPE,                                  \
    .default_value = (int64_t)(attribute)
#define ROW_DEFAULT(x)                                                         \
    .default_kind = METADATA_DEFAULT_CONST, .default_value = (int64_t)(x)

#define EQ(name, x) {name, (int64_t)(x)},
#define TERMS(which, ...)                                                      \
    .condition = METADATA_##which,                                             \
    .terms = (const struct metadata_term[]){__VA_ARGS__},                      \
    .n_terms = COUNT(((const struct metadata_term[]){__VA_ARGS__}))
#define ROW_ALWAYS               .condition = METADATA_ALWAYS
#define ROW_REQUIRED_IF_ANY(...) TERMS(REQUIRED_IF_ANY, __VA_ARGS__)
#define ROW_REQUIRED_IF_ALL(...) TERMS(REQUIRED_IF_ALL, __VA_ARGS__)
#define ROW_VALID_IF_ANY(...)    TERMS(VALID_IF_ANY, __VA_ARGS__)
#define ROW_VALID_IF_ALL(...)    TERMS(VALID_IF_ALL, __VA_ARGS__)
#define ROW_VALID_IF_FIRST_AND_ANY(...)                                        \
    TERMS(VALID_IF_FIRST_AND_ANY, __VA_ARGS__)

/* The release, and what may follow it. */
#define ROW_NO_LIMIT .unit = METADATA_UNIT_NONE
#define ROW_UNIT(u)  .unit = METADATA_UNIT_##u
#define ROW_RANGE(low, high)                                                   \
    .has_range = true, .min = (int64_t)(low), .max = (int64_t)(high)
#define ROW_RANGE_OF(low, high, u) ROW_RANGE(low, high), ROW_UNIT(u)
#define TAIL(since_, limit_, ...)  .since = since_, ROW_##limit_

#define SAI_ATTR(attribute, number, kind_, flags_, default_, condition_, ...)  \
    {.name = #attribute,                                                       \
     .name_length = NAME_LENGTH(attribute),                                    \
     TAIL(__VA_ARGS__, NO_LIMIT, ~),                                           \
     .id = attribute,                                                          \
     .flags = flags_,                                                          \
     ROW_##kind_,                                                              \
     ROW_##default_,                                                           \
     ROW_##condition_},
#define SAI_ATTR_ALIAS(alias, attribute)

static const struct metadata_attribute switch_attributes[] = {
#include "attr/switch.def"
};
static const struct metadata_attribute port_attributes[] = {
#include "attr/port.def"
};
static const struct metadata_attribute buffer_pool_attributes[] = {
#include "attr/buffer_pool.def"
};
static const struct metadata_attribute buffer_profile_attributes[] = {
#include "attr/buffer_profile.def"
};
static const struct metadata_attribute ingress_priority_group_attributes[] = {
#include "attr/ingress_priority_group.def"
};
static const struct metadata_attribute queue_attributes[] = {
#include "attr/queue.def"
};
static const struct metadata_attribute qos_map_attributes[] = {
#include "attr/qos_map.def"
};
static const struct metadata_attribute scheduler_attributes[] = {
#include "attr/scheduler.def"
};
static const struct metadata_attribute scheduler_group_attributes[] = {
#include "attr/scheduler_group.def"
};
static const struct metadata_attribute wred_attributes[] = {
#include "attr/wred.def"
};
static const struct metadata_attribute switch_tunnel_attributes[] = {
#include "attr/switch_tunnel.def"
};
static const struct metadata_attribute port_pool_attributes[] = {
#include "attr/port_pool.def"
};
static const struct metadata_attribute port_connector_attributes[] = {
#include "attr/port_connector.def"
};
static const struct metadata_attribute port_serdes_attributes[] = {
#include "attr/port_serdes.def"
};
static const struct metadata_attribute port_llr_profile_attributes[] = {
#include "attr/port_llr_profile.def"
};
static const struct metadata_attribute hostif_attributes[] = {
#include "attr/hostif.def"
};
static const struct metadata_attribute hostif_trap_attributes[] = {
#include "attr/hostif_trap.def"
};
static const struct metadata_attribute hostif_trap_group_attributes[] = {
#include "attr/hostif_trap_group.def"
};
static const struct metadata_attribute hostif_user_defined_trap_attributes[] = {
#include "attr/hostif_user_defined_trap.def"
};
static const struct metadata_attribute hostif_table_entry_attributes[] = {
#include "attr/hostif_table_entry.def"
};
static const struct metadata_attribute hostif_packet_attributes[] = {
#include "attr/hostif_packet.def"
};
static const struct metadata_attribute vlan_attributes[] = {
#include "attr/vlan.def"
};
static const struct metadata_attribute vlan_member_attributes[] = {
#include "attr/vlan_member.def"
};
static const struct metadata_attribute bridge_attributes[] = {
#include "attr/bridge.def"
};
static const struct metadata_attribute bridge_port_attributes[] = {
#include "attr/bridge_port.def"
};
static const struct metadata_attribute fdb_entry_attributes[] = {
#include "attr/fdb_entry.def"
};
static const struct metadata_attribute fdb_flush_attributes[] = {
#include "attr/fdb_flush.def"
};
static const struct metadata_attribute virtual_router_attributes[] = {
#include "attr/virtual_router.def"
};
static const struct metadata_attribute router_interface_attributes[] = {
#include "attr/router_interface.def"
};
static const struct metadata_attribute next_hop_attributes[] = {
#include "attr/next_hop.def"
};
static const struct metadata_attribute next_hop_group_attributes[] = {
#include "attr/next_hop_group.def"
};
static const struct metadata_attribute next_hop_group_member_attributes[] = {
#include "attr/next_hop_group_member.def"
};
static const struct metadata_attribute next_hop_group_map_attributes[] = {
#include "attr/next_hop_group_map.def"
};
static const struct metadata_attribute neighbor_entry_attributes[] = {
#include "attr/neighbor_entry.def"
};
static const struct metadata_attribute route_entry_attributes[] = {
#include "attr/route_entry.def"
};
static const struct metadata_attribute lag_attributes[] = {
#include "attr/lag.def"
};
static const struct metadata_attribute lag_member_attributes[] = {
#include "attr/lag_member.def"
};

#undef SAI_ATTR
#undef SAI_ATTR_ALIAS
#define SAI_ATTR(...)
#define SAI_ATTR_ALIAS(alias, attribute) {#alias, NAME_LENGTH(alias), alias},

static const struct metadata_alias switch_aliases[] = {
#include "attr/switch.def"
};
static const struct metadata_alias buffer_profile_aliases[] = {
#include "attr/buffer_profile.def"
};

/* Counters. */

#define SAI_STAT(stat, number, since_) {#stat, NAME_LENGTH(stat), since_, stat},
#define SAI_STAT_MARK(stat, number)

static const struct metadata_stat switch_stats[] = {
#include "stat/switch.def"
};
static const struct metadata_stat port_stats[] = {
#include "stat/port.def"
};
static const struct metadata_stat buffer_pool_stats[] = {
#include "stat/buffer_pool.def"
};
static const struct metadata_stat ingress_priority_group_stats[] = {
#include "stat/ingress_priority_group.def"
};
static const struct metadata_stat queue_stats[] = {
#include "stat/queue.def"
};
static const struct metadata_stat port_pool_stats[] = {
#include "stat/port_pool.def"
};
static const struct metadata_stat vlan_stats[] = {
#include "stat/vlan.def"
};
static const struct metadata_stat bridge_stats[] = {
#include "stat/bridge.def"
};
static const struct metadata_stat bridge_port_stats[] = {
#include "stat/bridge_port.def"
};
static const struct metadata_stat router_interface_stats[] = {
#include "stat/router_interface.def"
};

/* Objects. */

#define OBJECT(TYPE, file)                                                     \
    .type = SAI_OBJECT_TYPE_##TYPE, .name = "SAI_OBJECT_TYPE_" #TYPE,          \
    .attributes = file##_attributes, .n_attributes = COUNT(file##_attributes)
#define STATS(file) .stats = file##_stats, .n_stats = COUNT(file##_stats)
#define ALIASES(file)                                                          \
    .aliases = file##_aliases, .n_aliases = COUNT(file##_aliases)

const struct metadata_object metadata_tables_objects[] = {
    [TABLES_SWITCH] = {OBJECT(SWITCH, switch), ALIASES(switch), STATS(switch)},
    [TABLES_PORT] = {OBJECT(PORT, port), STATS(port)},
    [TABLES_BUFFER_POOL] = {OBJECT(BUFFER_POOL, buffer_pool),
                            STATS(buffer_pool)},
    [TABLES_BUFFER_PROFILE] = {OBJECT(BUFFER_PROFILE, buffer_profile),
                               ALIASES(buffer_profile)},
    [TABLES_INGRESS_PRIORITY_GROUP] = {OBJECT(INGRESS_PRIORITY_GROUP,
                                              ingress_priority_group),
                                       STATS(ingress_priority_group)},
    [TABLES_QUEUE] = {OBJECT(QUEUE, queue), STATS(queue)},
    [TABLES_QOS_MAP] = {OBJECT(QOS_MAP, qos_map)},
    [TABLES_SCHEDULER] = {OBJECT(SCHEDULER, scheduler)},
    [TABLES_SCHEDULER_GROUP] = {OBJECT(SCHEDULER_GROUP, scheduler_group)},
    [TABLES_WRED] = {OBJECT(WRED, wred)},
    [TABLES_SWITCH_TUNNEL] = {OBJECT(SWITCH_TUNNEL, switch_tunnel)},
    [TABLES_PORT_POOL] = {OBJECT(PORT_POOL, port_pool), STATS(port_pool)},
    [TABLES_PORT_CONNECTOR] = {OBJECT(PORT_CONNECTOR, port_connector)},
    [TABLES_PORT_SERDES] = {OBJECT(PORT_SERDES, port_serdes)},
    [TABLES_PORT_LLR_PROFILE] = {OBJECT(PORT_LLR_PROFILE, port_llr_profile)},
    [TABLES_HOSTIF] = {OBJECT(HOSTIF, hostif)},
    [TABLES_HOSTIF_TRAP] = {OBJECT(HOSTIF_TRAP, hostif_trap)},
    [TABLES_HOSTIF_TRAP_GROUP] = {OBJECT(HOSTIF_TRAP_GROUP, hostif_trap_group)},
    [TABLES_HOSTIF_USER_DEFINED_TRAP] = {OBJECT(HOSTIF_USER_DEFINED_TRAP,
                                                hostif_user_defined_trap)},
    [TABLES_HOSTIF_TABLE_ENTRY] = {OBJECT(HOSTIF_TABLE_ENTRY,
                                          hostif_table_entry)},
    [TABLES_HOSTIF_PACKET] = {OBJECT(HOSTIF_PACKET, hostif_packet)},
    [TABLES_VLAN] = {OBJECT(VLAN, vlan), STATS(vlan)},
    [TABLES_VLAN_MEMBER] = {OBJECT(VLAN_MEMBER, vlan_member)},
    [TABLES_BRIDGE] = {OBJECT(BRIDGE, bridge), STATS(bridge)},
    [TABLES_BRIDGE_PORT] = {OBJECT(BRIDGE_PORT, bridge_port),
                            STATS(bridge_port)},
    [TABLES_FDB_ENTRY] = {OBJECT(FDB_ENTRY, fdb_entry)},
    [TABLES_FDB_FLUSH] = {OBJECT(FDB_FLUSH, fdb_flush)},
    [TABLES_VIRTUAL_ROUTER] = {OBJECT(VIRTUAL_ROUTER, virtual_router)},
    [TABLES_ROUTER_INTERFACE] = {OBJECT(ROUTER_INTERFACE, router_interface),
                                 STATS(router_interface)},
    [TABLES_NEXT_HOP] = {OBJECT(NEXT_HOP, next_hop)},
    [TABLES_NEXT_HOP_GROUP] = {OBJECT(NEXT_HOP_GROUP, next_hop_group)},
    [TABLES_NEXT_HOP_GROUP_MEMBER] = {OBJECT(NEXT_HOP_GROUP_MEMBER,
                                             next_hop_group_member)},
    [TABLES_NEXT_HOP_GROUP_MAP] = {OBJECT(NEXT_HOP_GROUP_MAP,
                                          next_hop_group_map)},
    [TABLES_NEIGHBOR_ENTRY] = {OBJECT(NEIGHBOR_ENTRY, neighbor_entry)},
    [TABLES_ROUTE_ENTRY] = {OBJECT(ROUTE_ENTRY, route_entry)},
    [TABLES_LAG] = {OBJECT(LAG, lag)},
    [TABLES_LAG_MEMBER] = {OBJECT(LAG_MEMBER, lag_member)},
};
