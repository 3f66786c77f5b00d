/* SPDX-License-Identifier: Apache-2.0 */

/* Packet trimming through SAI: what is left of a packet that a queue refuses,
 * where it goes, and who counts it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/random.h"
#include "tests/support/qos_setup.h"

enum {
    CELL = 256,
    FRAME = 200, /* One cell, as is what is left of it. */
    FULL = 1,    /* The queue, and the DSCP, that trims beyond ... */
    FULL_CELLS = 4,
    TRIM = 6, /* The queue for what is left, which holds ... */
    TRIM_CELLS = 3,
    DSCP = 48,
};

#define SWITCH(NAME) SAI_SWITCH_ATTR_PACKET_TRIM_##NAME
#define QUEUE(NAME)  SAI_QUEUE_STAT_##NAME

static sai_status_t
set_switch(struct qos_setup *f, sai_attr_id_t id, sai_attribute_value_t value)
{
    const sai_attribute_t attribute = {id, value};

    return f->bench->switch_api->set_switch_attribute(f->bench->sw, &attribute);
}

static uint64_t
switch_stat(struct qos_setup *f, sai_stat_id_t id)
{
    uint64_t value = UINT64_MAX;

    OK(f->bench->switch_api->get_switch_stats(f->bench->sw, 1, &id, &value));
    return value;
}

/* Makes a profile of 'pool' with a static threshold of so many cells. */
static sai_object_id_t
make_profile(struct qos_setup *f, sai_object_id_t pool, uint64_t cells,
             sai_int32_t action)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC}},
        {SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH, {.u64 = cells * CELL}},
        {SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION, {.s32 = action}},
    };
    sai_object_id_t profile = SAI_NULL_OBJECT_ID;

    OK(f->bench->buffer_api->create_buffer_profile(&profile, f->bench->sw,
                                                   N(attributes), attributes));
    return profile;
}

static void
attach(struct qos_setup *f, uint32_t queue, sai_object_id_t profile)
{
    qos_setup_set_queue(f, queue, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                        OID(profile));
}

/* Port 1 is blocked.  Queue FULL trims to 100 bytes for queue TRIM. */
static int
setup(void **state)
{
    struct qos_setup *f;
    sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 10000 * CELL}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_EGRESS}},
    };

    if (qos_setup_setup(state, NULL) != 0) {
        return -1;
    }
    f = *state;
    OK(f->bench->buffer_api->create_buffer_pool(&f->out, f->bench->sw, N(pool),
                                                pool));
    attach(f, FULL,
           make_profile(
               f, f->out, FULL_CELLS,
               SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM));
    attach(f, TRIM,
           make_profile(f, f->out, TRIM_CELLS,
                        SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP));
    OK(set_switch(f, SWITCH(SIZE), U32(100)));
    OK(set_switch(f, SWITCH(DSCP_VALUE), U8(DSCP)));
    OK(set_switch(f, SWITCH(QUEUE_INDEX), U8(TRIM)));
    qos_setup_block(f, true);
    return 0;
}

/* Sends 'n' frames of 'bytes' for queue 'queue' of port 1. */
static void
send_as(struct qos_setup *f, uint32_t n, uint32_t bytes, uint8_t queue)
{
    struct softasic_sent sent;

    OK(f->bench->ops->send(&(struct softasic_send){.from = f->ports[0],
                                                   .to = f->ports[1],
                                                   .n_frames = n,
                                                   .frame_bytes = bytes,
                                                   .ecn = 2,
                                                   .dscp = queue},
                           &sent));
}

static void
send(struct qos_setup *f, uint32_t n)
{
    send_as(f, n, FRAME, FULL);
}

/* Lets all leave that waits at port 1, and notes it. */
static void
drain(struct qos_setup *f)
{
    qos_setup_watch(f);
    qos_setup_block(f, false);
    qos_setup_drain(f);
    qos_setup_block(f, true);
}

/* Expects that 'n' of the noted frames left by 'queue', each as it says. */
static void
expect_left(const struct qos_setup *f, uint32_t n, uint8_t queue,
            uint32_t bytes, int8_t dscp)
{
    uint32_t found = 0;

    for (uint32_t i = 0; i < f->n_left; i++) {
        if (f->left[i].queue_index == queue) {
            assert_int_equal(f->left[i].frame_bytes, bytes);
            assert_int_equal(f->left[i].dscp, dscp);
            assert_int_equal(f->left[i].ecn, 2);
            found++;
        }
    }
    assert_int_equal(found, n);
}

/* Expects these counters of queue FULL, of port 1 and of the switch. */
static void
expect_trims(struct qos_setup *f, uint64_t trimmed, uint64_t sent,
             uint64_t dropped)
{
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(TRIM_PACKETS)),
                     trimmed);
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(TX_TRIM_PACKETS)),
                     sent);
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_TRIM_PACKETS)),
                     dropped);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_TRIM_PACKETS),
                     trimmed);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_TX_TRIM_PACKETS),
                     sent);
    assert_int_equal(
        qos_setup_port_stat(f, 1, SAI_PORT_STAT_DROPPED_TRIM_PACKETS), dropped);
    assert_int_equal(switch_stat(f, SAI_SWITCH_STAT_TX_TRIM_PACKETS), sent);
    assert_int_equal(switch_stat(f, SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS),
                     dropped);
}

static void
test_what_is_left_leaves_by_another_queue(void **state)
{
    struct qos_setup *f = *state;

    send(f, FULL_CELLS + 2);
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_PACKETS)), 2);
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_BYTES)),
                     2 * FRAME);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_DISCARDS),
                     2);
    expect_trims(f, 2, 0, 0);
    drain(f);
    assert_int_equal(f->n_left, FULL_CELLS + 2);
    expect_left(f, FULL_CELLS, FULL, FRAME, FULL);
    expect_left(f, 2, TRIM, 100, DSCP);
    expect_trims(f, 2, 2, 0);
    assert_int_equal(qos_setup_queue_stat(f, TRIM, QUEUE(PACKETS)), 2);
    assert_int_equal(qos_setup_queue_stat(f, TRIM, QUEUE(BYTES)), 200);
    assert_int_equal(qos_setup_queue_stat(f, TRIM, QUEUE(TRIM_PACKETS)), 0);
    /* The sender's packets arrived once each. */
    assert_int_equal(qos_setup_port_stat(f, 0, SAI_PORT_STAT_IF_IN_UCAST_PKTS),
                     FULL_CELLS + 2);
}

static void
test_full_trim_queue(void **state)
{
    struct qos_setup *f = *state;

    send(f, FULL_CELLS + TRIM_CELLS + 2);
    expect_trims(f, TRIM_CELLS + 2, 0, 2);
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_PACKETS)),
                     TRIM_CELLS + 2);
    /* What is left and not admitted is no second drop. */
    assert_int_equal(qos_setup_queue_stat(f, TRIM, QUEUE(DROPPED_PACKETS)), 0);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_DISCARDS),
                     TRIM_CELLS + 2);
    drain(f);
    expect_left(f, TRIM_CELLS, TRIM, 100, DSCP);
    expect_trims(f, TRIM_CELLS + 2, TRIM_CELLS, 2);
}

static void
test_short_packet_stays_whole(void **state)
{
    struct qos_setup *f = *state;

    send_as(f, FULL_CELLS + 1, 80, FULL);
    drain(f);
    expect_left(f, FULL_CELLS, FULL, 80, FULL);
    expect_left(f, 1, TRIM, 80, DSCP);
    expect_trims(f, 1, 1, 0);
}

/* A packet for the trim queue itself is not trimmed. */
static void
test_queue_that_only_drops(void **state)
{
    struct qos_setup *f = *state;

    send_as(f, TRIM_CELLS + 1, FRAME, TRIM);
    assert_int_equal(qos_setup_queue_stat(f, TRIM, QUEUE(DROPPED_PACKETS)), 1);
    expect_trims(f, 0, 0, 0);
    drain(f);
    assert_int_equal(f->n_left, TRIM_CELLS);
}

static void
test_action_follows_the_profile(void **state)
{
    struct qos_setup *f = *state;
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};
    sai_attribute_t action = {
        SAI_BUFFER_PROFILE_ATTR_PACKET_ADMISSION_FAIL_ACTION,
        {.s32 = SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP}};

    OK(f->bench->queue_api->get_queue_attribute(qos_setup_queue(f, FULL), 1,
                                                &attribute));
    OK(f->bench->buffer_api->set_buffer_profile_attribute(attribute.value.oid,
                                                          &action));
    send(f, FULL_CELLS + 1);
    expect_trims(f, 0, 0, 0);
    action.value.s32 =
        SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM;
    OK(f->bench->buffer_api->set_buffer_profile_attribute(attribute.value.oid,
                                                          &action));
    send(f, 1);
    expect_trims(f, 1, 0, 0);
    attach(f, FULL, SAI_NULL_OBJECT_ID);
    send(f, 1);
    expect_trims(f, 1, 0, 0);
}

/* A profile that the queue cannot take changes nothing. */
static void
test_refused_profile(void **state)
{
    struct qos_setup *f = *state;
    sai_attribute_t pool[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = 10000 * CELL}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = SAI_BUFFER_POOL_TYPE_INGRESS}},
    };
    sai_attribute_t attribute = {.id = SAI_QUEUE_ATTR_BUFFER_PROFILE_ID};
    sai_object_id_t in;

    OK(f->bench->buffer_api->create_buffer_pool(&in, f->bench->sw, N(pool),
                                                pool));
    attribute.value.oid =
        make_profile(f, in, FULL_CELLS,
                     SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP);
    assert_int_not_equal(f->bench->queue_api->set_queue_attribute(
                             qos_setup_queue(f, FULL), &attribute),
                         SAI_STATUS_SUCCESS);
    send(f, FULL_CELLS + 1);
    expect_trims(f, 1, 0, 0);
}

/* DSCP by the map of the port from traffic class and color, queue by DSCP. */
static void
test_dscp_from_class_and_queue_from_dscp(void **state)
{
    struct qos_setup *f = *state;
    const sai_qos_map_t pairs[] = {
        {.key = {.tc = 5, .color = SAI_PACKET_COLOR_GREEN},
         .value = {.dscp = 7}},
        {.key = {.tc = FULL, .color = SAI_PACKET_COLOR_GREEN},
         .value = {.dscp = 33}},
    };

    OK(set_switch(f, SWITCH(TC_VALUE), U8(5)));
    OK(set_switch(f, SWITCH(DSCP_RESOLUTION_MODE),
                  S32(SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_FROM_TC)));
    OK(set_switch(f, SWITCH(QUEUE_RESOLUTION_MODE),
                  S32(SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_DYNAMIC)));
    qos_setup_set_port(
        f, 1, SAI_PORT_ATTR_QOS_TC_AND_COLOR_TO_DSCP_MAP,
        OID(qos_setup_map(f, SAI_QOS_MAP_TYPE_TC_AND_COLOR_TO_DSCP, N(pairs),
                          pairs)));
    send(f, FULL_CELLS + 1);
    drain(f);
    expect_left(f, FULL_CELLS, FULL, FRAME, 33);
    expect_left(f, 1, 7, 100, 7);

    /* A DSCP of its own is not rewritten by the map when it leaves. */
    OK(set_switch(f, SWITCH(DSCP_RESOLUTION_MODE),
                  S32(SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_DSCP_VALUE)));
    OK(set_switch(f, SWITCH(DSCP_VALUE), U8(FULL)));
    OK(set_switch(f, SWITCH(QUEUE_RESOLUTION_MODE),
                  S32(SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_STATIC)));
    send(f, FULL_CELLS + 1);
    drain(f);
    expect_left(f, 1, TRIM, 100, FULL);
}

/* A port that goes down discards what waits. */
static void
test_port_down(void **state)
{
    struct qos_setup *f = *state;

    send(f, FULL_CELLS + 2);
    expect_trims(f, 2, 0, 0);
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_ADMIN_STATE, BOOL(false));
    expect_trims(f, 2, 0, 2);
}

static void
test_counters_are_cleared(void **state)
{
    struct qos_setup *f = *state;
    const sai_stat_id_t of_queue = QUEUE(TRIM_PACKETS);
    const sai_stat_id_t of_switch = SAI_SWITCH_STAT_TX_TRIM_PACKETS;

    send(f, FULL_CELLS + 2);
    drain(f);
    OK(f->bench->queue_api->clear_queue_stats(qos_setup_queue(f, FULL), 1,
                                              &of_queue));
    OK(f->bench->switch_api->clear_switch_stats(f->bench->sw, 1, &of_switch));
    assert_int_equal(qos_setup_queue_stat(f, FULL, of_queue), 0);
    assert_int_equal(switch_stat(f, of_switch), 0);
    /* Others keep theirs. */
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(TX_TRIM_PACKETS)), 2);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_TRIM_PACKETS), 2);
}

static void
test_what_the_switch_does_not_have(void **state)
{
    struct qos_setup *f = *state;
    const struct {
        sai_attr_id_t id;
        sai_attribute_value_t value;
    } wrong[] = {
        {SWITCH(SIZE), U32(0)},         {SWITCH(SIZE), U32(59)},
        {SWITCH(SIZE), U32(65536)},     {SWITCH(DSCP_VALUE), U8(64)},
        {SWITCH(QUEUE_INDEX), U8(255)}, {SWITCH(TC_VALUE), U8(255)},
    };

    for (size_t i = 0; i < N(wrong); i++) {
        assert_int_equal(set_switch(f, wrong[i].id, wrong[i].value),
                         SAI_STATUS_INVALID_ATTR_VALUE_0);
    }
    send(f, FULL_CELLS + 1);
    drain(f);
    expect_left(f, 1, TRIM, 100, DSCP);
}

/* trimmed = sent + dropped + those that wait, whatever happens. */
static void
test_balance(void **state)
{
    struct qos_setup *f = *state;
    struct random random;

    random_init(&random, 7);
    for (int step = 0; step < 500; step++) {
        const uint64_t what = random_below(&random, 8);
        uint64_t waiting;

        if (what == 0) {
            drain(f);
        } else if (what == 1) {
            qos_setup_set_port(f, 1, SAI_PORT_ATTR_ADMIN_STATE, BOOL(false));
            qos_setup_set_port(f, 1, SAI_PORT_ATTR_ADMIN_STATE, BOOL(true));
        } else {
            send_as(f, (uint32_t)random_below(&random, 4),
                    64 + (uint32_t)random_below(&random, 1500), FULL);
        }
        waiting = 0;
        if (qos_setup_queue_stat(f, TRIM, QUEUE(CURR_OCCUPANCY_BYTES))) {
            /* Each takes one cell. */
            waiting =
                qos_setup_queue_stat(f, TRIM, QUEUE(CURR_OCCUPANCY_CELLS));
        }
        assert_int_equal(
            qos_setup_queue_stat(f, FULL, QUEUE(TRIM_PACKETS)),
            qos_setup_queue_stat(f, FULL, QUEUE(TX_TRIM_PACKETS)) +
                qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_TRIM_PACKETS)) +
                waiting);
        assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_PACKETS)),
                         qos_setup_queue_stat(f, FULL, QUEUE(TRIM_PACKETS)));
        assert_int_equal(qos_setup_queue_stat(f, TRIM, QUEUE(PACKETS)),
                         qos_setup_queue_stat(f, FULL, QUEUE(TX_TRIM_PACKETS)));
    }
    assert_true(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_TRIM_PACKETS)));
    assert_true(qos_setup_queue_stat(f, FULL, QUEUE(TX_TRIM_PACKETS)));
}

#define TEST(name)                                                             \
    cmocka_unit_test_setup_teardown(name, setup, qos_setup_teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_what_is_left_leaves_by_another_queue),
        TEST(test_full_trim_queue),
        TEST(test_short_packet_stays_whole),
        TEST(test_queue_that_only_drops),
        TEST(test_action_follows_the_profile),
        TEST(test_refused_profile),
        TEST(test_dscp_from_class_and_queue_from_dscp),
        TEST(test_port_down),
        TEST(test_counters_are_cleared),
        TEST(test_what_the_switch_does_not_have),
        TEST(test_balance),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
