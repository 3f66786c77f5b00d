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

    OK(set_switch(f, SWITCH(DSCP_RESOLUTION_MODE),
                  S32(SAI_PACKET_TRIM_DSCP_RESOLUTION_MODE_FROM_TC)));
    OK(set_switch(f, SWITCH(QUEUE_RESOLUTION_MODE),
                  S32(SAI_PACKET_TRIM_QUEUE_RESOLUTION_MODE_DYNAMIC)));
    OK(set_switch(f, SWITCH(TC_VALUE), U8(5)));
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

/* Returns a number of the switch, which is at most 255, as an u8. */
static sai_attribute_value_t
number_of(struct qos_setup *f, sai_attr_id_t id)
{
    sai_attribute_t attribute = {.id = id};

    OK(f->bench->switch_api->get_switch_attribute(f->bench->sw, 1, &attribute));
    return U8(id == SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES
                  ? (uint8_t)attribute.value.u32
                  : attribute.value.u8);
}

static void
test_what_the_switch_does_not_have(void **state)
{
    struct qos_setup *f = *state;
    const struct {
        sai_attr_id_t id;
        sai_attribute_value_t value;
    } wrong[] = {
        {SWITCH(SIZE), U32(0)},
        {SWITCH(SIZE), U32(59)},
        {SWITCH(SIZE), U32(65536)},
        {SWITCH(DSCP_VALUE), U8(64)},
        {SWITCH(QUEUE_INDEX), U8(255)},
        {SWITCH(TC_VALUE), U8(255)},
        {SWITCH(QUEUE_INDEX),
         number_of(f, SAI_SWITCH_ATTR_NUMBER_OF_UNICAST_QUEUES)},
        {SWITCH(TC_VALUE),
         number_of(f, SAI_SWITCH_ATTR_QOS_MAX_NUMBER_OF_TRAFFIC_CLASSES)},
    };

    for (size_t i = 0; i < N(wrong); i++) {
        assert_int_equal(set_switch(f, wrong[i].id, wrong[i].value),
                         SAI_STATUS_INVALID_ATTR_VALUE_0);
    }
    send(f, FULL_CELLS + 1);
    drain(f);
    expect_left(f, 1, TRIM, 100, DSCP);
}

/* What an access list exempts is dropped as without trimming, and counted by
 * the list; once the rule is gone it is trimmed again. */
static void
test_access_list_exempts(void **state)
{
    struct qos_setup *f = *state;
    sai_int32_t kinds[] = {SAI_ACL_ACTION_TYPE_PACKET_TRIM_DISABLE,
                           SAI_ACL_ACTION_TYPE_COUNTER};
    sai_attribute_t table_list[] = {
        {SAI_ACL_TABLE_ATTR_ACL_STAGE, S32(SAI_ACL_STAGE_INGRESS)},
        {SAI_ACL_TABLE_ATTR_FIELD_DSCP, BOOL(true)},
        {SAI_ACL_TABLE_ATTR_ACL_ACTION_TYPE_LIST, {.s32list = {2, kinds}}},
    };
    sai_attribute_t counter_list[] = {
        {SAI_ACL_COUNTER_ATTR_TABLE_ID, {.oid = 0}},
        {SAI_ACL_COUNTER_ATTR_ENABLE_PACKET_COUNT, BOOL(true)},
    };
    sai_attribute_t entry_list[] = {
        {SAI_ACL_ENTRY_ATTR_TABLE_ID, {.oid = 0}},
        {SAI_ACL_ENTRY_ATTR_FIELD_DSCP,
         {.aclfield = {.enable = true, .mask.u8 = 63, .data.u8 = FULL}}},
        {SAI_ACL_ENTRY_ATTR_ACTION_PACKET_TRIM_DISABLE,
         {.aclaction = {.enable = true, .parameter.booldata = true}}},
        {SAI_ACL_ENTRY_ATTR_ACTION_COUNTER,
         {.aclaction = {.enable = true, .parameter.oid = 0}}},
    };
    sai_attribute_t packets = {.id = SAI_ACL_COUNTER_ATTR_PACKETS};
    sai_object_id_t table, counter, entry;
    const sai_acl_api_t *acl;
    void *api;

    OK(sai_api_query(SAI_API_ACL, &api));
    acl = api;
    send(f, FULL_CELLS); /* The flow is known. */
    OK(acl->create_acl_table(&table, f->bench->sw, N(table_list), table_list));
    counter_list[0].value.oid = entry_list[0].value.oid = table;
    OK(acl->create_acl_counter(&counter, f->bench->sw, N(counter_list),
                               counter_list));
    entry_list[3].value.aclaction.parameter.oid = counter;
    OK(acl->create_acl_entry(&entry, f->bench->sw, N(entry_list), entry_list));
    qos_setup_set_port(f, 0, SAI_PORT_ATTR_INGRESS_ACL, OID(table));
    send(f, 2);
    expect_trims(f, 0, 0, 0);
    assert_int_equal(qos_setup_queue_stat(f, FULL, QUEUE(DROPPED_PACKETS)), 2);
    OK(acl->get_acl_counter_attribute(counter, 1, &packets));
    assert_int_equal(packets.value.u64, 2);

    /* Another DSCP that leads to the same queue. */
    send_as(f, 1, FRAME, FULL + 8);
    expect_trims(f, 0, 0, 0); /* It has its own queue, 0. */
    entry_list[2].value.aclaction.parameter.booldata = false;
    OK(acl->set_acl_entry_attribute(entry, &entry_list[2]));
    send(f, 1);
    expect_trims(f, 1, 0, 0);
    OK(acl->remove_acl_entry(entry));
    send(f, 1);
    expect_trims(f, 2, 0, 0);
}

/* --- Invariants ----------------------------------------------------------
 *
 * Whatever happens: of each queue, TRIM = TX + DROPPED + what waits; of each
 * port, the sums of its queues; of the switch, the sums of its ports. */

enum {
    N_TRIMMING = 3, /* Queues 1 to 3 trim, ... */
    N_TAKING = 2,   /* ... for queue 6 or 7, which get nothing else. */
    N_OUT = 2,      /* Ports 1 and 2. */
    SEEDS = 20,
    STEPS = 200,
};

struct sums {
    uint64_t trimmed, sent, dropped;
};

static sai_object_id_t
queue_of_port(struct qos_setup *f, uint32_t port, uint32_t index)
{
    sai_object_id_t queues[64];
    sai_attribute_t list = {.id = SAI_PORT_ATTR_QOS_QUEUE_LIST,
                            .value.objlist = {N(queues), queues}};

    OK(f->bench->port_api->get_port_attribute(f->ports[port], 1, &list));
    return queues[index];
}

static uint64_t
queue_stat(struct qos_setup *f, uint32_t port, uint32_t index, sai_stat_id_t id)
{
    uint64_t value;

    OK(f->bench->queue_api->get_queue_stats(queue_of_port(f, port, index), 1,
                                            &id, &value));
    return value;
}

/* Returns the counters of 'port', after having compared them with those of its
 * queues and with what waits: each takes one cell. */
static struct sums
check_port(struct qos_setup *f, uint32_t port)
{
    struct sums sums = {0};
    uint64_t waiting = 0;

    for (uint32_t q = 0; q < 8; q++) {
        const uint64_t trimmed = queue_stat(f, port, q, QUEUE(TRIM_PACKETS));

        sums.trimmed += trimmed;
        sums.sent += queue_stat(f, port, q, QUEUE(TX_TRIM_PACKETS));
        sums.dropped += queue_stat(f, port, q, QUEUE(DROPPED_TRIM_PACKETS));
        if (q >= TRIM) {
            waiting += queue_stat(f, port, q, QUEUE(CURR_OCCUPANCY_CELLS));
            assert_int_equal(trimmed, 0);
        }
        assert_true(queue_stat(f, port, q, QUEUE(DROPPED_PACKETS)) >= trimmed);
    }
    assert_int_equal(sums.trimmed, sums.sent + sums.dropped + waiting);
    assert_int_equal(sums.sent,
                     queue_stat(f, port, TRIM, QUEUE(PACKETS)) +
                         queue_stat(f, port, TRIM + 1, QUEUE(PACKETS)));
    assert_int_equal(qos_setup_port_stat(f, port, SAI_PORT_STAT_TRIM_PACKETS),
                     sums.trimmed);
    assert_int_equal(
        qos_setup_port_stat(f, port, SAI_PORT_STAT_TX_TRIM_PACKETS), sums.sent);
    assert_int_equal(
        qos_setup_port_stat(f, port, SAI_PORT_STAT_DROPPED_TRIM_PACKETS),
        sums.dropped);
    return sums;
}

static struct sums
check(struct qos_setup *f)
{
    struct sums all = {0};

    for (uint32_t port = 1; port <= N_OUT; port++) {
        const struct sums sums = check_port(f, port);

        all.trimmed += sums.trimmed;
        all.sent += sums.sent;
        all.dropped += sums.dropped;
    }
    assert_int_equal(switch_stat(f, SAI_SWITCH_STAT_TX_TRIM_PACKETS), all.sent);
    assert_int_equal(switch_stat(f, SAI_SWITCH_STAT_DROPPED_TRIM_PACKETS),
                     all.dropped);
    return all;
}

/* Does one of the things that may happen. */
static void
disturb(struct qos_setup *f, struct random *random,
        const sai_object_id_t *profiles)
{
    const uint32_t port = 1 + (uint32_t)random_below(random, N_OUT);
    const uint8_t queue = 1 + (uint8_t)random_below(random, N_TRIMMING);
    struct softasic_sent sent;

    switch (random_below(random, 12)) {
    case 0:
        qos_setup_set_port(f, port, SAI_PORT_ATTR_PKT_TX_ENABLE, BOOL(true));
        qos_setup_drain(f);
        qos_setup_set_port(f, port, SAI_PORT_ATTR_PKT_TX_ENABLE, BOOL(false));
        break;
    case 1:
        qos_setup_set_port(f, port, SAI_PORT_ATTR_ADMIN_STATE, BOOL(false));
        qos_setup_set_port(f, port, SAI_PORT_ATTR_ADMIN_STATE, BOOL(true));
        break;
    case 2:
        OK(set_switch(f, SWITCH(SIZE),
                      U32(60 + (uint32_t)random_below(random, 197))));
        break;
    case 3:
        OK(set_switch(f, SWITCH(QUEUE_INDEX),
                      U8(TRIM + (uint8_t)random_below(random, N_TAKING))));
        break;
    case 4: {
        const sai_attribute_t profile = {
            SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
            OID(profiles[random_below(random, 2)])};

        OK(f->bench->queue_api->set_queue_attribute(
            queue_of_port(f, port, queue), &profile));
        break;
    }
    case 5:
        OK(set_switch(f, SWITCH(DSCP_VALUE),
                      U8((uint8_t)random_below(random, 64))));
        break;
    default:
        OK(f->bench->ops->send(
            &(struct softasic_send){
                .from = f->ports[0],
                .to = f->ports[port],
                .n_frames = random_below(random, 6),
                .frame_bytes = 64 + (uint32_t)random_below(random, 1500),
                .dscp = queue,
                .is_not_ip = random_below(random, 10) == 0},
            &sent));
        break;
    }
}

static void
test_invariants(void **state)
{
    struct qos_setup *f = *state;
    const sai_object_id_t profiles[] = {
        make_profile(
            f, f->out, FULL_CELLS,
            SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP_AND_TRIM),
        make_profile(f, f->out, 1,
                     SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP)};
    const sai_object_id_t taking =
        make_profile(f, f->out, TRIM_CELLS,
                     SAI_BUFFER_PROFILE_PACKET_ADMISSION_FAIL_ACTION_DROP);
    struct sums all = {0};

    for (uint32_t port = 1; port <= N_OUT; port++) {
        for (uint32_t q = 1; q < TRIM + N_TAKING; q++) {
            const sai_attribute_t profile = {
                SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                OID(q >= TRIM ? taking : profiles[0])};

            OK(f->bench->queue_api->set_queue_attribute(
                queue_of_port(f, port, q), &profile));
        }
        qos_setup_set_port(f, port, SAI_PORT_ATTR_PKT_TX_ENABLE, BOOL(false));
    }
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        struct random random;

        random_init(&random, seed);
        for (int step = 0; step < STEPS; step++) {
            disturb(f, &random, profiles);
            all = check(f);
        }
    }
    assert_true(all.sent > 100 && all.dropped > 100);
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
        TEST(test_access_list_exempts),
        TEST(test_invariants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
