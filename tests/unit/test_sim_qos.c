/* SPDX-License-Identifier: Apache-2.0 */

/* QoS on the way of a frame through the switch: when it is judged, what is
 * rewritten, and how pauses go in and out. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/ethernet.h"
#include "tests/support/sim_setup.h"
#include "twin/qos/pause_frame.h"
#include "twin/switch/sim.h"

enum { PORTS = 4, MAX_SENT = 4096, CELL = 256 };

#define SECOND_PS  INT64_C(1000000000000)
#define QUANTUM_PS INT64_C(5120)
#define MAC(port)  (UINT64_C(0x020000000000) + (port))

/* Four ports of 100G on a chip with cells of 256 bytes; DSCP n is in PG and
 * queue n.  Frames have 256 bytes: one cell each. */
struct fixture {
    struct chip chip;
    struct sim *sim;
    struct classify_map identity;
    struct sim_frame sent[MAX_SENT];
    int64_t sent_ps[MAX_SENT];
    uint32_t sent_port[MAX_SENT];
    size_t n_sent;
};

static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct fixture *f = context;

    assert_true(f->n_sent < MAX_SENT);
    f->sent_port[f->n_sent] = port;
    f->sent_ps[f->n_sent] = now_ps;
    f->sent[f->n_sent++] = *frame;
}

static struct fixture *
make(enum chip_ecn_mark ecn_mark_at)
{
    static const struct sim_port_config config = {.speed_mbps = 100000,
                                                  .admin_up = true,
                                                  .tx_enabled = true,
                                                  .pfc_tx_enabled = 0xff,
                                                  .pfc_rx_enabled = 0xff};
    struct fixture *f = test_calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.ports = PORTS;
    f->chip.ecn_mark_at = ecn_mark_at;
    f->sim = sim_create(&f->chip);
    sim_set_listener(f->sim,
                     &(struct sim_listener){.sent = on_sent, .context = f});
    for (uint8_t i = 0; i < 64; i++) {
        f->identity.entries[i] = i % 8;
    }
    sim_rules(f->sim)->dscp_to_tc = &f->identity;
    sim_rules(f->sim)->tc_to_pg = &f->identity;
    sim_rules(f->sim)->tc_to_queue = &f->identity;
    for (uint32_t i = 0; i < PORTS; i++) {
        assert_int_equal(sim_port_add(f->sim, i, i, &config), ST_OK);
        assert_int_equal(sim_fdb_set(f->sim, MAC(i), i), ST_OK);
    }
    return f;
}

static int
setup(void **state)
{
    *state = make(CHIP_ECN_MARK_DEQUEUE);
    return 0;
}

static int
setup_enqueue(void **state)
{
    *state = make(CHIP_ECN_MARK_ENQUEUE);
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;
    const char *wrong = mmu_check(sim_mmu(f->sim));

    if (wrong) {
        fail_msg("%s", wrong);
    }
    sim_destroy(f->sim);
    test_free(f);
    return 0;
}

static void
block(struct fixture *f, uint32_t port, bool blocked)
{
    struct sim_port_config config = *sim_port_get(f->sim, port);

    config.tx_enabled = !blocked;
    assert_int_equal(sim_port_set(f->sim, port, &config), ST_OK);
}

static void
send(struct fixture *f, struct sim_frame frame, uint64_t n)
{
    frame.src_mac = MAC(100);
    frame.length_bytes = frame.length_bytes ? frame.length_bytes : CELL;
    frame.dst_mac = frame.dst_mac ? frame.dst_mac : MAC(1);
    assert_int_equal(sim_send(f->sim, 0, &frame, n, 0, NULL), ST_OK);
}

static void
arrive_pause(struct fixture *f, uint32_t port, uint8_t priorities,
             uint16_t quanta)
{
    sim_setup_pause(f->sim, port, PAUSE_FRAME_PFC, priorities, quanta);
}

static struct sim_pause_stats
pauses(struct fixture *f, uint32_t port)
{
    struct sim_pause_stats stats;

    assert_int_equal(sim_port_get_pauses(f->sim, port, &stats), ST_OK);
    return stats;
}

/* Marking ------------------------------------------------------------- */

/* A step at 100 cells. */
static const struct wred_profile step = {
    .colors = {{.marks = true,
                .drops = true,
                .mark = {100 * CELL, 100 * CELL, 100},
                .drop = {100 * CELL, 100 * CELL, 100}}}};

/* Sends 300 frames into a blocked queue with that step, and lets them leave. */
static void
fill_and_drain(struct fixture *f, uint8_t ecn)
{
    assert_int_equal(sim_queue_set_wred(f->sim, 1, 3, &step), ST_OK);
    block(f, 1, true);
    send(f, (struct sim_frame){.dscp = 3, .ecn = ecn & 3u}, 300);
    block(f, 1, false);
    sim_settle(f->sim);
}

static void
test_late_marks_are_those_that_leave_many_behind(void **state)
{
    struct fixture *f = *state;

    fill_and_drain(f, 1);
    assert_int_equal(f->n_sent, 300);
    for (size_t i = 0; i < 300; i++) {
        assert_int_equal(f->sent[i].ecn, 299 - i > 100 ? 3 : 1);
    }
}

static void
test_early_marks_are_those_that_find_many(void **state)
{
    struct fixture *f = *state;

    fill_and_drain(f, 1);
    assert_int_equal(f->n_sent, 300);
    for (size_t i = 0; i < 300; i++) {
        assert_int_equal(f->sent[i].ecn, i > 100 ? 3 : 1);
    }
}

/* Whenever marks are made, drops are made at arrival. */
static void
test_drops_are_those_that_find_many(void **state)
{
    struct fixture *f = *state;
    struct sim_queue_stats stats;
    struct sim_port_stats port;

    fill_and_drain(f, 0);
    assert_int_equal(f->n_sent, 101);
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_OK);
    assert_int_equal(stats.colors[0].wred_dropped_packets, 199);
    assert_int_equal(stats.colors[0].dropped_packets, 199);
    assert_int_equal(stats.colors[0].dropped_bytes, 199 * CELL);
    assert_int_equal(stats.colors[0].packets, 101);
    assert_int_equal(sim_port_get_stats(f->sim, 1, &port), ST_OK);
    assert_int_equal(port.tx_dropped, 199);
}

static void
test_copies_are_not_dropped_by_wred(void **state)
{
    struct fixture *f = *state;
    struct sim_queue_stats stats;

    assert_int_equal(sim_queue_set_wred(f->sim, 1, 3, &step), ST_OK);
    block(f, 1, true);
    send(f, (struct sim_frame){.dscp = 3, .dst_mac = MAC(50)}, 300);
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_OK);
    assert_int_equal(stats.colors[0].dropped_packets, 0);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 900);
}

static void
test_delay_is_the_longest_wait(void **state)
{
    const int64_t pause_ps = INT64_C(5) * 1000 * 1000;
    struct fixture *f = *state;
    struct sim_queue_stats stats;
    const int64_t wire_ps = INT64_C(1000000) *
                            (CELL + ETHERNET_WIRE_OVERHEAD_BYTES) * 8 /
                            sim_port_get(f->sim, 1)->speed_mbps;

    block(f, 1, true);
    send(f, (struct sim_frame){.dscp = 3}, 2);
    sim_run_until(f->sim, sim_now_ps(f->sim) + pause_ps);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_OK);
    /* The second frame also waited for the first. */
    assert_int_equal(stats.delay_watermark_ps, pause_ps + wire_ps);
    send(f, (struct sim_frame){.dscp = 3}, 1);
    sim_settle(f->sim);
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_OK);
    assert_int_equal(stats.delay_watermark_ps, pause_ps + wire_ps);
    assert_int_equal(sim_queue_clear_delay(f->sim, 1, 3), ST_OK);
    send(f, (struct sim_frame){.dscp = 3}, 1);
    sim_settle(f->sim);
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_OK);
    assert_int_equal(stats.delay_watermark_ps, 0);
    assert_int_equal(sim_queue_clear_delay(f->sim, 99, 3), ST_NOT_FOUND);
}

static void
test_a_new_port_has_a_clean_slate(void **state)
{
    struct fixture *f = *state;
    const struct sim_port_config config = *sim_port_get(f->sim, 1);
    struct sim_queue_stats stats;

    fill_and_drain(f, 0);
    arrive_pause(f, 1, 0xff, 0xffff);
    assert_int_equal(sim_port_remove(f->sim, 1), ST_OK);
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_NOT_FOUND);
    assert_int_equal(sim_queue_set_wred(f->sim, 1, 3, NULL), ST_NOT_FOUND);
    assert_null(sim_port_scheduler(f->sim, 1));
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(sim_port_add(f->sim, 1, 1, &config), ST_OK);
    assert_int_equal(sim_fdb_set(f->sim, MAC(1), 1), ST_OK);
    assert_int_equal(pauses(f, 1).received[3], 0);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    f->n_sent = 0;
    block(f, 1, true);
    send(f, (struct sim_frame){.dscp = 3}, 300);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 300); /* Without WRED. */
    assert_int_equal(sim_queue_get_stats(f->sim, 1, 3, &stats), ST_OK);
    assert_int_equal(stats.colors[0].packets, 300);
    assert_int_equal(sim_queue_set_wred(f->sim, 1, 20, NULL), ST_NOT_FOUND);
}

/* Headers ------------------------------------------------------------- */

static void
test_headers_are_judged_and_rewritten(void **state)
{
    struct fixture *f = *state;
    static struct classify_map exp_to_tc = {.entries = {[5] = 6}};
    static struct classify_map dot1p_to_color = {
        .entries = {[4] = CLASSIFY_YELLOW}};
    struct classify_remark to_exp;
    struct classify_remark to_dot1p;

    memset(&to_exp, CLASSIFY_UNLISTED, sizeof to_exp);
    memset(&to_dot1p, CLASSIFY_UNLISTED, sizeof to_dot1p);
    to_exp.entries[6][CLASSIFY_YELLOW] = 1;
    to_dot1p.entries[6][CLASSIFY_YELLOW] = 2;
    sim_port_rules(f->sim, 0)->exp_to_tc = &exp_to_tc;
    sim_rules(f->sim)->dot1p_to_color = &dot1p_to_color;
    sim_rules(f->sim)->to_exp = &to_exp;
    sim_port_rules(f->sim, 1)->to_dot1p = &to_dot1p;
    send(f,
         (struct sim_frame){.dscp = -1,
                            .has = SIM_HAS_TAG | SIM_HAS_LABEL,
                            .exp = 5,
                            .dot1p = 4},
         1);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 1);
    assert_int_equal(f->sent[0].tc, 6);
    assert_int_equal(f->sent[0].color, CLASSIFY_YELLOW);
    assert_int_equal(f->sent[0].queue_index, 6);
    assert_int_equal(f->sent[0].exp, 1);
    assert_int_equal(f->sent[0].dot1p, 2);
    assert_int_equal(f->sent[0].dscp, -1);
}

/* Time ---------------------------------------------------------------- */

static void
test_settling_waits_for_rates_but_not_for_blocks(void **state)
{
    struct fixture *f = *state;
    struct scheduler_config config = SCHEDULER_DEFAULT;
    struct scheduler *scheduler = sim_port_scheduler(f->sim, 1);

    config.max_rate = 1000000;
    assert_int_equal(scheduler_set(scheduler, 3, &config, 0), ST_OK);
    send(f, (struct sim_frame){.dscp = 3}, 10);
    assert_int_equal(sim_settle(f->sim), 10);
    assert_true(f->sent_ps[9] - f->sent_ps[0] ==
                9 * CELL * SECOND_PS / 1000000);
    config.max_rate = 10;
    assert_int_equal(scheduler_set(scheduler, 3, &config, sim_now_ps(f->sim)),
                     ST_OK);
    send(f, (struct sim_frame){.dscp = 3}, 10);
    assert_int_equal(sim_settle(f->sim), 0);
    /* It continues when its time has come, without a call to settle. */
    sim_run_until(f->sim, sim_now_ps(f->sim) + 7 * SECOND_PS);
    assert_int_equal(f->n_sent, 11);
    config.max_rate = 0;
    assert_int_equal(scheduler_set(scheduler, 3, &config, sim_now_ps(f->sim)),
                     ST_OK);
    sim_port_wake(f->sim, 1);
    assert_int_equal(sim_settle(f->sim), 9);
}

/* Pauses -------------------------------------------------------------- */

static void
test_control_frames_that_are_no_pause_do_nothing(void **state)
{
    struct fixture *f = *state;
    uint8_t bytes[PAUSE_FRAME_BYTES];
    struct sim_port_stats stats;

    pause_frame_build(&(struct pause_frame){.priorities = 0xff,
                                            .quanta = {9, 9, 9, 9, 9, 9, 9, 9}},
                      MAC(100), bytes);
    sim_setup_control(f->sim, 1, bytes, 17); /* Cut in the vector. */
    bytes[15] = 0x77;                        /* An unknown opcode. */
    sim_setup_control(f->sim, 1, bytes, sizeof bytes);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(pauses(f, 1).received[3], 0);
    assert_int_equal(sim_port_get_stats(f->sim, 1, &stats), ST_OK);
    assert_int_equal(stats.rx_control, 2);
    assert_int_equal(f->n_sent, 0);
}

static void
test_frame_on_the_wire_finishes_when_paused(void **state)
{
    struct fixture *f = *state;

    block(f, 1, true);
    send(f, (struct sim_frame){.dscp = 3, .length_bytes = 9000}, 3);
    block(f, 1, false);
    arrive_pause(f, 1, 0x08, 1000);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 999 * QUANTUM_PS);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 1);
    sim_run_until(f->sim, sim_now_ps(f->sim) + QUANTUM_PS);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 3);
}

/* Frames that start before then are sent; the frame counts when it arrives. */
static void
test_pause_takes_effect_after_the_response_time(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config config = *sim_port_get(f->sim, 1);
    const int64_t response_ps = 7 * QUANTUM_PS + 1;
    int64_t start;

    sim_set_pause_response(f->sim, response_ps);
    arrive_pause(f, 1, 0x08, 1000);
    start = sim_now_ps(f->sim);
    assert_int_equal(pauses(f, 1).received[3], 1);
    sim_run_until(f->sim, start + response_ps - 1);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    /* Two frames that are back to back: the second starts too late. */
    send(f, (struct sim_frame){.dscp = 3, .length_bytes = 9000}, 2);
    sim_run_until(f->sim, start + response_ps);
    assert_true(sim_queue_is_paused(f->sim, 1, 3));
    sim_run_until(f->sim, start + response_ps + 1000 * QUANTUM_PS - 1);
    assert_true(sim_queue_is_paused(f->sim, 1, 3));
    sim_run_until(f->sim, start + response_ps + 1000 * QUANTUM_PS);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(pauses(f, 1).rx[3].quanta, 1000);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 2);
    /* Two that follow each other within the response time, in order. */
    arrive_pause(f, 1, 0x08, 1000);
    arrive_pause(f, 1, 0x08, 0);
    sim_run_until(f->sim, sim_now_ps(f->sim) + response_ps - 1);
    assert_true(sim_queue_is_paused(f->sim, 1, 3));
    sim_run_until(f->sim, sim_now_ps(f->sim) + 1);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(pauses(f, 1).received[3], 3);
    /* A link that goes down forgets it. */
    arrive_pause(f, 1, 0x08, 1000);
    config.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    config.admin_up = true;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 2 * response_ps);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
}

/* A response that has become shorter overtakes no frame. */
static void
test_pauses_keep_their_order(void **state)
{
    struct fixture *f = *state;

    sim_set_pause_response(f->sim, 9 * QUANTUM_PS);
    arrive_pause(f, 1, 0x08, 1000);
    sim_set_pause_response(f->sim, 0);
    arrive_pause(f, 1, 0x08, 0);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 10 * QUANTUM_PS);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(pauses(f, 1).received[3], 2);
    assert_int_equal(pauses(f, 1).rx[3].total_ps, 0);
}

static void
test_speed_and_link_change_a_pause(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config config = *sim_port_get(f->sim, 1);
    int64_t start;

    arrive_pause(f, 1, 0x08, 1000);
    start = sim_now_ps(f->sim);
    sim_run_until(f->sim, start + 500 * QUANTUM_PS);
    config.speed_mbps = 50000;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    sim_run_until(f->sim, start + 1500 * QUANTUM_PS - 1);
    assert_true(sim_queue_is_paused(f->sim, 1, 3));
    sim_run_until(f->sim, start + 1500 * QUANTUM_PS);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(pauses(f, 1).rx[3].quanta, 1000);
    arrive_pause(f, 1, 0x08, 1000);
    config.admin_up = false;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    assert_false(sim_queue_is_paused(f->sim, 1, 3));
    assert_int_equal(pauses(f, 1).ended[3], 2);
}

/* Fills PG 5 of port 0, for which two priorities stand, beyond its threshold.
 */
static void
test_map_decides_which_priorities_a_group_asserts(void **state)
{
    struct fixture *f = *state;
    struct mmu *mmu = sim_mmu(f->sim);
    struct classify_map to_pg;
    struct mmu_profile_config lossless = {
        .is_static = true, .static_bytes = 10 * CELL, .xoff_bytes = 100 * CELL};
    uint32_t profile;
    struct sim_port_stats stats;

    memset(&to_pg, CLASSIFY_UNLISTED, sizeof to_pg);
    to_pg.entries[1] = 5;
    to_pg.entries[2] = 5;
    sim_port_rules(f->sim, 0)->pfc_to_pg = &to_pg;
    assert_int_equal(
        mmu_pool_create(mmu,
                        &(struct mmu_pool_config){.direction = MMU_INGRESS,
                                                  .size_bytes = 1000 * CELL},
                        &lossless.pool, NULL),
        ST_OK);
    assert_int_equal(mmu_profile_create(mmu, &lossless, &profile, NULL), ST_OK);
    assert_int_equal(mmu_pg_attach(mmu, mmu_pg_id(mmu, 0, 5), profile, NULL),
                     ST_OK);
    block(f, 1, true);
    send(f, (struct sim_frame){.dscp = 5}, 50);
    sim_settle(f->sim);
    assert_int_equal(sim_port_get_stats(f->sim, 0, &stats), ST_OK);
    assert_int_equal(stats.pfc_tx[1], 1);
    assert_int_equal(stats.pfc_tx[2], 1);
    assert_int_equal(stats.pfc_tx[5], 0);
    assert_true(pauses(f, 0).tx[1].is_on);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 1000 * QUANTUM_PS);
    assert_true(pauses(f, 0).tx[1].quanta >= 1000);
    block(f, 1, false);
    sim_settle(f->sim);
    assert_false(pauses(f, 0).tx[1].is_on);
    assert_true(pauses(f, 0).tx[1].total_ps == pauses(f, 0).tx[2].total_ps);
    assert_int_equal(pauses(f, 0).tx[5].total_ps, 0);
}

/* Anything ------------------------------------------------------------ */

static uint64_t
random_below(uint64_t *random, uint64_t n)
{
    *random = *random * 6364136223846793005u + 1442695040888963407u;
    return (*random >> 33) % n;
}

/* Changes one thing of port 1: a scheduler, a pause, WRED, or the port. */
static void
disturb(struct fixture *f, uint64_t *random)
{
    static const uint64_t rates[] = {0, 1, 1000000000, 8000000000};
    struct sim_port_config config = *sim_port_get(f->sim, 1);
    const uint32_t queue = (uint32_t)random_below(random, 8);
    const struct scheduler_config scheduling = {
        .type = (enum scheduler_type)random_below(random, 3),
        .weight = (uint8_t)(1 + random_below(random, 255)),
        .min_rate = rates[random_below(random, 4)],
        .max_rate = rates[random_below(random, 4)],
    };

    switch (random_below(random, 4)) {
    case 0:
        assert_int_equal(scheduler_set(sim_port_scheduler(f->sim, 1), queue,
                                       &scheduling, sim_now_ps(f->sim)),
                         ST_OK);
        sim_port_wake(f->sim, 1);
        break;
    case 1:
        arrive_pause(f, 1, (uint8_t)random_below(random, 256),
                     (uint16_t)(random_below(random, 3) * 500));
        break;
    case 2:
        assert_int_equal(
            sim_queue_set_wred(f->sim, 1, queue,
                               random_below(random, 2) ? &step : NULL),
            ST_OK);
        break;
    default:
        config.tx_enabled = random_below(random, 4) != 0;
        config.speed_mbps = random_below(random, 2) ? 100000 : 25000;
        config.pfc_rx_enabled = (uint8_t)random_below(random, 256);
        config.pause_rx_enabled = random_below(random, 2) != 0;
        assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
        break;
    }
}

/* Whatever changes, no frame is lost but those that are counted as dropped, and
 * none of a queue overtakes another. */
static void
test_frames_are_conserved_and_stay_in_order(void **state)
{
    struct fixture *f = *state;
    struct sim_port_config config = *sim_port_get(f->sim, 1);
    uint64_t last[8] = {0};
    uint64_t random = 20260101;
    uint64_t n_sent = 0;
    struct sim_port_stats in;
    struct sim_port_stats out;

    for (int i = 0; i < 1500; i++) {
        const uint64_t n = random_below(&random, 4);

        disturb(f, &random);
        send(f,
             (struct sim_frame){.dscp = (int8_t)random_below(&random, 8),
                                .ecn = random_below(&random, 2) & 1u},
             n);
        n_sent += n;
    }
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
    arrive_pause(f, 1, 0xff, 0);
    for (uint32_t q = 0; q < 8; q++) {
        assert_int_equal(scheduler_set(sim_port_scheduler(f->sim, 1), q,
                                       &SCHEDULER_DEFAULT, sim_now_ps(f->sim)),
                         ST_OK);
    }
    sim_port_wake(f->sim, 1);
    sim_settle(f->sim);
    assert_int_equal(mmu_used_cells(sim_mmu(f->sim)), 0);
    assert_int_equal(sim_port_get_stats(f->sim, 0, &in), ST_OK);
    assert_int_equal(sim_port_get_stats(f->sim, 1, &out), ST_OK);
    assert_int_equal(f->n_sent + in.rx_dropped + out.tx_dropped, n_sent);
    assert_true(out.tx_dropped > 0);
    for (size_t i = 0; i < f->n_sent; i++) {
        uint64_t *before = &last[f->sent[i].queue_index];

        assert_true(f->sent[i].id > *before);
        *before = f->sent[i].id;
    }
}

int
main(void)
{
#define T(test)  cmocka_unit_test_setup_teardown(test, setup, teardown)
#define TE(test) cmocka_unit_test_setup_teardown(test, setup_enqueue, teardown)
    const struct CMUnitTest tests[] = {
        T(test_late_marks_are_those_that_leave_many_behind),
        TE(test_early_marks_are_those_that_find_many),
        T(test_drops_are_those_that_find_many),
        TE(test_drops_are_those_that_find_many),
        TE(test_copies_are_not_dropped_by_wred),
        T(test_delay_is_the_longest_wait),
        T(test_a_new_port_has_a_clean_slate),
        T(test_headers_are_judged_and_rewritten),
        T(test_settling_waits_for_rates_but_not_for_blocks),
        T(test_control_frames_that_are_no_pause_do_nothing),
        T(test_frame_on_the_wire_finishes_when_paused),
        T(test_pause_takes_effect_after_the_response_time),
        T(test_pauses_keep_their_order),
        T(test_speed_and_link_change_a_pause),
        T(test_map_decides_which_priorities_a_group_asserts),
        T(test_frames_are_conserved_and_stay_in_order),
        TE(test_frames_are_conserved_and_stay_in_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
