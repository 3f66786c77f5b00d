/* SPDX-License-Identifier: Apache-2.0 */

/* How much headroom a lossless PG needs, against how much it takes.
 *
 * The arithmetic (IEEE 802.1Q-2018 annex O): when a PG becomes XOFF at the end
 * of a frame, its sender goes on for
 *
 *     W   the rest of the frame that the port has on its own wire, at worst
 *         all of one of maximum length,
 *     P   the pause frame, 64 bytes with FCS, 84 on the wire,
 *     D   the cable, there
 *     R   the response of the sender (IEEE 802.3-2018 annex 31B.3.7 allows 60
 *         quanta at 10 Gb/s, 118 at 40 Gb/s, 394 at 100 Gb/s)
 *     D   and what is on the cable back.
 *
 * A frame that has already begun is finished.  With frames back to back, each
 * of which takes F, the first of them begins just as the last one ended, D
 * before the PG becomes XOFF.  So
 *
 *     N = ceil((W + P + 2 D + R) / F)
 *
 * more frames arrive, and each needs all of the cells it touches.  A headroom
 * of exactly that must lose nothing, one cell less must lose one frame.
 *
 * As long passes from the decision to resume until the next frame is there.  So
 * with N frames left then the wire behind stays busy; without traffic on the
 * own wire, one frame less leaves a gap. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/credits_need.h"
#include "tests/support/sim_setup.h"
#include "twin/fabric/fabric.h"

enum {
    CELL_BYTES = 256,
    SHARED_FRAMES = 10, /* That make the PG XOFF. */
    LOSSLESS = 3,
    MAX_LENGTH = 9216,
    MOST_FRAMES = 14000, /* In flight. */
};

#define MAC_A UINT64_C(0x020000000001)
#define MAC_B UINT64_C(0x020000000002)

struct scenario {
    uint32_t speed_mbps;
    uint32_t length_m;
    uint32_t frame_bytes;
    uint16_t quanta; /* Of response. */
};

struct derived_rows {
    uint64_t dropped;
    uint64_t headroom_cells; /* At most. */
    uint64_t received;       /* By the switch, of the lossless flow. */
    struct host_stats sender;
};

static uint64_t
cells_of(uint32_t bytes)
{
    return (bytes + CELL_BYTES - 1) / CELL_BYTES;
}

/* Frames that arrive after XOFF if the port's own wire is taken for 'wait_ps'
 * more. */
static uint64_t
frames_after_xoff(const struct scenario *s, int64_t wait_ps)
{
    return credits_frames_after_xoff(
        &(struct credits_link){.speed_mbps = s->speed_mbps,
                               .cable_m = s->length_m,
                               .frame_bytes = s->frame_bytes,
                               .cell_bytes = CELL_BYTES,
                               .response_bytes = s->quanta * 64},
        wait_ps);
}

static void
configure(struct sim *sim, const struct scenario *s,
          const struct mmu_profile_config *config)
{
    struct mmu *mmu = sim_mmu(sim);
    struct mmu_profile_config pg = *config;
    uint32_t profile;

    sim_setup_classes(sim);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(
            sim_port_add(sim, i, i,
                         &(struct sim_port_config){
                             .speed_mbps = s->speed_mbps,
                             .admin_up = true,
                             .tx_enabled = i == 0, /* What A sends waits. */
                             .pfc_tx_enabled = 1 << LOSSLESS}),
            ST_OK);
    }
    assert_int_equal(sim_fdb_set(sim, MAC_A, 0), ST_OK);
    assert_int_equal(sim_fdb_set(sim, MAC_B, 1), ST_OK);
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

/* Makes 'host' send frames back to back. */
static void
send_greedily(struct host *host, const struct scenario *s, uint64_t to,
              uint8_t dscp, const struct pacing_config *pace)
{
    const struct flow_config flow = {.priority = dscp,
                                     .pace = *pace,
                                     .frame = {.dst_mac = to,
                                               .length_bytes = s->frame_bytes,
                                               .dscp = (int8_t)dscp}};

    assert_int_equal(host_add_flow(host, &flow), ST_OK);
}

/* Joins hosts A and B to ports 0 and 1 of 'sim'. */
static void
join(struct fabric *fabric, struct sim *sim, const struct scenario *s,
     struct host *hosts[2])
{
    struct host_config config = {
        .mac = MAC_A,
        .speed_mbps = s->speed_mbps,
        .obeys_priorities = 1 << LOSSLESS,
        .response_ps = pause_frame_quanta_to_ps(s->quanta, s->speed_mbps)};

    for (uint32_t i = 0; i < 2; i++) {
        struct fabric_end ends[2] = {{.host = NULL}, {.sim = sim, .port = i}};

        config.mac = i ? MAC_B : MAC_A;
        assert_int_equal(fabric_add_host(fabric, &config, &hosts[i]), ST_OK);
        ends[0].host = hosts[i];
        assert_int_equal(
            fabric_connect(fabric, ends, s->length_m, MAX_LENGTH, NULL), ST_OK);
    }
}

static void
fill_chip(struct chip *chip)
{
    chip_init(chip);
    chip->ports = 2;
    chip->cell_bytes = CELL_BYTES;
    chip->memory_bytes = 1 << 29;
}

/* Returns a time at which 'n' frames have been sent, or the sender is paused.
 */
static int64_t
end_ps(const struct scenario *s, uint64_t n)
{
    return (int64_t)(n + 10) * frame_wire_ps(s->frame_bytes, s->speed_mbps) +
           pause_frame_quanta_to_ps(s->quanta, s->speed_mbps) +
           INT64_C(20000) * s->length_m;
}

/* A sends to B, whose port is blocked, until it is paused.  B sends to A all
 * the time; its frames begin to leave port 0 'lead_ps' before those of A end
 * there. */
static struct derived_rows
run(const struct scenario *s, uint64_t headroom_cells, int64_t lead_ps)
{
    const int64_t frame_ps = frame_wire_ps(s->frame_bytes, s->speed_mbps);
    const uint64_t n = SHARED_FRAMES + frames_after_xoff(s, frame_ps) + 20;
    struct fabric *fabric = fabric_create(1);
    struct host *hosts[2];
    struct mmu_pg_stats pg;
    struct sim_port_stats port;
    struct derived_rows outcome;
    struct chip chip;
    struct sim *sim;

    fill_chip(&chip);
    sim = fabric_add_switch(fabric, &chip);
    configure(sim, s,
              &(struct mmu_profile_config){
                  .is_static = true,
                  .static_bytes =
                      SHARED_FRAMES * cells_of(s->frame_bytes) * CELL_BYTES,
                  .xoff_bytes = headroom_cells * CELL_BYTES});
    join(fabric, sim, s, hosts);
    send_greedily(hosts[0], s, MAC_B, LOSSLESS,
                  &(struct pacing_config){
                      .start_ps = frame_ps, .n_frames = n, .interval.per = 1});
    send_greedily(hosts[1], s, MAC_A, 0,
                  &(struct pacing_config){.start_ps = frame_ps - lead_ps,
                                          .interval.per = 1});
    engine_run_until(fabric_engine(fabric), end_ps(s, n));

    mmu_pg_get(sim_mmu(sim), mmu_pg_id(sim_mmu(sim), 0, LOSSLESS), &pg);
    assert_int_equal(sim_port_get_stats(sim, 0, &port), ST_OK);
    assert_true(port.pfc_tx[LOSSLESS] > 0);
    outcome.dropped = port.rx_dropped;
    outcome.headroom_cells = pg.headroom_watermark;
    outcome.received = pg.packets;
    host_get_stats(hosts[0], &outcome.sender);
    assert_null(mmu_check(sim_mmu(sim)));
    fabric_destroy(fabric);
    return outcome;
}

static const struct {
    uint32_t speed_mbps;
    uint16_t quanta;
} rates[] = {
    {10000, 60},   {25000, 80},   {40000, 118},  {100000, 394},
    {200000, 453}, {400000, 905}, {800000, 905}, {1600000, 1810},
};

static const uint32_t lengths_m[] = {1, 5, 40, 300, 2000, 10000};
static const uint32_t frames_bytes[] = {60, 256, 1514, 9214};

/* Calls 'check' for every rate, cable and frame. */
static void
for_all(void (*check)(const struct scenario *scenario))
{
    for (size_t r = 0; r < sizeof rates / sizeof rates[0]; r++) {
        for (size_t l = 0; l < sizeof lengths_m / sizeof lengths_m[0]; l++) {
            for (size_t f = 0; f < sizeof frames_bytes / sizeof frames_bytes[0];
                 f++) {
                const struct scenario scenario = {rates[r].speed_mbps,
                                                  lengths_m[l], frames_bytes[f],
                                                  rates[r].quanta};

                /* More short frames show nothing new. */
                if (frames_after_xoff(&scenario, 0) <= MOST_FRAMES) {
                    check(&scenario);
                }
            }
        }
    }
}

static void
fail_in(const struct scenario *s, uint64_t cells,
        const struct derived_rows *outcome)
{
    fail_msg("%u Mb/s, %u m, frames of %u: %llu cells of headroom, %llu used, "
             "%llu frames lost",
             (unsigned int)s->speed_mbps, (unsigned int)s->length_m,
             (unsigned int)s->frame_bytes, (unsigned long long)cells,
             (unsigned long long)outcome->headroom_cells,
             (unsigned long long)outcome->dropped);
}

/* The port's own frame has begun one picosecond before the PG is XOFF. */
static void
check_exact(const struct scenario *s)
{
    const int64_t frame_ps = frame_wire_ps(s->frame_bytes, s->speed_mbps);
    const uint64_t n = frames_after_xoff(s, frame_ps - 1);
    const uint64_t cells = n * cells_of(s->frame_bytes);
    struct derived_rows outcome = run(s, cells, 1);

    if (outcome.dropped || outcome.headroom_cells != cells) {
        fail_in(s, cells, &outcome);
    }
    assert_int_equal(outcome.received, SHARED_FRAMES + n);
    assert_int_equal(outcome.sender.sent, SHARED_FRAMES + n);
    assert_int_equal(outcome.sender.paused, 1 << LOSSLESS);
    outcome = run(s, cells - 1, 1);
    if (outcome.dropped != 1) {
        fail_in(s, cells - 1, &outcome);
    }
}

static void
test_needed_headroom_is_enough_and_no_less_is(void **state)
{
    (void)state;
    for_all(check_exact);
}

/* Whatever the phase between the two directions. */
static void
check_phases(const struct scenario *s)
{
    enum { PHASES = 7 };
    const int64_t frame_ps = frame_wire_ps(s->frame_bytes, s->speed_mbps);
    const uint64_t cells =
        frames_after_xoff(s, frame_ps) * cells_of(s->frame_bytes);

    for (int64_t i = 0; i < PHASES; i++) {
        struct derived_rows outcome = run(s, cells, frame_ps * i / PHASES);

        if (outcome.dropped) {
            fail_in(s, cells, &outcome);
        }
    }
}

static void
test_no_phase_needs_more(void **state)
{
    (void)state;
    for_all(check_phases);
}

static uint8_t
paused_of(const struct host *host)
{
    struct host_stats stats;

    host_get_stats(host, &stats);
    return stats.paused;
}

/* Returns whether B gets frames without a gap if A resumes with 'left' frames
 * in the PG, its threshold.  B sends nothing. */
static bool
resumes_without_gap(const struct scenario *s, uint64_t left)
{
    const int64_t frame_ps = frame_wire_ps(s->frame_bytes, s->speed_mbps);
    const uint64_t after = frames_after_xoff(s, frame_ps);
    const uint64_t n = left + 2 * after + 20;
    const uint64_t bytes = cells_of(s->frame_bytes) * CELL_BYTES;
    struct fabric *fabric = fabric_create(1);
    struct host *hosts[2];
    struct sim_port_config config;
    const struct receiver_flow *flow;
    struct chip chip;
    struct sim *sim;
    int64_t took_ps;

    fill_chip(&chip);
    sim = fabric_add_switch(fabric, &chip);
    configure(sim, s,
              &(struct mmu_profile_config){.is_static = true,
                                           .static_bytes = left * bytes,
                                           .xoff_bytes = after * bytes});
    join(fabric, sim, s, hosts);
    send_greedily(hosts[0], s, MAC_B, LOSSLESS,
                  &(struct pacing_config){.n_frames = n, .interval.per = 1});
    engine_run_until(fabric_engine(fabric), end_ps(s, n));
    assert_int_equal(paused_of(hosts[0]), 1 << LOSSLESS);
    config = *sim_port_get(sim, 1);
    config.tx_enabled = true;
    assert_int_equal(sim_port_set(sim, 1, &config), ST_OK);
    engine_run_until(fabric_engine(fabric), 3 * end_ps(s, n));
    flow = receiver_flow(host_receiver(hosts[1]), 0);
    assert_non_null(flow);
    assert_int_equal(flow->frames, n);
    took_ps = flow->last_ps - flow->first_ps;
    fabric_destroy(fabric);
    return took_ps == (int64_t)(n - 1) * frame_ps;
}

static void
check_resumption(const struct scenario *s)
{
    const uint64_t needed = frames_after_xoff(s, 0);

    if (!resumes_without_gap(s, needed)) {
        fail_msg("%u Mb/s, %u m, frames of %u: a gap with %llu frames",
                 (unsigned int)s->speed_mbps, (unsigned int)s->length_m,
                 (unsigned int)s->frame_bytes, (unsigned long long)needed);
    }
    if (needed > 1 && resumes_without_gap(s, needed - 1)) {
        fail_msg("%u Mb/s, %u m, frames of %u: no gap with %llu frames",
                 (unsigned int)s->speed_mbps, (unsigned int)s->length_m,
                 (unsigned int)s->frame_bytes, (unsigned long long)needed - 1);
    }
}

static void
test_as_much_must_be_left_at_xon(void **state)
{
    (void)state;
    for_all(check_resumption);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_needed_headroom_is_enough_and_no_less_is),
        cmocka_unit_test(test_no_phase_needs_more),
        cmocka_unit_test(test_as_much_must_be_left_at_xon),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
