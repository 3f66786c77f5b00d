/* SPDX-License-Identifier: Apache-2.0 */

/* Decapsulation through SAI: queues by DSCP, priority groups by the maps of a
 * tunnel, counters, what a second entry may match, and what is refused; further
 * addresses of the router.  tests/integration/test_frames.py compares the
 * bytes. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/l3_setup.h"
#include "vendors/softasic/program/tunnels.h"

#define OK(call)   assert_int_equal(call, SAI_STATUS_SUCCESS)
#define TERM(NAME) SAI_TUNNEL_TERM_TABLE_ENTRY_ATTR_##NAME

enum {
    FRAME_BYTES = 14 + 20 + 20 + 46, /* Ethernet, two headers, payload. */
    DSCPS = 64,
    CLASSES = 8,
    PER_DSCP = 500,
};

struct fixture {
    struct asic_setup *bench;
    const sai_tunnel_api_t *api;
    sai_object_id_t from, to, in, loopback, router;
};

/* Switch --------------------------------------------------------------- */

static void
use(struct fixture *f, struct asic_setup *bench)
{
    sai_attribute_t list[] = {
        {.id = SAI_ROUTER_INTERFACE_ATTR_VIRTUAL_ROUTER_ID},
        {SAI_ROUTER_INTERFACE_ATTR_TYPE,
         {.s32 = SAI_ROUTER_INTERFACE_TYPE_LOOPBACK}},
    };
    sai_object_id_t out;
    void *table;

    OK(sai_api_query(SAI_API_TUNNEL, &table));
    f->api = table;
    f->bench = bench;
    f->from = asic_setup_add_port(bench, 1000);
    f->to = asic_setup_add_port(bench, 1001);
    asic_setup_port_bool(bench, f->from, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, f->to, SAI_PORT_ATTR_ADMIN_STATE, true);
    f->in = l3_setup_interface(bench, f->from, 0);
    out = l3_setup_interface(bench, f->to, 0);
    l3_setup_neighbor(bench, out, l3_setup_v4(10, 0, 1, 2), 2);
    l3_setup_route(bench, l3_setup_v4(20, 0, 0, 0), 8,
                   l3_setup_next_hop(bench, out, l3_setup_v4(10, 0, 1, 2)));
    f->router =
        l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_VIRTUAL_ROUTER_ID);
    list[0].value.oid = f->router;
    OK(bench->interface_api->create_router_interface(&f->loopback, bench->sw,
                                                     N(list), list));
}

/* Creates a tunnel with the models 'ttl' and 'dscp'. */
static sai_object_id_t
create_tunnel(const struct fixture *f, sai_tunnel_ttl_mode_t ttl,
              sai_tunnel_dscp_mode_t dscp)
{
    const sai_attribute_t list[] = {
        {SAI_TUNNEL_ATTR_TYPE, {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {SAI_TUNNEL_ATTR_UNDERLAY_INTERFACE, {.oid = f->loopback}},
        {SAI_TUNNEL_ATTR_OVERLAY_INTERFACE, {.oid = f->loopback}},
        {SAI_TUNNEL_ATTR_DECAP_TTL_MODE, {.s32 = (int32_t)ttl}},
        {SAI_TUNNEL_ATTR_DECAP_DSCP_MODE, {.s32 = (int32_t)dscp}},
    };
    sai_object_id_t tunnel;

    OK(f->api->create_tunnel(&tunnel, f->bench->sw, N(list), list));
    return tunnel;
}

/* Tries to create an entry for packets to 10.1.0.'last'. */
static sai_status_t
try_entry(const struct fixture *f, sai_object_id_t tunnel, uint8_t last,
          sai_object_id_t *entry)
{
    const sai_attribute_t list[] = {
        {TERM(VR_ID), {.oid = f->router}},
        {TERM(TYPE), {.s32 = SAI_TUNNEL_TERM_TABLE_ENTRY_TYPE_P2MP}},
        {TERM(DST_IP), {.ipaddr = l3_setup_v4(10, 1, 0, last)}},
        {TERM(TUNNEL_TYPE), {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {TERM(ACTION_TUNNEL_ID), {.oid = tunnel}},
    };

    return f->api->create_tunnel_term_table_entry(entry, f->bench->sw, N(list),
                                                  list);
}

static sai_object_id_t
create_entry(const struct fixture *f, sai_object_id_t tunnel, uint8_t last)
{
    sai_object_id_t entry;

    OK(try_entry(f, tunnel, last, &entry));
    return entry;
}

static void
set_tunnel(const struct fixture *f, sai_object_id_t tunnel,
           sai_attribute_t attribute)
{
    OK(f->api->set_tunnel_attribute(tunnel, &attribute));
}

/* Creates a map of 'type' with the row 'n' of 'rows'. */
static sai_object_id_t
create_map(const struct fixture *f, sai_qos_map_type_t type, uint32_t n,
           sai_qos_map_t *rows)
{
    const sai_attribute_t list[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = (int32_t)type}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {n, rows}}},
    };
    sai_object_id_t map;

    OK(f->bench->map_api->create_qos_map(&map, f->bench->sw, N(list), list));
    return map;
}

/* Maps each eighth of the DSCPs to a class, and that to a queue and a PG. */
static void
classify(const struct fixture *f)
{
    sai_qos_map_t dscps[DSCPS];
    sai_qos_map_t queues[CLASSES];
    sai_qos_map_t pgs[CLASSES];
    sai_attribute_t use_map = {.id = SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP};

    memset(dscps, 0, sizeof dscps);
    memset(queues, 0, sizeof queues);
    memset(pgs, 0, sizeof pgs);
    for (uint8_t i = 0; i < DSCPS; i++) {
        dscps[i].key.dscp = i;
        dscps[i].value.tc = i / CLASSES;
    }
    for (uint8_t i = 0; i < CLASSES; i++) {
        queues[i].key.tc = pgs[i].key.tc = i;
        queues[i].value.queue_index = i;
        pgs[i].value.pg = i;
    }
    use_map.value.oid =
        create_map(f, SAI_QOS_MAP_TYPE_DSCP_TO_TC, DSCPS, dscps);
    OK(f->bench->port_api->set_port_attribute(f->from, &use_map));
    use_map.id = SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP;
    use_map.value.oid =
        create_map(f, SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, CLASSES, pgs);
    OK(f->bench->port_api->set_port_attribute(f->from, &use_map));
    use_map.id = SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP;
    use_map.value.oid =
        create_map(f, SAI_QOS_MAP_TYPE_TC_TO_QUEUE, CLASSES, queues);
    OK(f->bench->port_api->set_port_attribute(f->to, &use_map));
}

/* Counters ------------------------------------------------------------- */

static uint64_t
queue_packets(const struct fixture *f, uint32_t index)
{
    const sai_stat_id_t id = SAI_QUEUE_STAT_PACKETS;
    uint64_t packets;

    OK(f->bench->queue_api->get_queue_stats(
        asic_setup_child(f->bench, f->to, SAI_PORT_ATTR_QOS_QUEUE_LIST, index),
        1, &id, &packets));
    return packets;
}

static uint64_t
pg_packets(const struct fixture *f, uint32_t index)
{
    const sai_stat_id_t id = SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS;
    uint64_t packets;

    OK(f->bench->buffer_api->get_ingress_priority_group_stats(
        asic_setup_child(f->bench, f->from,
                         SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, index),
        1, &id, &packets));
    return packets;
}

/* Returns how many packets ended with the reason that contains 'text'. */
static uint64_t
routed(const struct fixture *f, const char *text)
{
    const char *reason;
    uint64_t n;

    for (uint32_t i = 0;
         f->bench->ops->routed(i, &reason, &n) == SAI_STATUS_SUCCESS; i++) {
        if (strstr(reason, text)) {
            return n;
        }
    }
    fail_msg("no reason with %s", text);
    return 0;
}

/* Frames --------------------------------------------------------------- */

static void
write_header(uint8_t *at, uint32_t length, uint8_t class_byte, uint8_t ttl,
             uint8_t protocol, const uint8_t *to)
{
    uint32_t sum = 0;

    memset(at, 0, 20);
    at[0] = 0x45;
    at[1] = class_byte;
    at[3] = (uint8_t)length;
    at[8] = ttl;
    at[9] = protocol;
    at[12] = 30;
    memcpy(at + 16, to, 4);
    for (int i = 0; i < 20; i += 2) {
        sum += (uint32_t)(at[i] << 8 | at[i + 1]);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    sum = ~((sum & 0xffff) + (sum >> 16));
    at[10] = (uint8_t)(sum >> 8);
    at[11] = (uint8_t)sum;
}

/* Sends a packet for 20.0.0.1 in one to 10.1.0.'last', with these bytes of DSCP
 * and ECN. */
static void
send(const struct fixture *f, uint8_t last, uint8_t outer, uint8_t inner)
{
    const uint8_t here[] = {10, 1, 0, last};
    const uint8_t there[] = {20, 0, 0, 1};
    const uint8_t router[] = {0x02, 0x73, 0x61, 0x01, 0x00, 0x00};
    uint8_t frame[FRAME_BYTES] = {0};

    memcpy(frame, router, sizeof router);
    frame[6] = 2;
    frame[12] = 8;
    write_header(frame + 14, FRAME_BYTES - 14, outer, 64, 4, here);
    write_header(frame + 34, FRAME_BYTES - 34, inner, 32, 200, there);
    OK(f->bench->ops->inject(f->from, FRAME_BYTES, frame));
}

/* Tests ---------------------------------------------------------------- */

/* As in public tests of QoS: 500 packets of each DSCP; the queue of the DSCP
 * that counts has a multiple of 500. */
static void
expect_queues(const struct fixture *f, uint8_t last, bool by_outer)
{
    uint64_t before[CLASSES];

    for (uint32_t i = 0; i < CLASSES; i++) {
        before[i] = queue_packets(f, i);
    }
    for (uint8_t dscp = 0; dscp < DSCPS; dscp++) {
        /* The other header has a DSCP of another queue. */
        const uint8_t other = (uint8_t)((dscp + 8) % DSCPS);
        const uint32_t queue = dscp / CLASSES;
        const uint64_t had = queue_packets(f, queue);

        for (int i = 0; i < PER_DSCP; i++) {
            send(f, last, (uint8_t)((by_outer ? dscp : other) << 2),
                 (uint8_t)((by_outer ? other : dscp) << 2));
        }
        OK(f->bench->ops->settle(NULL));
        assert_int_equal(queue_packets(f, queue), had + PER_DSCP);
    }
    for (uint32_t i = 0; i < CLASSES; i++) {
        assert_int_equal(queue_packets(f, i), before[i] + 8 * PER_DSCP);
        assert_int_equal(pg_packets(f, i), queue_packets(f, i));
    }
}

static void
test_queues_by_outer_or_inner_dscp(void **state)
{
    static const sai_stat_id_t ids[] = {SAI_TUNNEL_STAT_IN_PACKETS,
                                        SAI_TUNNEL_STAT_IN_OCTETS,
                                        SAI_TUNNEL_STAT_OUT_PACKETS};
    uint64_t values[N(ids)];
    struct fixture f;
    sai_object_id_t uniform, pipe;

    use(&f, *state);
    classify(&f);
    uniform = create_tunnel(&f, SAI_TUNNEL_TTL_MODE_PIPE_MODEL,
                            SAI_TUNNEL_DSCP_MODE_UNIFORM_MODEL);
    pipe = create_tunnel(&f, SAI_TUNNEL_TTL_MODE_PIPE_MODEL,
                         SAI_TUNNEL_DSCP_MODE_PIPE_MODEL);
    (void)create_entry(&f, uniform, 1);
    (void)create_entry(&f, pipe, 2);
    expect_queues(&f, 1, true);
    expect_queues(&f, 2, false);

    OK(f.api->get_tunnel_stats(uniform, N(ids), ids, values));
    assert_int_equal(values[0], DSCPS * PER_DSCP);
    assert_int_equal(values[1], (uint64_t)DSCPS * PER_DSCP * FRAME_BYTES);
    assert_int_equal(values[2], 0);
    OK(f.api->clear_tunnel_stats(uniform, 1, ids));
    OK(f.api->get_tunnel_stats(uniform, N(ids), ids, values));
    assert_int_equal(values[0], 0);
    assert_int_equal(values[1], (uint64_t)DSCPS * PER_DSCP * FRAME_BYTES);

    /* A change applies to the next packet. */
    set_tunnel(&f, uniform,
               (sai_attribute_t){SAI_TUNNEL_ATTR_DECAP_DSCP_MODE,
                                 {.s32 = SAI_TUNNEL_DSCP_MODE_PIPE_MODEL}});
    expect_queues(&f, 1, false);
}

/* For dual-homed racks: what comes back in the tunnel has a class of its own.
 */
static void
test_maps_of_the_tunnel_override_those_of_the_port(void **state)
{
    sai_qos_map_t to_tc[] = {{.key.dscp = 2, .value.tc = 6}};
    sai_qos_map_t to_pg[] = {{.key.tc = 6, .value.pg = 5}};
    struct fixture f;
    sai_object_id_t tunnel, dscp_to_tc, tc_to_pg;
    uint64_t queue, pg;

    use(&f, *state);
    classify(&f);
    tunnel = create_tunnel(&f, SAI_TUNNEL_TTL_MODE_PIPE_MODEL,
                           SAI_TUNNEL_DSCP_MODE_PIPE_MODEL);
    (void)create_entry(&f, tunnel, 1);
    dscp_to_tc = create_map(&f, SAI_QOS_MAP_TYPE_DSCP_TO_TC, 1, to_tc);
    tc_to_pg = create_map(&f, SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP, 1, to_pg);
    assert_int_equal(
        f.api->set_tunnel_attribute(
            tunnel, &(sai_attribute_t){SAI_TUNNEL_ATTR_DECAP_QOS_DSCP_TO_TC_MAP,
                                       {.oid = tc_to_pg}}),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    set_tunnel(&f, tunnel,
               (sai_attribute_t){SAI_TUNNEL_ATTR_DECAP_QOS_DSCP_TO_TC_MAP,
                                 {.oid = dscp_to_tc}});
    set_tunnel(
        &f, tunnel,
        (sai_attribute_t){SAI_TUNNEL_ATTR_DECAP_QOS_TC_TO_PRIORITY_GROUP_MAP,
                          {.oid = tc_to_pg}});
    queue = queue_packets(&f, 6);
    pg = pg_packets(&f, 5);
    send(&f, 1, 2 << 2, 24 << 2);
    OK(f.bench->ops->settle(NULL));
    assert_int_equal(queue_packets(&f, 6), queue + 1);
    assert_int_equal(pg_packets(&f, 5), pg + 1);
    assert_int_equal(f.bench->map_api->remove_qos_map(dscp_to_tc),
                     SAI_STATUS_OBJECT_IN_USE);
    set_tunnel(&f, tunnel,
               (sai_attribute_t){SAI_TUNNEL_ATTR_DECAP_QOS_DSCP_TO_TC_MAP,
                                 {.oid = SAI_NULL_OBJECT_ID}});
    queue = queue_packets(&f, 3);
    send(&f, 1, 2 << 2, 24 << 2);
    OK(f.bench->ops->settle(NULL));
    assert_int_equal(queue_packets(&f, 3), queue + 1);
}

static void
test_packets_that_end_in_the_tunnel_are_counted(void **state)
{
    static const sai_stat_id_t ids[] = {
        SAI_ROUTER_INTERFACE_STAT_IN_PACKETS,
        SAI_ROUTER_INTERFACE_STAT_IN_ERROR_PACKETS};
    uint64_t underlay[2];
    uint64_t overlay[2];
    struct fixture f;
    sai_object_id_t tunnel, entry;

    use(&f, *state);
    send(&f, 1, 0, 0); /* There is no tunnel, and no route. */
    assert_int_equal(routed(&f, "no route"), 1);
    tunnel = create_tunnel(&f, SAI_TUNNEL_TTL_MODE_UNIFORM_MODEL,
                           SAI_TUNNEL_DSCP_MODE_UNIFORM_MODEL);
    entry = create_entry(&f, tunnel, 1);
    send(&f, 1, 3, 0); /* CE outside, not ECN-capable inside. */
    assert_int_equal(routed(&f, "marked CE"), 1);
    send(&f, 1, 3, 1);
    send(&f, 1, 0, 0);
    assert_int_equal(routed(&f, "forwarded"), 2);
    assert_int_equal(routed(&f, "malformed"), 0);
    OK(f.bench->interface_api->get_router_interface_stats(f.in, N(ids), ids,
                                                          underlay));
    OK(f.bench->interface_api->get_router_interface_stats(f.loopback, N(ids),
                                                          ids, overlay));
    assert_int_equal(underlay[0], 4);
    assert_int_equal(underlay[1], 2);
    assert_int_equal(overlay[0], 2);
    assert_int_equal(overlay[1], 0);
    OK(f.api->remove_tunnel_term_table_entry(entry));
    send(&f, 1, 0, 0);
    assert_int_equal(routed(&f, "no route"), 2);
}

static void
test_entries_are_checked(void **state)
{
    sai_attribute_t read[] = {{.id = TERM(IP_ADDR_FAMILY)}};
    sai_object_id_t list[4];
    sai_attribute_t entries = {SAI_TUNNEL_ATTR_TERM_TABLE_ENTRY_LIST,
                               {.objlist = {N(list), list}}};
    sai_attribute_t masked[] = {
        {TERM(VR_ID), {.oid = SAI_NULL_OBJECT_ID}},
        {TERM(TYPE), {.s32 = SAI_TUNNEL_TERM_TABLE_ENTRY_TYPE_MP2P}},
        {TERM(SRC_IP), {.ipaddr = l3_setup_v4(30, 0, 0, 0)}},
        {TERM(DST_IP_MASK), {.ipaddr = l3_setup_v6(0xff, 0xff)}},
        {TERM(TUNNEL_TYPE), {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {.id = TERM(ACTION_TUNNEL_ID)},
    };
    struct fixture f;
    sai_object_id_t tunnel, entry, other;
    uint64_t room;

    use(&f, *state);
    OK(sai_object_type_get_availability(
        f.bench->sw, SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY, 0, NULL, &room));
    assert_int_equal(room, TUNNELS_MAX);
    tunnel = create_tunnel(&f, SAI_TUNNEL_TTL_MODE_PIPE_MODEL,
                           SAI_TUNNEL_DSCP_MODE_PIPE_MODEL);
    entry = create_entry(&f, tunnel, 1);
    OK(sai_object_type_get_availability(
        f.bench->sw, SAI_OBJECT_TYPE_TUNNEL_TERM_TABLE_ENTRY, 0, NULL, &room));
    assert_int_equal(room, TUNNELS_MAX - 1);
    assert_int_equal(try_entry(&f, tunnel, 1, &other),
                     SAI_STATUS_ITEM_ALREADY_EXISTS);
    OK(f.api->get_tunnel_term_table_entry_attribute(entry, 1, read));
    assert_int_equal(read[0].value.s32, SAI_IP_ADDR_FAMILY_IPV4);
    OK(f.api->get_tunnel_attribute(tunnel, 1, &entries));
    assert_int_equal(entries.value.objlist.count, 1);
    assert_true(list[0] == entry);
    assert_int_equal(f.api->remove_tunnel(tunnel), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(
        f.bench->interface_api->remove_router_interface(f.loopback),
        SAI_STATUS_OBJECT_IN_USE);

    masked[0].value.oid = f.router;
    masked[5].value.oid = tunnel;
    OK(f.api->create_tunnel_term_table_entry(&other, f.bench->sw, N(masked),
                                             masked));
    OK(f.api->remove_tunnel_term_table_entry(other));
    masked[4].value.s32 = SAI_TUNNEL_TYPE_VXLAN;
    assert_int_equal(f.api->create_tunnel_term_table_entry(&other, f.bench->sw,
                                                           N(masked), masked),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 4);
    OK(f.api->remove_tunnel_term_table_entry(entry));
    OK(f.api->remove_tunnel(tunnel));
}

static void
test_ecn_by_a_map_is_refused(void **state)
{
    struct fixture f;
    sai_attribute_t list[] = {
        {SAI_TUNNEL_ATTR_TYPE, {.s32 = SAI_TUNNEL_TYPE_IPINIP}},
        {.id = SAI_TUNNEL_ATTR_UNDERLAY_INTERFACE},
        {.id = SAI_TUNNEL_ATTR_OVERLAY_INTERFACE},
        {SAI_TUNNEL_ATTR_DECAP_ECN_MODE,
         {.s32 = SAI_TUNNEL_DECAP_ECN_MODE_USER_DEFINED}},
    };
    int32_t values[4];
    sai_s32_list_t able = {N(values), values};
    sai_object_id_t tunnel;

    use(&f, *state);
    list[1].value.oid = list[2].value.oid = f.loopback;
    assert_int_equal(f.api->create_tunnel(&tunnel, f.bench->sw, N(list), list),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 3);
    OK(sai_query_attribute_enum_values_capability(
        f.bench->sw, SAI_OBJECT_TYPE_TUNNEL, SAI_TUNNEL_ATTR_DECAP_ECN_MODE,
        &able));
    assert_int_equal(able.count, 2);
}

/* Sends a packet for 20.0.0.1 to 'mac', and returns how many were routed. */
static uint64_t
send_to_mac(const struct fixture *f, const sai_mac_t mac)
{
    const uint64_t before = routed(f, "forwarded");
    const uint8_t there[] = {20, 0, 0, 1};
    uint8_t frame[FRAME_BYTES] = {0};

    memcpy(frame, mac, sizeof(sai_mac_t));
    frame[6] = 2;
    frame[12] = 8;
    write_header(frame + 14, FRAME_BYTES - 14, 0, 64, 200, there);
    OK(f->bench->ops->inject(f->from, FRAME_BYTES, frame));
    return routed(f, "forwarded") - before;
}

static void
test_further_addresses_are_routed(void **state)
{
    static const sai_mac_t other = {2, 0xaa, 0, 0, 0, 7};
    sai_attribute_t list[] = {
        {SAI_MY_MAC_ATTR_MAC_ADDRESS, {.mac = {2, 0xaa, 0, 0, 0, 0}}},
        {SAI_MY_MAC_ATTR_MAC_ADDRESS_MASK,
         {.mac = {0xff, 0xff, 0xff, 0xff, 0xff, 0xf0}}},
        {.id = SAI_MY_MAC_ATTR_PORT_ID},
    };
    const sai_my_mac_api_t *api;
    struct fixture f;
    sai_object_id_t oid;
    void *table;

    use(&f, *state);
    OK(sai_api_query(SAI_API_MY_MAC, &table));
    api = table;
    assert_int_equal(send_to_mac(&f, other), 0);
    list[2].value.oid = f.to; /* Frames do not arrive there. */
    OK(api->create_my_mac(&oid, f.bench->sw, N(list), list));
    assert_int_equal(send_to_mac(&f, other), 0);
    OK(api->remove_my_mac(oid));
    list[2].value.oid = f.from;
    OK(api->create_my_mac(&oid, f.bench->sw, N(list), list));
    assert_int_equal(send_to_mac(&f, other), 1);
    OK(api->remove_my_mac(oid));
    assert_int_equal(send_to_mac(&f, other), 0);
    list[0].value.mac[0] = 1;
    assert_int_equal(api->create_my_mac(&oid, f.bench->sw, 1, list),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* What SONiC's resource monitor reads; the values in use and those left are one
 * sum. */
static void
test_resources_are_counted(void **state)
{
    static const sai_attr_id_t ids[] = {
        SAI_SWITCH_ATTR_AVAILABLE_IPV4_ROUTE_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_IPV6_ROUTE_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_IPV4_NEXTHOP_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_IPV6_NEXTHOP_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_IPV4_NEIGHBOR_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_IPV6_NEIGHBOR_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_NEXT_HOP_GROUP_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_NEXT_HOP_GROUP_MEMBER_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_FDB_ENTRY,
    };
    /* There are no such tables. */
    static const sai_attr_id_t absent[] = {
        SAI_SWITCH_ATTR_AVAILABLE_IPMC_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_SNAT_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_DNAT_ENTRY,
        SAI_SWITCH_ATTR_AVAILABLE_MY_SID_ENTRY,
    };
    sai_attribute_t before[N(ids)];
    sai_attribute_t after[N(ids)];
    struct fixture f;

    use(&f, *state);
    for (uint32_t i = 0; i < N(ids); i++) {
        before[i].id = after[i].id = ids[i];
        OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1,
                                                     &before[i]));
        assert_true(before[i].value.u32 > 0);
    }
    l3_setup_route(f.bench, l3_setup_v4(40, 0, 0, 0), 8, SAI_NULL_OBJECT_ID);
    l3_setup_neighbor(f.bench, f.in, l3_setup_v6(1, 9), 9);
    for (uint32_t i = 0; i < N(ids); i++) {
        const uint32_t used =
            ids[i] == SAI_SWITCH_ATTR_AVAILABLE_IPV4_ROUTE_ENTRY ||
            ids[i] == SAI_SWITCH_ATTR_AVAILABLE_IPV6_NEIGHBOR_ENTRY;

        OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1,
                                                     &after[i]));
        assert_int_equal(after[i].value.u32, before[i].value.u32 - used);
    }
    for (uint32_t i = 0; i < N(absent); i++) {
        sai_attribute_t none = {.id = absent[i]};

        assert_int_equal(
            f.bench->switch_api->get_switch_attribute(f.bench->sw, 1, &none),
            SAI_STATUS_ATTR_NOT_IMPLEMENTED_0);
    }
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_queues_by_outer_or_inner_dscp),
        TEST(test_maps_of_the_tunnel_override_those_of_the_port),
        TEST(test_packets_that_end_in_the_tunnel_are_counted),
        TEST(test_entries_are_checked),
        TEST(test_ecn_by_a_map_is_refused),
        TEST(test_further_addresses_are_routed),
        TEST(test_resources_are_counted),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
