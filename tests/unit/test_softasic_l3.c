/* SPDX-License-Identifier: Apache-2.0 */

/* Routing, LAGs and traps through SAI: what the objects allow, and where
 * packets go.  That the bytes are right is shown by
 * tests/integration/test_frames.py. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/l3_setup.h"
#include "tests/support/testhost.h"
#include "vendors/softasic/program/l3.h"
#include "vendors/softasic/sai/library.h"

enum { PORTS = 5, FRAME_BYTES = 100 };

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

/* Port 0 and port 1 are router ports; 20.0.0.0/8 is behind 10.0.1.2, which is
 * behind port 1. */
struct fixture {
    struct asic_setup *bench;
    sai_object_id_t ports[PORTS];
    sai_object_id_t in;
    sai_object_id_t out;
    sai_object_id_t hop;
    sai_mac_t mac; /* Of the router. */
};

static void
use(struct fixture *f, struct asic_setup *bench)
{
    sai_attribute_t mac = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};

    f->bench = bench;
    for (uint32_t i = 0; i < PORTS; i++) {
        f->ports[i] = asic_setup_add_port(bench, 1000 + i);
        asic_setup_port_bool(bench, f->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
    }
    f->in = l3_setup_interface(bench, f->ports[0], 0);
    f->out = l3_setup_interface(bench, f->ports[1], 0);
    l3_setup_neighbor(bench, f->out, l3_setup_v4(10, 0, 1, 2), 2);
    f->hop = l3_setup_next_hop(bench, f->out, l3_setup_v4(10, 0, 1, 2));
    l3_setup_route(bench, l3_setup_v4(20, 0, 0, 0), 8, f->hop);
    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &mac));
    memcpy(f->mac, mac.value.mac, sizeof f->mac);
}

/* Sends 'n' packets of a flow with a port number of its own to 'destination',
 * from port 'from'. */
static void
send(const struct fixture *f, uint32_t from, sai_ip_address_t destination,
     uint16_t flow, uint64_t n)
{
    struct softasic_send send = {
        .from = f->ports[from], .n_frames = n, .frame_bytes = FRAME_BYTES};
    struct softasic_ip ip = {.source = l3_setup_v4(10, 0, 0, 9),
                             .destination = destination,
                             .ttl = 64,
                             .protocol = 17,
                             .source_port = flow,
                             .destination_port = 7};
    struct softasic_sent sent;

    if (destination.addr_family == SAI_IP_ADDR_FAMILY_IPV6) {
        ip.source = l3_setup_v6(1, 9);
    }
    memcpy(send.destination, f->mac, sizeof f->mac);
    OK(f->bench->ops->send_ip(&send, &ip, &sent));
    assert_int_equal(sent.n_frames, n);
    OK(f->bench->ops->settle(NULL));
}

/* Returns how many frames have left 'port' since last asked. */
static uint64_t
left(const struct fixture *f, sai_object_id_t port)
{
    struct softasic_received rows[8];
    uint32_t n = N(rows);
    uint64_t sum = 0;

    OK(f->bench->ops->received(port, &n, rows));
    for (uint32_t i = 0; i < n; i++) {
        sum += rows[i].n_frames;
    }
    return sum;
}

static sai_object_id_t
cpu(const struct fixture *f)
{
    return l3_setup_switch_oid(f->bench, SAI_SWITCH_ATTR_CPU_PORT);
}

static uint64_t
count(const struct fixture *f, enum router_reason reason)
{
    const char *text;
    uint64_t n;

    OK(f->bench->ops->routed(reason, &text, &n));
    return n;
}

static uint64_t
switch_number(const struct fixture *f, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    OK(f->bench->switch_api->get_switch_attribute(f->bench->sw, 1, &attribute));
    return attribute.value.u32;
}

/* Routing -------------------------------------------------------------- */

static void
test_packets_follow_routes(void **state)
{
    struct fixture f;

    use(&f, *state);
    send(&f, 0, l3_setup_v4(20, 1, 2, 3), 1, 5);
    assert_int_equal(left(&f, f.ports[1]), 5);
    /* The neighbor itself is a route. */
    send(&f, 0, l3_setup_v4(10, 0, 1, 2), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
    send(&f, 0, l3_setup_v4(30, 0, 0, 1), 1, 2);
    assert_int_equal(count(&f, ROUTER_NO_ROUTE), 2);
    l3_setup_route(f.bench, l3_setup_v6(2, 0), 16, f.hop);
    send(&f, 0, l3_setup_v6(2, 5), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
    for (uint32_t i = 2; i < PORTS; i++) {
        assert_int_equal(left(&f, f.ports[i]), 0);
    }
}

static void
test_addresses_of_the_switch_reach_the_processor(void **state)
{
    struct fixture f;

    use(&f, *state);
    l3_setup_route(f.bench, l3_setup_v4(10, 0, 0, 1), 32, cpu(&f));
    send(&f, 0, l3_setup_v4(10, 0, 0, 1), 1, 3);
    assert_int_equal(left(&f, cpu(&f)), 3);
    assert_int_equal(count(&f, ROUTER_FOR_US), 3);
}

static void
test_connected_subnet_asks_for_the_neighbor(void **state)
{
    struct fixture f;
    sai_attribute_t drop = {
        SAI_ROUTER_INTERFACE_ATTR_NEIGHBOR_MISS_PACKET_ACTION,
        {.s32 = SAI_PACKET_ACTION_DROP}};

    use(&f, *state);
    l3_setup_route(f.bench, l3_setup_v4(10, 0, 1, 0), 24, f.out);
    send(&f, 0, l3_setup_v4(10, 0, 1, 77), 1, 1);
    assert_int_equal(left(&f, cpu(&f)), 1);
    OK(f.bench->interface_api->set_router_interface_attribute(f.out, &drop));
    send(&f, 0, l3_setup_v4(10, 0, 1, 77), 1, 1);
    assert_int_equal(left(&f, cpu(&f)), 0);
    assert_int_equal(count(&f, ROUTER_NO_NEIGHBOR), 2);
    l3_setup_neighbor(f.bench, f.out, l3_setup_v4(10, 0, 1, 77), 77);
    send(&f, 0, l3_setup_v4(10, 0, 1, 77), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
}

static void
test_ecmp_spreads_flows(void **state)
{
    struct fixture f;
    sai_object_id_t hops[3];
    sai_attribute_t size = {.id = SAI_NEXT_HOP_GROUP_ATTR_NEXT_HOP_COUNT};
    sai_object_id_t group;
    uint64_t sum = 0;

    use(&f, *state);
    hops[0] = f.hop;
    for (uint8_t i = 1; i < 3; i++) {
        const sai_object_id_t out =
            l3_setup_interface(f.bench, f.ports[1 + i], 0);

        l3_setup_neighbor(f.bench, out, l3_setup_v4(10, 0, (uint8_t)(1 + i), 2),
                          i);
        hops[i] = l3_setup_next_hop(f.bench, out,
                                    l3_setup_v4(10, 0, (uint8_t)(1 + i), 2));
    }
    group = l3_setup_group(f.bench, 3, hops);
    OK(f.bench->hop_group_api->get_next_hop_group_attribute(group, 1, &size));
    assert_int_equal(size.value.u32, 3);
    l3_setup_route(f.bench, l3_setup_v4(50, 0, 0, 0), 8, group);
    for (uint16_t flow = 0; flow < 300; flow++) {
        send(&f, 0, l3_setup_v4(50, 0, 0, 1), flow, 1);
    }
    for (uint32_t i = 1; i <= 3; i++) {
        const uint64_t n = left(&f, f.ports[i]);

        assert_in_range(n, 70, 130);
        sum += n;
    }
    assert_int_equal(sum, 300);
    /* One flow keeps together. */
    send(&f, 0, l3_setup_v4(50, 0, 0, 1), 7, 20);
    for (uint32_t i = 1; i <= 3; i++) {
        const uint64_t n = left(&f, f.ports[i]);

        assert_true(n == 0 || n == 20);
    }
}

static void
test_interfaces_of_vlans_and_tags(void **state)
{
    struct fixture f;
    const sai_object_id_t vlan =
        l3_setup_switch_oid(*state, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
    sai_object_id_t on_vlan;
    sai_object_id_t on_tag;

    use(&f, *state);
    on_vlan = l3_setup_vlan_interface(f.bench, vlan);
    on_tag = l3_setup_interface(f.bench, f.ports[4], 100);
    l3_setup_neighbor(f.bench, on_tag, l3_setup_v4(10, 0, 4, 2), 4);
    send(&f, 0, l3_setup_v4(10, 0, 4, 2), 1, 1);
    assert_int_equal(left(&f, f.ports[4]), 1);
    /* Behind the VLAN, port unknown: flooded to all members. */
    l3_setup_neighbor(f.bench, on_vlan, l3_setup_v4(10, 0, 5, 2), 5);
    send(&f, 0, l3_setup_v4(10, 0, 5, 2), 1, 1);
    assert_int_equal(left(&f, f.ports[2]), 1);
    assert_int_equal(left(&f, f.ports[3]), 1);
    /* In from the VLAN. */
    send(&f, 3, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1 + 1); /* And the flood. */
    assert_int_equal(f.bench->interface_api->remove_router_interface(on_vlan),
                     SAI_STATUS_OBJECT_IN_USE);
}

static void
test_interface_counters(void **state)
{
    const sai_stat_id_t ids[] = {SAI_ROUTER_INTERFACE_STAT_IN_PACKETS,
                                 SAI_ROUTER_INTERFACE_STAT_IN_OCTETS,
                                 SAI_ROUTER_INTERFACE_STAT_IN_ERROR_PACKETS,
                                 SAI_ROUTER_INTERFACE_STAT_OUT_PACKETS,
                                 SAI_ROUTER_INTERFACE_STAT_OUT_OCTETS};
    struct fixture f;
    uint64_t in[N(ids)];
    uint64_t out[N(ids)];

    use(&f, *state);
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 3);
    send(&f, 0, l3_setup_v4(30, 0, 0, 1), 1, 2);
    OK(f.bench->interface_api->get_router_interface_stats_ext(
        f.in, N(ids), ids, SAI_STATS_MODE_READ_AND_CLEAR, in));
    OK(f.bench->interface_api->get_router_interface_stats(f.out, N(ids), ids,
                                                          out));
    assert_int_equal(in[0], 5);
    assert_int_equal(in[1], 5 * FRAME_BYTES);
    assert_int_equal(in[2], 2);
    assert_int_equal(in[3], 0);
    assert_int_equal(out[3], 3);
    assert_int_equal(out[4], 3 * FRAME_BYTES);
    OK(f.bench->interface_api->get_router_interface_stats(f.in, N(ids), ids,
                                                          in));
    assert_int_equal(in[0], 0);
    OK(f.bench->interface_api->clear_router_interface_stats(f.out, 1, &ids[3]));
    OK(f.bench->interface_api->get_router_interface_stats(f.out, 1, &ids[3],
                                                          out));
    assert_int_equal(out[0], 0);
}

static void
test_addresses_are_inherited(void **state)
{
    const sai_mac_t other = {0x02, 0, 0, 0, 0xee, 1};
    struct fixture f;
    sai_attribute_t mac = {.id = SAI_ROUTER_INTERFACE_ATTR_SRC_MAC_ADDRESS};
    sai_attribute_t set = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};

    use(&f, *state);
    memcpy(set.value.mac, other, sizeof other);
    OK(f.bench->switch_api->set_switch_attribute(f.bench->sw, &set));
    OK(f.bench->interface_api->get_router_interface_attribute(f.in, 1, &mac));
    assert_memory_equal(mac.value.mac, other, sizeof other);
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 1); /* To the old address. */
    assert_int_equal(count(&f, ROUTER_FORWARDED), 0);
    memcpy(f.mac, other, sizeof other);
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(count(&f, ROUTER_FORWARDED), 1);
    mac.value.mac[0] = 1; /* The address of a group. */
    assert_int_equal(
        f.bench->interface_api->set_router_interface_attribute(f.in, &mac),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* Objects -------------------------------------------------------------- */

static void
test_what_is_in_use_stays(void **state)
{
    struct fixture f;
    const struct asic_setup *bench = *state;
    const sai_route_entry_t route =
        l3_setup_route_key(bench, l3_setup_v4(20, 0, 0, 0), 8);
    sai_neighbor_entry_t neighbor;

    use(&f, *state);
    neighbor = l3_setup_neighbor_key(bench, f.out, l3_setup_v4(10, 0, 1, 2));
    assert_int_equal(bench->hop_api->remove_next_hop(f.hop),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bench->interface_api->remove_router_interface(f.out),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(asic_setup_remove_port(bench->sw, f.ports[1]),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(bench->route_api->remove_route_entry(&route));
    assert_int_equal(bench->route_api->remove_route_entry(&route),
                     SAI_STATUS_ITEM_NOT_FOUND);
    OK(bench->hop_api->remove_next_hop(f.hop));
    assert_int_equal(bench->interface_api->remove_router_interface(f.out),
                     SAI_STATUS_OBJECT_IN_USE); /* The neighbor. */
    OK(bench->neighbor_api->remove_neighbor_entry(&neighbor));
    OK(bench->interface_api->remove_router_interface(f.out));
    OK(asic_setup_remove_port(bench->sw, f.ports[1]));
    assert_int_equal(bench->router_api->remove_virtual_router(route.vr_id),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(bench->interface_api->remove_router_interface(f.in));
    assert_int_equal(bench->router_api->remove_virtual_router(route.vr_id),
                     SAI_STATUS_NOT_SUPPORTED); /* The default one. */
}

static void
test_second_router_is_apart(void **state)
{
    struct fixture f;
    sai_object_id_t vr;
    sai_object_id_t in;
    sai_attribute_t attributes[] = {
        {SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID, {0}},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = SAI_ROUTER_INTERFACE_TYPE_PORT}},
        {SAI_ROUTER_INTERFACE_ATTR_PORT_ID, {0}},
    };
    sai_route_entry_t key;
    const sai_attribute_t hop = {SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID, {0}};
    sai_attribute_t to;

    use(&f, *state);
    OK(f.bench->router_api->create_virtual_router(&vr, f.bench->sw, 0, NULL));
    attributes[0].value.oid = vr;
    attributes[2].value.oid = f.ports[2];
    OK(f.bench->interface_api->create_router_interface(&in, f.bench->sw, 3,
                                                       attributes));
    send(&f, 2, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(count(&f, ROUTER_NO_ROUTE), 1);
    key = l3_setup_route_key(f.bench, l3_setup_v4(20, 0, 0, 0), 8);
    key.vr_id = vr;
    to = hop;
    to.value.oid = f.hop;
    OK(f.bench->route_api->create_route_entry(&key, 1, &to));
    send(&f, 2, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
    OK(f.bench->interface_api->remove_router_interface(in));
    assert_int_equal(f.bench->router_api->remove_virtual_router(vr),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(f.bench->route_api->remove_route_entry(&key));
    OK(f.bench->router_api->remove_virtual_router(vr));
}

static void
test_routes_are_read_back(void **state)
{
    struct fixture f;
    const sai_route_entry_t key =
        l3_setup_route_key(*state, l3_setup_v4(20, 0, 0, 0), 8);
    sai_attribute_t got[] = {{.id = SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID},
                             {.id = SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION},
                             {.id = SAI_ROUTE_ENTRY_ATTR_IP_ADDR_FAMILY}};
    const sai_attribute_t drop = {SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION,
                                  {.s32 = SAI_PACKET_ACTION_DROP}};
    const sai_attribute_t none = {SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID,
                                  {.oid = SAI_NULL_OBJECT_ID}};
    sai_object_key_t keys[4];
    uint32_t n = N(keys);

    use(&f, *state);
    OK(f.bench->route_api->get_route_entry_attribute(&key, N(got), got));
    assert_int_equal(got[0].value.oid, f.hop);
    assert_int_equal(got[1].value.s32, SAI_PACKET_ACTION_FORWARD);
    assert_int_equal(got[2].value.s32, SAI_IP_ADDR_FAMILY_IPV4);
    OK(sai_get_object_key(f.bench->sw, SAI_OBJECT_TYPE_ROUTE_ENTRY, &n, keys));
    assert_int_equal(n, 1);
    assert_memory_equal(&keys[0].key.route_entry, &key, sizeof key);
    OK(f.bench->route_api->set_route_entry_attribute(&key, &drop));
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(count(&f, ROUTER_ROUTE), 1);
    /* A route without a next hop lets go of it. */
    OK(f.bench->route_api->set_route_entry_attribute(&key, &none));
    OK(f.bench->hop_api->remove_next_hop(f.hop));
}

static void
test_neighbors_are_read_back(void **state)
{
    struct fixture f;
    sai_neighbor_entry_t key;
    sai_attribute_t got[] = {{.id = SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS},
                             {.id = SAI_NEIGHBOR_ENTRY_ATTR_NO_HOST_ROUTE},
                             {.id = SAI_NEIGHBOR_ENTRY_ATTR_IP_ADDR_FAMILY}};
    sai_object_key_t keys[2];
    uint32_t n = N(keys);

    use(&f, *state);
    key = l3_setup_neighbor_key(f.bench, f.out, l3_setup_v4(10, 0, 1, 2));
    OK(f.bench->neighbor_api->get_neighbor_entry_attribute(&key, N(got), got));
    assert_int_equal(got[0].value.mac[5], 2);
    assert_false(got[1].value.booldata);
    OK(sai_get_object_key(f.bench->sw, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, &n,
                          keys));
    assert_int_equal(n, 1);
    assert_memory_equal(&keys[0].key.neighbor_entry, &key, sizeof key);
    l3_setup_neighbor(f.bench, f.out, l3_setup_v6(1, 1), 7);
    OK(f.bench->neighbor_api->remove_all_neighbor_entries(f.bench->sw));
    OK(sai_get_object_count(f.bench->sw, SAI_OBJECT_TYPE_NEIGHBOR_ENTRY, &n));
    assert_int_equal(n, 0);
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(count(&f, ROUTER_NO_NEIGHBOR), 1);
}

static void
test_room_is_reported(void **state)
{
    static const struct {
        sai_attr_id_t id;
        uint64_t left;
    } rows[] = {
        {SAI_SWITCH_ATTR_AVAILABLE_IPV4_ROUTE_ENTRY, L3_MAX_ROUTES - 1},
        {SAI_SWITCH_ATTR_AVAILABLE_IPV6_ROUTE_ENTRY, L3_MAX_ROUTES},
        {SAI_SWITCH_ATTR_AVAILABLE_IPV4_NEIGHBOR_ENTRY, L3_MAX_NEIGHBORS - 1},
        {SAI_SWITCH_ATTR_AVAILABLE_IPV6_NEIGHBOR_ENTRY, L3_MAX_NEIGHBORS},
        {SAI_SWITCH_ATTR_AVAILABLE_IPV4_NEXTHOP_ENTRY, L3_MAX_NEXT_HOPS - 1},
        {SAI_SWITCH_ATTR_AVAILABLE_NEXT_HOP_GROUP_ENTRY, L3_MAX_GROUPS},
        {SAI_SWITCH_ATTR_AVAILABLE_NEXT_HOP_GROUP_MEMBER_ENTRY,
         L3_MAX_GROUP_MEMBERS},
        {SAI_SWITCH_ATTR_MAX_VIRTUAL_ROUTERS, L3_MAX_ROUTERS},
    };
    struct fixture f;
    uint64_t n;

    use(&f, *state);
    for (uint32_t i = 0; i < N(rows); i++) {
        assert_int_equal(switch_number(&f, rows[i].id), rows[i].left);
    }
    OK(sai_object_type_get_availability(
        f.bench->sw, SAI_OBJECT_TYPE_ROUTER_INTERFACE, 0, NULL, &n));
    assert_int_equal(n, L3_MAX_INTERFACES - 2);
    OK(sai_object_type_get_availability(
        f.bench->sw, SAI_OBJECT_TYPE_ROUTE_ENTRY, 0, NULL, &n));
    assert_int_equal(n, 2 * L3_MAX_ROUTES - 1);
    OK(sai_object_type_get_availability(f.bench->sw, SAI_OBJECT_TYPE_LAG, 0,
                                        NULL, &n));
    assert_int_equal(n, SIM_MAX_LAGS);
}

static void
test_bulk_routes(void **state)
{
    struct fixture f;
    const sai_attribute_t drop = {SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION,
                                  {.s32 = SAI_PACKET_ACTION_DROP}};
    const sai_attribute_t *lists[] = {&drop, &drop, &drop};
    const sai_attribute_t drops[] = {drop, drop, drop};
    const uint32_t ones[] = {1, 1, 1};
    sai_route_entry_t keys[3];
    sai_attribute_t got[3];
    sai_attribute_t *gots[] = {&got[0], &got[1], &got[2]};
    sai_status_t statuses[3];

    use(&f, *state);
    keys[0] = l3_setup_route_key(f.bench, l3_setup_v4(61, 0, 0, 0), 8);
    keys[1] =
        l3_setup_route_key(f.bench, l3_setup_v4(20, 0, 0, 0), 8); /* Exists. */
    keys[2] = l3_setup_route_key(f.bench, l3_setup_v4(63, 0, 0, 0), 8);
    assert_int_equal(f.bench->route_api->create_route_entries(
                         3, keys, ones, lists,
                         SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(f.bench->route_api->create_route_entries(
                         3, keys, ones, lists,
                         SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(statuses[2], SAI_STATUS_SUCCESS);
    OK(f.bench->route_api->set_route_entries_attribute(
        3, keys, drops, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    for (int i = 0; i < 3; i++) {
        got[i].id = SAI_ROUTE_ENTRY_ATTR_PACKET_ACTION;
    }
    OK(f.bench->route_api->get_route_entries_attribute(
        3, keys, ones, gots, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    assert_int_equal(got[1].value.s32, SAI_PACKET_ACTION_DROP);
    OK(f.bench->route_api->remove_route_entries(
        3, keys, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    assert_int_equal(
        f.bench->route_api->remove_route_entries(
            3, keys, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(statuses[1], SAI_STATUS_NOT_EXECUTED);
}

static void
test_bulk_neighbors_and_members(void **state)
{
    struct fixture f;
    const sai_attribute_t mac = {SAI_NEIGHBOR_ENTRY_ATTR_DST_MAC_ADDRESS,
                                 {.mac = {2, 0, 0, 0, 0, 9}}};
    const sai_attribute_t *macs[] = {&mac, &mac};
    const uint32_t ones[] = {1, 1};
    const uint32_t twos[] = {2, 2};
    sai_neighbor_entry_t keys[2];
    sai_object_id_t group;
    sai_object_id_t oids[2];
    sai_status_t statuses[2];
    sai_attribute_t member[2];
    const sai_attribute_t *members[] = {member, member};

    use(&f, *state);
    keys[0] = l3_setup_neighbor_key(f.bench, f.out, l3_setup_v4(10, 0, 1, 3));
    keys[1] = l3_setup_neighbor_key(f.bench, f.in, l3_setup_v6(1, 1));
    OK(f.bench->neighbor_api->create_neighbor_entries(
        2, keys, ones, macs, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    OK(f.bench->neighbor_api->remove_neighbor_entries(
        2, keys, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    group = l3_setup_group(f.bench, 0, NULL);
    member[0] = (sai_attribute_t){
        SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_GROUP_ID, {.oid = group}};
    member[1] = (sai_attribute_t){SAI_NEXT_HOP_GROUP_MEMBER_ATTR_NEXT_HOP_ID,
                                  {.oid = f.hop}};
    OK(f.bench->hop_group_api->create_next_hop_group_members(
        f.bench->sw, 2, twos, members, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR,
        oids, statuses));
    assert_int_equal(f.bench->hop_group_api->remove_next_hop_group(group),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(f.bench->hop_group_api->remove_next_hop_group_members(
        2, oids, SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses));
    OK(f.bench->hop_group_api->remove_next_hop_group(group));
}

/* LAGs ----------------------------------------------------------------- */

static void
test_lag_as_router_port(void **state)
{
    struct fixture f;
    sai_attribute_t list = {.id = SAI_LAG_ATTR_PORT_LIST};
    sai_object_id_t members[4];
    sai_object_id_t lag;
    sai_object_id_t out;
    uint64_t n;

    use(&f, *state);
    lag = l3_setup_lag(f.bench, 2, &f.ports[2]);
    list.value.objlist = (sai_object_list_t){N(members), members};
    OK(f.bench->lag_api->get_lag_attribute(lag, 1, &list));
    assert_int_equal(list.value.objlist.count, 2);
    assert_int_equal(f.bench->lag_api->remove_lag(lag),
                     SAI_STATUS_OBJECT_IN_USE);
    out = l3_setup_interface(f.bench, lag, 0);
    l3_setup_neighbor(f.bench, out, l3_setup_v4(10, 0, 7, 2), 7);
    for (uint16_t flow = 0; flow < 200; flow++) {
        send(&f, 0, l3_setup_v4(10, 0, 7, 2), flow, 1);
    }
    n = left(&f, f.ports[2]);
    assert_in_range(n, 70, 130);
    assert_int_equal(left(&f, f.ports[3]), 200 - n);
    /* One that is down takes nothing, and what a member receives came by the
     * group. */
    asic_setup_port_bool(f.bench, f.ports[2], SAI_PORT_ATTR_ADMIN_STATE, false);
    for (uint16_t flow = 0; flow < 20; flow++) {
        send(&f, 0, l3_setup_v4(10, 0, 7, 2), flow, 1);
    }
    assert_int_equal(left(&f, f.ports[3]), 20);
    send(&f, 3, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
}

static void
test_lag_members_may_be_off(void **state)
{
    struct fixture f;
    const sai_attribute_t quiet = {SAI_LAG_MEMBER_ATTR_EGRESS_DISABLE,
                                   {.booldata = true}};
    const sai_attribute_t deaf = {SAI_LAG_MEMBER_ATTR_INGRESS_DISABLE,
                                  {.booldata = true}};
    sai_object_id_t members[2];
    sai_attribute_t list = {SAI_LAG_ATTR_PORT_LIST, {.objlist = {2, members}}};
    sai_object_id_t lag;

    use(&f, *state);
    lag = l3_setup_lag(f.bench, 2, &f.ports[2]);
    OK(f.bench->lag_api->get_lag_attribute(lag, 1, &list));
    l3_setup_neighbor(f.bench, l3_setup_interface(f.bench, lag, 0),
                      l3_setup_v4(10, 0, 7, 2), 7);
    OK(f.bench->lag_api->set_lag_member_attribute(members[0], &quiet));
    OK(f.bench->lag_api->set_lag_member_attribute(members[1], &deaf));
    for (uint16_t flow = 0; flow < 20; flow++) {
        send(&f, 0, l3_setup_v4(10, 0, 7, 2), flow, 1);
    }
    assert_int_equal(left(&f, f.ports[3]), 20);
    send(&f, 3, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 0);
    send(&f, 2, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
    assert_int_equal(
        f.bench->lag_api->create_lag_member(
            &lag, f.bench->sw, 2,
            (sai_attribute_t[]){
                {SAI_LAG_MEMBER_ATTR_LAG_ID, {.oid = lag}},
                {SAI_LAG_MEMBER_ATTR_PORT_ID, {.oid = f.ports[2]}}}),
        SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(
        f.bench->lag_api->create_lag_member(
            &lag, f.bench->sw, 2,
            (sai_attribute_t[]){
                {SAI_LAG_MEMBER_ATTR_LAG_ID, {.oid = lag}},
                {SAI_LAG_MEMBER_ATTR_PORT_ID, {.oid = f.ports[0]}}}),
        SAI_STATUS_OBJECT_IN_USE); /* A router port. */
}

static void
test_lag_as_bridge_port(void **state)
{
    struct fixture f;
    const sai_object_id_t vlan =
        l3_setup_switch_oid(*state, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
    sai_attribute_t port[] = {
        {SAI_BRIDGE_PORT_ATTR_TYPE, {.s32 = SAI_BRIDGE_PORT_TYPE_PORT}},
        {SAI_BRIDGE_PORT_ATTR_PORT_ID, {0}},
        {SAI_BRIDGE_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
    };
    sai_attribute_t member[] = {
        {SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = vlan}},
        {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {0}},
    };
    struct softasic_send send = {.n_frames = 1,
                                 .frame_bytes = FRAME_BYTES,
                                 .destination = {2, 0, 0, 0, 9, 9}};
    sai_attribute_t entry[] = {
        {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}},
        {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID, {0}},
    };
    sai_fdb_entry_t key = {.bv_id = vlan, .mac_address = {2, 0, 0, 0, 9, 9}};
    struct softasic_sent sent;
    sai_object_id_t lag;
    sai_object_id_t bridge_port;
    sai_object_id_t vlan_member;

    use(&f, *state);
    lag = l3_setup_lag(f.bench, 2, &f.ports[2]);
    port[1].value.oid = lag;
    OK(f.bench->bridge_api->create_bridge_port(&bridge_port, f.bench->sw, 3,
                                               port));
    member[1].value.oid = bridge_port;
    OK(f.bench->vlan_api->create_vlan_member(&vlan_member, f.bench->sw, 2,
                                             member));
    send.from = f.ports[4];
    OK(f.bench->ops->send(&send, &sent));
    OK(f.bench->ops->settle(NULL));
    /* A flood enters the group once. */
    assert_int_equal(left(&f, f.ports[2]) + left(&f, f.ports[3]), 1);
    assert_int_equal(left(&f, f.ports[0]), 1);
    assert_int_equal(left(&f, f.ports[1]), 1);
    key.switch_id = f.bench->sw;
    entry[1].value.oid = bridge_port;
    OK(f.bench->fdb_api->create_fdb_entry(&key, 2, entry));
    OK(f.bench->ops->send(&send, &sent));
    OK(f.bench->ops->settle(NULL));
    assert_int_equal(left(&f, f.ports[2]) + left(&f, f.ports[3]), 1);
    assert_int_equal(left(&f, f.ports[0]), 0);
    OK(f.bench->fdb_api->remove_fdb_entry(&key));
    OK(f.bench->vlan_api->remove_vlan_member(vlan_member));
    OK(f.bench->bridge_api->remove_bridge_port(bridge_port));
}

/* Traps ---------------------------------------------------------------- */

/* An ARP frame with operation 1 or 2. */
static void
arp(const struct fixture *f, uint8_t operation)
{
    uint8_t frame[60] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff,     2, 0,
                         0,    0,    0,    1,    0x08, 0x06,     0, 1,
                         8,    0,    6,    4,    0,    operation};

    OK(f->bench->ops->inject(f->ports[2], sizeof frame, frame));
    OK(f->bench->ops->settle(NULL));
}

static void
test_traps_take_protocols(void **state)
{
    struct fixture f;
    const sai_attribute_t copy = {SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION,
                                  {.s32 = SAI_PACKET_ACTION_COPY}};
    const sai_attribute_t down = {SAI_HOSTIF_TRAP_GROUP_ATTR_ADMIN_STATE,
                                  {.booldata = false}};
    const sai_attribute_t up = {SAI_HOSTIF_TRAP_GROUP_ATTR_ADMIN_STATE,
                                {.booldata = true}};
    sai_attribute_t group = {.id = SAI_HOSTIF_TRAP_ATTR_TRAP_GROUP};
    sai_object_id_t trap;

    use(&f, *state);
    arp(&f, 1);
    assert_int_equal(left(&f, cpu(&f)), 0);
    assert_int_equal(left(&f, f.ports[3]), 1); /* Flooded. */
    trap = l3_setup_trap(f.bench, SAI_HOSTIF_TRAP_TYPE_ARP_REQUEST,
                         SAI_PACKET_ACTION_TRAP);
    arp(&f, 1);
    assert_int_equal(left(&f, cpu(&f)), 1);
    assert_int_equal(left(&f, f.ports[3]), 0);
    arp(&f, 2); /* Another trap's. */
    assert_int_equal(left(&f, cpu(&f)), 0);
    (void)left(&f, f.ports[3]);
    OK(f.bench->hostif_api->set_hostif_trap_attribute(trap, &copy));
    arp(&f, 1);
    assert_int_equal(left(&f, cpu(&f)), 1);
    assert_int_equal(left(&f, f.ports[3]), 1);
    OK(f.bench->hostif_api->get_hostif_trap_attribute(trap, 1, &group));
    assert_int_equal(
        group.value.oid,
        l3_setup_switch_oid(f.bench, SAI_SWITCH_ATTR_DEFAULT_TRAP_GROUP));
    OK(f.bench->hostif_api->set_hostif_trap_group_attribute(group.value.oid,
                                                            &down));
    arp(&f, 1);
    assert_int_equal(left(&f, cpu(&f)), 0);
    OK(f.bench->hostif_api->set_hostif_trap_group_attribute(group.value.oid,
                                                            &up));
    arp(&f, 1);
    assert_int_equal(left(&f, cpu(&f)), 1);
    OK(f.bench->hostif_api->remove_hostif_trap(trap));
    arp(&f, 1);
    assert_int_equal(left(&f, cpu(&f)), 0);
    assert_int_equal(
        f.bench->hostif_api->remove_hostif_trap_group(group.value.oid),
        SAI_STATUS_NOT_SUPPORTED);
}

static void
test_traps_of_the_router(void **state)
{
    struct fixture f;
    sai_attribute_t mtu = {SAI_ROUTER_INTERFACE_ATTR_MTU, {.u32 = 64}};
    sai_object_id_t trap;

    use(&f, *state);
    OK(f.bench->interface_api->set_router_interface_attribute(f.out, &mtu));
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, cpu(&f)), 0);
    trap = l3_setup_trap(f.bench, SAI_HOSTIF_TRAP_TYPE_L3_MTU_ERROR,
                         SAI_PACKET_ACTION_TRAP);
    send(&f, 0, l3_setup_v4(20, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, cpu(&f)), 1);
    assert_int_equal(count(&f, ROUTER_MTU), 2);
    OK(f.bench->hostif_api->remove_hostif_trap(trap));
    /* What is for the switch can be refused. */
    l3_setup_route(f.bench, l3_setup_v4(10, 0, 0, 1), 32, cpu(&f));
    (void)l3_setup_trap(f.bench, SAI_HOSTIF_TRAP_TYPE_IP2ME,
                        SAI_PACKET_ACTION_DROP);
    send(&f, 0, l3_setup_v4(10, 0, 0, 1), 1, 1);
    assert_int_equal(left(&f, cpu(&f)), 0);
}

static void
test_host_interfaces_are_kept(void **state)
{
    struct fixture f;
    sai_attribute_t netdev[] = {
        {SAI_HOSTIF_ATTR_TYPE, {.s32 = SAI_HOSTIF_TYPE_NETDEV}},
        {SAI_HOSTIF_ATTR_OBJ_ID, {0}},
        {SAI_HOSTIF_ATTR_NAME, {.chardata = "Ethernet0"}},
    };
    const sai_attribute_t up = {SAI_HOSTIF_ATTR_OPER_STATUS,
                                {.booldata = true}};
    sai_attribute_t got[] = {{.id = SAI_HOSTIF_ATTR_NAME},
                             {.id = SAI_HOSTIF_ATTR_OPER_STATUS},
                             {.id = SAI_HOSTIF_ATTR_VLAN_TAG}};
    const sai_attribute_t wild[] = {
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_TYPE_WILDCARD}},
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_CHANNEL_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_CHANNEL_TYPE_NETDEV_PHYSICAL_PORT}},
    };
    sai_object_id_t oid;
    sai_object_id_t row;

    use(&f, *state);
    netdev[1].value.oid = f.ports[4];
    OK(f.bench->hostif_api->create_hostif(&oid, f.bench->sw, 3, netdev));
    OK(f.bench->hostif_api->set_hostif_attribute(oid, &up));
    OK(f.bench->hostif_api->get_hostif_attribute(oid, N(got), got));
    assert_string_equal(got[0].value.chardata, "Ethernet0");
    assert_true(got[1].value.booldata);
    assert_int_equal(got[2].value.s32, SAI_HOSTIF_VLAN_TAG_STRIP);
    assert_int_equal(asic_setup_remove_port(f.bench->sw, f.ports[4]),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(f.bench->hostif_api->create_hostif_table_entry(&row, f.bench->sw, 2,
                                                      wild));
    OK(f.bench->hostif_api->remove_hostif_table_entry(row));
    OK(f.bench->hostif_api->remove_hostif(oid));
    OK(asic_setup_remove_port(f.bench->sw, f.ports[4]));
}

/* Capabilities, memory -------------------------------------------------- */

static void
test_what_is_refused_is_not_said_to_be_possible(void **state)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
        bool create, set;
    } rows[] = {
        {SAI_OBJECT_TYPE_ROUTE_ENTRY, SAI_ROUTE_ENTRY_ATTR_NEXT_HOP_ID, true,
         true},
        {SAI_OBJECT_TYPE_ROUTE_ENTRY, SAI_ROUTE_ENTRY_ATTR_COUNTER_ID, false,
         false},
        {SAI_OBJECT_TYPE_ROUTER_INTERFACE, SAI_ROUTER_INTERFACE_ATTR_MTU, true,
         true},
        {SAI_OBJECT_TYPE_ROUTER_INTERFACE, SAI_ROUTER_INTERFACE_ATTR_TYPE, true,
         false},
        {SAI_OBJECT_TYPE_ROUTER_INTERFACE,
         SAI_ROUTER_INTERFACE_ATTR_NAT_ZONE_ID, false, false},
        {SAI_OBJECT_TYPE_LAG, SAI_LAG_ATTR_PORT_LIST, false, false},
        {SAI_OBJECT_TYPE_HOSTIF, SAI_HOSTIF_ATTR_NAME, true, false},
    };
    struct fixture f;
    sai_attr_capability_t said;
    int32_t values[16];
    sai_s32_list_t list = {N(values), values};
    sai_object_id_t oid;

    use(&f, *state);
    for (uint32_t i = 0; i < N(rows); i++) {
        OK(sai_query_attribute_capability(f.bench->sw, rows[i].type, rows[i].id,
                                          &said));
        assert_int_equal(said.create_implemented, rows[i].create);
        assert_int_equal(said.set_implemented, rows[i].set);
        assert_true(said.get_implemented ||
                    rows[i].id == SAI_LAG_ATTR_PORT_LIST);
    }
    OK(sai_query_attribute_enum_values_capability(
        f.bench->sw, SAI_OBJECT_TYPE_ROUTER_INTERFACE,
        SAI_ROUTER_INTERFACE_ATTR_TYPE, &list));
    assert_int_equal(list.count, 4);
    assert_int_equal(
        f.bench->hop_group_api->create_next_hop_group(
            &oid, f.bench->sw, 1,
            (sai_attribute_t[]){{SAI_NEXT_HOP_GROUP_ATTR_TYPE,
                                 {.s32 = SAI_NEXT_HOP_GROUP_TYPE_PROTECTION}}}),
        SAI_STATUS_ATTR_NOT_SUPPORTED_0);
}

static void
test_switch_of_64_ports_stays_small(void **state)
{
    struct asic_setup *bench = *state;

    if (testhost_wanted()) {
        skip(); /* It looks into the switch. */
    }
    while (bench->n_ports < 64) {
        bench->ports[bench->n_ports] =
            asic_setup_add_port(bench, 2000 + bench->n_ports);
        bench->n_ports++;
    }
    assert_in_range(objects_bytes(library_get()->asic->objects), 1, 300 * 1024);
}

int
main(void)
{
#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_packets_follow_routes),
        TEST(test_addresses_of_the_switch_reach_the_processor),
        TEST(test_connected_subnet_asks_for_the_neighbor),
        TEST(test_ecmp_spreads_flows),
        TEST(test_interfaces_of_vlans_and_tags),
        TEST(test_interface_counters),
        TEST(test_addresses_are_inherited),
        TEST(test_what_is_in_use_stays),
        TEST(test_second_router_is_apart),
        TEST(test_routes_are_read_back),
        TEST(test_neighbors_are_read_back),
        TEST(test_room_is_reported),
        TEST(test_bulk_routes),
        TEST(test_bulk_neighbors_and_members),
        TEST(test_lag_as_router_port),
        TEST(test_lag_members_may_be_off),
        TEST(test_lag_as_bridge_port),
        TEST(test_traps_take_protocols),
        TEST(test_traps_of_the_router),
        TEST(test_host_interfaces_are_kept),
        TEST(test_what_is_refused_is_not_said_to_be_possible),
        TEST(test_switch_of_64_ports_stays_small),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
