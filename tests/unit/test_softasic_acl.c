/* SPDX-License-Identifier: Apache-2.0 */

/* Access lists through SAI, with frames: what entries match and do, tables in
 * groups, where they are bound, capacity, and what is refused. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/l3_setup.h"

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

enum { FRAME_BYTES = 1000, MAX_ATTRIBUTES = 8 };

struct fixture {
    struct asic_setup *bench;
    const sai_acl_api_t *api;
    sai_object_id_t from, to;
    sai_acl_stage_t stage; /* Of tables. */
};

static void
use(struct fixture *f, struct asic_setup *bench)
{
    void *table;

    OK(sai_api_query(SAI_API_ACL, &table));
    f->api = table;
    f->bench = bench;
    f->stage = SAI_ACL_STAGE_INGRESS;
    f->from = asic_setup_add_port(bench, 1000);
    f->to = asic_setup_add_port(bench, 1001);
    asic_setup_port_bool(bench, f->from, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, f->to, SAI_PORT_ATTR_ADMIN_STATE, true);
}

/* Attributes ----------------------------------------------------------- */

static sai_attribute_t
number(sai_attr_id_t id, uint32_t value)
{
    return (sai_attribute_t){id, {.u32 = value}};
}

static sai_attribute_t
truth(sai_attr_id_t id)
{
    return (sai_attribute_t){id, {.booldata = true}};
}

static sai_attribute_t
reference(sai_attr_id_t id, sai_object_id_t oid)
{
    return (sai_attribute_t){id, {.oid = oid}};
}

/* A field of 8 bits that must have 'value'. */
static sai_attribute_t
field(sai_attr_id_t id, uint8_t value)
{
    return (sai_attribute_t){
        id,
        {.aclfield = {.enable = true, .mask.u8 = UINT8_MAX, .data.u8 = value}}};
}

static sai_attribute_t
dscp(uint8_t value)
{
    sai_attribute_t attribute = field(SAI_ACL_ENTRY_ATTR_FIELD_DSCP, value);

    attribute.value.aclfield.mask.u8 = 63;
    return attribute;
}

static sai_attribute_t
action(sai_attr_id_t id, int32_t value)
{
    return (sai_attribute_t){
        id, {.aclaction = {.enable = true, .parameter.s32 = value}}};
}

static sai_attribute_t
packet_action(sai_packet_action_t value)
{
    return action(SAI_ACL_ENTRY_ATTR_ACTION_PACKET_ACTION, (int32_t)value);
}

static sai_attribute_t
action_object(sai_attr_id_t id, sai_object_id_t oid)
{
    return (sai_attribute_t){
        id, {.aclaction = {.enable = true, .parameter.oid = oid}}};
}

/* Objects -------------------------------------------------------------- */

/* Creates a table with the fields DSCP, TC and those in 'more', 'n' of them. */
static sai_object_id_t
create_table(const struct fixture *f, uint32_t n, const sai_attribute_t *more)
{
    sai_attribute_t list[MAX_ATTRIBUTES] = {
        number(SAI_ACL_TABLE_ATTR_ACL_STAGE, (uint32_t)f->stage),
        truth(SAI_ACL_TABLE_ATTR_FIELD_DSCP),
        truth(SAI_ACL_TABLE_ATTR_FIELD_TC),
    };
    sai_object_id_t table;

    for (uint32_t i = 0; i < n; i++) {
        list[3 + i] = more[i];
    }
    OK(f->api->create_acl_table(&table, f->bench->sw, 3 + n, list));
    return table;
}

static sai_object_id_t
create_counter(const struct fixture *f, sai_object_id_t table)
{
    const sai_attribute_t list[] = {
        reference(SAI_ACL_COUNTER_ATTR_TABLE_ID, table),
        truth(SAI_ACL_COUNTER_ATTR_ENABLE_PACKET_COUNT),
        truth(SAI_ACL_COUNTER_ATTR_ENABLE_BYTE_COUNT),
    };
    sai_object_id_t counter;

    OK(f->api->create_acl_counter(&counter, f->bench->sw, N(list), list));
    return counter;
}

/* Tries to create an entry of 'table'. */
static sai_status_t
try_entry(const struct fixture *f, sai_object_id_t table, uint32_t n,
          const sai_attribute_t *more, sai_object_id_t *entry)
{
    sai_attribute_t list[MAX_ATTRIBUTES] = {
        reference(SAI_ACL_ENTRY_ATTR_TABLE_ID, table)};

    for (uint32_t i = 0; i < n; i++) {
        list[1 + i] = more[i];
    }
    return f->api->create_acl_entry(entry, f->bench->sw, 1 + n, list);
}

static sai_object_id_t
create_entry(const struct fixture *f, sai_object_id_t table, uint32_t n,
             const sai_attribute_t *more)
{
    sai_object_id_t entry;

    OK(try_entry(f, table, n, more, &entry));
    return entry;
}

static void
set_entry(const struct fixture *f, sai_object_id_t entry,
          sai_attribute_t attribute)
{
    OK(f->api->set_acl_entry_attribute(entry, &attribute));
}

static sai_status_t
try_bind(const struct fixture *f, sai_object_id_t list)
{
    const sai_attribute_t attribute =
        reference(SAI_PORT_ATTR_INGRESS_ACL, list);

    return f->bench->port_api->set_port_attribute(f->from, &attribute);
}

/* Binds 'list' to the switch, at the stage of 'f'. */
static void
bind_switch(const struct fixture *f, sai_object_id_t list)
{
    const sai_attribute_t attribute = reference(
        f->stage == SAI_ACL_STAGE_EGRESS ? SAI_SWITCH_ATTR_EGRESS_ACL
                                         : SAI_SWITCH_ATTR_INGRESS_ACL,
        list);

    OK(f->bench->switch_api->set_switch_attribute(f->bench->sw, &attribute));
}

/* Binds 'list' to 'port' at egress. */
static sai_status_t
try_bind_out(const struct fixture *f, sai_object_id_t port,
             sai_object_id_t list)
{
    const sai_attribute_t attribute = reference(SAI_PORT_ATTR_EGRESS_ACL, list);

    return f->bench->port_api->set_port_attribute(port, &attribute);
}

static void
expect_count(const struct fixture *f, sai_object_id_t counter, uint64_t packets)
{
    sai_attribute_t values[] = {{.id = SAI_ACL_COUNTER_ATTR_PACKETS},
                                {.id = SAI_ACL_COUNTER_ATTR_BYTES}};

    OK(f->api->get_acl_counter_attribute(counter, N(values), values));
    assert_int_equal(values[0].value.u64, packets);
    assert_int_equal(values[1].value.u64, packets * FRAME_BYTES);
}

/* Traffic -------------------------------------------------------------- */

/* Returns how many frames have left at 'port' since the last call, and stores
 * the row of the last of them. */
static uint64_t
left(const struct fixture *f, sai_object_id_t port,
     struct softasic_received *row)
{
    struct softasic_received rows[64];
    uint32_t n = N(rows);
    uint64_t sum = 0;

    OK(f->bench->ops->settle(NULL));
    OK(f->bench->ops->received(port, &n, rows));
    for (uint32_t i = 0; i < n; i++) {
        sum += rows[i].n_frames;
        if (row) {
            *row = rows[i];
        }
    }
    return sum;
}

/* Sends 'n' frames with 'class' and returns how many leave. */
static uint64_t
send(const struct fixture *f, uint8_t class, uint64_t n)
{
    const struct softasic_send send = {.from = f->from,
                                       .to = f->to,
                                       .n_frames = n,
                                       .dscp = class,
                                       .frame_bytes = FRAME_BYTES};
    struct softasic_sent sent;

    OK(f->bench->ops->send(&send, &sent));
    return left(f, f->to, NULL);
}

/* The same for a UDP packet to 'port' of 10.'net'.0.1. */
static uint64_t
send_udp(const struct fixture *f, uint8_t net, uint16_t port)
{
    const struct softasic_send send = {
        .from = f->from, .to = f->to, .n_frames = 5, .frame_bytes = 100};
    const struct softasic_ip ip = {.source = l3_setup_v4(10, net, 0, 9),
                                   .destination = l3_setup_v4(10, net, 0, 1),
                                   .ttl = 9,
                                   .protocol = 17,
                                   .source_port = 7,
                                   .destination_port = port};
    struct softasic_sent sent;

    OK(f->bench->ops->send_ip(&send, &ip, &sent));
    return left(f, f->to, NULL);
}

/* Tests ---------------------------------------------------------------- */

static void
test_drops_and_counts_by_dscp(void **state)
{
    const sai_attribute_t off = {SAI_ACL_ENTRY_ATTR_ADMIN_STATE,
                                 {.booldata = false}};
    sai_attribute_t packets = {SAI_ACL_COUNTER_ATTR_PACKETS, {.u64 = 0}};
    struct fixture f;
    sai_object_id_t table, counter, entry;

    use(&f, *state);
    assert_int_equal(send(&f, 10, 20), 20); /* The flow is known. */
    table = create_table(&f, 0, NULL);
    counter = create_counter(&f, table);
    entry = create_entry(
        &f, table, 3,
        (sai_attribute_t[]){
            dscp(10), packet_action(SAI_PACKET_ACTION_DROP),
            action_object(SAI_ACL_ENTRY_ATTR_ACTION_COUNTER, counter)});
    assert_int_equal(send(&f, 10, 20), 20); /* It is bound nowhere. */
    OK(try_bind(&f, table));
    assert_int_equal(send(&f, 10, 20), 0);
    assert_int_equal(send(&f, 11, 20), 20);
    expect_count(&f, counter, 20);

    /* Changes apply to the next frame. */
    set_entry(&f, entry, dscp(11));
    assert_int_equal(send(&f, 10, 20), 20);
    assert_int_equal(send(&f, 11, 7), 0);
    expect_count(&f, counter, 27);
    set_entry(&f, entry, packet_action(SAI_PACKET_ACTION_FORWARD));
    assert_int_equal(send(&f, 11, 3), 3);
    expect_count(&f, counter, 30);
    set_entry(&f, entry, packet_action(SAI_PACKET_ACTION_DROP));
    set_entry(&f, entry, off);
    assert_int_equal(send(&f, 11, 20), 20);
    expect_count(&f, counter, 30);
    OK(f.api->set_acl_counter_attribute(counter, &packets));
    OK(f.api->get_acl_counter_attribute(counter, 1, &packets));
    assert_int_equal(packets.value.u64, 0);
    set_entry(&f, entry, truth(SAI_ACL_ENTRY_ATTR_ADMIN_STATE));
    assert_int_equal(send(&f, 11, 1), 0);
    OK(f.api->get_acl_counter_attribute(counter, 1, &packets));
    assert_int_equal(packets.value.u64, 1);

    /* What is in use stays. */
    assert_int_equal(f.api->remove_acl_table(table), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(f.api->remove_acl_counter(counter),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(f.api->remove_acl_entry(entry));
    OK(f.api->remove_acl_counter(counter));
    assert_int_equal(f.api->remove_acl_table(table), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(send(&f, 11, 20), 20);
    OK(try_bind(&f, SAI_NULL_OBJECT_ID));
    OK(f.api->remove_acl_table(table));
}

static void
test_sets_traffic_class_and_dscp(void **state)
{
    enum { TC = 3, DSCP = 46 };
    static const sai_stat_id_t id = SAI_INGRESS_PRIORITY_GROUP_STAT_PACKETS;
    sai_qos_map_t rows[] = {
        {.key.tc = TC, .value = {.queue_index = TC, .pg = TC}}};
    sai_attribute_t map[] = {
        {SAI_QOS_MAP_ATTR_TYPE, {.s32 = SAI_QOS_MAP_TYPE_TC_TO_QUEUE}},
        {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST, {.qosmap = {1, rows}}},
    };
    sai_attribute_t use_map = {.id = SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP};
    struct softasic_received row = {0};
    struct softasic_sent sent;
    struct fixture f;
    struct softasic_send frame = {.n_frames = 5, .frame_bytes = FRAME_BYTES};
    sai_object_id_t table, pg;
    uint64_t packets;

    use(&f, *state);
    frame.from = f.from;
    frame.to = f.to;
    OK(f.bench->map_api->create_qos_map(&use_map.value.oid, f.bench->sw, N(map),
                                        map));
    OK(f.bench->port_api->set_port_attribute(f.to, &use_map));
    map[0].value.s32 = SAI_QOS_MAP_TYPE_TC_TO_PRIORITY_GROUP;
    use_map.id = SAI_PORT_ATTR_QOS_TC_TO_PRIORITY_GROUP_MAP;
    OK(f.bench->map_api->create_qos_map(&use_map.value.oid, f.bench->sw, N(map),
                                        map));
    OK(f.bench->port_api->set_port_attribute(f.from, &use_map));
    OK(f.bench->ops->send(&frame, &sent));
    assert_int_equal(left(&f, f.to, &row), 5);
    assert_int_equal(row.queue_index, 0);

    table = create_table(&f, 0, NULL);
    (void)create_entry(
        &f, table, 3,
        (sai_attribute_t[]){field(SAI_ACL_ENTRY_ATTR_FIELD_TC, 0),
                            action(SAI_ACL_ENTRY_ATTR_ACTION_SET_TC, TC),
                            action(SAI_ACL_ENTRY_ATTR_ACTION_SET_DSCP, DSCP)});
    OK(try_bind(&f, table));
    OK(f.bench->ops->send(&frame, &sent));
    assert_int_equal(left(&f, f.to, &row), 5);
    assert_int_equal(row.queue_index, TC);
    assert_int_equal(row.dscp, DSCP);
    pg = asic_setup_child(f.bench, f.from,
                          SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, TC);
    OK(f.bench->buffer_api->get_ingress_priority_group_stats(pg, 1, &id,
                                                             &packets));
    assert_int_equal(packets, 5);
    OK(try_bind(&f, SAI_NULL_OBJECT_ID));
}

static void
test_matches_addresses_ports_and_ranges(void **state)
{
    const sai_attribute_t range[] = {
        number(SAI_ACL_RANGE_ATTR_TYPE, SAI_ACL_RANGE_TYPE_L4_DST_PORT_RANGE),
        {SAI_ACL_RANGE_ATTR_LIMIT, {.u32range = {100, 200}}},
    };
    int32_t types[] = {SAI_ACL_RANGE_TYPE_L4_DST_PORT_RANGE};
    const sai_attribute_t fields[] = {
        truth(SAI_ACL_TABLE_ATTR_FIELD_DST_IP),
        truth(SAI_ACL_TABLE_ATTR_FIELD_IP_PROTOCOL),
        {SAI_ACL_TABLE_ATTR_FIELD_ACL_RANGE_TYPE, {.s32list = {1, types}}},
    };
    sai_attribute_t prefix = {SAI_ACL_ENTRY_ATTR_FIELD_DST_IP,
                              {.aclfield = {.enable = true}}};
    sai_attribute_t in_range = {SAI_ACL_ENTRY_ATTR_FIELD_ACL_RANGE_TYPE,
                                {.aclfield = {.enable = true}}};
    const uint8_t address[] = {10, 5, 0, 0};
    const uint8_t mask[] = {255, 255, 0, 0};
    struct fixture f;
    sai_object_id_t table, entry, ranged;

    use(&f, *state);
    memcpy(&prefix.value.aclfield.data.ip4, address, sizeof address);
    memcpy(&prefix.value.aclfield.mask.ip4, mask, sizeof mask);
    OK(f.api->create_acl_range(&ranged, f.bench->sw, N(range), range));
    in_range.value.aclfield.data.objlist = (sai_object_list_t){1, &ranged};
    table = create_table(&f, N(fields), fields);
    entry = create_entry(
        &f, table, 4,
        (sai_attribute_t[]){prefix, in_range,
                            field(SAI_ACL_ENTRY_ATTR_FIELD_IP_PROTOCOL, 17),
                            packet_action(SAI_PACKET_ACTION_DROP)});
    OK(try_bind(&f, table));
    assert_int_equal(send_udp(&f, 5, 99), 5);
    assert_int_equal(send_udp(&f, 5, 100), 0);
    assert_int_equal(send_udp(&f, 5, 200), 0);
    assert_int_equal(send_udp(&f, 5, 201), 5);
    assert_int_equal(send_udp(&f, 6, 150), 5);
    assert_int_equal(send(&f, 0, 5), 5); /* Without addresses. */
    assert_int_equal(f.api->remove_acl_range(ranged), SAI_STATUS_OBJECT_IN_USE);

    /* TCP only: contradicts the packets, not the entry. */
    set_entry(&f, entry, field(SAI_ACL_ENTRY_ATTR_FIELD_IP_PROTOCOL, 6));
    assert_int_equal(send_udp(&f, 5, 150), 5);
    OK(f.api->remove_acl_entry(entry));
    OK(f.api->remove_acl_range(ranged));
    OK(try_bind(&f, SAI_NULL_OBJECT_ID));
}

/* Creates a table with one entry that sets the DSCP of all packets of DSCP 1,
 * and a counter for it. */
static sai_object_id_t
marking_table(const struct fixture *f, uint8_t to, sai_object_id_t *counter)
{
    const sai_object_id_t table = create_table(f, 0, NULL);

    *counter = create_counter(f, table);
    (void)create_entry(
        f, table, 3,
        (sai_attribute_t[]){
            dscp(1), action(SAI_ACL_ENTRY_ATTR_ACTION_SET_DSCP, to),
            action_object(SAI_ACL_ENTRY_ATTR_ACTION_COUNTER, *counter)});
    return table;
}

/* Creates a group with 'a' of priority 1 and 'b' of priority 2. */
static sai_object_id_t
create_group(const struct fixture *f, sai_acl_table_group_type_t type,
             const sai_object_id_t tables[2], sai_object_id_t members[2])
{
    const sai_attribute_t list[] = {
        number(SAI_ACL_TABLE_GROUP_ATTR_ACL_STAGE, SAI_ACL_STAGE_INGRESS),
        number(SAI_ACL_TABLE_GROUP_ATTR_TYPE, type),
    };
    sai_object_id_t group;

    OK(f->api->create_acl_table_group(&group, f->bench->sw, N(list), list));
    for (uint32_t i = 0; i < 2; i++) {
        const sai_attribute_t member[] = {
            reference(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_GROUP_ID,
                      group),
            reference(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_ID, tables[i]),
            number(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_PRIORITY, 1 + i),
        };

        OK(f->api->create_acl_table_group_member(&members[i], f->bench->sw,
                                                 N(member), member));
    }
    return group;
}

/* Sends frames of DSCP 1 and returns with which they leave. */
static uint8_t
marked(const struct fixture *f)
{
    const struct softasic_send send = {.from = f->from,
                                       .to = f->to,
                                       .n_frames = 1,
                                       .dscp = 1,
                                       .frame_bytes = FRAME_BYTES};
    struct softasic_received row = {0};
    struct softasic_sent sent;

    OK(f->bench->ops->send(&send, &sent));
    assert_int_equal(left(f, f->to, &row), 1);
    return row.dscp;
}

static void
test_groups_search_in_order_or_all(void **state)
{
    struct fixture f;
    sai_object_id_t tables[2], counters[2], members[2], others[2];
    sai_object_id_t sequential, parallel;
    sai_attribute_t again[] = {
        number(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_PRIORITY, 9),
        reference(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_GROUP_ID, 0),
        reference(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_ID, 0),
    };
    sai_object_id_t twice;

    use(&f, *state);
    tables[0] = marking_table(&f, 20, &counters[0]);
    tables[1] = marking_table(&f, 21, &counters[1]);
    sequential =
        create_group(&f, SAI_ACL_TABLE_GROUP_TYPE_SEQUENTIAL, tables, members);
    parallel =
        create_group(&f, SAI_ACL_TABLE_GROUP_TYPE_PARALLEL, tables, others);
    OK(try_bind(&f, sequential));
    assert_int_equal(marked(&f), 21);
    expect_count(&f, counters[0], 0);
    expect_count(&f, counters[1], 1);
    OK(try_bind(&f, parallel));
    assert_int_equal(marked(&f), 21);
    expect_count(&f, counters[0], 1);
    expect_count(&f, counters[1], 2);

    /* Members come and go while the group is bound. */
    OK(f.api->remove_acl_table_group_member(others[1]));
    assert_int_equal(marked(&f), 20);
    again[1].value.oid = parallel;
    again[2].value.oid = tables[0];
    assert_int_equal(f.api->create_acl_table_group_member(&twice, f.bench->sw,
                                                          N(again), again),
                     SAI_STATUS_INVALID_ATTR_VALUE_0 - 2);
    assert_int_equal(f.api->remove_acl_table_group(parallel),
                     SAI_STATUS_OBJECT_IN_USE);

    /* The port has precedence over the switch; both count. */
    bind_switch(&f, tables[1]);
    assert_int_equal(marked(&f), 20);
    expect_count(&f, counters[0], 3);
    expect_count(&f, counters[1], 3);
    OK(try_bind(&f, SAI_NULL_OBJECT_ID));
    assert_int_equal(marked(&f), 21);
    bind_switch(&f, SAI_NULL_OBJECT_ID);
    assert_int_equal(marked(&f), 1);
    OK(f.api->remove_acl_table_group_member(others[0]));
    OK(f.api->remove_acl_table_group(parallel));
}

static void
test_priority_decides_then_age(void **state)
{
    struct fixture f;
    sai_object_id_t table, old, young;

    use(&f, *state);
    table = create_table(&f, 0, NULL);
    old = create_entry(
        &f, table, 2,
        (sai_attribute_t[]){dscp(1),
                            action(SAI_ACL_ENTRY_ATTR_ACTION_SET_DSCP, 30)});
    young = create_entry(
        &f, table, 1,
        (sai_attribute_t[]){action(SAI_ACL_ENTRY_ATTR_ACTION_SET_DSCP, 31)});
    OK(try_bind(&f, table));
    assert_int_equal(marked(&f), 30);
    set_entry(&f, young, number(SAI_ACL_ENTRY_ATTR_PRIORITY, 5));
    assert_int_equal(marked(&f), 31);
    set_entry(&f, old, number(SAI_ACL_ENTRY_ATTR_PRIORITY, 65535));
    assert_int_equal(marked(&f), 30);
    /* A refused change leaves the entry as it was. */
    assert_int_equal(f.api->set_acl_entry_attribute(
                         old, (sai_attribute_t[]){number(
                                  SAI_ACL_ENTRY_ATTR_PRIORITY, 65536)}),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(marked(&f), 30);
    OK(try_bind(&f, SAI_NULL_OBJECT_ID));
}

/* In front of the CPU: copies, traps, and a policer of an entry. */
static void
test_copies_traps_and_meters(void **state)
{
    struct fixture f;
    const sai_attribute_t meter[] = {
        number(SAI_POLICER_ATTR_METER_TYPE, SAI_METER_TYPE_PACKETS),
        number(SAI_POLICER_ATTR_MODE, SAI_POLICER_MODE_SR_TCM),
        {SAI_POLICER_ATTR_CIR, {.u64 = 1}},
        {SAI_POLICER_ATTR_CBS, {.u64 = 4}},
        number(SAI_POLICER_ATTR_RED_PACKET_ACTION, SAI_PACKET_ACTION_DROP),
    };
    const sai_policer_api_t *policers;
    void *found;
    sai_object_id_t table, entry, policer, cpu;

    use(&f, *state);
    OK(sai_api_query(SAI_API_POLICER, &found));
    policers = found;
    cpu = l3_setup_switch_oid(f.bench, SAI_SWITCH_ATTR_CPU_PORT);
    table = create_table(&f, 0, NULL);
    entry = create_entry(
        &f, table, 2,
        (sai_attribute_t[]){dscp(1), packet_action(SAI_PACKET_ACTION_COPY)});
    OK(try_bind(&f, table));
    assert_int_equal(send(&f, 1, 10), 10);
    assert_int_equal(left(&f, cpu, NULL), 10);
    set_entry(&f, entry, packet_action(SAI_PACKET_ACTION_TRAP));
    assert_int_equal(send(&f, 1, 10), 0);
    assert_int_equal(left(&f, cpu, NULL), 10);
    OK(policers->create_policer(&policer, f.bench->sw, N(meter), meter));
    set_entry(&f, entry,
              action_object(SAI_ACL_ENTRY_ATTR_ACTION_SET_POLICER, policer));
    assert_int_equal(send(&f, 1, 10), 0);
    assert_int_equal(left(&f, cpu, NULL), 4);
    assert_int_equal(send(&f, 2, 10), 10);
    assert_int_equal(policers->remove_policer(policer),
                     SAI_STATUS_OBJECT_IN_USE);
    OK(f.api->remove_acl_entry(entry));
    OK(policers->remove_policer(policer));
    OK(try_bind(&f, SAI_NULL_OBJECT_ID));
}

static void
test_ports_and_lags(void **state)
{
    const sai_attribute_t fields[] = {
        truth(SAI_ACL_TABLE_ATTR_FIELD_IN_PORTS),
        truth(SAI_ACL_TABLE_ATTR_FIELD_IN_PORT),
    };
    sai_attribute_t ports = {SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS,
                             {.aclfield = {.enable = true}}};
    sai_attribute_t none = {SAI_ACL_ENTRY_ATTR_FIELD_IN_PORTS,
                            {.aclfield = {.enable = false}}};
    sai_attribute_t one = {SAI_ACL_ENTRY_ATTR_FIELD_IN_PORT,
                           {.aclfield = {.enable = true}}};
    sai_attribute_t bound = {.id = SAI_LAG_ATTR_INGRESS_ACL};
    struct fixture f;
    sai_object_id_t table, entry;
    sai_object_id_t lag;

    use(&f, *state);
    table = create_table(&f, N(fields), fields);
    ports.value.aclfield.data.objlist = (sai_object_list_t){1, &f.to};
    entry = create_entry(
        &f, table, 2,
        (sai_attribute_t[]){ports, packet_action(SAI_PACKET_ACTION_DROP)});
    bind_switch(&f, table);
    assert_int_equal(send(&f, 1, 10), 10);
    ports.value.aclfield.data.objlist.list = &f.from;
    set_entry(&f, entry, ports);
    assert_int_equal(send(&f, 1, 10), 0);

    /* By its LAG. */
    lag = l3_setup_lag(f.bench, 1, &f.from);
    set_entry(&f, entry, none);
    one.value.aclfield.data.oid = lag;
    set_entry(&f, entry, one);
    assert_int_equal(send(&f, 1, 10), 0);
    one.value.aclfield.data.oid = f.to;
    set_entry(&f, entry, one);
    assert_int_equal(send(&f, 1, 10), 10);

    /* Bound to the LAG only. */
    bind_switch(&f, SAI_NULL_OBJECT_ID);
    one.value.aclfield.data.oid = f.from;
    set_entry(&f, entry, one);
    assert_int_equal(send(&f, 1, 10), 10);
    bound.value.oid = table;
    OK(f.bench->lag_api->set_lag_attribute(lag, &bound));
    assert_int_equal(send(&f, 1, 10), 0);
    bound.value.oid = SAI_NULL_OBJECT_ID;
    OK(f.bench->lag_api->set_lag_attribute(lag, &bound));
    assert_int_equal(send(&f, 1, 10), 10);
}

static void
test_at_egress_by_the_port_that_is_left(void **state)
{
    const sai_attribute_t fields[] = {truth(SAI_ACL_TABLE_ATTR_FIELD_OUT_PORT)};
    sai_attribute_t out = {SAI_ACL_ENTRY_ATTR_FIELD_OUT_PORT,
                           {.aclfield = {.enable = true}}};
    sai_attribute_t bound = {.id = SAI_LAG_ATTR_EGRESS_ACL};
    struct softasic_port_state before, after;
    struct fixture f;
    sai_object_id_t table, counter, entry, lag;

    use(&f, *state);
    f.stage = SAI_ACL_STAGE_EGRESS;
    assert_int_equal(send(&f, 10, 20), 20); /* The flow is known. */
    table = create_table(&f, N(fields), fields);
    counter = create_counter(&f, table);
    out.value.aclfield.data.oid = f.to;
    entry = create_entry(
        &f, table, 4,
        (sai_attribute_t[]){
            dscp(10), out, packet_action(SAI_PACKET_ACTION_DROP),
            action_object(SAI_ACL_ENTRY_ATTR_ACTION_COUNTER, counter)});
    OK(try_bind_out(&f, f.from, table)); /* Nothing leaves there. */
    assert_int_equal(send(&f, 10, 20), 20);
    expect_count(&f, counter, 0);
    OK(try_bind_out(&f, f.from, SAI_NULL_OBJECT_ID));
    OK(try_bind_out(&f, f.to, table));
    OK(f.bench->ops->port_state(f.from, &before));
    assert_int_equal(send(&f, 10, 20), 0);
    OK(f.bench->ops->port_state(f.from, &after));
    assert_int_equal(after.n_rx_filtered, before.n_rx_filtered + 20);
    assert_int_equal(send(&f, 11, 20), 20);
    expect_count(&f, counter, 20);

    /* Known flows are counted. */
    set_entry(&f, entry, packet_action(SAI_PACKET_ACTION_FORWARD));
    assert_int_equal(send(&f, 10, 5), 5);
    expect_count(&f, counter, 25);

    /* Bound to the switch, to the LAG. */
    OK(try_bind_out(&f, f.to, SAI_NULL_OBJECT_ID));
    set_entry(&f, entry, packet_action(SAI_PACKET_ACTION_DENY));
    assert_int_equal(send(&f, 10, 5), 5);
    bind_switch(&f, table);
    assert_int_equal(send(&f, 10, 5), 0);
    bind_switch(&f, SAI_NULL_OBJECT_ID);
    lag = l3_setup_lag(f.bench, 1, &f.to);
    assert_int_equal(send(&f, 10, 5), 5);
    bound.value.oid = table;
    OK(f.bench->lag_api->set_lag_attribute(lag, &bound));
    assert_int_equal(send(&f, 10, 5), 0);
    expect_count(&f, counter, 35);
}

/* As a PFC watchdog keeps packets off a queue in a storm: by their traffic
 * class, here one that an entry at ingress sets, before the buffer has them. */
static void
test_at_egress_by_the_class_before_the_buffer(void **state)
{
    struct softasic_port_state port;
    struct fixture f;
    sai_object_id_t classes, guard, counter;

    use(&f, *state);
    classes = create_table(&f, 0, NULL);
    (void)create_entry(
        &f, classes, 2,
        (sai_attribute_t[]){dscp(10),
                            action(SAI_ACL_ENTRY_ATTR_ACTION_SET_TC, 3)});
    OK(try_bind(&f, classes));
    f.stage = SAI_ACL_STAGE_EGRESS;
    guard = create_table(&f, 0, NULL);
    counter = create_counter(&f, guard);
    (void)create_entry(
        &f, guard, 3,
        (sai_attribute_t[]){
            field(SAI_ACL_ENTRY_ATTR_FIELD_TC, 3),
            packet_action(SAI_PACKET_ACTION_DROP),
            action_object(SAI_ACL_ENTRY_ATTR_ACTION_COUNTER, counter)});
    asic_setup_port_bool(f.bench, f.to, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    (void)send(&f, 10, 20);
    OK(f.bench->ops->port_state(f.to, &port));
    assert_int_equal(port.n_queued, 20);
    OK(try_bind_out(&f, f.to, guard));
    (void)send(&f, 10, 30);
    (void)send(&f, 11, 5);
    OK(f.bench->ops->port_state(f.to, &port));
    assert_int_equal(port.n_queued, 25);
    expect_count(&f, counter, 30);
    /* Packets that wait are not matched again. */
    asic_setup_port_bool(f.bench, f.to, SAI_PORT_ATTR_PKT_TX_ENABLE, true);
    assert_int_equal(left(&f, f.to, NULL), 25);
    OK(try_bind_out(&f, f.to, SAI_NULL_OBJECT_ID));
    assert_int_equal(send(&f, 10, 20), 20);
}

static void
test_at_egress_copies_are_matched_one_by_one(void **state)
{
    struct asic_setup *bench = *state;
    sai_attribute_t bound = {.id = SAI_VLAN_ATTR_EGRESS_ACL};
    struct softasic_send order = {.destination = {2, 0, 0, 0, 0, 0x77},
                                  .n_frames = 10,
                                  .frame_bytes = FRAME_BYTES};
    struct softasic_sent sent;
    struct fixture f;
    sai_object_id_t table, third, vlan;

    use(&f, bench);
    f.stage = SAI_ACL_STAGE_EGRESS;
    order.from = f.from;
    third = asic_setup_add_port(bench, 1002);
    asic_setup_port_bool(bench, third, SAI_PORT_ATTR_ADMIN_STATE, true);
    vlan = l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
    table = create_table(&f, 0, NULL);
    (void)create_entry(
        &f, table, 1,
        (sai_attribute_t[]){packet_action(SAI_PACKET_ACTION_DROP)});
    OK(try_bind_out(&f, f.to, table));
    OK(bench->ops->send(&order, &sent));
    assert_int_equal(left(&f, f.to, NULL), 0);
    assert_int_equal(left(&f, third, NULL), 10);
    OK(try_bind_out(&f, f.to, SAI_NULL_OBJECT_ID));

    /* What leaves in the VLAN; frames for the entry of a port are in none. */
    bound.value.oid = table;
    OK(bench->vlan_api->set_vlan_attribute(vlan, &bound));
    OK(bench->ops->send(&order, &sent));
    assert_int_equal(left(&f, f.to, NULL) + left(&f, third, NULL), 0);
    assert_int_equal(send(&f, 1, 10), 10);
    bound.value.oid = SAI_NULL_OBJECT_ID;
    OK(bench->vlan_api->set_vlan_attribute(vlan, &bound));
    OK(bench->ops->send(&order, &sent));
    assert_int_equal(left(&f, f.to, NULL) + left(&f, third, NULL), 20);
}

/* A frame with a tag that leaves without it has none behind the bridge. */
static void
test_at_egress_a_removed_tag_is_none(void **state)
{
    const sai_attribute_t fields[] = {
        truth(SAI_ACL_TABLE_ATTR_FIELD_HAS_VLAN_TAG)};
    sai_attribute_t tag = {SAI_ACL_ENTRY_ATTR_FIELD_HAS_VLAN_TAG,
                           {.aclfield = {.enable = true}}};
    struct softasic_send order = {.destination = {2, 0, 0, 0, 0, 0x77},
                                  .n_frames = 5,
                                  .frame_bytes = FRAME_BYTES,
                                  .vlan = 1};
    struct softasic_sent sent;
    sai_object_id_t table, entry;
    struct fixture f;

    use(&f, *state);
    f.stage = SAI_ACL_STAGE_EGRESS;
    order.from = f.from;
    table = create_table(&f, N(fields), fields);
    tag.value.aclfield.data.booldata = true;
    entry = create_entry(
        &f, table, 2,
        (sai_attribute_t[]){tag, packet_action(SAI_PACKET_ACTION_DROP)});
    bind_switch(&f, table);
    OK(f.bench->ops->send(&order, &sent));
    assert_int_equal(left(&f, f.to, NULL), 5);
    tag.value.aclfield.data.booldata = false;
    set_entry(&f, entry, tag);
    OK(f.bench->ops->send(&order, &sent));
    assert_int_equal(left(&f, f.to, NULL), 0);
}

static void
test_at_egress_refuses_what_it_cannot_do(void **state)
{
    const sai_attribute_t tables[][2] = {
        {number(SAI_ACL_TABLE_ATTR_ACL_STAGE, SAI_ACL_STAGE_EGRESS),
         truth(SAI_ACL_TABLE_ATTR_FIELD_IN_PORTS)},
        {number(SAI_ACL_TABLE_ATTR_ACL_STAGE, SAI_ACL_STAGE_INGRESS),
         truth(SAI_ACL_TABLE_ATTR_FIELD_OUT_PORTS)},
    };
    const sai_attribute_t actions[] = {
        action(SAI_ACL_ENTRY_ATTR_ACTION_SET_TC, 1),
        action(SAI_ACL_ENTRY_ATTR_ACTION_SET_DSCP, 1),
        packet_action(SAI_PACKET_ACTION_TRAP),
        packet_action(SAI_PACKET_ACTION_COPY),
    };
    struct fixture f;
    sai_object_id_t oid, egress, group;
    sai_attribute_t member[3];

    use(&f, *state);
    for (uint32_t i = 0; i < N(tables); i++) {
        assert_int_equal(
            f.api->create_acl_table(&oid, f.bench->sw, 2, tables[i]),
            SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    }
    oid = create_table(&f, 0, NULL);
    f.stage = SAI_ACL_STAGE_EGRESS;
    egress = create_table(&f, 0, NULL);
    for (uint32_t i = 0; i < N(actions); i++) {
        sai_object_id_t entry;

        assert_int_equal(try_entry(&f, egress, 1, &actions[i], &entry),
                         SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    }
    /* A table is bound at its stage only, alone and in a group. */
    assert_int_equal(try_bind(&f, egress), SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(try_bind_out(&f, f.to, oid),
                     SAI_STATUS_INVALID_ATTR_VALUE_0);
    member[0] =
        number(SAI_ACL_TABLE_GROUP_ATTR_ACL_STAGE, SAI_ACL_STAGE_EGRESS);
    OK(f.api->create_acl_table_group(&group, f.bench->sw, 1, member));
    member[0] =
        reference(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_GROUP_ID, group);
    member[1] = reference(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_ACL_TABLE_ID, oid);
    member[2] = number(SAI_ACL_TABLE_GROUP_MEMBER_ATTR_PRIORITY, 1);
    assert_int_equal(
        f.api->create_acl_table_group_member(&oid, f.bench->sw, 3, member),
        SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    member[1].value.oid = egress;
    OK(f.api->create_acl_table_group_member(&oid, f.bench->sw, 3, member));
    OK(try_bind_out(&f, f.to, group));
}

static uint32_t
table_room(const struct fixture *f, sai_object_id_t table)
{
    sai_attribute_t room = {.id = SAI_ACL_TABLE_ATTR_AVAILABLE_ACL_ENTRY};

    OK(f->api->get_acl_table_attribute(table, 1, &room));
    return room.value.u32;
}

static void
test_capacity_is_shared_and_reserved(void **state)
{
    enum { MOST = 4096, SIZE = MOST - 3 };
    const sai_attribute_t size = number(SAI_ACL_TABLE_ATTR_SIZE, SIZE);
    const sai_attribute_t small = number(SAI_ACL_TABLE_ATTR_SIZE, 1);
    sai_attribute_t list = {.id = SAI_ACL_TABLE_ATTR_ENTRY_LIST};
    struct fixture f;
    sai_object_id_t sized, single, open, entry, first;
    uint64_t room;

    use(&f, *state);
    open = create_table(&f, 0, NULL);
    assert_int_equal(table_room(&f, open), MOST);
    sized = create_table(&f, 1, &size);
    assert_int_equal(table_room(&f, sized), SIZE);
    assert_int_equal(table_room(&f, open), 3);
    single = create_table(&f, 1, &small);
    assert_int_equal(table_room(&f, open), 2);
    OK(sai_object_type_get_availability(f.bench->sw, SAI_OBJECT_TYPE_ACL_ENTRY,
                                        0, NULL, &room));
    assert_int_equal(room, 2 + MOST); /* All of those at egress. */
    first = create_entry(&f, single, 0, NULL);
    assert_int_equal(try_entry(&f, single, 0, NULL, &entry),
                     SAI_STATUS_TABLE_FULL);
    (void)create_entry(&f, open, 0, NULL);
    (void)create_entry(&f, open, 0, NULL);
    assert_int_equal(try_entry(&f, open, 0, NULL, &entry),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    OK(f.api->remove_acl_table(sized));
    assert_int_equal(table_room(&f, open), SIZE);
    OK(f.api->remove_acl_entry(first));
    (void)create_entry(&f, single, 0, NULL);
    assert_int_equal(f.api->get_acl_table_attribute(open, 1, &list),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(list.value.objlist.count, 2);
}

static int
setup_small(void **state)
{
    return asic_setup_setup(state, "generic",
                            "{acl_tables: 2, acl_entries: 3, acl_counters: 1, "
                            "acl_egress_tables: 1, acl_egress_entries: 2}");
}

static void
test_capacity_is_that_of_the_chip(void **state)
{
    const sai_attribute_t stage =
        number(SAI_ACL_TABLE_ATTR_ACL_STAGE, SAI_ACL_STAGE_EGRESS);
    sai_acl_resource_t rooms[16];
    sai_attribute_t room = {SAI_SWITCH_ATTR_AVAILABLE_ACL_TABLE,
                            {.aclresource = {N(rooms), rooms}}};
    struct fixture f;
    sai_object_id_t ingress, egress, oid;

    use(&f, *state);
    ingress = create_table(&f, 0, NULL);
    f.stage = SAI_ACL_STAGE_EGRESS;
    egress = create_table(&f, 0, NULL);
    assert_int_equal(f.api->create_acl_table(&oid, f.bench->sw, 1, &stage),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1, &room));
    for (uint32_t i = 0; i < room.value.aclresource.count; i++) {
        if (rooms[i].bind_point == SAI_ACL_BIND_POINT_TYPE_PORT) {
            assert_int_equal(rooms[i].avail_num,
                             rooms[i].stage == SAI_ACL_STAGE_INGRESS);
        }
    }
    (void)create_entry(&f, egress, 0, NULL);
    assert_int_equal(table_room(&f, egress), 1);
    (void)create_entry(&f, egress, 0, NULL);
    assert_int_equal(try_entry(&f, egress, 0, NULL, &oid),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(table_room(&f, ingress), 3);
    (void)create_counter(&f, ingress);
    room = reference(SAI_ACL_COUNTER_ATTR_TABLE_ID, egress);
    assert_int_equal(f.api->create_acl_counter(&oid, f.bench->sw, 1, &room),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
}

static void
test_capabilities_say_what_is_done(void **state)
{
    int32_t actions[16];
    sai_attribute_t stage = {
        SAI_SWITCH_ATTR_ACL_STAGE_INGRESS,
        {.aclcapability.action_list = {N(actions), actions}}};
    sai_attribute_t count = {.id = SAI_SWITCH_ATTR_MAX_ACL_ACTION_COUNT};
    sai_acl_resource_t rooms[16];
    sai_attribute_t room = {SAI_SWITCH_ATTR_AVAILABLE_ACL_TABLE,
                            {.aclresource = {N(rooms), rooms}}};
    sai_attr_capability_t able;
    struct fixture f;

    use(&f, *state);
    OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1, &stage));
    OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1, &count));
    assert_int_equal(stage.value.aclcapability.action_list.count, 7);
    assert_int_equal(count.value.u32, 7);
    stage.id = SAI_SWITCH_ATTR_ACL_STAGE_EGRESS;
    stage.value.aclcapability.action_list.count = N(actions);
    OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1, &stage));
    assert_int_equal(stage.value.aclcapability.action_list.count, 2);
    (void)create_table(&f, 0, NULL);
    OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, 1, &room));
    assert_int_equal(room.value.aclresource.count, 10);
    for (uint32_t i = 0; i < room.value.aclresource.count; i++) {
        const bool is_egress = rooms[i].stage == SAI_ACL_STAGE_EGRESS;
        const bool fits =
            rooms[i].bind_point == SAI_ACL_BIND_POINT_TYPE_PORT ||
            rooms[i].bind_point == SAI_ACL_BIND_POINT_TYPE_LAG ||
            rooms[i].bind_point == SAI_ACL_BIND_POINT_TYPE_SWITCH ||
            (is_egress && rooms[i].bind_point == SAI_ACL_BIND_POINT_TYPE_VLAN);

        assert_int_equal(rooms[i].avail_num, fits ? 63 + is_egress : 0);
    }
    OK(sai_query_attribute_capability(f.bench->sw, SAI_OBJECT_TYPE_ACL_ENTRY,
                                      SAI_ACL_ENTRY_ATTR_FIELD_DSCP, &able));
    assert_true(able.create_implemented && able.set_implemented);
    OK(sai_query_attribute_capability(f.bench->sw, SAI_OBJECT_TYPE_ACL_ENTRY,
                                      SAI_ACL_ENTRY_ATTR_ACTION_MIRROR_INGRESS,
                                      &able));
    assert_false(able.create_implemented);
}

static void
test_refuses_what_it_cannot_do(void **state)
{
    int32_t points[] = {SAI_ACL_BIND_POINT_TYPE_LAG};
    const sai_attribute_t for_lags = {
        SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST, {.s32list = {1, points}}};
    int32_t vlan[] = {SAI_ACL_BIND_POINT_TYPE_VLAN};
    const sai_attribute_t for_vlans[] = {
        number(SAI_ACL_TABLE_ATTR_ACL_STAGE, SAI_ACL_STAGE_INGRESS),
        {SAI_ACL_TABLE_ATTR_ACL_BIND_POINT_TYPE_LIST, {.s32list = {1, vlan}}},
    };
    struct fixture f;
    sai_object_id_t table, other, oid, counter;

    use(&f, *state);
    assert_int_equal(f.api->create_acl_table(&oid, f.bench->sw, 2, for_vlans),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    table = create_table(&f, 1, &for_lags);
    assert_int_equal(try_bind(&f, table), SAI_STATUS_INVALID_ATTR_VALUE_0);
    other = create_table(&f, 0, NULL);
    counter = create_counter(&f, other);

    /* A field that the table does not have; a counter of another table; values
     * that do not exist; an action that is not supported.  The table is
     * attribute 0. */
    {
        const sai_attribute_t bad[] = {
            field(SAI_ACL_ENTRY_ATTR_FIELD_IP_PROTOCOL, 6),
            action_object(SAI_ACL_ENTRY_ATTR_ACTION_COUNTER, counter),
            field(SAI_ACL_ENTRY_ATTR_FIELD_DSCP, 64),
            action(SAI_ACL_ENTRY_ATTR_ACTION_SET_TC, 200),
            packet_action(SAI_PACKET_ACTION_COPY_CANCEL),
        };
        const sai_attribute_t unsupported =
            action(SAI_ACL_ENTRY_ATTR_ACTION_DECREMENT_TTL, 1);

        for (uint32_t i = 0; i < N(bad); i++) {
            assert_int_equal(try_entry(&f, table, 1, &bad[i], &oid),
                             SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
        }
        assert_int_equal(try_entry(&f, table, 1, &unsupported, &oid),
                         SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 1);
    }
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_drops_and_counts_by_dscp),
        TEST(test_sets_traffic_class_and_dscp),
        TEST(test_matches_addresses_ports_and_ranges),
        TEST(test_groups_search_in_order_or_all),
        TEST(test_priority_decides_then_age),
        TEST(test_copies_traps_and_meters),
        TEST(test_ports_and_lags),
        TEST(test_at_egress_by_the_port_that_is_left),
        TEST(test_at_egress_by_the_class_before_the_buffer),
        TEST(test_at_egress_copies_are_matched_one_by_one),
        TEST(test_at_egress_a_removed_tag_is_none),
        TEST(test_at_egress_refuses_what_it_cannot_do),
        TEST(test_capacity_is_shared_and_reserved),
        cmocka_unit_test_setup_teardown(test_capacity_is_that_of_the_chip,
                                        setup_small, asic_setup_teardown),
        TEST(test_capabilities_say_what_is_done),
        TEST(test_refuses_what_it_cannot_do),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
