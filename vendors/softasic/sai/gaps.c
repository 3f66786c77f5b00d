/* SPDX-License-Identifier: Apache-2.0 */

/* Tables of what has no effect. */

#include <config.h>

#include "vendors/softasic/sai/gaps.h"

#include "base/check.h"
#include "vendors/softasic/program/l2.h"
#include "vendors/softasic/program/stored.h"
#include "vendors/softasic/program/tunnels.h"
#include "vendors/softasic/traffic/hostif_frames.h"

/* The types with objects that have no effect. */
static const sai_object_type_t types[] = {
    SAI_OBJECT_TYPE_DEBUG_COUNTER,
    SAI_OBJECT_TYPE_HOSTIF,
    SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY,
    SAI_OBJECT_TYPE_MIRROR_SESSION,
    SAI_OBJECT_TYPE_SAMPLEPACKET,
    SAI_OBJECT_TYPE_TUNNEL,
    SAI_OBJECT_TYPE_TUNNEL_MAP,
    SAI_OBJECT_TYPE_TUNNEL_MAP_ENTRY,
    SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY,
};

enum { N_TYPES = sizeof types / sizeof types[0] };

/* The attributes without effect, by type. */
static const sai_attr_id_t port_attributes[] = {
    SAI_PORT_ATTR_AUTO_NEG_MODE,
    SAI_PORT_ATTR_MEDIA_TYPE,
    SAI_PORT_ATTR_ADVERTISED_SPEED,
    SAI_PORT_ATTR_ADVERTISED_FEC_MODE,
    SAI_PORT_ATTR_ADVERTISED_FEC_MODE_EXTENDED,
    SAI_PORT_ATTR_ADVERTISED_HALF_DUPLEX_SPEED,
    SAI_PORT_ATTR_ADVERTISED_AUTO_NEG_MODE,
    SAI_PORT_ATTR_ADVERTISED_FLOW_CONTROL_MODE,
    SAI_PORT_ATTR_ADVERTISED_ASYMMETRIC_PAUSE_MODE,
    SAI_PORT_ATTR_ADVERTISED_MEDIA_TYPE,
    SAI_PORT_ATTR_ADVERTISED_OUI_CODE,
    SAI_PORT_ATTR_DEFAULT_VLAN_PRIORITY,
    SAI_PORT_ATTR_DROP_TAGGED,
    SAI_PORT_ATTR_INTERNAL_LOOPBACK_MODE,
    SAI_PORT_ATTR_USE_EXTENDED_FEC,
    SAI_PORT_ATTR_FEC_MODE,
    SAI_PORT_ATTR_FEC_MODE_EXTENDED,
    SAI_PORT_ATTR_UPDATE_DSCP,
    SAI_PORT_ATTR_INGRESS_MACSEC_ACL,
    SAI_PORT_ATTR_EGRESS_MACSEC_ACL,
    SAI_PORT_ATTR_META_DATA,
    SAI_PORT_ATTR_EGRESS_BLOCK_PORT_LIST,
    SAI_PORT_ATTR_HW_PROFILE_ID,
    SAI_PORT_ATTR_EEE_ENABLE,
    SAI_PORT_ATTR_EEE_IDLE_TIME,
    SAI_PORT_ATTR_EEE_WAKE_TIME,
    SAI_PORT_ATTR_ISOLATION_GROUP,
    SAI_PORT_ATTR_TAM_OBJECT,
    SAI_PORT_ATTR_SERDES_PREEMPHASIS,
    SAI_PORT_ATTR_SERDES_IDRIVER,
    SAI_PORT_ATTR_SERDES_IPREDRIVER,
    SAI_PORT_ATTR_LINK_TRAINING_ENABLE,
    SAI_PORT_ATTR_PTP_MODE,
    SAI_PORT_ATTR_INTERFACE_TYPE,
    SAI_PORT_ATTR_ADVERTISED_INTERFACE_TYPE,
    SAI_PORT_ATTR_PRBS_POLYNOMIAL,
    SAI_PORT_ATTR_PRBS_CONFIG,
    SAI_PORT_ATTR_PRBS_PATTERN,
    SAI_PORT_ATTR_DISABLE_DECREMENT_TTL,
    SAI_PORT_ATTR_QOS_MPLS_EXP_TO_TC_MAP,
    SAI_PORT_ATTR_QOS_MPLS_EXP_TO_COLOR_MAP,
    SAI_PORT_ATTR_QOS_TC_AND_COLOR_TO_MPLS_EXP_MAP,
    SAI_PORT_ATTR_TPID,
    SAI_PORT_ATTR_AUTO_NEG_FEC_MODE_OVERRIDE,
    SAI_PORT_ATTR_LOOPBACK_MODE,
    SAI_PORT_ATTR_MDIX_MODE_CONFIG,
    SAI_PORT_ATTR_AUTO_NEG_CONFIG_MODE,
    SAI_PORT_ATTR_1000X_SGMII_SLAVE_AUTODETECT,
    SAI_PORT_ATTR_MODULE_TYPE,
    SAI_PORT_ATTR_DUAL_MEDIA,
    SAI_PORT_ATTR_IPG,
    SAI_PORT_ATTR_GLOBAL_FLOW_CONTROL_FORWARD,
    SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL_FORWARD,
    SAI_PORT_ATTR_FABRIC_ISOLATE,
    SAI_PORT_ATTR_ARS_ENABLE,
    SAI_PORT_ATTR_ARS_PORT_LOAD_SCALING_FACTOR,
    SAI_PORT_ATTR_ARS_PORT_LOAD_PAST_ENABLE,
    SAI_PORT_ATTR_ARS_PORT_LOAD_FUTURE_ENABLE,
    SAI_PORT_ATTR_ARS_PORT_LOAD_PAST_WEIGHT,
    SAI_PORT_ATTR_ARS_PORT_LOAD_FUTURE_WEIGHT,
    SAI_PORT_ATTR_ARS_ALTERNATE_PATH,
    SAI_PORT_ATTR_HOST_TX_SIGNAL_ENABLE,
    SAI_PORT_ATTR_PATH_TRACING_INTF,
    SAI_PORT_ATTR_PATH_TRACING_TIMESTAMP_TYPE,
    SAI_PORT_ATTR_DATAPATH_ENABLE,
    SAI_PORT_ATTR_CABLE_TYPE,
    SAI_PORT_ATTR_UNRELIABLE_LOS,
    SAI_PORT_ATTR_STATS_COUNT_MODE,
    SAI_PORT_ATTR_SELECTIVE_COUNTER_LIST,
    SAI_PORT_ATTR_FAST_LINKUP_ENABLED,
    SAI_PORT_ATTR_LINK_UP_DEBOUNCE_TIMEOUT,
    SAI_PORT_ATTR_INT_DELETE,
    SAI_PORT_ATTR_INT_METADATA,
    SAI_PORT_ATTR_PTP_PEER_MEAN_PATH_DELAY,
};

static const sai_attr_id_t switch_attributes[] = {
    SAI_SWITCH_ATTR_SWITCHING_MODE,
    SAI_SWITCH_ATTR_BCAST_CPU_FLOOD_ENABLE,
    SAI_SWITCH_ATTR_MCAST_CPU_FLOOD_ENABLE,
    SAI_SWITCH_ATTR_MAX_LEARNED_ADDRESSES,
    SAI_SWITCH_ATTR_FDB_UNICAST_MISS_PACKET_ACTION,
    SAI_SWITCH_ATTR_FDB_BROADCAST_MISS_PACKET_ACTION,
    SAI_SWITCH_ATTR_FDB_MULTICAST_MISS_PACKET_ACTION,
    SAI_SWITCH_ATTR_COUNTER_REFRESH_INTERVAL,
    SAI_SWITCH_ATTR_PACKET_EVENT_NOTIFY,
    SAI_SWITCH_ATTR_FAST_API_ENABLE,
    SAI_SWITCH_ATTR_MIRROR_TC,
    SAI_SWITCH_ATTR_TPID_OUTER_VLAN,
    SAI_SWITCH_ATTR_TPID_INNER_VLAN,
    SAI_SWITCH_ATTR_CRC_CHECK_ENABLE,
    SAI_SWITCH_ATTR_CRC_RECALCULATION_ENABLE,
    SAI_SWITCH_ATTR_BFD_SESSION_STATE_CHANGE_NOTIFY,
    SAI_SWITCH_ATTR_VXLAN_DEFAULT_ROUTER_MAC,
    SAI_SWITCH_ATTR_VXLAN_DEFAULT_PORT,
    SAI_SWITCH_ATTR_TAM_OBJECT_ID,
    SAI_SWITCH_ATTR_TAM_EVENT_NOTIFY,
    SAI_SWITCH_ATTR_NAT_ZONE_COUNTER_OBJECT_ID,
    SAI_SWITCH_ATTR_NAT_ENABLE,
    SAI_SWITCH_ATTR_NAT_EVENT_NOTIFY,
    SAI_SWITCH_ATTR_MACSEC_OBJECT_LIST,
    SAI_SWITCH_ATTR_QOS_MPLS_EXP_TO_TC_MAP,
    SAI_SWITCH_ATTR_QOS_MPLS_EXP_TO_COLOR_MAP,
    SAI_SWITCH_ATTR_QOS_TC_AND_COLOR_TO_MPLS_EXP_MAP,
    SAI_SWITCH_ATTR_FAILOVER_CONFIG_MODE,
    SAI_SWITCH_ATTR_TUNNEL_OBJECTS_LIST,
    SAI_SWITCH_ATTR_PRE_INGRESS_ACL,
    SAI_SWITCH_ATTR_IPSEC_OBJECT_ID,
    SAI_SWITCH_ATTR_IPSEC_SA_TAG_TPID,
    SAI_SWITCH_ATTR_IPSEC_SA_STATUS_CHANGE_NOTIFY,
    SAI_SWITCH_ATTR_ECMP_MEMBER_COUNT,
    SAI_SWITCH_ATTR_ARS_PROFILE,
    SAI_SWITCH_ATTR_CREDIT_WD,
    SAI_SWITCH_ATTR_CREDIT_WD_TIMER,
    SAI_SWITCH_ATTR_SWITCH_ISOLATE,
    SAI_SWITCH_ATTR_HOSTIF_OPER_STATUS_UPDATE_MODE,
    SAI_SWITCH_ATTR_SWITCH_ASIC_SDK_HEALTH_EVENT_NOTIFY,
    SAI_SWITCH_ATTR_REG_FATAL_SWITCH_ASIC_SDK_HEALTH_CATEGORY,
    SAI_SWITCH_ATTR_REG_WARNING_SWITCH_ASIC_SDK_HEALTH_CATEGORY,
    SAI_SWITCH_ATTR_REG_NOTICE_SWITCH_ASIC_SDK_HEALTH_CATEGORY,
    SAI_SWITCH_ATTR_PORT_HOST_TX_READY_NOTIFY,
    SAI_SWITCH_ATTR_TWAMP_SESSION_EVENT_NOTIFY,
    SAI_SWITCH_ATTR_ICMP_ECHO_SESSION_STATE_CHANGE_NOTIFY,
    SAI_SWITCH_ATTR_STATS_COUNT_MODE,
    SAI_SWITCH_ATTR_SELECTIVE_COUNTER_LIST,
    SAI_SWITCH_ATTR_EXTENDED_PORT_STATE_CHANGE_NOTIFY,
    SAI_SWITCH_ATTR_TAM_TEL_TYPE_CONFIG_CHANGE_NOTIFY,
    SAI_SWITCH_ATTR_PORT_PTP_MODE,
    SAI_SWITCH_ATTR_MACSEC_POST_STATUS_NOTIFY,
    SAI_SWITCH_ATTR_IPSEC_POST_STATUS_NOTIFY,
    SAI_SWITCH_ATTR_SWITCH_MACSEC_POST_STATUS_NOTIFY,
    SAI_SWITCH_ATTR_SWITCH_IPSEC_POST_STATUS_NOTIFY,
    SAI_SWITCH_ATTR_FAST_LINKUP_POLLING_TIMEOUT,
    SAI_SWITCH_ATTR_FAST_LINKUP_GUARD_TIMEOUT,
    SAI_SWITCH_ATTR_FAST_LINKUP_BER_THRESHOLD,
    SAI_SWITCH_ATTR_LINK_UP_DEBOUNCE_TIMEOUT,
    SAI_SWITCH_ATTR_PTP_TIME_OFFSET,
    SAI_SWITCH_ATTR_PTP_SYNTONIZE_ADJUST,
};

static const sai_attr_id_t tunnel_attributes[] = {
    SAI_TUNNEL_ATTR_PEER_MODE,
    SAI_TUNNEL_ATTR_ENCAP_SRC_IP,
    SAI_TUNNEL_ATTR_ENCAP_DST_IP,
    SAI_TUNNEL_ATTR_ENCAP_TTL_MODE,
    SAI_TUNNEL_ATTR_ENCAP_TTL_VAL,
    SAI_TUNNEL_ATTR_ENCAP_DSCP_MODE,
    SAI_TUNNEL_ATTR_ENCAP_DSCP_VAL,
    SAI_TUNNEL_ATTR_ENCAP_GRE_KEY_VALID,
    SAI_TUNNEL_ATTR_ENCAP_GRE_KEY,
    SAI_TUNNEL_ATTR_ENCAP_ECN_MODE,
    SAI_TUNNEL_ATTR_ENCAP_MAPPERS,
    SAI_TUNNEL_ATTR_DECAP_MAPPERS,
    SAI_TUNNEL_ATTR_LOOPBACK_PACKET_ACTION,
    SAI_TUNNEL_ATTR_VXLAN_UDP_SPORT_MODE,
    SAI_TUNNEL_ATTR_VXLAN_UDP_SPORT,
    SAI_TUNNEL_ATTR_VXLAN_UDP_SPORT_MASK,
    SAI_TUNNEL_ATTR_VXLAN_UDP_SPORT_SECURITY,
    SAI_TUNNEL_ATTR_SA_INDEX,
    SAI_TUNNEL_ATTR_IPSEC_SA_PORT_LIST,
    SAI_TUNNEL_ATTR_ENCAP_QOS_TC_AND_COLOR_TO_DSCP_MAP,
    SAI_TUNNEL_ATTR_ENCAP_QOS_TC_TO_QUEUE_MAP,
};

static const sai_attr_id_t queue_attributes[] = {
    SAI_QUEUE_ATTR_TAM_OBJECT,
    SAI_QUEUE_ATTR_STATS_COUNT_MODE,
    SAI_QUEUE_ATTR_SELECTIVE_COUNTER_LIST,
};

static const sai_attr_id_t hostif_attributes[] = {
    SAI_HOSTIF_ATTR_QUEUE,
};

static const sai_attr_id_t hostif_trap_group_attributes[] = {
    SAI_HOSTIF_TRAP_GROUP_ATTR_QUEUE,
};

static const sai_attr_id_t next_hop_group_member_attributes[] = {
    SAI_NEXT_HOP_GROUP_MEMBER_ATTR_INDEX,
    SAI_NEXT_HOP_GROUP_MEMBER_ATTR_SEQUENCE_ID,
};

static const struct {
    sai_object_type_t type;
    const sai_attr_id_t *attributes;
    uint32_t n;
} groups[] = {
#define GROUP(TYPE, attributes)                                                \
    {                                                                          \
        SAI_OBJECT_TYPE_##TYPE, attributes,                                    \
            sizeof(attributes) / sizeof((attributes)[0])                       \
    }
    GROUP(PORT, port_attributes),
    GROUP(SWITCH, switch_attributes),
    GROUP(TUNNEL, tunnel_attributes),
    GROUP(QUEUE, queue_attributes),
    GROUP(HOSTIF, hostif_attributes),
    GROUP(HOSTIF_TRAP_GROUP, hostif_trap_group_attributes),
    GROUP(NEXT_HOP_GROUP_MEMBER, next_hop_group_member_attributes),
#undef GROUP
};

enum { N_GROUPS = sizeof groups / sizeof groups[0] };

bool
gaps_has_type(sai_object_type_t type)
{
    for (size_t i = 0; i < N_TYPES; i++) {
        if (types[i] == type) {
            return true;
        }
    }
    return false;
}

bool
gaps_has_object(const struct asic *asic, const struct objects_item *item)
{
    switch (item->type) {
    case SAI_OBJECT_TYPE_HOSTIF:
        return !hostif_frames_is_device(asic, item);
    case SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY:
        return !hostif_frames_selects(item);
    default:
        return stored_handles_type(item->type) ||
               (tunnels_handles_type(item->type) && !tunnels_simulates(item));
    }
}

uint32_t
gaps_attribute(sai_object_type_t type, sai_attr_id_t id)
{
    uint32_t first = 0;
    size_t g = 0;

    while (g < N_GROUPS && groups[g].type != type) {
        first += groups[g++].n;
    }
    for (uint32_t i = 0; g < N_GROUPS && i < groups[g].n; i++) {
        if (groups[g].attributes[i] == id) {
            return first + i;
        }
    }
    return GAPS_N_ATTRIBUTES;
}

/* Returns how many objects of 'type' have no effect. */
static uint64_t
count_objects(const struct asic *asic, sai_object_type_t type)
{
    uint64_t n = 0;

    for (const struct objects_item *i = objects_first(asic->objects, type); i;
         i = objects_next(asic->objects, i)) {
        n += gaps_has_object(asic, i);
    }
    return n;
}

/* Adds to '*rows', those of the attributes, the objects of 'type' on which an
 * attribute has another value than its default. */
static void
count_values(const struct asic *asic, sai_object_type_t type,
             struct softasic_gap *rows)
{
    for (const struct objects_item *i = objects_first(asic->objects, type); i;
         i = objects_next(asic->objects, i)) {
        for (uint32_t k = 0; k < i->n_values; k++) {
            const sai_attr_id_t id = i->values[k].id;
            const uint32_t gap = gaps_attribute(type, id);

            if (gap < GAPS_N_ATTRIBUTES && !l2_is_default(i, id)) {
                rows[gap].n++;
            }
        }
    }
}

sai_status_t
gaps_list(const struct asic *asic, uint32_t *n, struct softasic_gap *rows)
{
    const uint32_t room = *n;
    uint32_t at = N_TYPES;

    *n = N_TYPES;
    for (size_t g = 0; g < N_GROUPS; g++) {
        *n += groups[g].n;
    }
    orch_assert(*n <= N_TYPES + GAPS_N_ATTRIBUTES);
    if (room < *n) {
        return SAI_STATUS_BUFFER_OVERFLOW;
    }
    for (uint32_t i = 0; i < N_TYPES; i++) {
        rows[i] = (struct softasic_gap){.type = (uint32_t)types[i],
                                        .attribute = SOFTASIC_GAP_OBJECTS,
                                        .n = count_objects(asic, types[i])};
    }
    for (size_t g = 0; g < N_GROUPS; g++) {
        for (uint32_t i = 0; i < groups[g].n; i++) {
            rows[at++] =
                (struct softasic_gap){.type = (uint32_t)groups[g].type,
                                      .attribute = groups[g].attributes[i]};
        }
        count_values(asic, groups[g].type, rows + N_TYPES);
    }
    return SAI_STATUS_SUCCESS;
}
