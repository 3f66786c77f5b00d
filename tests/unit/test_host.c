/* SPDX-License-Identifier: Apache-2.0 */

/* Hosts: two of them on a cable, and what a switch between two makes of
 * it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/sim_setup.h"
#include "twin/fabric/fabric.h"

enum {
    SPEED = 100000,
    METRES = 10, /* 50 ns. */
    RESPONSE_PS = 500000,
};

/* 976 bytes, 1,000 on the wire: 80 ns.  A pause frame: 6.72 ns. */
enum { LENGTH = 976 };
#define FRAME_PS INT64_C(80000)
#define CABLE_PS INT64_C(50000)
#define PAUSE_PS INT64_C(6720)

#define MAC(i) (UINT64_C(0x020000000000) + (i))

struct fixture {
    struct fabric *fabric;
    struct engine *engine;
    struct host *a;
    struct host *b;
    struct link *link;
};

static struct host *
add(struct fabric *fabric, uint64_t mac)
{
    const struct host_config config = {.mac = mac,
                                       .speed_mbps = SPEED,
                                       .obeys_priorities = 0x18,
                                       .obeys_all = true,
                                       .response_ps = RESPONSE_PS};
    struct host *host;

    assert_int_equal(fabric_add_host(fabric, &config, &host), ST_OK);
    return host;
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    f->fabric = fabric_create(1);
    f->engine = fabric_engine(f->fabric);
    f->a = add(f->fabric, MAC(1));
    f->b = add(f->fabric, MAC(2));
    assert_int_equal(
        fabric_connect(f->fabric,
                       (struct fabric_end[2]){{.host = f->a}, {.host = f->b}},
                       METRES, 9216, &f->link),
        ST_OK);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    fabric_destroy(f->fabric);
    test_free(f);
    return 0;
}

/* Makes 'from' send 'n' frames to 'to', one in 'interval_ps'. */
static void
send(struct host *from, uint64_t to, uint32_t flow, uint8_t priority,
     const struct pacing_config *pace)
{
    struct flow_config config = {
        .flow = flow,
        .priority = priority,
        .pace = *pace,
        .frame = {.dst_mac = to, .length_bytes = LENGTH, .dscp = 3}};

    if (config.pace.interval.per == 0) {
        config.pace.interval.per = 1;
    }
    assert_int_equal(host_add_flow(from, &config), ST_OK);
}

/* Makes 'from' send one pause frame. */
static void
pause(struct host *from, int64_t start_ps, enum pause_frame_kind kind,
      uint8_t priorities, uint16_t quanta)
{
    const struct storm_config storm = {
        .pace = {.start_ps = start_ps, .n_frames = 1, .interval = {0, 1}},
        .kind = kind,
        .priorities = priorities,
        .quanta = {quanta},
        .n_quanta = 1};

    assert_int_equal(host_add_storm(from, &storm), ST_OK);
}

static struct host_stats
stats(const struct host *host)
{
    struct host_stats s;

    host_get_stats(host, &s);
    return s;
}

static void
test_frame_takes_its_time(void **state)
{
    struct fixture *f = *state;
    const struct receiver_flow *flow;

    send(f->a, MAC(2), 7, 0, &(struct pacing_config){.n_frames = 3});
    engine_run_until(f->engine, FRAME_PS + CABLE_PS - 1);
    assert_null(receiver_flow(host_receiver(f->b), 7));
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(engine_now_ps(f->engine), 3 * FRAME_PS + CABLE_PS);
    flow = receiver_flow(host_receiver(f->b), 7);
    assert_int_equal(flow->frames, 3);
    assert_int_equal(flow->min_ps, FRAME_PS + CABLE_PS);
    assert_int_equal(flow->max_ps, FRAME_PS + CABLE_PS);
    assert_int_equal(flow->first_ps, FRAME_PS + CABLE_PS);
    assert_int_equal(flow->missing + flow->late + flow->duplicates, 0);
    assert_int_equal(stats(f->a).sent, 3);
    assert_int_equal(stats(f->a).sent_bytes, 3 * LENGTH);
}

/* What was due while the wire was taken follows without a gap, and the flow is
 * then where it would have been. */
static void
test_paced_frames_wait_for_the_wire_but_do_not_drift(void **state)
{
    struct fixture *f = *state;

    send(f->a, MAC(2), 1, 0,
         &(struct pacing_config){.interval = {100000, 1}, .n_frames = 30});
    send(f->a, MAC(2), 2, 1,
         &(struct pacing_config){.start_ps = 10, .n_frames = 3});
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(receiver_flow(host_receiver(f->b), 1)->last_ps,
                     29 * 100000 + FRAME_PS + CABLE_PS);
    assert_int_equal(receiver_flow(host_receiver(f->b), 1)->frames, 30);
    /* 80: priority 1, 160: 0, due since 100; 240: 1; 320: 0, since 200; 400:
     * 1; 480: 0, since 300. */
    assert_int_equal(receiver_flow(host_receiver(f->b), 2)->last_ps,
                     480000 + CABLE_PS);
}

static void
test_priorities_take_turns_and_flows_go_by_age(void **state)
{
    struct fixture *f = *state;

    send(f->a, MAC(2), 1, 0, &(struct pacing_config){.n_frames = 4});
    send(f->a, MAC(2), 2, 0,
         &(struct pacing_config){.start_ps = 1, .n_frames = 2});
    send(f->a, MAC(2), 3, 5,
         &(struct pacing_config){.start_ps = 2, .n_frames = 2});
    engine_run_until(f->engine, EVENT_NEVER);
    /* 1, 3, 1, 3, 1, 1, 2, 2. */
    assert_int_equal(receiver_flow(host_receiver(f->b), 3)->last_ps,
                     4 * FRAME_PS + CABLE_PS);
    assert_int_equal(receiver_flow(host_receiver(f->b), 1)->last_ps,
                     6 * FRAME_PS + CABLE_PS);
    assert_int_equal(receiver_flow(host_receiver(f->b), 2)->first_ps,
                     7 * FRAME_PS + CABLE_PS);
}

/* 100 quanta are 512 ns.  The pause frame is there at 56.72 ns, and holds from
 * 556.72 to 1068.72 ns: six frames have gone and the seventh, begun at 480, is
 * finished. */
static void
test_pause_holds_its_priority_after_the_response(void **state)
{
    struct fixture *f = *state;
    const struct receiver_flow *flow;

    send(f->a, MAC(2), 1, 3, &(struct pacing_config){.n_frames = 20});
    pause(f->b, 0, PAUSE_FRAME_PFC, 0x08, 100);
    engine_run_until(f->engine, CABLE_PS + PAUSE_PS + RESPONSE_PS);
    assert_int_equal(stats(f->a).pauses_received, 1);
    assert_int_equal(stats(f->a).paused, 0x08);
    engine_run_until(f->engine, CABLE_PS + PAUSE_PS + RESPONSE_PS + 511999);
    assert_int_equal(stats(f->a).sent, 7);
    engine_run_until(f->engine, EVENT_NEVER);
    flow = receiver_flow(host_receiver(f->b), 1);
    assert_int_equal(flow->frames, 20);
    assert_int_equal(flow->last_ps, PAUSE_PS + CABLE_PS + RESPONSE_PS + 512000 +
                                        13 * FRAME_PS + CABLE_PS);
    assert_int_equal(stats(f->a).paused, 0);
}

static void
test_pauses_of_others_and_of_nobody_are_not_obeyed(void **state)
{
    static const struct {
        const char *name;
        enum pause_frame_kind kind;
        uint8_t priorities;
        uint8_t flow_priority;
        uint16_t quanta;
        bool holds;
    } cases[] = {
        {"another priority", PAUSE_FRAME_PFC, 0x10, 3, 65535, false},
        {"not enabled", PAUSE_FRAME_PFC, 0x01, 0, 65535, false},
        {"no priority", PAUSE_FRAME_PFC, 0x00, 3, 65535, false},
        {"no time", PAUSE_FRAME_PFC, 0x08, 3, 0, false},
        {"its own", PAUSE_FRAME_PFC, 0xff, 3, 65535, true},
        {"all", PAUSE_FRAME_ALL, 0, 0, 65535, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fixture *f;

        setup((void **)&f);
        pause(f->b, 0, cases[i].kind, cases[i].priorities, cases[i].quanta);
        send(f->a, MAC(2), 1, cases[i].flow_priority,
             &(struct pacing_config){.start_ps = 10 * RESPONSE_PS,
                                     .n_frames = 1});
        engine_run_until(f->engine, 20 * RESPONSE_PS);
        if (stats(f->a).sent != !cases[i].holds) {
            fail_msg("%s", cases[i].name);
        }
        teardown((void **)&f);
    }
}

/* Paused for long, released by a frame with 0 quanta. */
static void
test_release_ends_a_pause(void **state)
{
    struct fixture *f = *state;
    const int64_t off_ps = 5 * INT64_C(1000000);

    send(f->a, MAC(2), 1, 4,
         &(struct pacing_config){.start_ps = 1000000, .n_frames = 1});
    pause(f->b, 0, PAUSE_FRAME_PFC, 0x10, 65535);
    pause(f->b, off_ps, PAUSE_FRAME_PFC, 0x10, 0);
    engine_run_until(f->engine, EVENT_NEVER);
    assert_int_equal(receiver_flow(host_receiver(f->b), 1)->last_ps,
                     off_ps + PAUSE_PS + CABLE_PS + RESPONSE_PS + FRAME_PS +
                         CABLE_PS);
}

/* Every 1,234,567.5 ps, on and off by turns, although data want all of the
 * wire; no more than a frame late. */
static void
test_storm_is_exact(void **state)
{
    struct fixture *f = *state;
    const struct storm_config storm = {
        .pace = {.interval = {2469135, 2}, .n_frames = 1001},
        .priorities = 0x18,
        .quanta = {0xffff, 0},
        .n_quanta = 2};
    struct host_stats s;

    assert_int_equal(host_add_storm(f->b, &storm), ST_OK);
    send(f->b, MAC(1), 1, 0, &(struct pacing_config){0});
    engine_run_until(f->engine, INT64_C(1234567500));
    s = stats(f->b);
    assert_in_range(s.pauses_sent, 1000, 1001);
    /* 1001 pause frames and the rest full of data. */
    assert_in_range(s.sent, (1234567500 - 1001 * 6720) / 80000 - 2,
                    1234567500 / 80000);
    engine_run_until(f->engine, INT64_C(1234567500) + FRAME_PS + PAUSE_PS +
                                    CABLE_PS + RESPONSE_PS);
    assert_int_equal(stats(f->b).pauses_sent, 1001);
    assert_int_equal(stats(f->a).pauses_received, 1001);
    /* The last one, number 1000, was permanent. */
    assert_int_equal(stats(f->a).paused, 0x18);
}

static void
test_wrong_hosts_and_flows_are_refused(void **state)
{
    struct fixture *f = *state;
    struct host *host;
    struct host_config config = {.mac = MAC(9), .speed_mbps = 1};
    struct flow_config flow = {
        .pace = {.interval = {1, 1}},
        .frame = {.dst_mac = MAC(2), .length_bytes = LENGTH}};
    struct storm_config storm = {.pace = {.interval = {1, 1}}};

    config.mac = UINT64_C(1) << 40;
    assert_int_equal(fabric_add_host(f->fabric, &config, &host), ST_INVALID);
    config.mac = MAC(9);
    config.speed_mbps = 0;
    assert_int_equal(fabric_add_host(f->fabric, &config, &host), ST_INVALID);
    config.speed_mbps = 10;
    config.response_ps = -1;
    assert_int_equal(fabric_add_host(f->fabric, &config, &host), ST_INVALID);
    config.response_ps = 0;
    assert_int_equal(fabric_add_host(f->fabric, &config, &host), ST_OK);
    assert_int_equal(
        fabric_connect(f->fabric,
                       (struct fabric_end[2]){{.host = host}, {.host = f->a}},
                       1, 1500, NULL),
        ST_INVALID);
    flow.priority = 8;
    assert_int_equal(host_add_flow(f->a, &flow), ST_INVALID);
    flow.priority = 0;
    flow.frame.dst_mac = PAUSE_FRAME_ADDRESS;
    assert_int_equal(host_add_flow(f->a, &flow), ST_INVALID);
    flow.frame.dst_mac = MAC(2);
    flow.frame.length_bytes = 13;
    assert_int_equal(host_add_flow(f->a, &flow), ST_INVALID);
    flow.frame.length_bytes = LENGTH;
    engine_run_until(f->engine, 100);
    flow.pace.start_ps = 99;
    assert_int_equal(host_add_flow(f->a, &flow), ST_INVALID);
    storm.pace.start_ps = 100;
    assert_int_equal(host_add_storm(f->a, &storm), ST_INVALID);
    storm.n_quanta = 9;
    assert_int_equal(host_add_storm(f->a, &storm), ST_INVALID);
}

/* Two hosts, two switches between them: the second pauses the first when
 * its way out is blocked, that one pauses the sender, and nothing is lost. */
static void
test_congestion_spreads_and_loses_nothing(void **state)
{
    const struct sim_port_config port = {.speed_mbps = SPEED,
                                         .admin_up = true,
                                         .tx_enabled = true,
                                         .pfc_tx_enabled = 0x08,
                                         .pfc_rx_enabled = 0x08};
    struct sim_port_config blocked = port;
    struct fabric *fabric = fabric_create(1);
    struct host *hosts[2] = {add(fabric, MAC(1)), add(fabric, MAC(2))};
    struct sim *switches[2];
    struct sim_port_stats s;
    struct host_stats sender;
    struct chip chip;

    (void)state;
    chip_init(&chip);
    chip.ports = 2;
    chip.memory_bytes = 1 << 22;
    for (int i = 0; i < 2; i++) {
        struct mmu_profile_config pg = {
            .is_static = true, .static_bytes = 8192, .xoff_bytes = 65536};
        struct sim *sim = fabric_add_switch(fabric, &chip);
        struct mmu *mmu = sim_mmu(sim);
        uint32_t profile;

        switches[i] = sim;
        sim_setup_classes(sim);
        assert_int_equal(sim_port_add(sim, 0, 0, &port), ST_OK);
        assert_int_equal(sim_port_add(sim, 1, 1, &port), ST_OK);
        assert_int_equal(sim_fdb_set(sim, MAC(2), 1), ST_OK);
        assert_int_equal(
            mmu_pool_create(mmu,
                            &(struct mmu_pool_config){.size_bytes = 1 << 20},
                            &pg.pool, NULL),
            ST_OK);
        assert_int_equal(mmu_profile_create(mmu, &pg, &profile, NULL), ST_OK);
        assert_int_equal(
            mmu_pg_attach(mmu, mmu_pg_id(mmu, 0, 3), profile, NULL), ST_OK);
    }
    assert_int_equal(
        fabric_connect(fabric,
                       (struct fabric_end[2]){{.host = hosts[0]},
                                              {.sim = switches[0], .port = 0}},
                       METRES, 9216, NULL),
        ST_OK);
    assert_int_equal(
        fabric_connect(fabric,
                       (struct fabric_end[2]){{.sim = switches[0], .port = 1},
                                              {.sim = switches[1], .port = 0}},
                       METRES, 9216, NULL),
        ST_OK);
    assert_int_equal(
        fabric_connect(fabric,
                       (struct fabric_end[2]){{.sim = switches[1], .port = 1},
                                              {.host = hosts[1]}},
                       METRES, 9216, NULL),
        ST_OK);
    blocked.tx_enabled = false;
    assert_int_equal(sim_port_set(switches[1], 1, &blocked), ST_OK);
    send(hosts[0], MAC(2), 1, 3, &(struct pacing_config){.n_frames = 1000});
    engine_run_until(fabric_engine(fabric), 1000 * FRAME_PS);
    sender = stats(hosts[0]);
    assert_int_equal(sender.paused, 0x08);
    assert_in_range(sender.sent, 20, 60);
    assert_int_equal(sim_port_set(switches[1], 1, &port), ST_OK);
    engine_run_until(fabric_engine(fabric), 4000 * FRAME_PS);
    assert_int_equal(receiver_flow(host_receiver(hosts[1]), 1)->frames, 1000);
    assert_int_equal(receiver_flow(host_receiver(hosts[1]), 1)->missing, 0);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(sim_port_get_stats(switches[i], 0, &s), ST_OK);
        assert_int_equal(s.rx_dropped, 0);
        assert_true(s.pfc_tx[3] >= 2);
        assert_null(mmu_check(sim_mmu(switches[i])));
    }
    fabric_destroy(fabric);
}

#define HOST_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        HOST_TEST(test_frame_takes_its_time),
        HOST_TEST(test_paced_frames_wait_for_the_wire_but_do_not_drift),
        HOST_TEST(test_priorities_take_turns_and_flows_go_by_age),
        HOST_TEST(test_pause_holds_its_priority_after_the_response),
        cmocka_unit_test(test_pauses_of_others_and_of_nobody_are_not_obeyed),
        HOST_TEST(test_release_ends_a_pause),
        HOST_TEST(test_storm_is_exact),
        HOST_TEST(test_wrong_hosts_and_flows_are_refused),
        cmocka_unit_test(test_congestion_spreads_and_loses_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
