/* SPDX-License-Identifier: Apache-2.0 */

/* Supported attributes by type.
 *
 * The tables list what is supported: an attribute that a later release of SAI
 * adds is refused until it is added here. */

#include <config.h>

#include "vendors/softasic/program/supported_attributes.h"

#include "sai/core/metadata.h"
#include "vendors/softasic/program/access_fields.h"
#include "vendors/softasic/program/l2.h"

#define VR(NAME) SAI_OBJECT_TYPE_VIRTUAL_ROUTER, SAI_VIRTUAL_ROUTER_ATTR_##NAME
#define RIF(NAME)                                                              \
    SAI_OBJECT_TYPE_ROUTER_INTERFACE, SAI_ROUTER_INTERFACE_ATTR_##NAME
#define HOP(NAME) SAI_OBJECT_TYPE_NEXT_HOP, SAI_NEXT_HOP_ATTR_##NAME
#define GROUP(NAME)                                                            \
    SAI_OBJECT_TYPE_NEXT_HOP_GROUP, SAI_NEXT_HOP_GROUP_ATTR_##NAME
#define MEMBER(NAME)                                                           \
    SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MEMBER, SAI_NEXT_HOP_GROUP_MEMBER_ATTR_##NAME
#define NEIGHBOR(NAME)                                                         \
    SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, SAI_NEIGHBOR_ENTRY_ATTR_##NAME
#define ROUTE(NAME)  SAI_OBJECT_TYPE_ROUTE_ENTRY, SAI_ROUTE_ENTRY_ATTR_##NAME
#define LAG(NAME)    SAI_OBJECT_TYPE_LAG, SAI_LAG_ATTR_##NAME
#define TRAP(NAME)   SAI_OBJECT_TYPE_HOSTIF_TRAP, SAI_HOSTIF_TRAP_ATTR_##NAME
#define SWITCH(NAME) SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_##NAME
#define HASHED_BY(NAME)                                                        \
    {SWITCH(ECMP_DEFAULT_HASH_ALGORITHM), SAI_HASH_ALGORITHM_##NAME},          \
    {                                                                          \
        SWITCH(LAG_DEFAULT_HASH_ALGORITHM), SAI_HASH_ALGORITHM_##NAME          \
    }
#define POLICER(NAME) SAI_OBJECT_TYPE_POLICER, SAI_POLICER_ATTR_##NAME
#define AGROUP(NAME)                                                           \
    SAI_OBJECT_TYPE_ACL_TABLE_GROUP, SAI_ACL_TABLE_GROUP_ATTR_##NAME
#define AMEMBER(NAME)                                                          \
    SAI_OBJECT_TYPE_ACL_TABLE_GROUP_MEMBER,                                    \
        SAI_ACL_TABLE_GROUP_MEMBER_ATTR_##NAME
#define TGROUP(NAME)                                                           \
    SAI_OBJECT_TYPE_HOSTIF_TRAP_GROUP, SAI_HOSTIF_TRAP_GROUP_ATTR_##NAME

/* Types of which all attributes are supported. */
static const sai_object_type_t whole[] = {
    SAI_OBJECT_TYPE_VIRTUAL_ROUTER,
    SAI_OBJECT_TYPE_LAG_MEMBER,
    SAI_OBJECT_TYPE_HOSTIF,
    SAI_OBJECT_TYPE_HOSTIF_USER_DEFINED_TRAP,
    SAI_OBJECT_TYPE_HOSTIF_TABLE_ENTRY,
    SAI_OBJECT_TYPE_MIRROR_SESSION,
    SAI_OBJECT_TYPE_SAMPLEPACKET,
    SAI_OBJECT_TYPE_TUNNEL, /* Encapsulation is stored; see tunnels.h. */
    SAI_OBJECT_TYPE_TUNNEL_MAP,
    SAI_OBJECT_TYPE_TUNNEL_MAP_ENTRY,
    SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY,
    SAI_OBJECT_TYPE_DEBUG_COUNTER,
    SAI_OBJECT_TYPE_MY_MAC,
    SAI_OBJECT_TYPE_SYSTEM_PORT,
    SAI_OBJECT_TYPE_ACL_COUNTER,
    SAI_OBJECT_TYPE_ACL_RANGE,
};

/* The supported attributes of the others. */
static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
} served[] = {
    {RIF(VIRTUAL_ROUTER_ID)},
    {RIF(TYPE)},
    {RIF(PORT_ID)},
    {RIF(VLAN_ID)},
    {RIF(OUTER_VLAN_ID)},
    {RIF(SRC_MAC_ADDRESS)},
    {RIF(ADMIN_V4_STATE)},
    {RIF(ADMIN_V6_STATE)},
    {RIF(MTU)},
    {RIF(NEIGHBOR_MISS_PACKET_ACTION)},
    {RIF(LOOPBACK_PACKET_ACTION)},
    {RIF(IS_VIRTUAL)},
    {RIF(DISABLE_DECREMENT_TTL)},
    {RIF(LABEL)},
    {HOP(TYPE)},
    {HOP(IP)},
    {HOP(ROUTER_INTERFACE_ID)},
    {HOP(DISABLE_DECREMENT_TTL)},
    {GROUP(TYPE)},
    {GROUP(LABEL)},
    {MEMBER(NEXT_HOP_GROUP_ID)},
    {MEMBER(NEXT_HOP_ID)},
    {MEMBER(WEIGHT)},
    {MEMBER(INDEX)},
    {MEMBER(SEQUENCE_ID)},
    {NEIGHBOR(DST_MAC_ADDRESS)},
    {NEIGHBOR(PACKET_ACTION)},
    {NEIGHBOR(NO_HOST_ROUTE)},
    {ROUTE(PACKET_ACTION)},
    {ROUTE(NEXT_HOP_ID)},
    {SAI_OBJECT_TYPE_HASH, SAI_HASH_ATTR_NATIVE_HASH_FIELD_LIST},
    {LAG(PORT_VLAN_ID)},
    {LAG(DROP_UNTAGGED)},
    {LAG(LABEL)},
    {LAG(INGRESS_ACL)},
    {LAG(EGRESS_ACL)},
    {TRAP(TRAP_TYPE)},
    {TRAP(PACKET_ACTION)},
    {TRAP(TRAP_PRIORITY)},
    {TRAP(TRAP_GROUP)},
    {TGROUP(ADMIN_STATE)},
    {TGROUP(QUEUE)},
    {TGROUP(POLICER)},
    {TGROUP(OBJECT_STAGE)},
    {POLICER(METER_TYPE)},
    {POLICER(MODE)},
    {POLICER(COLOR_SOURCE)},
    {POLICER(CBS)},
    {POLICER(CIR)},
    {POLICER(PBS)},
    {POLICER(PIR)},
    {POLICER(GREEN_PACKET_ACTION)},
    {POLICER(YELLOW_PACKET_ACTION)},
    {POLICER(RED_PACKET_ACTION)},
    {POLICER(ENABLE_COUNTER_PACKET_ACTION_LIST)},
    {POLICER(OBJECT_STAGE)},
    {POLICER(STATS_COUNT_MODE)},
    {POLICER(LABEL)},
    {AGROUP(ACL_STAGE)},
    {AGROUP(ACL_BIND_POINT_TYPE_LIST)},
    {AGROUP(TYPE)},
    {AGROUP(MEMBER_LIST)},
    {AMEMBER(ACL_TABLE_GROUP_ID)},
    {AMEMBER(ACL_TABLE_ID)},
    {AMEMBER(PRIORITY)},
};

/* Attributes of other types for features that this switch does not support;
 * only "none" is valid. */
static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
} undone[] = {
    {SAI_OBJECT_TYPE_BUFFER_POOL, SAI_BUFFER_POOL_ATTR_WRED_PROFILE_ID},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_DSCP_TO_FORWARDING_CLASS_MAP},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_MPLS_EXP_TO_FORWARDING_CLASS_MAP},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_LLR_MODE_LOCAL},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_LLR_MODE_REMOTE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_LLR_PROFILE},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_QOS_DSCP_TO_FORWARDING_CLASS_MAP},
    {SAI_OBJECT_TYPE_SWITCH,
     SAI_SWITCH_ATTR_QOS_MPLS_EXP_TO_FORWARDING_CLASS_MAP},
    {SWITCH(ECMP_DEFAULT_SYMMETRIC_HASH)},
    {SWITCH(ECMP_HASH_IPV4_IN_IPV4)},
    {SWITCH(ECMP_HASH_IPV4_RDMA)},
    {SWITCH(ECMP_HASH_IPV6_RDMA)},
    {SWITCH(LAG_DEFAULT_SYMMETRIC_HASH)},
    {SWITCH(LAG_HASH_IPV4_IN_IPV4)},
    {SWITCH(LAG_HASH_IPV4_RDMA)},
    {SWITCH(LAG_HASH_IPV6_RDMA)},
    /* Mirrors and samplers are only stored. */
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_MIRROR_SESSION},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_EGRESS_MIRROR_SESSION},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_SAMPLEPACKET_ENABLE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_EGRESS_SAMPLEPACKET_ENABLE},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_INGRESS_SAMPLE_MIRROR_SESSION},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_EGRESS_SAMPLE_MIRROR_SESSION},
    /* Storms of one kind are not told apart from other traffic. */
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_FLOOD_STORM_CONTROL_POLICER_ID},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_BROADCAST_STORM_CONTROL_POLICER_ID},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_MULTICAST_STORM_CONTROL_POLICER_ID},
    /* The hash is that of the switch. */
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_ECMP_HASH_ALGORITHM},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_ECMP_HASH_SEED},
    {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_ECMP_HASH_OFFSET},
};

/* Enumerations of which only the listed values are supported. */
static const struct {
    sai_object_type_t type;
    sai_attr_id_t id;
    int32_t value;
} values[] = {
    {RIF(TYPE), SAI_ROUTER_INTERFACE_TYPE_PORT},
    {RIF(TYPE), SAI_ROUTER_INTERFACE_TYPE_VLAN},
    {RIF(TYPE), SAI_ROUTER_INTERFACE_TYPE_LOOPBACK},
    {RIF(TYPE), SAI_ROUTER_INTERFACE_TYPE_SUB_PORT},
    {HOP(TYPE), SAI_NEXT_HOP_TYPE_IP},
    {GROUP(TYPE), SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_UNORDERED_ECMP},
    {GROUP(TYPE), SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_ORDERED_ECMP},
    {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_ACL_STAGE,
     SAI_ACL_STAGE_INGRESS},
    {SAI_OBJECT_TYPE_ACL_TABLE, SAI_ACL_TABLE_ATTR_ACL_STAGE,
     SAI_ACL_STAGE_EGRESS},
    {AGROUP(ACL_STAGE), SAI_ACL_STAGE_INGRESS},
    {AGROUP(ACL_STAGE), SAI_ACL_STAGE_EGRESS},
    {SAI_OBJECT_TYPE_ACL_RANGE, SAI_ACL_RANGE_ATTR_TYPE,
     SAI_ACL_RANGE_TYPE_L4_SRC_PORT_RANGE},
    {SAI_OBJECT_TYPE_ACL_RANGE, SAI_ACL_RANGE_ATTR_TYPE,
     SAI_ACL_RANGE_TYPE_L4_DST_PORT_RANGE},
    {SAI_OBJECT_TYPE_ACL_RANGE, SAI_ACL_RANGE_ATTR_TYPE,
     SAI_ACL_RANGE_TYPE_OUTER_VLAN},
    {SAI_OBJECT_TYPE_ACL_RANGE, SAI_ACL_RANGE_ATTR_TYPE,
     SAI_ACL_RANGE_TYPE_PACKET_LENGTH},
    {SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_DECAP_ECN_MODE,
     SAI_TUNNEL_DECAP_ECN_MODE_STANDARD},
    {SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_DECAP_ECN_MODE,
     SAI_TUNNEL_DECAP_ECN_MODE_COPY_FROM_OUTER},
    HASHED_BY(CRC),
    HASHED_BY(XOR),
    HASHED_BY(CRC_32LO),
    HASHED_BY(CRC_32HI),
    HASHED_BY(CRC_CCITT),
    /* Recovery from a deadlock, of the switch and of a queue. */
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION,
     SAI_PACKET_ACTION_DROP},
    {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_PFC_DLR_PACKET_ACTION,
     SAI_PACKET_ACTION_FORWARD},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION,
     SAI_PACKET_ACTION_DROP},
    {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION,
     SAI_PACKET_ACTION_FORWARD},
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns whether vendors/softasic/program/access_fields.h knows the
 * attributes of the type. */
static bool
has_fields(sai_object_type_t type)
{
    return type == SAI_OBJECT_TYPE_ACL_TABLE ||
           type == SAI_OBJECT_TYPE_ACL_ENTRY;
}

/* Returns whether all attributes of the type are supported. */
static bool
is_whole(sai_object_type_t type)
{
    for (size_t i = 0; i < COUNT(whole); i++) {
        if (whole[i] == type) {
            return true;
        }
    }
    return false;
}

bool
supported_attributes_type(sai_object_type_t type)
{
    for (size_t i = 0; i < COUNT(served); i++) {
        if (served[i].type == type) {
            return true;
        }
    }
    return has_fields(type) || is_whole(type);
}

bool
supported_attributes_attribute(sai_object_type_t type, sai_attr_id_t id)
{
    if (has_fields(type)) {
        return access_fields_support(type, id);
    }
    for (size_t i = 0; i < COUNT(served); i++) {
        if (served[i].type == type && served[i].id == id) {
            return true;
        }
    }
    return is_whole(type);
}

bool
supported_attributes_value(sai_object_type_t type, sai_attr_id_t id,
                           int32_t value)
{
    bool is_limited = false;

    for (size_t i = 0; i < COUNT(values); i++) {
        if (values[i].type == type && values[i].id == id) {
            if (values[i].value == value) {
                return true;
            }
            is_limited = true;
        }
    }
    return !is_limited;
}

bool
supported_attributes_is_unsupported(sai_object_type_t type, sai_attr_id_t id)
{
    for (size_t i = 0; i < COUNT(undone); i++) {
        if (undone[i].type == type && undone[i].id == id) {
            return true;
        }
    }
    return false;
}

sai_status_t
supported_attributes_check(const struct objects_item *item, sai_attr_id_t id,
                           struct err *err)
{
    const bool is_done =
        supported_attributes_type(item->type)
            ? supported_attributes_attribute(item->type, id)
            : !supported_attributes_is_unsupported(item->type, id);

    if ((is_done || l2_is_default(item, id)) &&
        supported_attributes_value(item->type, id,
                                   (int32_t)objects_number(item, id))) {
        return SAI_STATUS_SUCCESS;
    }
    err_set(err, ST_UNSUPPORTED, "unsupported",
            "this switch does not support that");
    return SAI_STATUS_ATTR_NOT_SUPPORTED_0;
}

sai_status_t
supported_attributes_check_all(const struct objects_item *item,
                               sai_attr_id_t *blame, struct err *err)
{
    for (uint32_t i = 0; i < item->n_values; i++) {
        const sai_status_t status =
            supported_attributes_check(item, item->values[i].id, err);

        if (status != SAI_STATUS_SUCCESS) {
            *blame = item->values[i].id;
            return status;
        }
    }
    return SAI_STATUS_SUCCESS;
}
