/* SPDX-License-Identifier: Apache-2.0 */

/* Bridging through SAI: VLANs, members, the forwarding database, and whole
 * frames in and out. */

#include <config.h>

#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"
#include "tests/support/testhost.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/state.h"

enum { PORTS = 3, FRAME = 64, TAG = 4 };
#define PS_PER_S INT64_C(1000000000000)

static const sai_mac_t alice = {0x02, 0, 0, 0, 0, 0xa};
static const sai_mac_t bob = {0x02, 0, 0, 0, 0, 0xb};
static const sai_mac_t nobody = {0x02, 0, 0, 0, 0, 0xff};
static const sai_mac_t group = {0x01, 0, 0x5e, 0, 0, 1};

/* Events of the forwarding database; callbacks have no context. */
static struct {
    uint32_t n;
    sai_fdb_event_t events[16];
    sai_fdb_entry_t keys[16];
    sai_object_id_t bridge_ports[16];
} heard;

static void
on_fdb(uint32_t count, const sai_fdb_event_notification_data_t *data)
{
    for (uint32_t i = 0; i < count && heard.n < N(heard.events); i++) {
        heard.events[heard.n] = data[i].event_type;
        heard.keys[heard.n] = data[i].fdb_entry;
        for (uint32_t a = 0; a < data[i].attr_count; a++) {
            if (data[i].attr[a].id == SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID) {
                heard.bridge_ports[heard.n] = data[i].attr[a].value.oid;
            }
        }
        __atomic_store_n(&heard.n, heard.n + 1, __ATOMIC_RELEASE);
    }
}

/* Returns how many events were reported. */
static uint32_t
reported(void)
{
    return __atomic_load_n(&heard.n, __ATOMIC_ACQUIRE);
}

struct fixture {
    struct asic_setup *bench;
    sai_object_id_t vlan;
    sai_object_id_t ports[PORTS];
    sai_object_id_t bridge_ports[PORTS];
};

static sai_object_id_t
switch_oid(struct asic_setup *bench, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    assert_int_equal(
        bench->switch_api->get_switch_attribute(bench->sw, 1, &attribute),
        SAI_STATUS_SUCCESS);
    return attribute.value.oid;
}

/* Returns the bridge port of 'port', null if there is none. */
static sai_object_id_t
find_bridge_port(struct asic_setup *bench, sai_object_id_t port)
{
    sai_object_id_t oids[ASICRIG_MAX_PORTS];
    sai_attribute_t list = {SAI_BRIDGE_ATTR_PORT_LIST,
                            {.objlist = {ASICRIG_MAX_PORTS, oids}}};

    assert_int_equal(
        bench->bridge_api->get_bridge_attribute(
            switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID), 1, &list),
        SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < list.value.objlist.count; i++) {
        sai_attribute_t of = {.id = SAI_BRIDGE_PORT_ATTR_PORT_ID};

        assert_int_equal(
            bench->bridge_api->get_bridge_port_attribute(oids[i], 1, &of),
            SAI_STATUS_SUCCESS);
        if (of.value.oid == port) {
            return oids[i];
        }
    }
    return SAI_NULL_OBJECT_ID;
}

static void
use(struct fixture *f, struct asic_setup *bench)
{
    const sai_attribute_t listen = {SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY,
                                    {.ptr = (void *)(uintptr_t)on_fdb}};

    memset(&heard, 0, sizeof heard);
    f->bench = bench;
    f->vlan = switch_oid(bench, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
    assert_int_equal(
        bench->switch_api->set_switch_attribute(bench->sw, &listen),
        SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < PORTS; i++) {
        f->ports[i] = asic_setup_add_port(bench, 1000 + i);
        f->bridge_ports[i] = find_bridge_port(bench, f->ports[i]);
        asic_setup_port_bool(bench, f->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
        assert_int_equal(bench->ops->capture(f->ports[i], true),
                         SAI_STATUS_SUCCESS);
    }
}

/* Sends a frame; 'vlan' is its tag, 0: none. */
static void
inject(struct fixture *f, uint32_t port, const sai_mac_t src,
       const sai_mac_t dst, uint16_t vlan)
{
    uint8_t bytes[FRAME + TAG];
    uint32_t n = 12;

    memset(bytes, 0x5a, sizeof bytes);
    memcpy(bytes, dst, 6);
    memcpy(bytes + 6, src, 6);
    if (vlan) {
        bytes[n++] = 0x81;
        bytes[n++] = 0x00;
        bytes[n++] = (uint8_t)(vlan >> 8);
        bytes[n++] = (uint8_t)vlan;
    }
    bytes[n] = 0x88; /* A type of experiments. */
    bytes[n + 1] = 0xb5;
    assert_int_equal(f->bench->ops->inject(f->ports[port],
                                           vlan ? FRAME + TAG : FRAME, bytes),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f->bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
}

/* Returns the length of the next frame that left 'port', 0 if none; '*vlan' is
 * its tag. */
static uint32_t
captured(struct fixture *f, uint32_t port, uint16_t *vlan)
{
    uint8_t bytes[2 * FRAME] = {0};
    uint32_t n = sizeof bytes;
    uint32_t at = 12;

    assert_int_equal(f->bench->ops->captured(f->ports[port], &n, bytes),
                     SAI_STATUS_SUCCESS);
    *vlan = 0;
    if (n && bytes[12] == 0x81 && bytes[13] == 0) {
        *vlan = (uint16_t)(bytes[14] << 8 | bytes[15]);
        at += TAG;
    }
    if (n) {
        assert_int_equal(bytes[at], 0x88);
        assert_int_equal(bytes[at + 1], 0xb5);
        assert_int_equal(bytes[n - 1], 0x5a);
    }
    return n;
}

/* Compares which ports a frame has left by (a bit per port), untagged. */
static void
expect_out(struct fixture *f, unsigned int mask)
{
    for (uint32_t i = 0; i < PORTS; i++) {
        uint16_t vlan;

        assert_int_equal(captured(f, i, &vlan), mask >> i & 1 ? FRAME : 0);
        assert_int_equal(vlan, 0);
        assert_int_equal(captured(f, i, &vlan), 0);
    }
}

/* Reads counters of any object. */
static void
read_stats(struct fixture *f, sai_object_type_t type, sai_object_id_t oid,
           uint32_t n, const sai_stat_id_t *ids, uint64_t *values)
{
    const sai_object_key_t which = {.key.object_id = oid};
    sai_status_t status;

    assert_int_equal(sai_bulk_object_get_stats(f->bench->sw, type, 1, &which, n,
                                               ids, SAI_STATS_MODE_BULK_READ,
                                               &status, values),
                     SAI_STATUS_SUCCESS);
}

static sai_fdb_entry_t
key(const struct fixture *f, const sai_mac_t mac)
{
    sai_fdb_entry_t entry = {.switch_id = f->bench->sw, .bv_id = f->vlan};

    memcpy(entry.mac_address, mac, sizeof entry.mac_address);
    return entry;
}

static sai_status_t
make_static(struct fixture *f, const sai_mac_t mac, sai_object_id_t port,
            int32_t action)
{
    const sai_fdb_entry_t entry = key(f, mac);
    const sai_attribute_t attributes[] = {
        {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}},
        {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID, {.oid = port}},
        {SAI_FDB_ENTRY_ATTR_PACKET_ACTION, {.s32 = action}},
    };

    return f->bench->fdb_api->create_fdb_entry(&entry, 3, attributes);
}

/* Bridging --------------------------------------------------------------- */

static void
test_vlan_1_has_every_port(void **state)
{
    struct fixture f;
    sai_object_id_t oids[ASICRIG_MAX_PORTS];
    sai_attribute_t attributes[] = {
        {.id = SAI_VLAN_ATTR_VLAN_ID},
        {SAI_VLAN_ATTR_MEMBER_LIST, {.objlist = {ASICRIG_MAX_PORTS, oids}}},
    };

    use(&f, *state);
    assert_int_equal(
        f.bench->vlan_api->get_vlan_attribute(f.vlan, 2, attributes),
        SAI_STATUS_SUCCESS);
    assert_int_equal(attributes[0].value.u16, 1);
    assert_int_equal(attributes[1].value.objlist.count,
                     f.bench->n_ports + PORTS);
    for (uint32_t i = 0; i < PORTS; i++) {
        assert_int_not_equal(f.bridge_ports[i], SAI_NULL_OBJECT_ID);
        assert_int_equal(sai_object_type_query(f.bridge_ports[i]),
                         SAI_OBJECT_TYPE_BRIDGE_PORT);
    }
    assert_int_equal(f.bench->vlan_api->remove_vlan(f.vlan),
                     SAI_STATUS_NOT_SUPPORTED);
}

static void
test_sources_are_learned_and_reported(void **state)
{
    struct fixture f;
    const sai_attribute_t none[1] = {{0}};

    if (testhost_wanted()) {
        skip(); /* Reported at once only in the process. */
    }
    use(&f, *state);
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x6); /* Unknown: flooded. */
    inject(&f, 1, bob, alice, 0);
    expect_out(&f, 0x1);
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x2);
    inject(&f, 0, alice, group, 0);
    expect_out(&f, 0x6);
    assert_int_equal(heard.n, 2);
    assert_int_equal(heard.events[0], SAI_FDB_EVENT_LEARNED);
    assert_memory_equal(heard.keys[0].mac_address, alice, 6);
    assert_int_equal(heard.keys[0].bv_id, f.vlan);
    assert_int_equal(heard.bridge_ports[0], f.bridge_ports[0]);
    assert_int_equal(heard.bridge_ports[1], f.bridge_ports[1]);

    inject(&f, 2, alice, bob, 0);
    expect_out(&f, 0x2);
    assert_int_equal(heard.n, 3);
    assert_int_equal(heard.events[2], SAI_FDB_EVENT_MOVE);
    assert_int_equal(heard.bridge_ports[2], f.bridge_ports[2]);

    assert_int_equal(f.bench->fdb_api->flush_fdb_entries(f.bench->sw, 0, none),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n, 5);
    assert_int_equal(heard.events[3], SAI_FDB_EVENT_FLUSHED);
    inject(&f, 0, nobody, bob, 0);
    expect_out(&f, 0x6);
}

static void
test_learning_can_be_off(void **state)
{
    struct fixture f;
    const sai_attribute_t port = {
        SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE,
        {.s32 = SAI_BRIDGE_PORT_FDB_LEARNING_MODE_DISABLE}};
    const sai_attribute_t trap = {
        SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE,
        {.s32 = SAI_BRIDGE_PORT_FDB_LEARNING_MODE_CPU_TRAP}};
    const sai_attribute_t vlan = {SAI_VLAN_ATTR_LEARN_DISABLE,
                                  {.booldata = true}};

    use(&f, *state);
    assert_int_equal(f.bench->bridge_api->set_bridge_port_attribute(
                         f.bridge_ports[0], &port),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(f.bench->bridge_api->set_bridge_port_attribute(
                         f.bridge_ports[0], &trap),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    inject(&f, 0, alice, bob, 0);
    assert_int_equal(heard.n, 0);
    assert_int_equal(f.bench->vlan_api->set_vlan_attribute(f.vlan, &vlan),
                     SAI_STATUS_SUCCESS);
    inject(&f, 1, alice, bob, 0);
    assert_int_equal(heard.n, 0);
}

static void
test_static_entries_rule(void **state)
{
    struct fixture f;
    sai_attribute_t got[] = {
        {.id = SAI_FDB_ENTRY_ATTR_TYPE},
        {.id = SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID},
        {.id = SAI_FDB_ENTRY_ATTR_PACKET_ACTION},
        {.id = SAI_FDB_ENTRY_ATTR_META_DATA},
    };
    sai_fdb_entry_t entry;
    uint32_t n = 0;

    use(&f, *state);
    assert_int_equal(
        make_static(&f, bob, f.bridge_ports[2], SAI_PACKET_ACTION_FORWARD),
        SAI_STATUS_SUCCESS);
    assert_int_equal(
        make_static(&f, nobody, SAI_NULL_OBJECT_ID, SAI_PACKET_ACTION_DROP),
        SAI_STATUS_SUCCESS);
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x4);
    inject(&f, 0, alice, nobody, 0);
    expect_out(&f, 0x0);
    /* Seen elsewhere, it stays where it was put. */
    inject(&f, 1, bob, alice, 0);
    expect_out(&f, 0x1);
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x4);

    entry = key(&f, bob);
    assert_int_equal(
        f.bench->fdb_api->get_fdb_entry_attribute(&entry, N(got), got),
        SAI_STATUS_SUCCESS);
    assert_int_equal(got[0].value.s32, SAI_FDB_ENTRY_TYPE_STATIC);
    assert_int_equal(got[1].value.oid, f.bridge_ports[2]);
    assert_int_equal(got[2].value.s32, SAI_PACKET_ACTION_FORWARD);
    assert_int_equal(got[3].value.u32, 0);
    assert_int_equal(
        sai_get_object_count(f.bench->sw, SAI_OBJECT_TYPE_FDB_ENTRY, &n),
        SAI_STATUS_SUCCESS);
    assert_int_equal(n, 3);
    assert_int_equal(f.bench->fdb_api->remove_fdb_entry(&entry),
                     SAI_STATUS_SUCCESS);
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x6);
}

static void
test_tags_follow_the_membership(void **state)
{
    struct fixture f;
    const sai_attribute_t number = {SAI_VLAN_ATTR_VLAN_ID, {.u16 = 20}};
    sai_object_id_t vlan = 0;
    sai_object_id_t members[2];
    uint16_t tag;

    use(&f, *state);
    assert_int_equal(
        f.bench->vlan_api->create_vlan(&vlan, f.bench->sw, 1, &number),
        SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < 2; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = vlan}},
            {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {.oid = f.bridge_ports[i]}},
            {SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE,
             {.s32 = i == 0 ? SAI_VLAN_TAGGING_MODE_TAGGED
                            : SAI_VLAN_TAGGING_MODE_UNTAGGED}},
        };

        assert_int_equal(f.bench->vlan_api->create_vlan_member(
                             &members[i], f.bench->sw, 3, attributes),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(f.bench->vlan_api->create_vlan_member(
                             &members[i], f.bench->sw, 3, attributes),
                         SAI_STATUS_ITEM_ALREADY_EXISTS);
    }
    /* In with a tag, out without. */
    inject(&f, 0, alice, group, 20);
    expect_out(&f, 0x2);
    /* In without one, by the VLAN of the port, out with a tag. */
    assert_int_equal(
        f.bench->port_api->set_port_attribute(
            f.ports[1],
            &(sai_attribute_t){SAI_PORT_ATTR_PORT_VLAN_ID, {.u16 = 20}}),
        SAI_STATUS_SUCCESS);
    inject(&f, 1, bob, alice, 0);
    assert_int_equal(captured(&f, 0, &tag), FRAME + TAG);
    assert_int_equal(tag, 20);
    expect_out(&f, 0x0);
    /* A VLAN that does not exist. */
    inject(&f, 0, alice, group, 21);
    expect_out(&f, 0x0);

    assert_int_equal(f.bench->vlan_api->remove_vlan(vlan),
                     SAI_STATUS_OBJECT_IN_USE);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(f.bench->vlan_api->remove_vlan_member(members[i]),
                         SAI_STATUS_SUCCESS);
    }
    assert_int_equal(f.bench->vlan_api->remove_vlan(vlan), SAI_STATUS_SUCCESS);
    inject(&f, 0, alice, group, 20);
    expect_out(&f, 0x0);
}

/* From another process it is reported some time later, by another thread. */
static void
assert_reported(uint32_t n)
{
    for (int tries = 0; testhost_wanted() && reported() < n; tries++) {
        assert_true(tries < 30 * 100);
        (void)poll(NULL, 0, 10);
    }
    assert_int_equal(reported(), n);
}

/* What a network operating system does at start: it takes all ports out of the
 * bridge, and puts in again those that it wants there. */
static void
test_ports_leave_and_join_the_bridge(void **state)
{
    struct fixture f;
    sai_object_id_t oids[ASICRIG_MAX_PORTS];
    sai_attribute_t list = {SAI_VLAN_ATTR_MEMBER_LIST,
                            {.objlist = {ASICRIG_MAX_PORTS, oids}}};
    const sai_stat_id_t counter = SAI_BRIDGE_PORT_STAT_IN_PACKETS;
    sai_object_id_t made = 0;
    uint64_t n;

    use(&f, *state);
    inject(&f, 0, nobody, bob, 0);
    inject(&f, 1, nobody, bob, 0);
    for (uint32_t i = 0; i < PORTS; i++) { /* Forget these. */
        assert_int_equal(f.bench->ops->capture(f.ports[i], true),
                         SAI_STATUS_SUCCESS);
    }
    assert_reported(2);
    memset(&heard, 0, sizeof heard);
    assert_int_equal(f.bench->bridge_api->remove_bridge_port(f.bridge_ports[0]),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(f.bench->vlan_api->get_vlan_attribute(f.vlan, 1, &list),
                     SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < list.value.objlist.count; i++) {
        assert_int_equal(f.bench->vlan_api->remove_vlan_member(oids[i]),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(f.bench->vlan_api->remove_vlan_member(oids[i]),
                         SAI_STATUS_INVALID_OBJECT_ID);
    }
    for (uint32_t i = 0; i < PORTS; i++) {
        assert_int_equal(
            f.bench->bridge_api->remove_bridge_port(f.bridge_ports[i]),
            SAI_STATUS_SUCCESS);
        assert_int_equal(find_bridge_port(f.bench, f.ports[i]),
                         SAI_NULL_OBJECT_ID);
    }
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x0);
    assert_reported(0);

    for (uint32_t i = 0; i < 2; i++) {
        const sai_attribute_t attributes[] = {
            {SAI_BRIDGE_PORT_ATTR_TYPE, {.s32 = SAI_BRIDGE_PORT_TYPE_PORT}},
            {SAI_BRIDGE_PORT_ATTR_PORT_ID, {.oid = f.ports[i]}},
            {SAI_BRIDGE_PORT_ATTR_ADMIN_STATE, {.booldata = true}},
        };
        const sai_attribute_t member[] = {
            {SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = f.vlan}},
            {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID, {.oid = 0}},
        };
        sai_attribute_t of[2] = {member[0], member[1]};

        assert_int_equal(f.bench->bridge_api->create_bridge_port(
                             &made, f.bench->sw, 3, attributes),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(f.bench->bridge_api->create_bridge_port(
                             &oids[0], f.bench->sw, 3, attributes),
                         SAI_STATUS_ITEM_ALREADY_EXISTS);
        /* What its predecessor has counted is not its own. */
        read_stats(&f, SAI_OBJECT_TYPE_BRIDGE_PORT, made, 1, &counter, &n);
        assert_int_equal(n, 0);
        of[1].value.oid = made;
        assert_int_equal(
            f.bench->vlan_api->create_vlan_member(&oids[0], f.bench->sw, 2, of),
            SAI_STATUS_SUCCESS);
    }
    inject(&f, 0, alice, bob, 0);
    expect_out(&f, 0x2);
    assert_reported(1);
    assert_int_equal(f.bench->port_api->remove_port(f.ports[1]),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(asic_setup_remove_port(f.bench->sw, f.ports[2]),
                     SAI_STATUS_SUCCESS);
}

/* Codes ------------------------------------------------------------------ */

static void
test_entries_get_exact_codes(void **state)
{
    struct fixture f;
    const sai_attribute_t type = {SAI_FDB_ENTRY_ATTR_TYPE,
                                  {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}};
    sai_fdb_entry_t entry;
    sai_attribute_t got = {.id = SAI_FDB_ENTRY_ATTR_TYPE};

    use(&f, *state);
    entry = key(&f, bob);
    assert_int_equal(f.bench->fdb_api->create_fdb_entry(NULL, 1, &type),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(f.bench->fdb_api->create_fdb_entry(&entry, 0, NULL),
                     SAI_STATUS_MANDATORY_ATTRIBUTE_MISSING);
    assert_int_equal(f.bench->fdb_api->remove_fdb_entry(&entry),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(f.bench->fdb_api->set_fdb_entry_attribute(&entry, &type),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(f.bench->fdb_api->get_fdb_entry_attribute(&entry, 1, &got),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(
        make_static(&f, bob, f.ports[0], SAI_PACKET_ACTION_FORWARD),
        SAI_STATUS_INVALID_ATTR_VALUE_0 - 1);
    assert_int_equal(
        make_static(&f, bob, f.bridge_ports[0], SAI_PACKET_ACTION_TRAP),
        SAI_STATUS_ATTR_NOT_SUPPORTED_0 - 2);
    assert_int_equal(
        make_static(&f, group, f.bridge_ports[0], SAI_PACKET_ACTION_FORWARD),
        SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(
        make_static(&f, bob, f.bridge_ports[0], SAI_PACKET_ACTION_FORWARD),
        SAI_STATUS_SUCCESS);
    assert_int_equal(
        make_static(&f, bob, f.bridge_ports[1], SAI_PACKET_ACTION_FORWARD),
        SAI_STATUS_ITEM_ALREADY_EXISTS);
    entry.bv_id = f.ports[0];
    assert_int_equal(f.bench->fdb_api->remove_fdb_entry(&entry),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
    entry.bv_id = 0;
    assert_int_equal(f.bench->fdb_api->remove_fdb_entry(&entry),
                     SAI_STATUS_INVALID_OBJECT_ID);
    entry = key(&f, bob);
    entry.switch_id = f.vlan;
    assert_int_equal(f.bench->fdb_api->remove_fdb_entry(&entry),
                     SAI_STATUS_INVALID_OBJECT_ID);
    assert_int_equal(f.bench->fdb_api->flush_fdb_entries(f.vlan, 0, NULL),
                     SAI_STATUS_INVALID_OBJECT_ID);
}

/* What is refused is not said to be possible. */
static void
test_capabilities_are_true(void **state)
{
    struct fixture f;
    sai_attr_capability_t said;
    int32_t values[16];
    sai_s32_list_t list = {N(values), values};

    use(&f, *state);
    assert_int_equal(sai_query_attribute_capability(
                         f.bench->sw, SAI_OBJECT_TYPE_VLAN,
                         SAI_VLAN_ATTR_MAX_LEARNED_ADDRESSES, &said),
                     SAI_STATUS_SUCCESS);
    assert_false(said.create_implemented || said.set_implemented);
    assert_true(said.get_implemented);
    assert_int_equal(
        sai_query_attribute_capability(f.bench->sw, SAI_OBJECT_TYPE_VLAN,
                                       SAI_VLAN_ATTR_LEARN_DISABLE, &said),
        SAI_STATUS_SUCCESS);
    assert_true(said.create_implemented && said.set_implemented);
    assert_int_equal(sai_query_attribute_capability(
                         f.bench->sw, SAI_OBJECT_TYPE_NEXT_HOP_GROUP_MAP,
                         SAI_NEXT_HOP_GROUP_MAP_ATTR_TYPE, &said),
                     SAI_STATUS_SUCCESS);
    assert_false(said.create_implemented || said.set_implemented ||
                 said.get_implemented);
    assert_int_equal(sai_query_attribute_enum_values_capability(
                         f.bench->sw, SAI_OBJECT_TYPE_BRIDGE_PORT,
                         SAI_BRIDGE_PORT_ATTR_FDB_LEARNING_MODE, &list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(list.count, 2);
}

static void
test_bulk_entries(void **state)
{
    struct fixture f;
    const sai_attribute_t type = {SAI_FDB_ENTRY_ATTR_TYPE,
                                  {.s32 = SAI_FDB_ENTRY_TYPE_STATIC}};
    const sai_attribute_t *lists[] = {&type, &type, &type};
    const uint32_t counts[] = {1, 1, 1};
    sai_fdb_entry_t entries[3];
    sai_status_t statuses[3];

    use(&f, *state);
    entries[0] = key(&f, alice);
    entries[1] = key(&f, group);
    entries[2] = key(&f, bob);
    assert_int_equal(f.bench->fdb_api->create_fdb_entries(
                         3, entries, counts, lists,
                         SAI_BULK_OP_ERROR_MODE_STOP_ON_ERROR, statuses),
                     SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[1], SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(statuses[2], SAI_STATUS_NOT_EXECUTED);
    assert_int_equal(
        f.bench->fdb_api->remove_fdb_entries(
            3, entries, SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR, statuses),
        SAI_STATUS_FAILURE);
    assert_int_equal(statuses[0], SAI_STATUS_SUCCESS);
    assert_int_equal(statuses[2], SAI_STATUS_ITEM_NOT_FOUND);
}

/* Chance ----------------------------------------------------------------- */

/* Whatever is called in whatever order: nothing dangles, the buffer adds up,
 * and when all is taken down again nothing is left. */
struct chaos {
    struct asic_setup *bench;
    uint32_t seed;
    sai_object_id_t vlan;
    sai_object_id_t ports[PORTS];
    sai_object_id_t vlans[3];
    sai_object_id_t members[8];
    sai_object_id_t groups[4];
};

static uint32_t
roll(struct chaos *c, uint32_t n)
{
    c->seed = c->seed * 1664525 + 1013904223;
    return (c->seed >> 8) % n;
}

static sai_object_id_t
some_vlan(struct chaos *c)
{
    const sai_object_id_t vlan = c->vlans[roll(c, N(c->vlans))];

    return vlan ? vlan : c->vlan;
}

/* Forgets the members of the default VLAN that went with a port. */
static void
forget_removed_members(struct chaos *c)
{
    for (uint32_t i = 0; i < N(c->members); i++) {
        if (sai_object_type_query(c->members[i]) == SAI_OBJECT_TYPE_NULL) {
            c->members[i] = SAI_NULL_OBJECT_ID;
        }
    }
}

static void
chaos_port(struct chaos *c)
{
    const uint32_t i = roll(c, PORTS);
    const sai_attribute_t vlan = {SAI_PORT_ATTR_PORT_VLAN_ID,
                                  {.u16 = (sai_uint16_t)(1 + roll(c, 4))}};

    if (!c->ports[i]) {
        c->ports[i] = asic_setup_add_port(c->bench, 1000 + i);
        asic_setup_port_bool(c->bench, c->ports[i], SAI_PORT_ATTR_ADMIN_STATE,
                             true);
    } else if (roll(c, 3) == 0 &&
               asic_setup_remove_port(c->bench->sw, c->ports[i]) ==
                   SAI_STATUS_SUCCESS) {
        c->ports[i] = SAI_NULL_OBJECT_ID;
    } else if (c->ports[i]) {
        (void)c->bench->port_api->set_port_attribute(c->ports[i], &vlan);
    }
    forget_removed_members(c);
}

static void
chaos_vlan(struct chaos *c)
{
    const uint32_t i = roll(c, N(c->vlans));
    const sai_attribute_t number = {SAI_VLAN_ATTR_VLAN_ID,
                                    {.u16 = (sai_uint16_t)(2 + i)}};

    if (!c->vlans[i]) {
        assert_int_equal(c->bench->vlan_api->create_vlan(
                             &c->vlans[i], c->bench->sw, 1, &number),
                         SAI_STATUS_SUCCESS);
    } else if (c->bench->vlan_api->remove_vlan(c->vlans[i]) ==
               SAI_STATUS_SUCCESS) {
        c->vlans[i] = SAI_NULL_OBJECT_ID;
    }
}

static void
chaos_member(struct chaos *c)
{
    const uint32_t i = roll(c, N(c->members));
    const sai_attribute_t attributes[] = {
        {SAI_VLAN_MEMBER_ATTR_VLAN_ID, {.oid = some_vlan(c)}},
        {SAI_VLAN_MEMBER_ATTR_BRIDGE_PORT_ID,
         {.oid = find_bridge_port(c->bench, c->ports[roll(c, PORTS)])}},
        {SAI_VLAN_MEMBER_ATTR_VLAN_TAGGING_MODE, {.s32 = (int32_t)roll(c, 2)}},
    };

    if (!c->members[i]) {
        (void)c->bench->vlan_api->create_vlan_member(
            &c->members[i], c->bench->sw, 3, attributes);
    } else if (c->bench->vlan_api->remove_vlan_member(c->members[i]) ==
               SAI_STATUS_SUCCESS) {
        c->members[i] = SAI_NULL_OBJECT_ID;
    }
}

static void
chaos_group(struct chaos *c)
{
    const uint32_t i = roll(c, N(c->groups));
    const sai_object_id_t port = c->ports[roll(c, PORTS)];
    const sai_attribute_t attributes[] = {
        {SAI_SCHEDULER_GROUP_ATTR_PORT_ID, {.oid = port}},
        {SAI_SCHEDULER_GROUP_ATTR_LEVEL, {.u8 = 0}},
        {SAI_SCHEDULER_GROUP_ATTR_MAX_CHILDS, {.u8 = 2}},
        {SAI_SCHEDULER_GROUP_ATTR_PARENT_NODE, {.oid = port}},
    };
    sai_attribute_t parent = {
        SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE,
        {.oid = c->groups[i] && roll(c, 2) ? c->groups[i] : port}};

    if (!c->groups[i]) {
        (void)c->bench->group_api->create_scheduler_group(
            &c->groups[i], c->bench->sw, 4, attributes);
    } else if (port && roll(c, 3)) {
        (void)c->bench->queue_api->set_queue_attribute(
            asic_setup_child(c->bench, port, SAI_PORT_ATTR_QOS_QUEUE_LIST,
                             roll(c, 8)),
            &parent);
    } else if (c->bench->group_api->remove_scheduler_group(c->groups[i]) ==
               SAI_STATUS_SUCCESS) {
        c->groups[i] = SAI_NULL_OBJECT_ID;
    }
}

static void
chaos_entry(struct chaos *c)
{
    const sai_attribute_t attributes[] = {
        {SAI_FDB_ENTRY_ATTR_TYPE, {.s32 = (int32_t)roll(c, 2)}},
        {SAI_FDB_ENTRY_ATTR_BRIDGE_PORT_ID,
         {.oid = find_bridge_port(c->bench, c->ports[roll(c, PORTS)])}},
    };
    const sai_attribute_t all = {SAI_FDB_FLUSH_ATTR_ENTRY_TYPE,
                                 {.s32 = (int32_t)roll(c, 3)}};
    sai_fdb_entry_t entry = {.switch_id = c->bench->sw, .bv_id = some_vlan(c)};

    entry.mac_address[0] = 2;
    entry.mac_address[5] = (sai_uint8_t)roll(c, 8);
    switch (roll(c, 5)) {
    case 0:
        (void)c->bench->fdb_api->remove_fdb_entry(&entry);
        break;
    case 1:
        (void)c->bench->fdb_api->set_fdb_entry_attribute(&entry,
                                                         &attributes[1]);
        break;
    case 2:
        assert_int_equal(
            c->bench->fdb_api->flush_fdb_entries(c->bench->sw, 1, &all),
            SAI_STATUS_SUCCESS);
        break;
    default:
        (void)c->bench->fdb_api->create_fdb_entry(&entry, 2, attributes);
        break;
    }
}

static void
chaos_frame(struct chaos *c)
{
    uint8_t bytes[FRAME + TAG] = {0};
    const uint32_t port = roll(c, PORTS);

    bytes[0] = bytes[6] = 2;
    bytes[5] = (uint8_t)roll(c, 8);
    bytes[11] = (uint8_t)roll(c, 8);
    if (roll(c, 2)) {
        bytes[12] = 0x81;
        bytes[15] = (uint8_t)roll(c, 6);
    }
    if (c->ports[port]) {
        (void)c->bench->ops->capture(c->ports[port], roll(c, 4) != 0);
        assert_int_equal(c->bench->ops->inject(c->ports[port],
                                               14 + roll(c, FRAME + TAG - 13),
                                               bytes),
                         SAI_STATUS_SUCCESS);
    }
    if (roll(c, 3) == 0) {
        assert_int_equal(c->bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    }
}

static void
chaos_time(struct chaos *c)
{
    const sai_attribute_t age = {SAI_SWITCH_ATTR_FDB_AGING_TIME,
                                 {.u32 = roll(c, 3)}};

    (void)c->bench->switch_api->set_switch_attribute(c->bench->sw, &age);
    (void)c->bench->ops->run(roll(c, 4) * PS_PER_S / 2);
}

/* Removes what can be removed, until nothing that was made is left. */
static void
take_down(struct chaos *c)
{
    const sai_attribute_t all = {SAI_FDB_FLUSH_ATTR_ENTRY_TYPE,
                                 {.s32 = SAI_FDB_FLUSH_ENTRY_TYPE_ALL}};

    assert_int_equal(
        c->bench->fdb_api->flush_fdb_entries(c->bench->sw, 1, &all),
        SAI_STATUS_SUCCESS);
    for (uint32_t i = 0; i < N(c->members); i++) {
        assert_true(!c->members[i] || c->bench->vlan_api->remove_vlan_member(
                                          c->members[i]) == SAI_STATUS_SUCCESS);
    }
    for (uint32_t i = 0; i < N(c->vlans); i++) {
        assert_true(!c->vlans[i] || c->bench->vlan_api->remove_vlan(
                                        c->vlans[i]) == SAI_STATUS_SUCCESS);
    }
    for (uint32_t p = 0; p < PORTS; p++) {
        for (uint32_t q = 0; c->ports[p] && q < 8; q++) {
            const sai_attribute_t parent = {
                SAI_QUEUE_ATTR_PARENT_SCHEDULER_NODE, {.oid = c->ports[p]}};

            assert_int_equal(
                c->bench->queue_api->set_queue_attribute(
                    asic_setup_child(c->bench, c->ports[p],
                                     SAI_PORT_ATTR_QOS_QUEUE_LIST, q),
                    &parent),
                SAI_STATUS_SUCCESS);
        }
    }
    for (uint32_t i = 0; i < N(c->groups); i++) {
        assert_true(!c->groups[i] ||
                    c->bench->group_api->remove_scheduler_group(c->groups[i]) ==
                        SAI_STATUS_SUCCESS);
    }
    for (uint32_t p = 0; p < PORTS; p++) {
        assert_true(!c->ports[p] ||
                    asic_setup_remove_port(c->bench->sw, c->ports[p]) ==
                        SAI_STATUS_SUCCESS);
    }
}

static void
test_random_calls_leave_nothing_behind(void **state)
{
    static void (*const actions[])(struct chaos *) = {
        chaos_port,  chaos_vlan,  chaos_member, chaos_member, chaos_group,
        chaos_entry, chaos_frame, chaos_frame,  chaos_time,
    };
    struct chaos c = {.bench = *state, .seed = 815};
    const struct asic *asic = library_get()->asic;
    const char *wrong;
    size_t before;

    if (testhost_wanted()) {
        skip(); /* It looks into the switch. */
    }
    before = objects_bytes(asic->objects);
    c.vlan = switch_oid(c.bench, SAI_SWITCH_ATTR_DEFAULT_VLAN_ID);
    for (int i = 0; i < 8000; i++) {
        actions[roll(&c, N(actions))](&c);
        wrong = i % 50 == 0 ? mmu_check(asic->mmu) : NULL;
        if (wrong) {
            fail_msg("step %d: %s", i, wrong);
        }
    }
    assert_int_equal(c.bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    take_down(&c);
    assert_null(mmu_check(asic->mmu));
    assert_int_equal(mmu_used_cells(asic->mmu), 0);
    assert_in_range(objects_bytes(asic->objects), before, before + 1024);
}

/* Ageing and counters ---------------------------------------------------- */

static void
set_ageing(struct fixture *f, uint32_t seconds)
{
    const sai_attribute_t time = {SAI_SWITCH_ATTR_FDB_AGING_TIME,
                                  {.u32 = seconds}};

    assert_int_equal(
        f->bench->switch_api->set_switch_attribute(f->bench->sw, &time),
        SAI_STATUS_SUCCESS);
}

static int64_t
now(struct fixture *f)
{
    int64_t now_ps;

    assert_int_equal(f->bench->ops->now(&now_ps), SAI_STATUS_SUCCESS);
    return now_ps;
}

static sai_status_t
find_entry(struct fixture *f, const sai_mac_t mac)
{
    const sai_fdb_entry_t entry = key(f, mac);
    sai_attribute_t type = {.id = SAI_FDB_ENTRY_ATTR_TYPE};

    return f->bench->fdb_api->get_fdb_entry_attribute(&entry, 1, &type);
}

static void
test_entries_age_and_the_host_hears_of_it(void **state)
{
    struct fixture f;
    int64_t learned_ps;

    if (testhost_wanted()) {
        skip(); /* Reported at once only in the process. */
    }
    use(&f, *state);
    set_ageing(&f, 300);
    assert_int_equal(
        make_static(&f, bob, f.bridge_ports[1], SAI_PACKET_ACTION_FORWARD),
        SAI_STATUS_SUCCESS);
    /* When the frame is there: a byte takes 80 ps at 100 Gb/s, and a frame is
     * 24 bytes longer on the wire. */
    learned_ps = now(&f) + (FRAME + 24) * INT64_C(80);
    inject(&f, 0, alice, bob, 0);
    assert_int_equal(heard.n, 1);
    assert_int_equal(
        f.bench->ops->run(learned_ps + 300 * PS_PER_S - 1 - now(&f)),
        SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n, 1);
    assert_int_equal(find_entry(&f, alice), SAI_STATUS_SUCCESS);
    assert_int_equal(f.bench->ops->run(1), SAI_STATUS_SUCCESS);
    assert_int_equal(find_entry(&f, alice), SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(heard.n, 2);
    assert_int_equal(heard.events[1], SAI_FDB_EVENT_AGED);
    assert_memory_equal(heard.keys[1].mac_address, alice, 6);
    assert_int_equal(heard.keys[1].bv_id, f.vlan);
    assert_int_equal(heard.bridge_ports[1], f.bridge_ports[0]);
    assert_int_equal(find_entry(&f, bob), SAI_STATUS_SUCCESS);

    /* 2^32 - 1 seconds are more than there is time; 0 is never. */
    set_ageing(&f, UINT32_MAX);
    inject(&f, 0, alice, bob, 0);
    assert_int_equal(f.bench->ops->run(1000 * PS_PER_S), SAI_STATUS_SUCCESS);
    set_ageing(&f, 1);
    set_ageing(&f, 0);
    assert_int_equal(f.bench->ops->run(1000 * PS_PER_S), SAI_STATUS_SUCCESS);
    assert_int_equal(find_entry(&f, alice), SAI_STATUS_SUCCESS);
    assert_int_equal(heard.n, 3);
}

static void
test_vlans_and_bridge_ports_count(void **state)
{
    static const sai_stat_id_t of_vlan[] = {
        SAI_VLAN_STAT_IN_OCTETS,      SAI_VLAN_STAT_IN_PACKETS,
        SAI_VLAN_STAT_IN_UCAST_PKTS,  SAI_VLAN_STAT_IN_NON_UCAST_PKTS,
        SAI_VLAN_STAT_IN_DISCARDS,    SAI_VLAN_STAT_OUT_OCTETS,
        SAI_VLAN_STAT_OUT_UCAST_PKTS, SAI_VLAN_STAT_OUT_NON_UCAST_PKTS,
        SAI_VLAN_STAT_OUT_PACKETS};
    static const uint64_t carried[N(of_vlan)] = {4 * FRAME, 4, 3, 1, 1,
                                                 5 * FRAME, 3, 2, 5};
    static const sai_stat_id_t of_bridge[] = {SAI_BRIDGE_STAT_IN_OCTETS,
                                              SAI_BRIDGE_STAT_OUT_PACKETS};
    static const sai_stat_id_t of_port[] = {SAI_BRIDGE_PORT_STAT_IN_PACKETS,
                                            SAI_BRIDGE_PORT_STAT_OUT_OCTETS};
    const sai_stat_id_t none = SAI_VLAN_STAT_OUT_QLEN;
    struct fixture f;
    uint64_t values[N(of_vlan)];

    use(&f, *state);
    inject(&f, 0, alice, bob, 0);   /* Flooded: out twice. */
    inject(&f, 1, bob, alice, 0);   /* Out once. */
    inject(&f, 0, alice, alice, 0); /* Back to where it came from: nowhere. */
    inject(&f, 0, alice, group, 0); /* Out twice. */
    inject(&f, 0, alice, bob, 9);   /* VLAN 9 does not exist. */
    read_stats(&f, SAI_OBJECT_TYPE_VLAN, f.vlan, N(of_vlan), of_vlan, values);
    assert_memory_equal(values, carried, sizeof carried);
    read_stats(&f, SAI_OBJECT_TYPE_BRIDGE,
               switch_oid(f.bench, SAI_SWITCH_ATTR_DEFAULT_1Q_BRIDGE_ID),
               N(of_bridge), of_bridge, values);
    assert_int_equal(values[0], 4 * FRAME);
    assert_int_equal(values[1], 5);
    read_stats(&f, SAI_OBJECT_TYPE_BRIDGE_PORT, f.bridge_ports[1], N(of_port),
               of_port, values);
    assert_int_equal(values[0], 1);
    assert_int_equal(values[1], 2 * FRAME);

    /* Clearing one counter leaves the other. */
    assert_int_equal(f.bench->bridge_api->clear_bridge_port_stats(
                         f.bridge_ports[1], 1, of_port),
                     SAI_STATUS_SUCCESS);
    read_stats(&f, SAI_OBJECT_TYPE_BRIDGE_PORT, f.bridge_ports[1], N(of_port),
               of_port, values);
    assert_int_equal(values[0], 0);
    assert_int_equal(values[1], 2 * FRAME);
    assert_int_equal(
        f.bench->vlan_api->get_vlan_stats_ext(
            f.vlan, 1, of_vlan, SAI_STATS_MODE_READ_AND_CLEAR, values),
        SAI_STATUS_SUCCESS);
    assert_int_equal(values[0], 4 * FRAME);
    assert_int_equal(
        f.bench->vlan_api->get_vlan_stats(f.vlan, 1, of_vlan, values),
        SAI_STATUS_SUCCESS);
    assert_int_equal(values[0], 0);
    assert_int_equal(
        f.bench->vlan_api->get_vlan_stats(f.vlan, 1, &none, values),
        SAI_STATUS_NOT_SUPPORTED);
}

int
main(void)
{
#define GENERIC(name)                                                          \
    cmocka_unit_test_setup_teardown(name, asic_setup_setup_generic,            \
                                    asic_setup_teardown)
    const struct CMUnitTest tests[] = {
        GENERIC(test_vlan_1_has_every_port),
        GENERIC(test_sources_are_learned_and_reported),
        GENERIC(test_learning_can_be_off),
        GENERIC(test_static_entries_rule),
        GENERIC(test_tags_follow_the_membership),
        GENERIC(test_ports_leave_and_join_the_bridge),
        GENERIC(test_entries_get_exact_codes),
        GENERIC(test_capabilities_are_true),
        GENERIC(test_bulk_entries),
        GENERIC(test_entries_age_and_the_host_hears_of_it),
        GENERIC(test_vlans_and_bridge_ports_count),
        GENERIC(test_random_calls_leave_nothing_behind),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
