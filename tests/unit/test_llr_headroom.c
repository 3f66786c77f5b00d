/* SPDX-License-Identifier: Apache-2.0 */

/* The headroom of a port whose peer has link-level retry (LLR).
 *
 * A host sends through switch A to switch B, whose egress port is blocked.  The
 * link between them loses everything from the moment when one frame less has
 * left A than makes the PG in B pause.  A fills its window and stops.  Then the
 * link works again, the replay timer of A runs out, and the first frame that it
 * resends makes the PG pause.  The pause does not stop the replay, so the rest
 * of the window arrives in the headroom. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "orchd/derive/headroom.h"
#include "tests/support/sim_setup.h"
#include "twin/fabric/fabric.h"

enum {
    CELL_BYTES = 256,
    CELLS = 6,           /* Of a frame. */
    FRAME_BYTES = 1532,  /* Without FCS. */
    SHARED_FRAMES = 200, /* That make the PG XOFF. */
    LOSSLESS = 3,
    MTU_BYTES = 9216,
};

#define MAC_A UINT64_C(0x020000000001)
#define MAC_B UINT64_C(0x020000000002)
#define US    INT64_C(1000000)

struct scenario {
    uint32_t speed_mbps;
    uint32_t length_m;
    uint32_t window_bytes;
};

struct outcome {
    uint64_t dropped;
    uint64_t headroom_cells;
    uint64_t received;
};

/* Gives 'sim' two ports; the second sends if 'is_open'. */
static void
add_ports(struct sim *sim, uint32_t speed_mbps, bool is_open)
{
    sim_setup_classes(sim);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(
            sim_port_add(sim, i, i,
                         &(struct sim_port_config){
                             .speed_mbps = speed_mbps,
                             .admin_up = true,
                             .tx_enabled = i == 0 || is_open,
                             .pfc_rx_enabled = 1 << LOSSLESS,
                             .pfc_tx_enabled = is_open ? 0 : 1 << LOSSLESS}),
            ST_OK);
    }
    assert_int_equal(sim_fdb_set(sim, MAC_A, 0), ST_OK);
    assert_int_equal(sim_fdb_set(sim, MAC_B, 1), ST_OK);
}

/* Makes the PG of port 0 of 'sim' pause at SHARED_FRAMES. */
static void
limit(struct sim *sim, uint64_t headroom_cells)
{
    struct mmu *mmu = sim_mmu(sim);
    struct mmu_profile_config pg = {.is_static = true,
                                    .static_bytes =
                                        SHARED_FRAMES * CELLS * CELL_BYTES,
                                    .xoff_bytes = headroom_cells * CELL_BYTES};
    uint32_t profile;

    assert_int_equal(
        mmu_pool_create(mmu,
                        &(struct mmu_pool_config){.direction = MMU_INGRESS,
                                                  .size_bytes = 1 << 28},
                        &pg.pool, NULL),
        ST_OK);
    assert_int_equal(mmu_profile_create(mmu, &pg, &profile, NULL), ST_OK);
    assert_int_equal(
        mmu_pg_attach(mmu, mmu_pg_id(mmu, 0, LOSSLESS), profile, NULL), ST_OK);
}

static void
set_llr(struct link *link, const struct scenario *s)
{
    const struct llr_port port = {.sends = true,
                                  .receives = true,
                                  .profile = {.max_frames = LLR_MAX_FRAMES,
                                              .max_bytes = s->window_bytes,
                                              .replay_timer_ps = 60 * US,
                                              .max_replays = LLR_REPLAY_ENDLESS,
                                              .in_init = LLR_BLOCK,
                                              .in_flush = LLR_BLOCK,
                                              .reinit = true,
                                              .spacing_bytes = 2048},
                                  .speed_mbps = s->speed_mbps,
                                  .mtu_bytes = MTU_BYTES};

    llr_set_port(link_llr(link), 0, &port);
    llr_set_port(link_llr(link), 1, &port);
}

/* Lets a host send 'n' frames through 'sim' by port 0. */
static void
add_host(struct fabric *fabric, struct sim *sim, uint32_t speed_mbps,
         uint64_t n)
{
    const struct host_config config = {.mac = MAC_A, .speed_mbps = speed_mbps};
    const struct flow_config flow = {
        .priority = LOSSLESS,
        .pace = {.start_ps = 20 * US, .n_frames = n, .interval.per = 1},
        .frame = {
            .dst_mac = MAC_B, .length_bytes = FRAME_BYTES, .dscp = LOSSLESS}};
    struct fabric_end ends[2] = {{.host = NULL}, {.sim = sim, .port = 0}};

    assert_int_equal(fabric_add_host(fabric, &config, &ends[0].host), ST_OK);
    assert_int_equal(fabric_connect(fabric, ends, 1, MTU_BYTES, NULL), ST_OK);
    assert_int_equal(host_add_flow(ends[0].host, &flow), ST_OK);
}

/* Loses all that A sends from frame SHARED_FRAMES on, until its window is full.
 */
static void
interrupt(struct engine *engine, struct link *link)
{
    static const struct link_fault all = {.loss = UINT64_MAX};
    struct link_stats stats;

    do {
        engine_run_until(engine, engine_now_ps(engine) + 1000);
        link_get_stats(link, 0, &stats);
    } while (stats.sent < SHARED_FRAMES - 1);
    assert_int_equal(stats.sent, SHARED_FRAMES - 1);
    link_set_fault(link, 0, &all);
    engine_run_until(engine, engine_now_ps(engine) + 50 * US);
    link_set_fault(link, 0, NULL);
}

static struct outcome
run(const struct scenario *s, uint64_t headroom_cells)
{
    struct fabric *fabric = fabric_create(1);
    struct engine *engine = fabric_engine(fabric);
    struct mmu_pg_stats pg;
    struct sim_port_stats port;
    struct chip chip;
    struct sim *a, *b;
    struct link *link;

    chip_init(&chip);
    chip.ports = 2;
    chip.cell_bytes = CELL_BYTES;
    chip.memory_bytes = 1 << 29;
    a = fabric_add_switch(fabric, &chip);
    b = fabric_add_switch(fabric, &chip);
    add_ports(a, s->speed_mbps, true);
    add_ports(b, s->speed_mbps, false);
    limit(b, headroom_cells);
    assert_int_equal(
        fabric_connect(fabric,
                       (struct fabric_end[2]){{.sim = a, .port = 1},
                                              {.sim = b, .port = 0}},
                       s->length_m, MTU_BYTES, &link),
        ST_OK);
    set_llr(link, s);
    add_host(fabric, a, s->speed_mbps, 2000);
    interrupt(engine, link);
    engine_run_until(engine, engine_now_ps(engine) + 500 * US);
    mmu_pg_get(sim_mmu(b), mmu_pg_id(sim_mmu(b), 0, LOSSLESS), &pg);
    assert_int_equal(sim_port_get_stats(b, 0, &port), ST_OK);
    assert_null(fabric_check(fabric));
    fabric_destroy(fabric);
    return (struct outcome){port.rx_dropped, pg.headroom_watermark, pg.packets};
}

/* Returns the cells that the plan gives a port with a window of 'llr_bytes', if
 * its peer stops at once. */
static uint64_t
planned_cells(const struct scenario *s, uint32_t llr_bytes)
{
    const struct headroom_rules rules = {
        .formula = platform_find("generic")->headroom,
        .asic = {.cell_size_bytes = CELL_BYTES},
        .traffic = {.mtu = FRAME_BYTES + LLR_FCS_BYTES}};
    const struct headroom_port port = {.speed_mbps = s->speed_mbps,
                                       .cable_m = s->length_m,
                                       .mtu = FRAME_BYTES,
                                       .lanes = 4,
                                       .peer_bytes = 1,
                                       .llr_bytes = llr_bytes};
    struct headroom headroom;

    headroom_compute(&rules, &port, true, &headroom, NULL);
    return headroom.xoff / CELL_BYTES;
}

static const struct scenario scenarios[] = {
    {100000, 5, 50000},    {100000, 40, 50000},  {100000, 300, 120000},
    {100000, 500, 250000}, {400000, 40, 120000}, {400000, 300, 250000},
    {400000, 500, 400000},
};

/* With the headroom of the plan nothing is lost.  The window takes what it has
 * frames for, but for the first, which makes the PG pause; one cell less loses
 * a frame. */
static void
test_the_window_arrives_after_the_pause(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const struct scenario *s = &scenarios[i];
        /* Accepted while there is room for one of the MTU. */
        const uint64_t n = (s->window_bytes - MTU_BYTES - LLR_FCS_BYTES) /
                               (FRAME_BYTES + LLR_FCS_BYTES) +
                           1;
        const uint64_t cells = (n - 1) * CELLS;
        const uint64_t planned = planned_cells(s, s->window_bytes);
        struct outcome outcome = run(s, planned);

        assert_int_equal(outcome.dropped, 0);
        assert_int_equal(outcome.received, SHARED_FRAMES - 1 + n);
        assert_int_equal(outcome.headroom_cells, cells);
        assert_in_range(planned, cells,
                        cells +
                            (MTU_BYTES + 3 * FRAME_BYTES + 1024) / CELL_BYTES);
        outcome = run(s, cells);
        assert_int_equal(outcome.dropped, 0);
        outcome = run(s, cells - 1);
        assert_int_equal(outcome.dropped, 1);
    }
}

/* A plan that does not know of the window loses frames. */
static void
test_a_plan_without_retry_loses(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof scenarios / sizeof scenarios[0]; i++) {
        const struct scenario *s = &scenarios[i];

        assert_true(run(s, planned_cells(s, 0)).dropped > 0);
    }
}

/* A window below what is in flight changes nothing. */
static void
test_a_small_window_needs_no_more(void **state)
{
    const struct scenario s = {100000, 500, 20000};

    (void)state;
    assert_int_equal(planned_cells(&s, 20000), planned_cells(&s, 0));
    assert_int_equal(run(&s, planned_cells(&s, 20000)).dropped, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_window_arrives_after_the_pause),
        cmocka_unit_test(test_a_plan_without_retry_loses),
        cmocka_unit_test(test_a_small_window_needs_no_more),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
