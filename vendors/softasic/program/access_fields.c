/* SPDX-License-Identifier: Apache-2.0 */

/* Tables of fields, kinds of packets, and actions of access lists. */

#include <config.h>

#include "vendors/softasic/program/access_fields.h"

#include <stddef.h>
#include <string.h>

#include "twin/forwarding/acl.h"

static const struct access_field fields[] = {
#define FIELD(NAME, form, member, most, shift, is)                             \
    {                                                                          \
        SAI_ACL_ENTRY_ATTR_FIELD_##NAME, form,                                 \
            offsetof(struct acl_fields, member), most, shift, is               \
    }
    FIELD(SRC_IPV6, ACCESS_BYTES16, src_ip, 0, 0, ACL_IS_V6),
    FIELD(DST_IPV6, ACCESS_BYTES16, dst_ip, 0, 0, ACL_IS_V6),
    FIELD(SRC_MAC, ACCESS_MAC, src_mac, 0, 0, 0),
    FIELD(DST_MAC, ACCESS_MAC, dst_mac, 0, 0, 0),
    FIELD(SRC_IP, ACCESS_BYTES4, src_ip, 0, 0, ACL_IS_V4),
    FIELD(DST_IP, ACCESS_BYTES4, dst_ip, 0, 0, ACL_IS_V4),
    FIELD(OUTER_VLAN_ID, ACCESS_NUMBER16, vlan, 4095, 0, ACL_HAS_TAG),
    FIELD(OUTER_VLAN_PRI, ACCESS_NUMBER8, pcp, 7, 0, ACL_HAS_TAG),
    FIELD(L4_SRC_PORT, ACCESS_NUMBER16, src_port, UINT16_MAX, 0, ACL_HAS_PORTS),
    FIELD(L4_DST_PORT, ACCESS_NUMBER16, dst_port, UINT16_MAX, 0, ACL_HAS_PORTS),
    FIELD(ETHER_TYPE, ACCESS_NUMBER16, type, UINT16_MAX, 0, 0),
    FIELD(IP_PROTOCOL, ACCESS_NUMBER8, protocol, UINT8_MAX, 0, ACL_IS_IP),
    FIELD(IPV6_NEXT_HEADER, ACCESS_NUMBER8, protocol, UINT8_MAX, 0, ACL_IS_V6),
    FIELD(DSCP, ACCESS_NUMBER8, class_byte, ACCESS_MAX_DSCP, 2, ACL_IS_IP),
    FIELD(ECN, ACCESS_NUMBER8, class_byte, 3, 0, ACL_IS_IP),
    FIELD(TOS, ACCESS_NUMBER8, class_byte, UINT8_MAX, 0, ACL_IS_IP),
    FIELD(TTL, ACCESS_NUMBER8, ttl, UINT8_MAX, 0, ACL_IS_IP),
    FIELD(TCP_FLAGS, ACCESS_NUMBER8, tcp_flags, UINT8_MAX, 0, ACL_IS_TCP),
    FIELD(TC, ACCESS_NUMBER8, tc, UINT8_MAX, 0, 0),
    FIELD(ICMP_TYPE, ACCESS_NUMBER8, icmp_type, UINT8_MAX, 0, ACL_IS_ICMP),
    FIELD(ICMP_CODE, ACCESS_NUMBER8, icmp_code, UINT8_MAX, 0, ACL_IS_ICMP),
    FIELD(ICMPV6_TYPE, ACCESS_NUMBER8, icmp_type, UINT8_MAX, 0, ACL_IS_ICMPV6),
    FIELD(ICMPV6_CODE, ACCESS_NUMBER8, icmp_code, UINT8_MAX, 0, ACL_IS_ICMPV6),
#undef FIELD
};

/* The kinds of packets: the bits of 'is' that say so, and what they are. */
static const struct {
    sai_acl_ip_type_t type;
    uint16_t value, mask;
} ip_types[] = {
    {SAI_ACL_IP_TYPE_ANY, 0, 0},
    {SAI_ACL_IP_TYPE_IP, ACL_IS_IP, ACL_IS_IP},
    {SAI_ACL_IP_TYPE_NON_IP, 0, ACL_IS_IP},
    {SAI_ACL_IP_TYPE_IPV4ANY, ACL_IS_V4, ACL_IS_V4},
    {SAI_ACL_IP_TYPE_NON_IPV4, 0, ACL_IS_V4},
    {SAI_ACL_IP_TYPE_IPV6ANY, ACL_IS_V6, ACL_IS_V6},
    {SAI_ACL_IP_TYPE_NON_IPV6, 0, ACL_IS_V6},
    {SAI_ACL_IP_TYPE_ARP, ACL_IS_ARP, ACL_IS_ARP},
    {SAI_ACL_IP_TYPE_ARP_REQUEST, ACL_IS_ARP_REQUEST, ACL_IS_ARP_REQUEST},
    {SAI_ACL_IP_TYPE_ARP_REPLY, ACL_IS_ARP_REPLY, ACL_IS_ARP_REPLY},
};

/* The packet actions, as enum acl_action. */
static const struct {
    sai_packet_action_t action;
    uint8_t outcome;
} outcomes[] = {
    {SAI_PACKET_ACTION_DROP, ACL_DROP},
    {SAI_PACKET_ACTION_FORWARD, ACL_FORWARD},
    {SAI_PACKET_ACTION_COPY, ACL_FORWARD | ACL_COPY},
    {SAI_PACKET_ACTION_TRAP, ACL_COPY},
    {SAI_PACKET_ACTION_LOG, ACL_FORWARD | ACL_COPY},
    {SAI_PACKET_ACTION_DENY, ACL_DROP},
};

/* Those at egress first. */
static const int32_t actions[] = {
    SAI_ACL_ACTION_TYPE_PACKET_ACTION,    SAI_ACL_ACTION_TYPE_COUNTER,
    SAI_ACL_ACTION_TYPE_SET_POLICER,      SAI_ACL_ACTION_TYPE_SET_TC,
    SAI_ACL_ACTION_TYPE_SET_PACKET_COLOR, SAI_ACL_ACTION_TYPE_SET_DSCP,
    SAI_ACL_ACTION_TYPE_PACKET_TRIM_DISABLE,
};

enum { N_EGRESS_ACTIONS = 2 };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

const struct access_field *
access_fields_find(sai_attr_id_t id)
{
    for (size_t i = 0; i < COUNT(fields); i++) {
        if (fields[i].id == id) {
            return &fields[i];
        }
    }
    return NULL;
}

bool
access_fields_is_field(sai_attr_id_t id)
{
    switch (id) {
    case SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS:
    case SAI_ACL_ENTRY_ATTR_FIELD_IN_PORT:
    case SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORTS:
    case SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORT:
    case SAI_ACL_ENTRY_ATTR_FIELD_ACL_IP_TYPE:
    case SAI_ACL_ENTRY_ATTR_FIELD_HAS_VLAN_TAG:
    case SAI_ACL_ENTRY_ATTR_FIELD_ACL_RANGE_TYPE:
        return true;
    default:
        return access_fields_find(id) != NULL;
    }
}

bool
access_fields_is_action(sai_attr_id_t id)
{
    for (size_t i = 0; i < COUNT(actions); i++) {
        if (id == SAI_ACL_ENTRY_ATTR_ACTION_START + (uint32_t)actions[i]) {
            return true;
        }
    }
    return false;
}

bool
access_fields_is_at(sai_acl_stage_t stage, sai_attr_id_t id)
{
    const bool is_egress = stage == SAI_ACL_STAGE_EGRESS;

    switch (id) {
    case SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS:
    case SAI_ACL_ENTRY_ATTR_FIELD_IN_PORT:
        return !is_egress;
    case SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORTS:
    case SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORT:
        return is_egress;
    default:
        break;
    }
    if (!is_egress || !access_fields_is_action(id)) {
        return true;
    }
    for (size_t i = 0; i < N_EGRESS_ACTIONS; i++) {
        if (id == SAI_ACL_ENTRY_ATTR_ACTION_START + (uint32_t)actions[i]) {
            return true;
        }
    }
    return false;
}

bool
access_fields_binds_at(sai_acl_stage_t stage, int32_t point)
{
    return point == SAI_ACL_BIND_POINT_TYPE_PORT ||
           point == SAI_ACL_BIND_POINT_TYPE_LAG ||
           point == SAI_ACL_BIND_POINT_TYPE_SWITCH ||
           (point == SAI_ACL_BIND_POINT_TYPE_VLAN &&
            stage == SAI_ACL_STAGE_EGRESS);
}

bool
access_fields_support(sai_object_type_t type, sai_attr_id_t id)
{
    if (type == SAI_OBJECT_TYPE_ACL_ENTRY) {
        return id <= SAI_ACL_ENTRY_ATTR_ADMIN_STATE ||
               access_fields_is_field(id) || access_fields_is_action(id);
    }
    switch (id) {
    case SAI_ACL_TABLE_ATTR_ACL_STAGE:
    case SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST:
    case SAI_ACL_TABLE_ATTR_SIZE:
    case SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST:
    case SAI_ACL_TABLE_ATTR_ENTRY_LIST:
    case SAI_ACL_TABLE_ATTR_AVAILABLE_ACL_ENTRY:
    case SAI_ACL_TABLE_ATTR_AVAILABLE_ACL_COUNTER:
        return true;
    default: /* Fields have the ids that they have in entries. */
        return access_fields_is_field(id);
    }
}

bool
access_fields_ip_type(int32_t type, uint16_t *value, uint16_t *mask)
{
    for (size_t i = 0; i < COUNT(ip_types); i++) {
        if ((int32_t)ip_types[i].type == type) {
            *value = ip_types[i].value;
            *mask = ip_types[i].mask;
            return true;
        }
    }
    return false;
}

bool
access_fields_outcome(int32_t action, uint8_t *outcome)
{
    for (size_t i = 0; i < COUNT(outcomes); i++) {
        if ((int32_t)outcomes[i].action == action) {
            *outcome = outcomes[i].outcome;
            return true;
        }
    }
    return false;
}

/* Returns whether a list of a table can have 'value'. */
static bool
is_listed(sai_attr_id_t id, int32_t value)
{
    switch (id) {
    case SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST:
        return access_fields_binds_at(SAI_ACL_STAGE_INGRESS, value) ||
               access_fields_binds_at(SAI_ACL_STAGE_EGRESS, value);
    case SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST:
        return value >= 0 &&
               access_fields_is_action(SAI_ACL_ENTRY_ATTR_ACTION_START +
                                       (sai_attr_id_t)value);
    case SAI_ACL_TABLE_ATTR_FIELD_ACL_RANGE_TYPE:
        return value != SAI_ACL_RANGE_TYPE_INNER_VLAN;
    default:
        return true;
    }
}

bool
access_fields_value(sai_object_type_t type, sai_attr_id_t id, int32_t value)
{
    uint16_t bits, mask;
    uint8_t outcome;

    if (type == SAI_OBJECT_TYPE_ACL_TABLE) {
        return is_listed(id, value);
    }
    if (type == SAI_OBJECT_TYPE_ACL_TABLE_GROUP) {
        return id != SAI_ACL_TABLE_GROUP_ATTR_ACL_BIND_POINT_TYPE_LIST ||
               is_listed(SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST, value);
    }
    if (type != SAI_OBJECT_TYPE_ACL_ENTRY) {
        return true;
    }
    switch (id) {
    case SAI_ACL_ENTRY_ATTR_FIELD_ACL_IP_TYPE:
        return access_fields_ip_type(value, &bits, &mask);
    case SAI_ACL_ENTRY_ATTR_ACTION_PACKET_ACTION:
        return access_fields_outcome(value, &outcome);
    default:
        return true;
    }
}

uint32_t
access_fields_actions(sai_acl_stage_t stage, uint32_t room, int32_t *list)
{
    const uint32_t n = stage == SAI_ACL_STAGE_EGRESS ? N_EGRESS_ACTIONS
                                                     : (uint32_t)COUNT(actions);

    memcpy(list, actions, (room < n ? room : n) * sizeof *list);
    return n;
}
