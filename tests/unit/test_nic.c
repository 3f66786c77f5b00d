/* SPDX-License-Identifier: Apache-2.0 */

/* An adapter: order and pace of what it sends, pauses to the picosecond, the
 * RX FIFO behind PCIe. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "twin/fabric/fabric.h"
#include "twin/forwarding/frame.h"
#include "twin/nic/nic.h"
#include "twin/transport/dcqcn.h"

enum {
    SPEED = 100000,
    METRES = 10,
    MTU = 9216,
    LENGTH = 976, /* 1,000 bytes on the wire: 80 ns. */
    LOSSLESS = 3,
};

#define FRAME_PS INT64_C(80000)
#define CABLE_PS INT64_C(50000)
#define NS       INT64_C(1000)
#define US       INT64_C(1000000)

#define MAC(i) (UINT64_C(0x020000000000) + (i))

/* Two adapters at the ends of a cable. */
struct fixture {
    struct fabric *fabric;
    struct nic_config configs[2];
    struct nic *nics[2];
    struct sim_payload *headers[2]; /* To the other one. */
};

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    f->fabric = fabric_create(1);
    for (uint32_t i = 0; i < 2; i++) {
        const struct packet packet = {.dst_mac = MAC(1 - i), .src_mac = MAC(i)};

        f->headers[i] = sim_payload_describe(&packet);
        nic_config_init(&f->configs[i], SPEED);
        f->configs[i].mac = MAC(i);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    for (uint32_t i = 0; i < 2; i++) {
        if (f->nics[i]) {
            assert_null(nic_check(f->nics[i]));
        }
    }
    fabric_destroy(f->fabric);
    for (uint32_t i = 0; i < 2; i++) {
        sim_payload_unref(f->headers[i]);
    }
    test_free(f);
    return 0;
}

static void
connect(struct fixture *f)
{
    struct fabric_end ends[2] = {{0}, {0}};

    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(
            fabric_add_nic(f->fabric, &f->configs[i], 0, &f->nics[i]), ST_OK);
        ends[i].nic = f->nics[i];
    }
    assert_int_equal(fabric_connect(f->fabric, ends, METRES, MTU, NULL), ST_OK);
}

/* Adds a raw QP pair; the first adapter sends. */
static uint32_t
add_raw(struct fixture *f, uint8_t priority, const struct nic_raw_config *raw)
{
    uint32_t numbers[2];

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t side = 1 - i; /* The receiver first. */
        struct nic_qp_config config = {.kind = NIC_RAW,
                                       .peer_qp = nic_n_qps(f->nics[0]),
                                       .headers = f->headers[side],
                                       .priority = priority,
                                       .dscp = (uint8_t)(priority << 3),
                                       .raw = *raw};

        if (side == 1) {
            config.raw.n_frames = 1;
            config.raw.start_ps = INT64_MAX / 2;
        }
        assert_int_equal(nic_add_qp(f->nics[side], &config, &numbers[side]),
                         ST_OK);
    }
    assert_int_equal(numbers[0], numbers[1]);
    return numbers[0];
}

static void
run(struct fixture *f, int64_t until_ps)
{
    engine_run_until(fabric_engine(f->fabric), until_ps);
}

/* Returns how many frames QP 'qp' has sent. */
static uint64_t
sent(const struct fixture *f, uint32_t qp)
{
    return nic_sent(f->nics[0], qp)->packets;
}

/* Sending ---------------------------------------------------------------- */

static void
test_pace_is_exact(void **state)
{
    struct fixture *f = *state;
    uint32_t qp;

    connect(f);
    /* 2,666,666.67 ps per frame. */
    qp = add_raw(f, 0,
                 &(struct nic_raw_config){.frame_bytes = LENGTH,
                                          .bits_per_s = 3000000000,
                                          .start_ps = 7,
                                          .n_frames = 30001});
    run(f, US * 100000);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets, 30001);
    assert_int_equal(nic_sent(f->nics[0], qp)->first_ps, 7);
    assert_int_equal(nic_sent(f->nics[0], qp)->last_ps, 7 + 80000 * US);
    assert_int_equal(nic_received(f->nics[1], qp)->packets, 30001);
    assert_int_equal(nic_received(f->nics[1], qp)->last_ps,
                     7 + 80000 * US + FRAME_PS + CABLE_PS);
}

/* A clock in nanoseconds: 84.8 ns of a frame are 84, 848 ns of its gap are 848,
 * and 2,826.67 are 2,826.  Nothing is carried. */
static void
test_times_are_rounded_down_to_steps(void **state)
{
    static const struct {
        uint64_t bits_per_s;
        int64_t gap_ps;
    } rows[] = {{0, 84 * NS},
                {UINT64_C(10000000000), 848 * NS},
                {UINT64_C(3000000000), 2826 * NS}};
    struct fixture *f = *state;
    const uint32_t length = 1036; /* 1,060 bytes on the wire. */

    f->configs[0].time_step_ps = 1000;
    connect(f);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t start_ps = (int64_t)(i + 1) * 1000 * US;
        const uint32_t qp =
            add_raw(f, 0,
                    &(struct nic_raw_config){.frame_bytes = length,
                                             .bits_per_s = rows[i].bits_per_s,
                                             .start_ps = start_ps,
                                             .n_frames = 101});

        run(f, start_ps + 900 * US);
        assert_int_equal(sent(f, qp), 101);
        assert_int_equal(nic_sent(f->nics[0], qp)->last_ps,
                         start_ps + 100 * rows[i].gap_ps);
        assert_int_equal(nic_received(f->nics[1], qp)->last_ps,
                         start_ps + 100 * rows[i].gap_ps + 84 * NS + CABLE_PS);
    }
}

static void
test_wire_is_shared_in_turns(void **state)
{
    struct fixture *f = *state;
    uint32_t qps[3];

    connect(f);
    for (uint32_t i = 0; i < 3; i++) {
        qps[i] = add_raw(
            f, (uint8_t)i,
            &(struct nic_raw_config){.frame_bytes = LENGTH, .start_ps = 1000});
    }
    run(f, 1000 + 299 * FRAME_PS);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(nic_sent(f->nics[0], qps[i])->packets, 100);
    }
    nic_stop(f->nics[0], qps[0]);
    run(f, 1000 + 399 * FRAME_PS);
    assert_int_equal(nic_sent(f->nics[0], qps[0])->packets, 100);
    assert_int_equal(nic_sent(f->nics[0], qps[1])->packets, 150);
    assert_int_equal(nic_sent(f->nics[0], qps[2])->packets, 150);
}

static void
test_strict_priority_is_first(void **state)
{
    struct fixture *f = *state;
    uint32_t strict;
    uint32_t other;

    connect(f);
    other = add_raw(f, 1, &(struct nic_raw_config){.frame_bytes = LENGTH});
    strict = add_raw(f, 6,
                     &(struct nic_raw_config){.frame_bytes = LENGTH,
                                              .start_ps = 10 * FRAME_PS + 1,
                                              .n_frames = 5});
    run(f, 16 * FRAME_PS - 1);
    /* Frame 10 was on the wire. */
    assert_int_equal(nic_sent(f->nics[0], other)->packets, 11);
    assert_int_equal(nic_sent(f->nics[0], strict)->packets, 5);
    assert_int_equal(nic_sent(f->nics[0], strict)->first_ps, 11 * FRAME_PS);
}

static void
test_burst_is_sent_back_to_back(void **state)
{
    struct fixture *f = *state;
    const struct nic_qp_config config = {
        .kind = NIC_RAW,
        .headers = f->headers[0],
        .pacer = {.burst = 4},
        .raw = {.frame_bytes = LENGTH, .bits_per_s = 10000000000}};
    uint32_t qp;

    connect(f);
    assert_int_equal(nic_add_qp(f->nics[0], &config, &qp), ST_OK);
    run(f, 4 * FRAME_PS);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets, 4);
    /* A gap of 4 * 800 ns begins with the first of them. */
    run(f, 3200 * NS - 1);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets, 4);
    run(f, 3200 * NS + 4 * FRAME_PS);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets, 8);
    /* 31 bursts, and one at 99.2 us. */
    run(f, 100 * US);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets, 128);
}

/* All get the rate of the slowest, and what the wire has left is unused. */
static void
test_shared_fifo_slows_all_to_the_slowest(void **state)
{
    static const uint64_t rates[] = {40000000000, 1000000000, 10000000000};
    enum { N = sizeof rates / sizeof *rates };
    struct fixture *f = *state;
    uint32_t qps[N];

    f->configs[0].shared_fifo = true;
    connect(f);
    for (uint32_t i = 0; i < N; i++) {
        qps[i] =
            add_raw(f, (uint8_t)(2 * i),
                    &(struct nic_raw_config){.frame_bytes = LENGTH,
                                             .bits_per_s = rates[i],
                                             .start_ps = 1000,
                                             .n_frames = i == 1 ? 100 : 0});
    }
    /* The slow one sends each 8 us, the others once between. */
    run(f, 99 * 8 * US);
    for (uint32_t i = 0; i < N; i++) {
        assert_in_range(sent(f, qps[i]), 99, 100);
    }
    assert_null(nic_check(f->nics[0]));
    /* When it has nothing more to send, the next slowest decides. */
    run(f, 100 * 8 * US);
    assert_int_equal(sent(f, qps[1]), 100);
    run(f, 180 * 8 * US);
    assert_in_range(sent(f, qps[2]), 908, 910);
    assert_in_range(sent(f, qps[0]), 908, 910);
}

static void
test_ranges_are_checked(void **state)
{
    struct fixture *f = *state;
    struct nic_qp_config config = {
        .kind = NIC_RAW, .headers = f->headers[0], .raw = {.frame_bytes = 64}};
    struct nic_config bad = f->configs[0];
    struct nic *nic = NULL;
    uint32_t qp = 17;

    bad.speed_mbps = 0;
    assert_int_equal(fabric_add_nic(f->fabric, &bad, 0, &nic), ST_INVALID);
    bad = f->configs[0];
    bad.mac = UINT64_C(0x010000000000);
    assert_int_equal(fabric_add_nic(f->fabric, &bad, 0, &nic), ST_INVALID);
    bad = f->configs[0];
    bad.rx.xon_bytes[1] = 1;
    assert_int_equal(fabric_add_nic(f->fabric, &bad, 0, &nic), ST_INVALID);
    bad = f->configs[0];
    bad.pcie.lanes = 8;
    assert_int_equal(fabric_add_nic(f->fabric, &bad, 0, &nic), ST_INVALID);
    bad = f->configs[0];
    bad.pause_response_ps = -1;
    assert_int_equal(fabric_add_nic(f->fabric, &bad, 0, &nic), ST_INVALID);
    assert_null(nic);
    connect(f);
    config.priority = 8;
    assert_int_equal(nic_add_qp(f->nics[0], &config, &qp), ST_INVALID);
    config.priority = 0;
    config.raw.frame_bytes = SIM_MIN_LENGTH_BYTES - 1;
    assert_int_equal(nic_add_qp(f->nics[0], &config, &qp), ST_INVALID);
    config.raw.frame_bytes = 64;
    config.raw.bits_per_s = UINT64_C(100000000001);
    assert_int_equal(nic_add_qp(f->nics[0], &config, &qp), ST_INVALID);
    config.kind = NIC_RC;
    assert_int_equal(nic_add_qp(f->nics[0], &config, &qp), ST_INVALID);
    assert_int_equal(qp, 17);
}

/* Pauses ----------------------------------------------------------------- */

/* A station that sends one pause frame at 10 us and one at 30 us, in place of
 * the second adapter. */
static void
connect_to_storm(struct fixture *f, uint16_t quanta, uint16_t later)
{
    static const int64_t times_ps[] = {10 * US, 30 * US};
    const struct host_config config = {.mac = MAC(1), .speed_mbps = SPEED};
    struct fabric_end ends[2] = {{0}, {0}};

    assert_int_equal(fabric_add_nic(f->fabric, &f->configs[0], 0, &f->nics[0]),
                     ST_OK);
    assert_int_equal(fabric_add_host(f->fabric, &config, &ends[1].host), ST_OK);
    ends[0].nic = f->nics[0];
    assert_int_equal(fabric_connect(f->fabric, ends, METRES, MTU, NULL), ST_OK);
    assert_int_equal(
        host_add_storm(ends[1].host,
                       &(struct storm_config){.pace = {.kind = PACING_LIST,
                                                       .n_frames = 2,
                                                       .times_ps = times_ps},
                                              .priorities = 1 << LOSSLESS,
                                              .quanta = {quanta, later},
                                              .n_quanta = 2}),
        ST_OK);
}

/* 84 bytes on the wire at 100 Gb/s. */
#define PAUSE_PS   INT64_C(6720)
#define QUANTUM_PS INT64_C(5120)
#define EFFECT_PS  (10 * US + PAUSE_PS + CABLE_PS)

static uint32_t
add_sender(struct fixture *f, uint8_t priority)
{
    const struct nic_qp_config config = {.kind = NIC_RAW,
                                         .headers = f->headers[0],
                                         .priority = priority,
                                         .raw = {.frame_bytes = LENGTH}};
    uint32_t qp;

    assert_int_equal(nic_add_qp(f->nics[0], &config, &qp), ST_OK);
    return qp;
}

/* The frames that start in [0, until): one per FRAME_PS. */
static uint64_t
starts_before(int64_t until_ps)
{
    return (uint64_t)((until_ps + FRAME_PS - 1) / FRAME_PS);
}

static void
test_pause_takes_effect_after_the_response_time(void **state)
{
    struct fixture *f = *state;
    const int64_t response_ps = 333333;
    struct nic_stats stats;
    uint32_t qp;

    f->configs[0].pause_response_ps = response_ps;
    connect_to_storm(f, 2000, 0);
    qp = add_sender(f, LOSSLESS);
    run(f, 20 * US);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets,
                     starts_before(EFFECT_PS + response_ps));
    nic_get_stats(f->nics[0], &stats);
    assert_int_equal(stats.paused, 1 << LOSSLESS);
    assert_int_equal(stats.pauses_received, 1);
    /* It ends by itself: 10.24 us later. */
    run(f, EFFECT_PS + response_ps + 2000 * QUANTUM_PS - 1);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets,
                     starts_before(EFFECT_PS + response_ps));
    run(f, EFFECT_PS + response_ps + 2000 * QUANTUM_PS);
    assert_int_equal(nic_sent(f->nics[0], qp)->last_ps,
                     EFFECT_PS + response_ps + 2000 * QUANTUM_PS);
}

/* The first of the FIFO waits for its pause, the others wait for it. */
static void
test_pause_blocks_a_shared_fifo(void **state)
{
    struct fixture *f = *state;
    uint32_t paused, other;

    f->configs[0].shared_fifo = true;
    connect_to_storm(f, 2000, 0);
    paused = add_sender(f, LOSSLESS);
    other = add_sender(f, 0);
    run(f, EFFECT_PS + 2000 * QUANTUM_PS - 1);
    assert_in_range(sent(f, paused) + sent(f, other), starts_before(EFFECT_PS),
                    starts_before(EFFECT_PS) + 1);
    run(f, EFFECT_PS + 2000 * QUANTUM_PS + 2 * FRAME_PS);
    assert_in_range(sent(f, paused) + sent(f, other),
                    starts_before(EFFECT_PS) + 3, starts_before(EFFECT_PS) + 4);
}

static void
test_pause_of_quanta_0_resumes(void **state)
{
    struct fixture *f = *state;
    uint32_t qps[2];

    connect_to_storm(f, 65535, 0);
    qps[0] = add_sender(f, LOSSLESS);
    qps[1] = add_sender(f, 2);
    run(f, 20 * US);
    assert_true(nic_sent(f->nics[0], qps[0])->last_ps < EFFECT_PS);
    assert_true(nic_sent(f->nics[0], qps[1])->last_ps > 19 * US);
    run(f, 20 * US + EFFECT_PS + 2 * FRAME_PS);
    assert_in_range(nic_sent(f->nics[0], qps[0])->last_ps, 20 * US + EFFECT_PS,
                    20 * US + EFFECT_PS + 2 * FRAME_PS);
}

static void
test_pause_of_other_priorities_is_not_obeyed(void **state)
{
    struct fixture *f = *state;
    uint32_t qp;

    f->configs[0].pfc_rx = 0;
    connect_to_storm(f, 65535, 65535);
    qp = add_sender(f, LOSSLESS);
    run(f, 40 * US);
    assert_int_equal(nic_sent(f->nics[0], qp)->packets,
                     starts_before(40 * US + 1));
}

/* The RX FIFO ------------------------------------------------------------ */

/* PCIe of 57.2 Gb/s behind the second adapter. */
static void
slow_down(struct fixture *f)
{
    f->configs[1].pcie = (struct nic_pcie_config){.lanes = 8,
                                                  .mega_transfers_per_s = 8000,
                                                  .max_payload_bytes = 256,
                                                  .reads_outstanding = 64,
                                                  .read_latency_ps = 700 * NS};
    f->configs[1].rx.size_bytes = 200000;
    f->configs[1].rx.xoff_bytes[LOSSLESS] = 100000;
    f->configs[1].rx.xon_bytes[LOSSLESS] = 50000;
}

static void
test_full_rx_fifo_pauses_the_peer(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats;
    uint32_t qp;

    slow_down(f);
    connect(f);
    qp = add_raw(
        f, LOSSLESS,
        &(struct nic_raw_config){.frame_bytes = LENGTH, .n_frames = 10000});
    run(f, 100 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_true(stats.pauses_sent >= 2);
    assert_true(stats.fifo_peak_bytes > 100000);
    assert_true(stats.fifo_peak_bytes < 103000);
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.dropped_packets, 0);
    assert_int_equal(stats.fifo_packets, 0);
    assert_int_equal(stats.pausing, 0);
    assert_int_equal(nic_received(f->nics[1], qp)->packets, 10000);
    /* 9.76 MB through 57.19 Gb/s. */
    assert_in_range(nic_received(f->nics[1], qp)->last_ps, 1365 * US,
                    1367 * US);
}

/* With 802.3x, the frames of both name no priority: the peer stops them all,
 * and obeys no PFC. */
static void
test_full_rx_fifo_pauses_the_link(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats;
    uint32_t qp, other;

    slow_down(f);
    f->configs[0].pause_all = f->configs[1].pause_all = true;
    connect(f);
    qp = add_raw(
        f, LOSSLESS,
        &(struct nic_raw_config){.frame_bytes = LENGTH, .n_frames = 10000});
    other = add_raw(f, 6,
                    &(struct nic_raw_config){.frame_bytes = LENGTH,
                                             .bits_per_s = 10000000000});
    nic_set_stalled(f->nics[1], true);
    run(f, 100 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, UINT8_MAX);
    nic_get_stats(f->nics[0], &stats);
    assert_int_equal(stats.paused, UINT8_MAX);
    assert_true(nic_sent(f->nics[0], other)->last_ps < 50 * US);
    nic_stop(f->nics[0], other);
    nic_set_stalled(f->nics[1], false);
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.dropped_packets, 0);
    assert_int_equal(stats.pausing, 0);
    assert_int_equal(nic_received(f->nics[1], qp)->packets, 10000);
}

/* The loop --------------------------------------------------------------- */

/* Gives the second adapter a loop with a raw QP that sends 'n_frames' (0:
 * without end) of 'priority' to another one.  Returns the loop; its first QP
 * sends. */
static struct nic *
add_loop(struct fixture *f, uint8_t priority, uint64_t n_frames)
{
    const struct packet packet = {.dst_mac = MAC(1), .src_mac = MAC(1)};
    struct nic_qp_config config = {.kind = NIC_RAW,
                                   .priority = priority,
                                   .dscp = (uint8_t)(priority << 3),
                                   .raw.frame_bytes = LENGTH};
    struct nic *loop;

    assert_int_equal(fabric_add_loop(f->fabric, f->nics[1], 0, &loop), ST_OK);
    /* It is the payload of all frames from there to itself. */
    sim_payload_unref(f->headers[1]);
    f->headers[1] = sim_payload_describe(&packet);
    config.headers = f->headers[1];
    for (uint32_t i = 0; i < 2; i++) {
        uint32_t qp;

        config.peer_qp = 1 - i;
        config.raw.n_frames = i ? 1 : n_frames;
        config.raw.start_ps = i ? INT64_MAX / 2 : 0;
        assert_int_equal(nic_add_qp(loop, &config, &qp), ST_OK);
        assert_int_equal(qp, i);
    }
    return loop;
}

/* Link and loop have 100 Gb/s each, and PCIe 57.2: each gets half of it. */
static void
test_loop_and_wire_share_the_bus(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats, of_loop;
    struct nic *loop;
    uint32_t qp;

    slow_down(f);
    connect(f);
    loop = add_loop(f, LOSSLESS, 0);
    qp = add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    nic_get_stats(loop, &of_loop);
    assert_true(stats.pauses_sent >= 2);
    assert_int_equal(stats.dropped_packets, 0);
    assert_in_range(stats.work.bus_ps, 9980 * US, 10000 * US);
    /* 10 ms of 57.19 Gb/s are 73,250 frames. */
    assert_in_range(stats.received_packets + of_loop.received_packets, 73100,
                    73300);
    assert_in_range(of_loop.received_packets, 35000, 38300);
    assert_int_equal(nic_received(loop, 1)->packets, of_loop.received_packets);
    assert_int_equal(nic_received(f->nics[1], qp)->packets,
                     stats.received_packets);
    assert_int_equal(of_loop.fifo_packets, 0);
    assert_null(fabric_check(f->fabric));
    assert_null(nic_check(loop));
}

/* It is paused at once, so the FIFO needs no room for what is on its way but
 * one frame of the loop. */
static void
test_loop_stands_still_while_the_fifo_is_full(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats;
    struct nic *loop;

    slow_down(f);
    connect(f);
    loop = add_loop(f, LOSSLESS, 10000);
    run(f, 1 * US);
    nic_set_stalled(f->nics[1], true);
    run(f, 1000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_in_range(stats.fifo_bytes, 100001, 100000 + 2 * LENGTH);
    nic_set_stalled(f->nics[1], false);
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.dropped_packets, 0);
    assert_int_equal(stats.received_packets, 0);
    assert_int_equal(nic_received(loop, 1)->packets, 10000);
    assert_null(fabric_check(f->fabric));
}

/* Its lossy priorities drop at the marks of the FIFO, as those of the wire. */
static void
test_lossy_loop_drops(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats;
    struct nic *loop;

    slow_down(f);
    f->configs[1].pfc_tx = 0;
    connect(f);
    loop = add_loop(f, LOSSLESS, 10000);
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_true(stats.dropped_packets > 1000);
    assert_int_equal(nic_received(loop, 1)->packets + stats.dropped_packets,
                     10000);
    assert_null(fabric_check(f->fabric));
}

/* Without PCIe nothing holds it up. */
static void
test_loop_without_pcie_is_as_fast_as_the_wire(void **state)
{
    struct fixture *f = *state;
    struct nic *loop;

    connect(f);
    loop = add_loop(f, LOSSLESS, 0);
    run(f, 100 * FRAME_PS);
    assert_int_equal(nic_received(loop, 1)->packets, 100);
}

/* PCIe switches ------------------------------------------------------------ */

/* Connects the adapters, and adds a PCIe switch with the link 'up' of a tree
 * that it stores in '*tree'.  Returns the switch. */
static uint32_t
add_switch(struct fixture *f, const struct pcie_link_config *up,
           struct pcie_tree **tree)
{
    uint32_t above;

    slow_down(f);
    connect(f);
    *tree = fabric_add_pcie(f->fabric, 1000);
    assert_int_equal(pcie_tree_add_switch(*tree, up, &above), ST_OK);
    return above;
}

/* A link of 40 Gb/s between the adapter's own, with 57.2, and memory: the FIFO
 * fills, nothing is lost, and frames inside are accounted for at any time. */
static void
test_slow_pcie_switch_pauses_the_peer(void **state)
{
    const struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(40000000000),
                                        150 * NS, 16384};
    struct fixture *f = *state;
    struct pcie_tree *tree;
    struct nic_stats stats;
    uint32_t above, qp;

    above = add_switch(f, &up, &tree);
    assert_int_equal(nic_attach(f->nics[0], tree, above, 150 * NS, 16384),
                     ST_INVALID);
    assert_int_equal(nic_attach(f->nics[1], tree, above, 150 * NS, 16384),
                     ST_OK);
    assert_int_equal(nic_attach(f->nics[1], tree, above, 150 * NS, 16384),
                     ST_EXISTS);
    qp = add_raw(
        f, LOSSLESS,
        &(struct nic_raw_config){.frame_bytes = LENGTH, .n_frames = 10000});
    for (int64_t t_ps = 0; t_ps < 1500 * US; t_ps += 10 * US) {
        run(f, t_ps);
        assert_null(fabric_check(f->fabric));
    }
    nic_get_stats(f->nics[1], &stats);
    assert_true(stats.pauses_sent >= 2);
    assert_true(stats.switch_busy_ps > 1480 * US);
    assert_in_range(stats.work.bus_ps, 1040 * US, 1200 * US);
    /* Also while it stands still. */
    nic_set_stalled(f->nics[1], true);
    run(f, 1700 * US);
    assert_null(fabric_check(f->fabric));
    nic_set_stalled(f->nics[1], false);
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.dropped_packets, 0);
    assert_int_equal(stats.fifo_packets, 0);
    assert_int_equal(nic_received(f->nics[1], qp)->packets, 10000);
    /* 9.76 MB through 40 Gb/s, and some 180 us of standing still. */
    assert_in_range(nic_received(f->nics[1], qp)->last_ps, 2120 * US,
                    2160 * US);
    assert_null(fabric_check(f->fabric));
}

/* Of two switches above each other, the one that is busier counts. */
static void
test_the_busiest_switch_counts(void **state)
{
    const struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(400000000000),
                                        150 * NS, 16384};
    struct pcie_link_config low = {0, UINT64_C(40000000000), 150 * NS, 16384};
    struct fixture *f = *state;
    struct pcie_tree *tree;
    struct nic_stats stats;
    uint32_t above;

    low.above = add_switch(f, &up, &tree);
    assert_int_equal(pcie_tree_add_switch(tree, &low, &above), ST_OK);
    assert_int_equal(nic_attach(f->nics[1], tree, above, 150 * NS, 16384),
                     ST_OK);
    (void)add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 1000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_in_range(stats.switch_busy_ps, 980 * US, 1000 * US);
}

/* The watchdog of the adapter looks at what leaves its FIFO: a slow switch is
 * none that stands still. */
static void
test_watchdog_tolerates_a_slow_pcie_switch(void **state)
{
    const struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(1000000000),
                                        150 * NS, 16384};
    struct fixture *f = *state;
    struct pcie_tree *tree;
    struct nic_stats stats;
    uint32_t above;

    f->configs[1].watchdog_ps = 100 * US; /* A frame takes 7.8. */
    above = add_switch(f, &up, &tree);
    assert_int_equal(nic_attach(f->nics[1], tree, above, 150 * NS, 16384),
                     ST_OK);
    (void)add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 3000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 1 << LOSSLESS);
    assert_int_equal(stats.dropped_packets, 0);
}

/* A run that ends with frames in the switches frees them. */
static void
test_fabric_ends_with_frames_in_pcie_switches(void **state)
{
    const struct pcie_link_config up = {PCIE_MEMORY, UINT64_C(1000000000),
                                        150 * NS, 65536};
    struct fixture *f = *state;
    struct pcie_tree *tree;
    uint32_t above;
    struct nic_stats stats;

    above = add_switch(f, &up, &tree);
    assert_int_equal(nic_attach(f->nics[1], tree, above, 150 * NS, 16384),
                     ST_OK);
    (void)add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 100 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_true(stats.fifo_packets > 100);
    assert_int_equal(stats.fifo_bytes, stats.fifo_packets * LENGTH);
}

/* Counts pauses; a nic_pfc_fn. */
static void
count_pause(void *n, unsigned int priority, unsigned int quanta, int64_t now_ps)
{
    assert_int_equal(priority, LOSSLESS);
    assert_int_equal(quanta, UINT16_MAX);
    assert_true(now_ps > 0);
    ++*(uint64_t *)n;
}

static void
test_pause_is_repeated_while_the_fifo_is_above_its_mark(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats;
    uint64_t n_heard = 0;
    uint32_t qp;

    slow_down(f);
    /* One read at a time, each 1 ms. */
    f->configs[1].pcie.reads_outstanding = 1;
    f->configs[1].pcie.read_latency_ps = 1000 * US;
    connect(f);
    nic_set_port_listener(
        f->nics[1],
        &(struct nic_listener){.pfc = count_pause, .context = &n_heard});
    qp = add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    /* Every 32767.5 quanta of 5.12 ns: 167.8 us. */
    assert_in_range(stats.pauses_sent, 59, 61);
    assert_int_equal(n_heard, stats.pauses_sent);
    assert_int_equal(stats.dropped_packets, 0);
    assert_in_range(nic_sent(f->nics[0], qp)->packets, 103, 106);
}

/* Settings ---------------------------------------------------------------- */

static void
test_settings_change_while_it_sends(void **state)
{
    struct fixture *f = *state;
    struct nic_config config;
    uint32_t fast, slow;

    connect(f);
    fast = add_raw(f, 0, &(struct nic_raw_config){.frame_bytes = LENGTH});
    slow = add_raw(f, 6,
                   &(struct nic_raw_config){.frame_bytes = LENGTH,
                                            .bits_per_s = 1000000000});
    run(f, 80 * US);
    assert_in_range(sent(f, fast), 989, 991);
    assert_in_range(sent(f, slow), 10, 11);
    config = f->configs[0];
    config.shared_fifo = true;
    assert_int_equal(nic_configure(f->nics[0], &config), ST_OK);
    assert_null(nic_check(f->nics[0]));
    run(f, 160 * US);
    assert_in_range(sent(f, fast), 999, 1002);
    assert_in_range(sent(f, slow), 20, 22);
    config.shared_fifo = false;
    assert_int_equal(nic_configure(f->nics[0], &config), ST_OK);
    assert_null(nic_check(f->nics[0]));
    run(f, 240 * US);
    assert_in_range(sent(f, fast), 1988, 1993);
    assert_in_range(sent(f, slow), 30, 32);
    /* A burst of 4, of which one is left when bursts end. */
    assert_int_equal(nic_tune_qp(f->nics[0], slow, 4, NULL, NULL), ST_OK);
    assert_null(nic_check(f->nics[0]));
    run(f, 400 * US);
    assert_in_range(sent(f, slow), 48, 55);
    assert_int_equal(nic_tune_qp(f->nics[0], slow, 1, NULL, NULL), ST_OK);
    run(f, 800 * US);
    assert_in_range(sent(f, slow), 99, 105);
    /* What is fixed. */
    config.mac++;
    assert_int_equal(nic_configure(f->nics[0], &config), ST_INVALID);
    config = f->configs[0];
    config.pcie = (struct nic_pcie_config){.lanes = 8,
                                           .mega_transfers_per_s = 8000,
                                           .max_payload_bytes = 256,
                                           .reads_outstanding = 32};
    assert_int_equal(nic_configure(f->nics[0], &config), ST_INVALID);
    assert_int_equal(
        nic_tune_qp(f->nics[0], slow, 1, NULL, &(struct dcqcn){.line_bps = 1}),
        ST_INVALID);
}

/* A priority that is no longer obeyed resumes at once. */
static void
test_pause_ends_with_its_setting(void **state)
{
    struct fixture *f = *state;
    struct nic_config config;
    uint32_t qp;

    connect_to_storm(f, 2000, 0);
    qp = add_sender(f, LOSSLESS);
    run(f, 12 * US);
    assert_int_equal(sent(f, qp), starts_before(EFFECT_PS));
    config = f->configs[0];
    config.pfc_rx = 0;
    assert_int_equal(nic_configure(f->nics[0], &config), ST_OK);
    run(f, 12 * US + FRAME_PS);
    assert_int_equal(sent(f, qp), starts_before(EFFECT_PS) + 2);
    assert_int_equal(nic_sent(f->nics[0], qp)->last_ps, 12 * US + FRAME_PS);
}

/* Faster PCIe: the FIFO drains, and the peer may send again. */
static void
test_marks_and_bus_change(void **state)
{
    struct fixture *f = *state;
    struct nic_config config;
    struct nic_stats stats;

    slow_down(f);
    connect(f);
    add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 200 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 1 << LOSSLESS);
    config = f->configs[1];
    config.pfc_tx = 0;
    assert_int_equal(nic_configure(f->nics[1], &config), ST_OK);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 0);
    config = f->configs[1];
    config.pcie.lanes = 16;
    config.pcie.mega_transfers_per_s = 32000;
    assert_int_equal(nic_configure(f->nics[1], &config), ST_OK);
    run(f, 2000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 0);
    assert_true(stats.fifo_bytes < 20000);
}

static void
test_fifo_without_pfc_drops(void **state)
{
    struct fixture *f = *state;
    struct nic_stats stats;
    uint32_t qp;

    slow_down(f);
    f->configs[1].pfc_tx = 0;
    connect(f);
    qp = add_raw(
        f, LOSSLESS,
        &(struct nic_raw_config){.frame_bytes = LENGTH, .n_frames = 10000});
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pauses_sent, 0);
    assert_true(stats.dropped_packets > 3000);
    assert_int_equal(stats.dropped_bytes, stats.dropped_packets * LENGTH);
    assert_int_equal(
        nic_received(f->nics[1], qp)->packets + stats.dropped_packets, 10000);
}

/* Storms ----------------------------------------------------------------- */

/* What a watchdog has reported, and which priorities the adapter pauses. */
struct heard {
    uint64_t n_trips, n_ends, n_changes;
    int64_t at_ps;   /* The last trip or end. */
    int64_t xoff_ps; /* When it last began to pause. */
    uint8_t xoff;
};

static void
note_watchdog(void *heard_, bool trips, int64_t now_ps)
{
    struct heard *heard = heard_;

    heard->n_trips += trips;
    heard->n_ends += !trips;
    heard->at_ps = now_ps;
}

static void
note_xoff(void *heard_, uint8_t xoff, int64_t now_ps)
{
    struct heard *heard = heard_;

    heard->n_changes++;
    heard->xoff = xoff;
    heard->xoff_ps = xoff ? now_ps : heard->xoff_ps;
}

/* Sends at full speed to an adapter with a FIFO, whose events go to 'heard'. */
static uint32_t
connect_to_fifo(struct fixture *f, struct heard *heard)
{
    slow_down(f);
    f->configs[1].pcie.lanes = 16; /* Faster than the wire. */
    connect(f);
    nic_set_port_listener(f->nics[1],
                          &(struct nic_listener){.watchdog = note_watchdog,
                                                 .xoff = note_xoff,
                                                 .context = heard});
    return add_raw(f, LOSSLESS,
                   &(struct nic_raw_config){.frame_bytes = LENGTH});
}

static void
test_dead_receive_pipeline_pauses_permanently(void **state)
{
    struct fixture *f = *state;
    struct heard heard = {0};
    struct nic_stats stats;
    const uint32_t qp = connect_to_fifo(f, &heard);
    uint64_t n_sent, n_received;

    run(f, 50 * US);
    nic_set_stalled(f->nics[1], true);
    n_received = nic_received(f->nics[1], qp)->packets;
    assert_true(n_received > 500);
    run(f, 10000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 1 << LOSSLESS);
    assert_int_equal(stats.xoff, 1 << LOSSLESS);
    assert_true(stats.pauses_sent >= 59);
    assert_int_equal(nic_received(f->nics[1], qp)->packets, n_received);
    n_sent = sent(f, qp);
    run(f, 20000 * US);
    assert_int_equal(sent(f, qp), n_sent);
    /* It works again: everything arrives. */
    nic_set_stalled(f->nics[1], false);
    run(f, 20100 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 0);
    assert_int_equal(stats.dropped_packets, 0);
    assert_true(sent(f, qp) > n_sent + 1000);
    assert_in_range(nic_received(f->nics[1], qp)->packets, sent(f, qp) - 20,
                    sent(f, qp));
    assert_int_equal(heard.n_trips, 0);
}

static void
test_watchdog_of_the_adapter_ends_its_pauses(void **state)
{
    struct fixture *f = *state;
    struct heard heard = {0};
    struct nic_stats stats;
    uint32_t qp;

    f->configs[1].watchdog_ps = 1000 * US;
    qp = connect_to_fifo(f, &heard);
    run(f, 50 * US);
    nic_set_stalled(f->nics[1], true);
    run(f, 900 * US);
    assert_int_equal(heard.n_trips, 0);
    run(f, 2000 * US);
    assert_int_equal(heard.n_trips, 1);
    assert_int_equal(heard.at_ps, heard.xoff_ps + 1000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 0);
    assert_int_equal(stats.xoff, 0);
    /* The peer sends at full speed again, into a full FIFO. */
    assert_true(stats.dropped_packets > 10000);
    assert_true(sent(f, qp) > 12000);
    nic_set_stalled(f->nics[1], false);
    run(f, 2100 * US);
    assert_int_equal(heard.n_ends, 1);
    nic_get_stats(f->nics[1], &stats);
    assert_true(stats.fifo_bytes < 100000);
}

/* A receiver that is only slow is none of its business. */
static void
test_watchdog_of_the_adapter_tolerates_a_slow_receiver(void **state)
{
    struct fixture *f = *state;
    struct heard heard = {0};
    struct nic_stats stats;

    slow_down(f);
    f->configs[1].watchdog_ps = 200 * US;
    f->configs[1].rx.xon_bytes[LOSSLESS] = 1000; /* Pauses of 14 us. */
    f->configs[1].pcie.reads_outstanding = 1;
    f->configs[1].pcie.read_latency_ps = 100 * US;
    connect(f);
    nic_set_port_listener(
        f->nics[1],
        &(struct nic_listener){.watchdog = note_watchdog, .context = &heard});
    add_raw(f, LOSSLESS, &(struct nic_raw_config){.frame_bytes = LENGTH});
    run(f, 9000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 1 << LOSSLESS);
    assert_int_equal(heard.n_trips, 0);
    assert_int_equal(stats.dropped_packets, 0);
}

static void
test_shield_keeps_pauses_back_and_drops(void **state)
{
    struct fixture *f = *state;
    struct heard heard = {0};
    struct nic_stats stats;
    const uint32_t qp = connect_to_fifo(f, &heard);
    uint64_t n_sent, n_pauses;

    run(f, 50 * US);
    nic_set_stalled(f->nics[1], true);
    run(f, 1000 * US);
    n_sent = sent(f, qp);
    nic_set_blocked(f->nics[1], 1 << LOSSLESS);
    run(f, 1100 * US);
    nic_get_stats(f->nics[1], &stats);
    n_pauses = stats.pauses_sent;
    assert_int_equal(stats.pausing, 0);
    assert_int_equal(stats.xoff, 1 << LOSSLESS);
    assert_true(sent(f, qp) > n_sent + 1000);
    assert_in_range(stats.dropped_packets, 1000, 1300);
    run(f, 3000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pauses_sent, n_pauses);
    /* Without it the storm goes on. */
    nic_set_blocked(f->nics[1], 0);
    run(f, 4000 * US);
    nic_get_stats(f->nics[1], &stats);
    assert_int_equal(stats.pausing, 1 << LOSSLESS);
    assert_true(stats.pauses_sent > n_pauses);
    assert_int_equal(heard.n_changes, 1);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_pace_is_exact),
        TEST(test_times_are_rounded_down_to_steps),
        TEST(test_wire_is_shared_in_turns),
        TEST(test_strict_priority_is_first),
        TEST(test_burst_is_sent_back_to_back),
        TEST(test_shared_fifo_slows_all_to_the_slowest),
        TEST(test_ranges_are_checked),
        TEST(test_pause_takes_effect_after_the_response_time),
        TEST(test_pause_blocks_a_shared_fifo),
        TEST(test_pause_of_quanta_0_resumes),
        TEST(test_pause_of_other_priorities_is_not_obeyed),
        TEST(test_full_rx_fifo_pauses_the_peer),
        TEST(test_full_rx_fifo_pauses_the_link),
        TEST(test_loop_and_wire_share_the_bus),
        TEST(test_loop_stands_still_while_the_fifo_is_full),
        TEST(test_lossy_loop_drops),
        TEST(test_loop_without_pcie_is_as_fast_as_the_wire),
        TEST(test_slow_pcie_switch_pauses_the_peer),
        TEST(test_the_busiest_switch_counts),
        TEST(test_watchdog_tolerates_a_slow_pcie_switch),
        TEST(test_fabric_ends_with_frames_in_pcie_switches),
        TEST(test_pause_is_repeated_while_the_fifo_is_above_its_mark),
        TEST(test_fifo_without_pfc_drops),
        TEST(test_settings_change_while_it_sends),
        TEST(test_pause_ends_with_its_setting),
        TEST(test_marks_and_bus_change),
        TEST(test_dead_receive_pipeline_pauses_permanently),
        TEST(test_watchdog_of_the_adapter_ends_its_pauses),
        TEST(test_watchdog_of_the_adapter_tolerates_a_slow_receiver),
        TEST(test_shield_keeps_pauses_back_and_drops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
