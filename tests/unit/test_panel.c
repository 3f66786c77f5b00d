/* SPDX-License-Identifier: Apache-2.0 */

/* The front panel of the twin: what a process with real interfaces receives and
 * can do.
 *
 * Ports of td2 are 40G.  A frame of 976 bytes is 1,000 on the wire: 200 ns. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"
#include "vendors/softasic/front_panel.h"

enum { LENGTH = 976, MAX_LEFT = 256 };

#define FRAME_PS INT64_C(200000)

/* What the listener has heard. */
static struct heard {
    struct softasic_front_port wires[ASICRIG_MAX_PORTS];
    uint32_t first_lanes[ASICRIG_MAX_PORTS];
    uint32_t n_changes;
    uint32_t n_removed;
    uint32_t n_left;
    uint32_t slots[MAX_LEFT];
    uint8_t numbers[MAX_LEFT];
    uint8_t last[65536];
    uint32_t n_last;
    struct softasic_hostif host;
    char host_name[SAI_HOSTIF_NAME_SIZE];
    uint32_t n_hosts;
    uint32_t n_hosts_removed;
    uint32_t n_to_host;
    uint8_t host_bytes[LENGTH];
} heard;

/* States of ports as the callback of SAI reported them. */
static struct {
    uint32_t n;
    sai_port_oper_status_t last;
} reported;

static const struct softasic_front *front;

static void
on_changed(void *context, const struct softasic_front_port *wire)
{
    struct heard *h = context;

    assert_true(wire->slot < ASICRIG_MAX_PORTS);
    assert_int_not_equal(wire->n_lanes, 0);
    h->wires[wire->slot] = *wire;
    h->first_lanes[wire->slot] = wire->lanes[0];
    h->n_changes++;
}

static void
on_removed(void *context, uint32_t slot)
{
    struct heard *h = context;

    assert_true(slot < ASICRIG_MAX_PORTS);
    h->n_removed++;
}

static void
on_left(void *context, uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    struct heard *h = context;

    assert_true(h->n_left < MAX_LEFT);
    h->slots[h->n_left] = slot;
    h->numbers[h->n_left] = bytes[n - 1];
    memcpy(h->last, bytes, n);
    h->n_last = n;
    h->n_left++;
}

static void
on_host(void *context, const struct softasic_hostif *host)
{
    struct heard *h = context;

    h->host = *host;
    strcpy(h->host_name, host->name);
    h->n_hosts++;
}

static void
on_host_removed(void *context, uint32_t slot)
{
    struct heard *h = context;

    assert_int_equal(slot, h->host.slot);
    h->n_hosts_removed++;
}

static void
on_to_host(void *context, uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    struct heard *h = context;

    assert_int_equal(slot, h->host.slot);
    assert_true(n <= sizeof h->host_bytes);
    memcpy(h->host_bytes, bytes, n);
    h->n_to_host++;
}

static void
on_port_state(uint32_t n, const sai_port_oper_status_notification_t *data)
{
    reported.n += n;
    reported.last = data[n - 1].port_state;
}

static const struct softasic_listener all = {
    &heard,  on_changed,      on_removed, on_left,
    on_host, on_host_removed, on_to_host};

static int
setup(void **state)
{
    int result;

    memset(&heard, 0, sizeof heard);
    memset(&reported, 0, sizeof reported);
    front = softasic_front(SOFTASIC_FRONT_VERSION);
    assert_non_null(front);
    /* The set-up starts again, without a listener. */
    result = asic_setup_setup_td2(state);
    front->listen(&all);
    return result;
}

static int
teardown(void **state)
{
    front->listen(NULL);
    return asic_setup_teardown(state);
}

/* Creates the switch again, with a listener. */
static struct asic_setup *
begin(void **state)
{
    static const sai_attribute_t attributes[] = {
        {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}},
        {SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
         {.ptr = (void *)(uintptr_t)on_port_state}},
    };
    struct asic_setup *bench = *state;
    sai_attribute_t ports = {.id = SAI_SWITCH_ATTR_PORT_LIST};

    assert_int_equal(bench->switch_api->remove_switch(bench->sw),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        bench->switch_api->create_switch(&bench->sw, N(attributes), attributes),
        SAI_STATUS_SUCCESS);
    ports.value.objlist.count = ASICRIG_MAX_PORTS;
    ports.value.objlist.list = bench->ports;
    assert_int_equal(
        bench->switch_api->get_switch_attribute(bench->sw, 1, &ports),
        SAI_STATUS_SUCCESS);
    bench->n_ports = ports.value.objlist.count;
    return bench;
}

/* Brings both halves of a port up. */
static void
bring_up(struct asic_setup *bench, uint32_t slot)
{
    asic_setup_port_bool(bench, heard.wires[slot].port,
                         SAI_PORT_ATTR_ADMIN_STATE, true);
    front->link(slot, true);
}

static sai_port_oper_status_t
oper_status(struct asic_setup *bench, uint32_t slot)
{
    sai_attribute_t attribute = {.id = SAI_PORT_ATTR_OPER_STATUS};

    assert_int_equal(bench->port_api->get_port_attribute(heard.wires[slot].port,
                                                         1, &attribute),
                     SAI_STATUS_SUCCESS);
    return (sai_port_oper_status_t)attribute.value.s32;
}

/* Lets everything arrive that is on a wire. */
static void
arrive(void)
{
    front->run(front->arrived_ps());
}

/* Puts a frame on the wire to 'slot' that ends in 'number'. */
static void
send(uint32_t slot, uint32_t length, uint8_t number)
{
    uint8_t bytes[LENGTH] = {0x02, 0, 0, 0, 0, 0x99, 0x02, 0, 0, 0, 0, 0x01};

    assert_true(length <= sizeof bytes);
    if (length) {
        bytes[length - 1] = number;
    }
    front->send(slot, bytes, length);
}

static void
test_every_port_is_described_as_sai_does(void **state)
{
    struct asic_setup *bench = begin(state);
    sai_attribute_t attribute = {.id = SAI_PORT_ATTR_MTU};
    uint32_t before;

    assert_int_equal(heard.n_changes, bench->n_ports);
    for (uint32_t i = 0; i < bench->n_ports; i++) {
        assert_int_equal(heard.wires[i].port, bench->ports[i]);
        assert_int_equal(heard.wires[i].speed_mbps, 40000);
        assert_int_equal(heard.first_lanes[i], heard.wires[i].first_lane +
                                                   i * heard.wires[i].n_lanes);
        assert_false(heard.wires[i].admin_up);
    }
    before = heard.n_changes;
    attribute.value.u32 = 9122;
    assert_int_equal(
        bench->port_api->set_port_attribute(bench->ports[3], &attribute),
        SAI_STATUS_SUCCESS);
    assert_int_equal(heard.wires[3].mtu_bytes, 9122);
    asic_setup_port_bool(bench, bench->ports[3], SAI_PORT_ATTR_ADMIN_STATE,
                         true);
    assert_true(heard.wires[3].admin_up);
    assert_int_equal(heard.n_changes, before + 2);
    assert_int_equal(heard.n_removed, 0);
    assert_int_equal(asic_setup_remove_port(bench->sw, bench->ports[3]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n_removed, 1);
    assert_null(softasic_front(SOFTASIC_FRONT_VERSION + 1));
}

static void
test_a_port_is_up_if_it_may_be_and_its_link_is(void **state)
{
    struct asic_setup *bench = begin(state);

    asic_setup_port_bool(bench, bench->ports[0], SAI_PORT_ATTR_ADMIN_STATE,
                         true);
    assert_int_equal(oper_status(bench, 0), SAI_PORT_OPER_STATUS_DOWN);
    assert_int_equal(reported.n, 0);
    front->link(0, true);
    assert_int_equal(oper_status(bench, 0), SAI_PORT_OPER_STATUS_UP);
    assert_int_equal(reported.n, 1);
    assert_int_equal(reported.last, SAI_PORT_OPER_STATUS_UP);
    front->link(0, true);
    assert_int_equal(reported.n, 1);
    front->link(0, false);
    assert_int_equal(reported.n, 2);
    assert_int_equal(reported.last, SAI_PORT_OPER_STATUS_DOWN);
    /* A link alone does not make it up. */
    front->link(1, true);
    assert_int_equal(oper_status(bench, 1), SAI_PORT_OPER_STATUS_DOWN);
    assert_int_equal(reported.n, 2);
    front->link(ASICRIG_MAX_PORTS, true); /* None: nothing happens. */
}

static void
test_a_frame_takes_its_time_on_both_wires(void **state)
{
    struct asic_setup *bench = begin(state);

    bring_up(bench, 0);
    bring_up(bench, 1);
    send(0, LENGTH, 7);
    front->run(2 * FRAME_PS - 1);
    assert_int_equal(heard.n_left, 0);
    front->run(2 * FRAME_PS);
    assert_int_equal(heard.n_left, 1);
    assert_int_equal(heard.slots[0], 1);
    assert_int_equal(heard.n_last, LENGTH);
    assert_int_equal(heard.last[5], 0x99);
    assert_int_equal(heard.numbers[0], 7);
    assert_int_equal(front->now_ps(), 2 * FRAME_PS);
    assert_true(front->next_ps() == INT64_MAX);
}

static void
test_a_batch_arrives_one_by_one_and_in_order(void **state)
{
    enum { N_FRAMES = 100 };
    struct asic_setup *bench = begin(state);

    bring_up(bench, 0);
    bring_up(bench, 1);
    for (uint8_t i = 0; i < N_FRAMES; i++) {
        send(0, LENGTH, i);
    }
    assert_int_equal(front->waiting(0), N_FRAMES);
    front->run(10 * FRAME_PS);
    assert_int_equal(front->waiting(0), N_FRAMES - 10);
    assert_int_equal(heard.n_left, 9);
    front->run((N_FRAMES + 1) * FRAME_PS);
    assert_int_equal(front->waiting(0), 0);
    assert_int_equal(heard.n_left, N_FRAMES);
    for (uint8_t i = 0; i < N_FRAMES; i++) {
        assert_int_equal(heard.numbers[i], i);
    }
}

static void
test_all_arrive_before_a_change(void **state)
{
    struct asic_setup *bench = begin(state);
    sai_stat_id_t id = SAI_PORT_STAT_IF_IN_UCAST_PKTS;
    uint64_t n;

    bring_up(bench, 0);
    bring_up(bench, 1);
    for (uint8_t i = 0; i < 20; i++) {
        send(0, LENGTH, i);
    }
    arrive();
    assert_int_equal(front->waiting(0), 0);
    asic_setup_port_bool(bench, bench->ports[0], SAI_PORT_ATTR_ADMIN_STATE,
                         false);
    assert_int_equal(
        bench->port_api->get_port_stats(bench->ports[0], 1, &id, &n),
        SAI_STATUS_SUCCESS);
    assert_int_equal(n, 20);
    /* What comes afterwards is lost. */
    send(0, LENGTH, 20);
    front->run(30 * FRAME_PS);
    assert_int_equal(heard.n_left, 20);
    assert_int_equal(heard.numbers[19], 19);
}

static void
test_what_is_no_frame_is_ignored(void **state)
{
    struct asic_setup *bench = begin(state);

    bring_up(bench, 0);
    send(0, 13, 1);
    send(0, 0, 1);
    assert_int_equal(front->waiting(0), 0);
    send(0, 14, 1);
    assert_int_equal(front->waiting(0), 1);
    send(ASICRIG_MAX_PORTS, 14, 1);
    assert_int_equal(front->waiting(ASICRIG_MAX_PORTS), 0);
}

static void
test_a_port_with_a_wire_has_no_simulated_peer(void **state)
{
    struct asic_setup *bench = begin(state);

    assert_int_equal(
        bench->ops->peer(bench->ports[0], &(struct softasic_peer){0}),
        SAI_STATUS_OBJECT_IN_USE);
}

static uint64_t
count(const struct asic_setup *bench, uint32_t slot, sai_stat_id_t id)
{
    uint64_t n;

    assert_int_equal(
        bench->port_api->get_port_stats(heard.wires[slot].port, 1, &id, &n),
        SAI_STATUS_SUCCESS);
    return n;
}

static void
test_a_storm_arrives_beside_what_the_wire_brings(void **state)
{
    struct asic_setup *bench = begin(state);
    const sai_object_id_t port = heard.wires[1].port;
    const struct softasic_storm storm = {
        .pause = {.priorities = 1 << 3, .quanta = 1},
        .interval_ps = 10 * FRAME_PS,
        .n_frames = 3,
    };
    const struct softasic_flow flow = {
        .look = {.from = port,
                 .to = heard.wires[0].port,
                 .frame_bytes = SOFTASIC_FRAME_BYTES_MIN},
        .n_frames = 1};

    bring_up(bench, 0);
    bring_up(bench, 1);
    assert_int_equal(bench->ops->storm(port, &storm), SAI_STATUS_SUCCESS);
    send(1, LENGTH, 5);
    front->run(100 * FRAME_PS);
    assert_int_equal(count(bench, 1, SAI_PORT_STAT_PFC_3_RX_PKTS), 3);
    assert_int_equal(count(bench, 1, SAI_PORT_STAT_IF_IN_UCAST_PKTS), 1);
    /* The wire still gets what leaves, and it sends no flows. */
    assert_int_equal(heard.n_left, 1);
    send(0, LENGTH, 6);
    front->run(200 * FRAME_PS);
    assert_int_equal(heard.n_left, 2);
    assert_int_equal(heard.slots[1], 1);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->peer(port, &(struct softasic_peer){0}),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bench->ops->storm_stop(port), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->peer_remove(port), SAI_STATUS_SUCCESS);
    send(0, LENGTH, 7);
    front->run(300 * FRAME_PS);
    assert_int_equal(heard.n_left, 3);
}

static void
test_a_port_sends_a_storm_over_its_wire(void **state)
{
    static const uint8_t address[] = {0x01, 0x80, 0xc2, 0, 0, 0x01};
    /* Half of the longest pause at 40 Gb/s: 65,535 quanta of 12.8 ns. */
    const int64_t half_ps = INT64_C(65535) * 12800 / 2;
    struct asic_setup *bench = begin(state);
    const sai_object_id_t port = heard.wires[1].port;
    const sai_attribute_t pfc = {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                                 {.u8 = 1 << 3}};

    bring_up(bench, 1);
    assert_int_equal(bench->port_api->set_port_attribute(port, &pfc),
                     SAI_STATUS_SUCCESS);
    /* As far as the port has PFC. */
    assert_int_equal(bench->ops->storm_sent(port, 1 << 4), SAI_STATUS_SUCCESS);
    front->run(half_ps);
    assert_int_equal(heard.n_left, 0);
    assert_int_equal(bench->ops->storm_sent(port, 3 << 3), SAI_STATUS_SUCCESS);
    front->run(front->now_ps() + 3 * half_ps + half_ps / 2);
    assert_int_equal(heard.n_left, 4);
    assert_memory_equal(heard.last, address, sizeof address);
    assert_int_equal(bench->ops->storm_sent(port, 0), SAI_STATUS_SUCCESS);
    front->run(front->now_ps() + 10 * half_ps);
    assert_int_equal(heard.n_left, 5); /* The release. */
    assert_int_equal(count(bench, 1, SAI_PORT_STAT_PFC_3_TX_PKTS), 5);
    assert_int_equal(bench->ops->storm_sent(bench->sw, 1),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
}

static void
test_wires_end_when_nobody_listens_any_more(void **state)
{
    struct asic_setup *bench = begin(state);

    bring_up(bench, 0);
    bring_up(bench, 1);
    send(0, LENGTH, 1);
    front->listen(NULL);
    assert_int_equal(heard.n_removed, bench->n_ports);
    front->run(10 * FRAME_PS);
    assert_int_equal(heard.n_left, 0);
    assert_int_equal(front->waiting(0), 0);
    front->listen(&all);
    assert_int_equal(bench->switch_api->remove_switch(bench->sw),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(front->now_ps(), 0);
    assert_true(front->next_ps() == INT64_MAX);
    front->run(FRAME_PS); /* Of no switch: nothing happens. */
    arrive();
    assert_int_equal(bench->switch_api->create_switch(
                         &bench->sw, 1,
                         &(sai_attribute_t){SAI_SWITCH_ATTR_INIT_SWITCH,
                                            {.booldata = true}}),
                     SAI_STATUS_SUCCESS);
}

static void
set_switch(struct asic_setup *bench, sai_attr_id_t id, bool on)
{
    const sai_attribute_t attribute = {id, {.booldata = on}};

    assert_int_equal(
        bench->switch_api->set_switch_attribute(bench->sw, &attribute),
        SAI_STATUS_SUCCESS);
}

/* Removes the switch, and shows that frames pass all the same. */
static void
leave_and_forward(struct asic_setup *bench)
{
    sai_attribute_t attribute = {.id = SAI_PORT_ATTR_OPER_STATUS};

    bring_up(bench, 0);
    bring_up(bench, 1);
    assert_int_equal(bench->switch_api->remove_switch(bench->sw),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(
        bench->port_api->get_port_attribute(bench->ports[0], 1, &attribute),
        SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(heard.n_removed, 0);
    reported.n = 0;
    send(0, LENGTH, 5);
    front->run(2 * FRAME_PS);
    assert_int_equal(heard.n_left, 1);
    assert_int_equal(heard.numbers[0], 5);
    /* A listener that has left is not called. */
    front->link(1, false);
    front->link(1, true);
    assert_int_equal(reported.n, 0);
}

static void
create_again(struct asic_setup *bench)
{
    static const sai_attribute_t attributes[] = {
        {SAI_SWITCH_ATTR_INIT_SWITCH, {.booldata = true}},
        {SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
         {.ptr = (void *)(uintptr_t)on_port_state}},
    };

    assert_int_equal(
        bench->switch_api->create_switch(&bench->sw, N(attributes), attributes),
        SAI_STATUS_SUCCESS);
}

static void
test_a_warm_restart_keeps_everything(void **state)
{
    struct asic_setup *bench = begin(state);
    const sai_object_id_t sw = bench->sw;
    sai_attribute_t warm = {.id = SAI_SWITCH_ATTR_RESTART_WARM};
    sai_stat_id_t id = SAI_PORT_STAT_IF_IN_UCAST_PKTS;
    uint64_t n;

    set_switch(bench, SAI_SWITCH_ATTR_RESTART_WARM, true);
    leave_and_forward(bench);
    create_again(bench);
    assert_int_equal(bench->sw, sw);
    assert_int_equal(oper_status(bench, 0), SAI_PORT_OPER_STATUS_UP);
    assert_int_equal(
        bench->port_api->get_port_stats(bench->ports[0], 1, &id, &n),
        SAI_STATUS_SUCCESS);
    assert_int_equal(n, 1);
    /* The new host is called, and the next restart is cold again. */
    front->link(0, false);
    assert_int_equal(reported.n, 1);
    assert_int_equal(
        bench->switch_api->get_switch_attribute(bench->sw, 1, &warm),
        SAI_STATUS_SUCCESS);
    assert_false(warm.value.booldata);
    assert_int_equal(bench->switch_api->remove_switch(bench->sw),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n_removed, bench->n_ports);
    create_again(bench);
}

static void
test_a_fast_restart_forwards_until_it_begins_from_nothing(void **state)
{
    struct asic_setup *bench = begin(state);

    set_switch(bench, SAI_SWITCH_ATTR_UNINIT_DATA_PLANE_ON_REMOVAL, false);
    leave_and_forward(bench);
    create_again(bench);
    assert_int_equal(heard.n_removed, bench->n_ports);
    assert_int_equal(front->now_ps(), 0);
    assert_int_equal(oper_status(bench, 0), SAI_PORT_OPER_STATUS_DOWN);
    assert_false(heard.wires[0].admin_up);
}

/* Hosts --------------------------------------------------------------- */

/* Gives the port in slot 0 a host interface that has no carrier. */
static sai_status_t
make_host(const struct asic_setup *bench, sai_object_id_t *oid)
{
    const sai_attribute_t attributes[] = {
        {SAI_HOSTIF_ATTR_TYPE, {.s32 = SAI_HOSTIF_TYPE_NETDEV}},
        {SAI_HOSTIF_ATTR_OBJ_ID, {.oid = heard.wires[0].port}},
        {SAI_HOSTIF_ATTR_NAME, {.chardata = "Router0"}},
        {SAI_HOSTIF_ATTR_OPER_STATUS, {.booldata = false}},
    };

    return bench->hostif_api->create_hostif(oid, bench->sw, N(attributes),
                                            attributes);
}

/* Leads what is trapped, of which ARP is, to network devices. */
static void
lead_to_hosts(const struct asic_setup *bench)
{
    const sai_attribute_t entry[] = {
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_TYPE_WILDCARD}},
        {SAI_HOSTIF_TABLE_ENTRY_ATTR_CHANNEL_TYPE,
         {.s32 = SAI_HOSTIF_TABLE_ENTRY_CHANNEL_TYPE_NETDEV_PHYSICAL_PORT}},
    };
    sai_object_id_t oid;

    assert_int_equal(bench->hostif_api->create_hostif_table_entry(
                         &oid, bench->sw, N(entry), entry),
                     SAI_STATUS_SUCCESS);
}

static void
trap_arp(const struct asic_setup *bench)
{
    const sai_attribute_t trap[] = {
        {SAI_HOSTIF_TRAP_ATTR_TRAP_TYPE,
         {.s32 = SAI_HOSTIF_TRAP_TYPE_ARP_REQUEST}},
        {SAI_HOSTIF_TRAP_ATTR_PACKET_ACTION, {.s32 = SAI_PACKET_ACTION_TRAP}},
    };
    sai_object_id_t oid;

    assert_int_equal(
        bench->hostif_api->create_hostif_trap(&oid, bench->sw, N(trap), trap),
        SAI_STATUS_SUCCESS);
}

/* Lets an ARP request in VLAN 1 (0: without a tag) arrive at slot 0. */
static void
send_arp(bool has_tag)
{
    static const uint8_t arp[] = {0x08, 0x06, 0, 1, 8, 0, 6, 4, 0, 1};
    static const uint8_t tag[] = {0x81, 0, 0, 1};
    uint8_t bytes[64];

    memset(bytes, 0, sizeof bytes);
    memset(bytes, 0xff, 6);
    memcpy(bytes + 6, "\2\0\0\0\0\1", 6);
    memcpy(bytes + 12, tag, sizeof tag);
    memcpy(bytes + (has_tag ? 16 : 12), arp, sizeof arp);
    front->send(0, bytes, sizeof bytes);
    arrive();
}

static void
test_a_host_gets_what_is_trapped_at_its_port(void **state)
{
    static const uint8_t mac[6] = {0};
    struct asic_setup *bench = begin(state);
    sai_attribute_t up = {SAI_HOSTIF_ATTR_OPER_STATUS, {.booldata = true}};
    sai_object_id_t oid, second;

    bring_up(bench, 0);
    assert_int_equal(make_host(bench, &oid), SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n_hosts, 1);
    assert_int_equal(heard.host.slot, 0);
    assert_string_equal(heard.host_name, "Router0");
    assert_memory_not_equal(heard.host.mac, mac, 6);
    assert_false(heard.host.up);
    assert_int_equal(make_host(bench, &second), SAI_STATUS_ITEM_ALREADY_EXISTS);
    assert_int_equal(bench->hostif_api->set_hostif_attribute(oid, &up),
                     SAI_STATUS_SUCCESS);
    assert_true(heard.host.up);
    /* Not before it is trapped, and the table leads there. */
    send_arp(false);
    trap_arp(bench);
    send_arp(false);
    assert_int_equal(heard.n_to_host, 0);
    lead_to_hosts(bench);
    send_arp(false);
    assert_int_equal(heard.n_to_host, 1);
    assert_memory_equal(heard.host_bytes + 6, "\2\0\0\0\0\1\x08\x06", 8);
    memset(heard.host_bytes, 0, sizeof heard.host_bytes);
    send_arp(true); /* Its tag is taken out. */
    assert_int_equal(heard.n_to_host, 2);
    assert_memory_equal(heard.host_bytes + 6, "\2\0\0\0\0\1\x08\x06", 8);
    assert_int_equal(bench->hostif_api->remove_hostif(oid), SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n_hosts_removed, 1);
    send_arp(false);
    assert_int_equal(heard.n_to_host, 2);
}

static void
test_what_a_host_sends_goes_before_all_queues(void **state)
{
    enum { WAITING = 3 };
    struct asic_setup *bench = begin(state);
    sai_stat_id_t ids[] = {SAI_PORT_STAT_IF_OUT_UCAST_PKTS};
    uint8_t bytes[LENGTH] = {0x02, 0, 0, 0, 0, 0x99, 0x02, 0, 0, 0, 0, 0x02};
    sai_object_id_t oid;
    uint64_t n;

    bring_up(bench, 0);
    bring_up(bench, 1);
    front->from_hostif(0, bytes, LENGTH); /* There is no host yet. */
    assert_int_equal(make_host(bench, &oid), SAI_STATUS_SUCCESS);
    asic_setup_port_bool(bench, heard.wires[0].port,
                         SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    for (uint8_t i = 0; i < WAITING; i++) {
        send(1, LENGTH, i);
    }
    arrive();
    asic_setup_port_bool(bench, heard.wires[0].port,
                         SAI_PORT_ATTR_PKT_TX_ENABLE,
                         true); /* The first of them is on its way out. */
    bytes[LENGTH - 1] = 100;
    front->from_hostif(0, bytes, LENGTH);
    front->from_hostif(0, bytes, 13); /* No frame. */
    front->run(20 * FRAME_PS);
    assert_int_equal(heard.n_left, WAITING + 1);
    assert_int_equal(heard.numbers[0], 0);
    assert_int_equal(heard.numbers[1], 100);
    assert_int_equal(heard.numbers[2], 1);
    assert_int_equal(
        bench->port_api->get_port_stats(heard.wires[0].port, 1, ids, &n),
        SAI_STATUS_SUCCESS);
    assert_int_equal(n, WAITING + 1);
    /* A port that is down sends nothing, and nothing stays for later. */
    asic_setup_port_bool(bench, heard.wires[0].port, SAI_PORT_ATTR_ADMIN_STATE,
                         false);
    front->from_hostif(0, bytes, LENGTH);
    asic_setup_port_bool(bench, heard.wires[0].port, SAI_PORT_ATTR_ADMIN_STATE,
                         true);
    front->run(40 * FRAME_PS);
    assert_int_equal(heard.n_left, WAITING + 1);
}

static void
test_no_more_waits_of_a_host_than_may(void **state)
{
    enum { MANY = 100, MAY = 64 };
    struct asic_setup *bench = begin(state);
    uint8_t bytes[LENGTH] = {0x02, 0, 0, 0, 0, 0x99, 0x02, 0, 0, 0, 0, 0x02};
    sai_object_id_t oid;

    bring_up(bench, 0);
    assert_int_equal(make_host(bench, &oid), SAI_STATUS_SUCCESS);
    for (uint8_t i = 0; i < MANY; i++) {
        bytes[LENGTH - 1] = i;
        front->from_hostif(0, bytes, LENGTH);
    }
    front->run(2 * MANY * FRAME_PS);
    assert_int_equal(heard.n_left, MAY + 1); /* One was on its way out. */
    assert_int_equal(heard.numbers[MAY], MAY);
}

static void
test_the_chip_is_known_before_the_switch(void **state)
{
    struct softasic_choice choice;

    (void)state;
    assert_int_equal(front->choose(&choice), SAI_STATUS_SUCCESS);
    assert_string_equal(choice.name, "td2");
    assert_string_equal(choice.reason, "");
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_every_port_is_described_as_sai_does),
        TEST(test_a_port_is_up_if_it_may_be_and_its_link_is),
        TEST(test_a_frame_takes_its_time_on_both_wires),
        TEST(test_a_batch_arrives_one_by_one_and_in_order),
        TEST(test_all_arrive_before_a_change),
        TEST(test_what_is_no_frame_is_ignored),
        TEST(test_a_port_with_a_wire_has_no_simulated_peer),
        TEST(test_a_storm_arrives_beside_what_the_wire_brings),
        TEST(test_a_port_sends_a_storm_over_its_wire),
        TEST(test_wires_end_when_nobody_listens_any_more),
        TEST(test_a_warm_restart_keeps_everything),
        TEST(test_a_host_gets_what_is_trapped_at_its_port),
        TEST(test_what_a_host_sends_goes_before_all_queues),
        TEST(test_no_more_waits_of_a_host_than_may),
        TEST(test_the_chip_is_known_before_the_switch),
        TEST(test_a_fast_restart_forwards_until_it_begins_from_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
