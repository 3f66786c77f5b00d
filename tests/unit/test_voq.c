/* SPDX-License-Identifier: Apache-2.0 */

/* A chassis: credits, the cell fabric, DRAM, and what is conserved. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "tests/support/sim_setup.h"
#include "twin/switch/sim.h"
#include "twin/switch/voq.h"

enum {
    CELL = 256,
    N_CARDS = 4,
    N_PORTS = 8, /* Two per card. */
    N_CLASSES = 8,
    RTT_NS = 1000,
    CREDIT = 1024,
    EGRESS = 8192,
    SRAM = 16384,
    LATENCY_NS = 300,
    TRIM = 5, /* A queue. */
    TRIM_DSCP = 48,
};

#define MAC(port) SIM_SETUP_MAC(port)
#define NS        INT64_C(1000)
#define US        INT64_C(1000000)

/* A frame of one cell: at 40G with preamble and gap, as a cell with its header
 * on one link of 25G, and on the four links of a card. */
#define FRAME_PS  INT64_C(56000)
#define CELL_PS   INT64_C(87040)
#define CREDIT_PS INT64_C(200785) /* Between two credits, at 102 % of 40G. */
#define FABRIC_PS INT64_C(21760)

struct fixture {
    struct chip chip;
    struct sim *sim;
    struct mmu *mmu;
    uint64_t n_sent;
    uint64_t by_class[N_CLASSES];
    uint64_t last[N_PORTS][N_CLASSES]; /* The last frame of each queue. */
    int64_t sent_ps;
    uint64_t n_dropped;
};

static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct fixture *f = context;

    /* A queue keeps the order, whatever cards its frames come from. */
    assert_true(frame->id > f->last[port][frame->queue_index]);
    f->last[port][frame->queue_index] = frame->id;
    f->by_class[frame->queue_index]++;
    f->n_sent++;
    f->sent_ps = now_ps;
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct fixture *f = context;

    (void)port;
    (void)why;
    (void)frame;
    (void)now_ps;
    f->n_dropped++;
}

static const struct sim_port_config port_40g = {.speed_mbps = 40000,
                                                .admin_up = true,
                                                .tx_enabled = true,
                                                .pfc_rx_enabled = 0xff};

static void
start(struct fixture *f)
{
    f->sim = sim_create(&f->chip);
    f->mmu = sim_mmu(f->sim);
    sim_set_listener(
        f->sim,
        &(struct sim_listener){.sent = on_sent, .drop = on_drop, .context = f});
    sim_setup_ports(f->sim, N_PORTS, &port_40g);
}

static struct fixture *
prepare(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.memory_bytes = UINT64_C(1) << 24;
    f->chip.ports = N_PORTS;
    f->chip.queues_per_port = N_CLASSES;
    f->chip.unicast_queues_per_port = N_CLASSES;
    f->chip.partitions = N_CARDS;
    f->chip.port_partition = CHIP_PORT_PARTITION_BLOCK;
    f->chip.voq = (struct chip_voq){
        .credit_bytes = CREDIT,
        .credit_rate_percent = 102,
        .credit_rtt_ns = RTT_NS,
        .egress_bytes = EGRESS,
        .cell_payload_bytes = CELL,
        .cell_header_bytes = 16,
        .fabric_links = 4,
        .fabric_link_mbps = 25000,
        .fabric_latency_ns = LATENCY_NS,
        .sram_bytes = SRAM,
        .dram_mbps = 400000,
        .dram_latency_ns = 500,
    };
    *state = f;
    return f;
}

static int
setup(void **state)
{
    start(prepare(state));
    return 0;
}

static int
setup_slow_dram(void **state)
{
    struct fixture *f = prepare(state);

    f->chip.voq.dram_mbps = 20000;
    start(f);
    return 0;
}

static int
setup_ordinary(void **state)
{
    struct fixture *f = prepare(state);

    f->chip.voq = (struct chip_voq){0};
    start(f);
    return 0;
}

/* The bytes that a card has admitted are those that have left it, and those
 * that still wait there: at every instant, for every card. */
static void
check(struct fixture *f)
{
    uint64_t in_vain = 0;

    assert_null(voq_check(f->sim));
    for (uint32_t c = 0; c < voq_n_cards(f->sim); c++) {
        uint64_t admitted = 0, waiting = 0;
        struct voq_card card;

        for (uint32_t i = 0; i < 2 * N_CLASSES; i++) {
            const uint32_t pg =
                mmu_pg_id(f->mmu, c * 2 + i / N_CLASSES, i % N_CLASSES);
            struct mmu_pg_stats stats;

            mmu_pg_get(f->mmu, pg, &stats);
            admitted += stats.bytes;
            for (uint32_t q = 0; q < N_PORTS * N_CLASSES; q++) {
                mmu_queue_count(
                    f->mmu, mmu_queue_id(f->mmu, q / N_CLASSES, q % N_CLASSES),
                    pg, &in_vain, &waiting);
            }
        }
        voq_get_card(f->sim, c, &card);
        assert_int_equal(admitted, card.sent_bytes + waiting);
    }
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_verify(f->mmu);
    assert_null(voq_check(f->sim));
    sim_destroy(f->sim);
    test_free(f);
    return 0;
}

static void
set_port(struct fixture *f, uint32_t port, bool tx_enabled, bool admin_up)
{
    struct sim_port_config config = *sim_port_get(f->sim, port);

    config.tx_enabled = tx_enabled;
    config.admin_up = admin_up;
    assert_int_equal(sim_port_set(f->sim, port, &config), ST_OK);
}

/* Lets 'n' frames of 'bytes' arrive at port 'from' at once. */
static void
put(struct fixture *f, uint32_t from, uint32_t to, int8_t dscp, uint32_t bytes,
    unsigned int n)
{
    const struct sim_frame frame = {.dst_mac = MAC(to),
                                    .src_mac = MAC(100),
                                    .length_bytes = bytes,
                                    .dscp = dscp};

    while (n-- > 0) {
        assert_int_equal(sim_receive(f->sim, from, &frame), ST_OK);
    }
}

static void
pause(struct fixture *f, uint32_t port, uint8_t priorities, uint16_t quanta)
{
    sim_setup_pause(f->sim, port, PAUSE_FRAME_PFC, priorities, quanta);
}

static struct voq_port_stats
port_stats(struct fixture *f, uint32_t port)
{
    struct voq_port_stats stats;

    voq_get_port(f->sim, port, &stats);
    return stats;
}

static void
test_ordinary_switch_has_no_cards(void **state)
{
    struct fixture *f = *state;

    put(f, 0, 1, 3, CELL, 1);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(f->sent_ps, FRAME_PS);
    assert_int_equal(voq_n_cards(f->sim), 0);
    assert_null(voq_check(f->sim));
}

static void
test_frame_waits_for_credit_and_crosses_the_fabric(void **state)
{
    struct fixture *f = *state;
    struct voq_card card;

    put(f, 0, 6, 3, CELL, 1);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(f->sent_ps,
                     RTT_NS * NS + CELL_PS + LATENCY_NS * NS + FRAME_PS);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.sent_frames, 1);
    assert_int_equal(card.sent_bytes, CELL);
    assert_int_equal(card.sent_cells, 1);
    assert_int_equal(card.dram_bytes, 0);
    voq_get_card(f->sim, 3, &card);
    assert_int_equal(card.received_bytes, CELL);
    assert_int_equal(port_stats(f, 6).issued, CREDIT);
    assert_int_equal(port_stats(f, 6).used, CELL);
    assert_int_equal(port_stats(f, 6).returned, CREDIT - CELL);
    check(f);
    /* A port that has granted all that was asked for has to be asked again. */
    sim_run_until(f->sim, 10 * US);
    put(f, 0, 6, 3, CELL, 1);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(f->sent_ps, 10 * US + RTT_NS * NS + CELL_PS +
                                     LATENCY_NS * NS + FRAME_PS);
}

/* Credits come at 102 % of the speed of the port, to the picosecond. */
static void
test_credits_come_at_the_rate_of_the_port(void **state)
{
    struct fixture *f = *state;
    const int64_t eighth_ps = RTT_NS * NS / 2 + 7 * CREDIT_PS;

    put(f, 0, 6, 3, CELL, 100);
    sim_run_until(f->sim, eighth_ps - 1);
    assert_int_equal(port_stats(f, 6).issued, 7 * CREDIT);
    sim_run_until(f->sim, eighth_ps);
    assert_int_equal(port_stats(f, 6).issued, 8 * CREDIT);
}

/* What a VOQ has overdrawn is demand: 2,048 bytes leave for the first of two
 * credits, so that the second is spent before another frame comes. */
static void
test_overdrawn_credit_is_asked_for(void **state)
{
    struct fixture *f = *state;

    put(f, 0, 6, 3, 2 * CREDIT, 1);
    sim_run_until(f->sim, 1100 * NS);
    assert_int_equal(port_stats(f, 6).overdrawn, CREDIT);
    assert_int_equal(port_stats(f, 6).pending, CREDIT);
    put(f, 0, 6, 3, CELL, 1);
    sim_run_until(f->sim, 1100 * NS + RTT_NS * NS / 2);
    assert_int_equal(port_stats(f, 6).issued, 3 * CREDIT);
    check(f);
}

/* Credits are granted by the weights of the classes, and go to none that is
 * shaped before its time. */
static void
test_scheduler_grants_credits(void **state)
{
    static const struct scheduler_config heavy = {SCHEDULER_DWRR, .weight = 30},
                                         light = {SCHEDULER_DWRR, .weight = 10},
                                         shaped = {SCHEDULER_STRICT,
                                                   .weight = 1,
                                                   .max_rate = 125000000,
                                                   .max_burst = 1};
    struct fixture *f = *state;
    struct scheduler *scheduler = sim_port_scheduler(f->sim, 6);

    assert_int_equal(scheduler_set(scheduler, 3, &heavy, 0), ST_OK);
    assert_int_equal(scheduler_set(scheduler, 4, &light, 0), ST_OK);
    put(f, 0, 6, 3, CELL, 2000);
    put(f, 0, 6, 4, CELL, 2000);
    sim_run_until(f->sim, 80 * US);
    assert_in_range(f->by_class[3], 3 * f->by_class[4] - 200,
                    3 * f->by_class[4] + 200);
    assert_true(f->by_class[4] > 300);
    sim_settle(f->sim);
    /* 100 frames at 1 Gb/s. */
    assert_int_equal(scheduler_set(scheduler, 3, &shaped, sim_now_ps(f->sim)),
                     ST_OK);
    f->by_class[3] = 0;
    put(f, 0, 6, 3, CELL, 100);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 300 * US);
    assert_int_equal(f->by_class[3], 100);
    check(f);
}

/* Frames for two ports share the links of the card from which they come, and of
 * the card to which they go. */
static void
test_links_of_a_card_are_shared(void **state)
{
    struct fixture *f = *state;
    const int64_t alone_ps =
        RTT_NS * NS + 2 * CELL_PS + LATENCY_NS * NS + 1524 * 200;

    put(f, 0, 6, 3, 1500, 1);
    put(f, 0, 4, 3, 1500, 1);
    assert_int_equal(sim_settle(f->sim), 2);
    assert_int_equal(f->sent_ps, alone_ps + 1596 * 80);
    sim_run_until(f->sim, 10 * US);
    put(f, 0, 6, 3, 1500, 1);
    put(f, 2, 7, 3, 1500, 1);
    assert_int_equal(sim_settle(f->sim), 2);
    assert_int_equal(f->sent_ps, 10 * US + alone_ps + 1596 * 80);
}

/* 1,500 bytes are 6 cells on 4 links: two rounds. */
static void
test_cells_are_sprayed_over_the_links(void **state)
{
    struct fixture *f = *state;
    struct voq_card card;

    put(f, 0, 6, 3, 1500, 1);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(f->sent_ps,
                     RTT_NS * NS + 2 * CELL_PS + LATENCY_NS * NS + 1524 * 200);
    /* It overdrew the first credit, and the second paid for that. */
    assert_int_equal(port_stats(f, 6).issued, 2 * CREDIT);
    assert_int_equal(port_stats(f, 6).returned, 2 * CREDIT - 1500);
    assert_int_equal(port_stats(f, 6).overdrawn, 0);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.sent_cells, 6);
    check(f);
}

static void
test_credits_keep_the_wire_busy(void **state)
{
    struct fixture *f = *state;
    int64_t first_ps;

    /* From two cards, each at the speed of the wire. */
    put(f, 0, 6, 3, CELL, 1);
    put(f, 2, 6, 3, CELL, 1);
    sim_run_until(f->sim, 10 * US);
    put(f, 0, 6, 3, CELL, 500);
    put(f, 2, 6, 3, CELL, 500);
    first_ps = 10 * US + RTT_NS * NS;
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 1002);
    /* The first round trip and crossing aside, there is never a gap. */
    assert_true(f->sent_ps < first_ps + 1000 * FRAME_PS + 4 * US);
    check(f);
}

static void
test_egress_memory_is_bounded(void **state)
{
    struct fixture *f = *state;
    uint64_t frames, bytes;

    set_port(f, 6, false, true);
    put(f, 0, 6, 3, CELL, 200);
    put(f, 4, 6, 4, 1500, 100);
    sim_run_until(f->sim, 100 * US);
    assert_int_equal(f->n_sent, 0);
    assert_true(port_stats(f, 6).in_transit > EGRESS - CREDIT - 1500);
    assert_true(port_stats(f, 6).peak <= EGRESS + 2 * 1500);
    sim_count_held(f->sim, &frames, &bytes);
    assert_int_equal(frames, 300);
    assert_int_equal(bytes, 200 * CELL + 100 * 1500);
    check(f);
    set_port(f, 6, true, true);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 300);
    assert_int_equal(f->n_dropped, 0);
    assert_int_equal(port_stats(f, 6).in_transit, 0);
    check(f);
}

/* Of frames of 256 bytes, four take a credit, and eight credits fit.  Of those
 * of 300 bytes, 24 take seven and 32 bytes, and an eighth does not fit; when
 * five had been used for 18 of them, two more were on their way. */
static void
test_egress_memory_is_bounded_exactly(void **state)
{
    static const struct {
        uint32_t bytes, n_credits, filled, peak;
    } rows[] = {{CELL, 8, EGRESS, EGRESS},
                {300, 7, 24 * 300, 18 * 300 + 2 * CREDIT}};
    struct fixture *f = *state;

    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t port = 5 + i;

        set_port(f, port, false, true);
        put(f, 0, port, 3, rows[i].bytes, 100);
        sim_run_until(f->sim, sim_now_ps(f->sim) + 100 * US);
        assert_int_equal(port_stats(f, port).issued,
                         rows[i].n_credits * CREDIT);
        assert_int_equal(port_stats(f, port).in_transit, rows[i].filled);
        assert_int_equal(port_stats(f, port).peak, rows[i].peak);
    }
    check(f);
}

/* A pause holds its class in the VOQs and behind the fabric; others pass. */
static void
test_pause_holds_one_class(void **state)
{
    struct fixture *f = *state;

    put(f, 0, 6, 3, CELL, 60); /* More than there is room for. */
    sim_run_until(f->sim, RTT_NS * NS + CELL_PS + LATENCY_NS * NS + 1);
    pause(f, 6, 1 << 3, 0xffff);
    put(f, 2, 6, 4, CELL, 20);
    sim_run_until(f->sim, 20 * US);
    assert_int_equal(f->by_class[3], 1);
    assert_int_equal(f->by_class[4], 20);
    assert_true(port_stats(f, 6).in_transit > 0);
    check(f);
    pause(f, 6, 1 << 3, 0);
    sim_settle(f->sim);
    assert_int_equal(f->by_class[3], 60);
    check(f);
}

/* A port that goes down discards what is behind its fabric as well. */
static void
test_port_goes_down(void **state)
{
    struct fixture *f = *state;
    struct sim_port_stats stats;
    uint64_t frames, bytes;

    set_port(f, 6, false, true);
    put(f, 0, 6, 3, CELL, 100);
    sim_settle(f->sim);
    set_port(f, 6, false, false);
    assert_int_equal(sim_port_get_stats(f->sim, 6, &stats), ST_OK);
    assert_int_equal(stats.tx_flushed, 100);
    assert_int_equal(f->n_dropped, 100);
    sim_count_held(f->sim, &frames, &bytes);
    assert_int_equal(frames, 0);
    assert_null(voq_check(f->sim));
    set_port(f, 6, true, true);
    put(f, 0, 6, 3, CELL, 10);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 10);
    assert_null(voq_check(f->sim));
    assert_int_equal(sim_port_remove(f->sim, 6), ST_OK);
}

/* A deep queue is in DRAM, whose bandwidth is that of reads and writes. */
static void
test_slow_dram_limits_a_deep_queue(void **state)
{
    struct fixture *f = *state;
    const unsigned int n = 1000;
    struct voq_card card;

    put(f, 0, 6, 3, CELL, n);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, n);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.dram_bytes, n * CELL);
    /* 2 * 256 bytes at 20G take 204.8 ns. */
    assert_true(f->sent_ps >= n * INT64_C(204800));
    /* A queue that has been empty is in SRAM again. */
    put(f, 0, 6, 3, CELL, 1);
    sim_settle(f->sim);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.dram_bytes, n * CELL);
    check(f);
}

/* A queue that a port loses when it goes down leaves DRAM, too. */
static void
test_port_that_went_down_begins_in_sram(void **state)
{
    struct fixture *f = *state;
    struct voq_card card;
    uint64_t dram_bytes;
    int64_t up_ps;

    put(f, 0, 6, 3, CELL, 1000);
    sim_run_until(f->sim, 20 * US);
    voq_get_card(f->sim, 0, &card);
    dram_bytes = card.dram_bytes;
    assert_true(dram_bytes > 0);
    set_port(f, 6, false, false);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent + f->n_dropped, 1000);
    set_port(f, 6, true, true);
    put(f, 0, 6, 3, CELL, 1);
    sim_settle(f->sim);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.dram_bytes, dram_bytes);
    assert_int_equal(f->n_sent + f->n_dropped, 1001);
    assert_null(voq_check(f->sim));

    /* Also one that has no credit on its way to it. */
    set_port(f, 6, false, true);
    put(f, 0, 6, 3, CELL, 1000);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 100 * US);
    assert_int_equal(port_stats(f, 6).pending, 0);
    voq_get_card(f->sim, 0, &card);
    dram_bytes = card.dram_bytes;
    set_port(f, 6, false, false);
    set_port(f, 6, true, true);
    up_ps = sim_now_ps(f->sim);
    put(f, 0, 6, 3, CELL, 1);
    sim_settle(f->sim);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.dram_bytes, dram_bytes);
    /* It asks for credit again. */
    assert_int_equal(f->sent_ps, up_ps + RTT_NS * NS + CELL_PS +
                                     LATENCY_NS * NS + FRAME_PS);
}

static void
test_fast_dram_does_not(void **state)
{
    struct fixture *f = *state;
    struct voq_card card;
    /* 512 bytes at 400G, and the latency of DRAM. */
    const int64_t first_ps =
        RTT_NS * NS + 10240 + 500 * NS + CELL_PS + LATENCY_NS * NS + FRAME_PS;

    put(f, 0, 6, 3, CELL, 1000);
    sim_run_until(f->sim, first_ps - 1);
    assert_int_equal(f->n_sent, 0);
    sim_run_until(f->sim, first_ps);
    assert_int_equal(f->n_sent, 1);
    sim_settle(f->sim);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.dram_bytes, 1000 * CELL);
    assert_true(f->sent_ps < 1000 * FRAME_PS + 4 * US);
    check(f);
}

/* Returns a number below 'n' from a small generator. */
static uint32_t
draw(uint64_t *seed, uint32_t n)
{
    *seed = *seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((*seed >> 33) % n);
}

static void
step(struct fixture *f, uint64_t *seed, uint64_t *n)
{
    const uint32_t from = draw(seed, N_PORTS), to = draw(seed, N_PORTS);
    const unsigned int count = 1 + draw(seed, 20);

    switch (draw(seed, 8)) {
    case 0:
        set_port(f, to, draw(seed, 2), true);
        break;
    case 1:
        pause(f, to, (uint8_t)draw(seed, 256), draw(seed, 2) ? 500 : 0);
        break;
    case 2:
        sim_run_until(f->sim, sim_now_ps(f->sim) + draw(seed, 3000) * NS);
        break;
    default:
        if (from != to) {
            put(f, from, to, (int8_t)draw(seed, N_CLASSES),
                64 + draw(seed, 9000), count);
            *n += count;
        }
        break;
    }
}

/* Whatever happens, bytes and credits are conserved at every instant, and in
 * the end all frames have been sent. */
static void
test_everything_is_conserved(void **state)
{
    struct fixture *f = *state;
    uint64_t n = 0, frames, bytes;

    for (uint64_t seed = 1; seed <= 4; seed++) {
        uint64_t state_of = seed;

        for (int i = 0; i < 300; i++) {
            step(f, &state_of, &n);
            check(f);
            sim_run_some(f->sim, sim_now_ps(f->sim) + US, 7);
            check(f);
        }
        for (uint32_t i = 0; i < N_PORTS; i++) {
            set_port(f, i, true, true);
        }
        sim_run_until(f->sim, sim_now_ps(f->sim) + 100000 * US);
        sim_count_held(f->sim, &frames, &bytes);
        assert_int_equal(frames, 0);
        assert_int_equal(f->n_sent + f->n_dropped, n);
        assert_int_equal(f->n_dropped, 0);
        check(f);
    }
}

/* Queue 3 of port 6, to which nothing goes, has room for 'n' frames of CELL,
 * and trims to half of that by queue 5. */
static void
trim(struct fixture *f, uint32_t n)
{
    const struct sim_trim_config config = {
        .size_bytes = CELL / 2, .dscp = TRIM_DSCP, .queue = TRIM};
    const uint32_t pool = mmu_setup_pool(f->mmu, MMU_EGRESS, 1 << 20, 0);
    const struct mmu_profile_config full = {.pool = pool,
                                            .is_static = true,
                                            .static_bytes = n * CELL};

    mmu_setup_attach_queue(f->mmu, 6, 3, mmu_setup_profile(f->mmu, &full));
    assert_int_equal(sim_set_trimming(f->sim, &config), ST_OK);
    assert_int_equal(sim_queue_set_trim(f->sim, 6, 3, true), ST_OK);
    set_port(f, 6, false, true);
}

static struct sim_trim_stats
trims(const struct fixture *f)
{
    struct sim_trim_stats stats;

    assert_int_equal(sim_queue_get_trims(f->sim, 6, 3, &stats), ST_OK);
    return stats;
}

/* What a full VOQ refuses is cut at the card where it has arrived, waits for
 * credit in the VOQ of the trim queue, and crosses the fabric as a shorter
 * frame. */
static void
test_a_full_voq_trims(void **state)
{
    struct fixture *f = *state;
    uint64_t sent_before, before, frames, bytes;
    struct voq_card card;

    trim(f, 100);
    /* Nothing more enters the fabric when the egress memory is full. */
    put(f, 0, 6, 3, CELL, 60);
    sim_run_until(f->sim, 100 * US);
    voq_get_card(f->sim, 0, &card);
    sent_before = card.sent_frames;
    assert_in_range(sent_before, 1, 59);
    put(f, 0, 6, 3, CELL, 200);
    assert_int_equal(trims(f).trimmed, 60 + 200 - sent_before - 100);
    assert_int_equal(trims(f).sent, 0);
    before = card.sent_bytes;

    set_port(f, 6, true, true);
    sim_run_until(f->sim, 1000 * US);
    assert_int_equal(f->by_class[3], sent_before + 100);
    assert_int_equal(f->by_class[TRIM], trims(f).trimmed);
    assert_int_equal(trims(f).sent, trims(f).trimmed);
    assert_int_equal(trims(f).dropped, 0);
    voq_get_card(f->sim, 0, &card);
    assert_int_equal(card.sent_bytes - before,
                     100 * CELL + trims(f).trimmed * (CELL / 2));
    sim_count_held(f->sim, &frames, &bytes);
    assert_int_equal(frames, 0);
    assert_null(voq_check(f->sim));
}

/* Trimmed frames that wait for credit are lost with their port, and count as
 * waiting no more. */
static void
test_trimmed_frames_of_a_port_that_goes_down(void **state)
{
    struct fixture *f = *state;
    uint64_t frames, bytes;

    trim(f, 100);
    put(f, 0, 6, 3, CELL, 300);
    assert_true(trims(f).trimmed > 100);
    set_port(f, 6, false, false);
    sim_run_until(f->sim, 100 * US);
    sim_count_held(f->sim, &frames, &bytes);
    assert_int_equal(frames, 0);
    assert_int_equal(trims(f).sent + trims(f).dropped, trims(f).trimmed);
    set_port(f, 6, true, true);
    put(f, 0, 6, 3, CELL, 1);
    sim_settle(f->sim);
    assert_int_equal(f->by_class[3], 1);
}

#define TEST(name, prepared)                                                   \
    cmocka_unit_test_setup_teardown(name, prepared, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_ordinary_switch_has_no_cards, setup_ordinary),
        TEST(test_frame_waits_for_credit_and_crosses_the_fabric, setup),
        TEST(test_credits_come_at_the_rate_of_the_port, setup),
        TEST(test_overdrawn_credit_is_asked_for, setup),
        TEST(test_scheduler_grants_credits, setup),
        TEST(test_links_of_a_card_are_shared, setup),
        TEST(test_cells_are_sprayed_over_the_links, setup),
        TEST(test_credits_keep_the_wire_busy, setup),
        TEST(test_egress_memory_is_bounded, setup),
        TEST(test_egress_memory_is_bounded_exactly, setup),
        TEST(test_pause_holds_one_class, setup),
        TEST(test_port_goes_down, setup),
        TEST(test_slow_dram_limits_a_deep_queue, setup_slow_dram),
        TEST(test_port_that_went_down_begins_in_sram, setup_slow_dram),
        TEST(test_fast_dram_does_not, setup),
        TEST(test_a_full_voq_trims, setup),
        TEST(test_trimmed_frames_of_a_port_that_goes_down, setup),
        TEST(test_everything_is_conserved, setup),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
