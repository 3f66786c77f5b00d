/* SPDX-License-Identifier: Apache-2.0 */

/* Frames that may not leave: what a blocked port takes out of the buffer, and
 * how long a frame may stay in it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "tests/support/sim_setup.h"
#include "twin/switch/sim.h"

enum {
    CELL = 256,
    MAX_EVENTS = 1024,
    LEAK_40G = 19,
    LEAK_100G = 36,
};

#define MAC(port) SIM_SETUP_MAC(port)
#define N(array)  (sizeof(array) / sizeof(array)[0])
#define US        INT64_C(1000000)

/* A frame of one cell at 40G: 24 bytes more on the wire, 200 ps each. */
#define FRAME_PS INT64_C(56000)

static const struct chip_speed_value speeds[] = {{40000, LEAK_40G},
                                                 {100000, LEAK_100G}};

struct fixture {
    struct chip chip;
    struct sim *sim;
    struct mmu *mmu;

    /* What the listener heard. */
    struct {
        uint64_t id;
        uint32_t queue;
        int64_t now_ps;
    } sent[MAX_EVENTS], dropped[MAX_EVENTS];
    size_t n_sent;
    size_t n_dropped;
    uint32_t drop_port;
    enum mmu_drop why;
};

static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct fixture *f = context;

    (void)port;
    assert_true(f->n_sent < MAX_EVENTS);
    f->sent[f->n_sent].id = frame->id;
    f->sent[f->n_sent].queue = frame->queue_index;
    f->sent[f->n_sent++].now_ps = now_ps;
}

static void
on_drop(void *context, uint32_t port, enum mmu_drop why,
        const struct sim_frame *frame, int64_t now_ps)
{
    struct fixture *f = context;

    assert_true(f->n_dropped < MAX_EVENTS);
    f->dropped[f->n_dropped].id = frame->id;
    f->dropped[f->n_dropped++].now_ps = now_ps;
    f->drop_port = port;
    f->why = why;
}

static const struct sim_port_config port_40g = {.speed_mbps = 40000,
                                                .admin_up = true,
                                                .tx_enabled = true,
                                                .pfc_rx_enabled = 0xff,
                                                .pause_rx_enabled = true};

/* Makes three ports of 40G whose queue n is for DSCP n. */
static void
start(struct fixture *f)
{
    f->sim = sim_create(&f->chip);
    f->mmu = sim_mmu(f->sim);
    sim_set_listener(
        f->sim,
        &(struct sim_listener){.sent = on_sent, .drop = on_drop, .context = f});
    sim_setup_ports(f->sim, 3, &port_40g);
}

static struct fixture *
prepare(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.memory_bytes = 4096 * CELL;
    f->chip.ports = 4;
    *state = f;
    return f;
}

static int
setup_leaking(void **state)
{
    struct fixture *f = prepare(state);

    f->chip.leak_out = (struct chip_by_speed){.items = speeds, .n = N(speeds)};
    f->chip.leaks = true;
    start(f);
    return 0;
}

/* The chip knows the number, but the FIFO is not configured. */
static int
setup_compensated(void **state)
{
    struct fixture *f = prepare(state);

    f->chip.leak_out = (struct chip_by_speed){.items = speeds, .n = N(speeds)};
    start(f);
    return 0;
}

static int
setup_aging(void **state)
{
    struct fixture *f = prepare(state);

    f->chip.packet_age_us = 50;
    start(f);
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

/* Configures port 1. */
static void
set_port(struct fixture *f, bool tx_enabled, bool admin_up, uint32_t speed_mbps)
{
    struct sim_port_config config = *sim_port_get(f->sim, 1);

    config.tx_enabled = tx_enabled;
    config.admin_up = admin_up;
    config.speed_mbps = speed_mbps;
    assert_int_equal(sim_port_set(f->sim, 1, &config), ST_OK);
}

static void
block(struct fixture *f, bool blocked)
{
    set_port(f, !blocked, true, sim_port_get(f->sim, 1)->speed_mbps);
}

/* Sends 'n' frames of one cell from port 'from' to port 1. */
static void
send_from(struct fixture *f, uint32_t from, int8_t dscp, uint64_t n)
{
    const struct sim_frame frame = {.dst_mac = MAC(1),
                                    .src_mac = MAC(100),
                                    .length_bytes = CELL,
                                    .dscp = dscp};

    assert_int_equal(sim_send(f->sim, from, &frame, n, 0, NULL), ST_OK);
}

static void
send(struct fixture *f, int8_t dscp, uint64_t n)
{
    send_from(f, 0, dscp, n);
}

/* Lets a pause arrive at port 1: of 'priorities', or for 0 of 802.3x. */
static void
pause(struct fixture *f, uint8_t priorities, uint16_t quanta)
{
    sim_setup_pause(f->sim, 1, priorities ? PAUSE_FRAME_PFC : PAUSE_FRAME_ALL,
                    priorities, quanta);
}

static struct sim_port_stats
port_stats(struct fixture *f)
{
    struct sim_port_stats stats;

    assert_int_equal(sim_port_get_stats(f->sim, 1, &stats), ST_OK);
    return stats;
}

static struct mmu_queue_stats
queue_stats(struct fixture *f, uint32_t index)
{
    struct mmu_queue_stats stats;

    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, 1, index), &stats);
    return stats;
}

/* Leak-out ------------------------------------------------------------- */

static void
test_blocked_port_takes_what_its_speed_says(void **state)
{
    static const struct {
        uint32_t speed_mbps;
        uint32_t leak;
    } rows[] = {{40000, LEAK_40G}, {100000, LEAK_100G}, {25000, 0}};
    struct fixture *f = *state;

    for (size_t i = 0; i < N(rows); i++) {
        const uint64_t before = port_stats(f).tx_ucast_packets;
        const uint64_t octets = port_stats(f).tx_octets;
        const uint64_t left = queue_stats(f, 3).packets;

        f->n_sent = 0;
        set_port(f, false, true, rows[i].speed_mbps);
        for (uint32_t n = 1; n <= rows[i].leak; n++) {
            send(f, 3, 1);
            assert_int_equal(mmu_used_cells(f->mmu), 0);
            assert_int_equal(port_stats(f).tx_ucast_packets - before, n);
            assert_int_equal(queue_stats(f, 3).packets - left, n);
        }
        send(f, 3, 10);
        assert_int_equal(mmu_used_cells(f->mmu), 10);
        assert_int_equal(port_stats(f).tx_ucast_packets - before, rows[i].leak);
        assert_int_equal(f->n_sent, 0);

        block(f, false);
        assert_int_equal(sim_settle(f->sim), rows[i].leak + 10);
        assert_int_equal(f->n_sent, rows[i].leak + 10);
        for (size_t k = 1; k < f->n_sent; k++) {
            assert_int_equal(f->sent[k].id, f->sent[k - 1].id + 1);
        }
        assert_int_equal(port_stats(f).tx_ucast_packets - before,
                         rows[i].leak + 10);
        assert_int_equal(port_stats(f).tx_octets - octets,
                         (rows[i].leak + 10) * CELL);
    }
}

static void
test_compensated_port_keeps_all_in_the_buffer(void **state)
{
    struct fixture *f = *state;

    block(f, true);
    send(f, 3, 25);
    assert_int_equal(mmu_used_cells(f->mmu), 25);
    assert_int_equal(port_stats(f).tx_ucast_packets, 0);
}

/* A backlog is there already, and the wire is busy, when the port is blocked:
 * the frame on the wire ends, and the FIFO takes what the scheduler chooses. */
static void
test_fifo_takes_a_backlog_in_the_order_of_the_scheduler(void **state)
{
    struct fixture *f = *state;

    set_port(f, false, true, 25000); /* Without a FIFO. */
    send(f, 1, 12);
    send(f, 5, 12);
    block(f, false);
    assert_int_equal(queue_stats(f, 1).packets + queue_stats(f, 5).packets, 1);
    set_port(f, false, true, 40000);
    assert_int_equal(mmu_used_cells(f->mmu), 24 - 1 - LEAK_40G);
    /* Queues without a configuration are served round-robin. */
    assert_int_equal(queue_stats(f, 1).packets, (1 + LEAK_40G) / 2);
    assert_int_equal(queue_stats(f, 5).packets, (1 + LEAK_40G) / 2);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(mmu_used_cells(f->mmu), 24 - 1 - LEAK_40G);
    block(f, false);
    sim_settle(f->sim);
    for (size_t i = 1; i < 24; i++) {
        assert_int_not_equal(f->sent[i].queue, f->sent[i - 1].queue);
    }
    assert_int_equal(f->n_sent, 24);
}

/* What leaves the FIFO is not followed by others until the port is blocked
 * again; then there is room for as many as have left. */
static void
test_fifo_is_filled_up_when_blocked_again(void **state)
{
    struct fixture *f = *state;

    block(f, true);
    send(f, 3, 2 * LEAK_40G);
    assert_int_equal(mmu_used_cells(f->mmu), LEAK_40G);
    block(f, false);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 4 * FRAME_PS);
    assert_int_equal(f->n_sent, 4);
    assert_int_equal(mmu_used_cells(f->mmu), LEAK_40G);
    block(f, true); /* While the fifth is on the wire. */
    assert_int_equal(mmu_used_cells(f->mmu), LEAK_40G - 5);
    assert_int_equal(sim_settle(f->sim), 1);
    assert_int_equal(mmu_used_cells(f->mmu), LEAK_40G - 5);
    block(f, false);
    assert_int_equal(sim_settle(f->sim), 2 * LEAK_40G - 5);
    assert_int_equal(f->sent[2 * LEAK_40G - 1].id, 2 * LEAK_40G);
}

/* A pause of everything stops the MAC; one of priorities stops the queues. */
static void
test_only_what_stops_the_mac_leaks(void **state)
{
    struct fixture *f = *state;

    pause(f, 1 << 3, 0xffff);
    send(f, 3, 5);
    assert_int_equal(mmu_used_cells(f->mmu), 5);
    pause(f, 0, 0xffff);
    send(f, 4, 7);
    /* The FIFO takes no frame of the paused priority either. */
    assert_int_equal(queue_stats(f, 4).packets, 7);
    assert_int_equal(queue_stats(f, 3).packets, 0);
    assert_int_equal(mmu_used_cells(f->mmu), 5);
    assert_int_equal(f->n_sent, 0);
    pause(f, 1 << 3, 0);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    pause(f, 0, 0);
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 12);
    assert_int_equal(f->sent[0].queue, 4);
    assert_int_equal(f->sent[11].queue, 3);
}

static void
test_port_that_goes_down_loses_its_fifo(void **state)
{
    struct fixture *f = *state;

    block(f, true);
    send(f, 3, LEAK_40G + 6);
    set_port(f, false, false, 40000);
    assert_int_equal(port_stats(f).tx_flushed, LEAK_40G + 6);
    set_port(f, true, true, 40000);
    assert_int_equal(sim_settle(f->sim), 0);
    assert_int_equal(f->n_sent, 0);
}

static void
test_slower_port_keeps_what_its_fifo_has(void **state)
{
    struct fixture *f = *state;

    set_port(f, false, true, 100000);
    send(f, 3, 30);
    set_port(f, false, true, 40000);
    send(f, 3, 10);
    assert_int_equal(mmu_used_cells(f->mmu), 10);
    block(f, false);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 12 * FRAME_PS);
    /* 13 have left the FIFO, or are about to: 17 are left, 2 more fit. */
    block(f, true);
    assert_int_equal(mmu_used_cells(f->mmu), 8);
    assert_int_equal(sim_port_remove(f->sim, 1), ST_OK);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    assert_int_equal(sim_port_add(f->sim, 1, 1, &port_40g), ST_OK);
    assert_int_equal(sim_settle(f->sim), 0);
    assert_int_equal(f->n_sent, 12);
}

/* Frames in the FIFO share their bytes; sanitizers tell whether all are freed
 * with the switch. */
static void
test_fifo_holds_and_frees_bytes(void **state)
{
    struct fixture *f = *state;
    uint8_t bytes[CELL] = {0x02, 0, 0, 0, 0, 1, 0x02, 0, 0, 0, 0, 100};
    struct sim_payload *payload = sim_payload_create(sizeof bytes, bytes);
    struct sim_frame frame = frame_of_payload(payload);

    block(f, true);
    assert_int_equal(sim_send(f->sim, 0, &frame, LEAK_40G, 0, NULL), ST_OK);
    sim_payload_unref(payload);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    block(f, false);
    sim_run_until(f->sim, sim_now_ps(f->sim) + 3 * FRAME_PS);
    assert_int_equal(f->n_sent, 3);
}

/* Age ------------------------------------------------------------------ */

/* Each frame is discarded at the very instant that its time is over. */
static void
test_frames_are_discarded_when_their_time_is_over(void **state)
{
    struct fixture *f = *state;

    block(f, true);
    send(f, 3, 3);
    send(f, 4, 2);
    assert_int_equal(sim_settle(f->sim), 0);
    sim_run_until(f->sim, FRAME_PS + 50 * US - 1);
    assert_int_equal(f->n_dropped, 0);
    sim_run_until(f->sim, 200 * US);
    assert_int_equal(f->n_dropped, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(f->dropped[i].id, i + 1);
        assert_int_equal(f->dropped[i].now_ps,
                         (int64_t)(i + 1) * FRAME_PS + 50 * US);
    }
    assert_int_equal(f->drop_port, 1);
    assert_int_equal(f->why, MMU_AGED);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
    assert_int_equal(mmu_port_drops(f->mmu, 1, MMU_AGED), 5);
    assert_int_equal(port_stats(f).tx_dropped, 5);
    assert_int_equal(port_stats(f).tx_ucast_packets, 0);
    assert_int_equal(queue_stats(f, 3).dropped_packets, 3);
    assert_int_equal(queue_stats(f, 4).dropped_packets, 2);
    assert_int_equal(queue_stats(f, 4).dropped_bytes, 2 * CELL);
    /* Nothing is left to be looked at. */
    assert_int_equal(sim_next_ps(f->sim), EVENT_NEVER);
}

static void
test_frames_that_leave_in_time_are_not_discarded(void **state)
{
    struct fixture *f = *state;

    /* Two senders for one port: the queue grows to 20 frames. */
    for (int i = 0; i < 20; i++) {
        send_from(f, 0, 3, 1);
        send_from(f, 2, 3, 1);
    }
    sim_settle(f->sim);
    assert_int_equal(f->n_sent, 40);
    sim_run_until(f->sim, 1000 * US);
    assert_int_equal(f->n_dropped, 0);
    assert_int_equal(port_stats(f).tx_ucast_packets, 40);
    assert_int_equal(sim_next_ps(f->sim), EVENT_NEVER);
}

/* Some have left when the time of the first is over; it goes by the head of
 * that moment, and a queue that filled later has its own time. */
static void
test_age_is_that_of_the_head(void **state)
{
    struct fixture *f = *state;
    int64_t second_ps;

    block(f, true);
    send(f, 3, 4);
    block(f, false);
    sim_run_until(f->sim, sim_now_ps(f->sim) + FRAME_PS);
    block(f, true); /* Two have left the buffer, one of them for the wire. */
    assert_int_equal(sim_settle(f->sim), 1);
    sim_run_until(f->sim, 30 * US);
    send(f, 0, 1);
    second_ps = sim_now_ps(f->sim);
    sim_run_until(f->sim, 1000 * US);
    assert_int_equal(f->n_dropped, 3);
    assert_int_equal(f->dropped[0].now_ps, 3 * FRAME_PS + 50 * US);
    assert_int_equal(f->dropped[1].now_ps, 4 * FRAME_PS + 50 * US);
    assert_int_equal(f->dropped[2].now_ps, second_ps + 50 * US);
    assert_int_equal(f->dropped[2].id, 5);
}

/* What is watched ends with the port, and with the switch. */
static void
test_port_that_is_removed_ages_nothing(void **state)
{
    struct fixture *f = *state;

    block(f, true);
    send(f, 3, 3);
    assert_int_not_equal(sim_next_ps(f->sim), EVENT_NEVER);
    assert_int_equal(sim_port_remove(f->sim, 1), ST_OK);
    assert_int_equal(sim_next_ps(f->sim), EVENT_NEVER);
    assert_int_equal(sim_port_add(f->sim, 1, 1, &port_40g), ST_OK);
    block(f, true);
    send(f, 3, 1);
    sim_run_until(f->sim, 1000 * US);
    assert_int_equal(f->n_dropped, 1);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
#define LEAKING(test)                                                          \
    cmocka_unit_test_setup_teardown(test, setup_leaking, teardown)
#define AGING(test) cmocka_unit_test_setup_teardown(test, setup_aging, teardown)
        LEAKING(test_blocked_port_takes_what_its_speed_says),
        cmocka_unit_test_setup_teardown(
            test_compensated_port_keeps_all_in_the_buffer, setup_compensated,
            teardown),
        LEAKING(test_fifo_takes_a_backlog_in_the_order_of_the_scheduler),
        LEAKING(test_fifo_is_filled_up_when_blocked_again),
        LEAKING(test_only_what_stops_the_mac_leaks),
        LEAKING(test_port_that_goes_down_loses_its_fifo),
        LEAKING(test_slower_port_keeps_what_its_fifo_has),
        LEAKING(test_fifo_holds_and_frees_bytes),
        AGING(test_frames_are_discarded_when_their_time_is_over),
        AGING(test_frames_that_leave_in_time_are_not_discarded),
        AGING(test_age_is_that_of_the_head),
        AGING(test_port_that_is_removed_ages_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
