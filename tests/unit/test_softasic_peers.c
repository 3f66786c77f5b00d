/* SPDX-License-Identifier: Apache-2.0 */

/* What is at the other ends of the wires of softasic: peers that send, obey and
 * storm.
 *
 * Ports of td2 are 40G.  A frame of 976 bytes is 1,000 on the wire: 200 ns; a
 * pause frame is 84: 16.8 ns. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sai/remote/library.h"
#include "tests/support/asic_setup.h"
#include "tests/support/testhost.h"
#include "vendors/softasic/remote/marshal.h"
#include "vendors/softasic/remote/ops_host.h"

enum { LENGTH = 976, METRES = 10 };

#define FRAME_PS INT64_C(200000)
#define CABLE_PS INT64_C(50000)
#define PAUSE_PS INT64_C(16800)

/* 65,535 quanta of 512 bits at 40G. */
#define PAUSED_PS (INT64_C(65535) * 12800)

static void
connect_peer(struct asic_setup *bench, uint32_t port, uint8_t obeys)
{
    const struct softasic_peer peer = {.cable_m = METRES,
                                       .obeys_priorities = obeys};

    asic_setup_port_bool(bench, bench->ports[port], SAI_PORT_ATTR_ADMIN_STATE,
                         true);
    assert_int_equal(bench->ops->peer(bench->ports[port], &peer),
                     SAI_STATUS_SUCCESS);
}

/* A flow from port 0 to port 1. */
static struct softasic_flow
flow_of(struct asic_setup *bench, uint32_t number, uint64_t n)
{
    return (struct softasic_flow){.number = number,
                                  .look = {.from = bench->ports[0],
                                           .to = bench->ports[1],
                                           .frame_bytes = LENGTH},
                                  .n_frames = n};
}

static struct softasic_flow_state
state_of(struct asic_setup *bench, uint32_t number)
{
    struct softasic_flow_state state;

    assert_int_equal(bench->ops->flow_state(number, &state),
                     SAI_STATUS_SUCCESS);
    return state;
}

static struct softasic_peer_state
peer_of(struct asic_setup *bench, uint32_t port)
{
    struct softasic_peer_state state;

    assert_int_equal(bench->ops->peer_state(bench->ports[port], &state),
                     SAI_STATUS_SUCCESS);
    return state;
}

static void
test_a_flow_takes_its_time(void **state)
{
    struct asic_setup *bench = *state;
    struct softasic_flow flow = flow_of(bench, 1, 3);
    struct softasic_flow_state seen;
    int64_t began, now;

    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    flow.bits_per_s = UINT64_C(20000000000); /* Half of the wire. */
    assert_int_equal(bench->ops->now(&began), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->now(&now), SAI_STATUS_SUCCESS);
    seen = state_of(bench, 1);
    assert_int_equal(seen.n_sent, 3);
    assert_int_equal(seen.n_received, 3);
    assert_int_equal(seen.n_received_bytes, 3 * LENGTH);
    assert_int_equal(seen.n_late + seen.n_duplicates + seen.n_marked, 0);
    /* Two wires and two cables; the switch stores and forwards. */
    assert_int_equal(seen.min_ps, 2 * (FRAME_PS + CABLE_PS));
    assert_int_equal(seen.max_ps, seen.min_ps);
    assert_int_equal(seen.last_ps - seen.first_ps, 4 * FRAME_PS);
    assert_int_equal(now, seen.last_ps);
    assert_int_equal(seen.first_ps - began, seen.min_ps);
    assert_int_equal(peer_of(bench, 0).n_sent, 3);
    assert_int_equal(peer_of(bench, 1).n_received, 3);
}

static void
test_a_flow_without_end_is_stopped(void **state)
{
    struct asic_setup *bench = *state;
    struct softasic_flow flow = flow_of(bench, 1, 0);
    uint64_t n_sent;

    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bench->ops->run(10 * FRAME_PS), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow_stop(2), SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(bench->ops->flow_stop(1), SAI_STATUS_SUCCESS);
    n_sent = state_of(bench, 1).n_sent;
    assert_in_range(n_sent, 10, 11);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of(bench, 1).n_sent, n_sent);
    assert_int_equal(state_of(bench, 1).n_received, n_sent);
}

static void
test_a_storm_holds_a_priority(void **state)
{
    struct asic_setup *bench = *state;
    struct softasic_storm storm = {
        .pause = {.priorities = 1 << 3, .quanta = 0xffff},
        .interval_ps = 10000000,
        .n_frames = 5};
    struct softasic_flow flow = flow_of(bench, 1, 4);
    sai_attribute_t pfc = {.id = SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                           .value.u8 = 1 << 0 | 1 << 3};

    /* Without maps everything is of priority 0. */
    assert_int_equal(bench->port_api->set_port_attribute(bench->ports[1], &pfc),
                     SAI_STATUS_SUCCESS);
    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->storm(bench->ports[1], &storm),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(1000000), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of(bench, 1).n_received, 4);

    storm.pause.priorities = 1 << 0;
    storm.n_frames = 1;
    storm.zero_source = true; /* It is obeyed all the same. */
    flow.number = 2;
    assert_int_equal(bench->ops->storm_stop(bench->ports[1]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->storm(bench->ports[1], &storm),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(PAUSE_PS + CABLE_PS), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of(bench, 2).n_sent, 4);
    assert_int_equal(state_of(bench, 2).n_received, 0);
    assert_int_equal(bench->ops->run(PAUSED_PS), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of(bench, 2).n_received, 4);
    assert_true(peer_of(bench, 1).n_pauses_sent >= 2);
}

static void
test_a_storm_can_be_stopped(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_storm storm = {
        .pause = {.priorities = 1 << 3, .quanta = 1}, .interval_ps = 1000000};
    uint64_t n;

    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->storm(bench->ports[1], &storm),
                     SAI_STATUS_SUCCESS);
    /* One without end is not waited for. */
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(10500000), SAI_STATUS_SUCCESS);
    assert_int_equal(peer_of(bench, 1).n_pauses_sent, 11);
    assert_int_equal(bench->ops->storm_stop(bench->ports[1]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(10000000), SAI_STATUS_SUCCESS);
    n = peer_of(bench, 1).n_pauses_sent;
    assert_int_equal(n, 11);
}

static void
test_wrong_orders_are_refused(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_storm storm = {.interval_ps = 0};
    struct softasic_peer peer = {.cable_m = 1000001};
    struct softasic_flow flow = flow_of(bench, 1, 1);
    struct softasic_peer_state state_now;
    struct softasic_flow_state seen;

    assert_int_equal(bench->ops->peer(bench->ports[0], &peer),
                     SAI_STATUS_INVALID_PARAMETER);
    peer = (struct softasic_peer){.response_ps = -1};
    assert_int_equal(bench->ops->peer(bench->ports[0], &peer),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->peer_state(bench->ports[0], &state_now),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->flow_state(1, &seen),
                     SAI_STATUS_ITEM_NOT_FOUND);
    connect_peer(bench, 0, 0);
    assert_int_equal(bench->ops->storm(bench->ports[0], &storm),
                     SAI_STATUS_INVALID_PARAMETER);
    connect_peer(bench, 1, 0);
    flow.look.dscp = 64;
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    flow = flow_of(bench, 1, 1);
    flow.look.to = flow.look.from;
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    flow = flow_of(bench, 1, 1);
    flow.delay_ps = -1;
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    flow = flow_of(bench, 1, 1);
    flow.pace = SOFTASIC_PACE_BURST; /* Of no frames. */
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
}

static void
test_a_peer_that_is_removed_takes_its_traffic_along(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_storm storm = {
        .pause = {.priorities = 1 << 3, .quanta = 1}, .interval_ps = 1000000};
    struct softasic_flow flow = flow_of(bench, 1, 0);
    struct softasic_flow_state seen;
    struct softasic_peer_state gone;

    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->storm(bench->ports[1], &storm),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(10 * FRAME_PS), SAI_STATUS_SUCCESS);
    /* One without end is under way. */
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bench->ops->peer_remove(bench->ports[0]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow_state(1, &seen),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(bench->ops->peer_state(bench->ports[0], &gone),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->peer_remove(bench->ports[1]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->peer_remove(bench->ports[1]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->peer_remove(SAI_NULL_OBJECT_ID),
                     SAI_STATUS_INVALID_OBJECT_ID);
}

static void
test_a_new_peer_replaces_the_old(void **state)
{
    struct asic_setup *bench = *state;
    struct softasic_flow flow = flow_of(bench, 1, 0);
    struct softasic_flow_state seen;

    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(10 * FRAME_PS), SAI_STATUS_SUCCESS);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->flow_state(1, &seen),
                     SAI_STATUS_ITEM_NOT_FOUND);
    assert_int_equal(peer_of(bench, 1).n_received, 0);
    connect_peer(bench, 0, 0);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    /* With the port goes what is behind it. */
    assert_int_equal(asic_setup_remove_port(bench->sw, bench->ports[0]),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run(10 * FRAME_PS), SAI_STATUS_SUCCESS);
}

/* --- A switch with hosts ------------------------------------------------- */

/* Connects a switch with three hosts to port 0, and an adapter to port 1; class
 * 0 is lossless on both switches. */
static void
connect_far(struct asic_setup *bench)
{
    const struct softasic_peer far = {
        .cable_m = METRES, .obeys_priorities = 1, .n_hosts = 3};
    const sai_attribute_t pfc = {SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
                                 {.u8 = 1}};

    for (int i = 0; i < 2; i++) {
        connect_peer(bench, (uint32_t)i, 1);
        assert_int_equal(
            bench->port_api->set_port_attribute(bench->ports[i], &pfc),
            SAI_STATUS_SUCCESS);
    }
    assert_int_equal(bench->ops->peer(bench->ports[0], &far),
                     SAI_STATUS_SUCCESS);
}

static void
test_hosts_behind_a_switch_are_reached(void **state)
{
    struct asic_setup *bench = *state;
    struct softasic_flow out = flow_of(bench, 1, 3),
                         back = flow_of(bench, 2, 4);
    struct softasic_flow local = flow_of(bench, 3, 5);

    connect_far(bench);
    out.from_host = 1;
    back.look.from = bench->ports[1];
    back.look.to = bench->ports[0];
    back.to_host = 2;
    local.from_host = 2;
    local.look.to = local.look.from;
    local.to_host = 1;
    assert_int_equal(bench->ops->flow(&out), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow(&back), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->flow(&local), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of(bench, 1).n_received, 3);
    assert_int_equal(state_of(bench, 2).n_received, 4);
    assert_int_equal(state_of(bench, 3).n_received, 5);
    /* Three wires and cables, of which the last two are as ever; two. */
    assert_int_equal(state_of(bench, 1).min_ps, 3 * (FRAME_PS + CABLE_PS));
    assert_int_equal(state_of(bench, 3).min_ps, 2 * (FRAME_PS + CABLE_PS));
    assert_int_equal(peer_of(bench, 0).n_sent, 8);
    assert_int_equal(peer_of(bench, 0).n_received, 9);
}

static void
test_hosts_that_are_not_there(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_peer crowd = {.n_hosts = SOFTASIC_HOSTS_MAX + 1};
    struct softasic_flow flow = flow_of(bench, 1, 1);
    struct softasic_storm storm = {.interval_ps = 1};

    connect_far(bench);
    for (uint32_t host = 0; host <= 4; host += 4) {
        flow.from_host = host;
        assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    }
    flow.from_host = flow.to_host = 1; /* Port 1 has an adapter. */
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    flow.look.to = flow.look.from; /* To itself. */
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->storm(bench->ports[0], &storm),
                     SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->peer(bench->ports[0], &crowd),
                     SAI_STATUS_INVALID_PARAMETER);
    /* What is refused changes nothing. */
    flow.to_host = 2;
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
}

/* Two hosts send all that they can to a third: their switch pauses them, in
 * turn, and loses nothing. */
static void
test_far_switch_is_lossless(void **state)
{
    struct asic_setup *bench = *state;
    const uint64_t n_due = 20000;
    uint64_t n_sent = 0;

    connect_far(bench);
    for (uint32_t i = 1; i <= 2; i++) {
        struct softasic_flow flow = flow_of(bench, i, 0);

        flow.look.to = flow.look.from;
        flow.from_host = i;
        flow.to_host = 3;
        assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    }
    assert_int_equal(bench->ops->run((int64_t)n_due * FRAME_PS),
                     SAI_STATUS_SUCCESS);
    for (uint32_t i = 1; i <= 2; i++) {
        assert_in_range(state_of(bench, i).n_received, n_due / 2 - n_due / 10,
                        n_due / 2 + n_due / 10);
        assert_int_equal(bench->ops->flow_stop(i), SAI_STATUS_SUCCESS);
        n_sent += state_of(bench, i).n_sent;
    }
    assert_true(n_sent < 2 * n_due - 1000); /* They were paused. */
    assert_int_equal(bench->ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(state_of(bench, 1).n_received, state_of(bench, 1).n_sent);
    assert_int_equal(state_of(bench, 2).n_received, state_of(bench, 2).n_sent);
}

/* Eight senders begin in the same instant and fill what they may of one wire:
 * what comes out follows without a gap, one frame of each in turn as all are
 * alike, each in order, and what piles up is what the wire could not take. */
static void
check_incast(struct asic_setup *bench, uint64_t (*settle)(struct asic_setup *))
{
    enum { SENDERS = 8, EACH = 20, ALL = SENDERS * EACH, CELLS = 5 };
    const sai_stat_id_t watermark = SAI_QUEUE_STAT_SHARED_WATERMARK_CELLS;
    int64_t first_ps = INT64_MAX;
    int64_t last_ps = 0;
    uint64_t most;
    int64_t began;

    connect_peer(bench, 0, 0);
    for (uint32_t i = 1; i <= SENDERS; i++) {
        struct softasic_flow flow = flow_of(bench, i, EACH);

        connect_peer(bench, i, 0);
        flow.look.from = bench->ports[i];
        flow.look.to = bench->ports[0];
        flow.pace = SOFTASIC_PACE_BURST;
        flow.n_burst = EACH;
        flow.off_ps = 1000000000;
        flow.delay_ps = 1000000;
        assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    }
    assert_int_equal(bench->ops->now(&began), SAI_STATUS_SUCCESS);
    assert_int_equal(settle(bench), ALL);
    for (uint32_t i = 1; i <= SENDERS; i++) {
        const struct softasic_flow_state seen = state_of(bench, i);

        assert_int_equal(seen.n_received, EACH);
        assert_int_equal(seen.n_late + seen.n_duplicates, 0);
        assert_int_equal(seen.last_ps - seen.first_ps,
                         (EACH - 1) * SENDERS * FRAME_PS);
        first_ps = seen.first_ps < first_ps ? seen.first_ps : first_ps;
        last_ps = seen.last_ps > last_ps ? seen.last_ps : last_ps;
    }
    assert_int_equal(first_ps - began, 1000000 + 2 * (FRAME_PS + CABLE_PS));
    assert_int_equal(last_ps - first_ps, (ALL - 1) * FRAME_PS);
    /* When the last have arrived EACH frames have begun to leave, the first as
     * soon as it was there, so it was never in the queue with its successors.
     */
    assert_int_equal(bench->queue_api->get_queue_stats(
                         asic_setup_child(bench, bench->ports[0],
                                          SAI_PORT_ATTR_QOS_QUEUE_LIST, 0),
                         1, &watermark, &most),
                     SAI_STATUS_SUCCESS);
    assert_in_range(most, (ALL - EACH) * CELLS, (ALL - EACH + 1) * CELLS);
}

/* Both return how many frames have left. */
static uint64_t
settle_at_once(struct asic_setup *bench)
{
    uint64_t n;

    assert_int_equal(bench->ops->settle(&n), SAI_STATUS_SUCCESS);
    return n;
}

static uint64_t
settle_in_parts(struct asic_setup *bench)
{
    uint64_t n_parts = 0, sum = 0, n, is_done = 0;

    for (; !is_done; n_parts++) {
        assert_int_equal(bench->ops->settle_some(7, &n, &is_done),
                         SAI_STATUS_SUCCESS);
        assert_in_range(n, 0, 7);
        sum += n;
    }
    assert_true(n_parts > 20);
    return sum;
}

static void
test_incast_drains_at_line_rate(void **state)
{
    check_incast(*state, settle_at_once);
}

/* What happens does not depend on how many events a call handles. */
static void
test_incast_settles_in_parts(void **state)
{
    check_incast(*state, settle_in_parts);
}

static void
test_time_passes_in_parts(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_flow flow = flow_of(bench, 1, 0);
    int64_t began, now;
    uint64_t n, n_parts = 0, is_done = 0;

    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle_some(1, &n, &is_done),
                     SAI_STATUS_OBJECT_IN_USE);
    assert_int_equal(bench->ops->now(&began), SAI_STATUS_SUCCESS);
    for (; !is_done; n_parts++) {
        assert_int_equal(
            bench->ops->run_some(began + 100 * FRAME_PS, 3, &is_done),
            SAI_STATUS_SUCCESS);
        assert_int_equal(bench->ops->now(&now), SAI_STATUS_SUCCESS);
        assert_in_range(now, began, began + 100 * FRAME_PS);
    }
    assert_true(n_parts > 20);
    assert_int_equal(now, began + 100 * FRAME_PS);
    /* One begins at the very end.  Each takes two wires and two cables, 2.5
     * times as long as a frame, so the last that has arrived began with 97
     * others before it. */
    assert_in_range(state_of(bench, 1).n_sent, 100, 101);
    assert_int_equal(state_of(bench, 1).n_received, 98);
    /* It is the past: nothing is left to do. */
    assert_int_equal(bench->ops->run_some(began, 1, &is_done),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(is_done, 1);
    assert_int_equal(bench->ops->now(&now), SAI_STATUS_SUCCESS);
    assert_int_equal(now, began + 100 * FRAME_PS);
}

static void
test_wrong_parts_are_refused(void **state)
{
    const struct asic_setup *bench = *state;
    uint64_t n, is_done;

    for (uint64_t events = 0; events <= SOFTASIC_EVENTS_MAX + 1;
         events += SOFTASIC_EVENTS_MAX + 1) {
        assert_int_equal(bench->ops->settle_some(events, &n, &is_done),
                         SAI_STATUS_INVALID_PARAMETER);
        assert_int_equal(bench->ops->run_some(0, events, &is_done),
                         SAI_STATUS_INVALID_PARAMETER);
    }
    assert_int_equal(bench->ops->run_some(-1, 1, &is_done),
                     SAI_STATUS_INVALID_PARAMETER);
}

/* Calls 'op' as the host does for a client.  Returns the status. */
static sai_status_t
call_host(const struct host_extras *extras, enum marshal_op op,
          const union marshal_value values[])
{
    struct wire_out request = {0}, reply = {0};
    struct wire_in in;
    sai_status_t status;

    assert_true(marshal_put_request(&request, op, values));
    in = (struct wire_in){request.bytes, request.length, false};
    assert_true(extras->call(extras->context, (uint32_t)op, &in, &reply));
    in = (struct wire_in){reply.bytes, reply.length, false};
    status = (sai_status_t)wire_get_u32(&in);
    wire_out_fini(&request);
    wire_out_fini(&reply);
    return status;
}

/* Only storms are for testers: what they send and read otherwise is not. */
static void
test_a_host_lets_testers_start_storms(void **state)
{
    static const enum marshal_op theirs[] = {
        MARSHAL_OP_storm, MARSHAL_OP_storm_stop, MARSHAL_OP_storm_sent};
    struct asic_setup *bench = *state;
    struct host_extras extras;
    uint32_t n = 0;

    ops_host_init(&extras, bench->ops);
    for (uint32_t i = 0; i < MARSHAL_N_OPS + 1; i++) {
        n += extras.is_of_testers(extras.context, i);
    }
    assert_int_equal(n, N(theirs));
    for (uint32_t i = 0; i < N(theirs); i++) {
        assert_true(extras.is_of_testers(extras.context, theirs[i]));
        assert_true(extras.writes(extras.context, theirs[i]));
    }
}

/* A host does not run for days, nor send a hundred million frames, in a call of
 * a client: it would serve nobody else meanwhile. */
static void
test_a_host_refuses_long_calls(void **state)
{
    struct asic_setup *bench = *state;
    const struct softasic_flow endless = flow_of(bench, 1, 0);
    struct softasic_send send = endless.look;
    struct softasic_sent sent;
    struct softasic_ip ip = {.ttl = 1};
    uint64_t n = 0, is_done = 0;
    union marshal_value two[4] = {{.number = UINT64_C(1) << 60}, {.out = &n}};
    union marshal_value three[4] = {{.in = &send}, {.out = &sent}};
    union marshal_value four[4] = {{.in = &send}, {.in = &ip}, {.out = &sent}};
    union marshal_value some[4] = {
        {.number = UINT64_C(1) << 60}, {.number = 1000}, {.out = &is_done}};
    struct host_extras extras;
    int64_t now, later;

    if (testhost_wanted()) {
        skip(); /* This process has no switch. */
    }
    ops_host_init(&extras, bench->ops);
    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->flow(&endless), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->now(&now), SAI_STATUS_SUCCESS);
    send.n_frames = SOFTASIC_FRAMES_MAX + 1;
    assert_int_equal(call_host(&extras, MARSHAL_OP_run, two),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(call_host(&extras, MARSHAL_OP_step, two),
                     SAI_STATUS_NOT_SUPPORTED);
    two[0].out = &n;
    assert_int_equal(call_host(&extras, MARSHAL_OP_settle, two),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(call_host(&extras, MARSHAL_OP_send, three),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(call_host(&extras, MARSHAL_OP_send_ip, four),
                     SAI_STATUS_NOT_SUPPORTED);
    assert_int_equal(bench->ops->now(&later), SAI_STATUS_SUCCESS);
    assert_int_equal(later, now);
    assert_int_equal(call_host(&extras, MARSHAL_OP_run_some, some),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->now(&later), SAI_STATUS_SUCCESS);
    assert_in_range(later - now, 1, 1000 * FRAME_PS);
}

/* Long calls of a client in another process come in parts, with the same
 * results. */
static void
test_long_calls_are_divided(void **state)
{
    struct asic_setup *bench = *state;
    const uint64_t n_frames = 3 * SOFTASIC_FRAMES_MAX + 5;
    const struct softasic_send send = {.from = bench->ports[0],
                                       .to = bench->ports[1],
                                       .n_frames = n_frames,
                                       .frame_bytes = LENGTH};
    struct softasic_flow flow = flow_of(bench, 1, n_frames);
    struct softasic_sent sent;
    int64_t began, now;
    uint64_t n;

    connect_peer(bench, 0, 0);
    connect_peer(bench, 1, 0);
    assert_int_equal(bench->ops->send(&send, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(sent.n_frames, n_frames);
    assert_int_equal(sent.event, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(sent.n_dropped_ingress + sent.n_dropped_egress, 0);
    assert_int_equal(bench->ops->settle(&n), SAI_STATUS_SUCCESS);
    assert_in_range(n, 1, 2); /* All others have left before. */
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->settle(&n), SAI_STATUS_SUCCESS);
    assert_int_equal(n, n_frames);
    assert_int_equal(state_of(bench, 1).n_received, n_frames);
    flow.number = 2;
    assert_int_equal(bench->ops->flow(&flow), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->now(&began), SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->run((int64_t)n_frames / 2 * FRAME_PS),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(bench->ops->now(&now), SAI_STATUS_SUCCESS);
    assert_int_equal(now - began, (int64_t)n_frames / 2 * FRAME_PS);
    assert_in_range(state_of(bench, 2).n_sent, n_frames / 2, n_frames / 2 + 1);
    assert_int_equal(bench->ops->run(-1), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->run(INT64_MAX), SAI_STATUS_INVALID_PARAMETER);
    assert_int_equal(bench->ops->step(UINT64_MAX, &n), SAI_STATUS_SUCCESS);
    assert_true(n > n_frames / 2);
    assert_int_equal(state_of(bench, 2).n_received, n_frames);
}

int
main(void)
{
#define TEST(test)                                                             \
    cmocka_unit_test_setup_teardown(test, asic_setup_setup_td2,                \
                                    asic_setup_teardown)
    static const struct CMUnitTest tests[] = {
        TEST(test_a_flow_takes_its_time),
        TEST(test_a_flow_without_end_is_stopped),
        TEST(test_a_storm_holds_a_priority),
        TEST(test_a_storm_can_be_stopped),
        TEST(test_wrong_orders_are_refused),
        TEST(test_a_peer_that_is_removed_takes_its_traffic_along),
        TEST(test_a_new_peer_replaces_the_old),
        TEST(test_hosts_behind_a_switch_are_reached),
        TEST(test_hosts_that_are_not_there),
        TEST(test_far_switch_is_lossless),
        TEST(test_incast_drains_at_line_rate),
        TEST(test_incast_settles_in_parts),
        TEST(test_time_passes_in_parts),
        TEST(test_wrong_parts_are_refused),
        TEST(test_a_host_lets_testers_start_storms),
        TEST(test_a_host_refuses_long_calls),
        TEST(test_long_calls_are_divided),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
