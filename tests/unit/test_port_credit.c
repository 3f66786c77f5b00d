/* SPDX-License-Identifier: Apache-2.0 */

/* Credit-based flow control between switches: hosts behind up to three switches
 * send over links with credits to hosts behind a fourth one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/credits_need.h"
#include "tests/support/sim_setup.h"
#include "twin/fabric/fabric.h"
#include "twin/qos/credit_frame.h"
#include "twin/switch/port_credit.h"

#define N(array) (sizeof(array) / sizeof((array)[0]))

_Static_assert((int)CREDITS_UPDATE_BYTES == (int)CREDIT_CF_BYTES &&
                   (int)CREDITS_DEFAULT_SPACING_BYTES ==
                       (int)SIM_CREDIT_DEFAULT_CF_MIN &&
                   (int)CREDITS_MIN_SPACING_BYTES ==
                       (int)SIM_CREDIT_MIN_CF_MIN &&
                   (int)CREDITS_MAX_SPACING_BYTES == (int)SIM_CREDIT_MAX_CF_MIN,
               "credits_need.h has the values of the twin");

enum {
    SPEED_MBPS = 100000,
    CELL = 128,
    FRAME = 1514, /* 12 credits, and 12 cells. */
    FRAME_CREDITS = 12,
    MAX_SENDERS = 3,
    N_SINKS = 4, /* Ports of the last switch behind those of the links. */
    LENGTH_M = 100,
    MOST_FRAMES = 14000, /* In flight. */
};

#define US INT64_C(1000000)

#define SINK_MAC(i)   (UINT64_C(0x020000000100) + (i))
#define SOURCE_MAC(i) (UINT64_C(0x020000000200) + (i))

struct sources {
    uint32_t speed_mbps;
    uint32_t frame_bytes;
    struct fabric *fabric;
    struct chip chip;
    struct sim *sims[MAX_SENDERS];
    struct host *hosts[MAX_SENDERS];
    struct link *links[MAX_SENDERS];
    struct sim *last;
    struct host *sinks[N_SINKS];
};

static const struct sim_port_config port_config = {
    .speed_mbps = SPEED_MBPS, .admin_up = true, .tx_enabled = true};

static struct host *
add_host(struct sources *s, struct sim *sim, uint32_t port, uint64_t mac)
{
    struct fabric_end ends[2] = {{.host = NULL}, {.sim = sim, .port = port}};
    const struct sim_port_config *config = sim_port_get(sim, port);

    assert_int_equal(
        fabric_add_host(
            s->fabric,
            &(struct host_config){.mac = mac, .speed_mbps = config->speed_mbps},
            &ends[0].host),
        ST_OK);
    assert_int_equal(fabric_connect(s->fabric, ends, 1, 9216, NULL), ST_OK);
    return ends[0].host;
}

/* Adds the last switch; its sinks have 'sink_mbps'. */
static void
add_last(struct sources *s, uint32_t sink_mbps)
{
    struct sim_port_config config = port_config;

    s->last = fabric_add_switch(s->fabric, &s->chip);
    sim_setup_classes(s->last);
    for (uint32_t i = 0; i < MAX_SENDERS + N_SINKS; i++) {
        config.speed_mbps = i < MAX_SENDERS ? s->speed_mbps : sink_mbps;
        assert_int_equal(sim_port_add(s->last, i, i, &config), ST_OK);
    }
    for (uint32_t i = 0; i < N_SINKS; i++) {
        s->sinks[i] = add_host(s, s->last, MAX_SENDERS + i, SINK_MAC(i));
        assert_int_equal(sim_fdb_set(s->last, SINK_MAC(i), MAX_SENDERS + i),
                         ST_OK);
    }
}

static void
add_sender(struct sources *s, uint32_t i, uint32_t length_m)
{
    struct fabric_end ends[2] = {{.host = NULL}, {.host = NULL}};
    struct sim *sim = fabric_add_switch(s->fabric, &s->chip);
    struct sim_port_config config = port_config;

    s->sims[i] = sim;
    config.speed_mbps = s->speed_mbps;
    sim_setup_classes(sim);
    for (uint32_t p = 0; p < 2; p++) {
        assert_int_equal(sim_port_add(sim, p, p, &config), ST_OK);
    }
    for (uint32_t k = 0; k < N_SINKS; k++) {
        assert_int_equal(sim_fdb_set(sim, SINK_MAC(k), 1), ST_OK);
    }
    s->hosts[i] = add_host(s, sim, 0, SOURCE_MAC(i));
    ends[0].sim = sim;
    ends[0].port = 1;
    ends[1].sim = s->last;
    ends[1].port = i;
    assert_int_equal(
        fabric_connect(s->fabric, ends, length_m, 9216, &s->links[i]), ST_OK);
}

static struct sources *
begin(void)
{
    struct sources *s = test_calloc(1, sizeof *s);

    s->speed_mbps = SPEED_MBPS;
    s->frame_bytes = FRAME;
    s->fabric = fabric_create(1);
    chip_init(&s->chip);
    s->chip.ports = MAX_SENDERS + N_SINKS;
    s->chip.cell_bytes = CELL;
    s->chip.memory_bytes = 1 << 29;
    return s;
}

static void
end(struct sources *s)
{
    fabric_destroy(s->fabric);
    test_free(s);
}

static int
setup(void **state)
{
    *state = begin();
    return 0;
}

static int
teardown(void **state)
{
    end(*state);
    return 0;
}

static void
build(struct sources *s, uint32_t n_senders, uint32_t sink_mbps,
      uint32_t length_m)
{
    add_last(s, sink_mbps);
    for (uint32_t i = 0; i < n_senders; i++) {
        add_sender(s, i, length_m);
    }
}

/* Has link 'i' use 'config' at both ends. */
static void
set_credits(struct sources *s, uint32_t i,
            const struct sim_credit_config *config)
{
    assert_int_equal(sim_port_set_credits(s->sims[i], 1, config), ST_OK);
    assert_int_equal(sim_port_set_credits(s->last, i, config), ST_OK);
}

/* Returns credits of VC 0 only, 'credits' of them. */
static struct sim_credit_config
of_one_vc(uint32_t credits)
{
    struct sim_credit_config config = sim_credit_defaults();

    config.vcs[0].sends = true;
    config.vcs[0].receives = true;
    config.vcs[0].profile =
        (struct credit_profile){.pool = CREDIT_POOL_NONE, .reserved = credits};
    return config;
}

static uint64_t
cells_of(uint32_t bytes)
{
    return (bytes + CELL - 1) / CELL;
}

/* Gives the input buffer of class 'tc' behind link 'i' exactly 'cells', for
 * frames of 's': the first exceeds a threshold of one cell, the others are in
 * the headroom, which is exact. */
static void
limit_input(struct sources *s, uint32_t i, uint32_t tc, uint64_t cells)
{
    struct mmu *mmu = sim_mmu(s->last);
    struct mmu_profile_config pg = {
        .is_static = true,
        .static_bytes = CELL,
        .xoff_bytes = (cells - cells_of(s->frame_bytes)) * CELL};
    uint32_t profile;

    assert_int_equal(
        mmu_pool_create(mmu,
                        &(struct mmu_pool_config){.direction = MMU_INGRESS,
                                                  .size_bytes = 1 << 28},
                        &pg.pool, NULL),
        ST_OK);
    assert_int_equal(mmu_profile_create(mmu, &pg, &profile, NULL), ST_OK);
    assert_int_equal(mmu_pg_attach(mmu, mmu_pg_id(mmu, i, tc), profile, NULL),
                     ST_OK);
}

/* Has source 'i' send frames of class 'tc' to sink 'to': 'n' of them (0:
 * without end), one per 'every' times of a frame, with FCS. */
static void
send(struct sources *s, uint32_t i, uint8_t tc, uint32_t to, uint64_t n,
     uint64_t every)
{
    const struct flow_config flow = {
        .flow = i * 8 + tc,
        .priority = tc,
        .pace = {.start_ps = engine_now_ps(fabric_engine(s->fabric)),
                 .n_frames = n,
                 .interval = {.ps = every * (uint64_t)frame_wire_ps(
                                                s->frame_bytes, s->speed_mbps),
                              .per = 1}},
        .frame = {.dst_mac = SINK_MAC(to),
                  .length_bytes = s->frame_bytes,
                  .dscp = (int8_t)tc}};

    assert_int_equal(host_add_flow(s->hosts[i], &flow), ST_OK);
}

static void
run_until(struct sources *s, int64_t until_ps)
{
    engine_run_until(fabric_engine(s->fabric), until_ps);
}

static struct sim_credit_stats
stats_of(const struct sim *sim, uint32_t port)
{
    struct sim_credit_stats stats;

    assert_int_equal(sim_port_get_credits(sim, port, &stats), ST_OK);
    return stats;
}

/* Returns the frames of all sources that have come to sink 'i'. */
static uint64_t
received(const struct sources *s, uint32_t i)
{
    return host_receiver(s->sinks[i])->frames;
}

/* Returns frames that a sink of 'mbps' could have got from 'from_ps' to
 * 'to_ps'. */
static uint64_t
possible(int64_t from_ps, int64_t to_ps, uint32_t mbps)
{
    return (uint64_t)((to_ps - from_ps) / frame_wire_ps(FRAME, mbps));
}

static uint64_t
dropped(const struct sources *s, uint32_t port)
{
    struct sim_port_stats stats;

    assert_int_equal(sim_port_get_stats(s->last, port, &stats), ST_OK);
    return stats.rx_dropped;
}

static uint64_t
pg_dropped(const struct sources *s, uint32_t port, uint32_t tc)
{
    struct mmu_pg_stats stats;

    mmu_pg_get(sim_mmu(s->last), mmu_pg_id(sim_mmu(s->last), port, tc), &stats);
    return stats.dropped_packets;
}

/* The credits that a link of LENGTH_M needs for a full rate. */
static uint32_t
enough_credits(void)
{
    struct credits_need need;

    credits_need(
        &(struct credits_link){.speed_mbps = SPEED_MBPS,
                               .cable_m = LENGTH_M,
                               .frame_bytes = FRAME,
                               .cell_bytes = CELL,
                               .spacing_bytes = SIM_CREDIT_DEFAULT_CF_MIN},
        &need);
    return (uint32_t)need.credit_frames * FRAME_CREDITS;
}

/* Case 21 of the next-generation cases: the normal rate ... */
static void
test_enough_credits_give_the_full_rate(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(enough_credits());
    struct sim_credit_stats sender, last;

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    limit_input(s, 0, 0, enough_credits());
    send(s, 0, 0, 0, 0, 1);
    run_until(s, 500 * US);
    assert_true(received(s, 0) * 100 >=
                99 * possible(2 * US, 500 * US, SPEED_MBPS));
    assert_int_equal(dropped(s, 0), 0);
    sender = stats_of(s->sims[0], 1);
    last = stats_of(s->last, 0);
    assert_true(sender.sender.used_watermark > enough_credits() / 2);
    assert_true(sender.sender.used_watermark <= enough_credits());
    /* A distance of 6,400 bytes, and one CC update per 256 us. */
    assert_true(last.cf_tx > 498000000 / (6400 * 80) - 5);
    assert_true(last.cf_tx <= 500000000 / (6400 * 80) + 1);
    assert_true(sender.cf_rx == last.cf_tx || sender.cf_rx + 1 == last.cf_tx);
    assert_int_equal(sender.cc_tx, 1);
    assert_int_equal(last.cc_rx, 1);
    assert_int_equal(last.cc_tx, 1);
}

static void
block_sink(struct sources *s, uint32_t i, bool is_blocked)
{
    struct sim_port_config config = *sim_port_get(s->last, MAX_SENDERS + i);

    config.tx_enabled = !is_blocked;
    assert_int_equal(sim_port_set(s->last, MAX_SENDERS + i, &config), ST_OK);
}

static void
set_transmission(struct sources *s, bool enabled)
{
    struct sim_port_config port = *sim_port_get(s->sims[0], 1);

    port.tx_enabled = enabled;
    assert_int_equal(sim_port_set(s->sims[0], 1, &port), ST_OK);
}

/* A cable, and the frames on it. */
struct scenario {
    struct credits_link link;
    uint32_t frame_credits;
};

/* Returns whether the sink gets 'n' frames without a gap by 'credits' credits
 * and as many cells; none is lost.  The sender has them all when it begins. */
static bool
is_full_rate(const struct scenario *scenario, uint32_t credits, uint64_t n)
{
    const struct credits_link *link = &scenario->link;
    const int64_t frame_ps = frame_wire_ps(link->frame_bytes, link->speed_mbps);
    struct sim_credit_config config = of_one_vc(credits);
    const struct receiver_flow *flow;
    struct sources *s;
    int64_t took_ps;

    s = begin();
    s->speed_mbps = link->speed_mbps;
    s->frame_bytes = link->frame_bytes;
    config.cc_timer_us = 0; /* It would take a little of the rate. */
    build(s, 1, link->speed_mbps, link->cable_m);
    assert_int_equal(sim_port_set_credits(s->last, 0, &config), ST_OK);
    config.vcs[0].receives = false; /* Its updates would, too. */
    assert_int_equal(sim_port_set_credits(s->sims[0], 1, &config), ST_OK);
    limit_input(s, 0, 0, credits);
    set_transmission(s, false);
    send(s, 0, 0, 0, n, 1);
    run_until(s, (int64_t)(n + 10) * frame_ps);
    set_transmission(s, true);
    run_until(s, (int64_t)(4 * n + 1000) * frame_ps +
                     (int64_t)link->cable_m * 100000);
    flow = receiver_flow(host_receiver(s->sinks[0]), 0);
    assert_int_equal(flow->frames, n);
    took_ps = flow->last_ps - flow->first_ps;
    end(s);
    return took_ps == (int64_t)(n - 1) * frame_ps;
}

/* The credits that are needed are enough, and one frame less is not. */
static void
check_exact(const struct scenario *scenario)
{
    const struct credits_link *link = &scenario->link;
    struct credits_need need;
    uint32_t credits;
    uint64_t n;

    credits_need(link, &need);
    /* All phases of frames and updates. */
    n = need.credit_frames + 6000;
    credits = (uint32_t)need.credit_frames * scenario->frame_credits;
    if (!is_full_rate(scenario, credits, n)) {
        fail_msg("%u Mb/s, %u m, frames of %u: %u credits are not enough",
                 (unsigned int)link->speed_mbps, (unsigned int)link->cable_m,
                 (unsigned int)link->frame_bytes, (unsigned int)credits);
    }
    credits -= scenario->frame_credits;
    if (credits && is_full_rate(scenario, credits, n)) {
        fail_msg("%u Mb/s, %u m, frames of %u: %u credits are enough",
                 (unsigned int)link->speed_mbps, (unsigned int)link->cable_m,
                 (unsigned int)link->frame_bytes, (unsigned int)credits);
    }
}

static void
test_the_needed_credits_are_enough_and_no_less_are(void **state)
{
    static const uint32_t speeds_mbps[] = {100000, 400000, 1600000};
    static const uint32_t lengths_m[] = {1, 40, 300, 2000, 10000};
    static const uint32_t frames_bytes[] = {252, 1514, 9212};

    (void)state;
    for (size_t i = 0; i < N(speeds_mbps) * N(lengths_m) * N(frames_bytes);
         i++) {
        struct scenario scenario = {
            .link = {.speed_mbps = speeds_mbps[i % N(speeds_mbps)],
                     .cable_m = lengths_m[i / N(speeds_mbps) % N(lengths_m)],
                     .frame_bytes =
                         frames_bytes[i / N(speeds_mbps) / N(lengths_m)],
                     .cell_bytes = CELL,
                     .spacing_bytes = SIM_CREDIT_DEFAULT_CF_MIN}};
        struct credits_need need;

        scenario.frame_credits =
            (scenario.link.frame_bytes + 4 + CELL - 1) / CELL;
        credits_need(&scenario.link, &need);
        /* More short frames show nothing new. */
        if (need.credit_frames < MOST_FRAMES) {
            check_exact(&scenario);
        }
    }
}

/* Returns how many frames are lost, of as many as 'credits' admit, if the sink
 * takes none and the buffer has 'cells'. */
static uint64_t
lost_by(const struct scenario *scenario, uint32_t credits, uint64_t cells)
{
    const struct credits_link *link = &scenario->link;
    const uint64_t n = credits / scenario->frame_credits;
    const struct sim_credit_config config = of_one_vc(credits);
    struct sources *s = begin();
    uint64_t lost;

    s->speed_mbps = link->speed_mbps;
    s->frame_bytes = link->frame_bytes;
    build(s, 1, link->speed_mbps, link->cable_m);
    set_credits(s, 0, &config);
    limit_input(s, 0, 0, cells);
    block_sink(s, 0, true);
    send(s, 0, 0, 0, n, 1);
    run_until(s, (int64_t)(n + 1000) *
                         frame_wire_ps(link->frame_bytes, link->speed_mbps) +
                     (int64_t)link->cable_m * 10000);
    lost = dropped(s, 0);
    assert_int_equal(stats_of(s->last, 0).receiver.vcs[0].consumed, credits);
    end(s);
    return lost;
}

/* Each link of the comparison of PFC with credits: a buffer for the credits of
 * a full rate loses nothing, however long its frames wait; a cell less loses a
 * frame.  And the same for the credits of two frames; one frame alone loses
 * nothing either. */
static void
test_the_needed_buffer_is_enough_and_no_less_is(void **state)
{
    static const uint32_t speeds_mbps[] = {100000, 200000, 400000, 800000,
                                           1600000};
    static const uint32_t lengths_m[] = {1, 10, 100, 1000, 10000};

    (void)state;
    for (size_t i = 0; i < N(speeds_mbps) * N(lengths_m); i++) {
        const struct scenario scenario = {
            .link = {.speed_mbps = speeds_mbps[i % N(speeds_mbps)],
                     .cable_m = lengths_m[i / N(speeds_mbps)],
                     .frame_bytes = 1514,
                     .cell_bytes = CELL,
                     .spacing_bytes = SIM_CREDIT_DEFAULT_CF_MIN},
            .frame_credits = (1518 + CELL - 1) / CELL};
        struct credits_need need;
        uint32_t credits[2] = {2 * scenario.frame_credits};

        credits_need(&scenario.link, &need);
        assert_true(need.credit_frames < MOST_FRAMES);
        credits[1] = (uint32_t)need.credit_frames * scenario.frame_credits;
        assert_int_equal(
            lost_by(&scenario, scenario.frame_credits, scenario.frame_credits),
            0);
        for (size_t k = 0; k < 2; k++) {
            assert_int_equal(lost_by(&scenario, credits[k], credits[k]), 0);
            assert_int_equal(lost_by(&scenario, credits[k], credits[k] - 1), 1);
        }
    }
}

static void
test_fewer_credits_give_less_and_lose_nothing(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(enough_credits() / 2);

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    limit_input(s, 0, 0, enough_credits() / 2);
    send(s, 0, 0, 0, 0, 1);
    run_until(s, 500 * US);
    assert_true(received(s, 0) * 100 <
                90 * possible(2 * US, 500 * US, SPEED_MBPS));
    assert_true(received(s, 0) * 100 >
                40 * possible(2 * US, 500 * US, SPEED_MBPS));
    assert_int_equal(dropped(s, 0), 0);
}

/* ... credits at half of it ... */
static void
test_half_of_the_credits_give_half_the_rate(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(enough_credits());
    const uint64_t all = possible(0, 500 * US, SPEED_MBPS / 2);

    build(s, 1, SPEED_MBPS / 2, LENGTH_M);
    set_credits(s, 0, &config);
    limit_input(s, 0, 0, enough_credits());
    send(s, 0, 0, 0, 0, 1);
    run_until(s, 500 * US);
    assert_true(received(s, 0) <= all);
    assert_true(received(s, 0) * 100 >= 98 * all);
    assert_int_equal(dropped(s, 0), 0);
}

/* ... and none: what the buffer holds is what the credits allow, to the cell.
 */
static void
test_no_credits_stop_the_sender_to_the_cell(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(50 * FRAME_CREDITS);
    struct mmu_pg_stats pg;

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    limit_input(s, 0, 0, 50 * FRAME_CREDITS);
    block_sink(s, 0, true);
    send(s, 0, 0, 0, 100, 1);
    run_until(s, 200 * US);
    mmu_pg_get(sim_mmu(s->last), mmu_pg_id(sim_mmu(s->last), 0, 0), &pg);
    assert_int_equal(pg.packets, 50);
    assert_int_equal(dropped(s, 0), 0);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, 50 * FRAME_CREDITS);

    block_sink(s, 0, false);
    run_until(s, 400 * US);
    assert_int_equal(received(s, 0), 100);
    assert_int_equal(dropped(s, 0), 0);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, 0);
    assert_int_equal(stats_of(s->last, 0).receiver.vcs[0].consumed, 1200);
    assert_int_equal(stats_of(s->last, 0).receiver.vcs[0].freed, 1200);
}

static void
test_one_cell_less_loses_a_frame(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(50 * FRAME_CREDITS);

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    limit_input(s, 0, 0, 50 * FRAME_CREDITS - 1);
    block_sink(s, 0, true);
    send(s, 0, 0, 0, 50, 1);
    run_until(s, 200 * US);
    assert_int_equal(dropped(s, 0), 1);
    block_sink(s, 0, false);
    run_until(s, 400 * US);
    assert_int_equal(received(s, 0), 49);
    /* What was dropped is free again. */
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, 0);
}

static void
test_updates_make_frames_longer(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(enough_credits());
    const int64_t update_ps = CREDIT_CF_BYTES * 80; /* At 100G. */
    const struct receiver_flow *flow;
    uint64_t n_updates;
    int64_t longer_ps;
    enum { N_FRAMES = 2000 };

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    set_transmission(s, false);
    send(s, 0, 0, 0, N_FRAMES, 1);
    run_until(s, 250 * US);
    set_transmission(s, true);
    n_updates = stats_of(s->sims[0], 1).cf_tx;
    while (host_receiver(s->sinks[0])->frames < N_FRAMES) {
        engine_step(fabric_engine(s->fabric));
    }
    n_updates = stats_of(s->sims[0], 1).cf_tx - n_updates;
    flow = receiver_flow(host_receiver(s->sinks[0]), 0);
    longer_ps = flow->last_ps - flow->first_ps -
                (N_FRAMES - 1) * frame_wire_ps(FRAME, SPEED_MBPS);
    /* Those updates, of which one may be behind the last frame, and a CC
     * update. */
    assert_in_range(n_updates, 11, 13);
    longer_ps -= frame_wire_ps(CREDIT_FRAME_BYTES, SPEED_MBPS);
    assert_true(longer_ps == (int64_t)n_updates * update_ps ||
                longer_ps == (int64_t)(n_updates - 1) * update_ps);
}

/* Gives VCs 0 to 'n' - 1 'reserved' credits each, and the port 'limit'. */
static struct sim_credit_config
of_vcs(uint32_t n, uint32_t reserved, uint32_t limit)
{
    struct sim_credit_config config = sim_credit_defaults();

    config.limit = limit;
    for (uint32_t i = 0; i < n; i++) {
        config.vcs[i].sends = true;
        config.vcs[i].receives = true;
        config.vcs[i].profile = (struct credit_profile){
            .pool = CREDIT_POOL_NONE, .reserved = reserved};
    }
    return config;
}

/* Case 22: a VC without credits, four of them ... */
static void
test_a_starved_vc_does_not_hurt_the_others(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_vcs(4, enough_credits(), 0);
    const uint64_t quarter = possible(2 * US, 400 * US, SPEED_MBPS) / 4;
    struct sim_credit_stats stats;

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    block_sink(s, 1, true);
    for (uint8_t i = 0; i < 4; i++) {
        send(s, 0, i, i, 0, 4);
    }
    run_until(s, 400 * US);
    for (uint32_t i = 0; i < 4; i++) {
        assert_true(i == 1 ? received(s, i) == 0
                           : received(s, i) * 100 >= 99 * quarter);
    }
    stats = stats_of(s->sims[0], 1);
    assert_int_equal(credit_sender_used(&stats.sender, 1), enough_credits());
}

/* ... and two on one total. */
static void
test_two_vcs_on_one_limit_fall_together(void **state)
{
    struct sources *s = *state;
    const uint32_t limit = 20 * FRAME_CREDITS;
    const struct sim_credit_config config = of_vcs(2, limit, limit);
    uint64_t before;

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    block_sink(s, 1, true);
    send(s, 0, 0, 0, 0, 4);
    send(s, 0, 1, 1, 0, 4);
    run_until(s, 200 * US);
    before = received(s, 0);
    run_until(s, 400 * US);
    assert_true(before > 0);
    assert_int_equal(received(s, 0), before);
    assert_int_equal(received(s, 1), 0);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, limit);
}

/* Two VCs share a pool.  The sink of one takes nothing, so it holds all that it
 * may have: without a threshold the whole pool, with a dynamic one of 1 half of
 * it, and with a static one that.  The other one always has its own credits,
 * and what is left. */
static void
test_a_stuck_vc_keeps_its_share_of_the_pool(void **state)
{
    enum { OWN = 2 * FRAME_CREDITS, SHARED = 20 * FRAME_CREDITS };
    static const struct {
        struct credit_profile profile;
        uint32_t stuck; /* Credits of the one that cannot go on. */
    } cases[] = {
        {{.mode = CREDIT_THRESHOLD_NONE}, OWN + SHARED},
        {{.mode = CREDIT_THRESHOLD_DYNAMIC}, OWN + SHARED / 2},
        {{.mode = CREDIT_THRESHOLD_STATIC, .static_limit = 3 * FRAME_CREDITS},
         OWN + 3 * FRAME_CREDITS},
    };
    const uint64_t quarter = possible(2 * US, 400 * US, SPEED_MBPS) / 4;

    (void)state;
    for (size_t i = 0; i < N(cases); i++) {
        struct sim_credit_config config = of_vcs(2, OWN, 0);
        struct sim_credit_stats stats;
        struct sources *s = begin();

        config.pool_size[0] = 2 * OWN + SHARED;
        for (uint32_t k = 0; k < 2; k++) {
            config.vcs[k].profile = cases[i].profile;
            config.vcs[k].profile.reserved = OWN;
        }
        build(s, 1, SPEED_MBPS, LENGTH_M);
        set_credits(s, 0, &config);
        block_sink(s, 1, true);
        send(s, 0, 1, 1, 0, 4);
        send(s, 0, 0, 0, 0, 4);
        run_until(s, 400 * US);
        stats = stats_of(s->sims[0], 1);
        assert_int_equal(credit_sender_used(&stats.sender, 1), cases[i].stuck);
        assert_true(stats.sender.shared[0] >= cases[i].stuck - OWN);
        assert_true(stats.sender.shared[0] <= SHARED);
        assert_int_equal(received(s, 1), 0);
        /* Two frames do not give the rate that is sent. */
        assert_true(i == 0 ? received(s, 0) * 100 < 90 * quarter
                           : received(s, 0) * 100 >= 99 * quarter);
        assert_int_equal(dropped(s, 0), 0);
        end(s);
    }
}

/* Case 23: an incast of one, two and three; best effort loses. */
static void
test_an_incast_is_shared_without_loss(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(enough_credits());
    uint64_t shares[MAX_SENDERS][MAX_SENDERS] = {0};

    build(s, MAX_SENDERS, SPEED_MBPS, LENGTH_M);
    for (uint32_t i = 0; i < MAX_SENDERS; i++) {
        set_credits(s, i, &config);
        limit_input(s, i, 0, enough_credits());
        limit_input(s, i, 5, enough_credits());
    }
    for (uint32_t n = 0; n < MAX_SENDERS; n++) {
        const struct receiver *sink = host_receiver(s->sinks[0]);
        uint64_t before[MAX_SENDERS] = {0};
        int64_t from_ps;

        send(s, n, 0, 0, 0, 1);
        run_until(s, (n * 400 + 100) * US);
        from_ps = engine_now_ps(fabric_engine(s->fabric));
        for (uint32_t i = 0; i <= n; i++) {
            before[i] = receiver_flow(sink, i * 8)->frames;
        }
        run_until(s, (n * 400 + 400) * US);
        for (uint32_t i = 0; i <= n; i++) {
            const uint64_t fair =
                possible(from_ps, from_ps + 300 * US, SPEED_MBPS) / (n + 1);

            shares[n][i] = receiver_flow(sink, i * 8)->frames - before[i];
            assert_in_range(shares[n][i], fair * 97 / 100, fair * 103 / 100);
        }
    }
    for (uint32_t i = 0; i < MAX_SENDERS; i++) {
        assert_int_equal(dropped(s, i), 0);
    }
    for (uint32_t i = 0; i < MAX_SENDERS; i++) {
        send(s, i, 5, 0, 2000, 1);
    }
    run_until(s, 2000 * US);
    for (uint32_t i = 0; i < MAX_SENDERS; i++) {
        assert_true(pg_dropped(s, i, 5) > 0);
        assert_int_equal(pg_dropped(s, i, 0), 0);
    }
    assert_null(mmu_check(sim_mmu(s->last)));
}

/* Case 20 on a link: damaged frames cost credits until a CC update comes. */
static void
test_losses_heal_by_cc_updates(void **state)
{
    struct sources *s = *state;
    struct sim_credit_config config = of_one_vc(200 * FRAME_CREDITS);
    struct link_fault fault = {.loss = UINT64_MAX, .corrupts = true};

    config.cc_timer_us = 1000;
    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    link_set_fault(s->links[0], 0, &fault);
    send(s, 0, 0, 0, 100, 1);
    run_until(s, 500 * US);
    link_set_fault(s->links[0], 0, NULL);
    run_until(s, 900 * US);
    assert_int_equal(stats_of(s->sims[0], 1).sender.vcs[0].consumed, 1200);
    assert_int_equal(stats_of(s->sims[0], 1).sender.vcs[0].freed, 0);
    run_until(s, 1100 * US);
    assert_int_equal(stats_of(s->sims[0], 1).sender.vcs[0].freed, 1200);
    assert_int_equal(stats_of(s->last, 0).receiver.vcs[0].consumed, 1200);
}

/* CF updates are lost on a link that is down; the next one heals that. */
static void
test_lost_cf_updates_heal(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(100 * FRAME_CREDITS);

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    block_sink(s, 0, true);
    send(s, 0, 0, 0, 60, 1);
    run_until(s, 50 * US);
    link_set_up(s->links[0], false);
    block_sink(s, 0, false);
    run_until(s, 60 * US);
    assert_int_equal(received(s, 0), 60);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, 720);
    link_set_up(s->links[0], true);
    /* Repeated after 262,144 bytes. */
    run_until(s, 100 * US);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, 0);
}

static void
test_a_flooded_frame_is_free_when_its_last_copy_has_left(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(100 * FRAME_CREDITS);
    const struct flow_config flow = {
        .flow = 1,
        .pace = {.n_frames = 1, .interval = {.ps = 1, .per = 1}},
        .frame = {.dst_mac = UINT64_C(0xffffffffffff),
                  .length_bytes = FRAME,
                  .dscp = 0}};

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    block_sink(s, 2, true);
    assert_int_equal(host_add_flow(s->hosts[0], &flow), ST_OK);
    run_until(s, 100 * US);
    assert_int_equal(received(s, 1), 1);
    assert_int_equal(received(s, 2), 0);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, FRAME_CREDITS);
    block_sink(s, 2, false);
    run_until(s, 200 * US);
    assert_int_equal(received(s, 2), 1);
    assert_int_equal(stats_of(s->sims[0], 1).sender.used, 0);
}

static void
test_the_end_of_credits_lets_all_pass(void **state)
{
    struct sources *s = *state;
    const struct sim_credit_config config = of_one_vc(10 * FRAME_CREDITS);

    build(s, 1, SPEED_MBPS, LENGTH_M);
    set_credits(s, 0, &config);
    block_sink(s, 0, true);
    send(s, 0, 0, 0, 40, 1);
    run_until(s, 100 * US);
    assert_int_equal(stats_of(s->sims[0], 1).sender.vcs[0].consumed, 120);
    set_credits(s, 0, NULL);
    block_sink(s, 0, false);
    run_until(s, 200 * US);
    assert_int_equal(received(s, 0), 40);
}

static void
test_impossible_settings_are_refused(void **state)
{
    struct sources *s = *state;
    struct sim_credit_config config = of_one_vc(12);
    struct sim_credit_stats stats;

    build(s, 1, SPEED_MBPS, LENGTH_M);
    assert_int_equal(sim_port_set_credits(s->last, 63, &config), ST_NOT_FOUND);
    assert_int_equal(sim_port_get_credits(s->last, 0, &stats), ST_NOT_FOUND);

#define REFUSED(member, value)                                                 \
    do {                                                                       \
        struct sim_credit_config wrong = config;                               \
                                                                               \
        wrong.member = (value);                                                \
        assert_int_equal(sim_port_set_credits(s->last, 0, &wrong),             \
                         ST_INVALID);                                          \
    } while (0)

    REFUSED(unit.size_bytes, 0);
    REFUSED(limit, CREDIT_MAX + 1);
    REFUSED(pool_size[7], CREDIT_MAX + 1);
    REFUSED(vcs[0].profile.reserved, CREDIT_MAX + 1);
    REFUSED(vcs[0].profile.pool, 0); /* Which has no credits. */
    REFUSED(queue_vc[63], CREDIT_MAX_VCS);
    REFUSED(tc_vc[15], CREDIT_MAX_VCS);
    REFUSED(cc_timer_us, SIM_CREDIT_MAX_CC_US + 1);
    REFUSED(cf_min_bytes, SIM_CREDIT_MIN_CF_MIN - 1);
    REFUSED(cf_min_bytes, SIM_CREDIT_MAX_CF_MIN + 1);
    REFUSED(cf_max_bytes, SIM_CREDIT_MIN_CF_MAX - 1);
    REFUSED(cf_max_bytes, SIM_CREDIT_MAX_CF_MAX + 1);
#undef REFUSED
    assert_int_equal(sim_port_get_credits(s->last, 0, &stats), ST_NOT_FOUND);
    assert_int_equal(sim_port_set_credits(s->last, 0, &config), ST_OK);
}

static void
test_a_cc_update_survives_its_frame(void **state)
{
    uint8_t bytes[CREDIT_FRAME_BYTES];
    struct credit_cc cc = {.first_vc = CREDIT_CC_VCS}, read;

    (void)state;
    for (uint32_t i = 0; i < CREDIT_CC_VCS; i++) {
        cc.consumed[i] = (CREDIT_MAX - i * 65537) & CREDIT_MAX;
    }
    credit_frame_build(&cc, UINT64_C(0x0123456789ab), bytes);
    assert_int_equal(bytes[5], 1);
    assert_int_equal(bytes[6], 1);
    assert_int_equal(bytes[11], 0xab);
    assert_true(credit_frame_parse(bytes, sizeof bytes, &read));
    assert_int_equal(read.first_vc, CREDIT_CC_VCS);
    for (uint32_t i = 0; i < CREDIT_CC_VCS; i++) {
        assert_int_equal(read.consumed[i], cc.consumed[i]);
    }
    assert_false(credit_frame_parse(bytes, sizeof bytes - 1, &read));
    for (size_t i = 0; i < sizeof bytes; i++) {
        const bool matters = i < 6 || (i >= 12 && i < 20);

        bytes[i] ^= 0x40;
        assert_int_equal(credit_frame_parse(bytes, sizeof bytes, &read),
                         !matters);
        bytes[i] ^= 0x40;
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_enough_credits_give_the_full_rate),
        cmocka_unit_test(test_the_needed_credits_are_enough_and_no_less_are),
        TEST(test_fewer_credits_give_less_and_lose_nothing),
        TEST(test_half_of_the_credits_give_half_the_rate),
        TEST(test_no_credits_stop_the_sender_to_the_cell),
        TEST(test_one_cell_less_loses_a_frame),
        TEST(test_the_needed_buffer_is_enough_and_no_less_is),
        TEST(test_updates_make_frames_longer),
        TEST(test_a_starved_vc_does_not_hurt_the_others),
        TEST(test_two_vcs_on_one_limit_fall_together),
        TEST(test_a_stuck_vc_keeps_its_share_of_the_pool),
        TEST(test_an_incast_is_shared_without_loss),
        TEST(test_losses_heal_by_cc_updates),
        TEST(test_lost_cf_updates_heal),
        TEST(test_a_flooded_frame_is_free_when_its_last_copy_has_left),
        TEST(test_the_end_of_credits_lets_all_pass),
        TEST(test_impossible_settings_are_refused),
        cmocka_unit_test(test_a_cc_update_survives_its_frame),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
