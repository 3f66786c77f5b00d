/* SPDX-License-Identifier: Apache-2.0 */

/* Credit-based flow control of ports through SAI: the extension of
 * vendors/softasic/cbfc.h. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/asic_setup.h"
#include "vendors/softasic/cbfc.h"
#include "vendors/softasic/front_panel.h"

#define OK(call) assert_int_equal(call, SAI_STATUS_SUCCESS)

enum { FRAME = 1000, FRAME_CREDITS = 8 }; /* Of 128 bytes, with FCS. */

static sai_object_id_t from, to;

static int
setup(void **state)
{
    const int failed = asic_setup_setup_generic(state);

    if (!failed) {
        from = asic_setup_add_port(*state, 1000);
        to = asic_setup_add_port(*state, 1001);
        asic_setup_port_bool(*state, from, SAI_PORT_ATTR_ADMIN_STATE, true);
        asic_setup_port_bool(*state, to, SAI_PORT_ATTR_ADMIN_STATE, true);
    }
    return failed;
}

static sai_status_t
set(const struct asic_setup *bench, sai_object_id_t port, sai_attr_id_t id,
    sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    return bench->port_api->set_port_attribute(port, &attribute);
}

static sai_status_t
set_u32(const struct asic_setup *bench, sai_attr_id_t id, uint32_t value)
{
    return set(bench, to, id, (sai_attribute_value_t){.u32 = value});
}

static sai_status_t
set_map(const struct asic_setup *bench, sai_attr_id_t id, uint32_t n,
        sai_map_t *rows)
{
    return set(bench, to, id, (sai_attribute_value_t){.maplist = {n, rows}});
}

static sai_status_t
enable(const struct asic_setup *bench, sai_object_id_t port, bool is_enabled)
{
    return set(bench, port, SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE,
               (sai_attribute_value_t){.booldata = is_enabled});
}

static sai_attribute_value_t
get(const struct asic_setup *bench, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    OK(bench->port_api->get_port_attribute(to, 1, &attribute));
    return attribute.value;
}

static uint64_t
stat(const struct asic_setup *bench, sai_object_id_t port, sai_stat_id_t id)
{
    uint64_t value = 0;

    OK(bench->port_api->get_port_stats(port, 1, &id, &value));
    return value;
}

/* Sends 'n' frames and returns how many have left so far. */
static uint64_t
send(const struct asic_setup *bench, uint64_t n)
{
    const struct softasic_send send = {
        .from = from, .to = to, .n_frames = n, .frame_bytes = FRAME};
    struct softasic_sent sent;

    OK(bench->ops->send(&send, &sent));
    assert_int_equal(sent.n_frames, n);
    OK(bench->ops->settle(NULL));
    return stat(bench, to, SAI_PORT_STAT_IF_OUT_UCAST_PKTS);
}

static void
test_numbers_have_ranges_and_defaults(void **state)
{
    static const struct {
        sai_attr_id_t id;
        int64_t initial, least, most;
    } rows[] = {
        {SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_SIZE, 128, 1, 65535},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_OVERHEAD, 0, -16, 127},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_LIMIT, 0, 0, 1048575},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_CC_TIMER, 256, 0, 250000},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_CF_MIN_SPACING, 6400, 800, 65535},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_CF_MAX_SPACING, 262144, 16384, 1048576},
    };
    const struct asic_setup *bench = *state;

    for (uint32_t i = 0; i < N(rows); i++) {
        assert_int_equal(get(bench, rows[i].id).s32, rows[i].initial);
        OK(set_u32(bench, rows[i].id, (uint32_t)rows[i].least));
        assert_int_equal(get(bench, rows[i].id).s32, rows[i].least);
        OK(set_u32(bench, rows[i].id, (uint32_t)rows[i].most));
        assert_int_equal(
            set_u32(bench, rows[i].id, (uint32_t)(rows[i].most + 1)),
            SAI_STATUS_INVALID_ATTR_VALUE_0);
        if (rows[i].least != 0) {
            assert_int_equal(
                set_u32(bench, rows[i].id, (uint32_t)(rows[i].least - 1)),
                SAI_STATUS_INVALID_ATTR_VALUE_0);
        }
        assert_int_equal(get(bench, rows[i].id).s32, rows[i].most);
        OK(set_u32(bench, rows[i].id, (uint32_t)rows[i].initial));
    }
    assert_false(get(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE).booldata);
    assert_int_equal(get(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS).u32,
                     0);
    OK(set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS, 0x80000009));
    assert_int_equal(get(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS).u32,
                     0x80000009);
}

static void
test_maps_are_read_as_they_were_set(void **state)
{
    const struct asic_setup *bench = *state;
    sai_map_t credits[] = {{31, 1048575}, {3, 24}};
    sai_map_t queues[] = {{63, 5}, {0, 31}};
    sai_map_t rows[SOFTASIC_CBFC_QUEUES];
    sai_attribute_t attribute = {
        .id = SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS,
        .value.maplist = {0, NULL}};

    OK(set_map(bench, attribute.id, N(credits), credits));
    assert_int_equal(bench->port_api->get_port_attribute(to, 1, &attribute),
                     SAI_STATUS_BUFFER_OVERFLOW);
    assert_int_equal(attribute.value.maplist.count, 2);
    attribute.value.maplist.list = rows;
    OK(bench->port_api->get_port_attribute(to, 1, &attribute));
    assert_int_equal(rows[0].key, 3);
    assert_int_equal(rows[0].value, 24);
    assert_int_equal(rows[1].key, 31);
    assert_int_equal(rows[1].value, 1048575);

    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC, N(queues),
               queues));
    attribute.id = SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC;
    attribute.value.maplist.count = N(rows);
    OK(bench->port_api->get_port_attribute(to, 1, &attribute));
    assert_int_equal(attribute.value.maplist.count, SOFTASIC_CBFC_QUEUES);
    assert_int_equal(rows[0].value, 31);
    assert_int_equal(rows[33].value, 1);
    assert_int_equal(rows[63].value, 5);
    /* What is not in a new map has its default again. */
    OK(set_map(bench, attribute.id, 0, NULL));
    OK(bench->port_api->get_port_attribute(to, 1, &attribute));
    assert_int_equal(rows[0].value, 0);
    attribute.id = SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC;
    OK(bench->port_api->get_port_attribute(to, 1, &attribute));
    assert_int_equal(attribute.value.maplist.count, SOFTASIC_CBFC_TCS);
}

static void
test_wrong_maps_are_refused(void **state)
{
    const struct asic_setup *bench = *state;
    static const struct {
        sai_attr_id_t id;
        sai_map_t rows[2];
    } wrong[] = {
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS, {{0, 8}, {32, 8}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS, {{1, 8}, {1, 8}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS, {{1, 8}, {2, -1}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS, {{1, 8}, {2, 1048576}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC, {{64, 0}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_QUEUE_TO_VC, {{1, 32}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC, {{16, 0}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC, {{1, -1}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE, {{8, 1}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE, {{7, 1048576}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL, {{1, 8}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL, {{1, -1}, {0, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH, {{0, 1}, {1, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH, {{0, 9}, {1, 0}}},
        {SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH, {{0, 8}, {1, -9}}},
    };

    for (uint32_t i = 0; i < N(wrong); i++) {
        sai_map_t rows[2];

        memcpy(rows, wrong[i].rows, sizeof rows);
        assert_int_equal(set_map(bench, wrong[i].id, 2, rows),
                         SAI_STATUS_INVALID_ATTR_VALUE_0);
    }
    assert_int_equal(
        set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_TC_TO_VC, 1, NULL),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
}

/* Gives VC 0 of 'to' the credits of 'n' frames, and enables them. */
static void
begin(const struct asic_setup *bench, int32_t n)
{
    sai_map_t row = {0, n * FRAME_CREDITS};

    OK(set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_CC_TIMER, 0));
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS, 1, &row));
    OK(enable(bench, to, true));
}

static void
test_a_sender_waits_for_credits(void **state)
{
    const struct asic_setup *bench = *state;
    const sai_stat_id_t used =
        SOFTASIC_CBFC_VC_STAT(0, SOFTASIC_CBFC_VC_SENDER_USED);
    const sai_stat_id_t consumed =
        SOFTASIC_CBFC_VC_STAT(0, SOFTASIC_CBFC_VC_SENDER_CONSUMED);
    sai_map_t freed = {0, 5 * FRAME_CREDITS};

    begin(bench, 10);
    assert_int_equal(send(bench, 40), 10);
    assert_int_equal(stat(bench, to, used), 10 * FRAME_CREDITS);
    assert_int_equal(stat(bench, to, SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED),
                     10 * FRAME_CREDITS);
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE, 1, &freed));
    assert_int_equal(send(bench, 1), 15);
    assert_int_equal(stat(bench, to, consumed), 15 * FRAME_CREDITS);
    assert_int_equal(
        stat(bench, to,
             SOFTASIC_CBFC_VC_STAT(0, SOFTASIC_CBFC_VC_SENDER_FREED)),
        5 * FRAME_CREDITS);
    assert_int_equal(stat(bench, to, SAI_PORT_STAT_SOFTASIC_CBFC_CF_RX), 1);
    assert_int_equal(
        stat(bench, to, SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED_WATERMARK),
        10 * FRAME_CREDITS);
    assert_int_equal(stat(bench, to, SOFTASIC_CBFC_VC_STAT(31, 0)), 0);

    /* Disabled, all leave; enabled again, it begins at 0. */
    OK(enable(bench, to, false));
    assert_int_equal(send(bench, 1), 42);
    assert_int_equal(stat(bench, to, used), 0);
    OK(enable(bench, to, true));
    assert_int_equal(stat(bench, to, consumed), 0);
    assert_int_equal(send(bench, 20), 52);
}

static void
test_a_limit_holds_all_channels(void **state)
{
    const struct asic_setup *bench = *state;

    OK(set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_LIMIT,
               4 * FRAME_CREDITS + FRAME_CREDITS - 1));
    begin(bench, 10);
    assert_int_equal(send(bench, 40), 4);
}

/* Has DSCP n lead to queue n, of two. */
static void
map_classes(const struct asic_setup *bench)
{
    sai_qos_map_t pairs[2] = {{{.dscp = 0}, {.tc = 0}},
                              {{.dscp = 1}, {.tc = 1}}};
    sai_qos_map_t queues[2] = {{{.tc = 0}, {.queue_index = 0}},
                               {{.tc = 1}, {.queue_index = 1}}};
    const struct {
        sai_qos_map_type_t type;
        sai_qos_map_t *pairs;
        sai_object_id_t port;
        sai_attr_id_t id;
    } maps[] = {
        {SAI_QOS_MAP_TYPE_DSCP_TO_TC, pairs, from,
         SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP},
        {SAI_QOS_MAP_TYPE_TC_TO_QUEUE, queues, to,
         SAI_PORT_ATTR_QOS_TC_TO_QUEUE_MAP},
    };

    for (size_t i = 0; i < N(maps); i++) {
        const sai_attribute_t attributes[] = {
            {SAI_QOS_MAP_ATTR_TYPE, {.s32 = (sai_int32_t)maps[i].type}},
            {SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST,
             {.qosmap = {2, maps[i].pairs}}},
        };
        sai_object_id_t map;

        OK(bench->map_api->create_qos_map(&map, bench->sw, 2, attributes));
        OK(set(bench, maps[i].port, maps[i].id,
               (sai_attribute_value_t){.oid = map}));
    }
}

/* Sends 'n' frames with DSCP 'dscp', and returns how many credits the VC with
 * that number uses then. */
static uint64_t
send_by(const struct asic_setup *bench, uint8_t dscp, uint64_t n)
{
    const struct softasic_send send = {.from = from,
                                       .to = to,
                                       .n_frames = n,
                                       .frame_bytes = FRAME,
                                       .dscp = dscp};
    struct softasic_sent sent;

    OK(bench->ops->send(&send, &sent));
    OK(bench->ops->settle(NULL));
    return stat(bench, to,
                SOFTASIC_CBFC_VC_STAT(dscp, SOFTASIC_CBFC_VC_SENDER_USED));
}

/* Expects that map 'id' of 'to' has 'n' rows, of which row 'i' is 'row'. */
static void
expect_row(const struct asic_setup *bench, sai_attr_id_t id, uint32_t n,
           uint32_t i, sai_map_t row)
{
    sai_map_t rows[SOFTASIC_CBFC_VCS];
    sai_attribute_t attribute = {.id = id, .value.maplist = {N(rows), rows}};

    OK(bench->port_api->get_port_attribute(to, 1, &attribute));
    assert_int_equal(attribute.value.maplist.count, n);
    assert_int_equal(rows[i].key, row.key);
    assert_int_equal(rows[i].value, row.value);
}

/* VC 0 and 1 have a frame each, and share 8 frames of pool 2: VC 0 up to half
 * of what is free, VC 1 up to two. */
static void
test_channels_share_a_pool(void **state)
{
    const struct asic_setup *bench = *state;
    sai_map_t reserved[] = {{0, FRAME_CREDITS}, {1, FRAME_CREDITS}};
    sai_map_t pools[] = {{0, 2}, {1, 2}};
    sai_map_t size[] = {{2, 2 * FRAME_CREDITS - 1}};
    sai_map_t dynamic[] = {{0, -1}, {1, 3}}, fixed[] = {{1, 2 * FRAME_CREDITS}};

    map_classes(bench);
    OK(set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_CC_TIMER, 0));
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL, 2, pools));
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_CREDITS, 2,
               reserved));
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH, 2,
               dynamic));
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH, 1,
               fixed));
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE, 1, size));
    assert_int_equal(enable(bench, to, true),
                     SAI_STATUS_INSUFFICIENT_RESOURCES);
    size[0].value = 10 * FRAME_CREDITS;
    OK(set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE, 1, size));
    expect_row(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SIZE,
               SOFTASIC_CBFC_POOLS, 2, size[0]);
    expect_row(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SHARED_SIZE,
               SOFTASIC_CBFC_POOLS, 2, (sai_map_t){2, 8 * FRAME_CREDITS});
    expect_row(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_POOL, 2, 1,
               pools[1]);
    expect_row(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_DYNAMIC_TH, 1, 0,
               dynamic[0]);
    expect_row(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_VC_STATIC_TH, 1, 0,
               fixed[0]);
    assert_int_equal(
        set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_SENDER_POOL_SHARED_SIZE, 1,
                size),
        SAI_STATUS_INVALID_ATTRIBUTE_0);
    OK(enable(bench, to, true));

    /* A frame each, and two of the pool. */
    assert_int_equal(send_by(bench, 1, 20), 3 * FRAME_CREDITS);
    /* A frame, and of the other six as many as it leaves: two, because three
     * would be more than half of four. */
    assert_int_equal(send_by(bench, 0, 20), 3 * FRAME_CREDITS);
    assert_int_equal(stat(bench, to, SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED),
                     6 * FRAME_CREDITS);
}

static void
test_a_receiver_counts_what_it_stores_and_frees(void **state)
{
    const struct asic_setup *bench = *state;
    const sai_stat_id_t consumed =
        SOFTASIC_CBFC_VC_STAT(0, SOFTASIC_CBFC_VC_RECEIVER_CONSUMED);
    const sai_stat_id_t freed =
        SOFTASIC_CBFC_VC_STAT(0, SOFTASIC_CBFC_VC_RECEIVER_FREED);

    OK(set(bench, from, SAI_PORT_ATTR_SOFTASIC_CBFC_RECEIVER_VCS,
           (sai_attribute_value_t){.u32 = 1}));
    OK(enable(bench, from, true));
    asic_setup_port_bool(*state, to, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    assert_int_equal(send(bench, 7), 0);
    assert_int_equal(stat(bench, from, consumed), 7 * FRAME_CREDITS);
    assert_int_equal(stat(bench, from, freed), 0);
    asic_setup_port_bool(*state, to, SAI_PORT_ATTR_PKT_TX_ENABLE, true);
    assert_int_equal(send(bench, 1), 8);
    assert_int_equal(stat(bench, from, freed), 8 * FRAME_CREDITS);
    assert_true(stat(bench, from, SAI_PORT_STAT_SOFTASIC_CBFC_CF_TX) > 0);
    assert_int_equal(stat(bench, from, SAI_PORT_STAT_SOFTASIC_CBFC_CC_TX), 0);
}

static void
test_what_cannot_be_is_refused(void **state)
{
    const struct asic_setup *bench = *state;
    sai_map_t too_much[] = {{0, 1}, {0, 1}};
    sai_attribute_t mixed[] = {{.id = SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE},
                               {.id = SAI_PORT_ATTR_MTU}};
    const sai_stat_id_t ids[] = {SAI_PORT_STAT_SOFTASIC_CBFC_CC_TX,
                                 SAI_PORT_STAT_IF_IN_OCTETS};
    sai_attribute_t other = {.id = SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE};
    uint64_t values[2] = {17, 17};

    assert_int_equal(
        set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE, 1, too_much),
        SAI_STATUS_ITEM_NOT_FOUND);
    begin(bench, 10);
    assert_int_equal(
        set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_SIZE, 64),
        SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(get(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_SIZE).u32,
                     128);
    assert_int_equal(
        set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE, 1, too_much),
        SAI_STATUS_INVALID_ATTR_VALUE_0); /* Nothing is consumed. */
    assert_int_equal(send(bench, 10), 10);
    assert_int_equal(
        set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE, 2, too_much),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    too_much[0].value = 10 * FRAME_CREDITS;
    too_much[1].key = 1; /* Best effort, so that nothing is freed of VC 0. */
    assert_int_equal(
        set_map(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_UPDATE, 2, too_much),
        SAI_STATUS_INVALID_ATTR_VALUE_0);
    assert_int_equal(stat(bench, to, SAI_PORT_STAT_SOFTASIC_CBFC_SENDER_USED),
                     10 * FRAME_CREDITS);

    assert_int_equal(set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_END, 0),
                     SAI_STATUS_UNKNOWN_ATTRIBUTE_0);
    assert_int_equal(bench->port_api->get_port_attribute(to, 2, mixed),
                     SAI_STATUS_INVALID_ATTRIBUTE_0 - 1);
    assert_int_equal(bench->port_api->get_port_attribute(to, 1, &other),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_int_equal(bench->port_api->get_port_stats(to, 2, ids, values),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(values[0], 17);
    assert_int_equal(bench->port_api->clear_port_stats(to, 1, ids),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(enable(bench, bench->sw, true),
                     SAI_STATUS_INVALID_OBJECT_TYPE);
}

static void
test_the_port_of_the_processor_has_none(void **state)
{
    const struct asic_setup *bench = *state;
    sai_attribute_t cpu = {.id = SAI_SWITCH_ATTR_CPU_PORT};

    OK(bench->switch_api->get_switch_attribute(bench->sw, 1, &cpu));
    assert_int_equal(enable(bench, cpu.value.oid, true),
                     SAI_STATUS_ATTR_NOT_SUPPORTED_0);
}

static int
setup_chassis(void **state)
{
    return asic_setup_setup(state, "jr2-chassis", NULL);
}

static void
test_a_port_of_a_chassis_has_none(void **state)
{
    struct asic_setup *bench = *state;

    assert_true(bench->n_ports > 0);
    to = bench->ports[0];
    assert_int_equal(enable(bench, to, true), SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_false(get(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE).booldata);
}

static void
on_changed(void *context, const struct softasic_front_port *wire)
{
    (void)context;
    (void)wire;
}

static void
on_removed(void *context, uint32_t slot)
{
    (void)context;
    (void)slot;
}

static void
on_left(void *context, uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    (void)context;
    (void)slot;
    (void)bytes;
    (void)n;
}

static void
test_a_port_with_an_interface_has_none(void **state)
{
    static const struct softasic_listener listener = {
        NULL, on_changed, on_removed, on_left, NULL, NULL, NULL};
    static const sai_attribute_t attribute = {SAI_SWITCH_ATTR_INIT_SWITCH,
                                              {.booldata = true}};
    const struct softasic_front *front = softasic_front(SOFTASIC_FRONT_VERSION);
    struct asic_setup *bench = *state;

    OK(bench->switch_api->remove_switch(bench->sw));
    front->listen(&listener);
    OK(bench->switch_api->create_switch(&bench->sw, 1, &attribute));
    to = asic_setup_add_port(bench, 1000);
    OK(set_u32(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_CREDIT_SIZE, 64));
    assert_int_equal(enable(bench, to, true), SAI_STATUS_ATTR_NOT_SUPPORTED_0);
    assert_false(get(bench, SAI_PORT_ATTR_SOFTASIC_CBFC_ENABLE).booldata);
    OK(enable(bench, to, false));
    front->listen(NULL);
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, setup, asic_setup_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_numbers_have_ranges_and_defaults),
        TEST(test_maps_are_read_as_they_were_set),
        TEST(test_wrong_maps_are_refused),
        TEST(test_a_sender_waits_for_credits),
        TEST(test_a_limit_holds_all_channels),
        TEST(test_channels_share_a_pool),
        TEST(test_a_receiver_counts_what_it_stores_and_frees),
        TEST(test_what_cannot_be_is_refused),
        TEST(test_the_port_of_the_processor_has_none),
        cmocka_unit_test_setup_teardown(test_a_port_of_a_chassis_has_none,
                                        setup_chassis, asic_setup_teardown),
        TEST(test_a_port_with_an_interface_has_none),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
