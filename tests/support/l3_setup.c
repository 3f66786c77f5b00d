/* SPDX-License-Identifier: Apache-2.0 */

/* Routing through SAI in short words. */

#include <config.h>

#include "tests/support/l3_setup.h"

#include <string.h>

#include "base/check.h"

#define MUST(call) orch_assert((call) == SAI_STATUS_SUCCESS)

sai_ip_address_t
l3_setup_v4(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
    const uint8_t bytes[] = {a, b, c, d};
    sai_ip_address_t address;

    memset(&address, 0, sizeof address);
    address.addr_family = SAI_IP_ADDR_FAMILY_IPV4;
    memcpy(&address.addr.ip4, bytes, sizeof bytes);
    return address;
}

sai_ip_address_t
l3_setup_v6(uint8_t second, uint8_t last)
{
    sai_ip_address_t address;

    memset(&address, 0, sizeof address);
    address.addr_family = SAI_IP_ADDR_FAMILY_IPV6;
    address.addr.ip6[0] = 0x20;
    address.addr.ip6[1] = second;
    address.addr.ip6[15] = last;
    return address;
}

sai_ip_prefix_t
l3_setup_prefix(sai_ip_address_t address, unsigned int length)
{
    sai_ip_prefix_t prefix;
    uint8_t *mask = prefix.mask.ip6;

    memset(&prefix, 0, sizeof prefix);
    prefix.addr_family = address.addr_family;
    prefix.addr = address.addr;
    for (unsigned int i = 0; i < length; i++) {
        mask[i / 8] |= (uint8_t)(0x80 >> i % 8);
    }
    return prefix;
}

sai_object_id_t
l3_setup_switch_oid(const struct asic_setup *bench, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    MUST(bench->switch_api->get_switch_attribute(bench->sw, 1, &attribute));
    return attribute.value.oid;
}

sai_route_entry_t
l3_setup_route_key(const struct asic_setup *bench, sai_ip_address_t address,
                   unsigned int length)
{
    sai_route_entry_t key;

    memset(&key, 0, sizeof key);
    key.switch_id = bench->sw;
    key.vr_id =
        l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID);
    key.destination = l3_setup_prefix(address, length);
    return key;
}

sai_neighbor_entry_t
l3_setup_neighbor_key(const struct asic_setup *bench, sai_object_id_t interface,
                      sai_ip_address_t address)
{
    sai_neighbor_entry_t key;

    memset(&key, 0, sizeof key);
    key.switch_id = bench->sw;
    key.rif_id = interface;
    key.ip_address = address;
    return key;
}

sai_object_id_t
l3_setup_interface(const struct asic_setup *bench, sai_object_id_t port,
                   uint16_t vlan)
{
    const sai_attribute_t attributes[] = {
        {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID,
         {.oid = l3_setup_switch_oid(
              bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID)}},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = vlan ? SAI_ROUTER_INTERFACE_TYPE_SUB_PORT
                      : SAI_ROUTER_INTERFACE_TYPE_PORT}},
        {SAI_ROUTER_INTERFACE_ATTR_PORT_ID, {.oid = port}},
        {SAI_ROUTER_INTERFACE_ATTR_OUTER_VLAN_ID, {.u16 = vlan}},
    };
    sai_object_id_t oid;

    MUST(bench->interface_api->create_router_interface(
        &oid, bench->sw, vlan ? 4 : 3, attributes));
    return oid;
}

sai_object_id_t
l3_setup_vlan_interface(const struct asic_setup *bench, sai_object_id_t vlan)
{
    const sai_attribute_t attributes[] = {
        {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID,
         {.oid = l3_setup_switch_oid(
              bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID)}},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = SAI_ROUTER_INTERFACE_TYPE_VLAN}},
        {SAI_ROUTER_INTERFACE_ATTR_VLAN_ID, {.oid = vlan}},
    };
    sai_object_id_t oid;

    MUST(bench->interface_api->create_router_interface(&oid, bench->sw, 3,
                                                       attributes));
    return oid;
}

void
l3_setup_neighbor(const struct asic_setup *bench, sai_object_id_t interface,
                  sai_ip_address_t address, uint8_t host)
{
    const sai_neighbor_entry_t key =
        l3_setup_neighbor_key(bench, interface, address);
    const sai_attribute_t mac = {SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS,
                                 {.mac = {0x02, 0, 0, 0, 0, host}}};

    MUST(bench->neighbor_api->create_neighbor_entry(&key, 1, &mac));
}

sai_object_id_t
l3_setup_next_hop(const struct asic_setup *bench, sai_object_id_t interface,
                  sai_ip_address_t address)
{
    const sai_attribute_t attributes[] = {
        {SAI_NEXT_HOP_ATTR_TYPE, {.s32 = SAI_NEXT_HOP_TYPE_IP}},
        {SAI_NEXT_HOP_ATTR_ROUTER_INTERFACE_ID, {.oid = interface}},
        {SAI_NEXT_HOP_ATTR_IP, {.ipaddr = address}},
    };
    sai_object_id_t oid;

    MUST(bench->hop_api->create_next_hop(&oid, bench->sw, 3, attributes));
    return oid;
}

void
l3_setup_route(const struct asic_setup *bench, sai_ip_address_t address,
               unsigned int length, sai_object_id_t to)
{
    const sai_route_entry_t key = l3_setup_route_key(bench, address, length);
    const sai_attribute_t hop = {SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID, {.oid = to}};

    MUST(bench->route_api->create_route_entry(&key, 1, &hop));
}

sai_object_id_t
l3_setup_group(const struct asic_setup *bench, uint32_t n,
               const sai_object_id_t *hops)
{
    const sai_attribute_t type = {
        SAI_NEXT_HOP_GROUP_ATTR_TYPE,
        {.s32 = SAI_NEXT_HOP_GROUP_TYPE_DYNAMIC_UNORDERED_ECMP}};
    sai_object_id_t group;
    sai_object_id_t member;

    MUST(bench->hop_group_api->create_next_hop_group(&group, bench->sw, 1,
                                                     &type));
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID, {.oid = group}},
            {SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID, {.oid = hops[i]}},
        };

        MUST(bench->hop_group_api->create_next_hop_group_member(
            &member, bench->sw, 2, attributes));
    }
    return group;
}

sai_object_id_t
l3_setup_lag(const struct asic_setup *bench, uint32_t n,
             const sai_object_id_t *ports)
{
    sai_object_id_t lag;
    sai_object_id_t member;

    MUST(bench->lag_api->create_lag(&lag, bench->sw, 0, NULL));
    for (uint32_t i = 0; i < n; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_LAG_MEMBER_ATTR_LAG_ID, {.oid = lag}},
            {SAI_LAG_MEMBER_ATTR_PORT_ID, {.oid = ports[i]}},
        };

        MUST(bench->lag_api->create_lag_member(&member, bench->sw, 2,
                                               attributes));
    }
    return lag;
}

sai_object_id_t
l3_setup_trap(const struct asic_setup *bench, sai_hostif_trap_type_t type,
              sai_packet_action_t action)
{
    const sai_attribute_t attributes[] = {
        {SAI_HOSTIF_TRAP_ATTR_TRAP_TYPE, {.s32 = (int32_t)type}},
        {SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION, {.s32 = (int32_t)action}},
    };
    sai_object_id_t oid;

    MUST(bench->hostif_api->create_hostif_trap(&oid, bench->sw, 2, attributes));
    return oid;
}
