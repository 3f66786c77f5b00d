/* SPDX-License-Identifier: Apache-2.0 */

/* Policers through SAI: in front of ports and of the CPU, their counters, and
 * what a control plane reads when it starts. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/l3_setup.h"

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

enum { FRAME_BYTES = 1000 };

struct fixture {
    struct asic_setup *bench;
    const sai_policer_api_t *api;
    sai_object_id_t from, to;
};

static void
use(struct fixture *f, struct asic_setup *bench)
{
    void *table;

    OK(sai_api_query(SAI_API_POLICER, &table));
    f->api = table;
    f->bench = bench;
    f->from = asic_setup_add_port(bench, 1000);
    f->to = asic_setup_add_port(bench, 1001);
    asic_setup_port_bool(bench, f->from, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, f->to, SAI_PORT_ATTR_ADMIN_STATE, true);
}

/* Creates a policer that drops red packets. */
static sai_object_id_t
create(const struct fixture *f, int32_t meter, uint64_t rate, uint64_t burst)
{
    const sai_attribute_t attributes[] = {
        {SAI_POLICER_ATTR_METER_TYPE, {.s32 = meter}},
        {SAI_POLICER_ATTR_MODE, {.s32 = SAI_POLICER_MODE_SR_TCM}},
        {SAI_POLICER_ATTR_COLOR_SOURCE,
         {.s32 = SAI_POLICER_COLOR_SOURCE_BLIND}},
        {SAI_POLICER_ATTR_CIR, {.u64 = rate}},
        {SAI_POLICER_ATTR_CBS, {.u64 = burst}},
        {SAI_POLICER_ATTR_RED_PACKET_ACTION, {.s32 = SAI_PACKET_ACTION_DROP}},
    };
    sai_object_id_t policer;

    OK(f->api->create_policer(&policer, f->bench->sw, N(attributes),
                              attributes));
    return policer;
}

static void
bind_port(const struct fixture *f, sai_object_id_t policer)
{
    const sai_attribute_t attribute = {SAI_PORT_ATTR_POLICER_ID,
                                       {.oid = policer}};

    OK(f->bench->port_api->set_port_attribute(f->from, &attribute));
}

/* Sends 'n' frames and returns how many leave. */
static uint64_t
send(const struct fixture *f, uint64_t n)
{
    const struct softasic_send send = {.from = f->from,
                                       .to = f->to,
                                       .n_frames = n,
                                       .frame_bytes = FRAME_BYTES};
    struct softasic_received rows[64];
    struct softasic_sent sent;
    uint32_t n_rows = N(rows);
    uint64_t left = 0;

    OK(f->bench->ops->send(&send, &sent));
    assert_int_equal(sent.n_frames, n);
    OK(f->bench->ops->settle(NULL));
    OK(f->bench->ops->received(f->to, &n_rows, rows));
    for (uint32_t i = 0; i < n_rows; i++) {
        left += rows[i].n_frames;
    }
    return left;
}

static void
test_port_drops_what_exceeds_the_rate(void **state)
{
    static const sai_stat_id_t ids[] = {
        SAI_POLICER_STAT_PACKETS, SAI_POLICER_STAT_GREEN_PACKETS,
        SAI_POLICER_STAT_RED_PACKETS, SAI_POLICER_STAT_RED_BYTES};
    struct fixture f;
    sai_object_id_t policer;
    uint64_t values[N(ids)];
    sai_attribute_t cbs = {SAI_POLICER_ATTR_CBS, {.u64 = 100 * FRAME_BYTES}};

    use(&f, *state);
    assert_int_equal(send(&f, 20), 20); /* The flow is known. */
    policer = create(&f, SAI_METER_TYPE_BYTES, 1, 7 * FRAME_BYTES);
    bind_port(&f, policer);
    assert_int_equal(send(&f, 20), 7);
    OK(f.api->get_policer_stats(policer, N(ids), ids, values));
    assert_int_equal(values[0], 20);
    assert_int_equal(values[1], 7);
    assert_int_equal(values[2], 13);
    assert_int_equal(values[3], 13 * FRAME_BYTES);
    OK(f.api->clear_policer_stats(policer, 1, ids + 2));
    OK(f.api->get_policer_stats(policer, N(ids), ids, values));
    assert_int_equal(values[1], 7);
    assert_int_equal(values[2], 0);

    /* A larger bucket does not fill at once. */
    OK(f.api->set_policer_attribute(policer, &cbs));
    assert_int_equal(send(&f, 5), 0);
    assert_int_equal(f.api->remove_policer(policer), SAI_STATUS_OBJECT_IN_USE);
    bind_port(&f, SAI_NULL_OBJECT_ID);
    assert_int_equal(send(&f, 20), 20);
    OK(f.api->remove_policer(policer));
}

/* Packets per second, as for the traffic of a control plane. */
static void
test_port_meters_packets_in_simulated_time(void **state)
{
    struct fixture f;
    sai_object_id_t policer;

    use(&f, *state);
    policer = create(&f, SAI_METER_TYPE_PACKETS, 600, 600);
    bind_port(&f, policer);
    assert_int_equal(send(&f, 1000), 600);
    OK(f.bench->ops->run(INT64_C(500000000000)));
    /* Nearly exactly half of a second: 300 packets, and those of the time in
     * which the frames were sent. */
    assert_in_range(send(&f, 1000), 300, 301);
    bind_port(&f, SAI_NULL_OBJECT_ID);
}

/* The traps of a group share its policer, which is in front of the CPU. */
static void
test_trap_group_limits_what_the_cpu_gets(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_ip expired = {.source = l3_setup_v4(10, 0, 0, 9),
                                        .destination = l3_setup_v4(50, 0, 0, 1),
                                        .ttl = 1,
                                        .protocol = 17};
    const sai_ip_address_t neighbor = l3_setup_v4(10, 0, 1, 2);
    const sai_object_id_t cpu =
        l3_setup_switch_oid(bench, SAI_SWITCH_ATTR_CPU_PORT);
    struct fixture f;
    struct softasic_send send = {.n_frames = 20, .frame_bytes = 100};
    struct softasic_received rows[8];
    struct softasic_sent sent;
    uint32_t n_rows = N(rows);
    sai_attribute_t mac = {.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS};
    sai_attribute_t limit = {.id = SAI_HOSTIF_TRAP_GROUP_ATTR_POLICER};
    sai_attribute_t member = {.id = SAI_HOSTIF_TRAP_ATTR_TRAP_GROUP};
    sai_object_id_t group, trap, interface;

    use(&f, bench);
    send.from = f.from;
    (void)l3_setup_interface(bench, f.from, 0);
    interface = l3_setup_interface(bench, f.to, 0);
    l3_setup_neighbor(bench, interface, neighbor, 2);
    l3_setup_route(bench, l3_setup_v4(50, 0, 0, 0), 8,
                   l3_setup_next_hop(bench, interface, neighbor));
    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &mac));
    memcpy(send.destination, mac.value.mac, sizeof send.destination);
    limit.value.oid = create(&f, SAI_METER_TYPE_PACKETS, 1, 5);
    OK(bench->hostif_api->create_hostif_trap_group(&group, bench->sw, 1,
                                                   &limit));
    trap = l3_setup_trap(bench, SAI_HOSTIF_TRAP_TYPE_TTL_ERROR,
                         SAI_PACKET_ACTION_TRAP);
    member.value.oid = group;
    OK(bench->hostif_api->set_hostif_trap_attribute(trap, &member));
    OK(bench->ops->send_ip(&send, &expired, &sent));
    OK(bench->ops->received(cpu, &n_rows, rows));
    assert_int_equal(n_rows, 1);
    assert_int_equal(rows[0].n_frames, 5);
    assert_int_equal(f.api->remove_policer(limit.value.oid),
                     SAI_STATUS_OBJECT_IN_USE);

    /* Without it all arrive. */
    limit.value.oid = SAI_NULL_OBJECT_ID;
    OK(bench->hostif_api->set_hostif_trap_group_attribute(group, &limit));
    OK(bench->ops->send_ip(&send, &expired, &sent));
    n_rows = N(rows);
    OK(bench->ops->received(cpu, &n_rows, rows));
    assert_int_equal(rows[0].n_frames, 20);
}

static void
test_what_is_not_simulated_is_refused(void **state)
{
    const sai_attribute_t attributes[] = {
        {SAI_PORT_ATTR_FLOOD_STORM_CONTROL_POLICER_ID, {.oid = 0}},
        {SAI_PORT_ATTR_BROADCAST_STORM_CONTROL_POLICER_ID, {.oid = 0}},
    };
    struct fixture f;
    sai_object_id_t policer;

    use(&f, *state);
    policer = create(&f, SAI_METER_TYPE_BYTES, 1, 1);
    for (uint32_t i = 0; i < N(attributes); i++) {
        sai_attribute_t attribute = attributes[i];

        OK(f.bench->port_api->set_port_attribute(f.from, &attribute));
        attribute.value.oid = policer;
        assert_int_equal(
            f.bench->port_api->set_port_attribute(f.from, &attribute),
            SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    }
    OK(f.api->remove_policer(policer));
}

static void
test_attributes_that_are_read_at_start(void **state)
{
    static const sai_attr_id_t ids[] = {
        SAI_SWITCH_ATTR_ACL_ENTRY_MINIMUM_PRIORITY,
        SAI_SWITCH_ATTR_ACL_ENTRY_MAXIMUM_PRIORITY,
        SAI_SWITCH_ATTR_MAX_NUMBER_OF_TEMP_SENSORS,
        SAI_SWITCH_ATTR_NUMBER_OF_SYSTEM_PORTS,
    };
    int32_t modes[8];
    sai_attribute_t fec = {SAI_PORT_ATTR_SUPPORTED_FEC_MODE,
                           {.s32list = {N(modes), modes}}};
    sai_attribute_t values[N(ids)];
    struct fixture f;

    use(&f, *state);
    for (uint32_t i = 0; i < N(ids); i++) {
        values[i] = (sai_attribute_t){.id = ids[i]};
    }
    OK(f.bench->switch_api->get_switch_attribute(f.bench->sw, N(ids), values));
    assert_int_equal(values[0].value.u32, 0);
    assert_int_equal(values[1].value.u32, 65535);
    assert_int_equal(values[2].value.u8, 0);
    assert_int_equal(values[3].value.u32, 0);
    OK(f.bench->port_api->get_port_attribute(f.from, 1, &fec));
    assert_int_equal(fec.value.s32list.count, 3);
}

/* The callbacks that SONiC registers. */
static void
test_notifications_are_accepted(void **state)
{
    static const sai_attr_id_t ids[] = {
        SAI_SWITCH_ATTR_PACKET_EVENT_NOTIFY,
        SAI_SWITCH_ATTR_SWITCH_STATE_CHANGE_NOTIFY,
        SAI_SWITCH_ATTR_SWITCH_SHUTDOWN_REQUEST_NOTIFY,
        SAI_SWITCH_ATTR_FDB_EVENT_NOTIFY,
        SAI_SWITCH_ATTR_PORT_STATE_CHANGE_NOTIFY,
        SAI_SWITCH_ATTR_QUEUE_PFC_DEADLOCK_NOTIFY,
        SAI_SWITCH_ATTR_BFD_SESSION_STATE_CHANGE_NOTIFY,
    };
    struct asic_setup *bench = *state;

    for (uint32_t i = 0; i < N(ids); i++) {
        sai_attribute_t attribute = {.id = ids[i]};

        OK(bench->switch_api->set_switch_attribute(bench->sw, &attribute));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_port_drops_what_exceeds_the_rate,
                                        asic_setup_setup_generic,
                                        asic_setup_teardown),
        cmocka_unit_test_setup_teardown(
            test_port_meters_packets_in_simulated_time,
            asic_setup_setup_generic, asic_setup_teardown),
        cmocka_unit_test_setup_teardown(
            test_trap_group_limits_what_the_cpu_gets, asic_setup_setup_generic,
            asic_setup_teardown),
        cmocka_unit_test_setup_teardown(test_what_is_not_simulated_is_refused,
                                        asic_setup_setup_generic,
                                        asic_setup_teardown),
        cmocka_unit_test_setup_teardown(test_attributes_that_are_read_at_start,
                                        asic_setup_setup_generic,
                                        asic_setup_teardown),
        cmocka_unit_test_setup_teardown(test_notifications_are_accepted,
                                        asic_setup_setup_generic,
                                        asic_setup_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
