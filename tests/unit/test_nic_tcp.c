/* SPDX-License-Identifier: Apache-2.0 */

/* TCP connections on adapters: lengths and times of frames, acknowledgements in
 * the class of the data, marks and losses in the switch, RDMA beside it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/switch_setup.h"
#include "twin/switch/sim.h"
#include "twin/transport/rc.h"
#include "twin/transport/tcp.h"

enum {
    SPEED = 100000,
    METRES = 10,
    MSS = 1460,
    HEADERS = 14 + 20 + 20, /* Ethernet, IPv4, TCP. */
    WIRE = MSS + HEADERS + 24,
    ACK_WIRE = 64 + 20,
    PS_PER_BYTE = 80,
    N_HOSTS = 5,
    TARGET = N_HOSTS - 1,
};

#define CABLE_PS INT64_C(50000)
#define US       INT64_C(1000000)
#define MS       INT64_C(1000000000)

/* Marks every packet that finds 100 KB. */
static const struct wred_profile wred = {
    .colors = {{.marks = true, .mark = {100000, 100001, 100}}}};

struct fixture {
    struct chip chip;
    struct star star;
    struct tcp_config tcp;
    struct rc_config rc;
    struct connection connections[2 * N_HOSTS];
    uint32_t n_connections;
    struct rc_completion last;
    int64_t last_ps;
    uint32_t n_sent, n_received;
};

static void
on_completion(void *context, uint32_t qp,
              const struct rc_completion *completion, int64_t now_ps)
{
    struct fixture *f = context;

    (void)qp;
    f->last = *completion;
    f->last_ps = now_ps;
    f->n_sent += !completion->is_receive;
    f->n_received += completion->is_receive;
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    const struct switch_setup setup_of_switch = {.chip = &f->chip,
                                                 .n_ports = N_HOSTS,
                                                 .speed_mbps = SPEED,
                                                 .dynamic_th = -1,
                                                 .headroom_bytes = 50000,
                                                 .xon_offset_bytes = 3000,
                                                 .wred = &wred};
    struct nic_config nic;

    chip_init(&f->chip);
    f->chip.ports = N_HOSTS;
    f->chip.memory_bytes = 1 << 20;
    nic_config_init(&nic, SPEED);
    star_init(&f->star, &setup_of_switch, &nic, METRES, 1);
    for (uint32_t i = 0; i < N_HOSTS; i++) {
        nic_set_listener(f->star.nics[i], on_completion, f);
    }
    f->tcp = tcp_config_default;
    f->tcp.algorithm = TCP_RENO;
    f->tcp.min_rto_ps = 5 * MS;
    f->tcp.ack_delay_ps = 0;
    f->rc = rc_config_default;
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    assert_null(fabric_check(f->star.fabric));
    star_fini(&f->star);
    for (uint32_t i = 0; i < f->n_connections; i++) {
        connection_fini(&f->connections[i]);
    }
    test_free(f);
    return 0;
}

/* Connects host 'from' to the target.  Returns the QP of 'from'. */
static uint32_t
join(struct fixture *f, enum nic_kind kind, uint32_t from, uint32_t burst)
{
    struct connection *connection = &f->connections[f->n_connections];
    const struct connection_end ends[2] = {
        {.nic = f->star.nics[from], .mac = star_mac(from)},
        {.nic = f->star.nics[TARGET], .mac = star_mac(TARGET)}};
    const struct nic_qp_config config = {
        .kind = kind, .rc = &f->rc, .tcp = &f->tcp, .pacer = {.burst = burst}};

    connection_init(connection, ends, &config,
                    (uint16_t)(100 + f->n_connections++));
    return connection->qps[0];
}

static void
post(struct fixture *f, uint32_t from, uint32_t qp, uint32_t bytes)
{
    const struct rc_request request = {
        .id = 7, .operation = RC_SEND, .length_bytes = bytes};

    assert_int_equal(nic_post(f->star.nics[from], qp, &request), ST_OK);
}

static void
run(struct fixture *f, int64_t until_ps)
{
    engine_run_until(fabric_engine(f->star.fabric), until_ps);
}

static const struct nic_flow *
arrived(struct fixture *f, uint32_t i)
{
    return nic_received(f->star.nics[TARGET], f->connections[i].qps[1]);
}

/* From the first bit sent to the last bit received, over two cables. */
static int64_t
way_ps(uint32_t wire_bytes)
{
    return 2 * ((int64_t)wire_bytes * PS_PER_BYTE + CABLE_PS);
}

/* A segment and its acknowledgement, to the picosecond. */
static void
test_round_trip(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = join(f, NIC_TCP, 0, 0);
    const struct rc_request write = {.operation = RC_WRITE, .length_bytes = 1};
    struct nic_stats stats;

    post(f, 0, qp, MSS);
    run(f, way_ps(WIRE));
    assert_int_equal(f->n_received, 1);
    assert_int_equal(f->last.bytes, MSS);
    assert_int_equal(f->last_ps, way_ps(WIRE));
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->last.id, 7);
    assert_int_equal(f->last_ps, way_ps(WIRE) + way_ps(ACK_WIRE));
    assert_int_equal(arrived(f, 0)->packets, 1);
    assert_int_equal(arrived(f, 0)->bytes, MSS);
    nic_get_stats(f->star.nics[TARGET], &stats);
    assert_int_equal(stats.acks_sent, 1);
    assert_int_equal(stats.sent_bytes, 60);
    assert_int_equal(nic_post(f->star.nics[0], qp, &write), ST_INVALID);
}

/* The delayed acknowledgement of an odd segment, by the timer. */
static void
test_delayed_acknowledgement(void **state)
{
    struct fixture *f = *state;
    uint32_t qp;

    f->tcp.ack_delay_ps = 500 * US;
    qp = join(f, NIC_TCP, 0, 0);
    post(f, 0, qp, 100);
    run(f, EVENT_NEVER);
    assert_int_equal(f->last_ps,
                     way_ps(100 + HEADERS + 24) + 500 * US + way_ps(ACK_WIRE));
    assert_int_equal(tcp_counters(nic_tcp(f->star.nics[0], qp))->timeouts, 0);
}

/* Four senders fill the buffer of their class: losses there are repaired, and
 * RDMA in another class loses nothing. */
static void
test_incast_beside_rdma(void **state)
{
    struct fixture *f = *state;
    uint64_t again = 0;

    for (uint32_t host = 0; host < 4; host++) {
        post(f, host, join(f, NIC_TCP, host, 44), 4 << 20);
    }
    post(f, 0, join(f, NIC_RC, 0, 0), 4 << 20);
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 5);
    assert_int_equal(f->n_received, 4);
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(arrived(f, i)->bytes, 4 << 20);
        again += nic_sent(f->star.nics[i], f->connections[i].qps[0])->again;
    }
    assert_true(again > 0);
    assert_int_equal(nic_sent(f->star.nics[0], f->connections[4].qps[0])->again,
                     0);
    assert_int_equal(arrived(f, 4)->bytes, 4 << 20);
}

/* With DCTCP the queue stays at the mark, and nothing is lost. */
static void
test_dctcp(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(
        sim_queue_set_wred(f->star.sim, TARGET, SWITCH_SETUP_LOSSY, &wred),
        ST_OK);
    f->tcp.algorithm = TCP_DCTCP;
    f->tcp.ecn = TCP_ECN_DCTCP;
    f->tcp.ack_delay_ps = 500 * US;
    for (uint32_t host = 0; host < 3; host++) {
        post(f, host, join(f, NIC_TCP, host, 0), 4 << 20);
    }
    run(f, EVENT_NEVER);
    for (uint32_t i = 0; i < 3; i++) {
        const struct tcp *tcp =
            nic_tcp(f->star.nics[i], f->connections[i].qps[0]);

        assert_int_equal(arrived(f, i)->bytes, 4 << 20);
        assert_true(arrived(f, i)->marked > 0);
        assert_true(tcp_counters(tcp)->reductions > 0);
        assert_int_equal(
            nic_sent(f->star.nics[i], f->connections[i].qps[0])->again, 0);
    }
}

/* Both directions of a connection have data. */
static void
test_both_directions(void **state)
{
    struct fixture *f = *state;
    const uint32_t qp = join(f, NIC_TCP, 0, 0);

    post(f, 0, qp, 1 << 20);
    post(f, TARGET, f->connections[0].qps[1], 1 << 20);
    run(f, EVENT_NEVER);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(f->n_received, 2);
    assert_int_equal(arrived(f, 0)->bytes, 1 << 20);
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
