/* SPDX-License-Identifier: Apache-2.0 */

/* The switch: time, forwarding, transmission, PFC, counters. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/pfc.h"
#include "tests/support/mmu_setup.h"
#include "tests/support/sim_setup.h"
#include "twin/qos/pause_frame.h"
#include "twin/switch/sim.h"

enum {
    PORTS = 6,
    MAX_EVENTS = 4096,
    CELLS = 10000,
};

/* 100 bytes at 40G: 124 on the wire, 200 ps each. */
#define FRAME_PS INT64_C(24800)

#define MAC(port) SIM_SETUP_MAC(port)

struct fixture {
    struct chip chip;
    struct sim *sim;
    struct mmu *mmu;
    uint32_t ingress;
    uint32_t egress;

    /* What the listener heard. */
    struct {
        uint32_t port;
        struct sim_frame frame;
        int64_t now_ps;
    } sent[MAX_EVENTS];
    size_t n_sent;
    struct {
        uint32_t port;
        unsigned int priority;
        unsigned int quanta;
        int64_t now_ps;
    } pfc[MAX_EVENTS];
    size_t n_pfc;
    size_t n_drops;
    uint32_t last_drop_port;
    enum mmu_drop last_drop;
};

static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct fixture *f = context;

    assert_true(f->n_sent < MAX_EVENTS);
    f->sent[f->n_sent].port = port;
    f->sent[f->n_sent].frame = *frame;
    f->sent[f->n_sent++].now_ps = now_ps;
}

static void
on_pfc(void *context, uint32_t port, unsigned int priority, unsigned int quanta,
       int64_t now_ps)
{
    struct fixture *f = context;

    assert_true(f->n_pfc < MAX_EVENTS);
    f->pfc[f->n_pfc].port = port;
    f->pfc[f->n_pfc].priority = priority;
    f->pfc[f->n_pfc].quanta = quanta;
    f->pfc[f->n_pfc++].now_ps = now_ps;
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct fixture *f = context;

    (void)frame;
    (void)now_ps;
    f->n_drops++;
    f->last_drop_port = port;
    f->last_drop = why;
}

/* A pause frame at 40G: 84 bytes on the wire. */
#define PAUSE_PS INT64_C(16800)

#define PORT_MAC UINT64_C(0x021122334455)

static const struct sim_port_config port_40g = {.speed_mbps = 40000,
                                                .mac = PORT_MAC,
                                                .admin_up = true,
                                                .tx_enabled = true,
                                                .pfc_tx_enabled = 0x18};

/* Makes all six ports up, with MAC(port) behind each, DSCP n in PG and queue
 * n, and a lossless PG 3 (guarantee 5, limit 20, headroom 10 cells). */
static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    struct mmu_profile_config pg = {.is_static = true};
    uint32_t pool;

    chip_init(&f->chip);
    f->chip.memory_bytes = (uint64_t)CELLS * f->chip.cell_bytes;
    f->chip.ports = PORTS + 1;
    f->sim = sim_create(&f->chip);
    f->mmu = sim_mmu(f->sim);
    sim_set_listener(f->sim, &(struct sim_listener){.sent = on_sent,
                                                    .pfc = on_pfc,
                                                    .drop = on_drop,
                                                    .context = f});
    sim_setup_ports(f->sim, PORTS, &port_40g);
    pool = mmu_setup_pool(f->mmu, MMU_INGRESS, 256000, 0);
    pg.pool = pool;
    pg.reserved_bytes = 5 * 256;
    pg.static_bytes = 20 * 256;
    pg.xoff_bytes = 10 * 256;
    pg.xon_offset_bytes = 4 * 256;
    f->ingress = mmu_setup_profile(f->mmu, &pg);
    mmu_setup_attach_pg(f->mmu, 0, 3, f->ingress);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_verify(f->mmu);
    sim_destroy(f->sim);
    test_free(f);
    return 0;
}

static struct sim_frame
frame_to(uint32_t port, int dscp)
{
    return (struct sim_frame){.dst_mac = MAC(port),
                              .src_mac = MAC(100),
                              .length_bytes = 100,
                              .dscp = (int8_t)dscp,
                              .ecn = 1,
                              .ip_id = 7};
}

static void
block(struct fixture *f, uint32_t port, bool blocked)
{
    struct sim_port_config config = *sim_port_get(f->sim, port);

    config.tx_enabled = !blocked;
    assert_int_equal(sim_port_set(f->sim, port, &config), ST_OK);
}

static void
send(struct fixture *f, uint32_t port, const struct sim_frame *frame,
     uint64_t n)
{
    struct sim_send_result result;

    assert_int_equal(sim_send(f->sim, port, frame, n, 0, &result), ST_OK);
    assert_int_equal(result.sent, n);
}

static struct sim_port_stats
stats(struct fixture *f, uint32_t port)
{
    struct sim_port_stats s;

    assert_int_equal(sim_port_get_stats(f->sim, port, &s), ST_OK);
    return s;
}

static void
test_frame_takes_its_time_twice(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);

    send(f, 0, &frame, 1);
    assert_int_equal(sim_now_ps(f->sim), FRAME_PS);
    assert_int_equal(f->n_sent, 0);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(sim_now_ps(f->sim), 2 * FRAME_PS);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->sent[0].port, 1);
    assert_int_equal(f->sent[0].now_ps, 2 * FRAME_PS);
    assert_int_equal(f->sent[0].frame.id, 1);
    assert_int_equal(f->sent[0].frame.ip_id, 7);
    assert_int_equal(f->sent[0].frame.ecn, 1);
    assert_int_equal(sim_next_ps(f->sim), EVENT_NEVER);
}

/* Also where nobody listens, and ends of transmissions are no events. */
static void
test_settling_returns_what_left_meanwhile(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);

    sim_set_listener(f->sim, &(struct sim_listener){0});
    send(f, 0, &frame, 3);
    sim_run_until(f->sim, 9 * FRAME_PS);
    assert_int_equal(sim_settle(f->sim), 0);
    send(f, 0, &frame, 3);
    assert_int_equal(sim_settle(f->sim), 1);
}

static void
test_same_speed_never_queues(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    struct mmu_pg_stats pg;

    send(f, 0, &frame, 1000);
    assert_int_equal(sim_now_ps(f->sim), 1000 * FRAME_PS);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &pg);
    assert_int_equal(pg.shared_watermark, 0);
    assert_int_equal(pg.packets, 1000);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 1000);
    for (size_t i = 0; i < f->n_sent; i++) {
        assert_int_equal(f->sent[i].frame.id, i + 1);
        assert_int_equal(f->sent[i].now_ps, (int64_t)(i + 2) * FRAME_PS);
    }
}

static void
test_nothing_moves_without_a_call(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);

    send(f, 0, &frame, 1);
    sim_run_until(f->sim, 2 * FRAME_PS - 1);
    assert_int_equal(f->n_sent, 0);
    sim_run_until(f->sim, 0);
    assert_int_equal(sim_now_ps(f->sim), 2 * FRAME_PS - 1);
    sim_run_until(f->sim, 2 * FRAME_PS);
    assert_int_equal(f->n_sent, 1);
}

/* A clock in nanoseconds: 24.8 ns of a frame are 24. */
static void
test_times_are_rounded_down_to_steps(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config config = port_40g;
    const struct sim_frame frame = frame_to(1, 0);

    config.time_step_ps = 1000;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    block(f, 1, true);
    send(f, 0, &frame, 11);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 11);
    assert_int_equal(f->sent[10].now_ps - f->sent[0].now_ps, 10 * 24000);
}

static void
test_unknown_destination_floods(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(77, 0);
    struct sim_port_config down = port_40g;
    unsigned int seen = 0;

    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 4, &down), ST_OK);
    for (uint32_t i = 0; i < PORTS; i++) {
        block(f, i, i != 4);
    }
    assert_int_equal(sim_port_set(f->sim, 4, &down), ST_OK);
    send(f, 2, &frame, 3);
    /* Once in memory, in four queues. */
    assert_int_equal(mmu_used_cells(f->mmu), 3);
    assert_null(mmu_check(f->mmu));
    for (uint32_t i = 0; i < PORTS; i++) {
        if (i != 4) {
            block(f, i, false);
        }
    }
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 12);
    for (size_t i = 0; i < f->n_sent; i++) {
        seen |= 1u << f->sent[i].port;
    }
    assert_int_equal(seen, 0x2b);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    assert_int_equal(stats(f, 2).rx_ucast_packets, 3);
    /* Three more of each than have arrived. */
    assert_int_equal(stats(f, 2).rx_copied, 9);
    assert_int_equal(stats(f, 2).rx_copied_octets, 9 * frame.length_bytes);
    assert_int_equal(stats(f, 0).rx_copied, 0);
}

static void
test_group_addresses_flood_and_count_apart(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);

    frame.dst_mac = UINT64_C(0xffffffffffff);
    send(f, 0, &frame, 2);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 10);
    assert_int_equal(stats(f, 0).rx_non_ucast_packets, 2);
    assert_int_equal(stats(f, 0).rx_ucast_packets, 0);
    assert_int_equal(stats(f, 3).tx_non_ucast_packets, 2);
}

/* IEEE 802.1Q-2018 table 8-1: not forwarded, whatever the bridge knows. */
static void
test_mac_control_ends_at_the_port(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    struct mmu_pg_stats pg;

    frame.dst_mac = UINT64_C(0x0180c2000001);
    send(f, 0, &frame, 2);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 0);
    assert_int_equal(stats(f, 0).rx_control, 2);
    assert_int_equal(stats(f, 0).rx_octets, 0);
    assert_int_equal(stats(f, 0).rx_non_ucast_packets, 0);
    assert_int_equal(stats(f, 0).rx_filtered, 0);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &pg);
    assert_int_equal(pg.packets, 0);
}

static void
test_frame_is_not_sent_back(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(0, 0);
    struct sim_port_config down = port_40g;

    send(f, 0, &frame, 2);
    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 1, &down), ST_OK);
    frame = frame_to(1, 0);
    send(f, 0, &frame, 1);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 0);
    assert_int_equal(stats(f, 0).rx_filtered, 3);
    assert_int_equal(f->n_drops, 0);
}

static void
test_static_entries_come_and_go(void **state)
{
    struct fixture *f = *state;

    assert_int_equal(sim_fdb_get(f->sim, MAC(1)), 1);
    assert_int_equal(sim_fdb_set(f->sim, MAC(1), 2), ST_OK);
    assert_int_equal(sim_fdb_get(f->sim, MAC(1)), 2);
    assert_int_equal(sim_fdb_remove(f->sim, MAC(1)), ST_OK);
    assert_int_equal(sim_fdb_remove(f->sim, MAC(1)), ST_NOT_FOUND);
    assert_int_equal(sim_fdb_get(f->sim, MAC(1)), MMU_NONE);
    assert_int_equal(sim_fdb_set(f->sim, MAC(1), PORTS), ST_NOT_FOUND);
    assert_int_equal(sim_fdb_set(f->sim, UINT64_C(1) << 40, 1), ST_INVALID);
    assert_int_equal(sim_fdb_set(f->sim, UINT64_C(1) << 48, 1), ST_INVALID);
    assert_int_equal(sim_port_remove(f->sim, 3), ST_OK);
    assert_int_equal(sim_fdb_get(f->sim, MAC(3)), MMU_NONE);
}

/* Reserved 5, limit 20, headroom 10, counted in packets of one cell. */
static void
test_pfc_and_drop_at_the_exact_packet(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    struct sim_send_result result;
    struct mmu_pg_stats pg;

    block(f, 1, true);
    assert_int_equal(sim_send(f->sim, 0, &frame, 1000,
                              SIM_STOP_XOFF | SIM_STOP_DROP, &result),
                     ST_OK);
    assert_int_equal(result.sent, 25);
    assert_int_equal(result.stops, SIM_STOP_XOFF);
    assert_int_equal(f->n_pfc, 1);
    assert_int_equal(f->pfc[0].port, 0);
    assert_int_equal(f->pfc[0].priority, 3);
    assert_int_equal(f->pfc[0].quanta, 65535);
    assert_int_equal(f->pfc[0].now_ps, 25 * FRAME_PS);
    assert_int_equal(sim_send(f->sim, 0, &frame, 1000, SIM_STOP_DROP, &result),
                     ST_OK);
    assert_int_equal(result.sent, 11);
    assert_int_equal(result.stops, SIM_STOP_DROP);
    assert_int_equal(f->last_drop, MMU_HEADROOM);
    assert_int_equal(f->last_drop_port, 0);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &pg);
    assert_int_equal(pg.reserved, 5);
    assert_int_equal(pg.shared, 20);
    assert_int_equal(pg.headroom, 10);
    assert_int_equal(pg.dropped_packets, 1);
    assert_int_equal(pg.packets, 36);
    assert_int_equal(stats(f, 0).rx_dropped, 1);
    assert_int_equal(stats(f, 0).rx_ucast_packets, 36);
    assert_int_equal(stats(f, 1).tx_dropped, 0);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 35);
    assert_int_equal(stats(f, 1).tx_ucast_packets, 35);
    assert_int_equal(stats(f, 1).tx_octets, 3500);
    assert_false(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
}

static void
test_pause_is_refreshed_until_released(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    /* 65,535 quanta of 512 bits, at 25 ps per bit, halved. */
    const int64_t half_ps = INT64_C(65535) * 512 * 25 / 2;
    uint64_t frames;

    block(f, 1, true);
    send(f, 0, &frame, 25);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    sim_run_until(f->sim, 25 * FRAME_PS + half_ps - 1);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    sim_run_until(f->sim, 25 * FRAME_PS + half_ps);
    assert_int_equal(stats(f, 0).pfc_tx[3], 2);
    sim_run_until(f->sim, 25 * FRAME_PS + 10 * half_ps);
    assert_int_equal(stats(f, 0).pfc_tx[3], 11);
    assert_int_equal(stats(f, 0).pfc_tx[4], 0);
    /* Released 4 cells below the limit: after the 4th has left. */
    block(f, 1, false);
    sim_settle(f->sim);
    frames = stats(f, 0).pfc_tx[3];
    assert_int_equal(frames, 12);
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, 0);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 100 * half_ps);
    assert_int_equal(stats(f, 0).pfc_tx[3], frames);
}

/* A pause that ends and begins again during one frame was never ended for its
 * sender, and is repeated as before. */
static void
test_pause_that_begins_again_is_refreshed(void **state)
{
    struct fixture *f = *state;
    struct sim_frame back = frame_to(0, 0);
    const int64_t half_ps = INT64_C(65535) * 512 * 25 / 2;

    back.length_bytes = 1000;
    assert_int_equal(sim_port_set_storm(f->sim, 0, 1 << 3), ST_OK);
    sim_settle(f->sim);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    block(f, 0, true);
    send(f, 2, &back, 1);
    block(f, 0, false);
    /* The port has a frame on its wire. */
    assert_int_equal(sim_port_set_storm(f->sim, 0, 0), ST_OK);
    assert_int_equal(sim_port_set_storm(f->sim, 0, 1 << 3), ST_OK);
    sim_settle(f->sim);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    for (uint64_t n = 1; n <= 5; n++) {
        sim_run_until(f->sim, (int64_t)n * half_ps - 1);
        assert_int_equal(stats(f, 0).pfc_tx[3], n);
        sim_run_until(f->sim, (int64_t)n * half_ps);
        assert_int_equal(stats(f, 0).pfc_tx[3], n + 1);
    }
    /* Then it ends. */
    assert_int_equal(sim_port_set_storm(f->sim, 0, 0), ST_OK);
    sim_settle(f->sim);
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, 0);
    sim_run_until(f->sim, 20 * half_ps);
    assert_int_equal(stats(f, 0).pfc_tx[3], 7);
}

/* A defective port: its pauses do not depend on its buffer. */
static void
test_storm_of_a_port_needs_no_traffic(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    const int64_t half_ps = INT64_C(65535) * 512 * 25 / 2;

    assert_int_equal(sim_port_set_storm(f->sim, PORTS + 9, 1 << 3),
                     ST_NOT_FOUND);
    /* Priority 5 has no PFC. */
    assert_int_equal(sim_port_set_storm(f->sim, 0, 1 << 3 | 1 << 5), ST_OK);
    sim_run_until(f->sim, 10 * half_ps);
    assert_in_range(stats(f, 0).pfc_tx[3], 10, 11);
    assert_int_equal(stats(f, 0).pfc_tx[5], 0);
    /* A PG that fills and drains changes nothing. */
    block(f, 1, true);
    send(f, 0, &frame, 25);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, UINT16_MAX);
    assert_int_equal(sim_port_set_storm(f->sim, 0, 0), ST_OK);
    sim_settle(f->sim);
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, 0);
}

/* The same of a port with 802.3x, for its link. */
static void
test_storm_of_a_port_pauses_its_link(void **state)
{
    struct fixture *f = *state;
    const int64_t half_ps = INT64_C(65535) * 512 * 25 / 2;
    struct sim_port_config config = port_40g;

    config.pause_tx_enabled = true;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_OK);
    assert_int_equal(sim_port_set_storm(f->sim, 0, 1 << 3), ST_OK);
    sim_run_until(f->sim, 10 * half_ps);
    assert_in_range(stats(f, 0).pause_tx, 10, 11);
    for (size_t i = 0; i < f->n_pfc; i++) {
        assert_int_equal(f->pfc[i].quanta, UINT16_MAX);
    }
    assert_int_equal(sim_port_set_storm(f->sim, 0, 0), ST_OK);
    sim_settle(f->sim);
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, 0);
    assert_int_equal(stats(f, 0).pfc_tx[3], 0);
}

/* A link is paused as long as one of its PGs wants that, and no priority is. */
static void
test_link_is_paused_for_all_groups(void **state)
{
    struct fixture *f = *state;
    const int64_t quarter_ps = INT64_C(65535) * 512 * 25 / 4;
    const struct sim_frame first = frame_to(1, 0), second = frame_to(2, 3);
    struct sim_port_config config = port_40g;
    struct sim_pause_stats pauses;

    config.pause_tx_enabled = true;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_OK);
    mmu_setup_attach_pg(f->mmu, 0, 0, f->ingress);
    block(f, 1, true);
    block(f, 2, true);
    send(f, 0, &first, 25);
    send(f, 0, &second, 25);
    assert_int_equal(stats(f, 0).pause_tx, 1);
    block(f, 1, false);
    sim_run_until(f->sim, quarter_ps);
    assert_false(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 0)));
    assert_int_equal(stats(f, 0).pause_tx, 1);
    /* A port that is set up again goes on. */
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_OK);
    block(f, 2, false);
    sim_run_until(f->sim, 2 * quarter_ps);
    assert_int_equal(stats(f, 0).pause_tx, 2);
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, 0);
    assert_int_equal(sim_port_get_pauses(f->sim, 0, &pauses), ST_OK);
    for (int i = 0; i < PFC_N_PRIORITIES; i++) {
        assert_int_equal(pauses.tx[i].total_ps, 0);
    }
}

enum { MAX_OUT = 32 };

/* What comes out of the wire of a port. */
struct wire {
    struct fixture *f;
    struct {
        uint8_t bytes[PAUSE_FRAME_BYTES]; /* Zero: not MAC control. */
        uint32_t length;
        int64_t now_ps;
    } out[MAX_OUT];
    size_t n;
};

static void
on_wire(void *context, const struct sim_frame *frame)
{
    struct wire *wire = context;

    assert_true(wire->n < MAX_OUT);
    wire->out[wire->n].length = frame->length_bytes;
    wire->out[wire->n].now_ps = sim_now_ps(wire->f->sim);
    if (frame->dst_mac == PAUSE_FRAME_ADDRESS) {
        assert_non_null(frame->payload);
        assert_int_equal(frame->length_bytes, PAUSE_FRAME_BYTES);
        memcpy(wire->out[wire->n].bytes, frame->payload->bytes,
               PAUSE_FRAME_BYTES);
    }
    wire->n++;
}

/* What a pause frame for 'priorities' with 'quanta' looks like. */
static void
assert_pause(const struct wire *wire, size_t i, uint8_t priorities,
             uint16_t quanta)
{
    struct pause_frame pause = {.priorities = priorities};
    uint8_t want[PAUSE_FRAME_BYTES];

    for (int p = 0; p < PFC_N_PRIORITIES; p++) {
        pause.quanta[p] = priorities >> p & 1 ? quanta : 0;
    }
    pause_frame_build(&pause, PORT_MAC, want);
    assert_true(i < wire->n);
    assert_memory_equal(wire->out[i].bytes, want, sizeof want);
}

static void
test_pause_frame_is_on_the_wire(void **state)
{
    struct fixture *f = *state;
    struct wire wire = {.f = f};
    struct sim_frame frame = frame_to(1, 3);
    const struct sim_port_config *config = sim_port_get(f->sim, 0);

    assert_int_equal(config->mac, PORT_MAC);
    sim_port_connect(f->sim, 0, on_wire, &wire);
    block(f, 1, true);
    send(f, 0, &frame, 25);
    /* It has started, and counts; it has not ended. */
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    assert_int_equal(wire.n, 0);
    assert_int_equal(sim_settle(f->sim), 0);
    assert_int_equal(sim_now_ps(f->sim), 25 * FRAME_PS + PAUSE_PS);
    assert_int_equal(wire.n, 1);
    assert_pause(&wire, 0, 0x08, 0xffff);
    /* Not a frame of traffic. */
    assert_int_equal(stats(f, 0).tx_octets, 0);
    assert_int_equal(stats(f, 0).tx_non_ucast_packets, 0);
    assert_int_equal(f->n_sent, 0);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(wire.n, 2);
    assert_pause(&wire, 1, 0x08, 0);
}

/* The port has frames of 1000 bytes to send: 204.8 ns each. */
static void
test_pause_goes_at_the_next_end_of_a_frame(void **state)
{
    struct fixture *f = *state;
    struct wire wire = {.f = f};
    struct sim_frame frame = frame_to(1, 3);
    struct sim_frame back = frame_to(0, 0);
    int64_t start_ps;

    back.length_bytes = 1000;
    sim_port_connect(f->sim, 0, on_wire, &wire);
    block(f, 1, true);
    send(f, 0, &frame, 24);
    block(f, 0, true);
    send(f, 2, &back, 2);
    block(f, 0, false);
    start_ps = sim_now_ps(f->sim);
    send(f, 0, &frame, 1);
    assert_true(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    assert_int_equal(stats(f, 0).pfc_tx[3], 0);
    sim_settle(f->sim);
    assert_int_equal(wire.n, 3);
    assert_int_equal(wire.out[0].length, 1000);
    assert_int_equal(wire.out[0].now_ps, start_ps + 204800);
    assert_pause(&wire, 1, 0x08, 0xffff);
    assert_int_equal(wire.out[1].now_ps, start_ps + 204800 + PAUSE_PS);
    assert_int_equal(wire.out[2].now_ps, start_ps + 2 * 204800 + PAUSE_PS);
    assert_int_equal(f->pfc[0].now_ps, start_ps + 204800);
}

static void
test_blocked_port_still_sends_pauses(void **state)
{
    struct fixture *f = *state;
    struct wire wire = {.f = f};
    struct sim_frame frame = frame_to(1, 3);
    struct sim_frame back = frame_to(0, 0);

    sim_port_connect(f->sim, 0, on_wire, &wire);
    block(f, 0, true);
    block(f, 1, true);
    send(f, 2, &back, 1);
    send(f, 0, &frame, 25);
    sim_settle(f->sim);
    assert_int_equal(wire.n, 1);
    assert_pause(&wire, 0, 0x08, 0xffff);
}

/* Two PGs become XOFF, and one of them is XON again, during one frame. */
static void
test_pauses_due_together_share_a_frame(void **state)
{
    struct fixture *f = *state;
    struct wire wire = {.f = f};
    struct sim_frame back = frame_to(0, 0);
    struct sim_frame third = frame_to(1, 3);
    struct sim_frame fourth = frame_to(1, 4);
    struct sim_frame other = frame_to(3, 4);

    assert_int_equal(
        mmu_pg_attach(f->mmu, mmu_pg_id(f->mmu, 0, 4), f->ingress, NULL),
        ST_OK);
    back.length_bytes = 9000; /* 1.8 us, 72 of the small frames. */
    sim_port_connect(f->sim, 0, on_wire, &wire);
    block(f, 1, true);
    block(f, 3, true);
    send(f, 0, &third, 24);
    send(f, 0, &fourth, 19);
    send(f, 0, &other, 5);
    assert_int_equal(stats(f, 0).pfc_tx[4], 0);
    send(f, 2, &back, 1);
    send(f, 0, &third, 1);
    send(f, 0, &fourth, 1);
    assert_int_equal(f->n_pfc, 0);
    sim_settle(f->sim);
    assert_pause(&wire, 1, 0x18, 0xffff);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    assert_int_equal(stats(f, 0).pfc_tx[4], 1);
    /* Priority 4 leaves XOFF and comes back while the wire is taken: the
     * last pause that the sender received still holds. */
    send(f, 2, &back, 1);
    block(f, 3, false);
    send(f, 0, &fourth, 5);
    sim_settle(f->sim);
    assert_true(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 4)));
    assert_int_equal(stats(f, 0).pfc_tx[4], 1);
    assert_int_equal(wire.n, 3);
}

static void
test_port_down_tells_its_sender_nothing(void **state)
{
    struct fixture *f = *state;
    struct wire wire = {.f = f};
    struct sim_frame frame = frame_to(1, 3);
    struct sim_port_config down = port_40g;

    sim_port_connect(f->sim, 0, on_wire, &wire);
    block(f, 1, true);
    send(f, 0, &frame, 25);
    sim_settle(f->sim);
    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 0, &down), ST_OK);
    assert_true(sim_next_ps(f->sim) == EVENT_NEVER);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    /* It does not know what its sender remembers, and sends it again. */
    assert_int_equal(sim_port_set(f->sim, 0, &port_40g), ST_OK);
    sim_settle(f->sim);
    assert_int_equal(stats(f, 0).pfc_tx[3], 2);
    assert_pause(&wire, 1, 0x08, 0xffff);
}

/* A router whose only host is behind port 0, as is who sends to it: what
 * arrives there leaves there. */
static struct sim_frame
route_back(struct fixture *f)
{
    static const uint8_t host[] = {10, 0, 0, 9};
    static const uint8_t sender[] = {10, 0, 0, 8};
    const struct address address = address_make(ADDRESS_V4, host);
    struct router *router = sim_router(f->sim);
    const uint32_t domain = router_domain_add(
        router, &(struct router_domain){.mac = PORT_MAC, .v4 = true});
    const uint32_t interface = router_interface_add(
        router, &(struct router_interface){.domain = domain,
                                           .mac = PORT_MAC,
                                           .v4 = true,
                                           .mtu_bytes = 1514,
                                           .miss_action = ROUTER_DROP,
                                           .loopback_action = ROUTER_FORWARD});
    const struct packet packet = {.dst_mac = PORT_MAC,
                                  .kind = PACKET_IPV4,
                                  .src = address_make(ADDRESS_V4, sender),
                                  .dst = address,
                                  .ttl = 64,
                                  .ip_bytes = 86};
    struct sim_frame frame = frame_to(0, 3);

    router_neighbor_set(router, interface, &address,
                        &(struct router_neighbor){.mac = MAC(50),
                                                  .action = ROUTER_FORWARD,
                                                  .is_route = true});
    frame.dst_mac = PORT_MAC;
    frame.ttl = 64;
    frame.payload = sim_payload_describe(&packet);
    return frame;
}

/* The frame that leaves is the one whose leaving ends XOFF, at the very port
 * that is to say so: one after the other, and nothing is lost. */
static void
test_port_that_pauses_itself_sends_one_at_a_time(void **state)
{
    struct fixture *f = *state;
    struct wire wire = {.f = f};
    struct sim_frame frame = route_back(f);
    size_t n_pauses = 0;

    sim_port_connect(f->sim, 0, on_wire, &wire);
    block(f, 0, true);
    send(f, 0, &frame, 25);
    sim_settle(f->sim);
    assert_pause(&wire, 0, 0x08, 0xffff);
    block(f, 0, false);
    assert_int_equal(sim_settle(f->sim), 25);
    assert_true(sim_next_ps(f->sim) == EVENT_NEVER);
    assert_int_equal(wire.n, 27);
    for (size_t i = 0; i < wire.n; i++) {
        const bool is_pause = wire.out[i].bytes[0] != 0;

        n_pauses += is_pause;
        assert_true(i == 0 || wire.out[i].now_ps - wire.out[i - 1].now_ps >=
                                  (is_pause ? PAUSE_PS : FRAME_PS));
    }
    assert_int_equal(n_pauses, 2);
    /* Released by the 5th that left (20 - 4 shared cells), sent after it. */
    assert_pause(&wire, 5, 0x08, 0);
    sim_payload_unref(frame.payload);
}

/* As from a link: the frame is there, and has taken its time elsewhere. */
static void
test_frame_from_a_wire_arrives_at_once(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);
    struct sim_port_config down = port_40g;

    frame.id = 77;
    frame.vlan = 5;
    assert_int_equal(sim_receive(f->sim, 0, &frame), ST_OK);
    assert_int_equal(sim_now_ps(f->sim), 0);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(f->sent[0].now_ps, FRAME_PS);
    assert_int_equal(f->sent[0].frame.id, 1);
    assert_int_equal(sim_receive(f->sim, PORTS, &frame), ST_NOT_FOUND);
    frame.length_bytes = SIM_MIN_LENGTH_BYTES - 1;
    assert_int_equal(sim_receive(f->sim, 0, &frame), ST_INVALID);
    frame.length_bytes = 100;
    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 0, &down), ST_OK);
    assert_int_equal(sim_receive(f->sim, 0, &frame), ST_BUSY);
    assert_int_equal(stats(f, 0).rx_ucast_packets, 1);
}

static void
test_settle_ends_although_pauses_go_on(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    int64_t before;

    block(f, 1, true);
    send(f, 0, &frame, 30);
    before = sim_now_ps(f->sim);
    assert_int_equal(sim_settle(f->sim), 0);
    assert_int_equal(sim_now_ps(f->sim), before);
    assert_true(sim_next_ps(f->sim) > before);
}

static void
test_pause_needs_its_priority_enabled(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    struct sim_port_config config = port_40g;

    config.pfc_tx_enabled = 0x10;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_OK);
    block(f, 1, true);
    send(f, 0, &frame, 30);
    assert_true(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    assert_int_equal(f->n_pfc, 0);
    /* Enabled while the PG is XOFF: a pause is sent now. */
    config.pfc_tx_enabled = 0x18;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_OK);
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    config.pfc_tx_enabled = 0;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_OK);
    /* The first pause frame is still on the wire. */
    assert_int_equal(stats(f, 0).pfc_tx[3], 1);
    sim_settle(f->sim);
    assert_int_equal(stats(f, 0).pfc_tx[3], 2);
    assert_int_equal(f->pfc[1].quanta, 0);
    assert_int_equal(sim_next_ps(f->sim), EVENT_NEVER);
}

static void
test_blocked_port_finishes_its_frame(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);

    send(f, 0, &frame, 2);
    /* The second has just begun to leave. */
    block(f, 1, true);
    send(f, 0, &frame, 3);
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(mmu_used_cells(f->mmu), 3);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 2);
    block(f, 1, false);
    assert_int_equal(sim_settle(f->sim), 3);
}

static void
test_queues_take_turns(void **state)
{
    struct fixture *f = *state;
    static const int8_t want[] = {0, 1, 5, 0, 1, 5, 0, 1, 0};
    struct sim_frame frame = frame_to(1, 0);

    block(f, 1, true);
    send(f, 0, &frame, 4);
    frame.dscp = 5;
    send(f, 0, &frame, 2);
    frame.dscp = 1;
    send(f, 0, &frame, 3);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, sizeof want);
    for (size_t i = 0; i < sizeof want; i++) {
        assert_int_equal(f->sent[i].frame.dscp, want[i]);
    }
}

static void
test_slower_port_queues(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);
    struct sim_port_config slow = port_40g;

    slow.speed_mbps = 10000;
    assert_int_equal(sim_port_set(f->sim, 1, &slow), ST_OK);
    send(f, 0, &frame, 9);
    /* The 1st left at 1..5 frame times, the 2nd leaves at 5..9, the 3rd has
     * just begun. */
    assert_int_equal(f->n_sent, 2);
    assert_int_equal(mmu_used_cells(f->mmu), 6);
    sim_settle(f->sim);
    assert_int_equal(sim_now_ps(f->sim), (1 + 9 * 4) * FRAME_PS);
}

static void
test_full_queue_drops_at_egress(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);
    uint32_t profile;
    uint32_t pool;
    struct mmu_queue_stats queue;

    assert_int_equal(
        mmu_pool_create(f->mmu,
                        &(struct mmu_pool_config){.direction = MMU_EGRESS,
                                                  .size_bytes = 100 * 256},
                        &pool, NULL),
        ST_OK);
    assert_int_equal(
        mmu_profile_create(
            f->mmu, &(struct mmu_profile_config){.pool = pool, .dynamic_th = 0},
            &profile, NULL),
        ST_OK);
    assert_int_equal(
        mmu_queue_attach(f->mmu, mmu_queue_id(f->mmu, 1, 0), profile, NULL),
        ST_OK);
    block(f, 1, true);
    send(f, 0, &frame, 60);
    assert_int_equal(stats(f, 1).tx_dropped, 10);
    assert_int_equal(stats(f, 0).rx_dropped, 0);
    assert_int_equal(f->last_drop, MMU_EGRESS_QUEUE);
    assert_int_equal(f->last_drop_port, 1);
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 1, 0), &queue);
    assert_int_equal(queue.dropped_packets, 10);
    assert_int_equal(queue.dropped_bytes, 1000);
    assert_int_equal(queue.queued_packets, 50);
    assert_int_equal(f->n_pfc, 0);
}

static void
test_port_down_discards_its_queues(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);
    struct sim_port_config down = port_40g;

    block(f, 1, true);
    send(f, 0, &frame, 30);
    assert_true(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    down.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 1, &down), ST_OK);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    assert_int_equal(stats(f, 1).tx_flushed, 30);
    assert_int_equal(stats(f, 1).tx_dropped, 0);
    assert_false(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    assert_int_equal(f->pfc[f->n_pfc - 1].quanta, 0);
    assert_int_equal(sim_send(f->sim, 1, &frame, 1, 0, NULL), ST_BUSY);
}

static void
test_removed_port_leaves_nothing_behind(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 3);

    block(f, 1, true);
    send(f, 0, &frame, 30);
    frame = frame_to(0, 0);
    block(f, 0, true);
    send(f, 2, &frame, 4);
    block(f, 0, false);
    /* Port 0 goes: it is transmitting, three wait for it, and what it
     * received waits at port 1. */
    assert_int_equal(sim_port_remove(f->sim, 0), ST_OK);
    assert_null(mmu_check(f->mmu));
    assert_null(sim_port_get(f->sim, 0));
    assert_null(sim_port_rules(f->sim, 0));
    assert_int_equal(sim_port_remove(f->sim, 0), ST_NOT_FOUND);
    assert_int_equal(sim_send(f->sim, 0, &frame, 1, 0, NULL), ST_NOT_FOUND);
    assert_int_equal(mmu_used_cells(f->mmu), 30);
    /* The end of what it was sending is left, and does nothing. */
    sim_run_until(f->sim, sim_next_ps(f->sim));
    assert_int_equal(sim_next_ps(f->sim), EVENT_NEVER);
    /* A new port in the slot starts afresh while the old one's packets are
     * still delivered. */
    assert_int_equal(sim_port_add(f->sim, 0, 0, &port_40g), ST_OK);
    assert_int_equal(sim_port_add(f->sim, 0, 0, &port_40g), ST_EXISTS);
    assert_int_equal(mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 0, 3)), MMU_NONE);
    assert_int_equal(stats(f, 0).rx_ucast_packets, 0);
    block(f, 1, false);
    assert_int_equal(sim_settle(f->sim), 30);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
}

/* The chip has one slot more than there are ports. */
static void
test_slot_without_a_port_is_in_no_group(void **state)
{
    struct fixture *f = *state;
    const struct sim_lag_member member = {.sends = true, .weight = 1};
    uint32_t lag;

    assert_int_equal(sim_lag_add(f->sim, &lag), ST_OK);
    assert_int_equal(sim_lag_of(f->sim, PORTS), MMU_NONE);
    sim_lag_unset(f->sim, PORTS);
    assert_int_equal(sim_lag_set(f->sim, lag, PORTS, &member), ST_NOT_FOUND);
    assert_int_equal(sim_lag_set(f->sim, lag, 2, &member), ST_OK);
    assert_int_equal(sim_lag_of(f->sim, 2), lag);
    assert_int_equal(sim_port_remove(f->sim, 2), ST_OK);
    assert_int_equal(sim_lag_of(f->sim, 2), MMU_NONE);
    sim_lag_remove(f->sim, lag);
}

static void
test_port_maps_override_the_switch(void **state)
{
    struct fixture *f = *state;
    static const struct classify_map other = {.entries = {[8] = 6}};
    struct sim_frame frame = frame_to(1, 8);
    struct mmu_pg_stats pg;
    struct mmu_queue_stats queue;

    send(f, 0, &frame, 1);
    sim_port_rules(f->sim, 0)->dscp_to_tc = &other;
    send(f, 0, &frame, 2);
    sim_settle(f->sim);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 0), &pg);
    assert_int_equal(pg.packets, 1);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 6), &pg);
    assert_int_equal(pg.packets, 2);
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 1, 6), &queue);
    assert_int_equal(queue.packets, 2);
    assert_int_equal(queue.bytes, 200);
}

/* Maps may name what the chip does not have; that is the first one then. */
static void
test_maps_beyond_the_chip_mean_the_first(void **state)
{
    struct fixture *f = *state;
    static const struct classify_map beyond = {
        .entries = {200, 200, 200, 200, 200, 200, 200, 200}};
    struct sim_frame frame = frame_to(1, 3);
    struct mmu_pg_stats pg;
    struct mmu_queue_stats queue;

    sim_port_rules(f->sim, 0)->tc_to_pg = &beyond;
    sim_port_rules(f->sim, 1)->tc_to_queue = &beyond;
    send(f, 0, &frame, 2);
    sim_settle(f->sim);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 0), &pg);
    assert_int_equal(pg.packets, 2);
    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 1, 0), &queue);
    assert_int_equal(queue.packets, 2);
}

static void
test_wrong_frames_and_ports_are_refused(void **state)
{
    struct fixture *f = *state;
    struct sim_frame frame = frame_to(1, 0);
    struct sim_port_config config = port_40g;

    frame.length_bytes = SIM_MIN_LENGTH_BYTES - 1;
    assert_int_equal(sim_send(f->sim, 0, &frame, 1, 0, NULL), ST_INVALID);
    frame.length_bytes = SIM_MAX_LENGTH_BYTES + 1;
    assert_int_equal(sim_send(f->sim, 0, &frame, 1, 0, NULL), ST_INVALID);
    frame.length_bytes = SIM_MAX_LENGTH_BYTES;
    assert_int_equal(sim_send(f->sim, 0, &frame, 1, 0, NULL), ST_OK);
    assert_int_equal(sim_port_add(f->sim, PORTS + 1, 0, &config), ST_INVALID);
    config.mac = UINT64_C(1) << 48;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_INVALID);
    config = port_40g;
    config.speed_mbps = 0;
    assert_int_equal(sim_port_set(f->sim, 0, &config), ST_INVALID);
    assert_int_equal(sim_port_set(f->sim, PORTS, &port_40g), ST_NOT_FOUND);
}

/* What one does with the time it does for both; what one leaves behind in the
 * engine does nothing any more. */
static void
test_switches_share_an_engine(void **state)
{
    struct fixture *f = *state;
    struct sim *other =
        sim_create_on(&f->chip, sim_engine(f->sim), f->chip.ports);
    struct sim_frame frame = frame_to(77, 0);

    assert_ptr_equal(sim_engine(other), sim_engine(f->sim));
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(sim_port_add(other, i, i, &port_40g), ST_OK);
    }
    assert_int_equal(sim_send(other, 0, &frame, 1, 0, NULL), ST_OK);
    assert_int_equal(sim_now_ps(f->sim), FRAME_PS);
    send(f, 0, &frame, 1);
    assert_int_equal(sim_now_ps(other), 2 * FRAME_PS);
    assert_int_equal(sim_settle(other), 0);
    assert_true(sim_next_ps(other) == 3 * FRAME_PS);
    assert_int_equal(sim_send(other, 0, &frame, 1, 0, NULL), ST_OK);
    assert_true(sim_next_ps(f->sim) == 4 * FRAME_PS);
    sim_destroy(other);
    sim_run_until(f->sim, sim_next_ps(f->sim));
    assert_true(sim_next_ps(f->sim) == EVENT_NEVER);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, PORTS - 1);
}

/* What a router in front of this one made of the TTL counts, not the bytes. */
static void
test_router_takes_the_ttl_of_now(void **state)
{
    const struct fixture *f = *state;
    const uint8_t ten[] = {10, 0, 0, 1};
    const struct router_domain domain = {
        .mac = PORT_MAC, .v4 = true, .ttl_action = ROUTER_DROP};
    const struct router_neighbor neighbor = {
        .mac = MAC(1), .action = ROUTER_FORWARD, .is_route = true};
    const struct packet packet = {
        .kind = PACKET_IPV4,
        .src = address_make(ADDRESS_V4, ten),
        .dst = address_make(ADDRESS_V4, ten),
        .ip_bytes = 50,
        .ttl = 64,
    };
    struct router *router = sim_router(f->sim);
    struct router_interface interface = {.domain =
                                             router_domain_add(router, &domain),
                                         .mac = PORT_MAC,
                                         .v4 = true,
                                         .mtu_bytes = 1514,
                                         .loopback_action = ROUTER_FORWARD};
    struct sim_frame frame = {.dst_mac = PORT_MAC,
                              .src_mac = MAC(0),
                              .length_bytes = 64,
                              .ttl = 2,
                              .payload = sim_payload_describe(&packet)};
    const uint32_t in = router_interface_add(router, &interface);

    router_neighbor_set(router, in, &packet.dst, &neighbor);
    assert_int_equal(sim_send(f->sim, 0, &frame, 1, 0, NULL), ST_OK);
    (void)sim_settle(f->sim);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->sent[0].port, 0); /* Back to where it came from. */
    assert_int_equal(f->sent[0].frame.ttl, 1);
    assert_true(f->sent[0].frame.dst_mac == MAC(1));
    frame.ttl = 1;
    assert_int_equal(sim_send(f->sim, 0, &frame, 1, 0, NULL), ST_OK);
    assert_int_equal(router_count(router, ROUTER_TTL), 1);
    sim_payload_unref(frame.payload);
}

#define SWITCH_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        SWITCH_TEST(test_frame_takes_its_time_twice),
        SWITCH_TEST(test_settling_returns_what_left_meanwhile),
        SWITCH_TEST(test_same_speed_never_queues),
        SWITCH_TEST(test_nothing_moves_without_a_call),
        SWITCH_TEST(test_times_are_rounded_down_to_steps),
        SWITCH_TEST(test_unknown_destination_floods),
        SWITCH_TEST(test_group_addresses_flood_and_count_apart),
        SWITCH_TEST(test_mac_control_ends_at_the_port),
        SWITCH_TEST(test_frame_is_not_sent_back),
        SWITCH_TEST(test_static_entries_come_and_go),
        SWITCH_TEST(test_pfc_and_drop_at_the_exact_packet),
        SWITCH_TEST(test_pause_is_refreshed_until_released),
        SWITCH_TEST(test_pause_that_begins_again_is_refreshed),
        SWITCH_TEST(test_storm_of_a_port_needs_no_traffic),
        SWITCH_TEST(test_storm_of_a_port_pauses_its_link),
        SWITCH_TEST(test_link_is_paused_for_all_groups),
        SWITCH_TEST(test_pause_frame_is_on_the_wire),
        SWITCH_TEST(test_pause_goes_at_the_next_end_of_a_frame),
        SWITCH_TEST(test_blocked_port_still_sends_pauses),
        SWITCH_TEST(test_pauses_due_together_share_a_frame),
        SWITCH_TEST(test_port_down_tells_its_sender_nothing),
        SWITCH_TEST(test_port_that_pauses_itself_sends_one_at_a_time),
        SWITCH_TEST(test_frame_from_a_wire_arrives_at_once),
        SWITCH_TEST(test_settle_ends_although_pauses_go_on),
        SWITCH_TEST(test_pause_needs_its_priority_enabled),
        SWITCH_TEST(test_blocked_port_finishes_its_frame),
        SWITCH_TEST(test_queues_take_turns),
        SWITCH_TEST(test_slower_port_queues),
        SWITCH_TEST(test_full_queue_drops_at_egress),
        SWITCH_TEST(test_port_down_discards_its_queues),
        SWITCH_TEST(test_removed_port_leaves_nothing_behind),
        SWITCH_TEST(test_slot_without_a_port_is_in_no_group),
        SWITCH_TEST(test_port_maps_override_the_switch),
        SWITCH_TEST(test_maps_beyond_the_chip_mean_the_first),
        SWITCH_TEST(test_wrong_frames_and_ports_are_refused),
        SWITCH_TEST(test_switches_share_an_engine),
        SWITCH_TEST(test_router_takes_the_ttl_of_now),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
