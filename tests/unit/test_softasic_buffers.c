/* SPDX-License-Identifier: Apache-2.0 */

/* The buffer through SAI: how packets are lost, each way with its own counter,
 * and what they give back; pools with thresholds of several modes and with less
 * headroom than was promised. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/qos_setup.h"

enum {
    PORTS = 3,
    CELL = 256,
    FRAME = 200, /* One cell. */
    AGE_US = 50,
};

#define US INT64_C(1000000)

#define PG(NAME) SAI_INGRESS_PRIORITY_GROUP_STAT_##NAME

static sai_object_id_t
make_pool(struct qos_setup *f, sai_int32_t type, uint64_t cells,
          uint64_t headroom)
{
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_POOL_ATTR_SIZE, {.u64 = cells * CELL}},
        {SAI_BUFFER_POOL_ATTR_TYPE, {.s32 = type}},
        {SAI_BUFFER_POOL_ATTR_XOFF_SIZE, {.u64 = headroom * CELL}},
    };
    sai_object_id_t pool = SAI_NULL_OBJECT_ID;

    OK(f->bench->buffer_api->create_buffer_pool(&pool, f->bench->sw,
                                                headroom ? 3 : 2, attributes));
    return pool;
}

/* Makes a profile of 'pool' with a static threshold of so many cells, or, if
 * that is negative, alpha = 2^static_cells. */
static sai_object_id_t
make_profile(struct qos_setup *f, sai_object_id_t pool, int64_t static_cells,
             uint64_t xoff_cells)
{
    const bool is_static = static_cells >= 0;
    const sai_attribute_t attributes[] = {
        {SAI_BUFFER_PROFILE_ATTR_POOL_ID, {.oid = pool}},
        {SAI_BUFFER_PROFILE_ATTR_RESERVED_BUFFER_SIZE, {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_THRESHOLD_MODE,
         {.s32 = is_static ? SAI_BUFFER_PROFILE_THRESHOLD_MODE_STATIC
                           : SAI_BUFFER_PROFILE_THRESHOLD_MODE_DYNAMIC}},
        {is_static ? SAI_BUFFER_PROFILE_ATTR_SHARED_STATIC_TH
                   : SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH,
         {.u64 = 0}},
        {SAI_BUFFER_PROFILE_ATTR_XOFF_TH, {.u64 = xoff_cells * CELL}},
    };
    sai_attribute_t copies[N(attributes)];
    sai_object_id_t profile = SAI_NULL_OBJECT_ID;

    for (size_t i = 0; i < N(attributes); i++) {
        copies[i] = attributes[i];
    }
    if (is_static) {
        copies[3].value.u64 = (uint64_t)static_cells * CELL;
    } else {
        copies[3].value.s8 = (int8_t)static_cells;
    }
    OK(f->bench->buffer_api->create_buffer_profile(
        &profile, f->bench->sw, xoff_cells ? N(copies) : N(copies) - 1,
        copies));
    return profile;
}

static sai_object_id_t
pg_of(struct qos_setup *f, uint32_t port, uint32_t index)
{
    return asic_setup_child(f->bench, f->ports[port],
                            SAI_PORT_ATTR_INGRESS_PRIORITY_GROUP_LIST, index);
}

static void
set_pg(struct qos_setup *f, uint32_t port, uint32_t index,
       sai_object_id_t profile)
{
    const sai_attribute_t attribute = {
        SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE, {.oid = profile}};

    OK(f->bench->buffer_api->set_ingress_priority_group_attribute(
        pg_of(f, port, index), &attribute));
}

static uint64_t
pg_stat(struct qos_setup *f, uint32_t index, sai_stat_id_t id)
{
    uint64_t value = UINT64_MAX;

    OK(f->bench->buffer_api->get_ingress_priority_group_stats(
        pg_of(f, 0, index), 1, &id, &value));
    return value;
}

static uint64_t
pool_stat(struct qos_setup *f, sai_object_id_t pool, sai_stat_id_t id)
{
    uint64_t value = UINT64_MAX;

    OK(f->bench->buffer_api->get_buffer_pool_stats(pool, 1, &id, &value));
    return value;
}

static uint64_t
queued(struct qos_setup *f, uint32_t index)
{
    return qos_setup_queue_stat(f, index, SAI_QUEUE_STAT_CURR_OCCUPANCY_CELLS);
}

static uint64_t
held(struct qos_setup *f, uint32_t index)
{
    return pg_stat(f, index, PG(CURR_OCCUPANCY_CELLS));
}

/* Sends from port 0 to port 1.  Returns what came of it. */
static struct softasic_sent
send(struct qos_setup *f, uint32_t n, uint8_t dscp, enum softasic_until until)
{
    struct softasic_sent sent;

    OK(f->bench->ops->send(&(struct softasic_send){.from = f->ports[0],
                                                   .to = f->ports[1],
                                                   .n_frames = n,
                                                   .frame_bytes = FRAME,
                                                   .dscp = dscp,
                                                   .until = until},
                           &sent));
    return sent;
}

/* Unblocks port 1.  Returns the frames that leave. */
static uint64_t
drain(struct qos_setup *f)
{
    uint64_t n = UINT64_MAX;

    qos_setup_block(f, false);
    OK(f->bench->ops->settle(&n));
    return n;
}

/* Port 1 is blocked. */
static int
setup_as(void **state, const char *set)
{
    if (qos_setup_setup(state, set) != 0) {
        return -1;
    }
    qos_setup_set_port(*state, 0, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                       U8(0x18));
    qos_setup_block(*state, true);
    return 0;
}

static int
setup(void **state)
{
    return setup_as(state, NULL);
}

/* A chip that has no ports to spare, nor what is kept for them. */
static int
setup_few_ports(void **state)
{
    return setup_as(state, "{ports: 3, default_ports: 0, pools: 48}");
}

static int
setup_ageing(void **state)
{
    return setup_as(state, "{packet_age_us: 50}");
}

/* Gives PG and queue 3 a lossless class that pauses at the tenth frame. */
static void
make_lossless(struct qos_setup *f)
{
    f->in = make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 10000, 0);
    f->out = make_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 10000, 0);
    set_pg(f, 0, 3, make_profile(f, f->in, 10, 100));
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                        OID(make_profile(f, f->out, 9000, 0)));
}

/* After frames of class 3 were taken out of the buffer unsent: nothing is left
 * of them, and their sender may go on. */
static void
assert_given_back(struct qos_setup *f)
{
    const sai_stat_id_t level = SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_CELLS;
    struct softasic_pg_state pg;

    assert_int_equal(queued(f, 3), 0);
    assert_int_equal(held(f, 3), 0);
    assert_int_equal(pool_stat(f, f->in, level), 0);
    assert_int_equal(pool_stat(f, f->out, level), 0);
    OK(f->bench->ops->pg_state(pg_of(f, 0, 3), &pg));
    assert_false(pg.xoff);
    /* Its pause is over at the end of the frame that says so. */
    OK(f->bench->ops->run(US));
    assert_int_equal(qos_setup_port_stat(f, 0, SAI_PORT_STAT_PFC_3_TX_PKTS), 2);
}

/* Losses ---------------------------------------------------------------- */

static void
test_frames_are_lost_when_they_are_too_old(void **state)
{
    struct qos_setup *f = *state;

    send(f, 1, 5, SOFTASIC_UNTIL_COUNT);
    OK(f->bench->ops->run(AGE_US * US - 1));
    assert_int_equal(queued(f, 5), 1);
    OK(f->bench->ops->run(1));
    assert_int_equal(queued(f, 5), 0);
    assert_int_equal(held(f, 5), 0);
    assert_int_equal(qos_setup_queue_stat(f, 5, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     1);
    assert_int_equal(qos_setup_queue_stat(f, 5, SAI_QUEUE_STAT_DROPPED_BYTES),
                     FRAME);

    make_lossless(f);
    assert_int_equal(send(f, 12, 3, SOFTASIC_UNTIL_XOFF).n_frames, 10);
    send(f, 2, 3, SOFTASIC_UNTIL_COUNT);
    OK(f->bench->ops->run(AGE_US * US));
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     12);
    assert_given_back(f);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_DISCARDS),
                     13);
    assert_int_equal(qos_setup_port_stat(f, 0, SAI_PORT_STAT_IF_IN_DISCARDS),
                     0);
    assert_int_equal(pg_stat(f, 3, PG(DROPPED_PACKETS)), 0);
    assert_int_equal(drain(f), 0);
    send(f, 3, 3, SOFTASIC_UNTIL_COUNT);
    OK(f->bench->ops->settle(NULL));
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_PACKETS), 3);
}

/* SAI has no attribute that says "flush"; recovery from a deadlock that is
 * started by hand is what there is. */
static void
test_a_queue_is_flushed_by_recovery(void **state)
{
    struct qos_setup *f = *state;

    make_lossless(f);
    send(f, 12, 3, SOFTASIC_UNTIL_COUNT);
    send(f, 7, 4, SOFTASIC_UNTIL_COUNT);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_PFC_DLR_INIT, BOOL(true));
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     12);
    assert_int_equal(queued(f, 4), 7);
    assert_int_equal(pool_stat(f, f->in, SAI_BUFFER_POOL_STAT_WATERMARK_CELLS),
                     10);
    assert_given_back(f);
    /* What comes meanwhile shares its fate ... */
    send(f, 5, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(queued(f, 3), 0);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     17);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_DISCARDS),
                     17);
    /* ... and what comes later does not. */
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_PFC_DLR_INIT, BOOL(false));
    send(f, 4, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(queued(f, 3), 4);
    assert_int_equal(drain(f), 7 + 4);
}

/* Nor does the end of a recovery that forwards leave anything behind: pauses
 * hold the queue again. */
static void
test_recovery_that_forwards_ends(void **state)
{
    struct qos_setup *f = *state;
    const struct softasic_pause pause = {.priorities = 0x08, .quanta = 0xffff};
    const sai_attribute_t forward = {SAI_QUEUE_ATTR_PFC_DLR_PACKET_ACTION,
                                     {.s32 = SAI_PACKET_ACTION_FORWARD}};

    qos_setup_block(f, false);
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                       (sai_attribute_value_t){.u8 = 0x08});
    OK(f->bench->queue_api->set_queue_attribute(qos_setup_queue(f, 3),
                                                &forward));
    OK(f->bench->ops->pause(f->ports[1], &pause));
    send(f, 4, 3, SOFTASIC_UNTIL_COUNT);
    OK(f->bench->ops->settle(NULL));
    assert_int_equal(queued(f, 3), 4);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_PFC_DLR_INIT, BOOL(true));
    OK(f->bench->ops->settle(NULL));
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_PACKETS), 4);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     0);
    qos_setup_set_queue(f, 3, SAI_QUEUE_ATTR_PFC_DLR_INIT, BOOL(false));
    OK(f->bench->ops->pause(f->ports[1], &pause));
    send(f, 4, 3, SOFTASIC_UNTIL_COUNT);
    OK(f->bench->ops->settle(NULL));
    assert_int_equal(queued(f, 3), 4);
}

static void
test_port_that_goes_down_loses_its_queues(void **state)
{
    struct qos_setup *f = *state;
    struct softasic_port_state port;

    make_lossless(f);
    send(f, 12, 3, SOFTASIC_UNTIL_COUNT);
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_ADMIN_STATE, BOOL(false));
    assert_given_back(f);
    OK(f->bench->ops->port_state(f->ports[1], &port));
    assert_int_equal(port.n_tx_dropped, 12);
    assert_int_equal(port.n_queued, 0);
    qos_setup_set_port(f, 1, SAI_PORT_ATTR_ADMIN_STATE, BOOL(true));
    assert_int_equal(drain(f), 0);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_UCAST_PKTS),
                     0);
}

static void
test_each_loss_has_its_counter(void **state)
{
    struct qos_setup *f = *state;
    struct softasic_sent sent;

    f->in = make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 10000, 0);
    f->out = make_pool(f, SAI_BUFFER_POOL_TYPE_EGRESS, 10000, 0);
    set_pg(f, 0, 1, make_profile(f, f->in, 10, 0)); /* Lossy at ingress. */
    qos_setup_set_queue(f, 2, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
                        OID(make_profile(f, f->out, 10, 0))); /* At egress. */
    set_pg(f, 0, 3, make_profile(f, f->in, 10, 5)); /* Beyond headroom. */
    sent = send(f, 14, 1, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(sent.n_dropped_ingress, 4);
    sent = send(f, 13, 2, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(sent.n_dropped_egress, 3);
    assert_int_equal(sent.n_dropped_ingress, 0);
    sent = send(f, 17, 3, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(sent.n_dropped_ingress, 2);

    assert_int_equal(pg_stat(f, 1, PG(DROPPED_PACKETS)), 4);
    assert_int_equal(pg_stat(f, 2, PG(DROPPED_PACKETS)), 0);
    assert_int_equal(pg_stat(f, 3, PG(DROPPED_PACKETS)), 2);
    assert_int_equal(qos_setup_queue_stat(f, 1, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     0);
    assert_int_equal(qos_setup_queue_stat(f, 2, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     3);
    assert_int_equal(qos_setup_queue_stat(f, 3, SAI_QUEUE_STAT_DROPPED_PACKETS),
                     0);
    assert_int_equal(
        qos_setup_queue_stat(f, 2, SAI_QUEUE_STAT_WRED_DROPPED_PACKETS), 0);
    assert_int_equal(qos_setup_port_stat(f, 0, SAI_PORT_STAT_IF_IN_DISCARDS),
                     6);
    assert_int_equal(qos_setup_port_stat(f, 1, SAI_PORT_STAT_IF_OUT_DISCARDS),
                     3);
    assert_int_equal(pool_stat(f, f->in, SAI_BUFFER_POOL_STAT_DROPPED_PACKETS),
                     6);
    assert_int_equal(pool_stat(f, f->out, SAI_BUFFER_POOL_STAT_DROPPED_PACKETS),
                     3);
}

/* Pools ----------------------------------------------------------------- */

static void
test_thresholds_of_both_modes_share_a_pool(void **state)
{
    struct qos_setup *f = *state;

    f->in = make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 1000, 0);
    set_pg(f, 0, 3, make_profile(f, f->in, 100, 50));
    set_pg(f, 0, 4, make_profile(f, f->in, -1, 50));
    /* 100 of its own; then the first u with u >= floor((1000 - 100 - u) / 2),
     * which is 300: both count for the one whose threshold moves. */
    assert_int_equal(send(f, 1000, 3, SOFTASIC_UNTIL_XOFF).n_frames, 100);
    assert_int_equal(send(f, 1000, 4, SOFTASIC_UNTIL_XOFF).n_frames, 300);
    assert_int_equal(
        pool_stat(f, f->in, SAI_BUFFER_POOL_STAT_CURR_OCCUPANCY_CELLS), 400);
    /* Headroom is private: 50 frames each. */
    assert_int_equal(send(f, 99, 3, SOFTASIC_UNTIL_DROP).n_frames, 51);
    assert_int_equal(send(f, 99, 4, SOFTASIC_UNTIL_DROP).n_frames, 51);
    assert_int_equal(drain(f), 500);
}

static void
test_headroom_may_be_promised_twice(void **state)
{
    struct qos_setup *f = *state;
    sai_object_id_t profile;

    f->in = make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 1000, 100);
    profile = make_profile(f, f->in, 10, 80);
    set_pg(f, 0, 3, profile);
    set_pg(f, 0, 4, profile);
    send(f, 10, 3, SOFTASIC_UNTIL_COUNT);
    send(f, 10, 4, SOFTASIC_UNTIL_COUNT);
    /* The first has all that it may; the second what the pool has left. */
    assert_int_equal(send(f, 99, 3, SOFTASIC_UNTIL_DROP).n_frames, 81);
    assert_int_equal(send(f, 99, 4, SOFTASIC_UNTIL_DROP).n_frames, 21);
    assert_int_equal(
        pool_stat(f, f->in,
                  SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_CELLS),
        100);
    assert_int_equal(drain(f), 120);
    assert_int_equal(
        pool_stat(f, f->in,
                  SAI_BUFFER_POOL_STAT_XOFF_ROOM_CURR_OCCUPANCY_CELLS),
        0);
    assert_int_equal(
        pool_stat(f, f->in, SAI_BUFFER_POOL_STAT_XOFF_ROOM_WATERMARK_CELLS),
        100);
}

/* Returns the answer to moving PG 'index' of port 0 to 'profile', which is what
 * it has then, or has not. */
static sai_status_t
move_pg(struct qos_setup *f, uint32_t index, sai_object_id_t profile)
{
    const sai_object_id_t pg = pg_of(f, 0, index);
    sai_attribute_t attribute = {SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
                                 {.oid = profile}};
    sai_status_t status =
        f->bench->buffer_api->set_ingress_priority_group_attribute(pg,
                                                                   &attribute);

    OK(f->bench->buffer_api->get_ingress_priority_group_attribute(pg, 1,
                                                                  &attribute));
    assert_int_equal(attribute.value.oid == profile,
                     status == SAI_STATUS_SUCCESS);
    return status;
}

/* A PG whose cells drain from too many pools has to wait, which is no fault of
 * the profile: once they have left, the same call succeeds. */
static void
test_a_pg_that_drains_from_many_pools_waits(void **state)
{
    struct qos_setup *f = *state;
    sai_status_t status = SAI_STATUS_SUCCESS;
    sai_object_id_t profile = SAI_NULL_OBJECT_ID;
    uint32_t index = 0;

    for (int pool = 0; pool < 24 && status == SAI_STATUS_SUCCESS; pool++) {
        profile = make_profile(
            f, make_pool(f, SAI_BUFFER_POOL_TYPE_INGRESS, 100, 0), 50, 0);
        for (index = 0; index < 8; index++) {
            status = move_pg(f, index, profile);
            if (status != SAI_STATUS_SUCCESS) {
                break;
            }
            assert_int_equal(send(f, 1, (uint8_t)index, SOFTASIC_UNTIL_COUNT)
                                 .n_dropped_ingress,
                             0);
        }
    }
    assert_int_equal(status, SAI_STATUS_INSUFFICIENT_RESOURCES);
    assert_int_equal(
        send(f, 1, (uint8_t)index, SOFTASIC_UNTIL_COUNT).n_dropped_ingress, 0);
    assert_true(drain(f) > 8);
    assert_int_equal(move_pg(f, index, profile), SAI_STATUS_SUCCESS);
    assert_int_equal(f->bench->buffer_api->remove_buffer_profile(profile),
                     SAI_STATUS_OBJECT_IN_USE);
}

/* Returns how many cells a frame of 'bytes' without FCS takes in a queue of a
 * td2, whose cells have 208 bytes, with the keys 'set' of its chip file. */
static uint64_t
cells_of(const char *set, uint32_t bytes)
{
    enum { TD2_CELL = 208 };
    static const sai_stat_id_t id = SAI_QUEUE_STAT_CURR_OCCUPANCY_BYTES;
    struct softasic_send frame = {.n_frames = 1, .frame_bytes = bytes};
    struct softasic_sent sent;
    struct asic_setup *bench;
    uint64_t occupancy;
    void *state;

    assert_int_equal(asic_setup_setup(&state, "td2", set), 0);
    bench = state;
    frame.from = bench->ports[0];
    frame.to = bench->ports[1];
    asic_setup_port_bool(bench, frame.from, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, frame.to, SAI_PORT_ATTR_ADMIN_STATE, true);
    asic_setup_port_bool(bench, frame.to, SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    OK(bench->ops->send(&frame, &sent));
    assert_int_equal(sent.n_dropped_egress + sent.n_dropped_ingress, 0);
    OK(bench->queue_api->get_queue_stats(sent.queue, 1, &id, &occupancy));
    assert_int_equal(asic_setup_teardown(&state), 0);
    assert_int_equal(occupancy % TD2_CELL, 0);
    return occupancy / TD2_CELL;
}

/* Frames have no FCS here; a key of the chip counts it. */
static void
test_fcs_matters_at_the_edge_of_a_cell(void **state)
{
    static const char fcs[] = "packet_overhead_bytes: 4";

    (void)state;
    assert_int_equal(cells_of(NULL, 64), 1);
    assert_int_equal(cells_of(NULL, 208), 1);
    assert_int_equal(cells_of(NULL, 209), 2);
    assert_int_equal(cells_of(fcs, 64), 1);
    assert_int_equal(cells_of(fcs, 204), 1);
    assert_int_equal(cells_of(fcs, 205), 2);
    assert_int_equal(cells_of(fcs, 412), 2);
    assert_int_equal(cells_of(fcs, 413), 3);
}

int
main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, qos_setup_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            test_frames_are_lost_when_they_are_too_old, setup_ageing,
            qos_setup_teardown),
        T(test_a_queue_is_flushed_by_recovery),
        T(test_recovery_that_forwards_ends),
        T(test_port_that_goes_down_loses_its_queues),
        T(test_each_loss_has_its_counter),
        T(test_thresholds_of_both_modes_share_a_pool),
        T(test_headroom_may_be_promised_twice),
        cmocka_unit_test(test_fcs_matters_at_the_edge_of_a_cell),
        cmocka_unit_test_setup_teardown(
            test_a_pg_that_drains_from_many_pools_waits, setup_few_ports,
            qos_setup_teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
