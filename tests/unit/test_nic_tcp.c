/* SPDX-License-Identifier: Apache-2.0 */

/* TCP connections on adapters: lengths and times of frames, acknowledgements in
 * the class of the data, marks and losses in the switch, RDMA beside it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/adapters.h"
#include "twin/switch/sim.h"
#include "twin/transport/rc.h"
#include "twin/transport/tcp.h"

enum {
    MSS = 1460,
    HEADERS = 14 + 20 + 20, /* Ethernet, IPv4, TCP. */
    WIRE = MSS + HEADERS + 24,
    ACK_WIRE = 64 + 20,
    N_HOSTS = 5,
    TARGET = N_HOSTS - 1,
};

#define US INT64_C(1000000)
#define MS INT64_C(1000000000)

/* Marks every packet that finds 100 KB. */
static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {100000, 100001, 100}}}};

static int
setup(void **state)
{
    struct adapters *f = adapters_create(N_HOSTS, &wred);

    f->tcp.algorithm = TCP_RENO;
    f->tcp.min_rto_ps = 5 * MS;
    f->tcp.ack_delay_ps = 0;
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    adapters_destroy(*state);
    return 0;
}

static void
post(struct adapters *f, uint32_t from, uint32_t qp, uint32_t bytes)
{
    const struct rc_request request = {
        .id = 7, .operation = RC_SEND, .length_bytes = bytes};

    adapters_post(f, from, qp, &request);
}

/* A segment and its acknowledgement, to the picosecond. */
static void
test_round_trip(void **state)
{
    struct adapters *f = *state;
    const uint32_t qp = adapters_join(f, NIC_TCP, 0, 0);
    const struct rc_request write = {.operation = RC_WRITE, .length_bytes = 1};
    struct nic_stats stats;

    post(f, 0, qp, MSS);
    adapters_run(f, adapters_way_ps(WIRE));
    assert_int_equal(f->n_received, 1);
    assert_int_equal(f->last.bytes, MSS);
    assert_int_equal(f->last_ps, adapters_way_ps(WIRE));
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->last.id, 7);
    assert_int_equal(f->last_ps,
                     adapters_way_ps(WIRE) + adapters_way_ps(ACK_WIRE));
    assert_int_equal(adapters_arrived(f, 0)->packets, 1);
    assert_int_equal(adapters_arrived(f, 0)->bytes, MSS);
    nic_get_stats(f->star.nics[TARGET], &stats);
    assert_int_equal(stats.acks_sent, 1);
    assert_int_equal(stats.sent_bytes, 60);
    assert_int_equal(nic_post(f->star.nics[0], qp, &write), ST_INVALID);
}

/* The delayed acknowledgement of an odd segment, by the timer. */
static void
test_delayed_acknowledgement(void **state)
{
    struct adapters *f = *state;
    uint32_t qp;

    f->tcp.ack_delay_ps = 500 * US;
    qp = adapters_join(f, NIC_TCP, 0, 0);
    post(f, 0, qp, 100);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->last_ps, adapters_way_ps(100 + HEADERS + 24) +
                                     500 * US + adapters_way_ps(ACK_WIRE));
    assert_int_equal(tcp_counters(nic_tcp(f->star.nics[0], qp))->timeouts, 0);
}

/* Four senders fill the buffer of their class: losses there are repaired, and
 * RDMA in another class loses nothing. */
static void
test_incast_beside_rdma(void **state)
{
    struct adapters *f = *state;
    uint64_t again = 0;

    for (uint32_t host = 0; host < 4; host++) {
        post(f, host, adapters_join(f, NIC_TCP, host, 44), 4 << 20);
    }
    post(f, 0, adapters_join(f, NIC_RC, 0, 0), 4 << 20);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 5);
    assert_int_equal(f->n_received, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(adapters_arrived(f, i)->bytes, 4 << 20);
        again += adapters_sent(f, i, f->connections[i].qps[0])->again;
    }
    assert_true(again > 0);
    assert_int_equal(adapters_sent(f, 0, f->connections[4].qps[0])->again, 0);
    assert_int_equal(adapters_arrived(f, 4)->bytes, 4 << 20);
}

/* With DCTCP the queue stays at the mark, and nothing is lost. */
static void
test_dctcp(void **state)
{
    struct adapters *f = *state;

    assert_int_equal(
        sim_queue_set_wred(f->star.sim, TARGET, SWITCH_SETUP_LOSSY, &wred),
        ST_OK);
    f->tcp.algorithm = TCP_DCTCP;
    f->tcp.ecn = TCP_ECN_DCTCP;
    f->tcp.ack_delay_ps = 500 * US;
    for (uint32_t host = 0; host < 3; host++) {
        post(f, host, adapters_join(f, NIC_TCP, host, 0), 4 << 20);
    }
    adapters_run(f, EVENT_NEVER);
    for (uint32_t i = 0; i < 3; i++) {
        const struct tcp *tcp =
            nic_tcp(f->star.nics[i], f->connections[i].qps[0]);

        assert_int_equal(adapters_arrived(f, i)->bytes, 4 << 20);
        assert_true(adapters_arrived(f, i)->marked > 0);
        assert_true(tcp_counters(tcp)->reductions > 0);
        assert_int_equal(adapters_sent(f, i, f->connections[i].qps[0])->again,
                         0);
    }
}

/* Both directions of a connection have data. */
static void
test_both_directions(void **state)
{
    struct adapters *f = *state;
    const uint32_t qp = adapters_join(f, NIC_TCP, 0, 0);

    post(f, 0, qp, 1 << 20);
    post(f, TARGET, f->connections[0].qps[1], 1 << 20);
    adapters_run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(f->n_received, 2);
    assert_int_equal(adapters_arrived(f, 0)->bytes, 1 << 20);
    assert_int_equal(nic_received(f->star.nics[0], qp)->bytes, 1 << 20);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_round_trip, setup, teardown),
        cmocka_unit_test_setup_teardown(test_delayed_acknowledgement, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_incast_beside_rdma, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(test_dctcp, setup, teardown),
        cmocka_unit_test_setup_teardown(test_both_directions, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
