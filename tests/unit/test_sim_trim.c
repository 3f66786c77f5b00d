/* SPDX-License-Identifier: Apache-2.0 */

/* Trimming in the twin: which frames are cut, what is left of them, and what a
 * port that is removed takes with it.  test_trimming.c has the rest, through
 * SAI. */

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
    N_PORTS = 2, /* A flood from port 0 is one copy, for port 1. */
    FULL_CELLS = 2,
    TRIM = 6,
    DSCP = 48,
    SIZE = 100,
    MAX_LEFT = 8,
    IP = 14, /* Where its header begins. */
    MIN_BYTES = 60,
    MAX_BYTES = 65535,
};

struct fixture {
    struct chip chip;
    struct sim *sim;
    uint32_t profile; /* Of FULL_CELLS. */
    uint32_t n_left;
    struct sim_frame left[MAX_LEFT + 1]; /* Without payload. */
    uint32_t payload_bytes[MAX_LEFT];    /* Of it. */
    uint32_t ip_bytes[MAX_LEFT];         /* By its IP header. */
};

static const struct sim_port_config port_40g = {
    .speed_mbps = 40000, .admin_up = true, .tx_enabled = true};

static const struct sim_trim_config config = {
    .size_bytes = SIZE, .dscp = DSCP, .queue = TRIM};

static void
on_sent(void *context, uint32_t port, const struct sim_frame *frame,
        int64_t now_ps)
{
    struct fixture *f = context;
    const struct sim_payload *payload = frame->payload;

    (void)now_ps;
    assert_int_equal(port, 1);
    assert_true(f->n_left < MAX_LEFT);
    f->payload_bytes[f->n_left] = payload ? payload->length : 0;
    f->ip_bytes[f->n_left] = payload ? payload->packet.ip_bytes : 0;
    f->left[f->n_left] = *frame;
    f->left[f->n_left++].payload = NULL;
}

static void
block(struct fixture *f, bool blocked)
{
    struct sim_port_config port = port_40g;

    port.tx_enabled = !blocked;
    assert_int_equal(sim_port_set(f->sim, 1, &port), ST_OK);
}

/* Queue 0 of port 1, which is blocked, holds FULL_CELLS and trims. */
static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);
    struct mmu *mmu;
    uint32_t pool;

    chip_init(&f->chip);
    f->chip.ports = N_PORTS;
    f->chip.cell_bytes = CELL;
    f->sim = sim_create(&f->chip);
    sim_set_listener(f->sim,
                     &(struct sim_listener){.sent = on_sent, .context = f});
    sim_setup_ports(f->sim, N_PORTS, &port_40g);
    mmu = sim_mmu(f->sim);
    pool = mmu_setup_pool(mmu, MMU_EGRESS, 1000 * CELL, 0);
    f->profile = mmu_setup_profile(
        mmu, &(struct mmu_profile_config){.pool = pool,
                                          .is_static = true,
                                          .static_bytes = FULL_CELLS * CELL});
    mmu_setup_attach_queue(mmu, 1, 0, f->profile);
    assert_int_equal(sim_set_trimming(f->sim, &config), ST_OK);
    assert_int_equal(sim_queue_set_trim(f->sim, 1, 0, true), ST_OK);
    block(f, true);
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_verify(sim_mmu(f->sim));
    sim_destroy(f->sim);
    test_free(f);
    return 0;
}

static struct sim_frame
frame_of(uint32_t bytes)
{
    return (struct sim_frame){.dst_mac = SIM_SETUP_MAC(1),
                              .src_mac = SIM_SETUP_MAC(100),
                              .length_bytes = bytes};
}

static void
put(struct fixture *f, const struct sim_frame *frame)
{
    assert_int_equal(sim_receive(f->sim, 0, frame), ST_OK);
}

/* Fills queue 0 of port 1. */
static void
fill(struct fixture *f)
{
    const struct sim_frame frame = frame_of(CELL);

    for (int i = 0; i < FULL_CELLS; i++) {
        put(f, &frame);
    }
}

/* Lets everything leave.  Returns which of what has left was trimmed. */
static uint32_t
drain(struct fixture *f)
{
    uint32_t found = MAX_LEFT;

    f->n_left = 0;
    block(f, false);
    sim_settle(f->sim);
    block(f, true);
    for (uint32_t i = 0; i < f->n_left; i++) {
        found = f->left[i].queue_index ? i : found;
    }
    return found;
}

static struct sim_trim_stats
trims(struct fixture *f)
{
    struct sim_trim_stats stats;

    assert_int_equal(sim_queue_get_trims(f->sim, 1, 0, &stats), ST_OK);
    return stats;
}

static void
test_only_longer_frames_are_cut(void **state)
{
    struct fixture *f = *state;

    for (uint32_t bytes = SIZE - 1; bytes <= SIZE + 1; bytes++) {
        const struct sim_frame frame = frame_of(bytes);
        const struct sim_frame *left;

        fill(f);
        put(f, &frame);
        left = &f->left[drain(f)];
        assert_int_equal(f->n_left, FULL_CELLS + 1);
        assert_int_equal(left->queue_index, TRIM);
        assert_int_equal(left->dscp, DSCP);
        assert_int_equal(left->length_bytes, bytes < SIZE ? bytes : SIZE);
        assert_int_equal(left->transport_flags & SIM_CUT,
                         bytes > SIZE ? SIM_CUT : 0);
    }
    assert_int_equal(trims(f).trimmed, 3);
}

static void
test_only_ip_unicast_is_trimmed(void **state)
{
    struct fixture *f = *state;
    struct sim_frame group = frame_of(CELL), other = frame_of(CELL);

    group.dst_mac = UINT64_C(0x01005e000001);
    other.dscp = -1;
    fill(f);
    put(f, &group);
    put(f, &other);
    assert_int_equal(trims(f).trimmed, 0);
    (void)drain(f);
    assert_int_equal(f->n_left, FULL_CELLS);
}

/* Bytes that a frame shares with others stay as they are, and so do the
 * references of who lent them. */
static void
test_bytes_are_cut(void **state)
{
    enum { BYTES = 200 };
    struct fixture *f = *state;
    uint8_t bytes[BYTES] = {0x02, 0,          0, 0,   0,    1,    0x02, 0,
                            0,    0,          0, 100, 0x08, 0x00, 0x45, 0,
                            0,    BYTES - IP, 0, 0,   0,    0,    64,   17};

    for (int borrows = 0; borrows <= 1; borrows++) {
        struct sim_payload *payload = sim_payload_create(BYTES, bytes);
        struct sim_frame frame = frame_of(BYTES);
        uint32_t i;

        payload->references = 2; /* One for who looks at it at the end. */
        frame.payload = payload;
        frame.borrows = borrows != 0;
        fill(f);
        put(f, &frame);
        i = drain(f);
        assert_int_equal(f->n_left, FULL_CELLS + 1);
        assert_int_equal(f->left[i].length_bytes, SIZE);
        assert_false(f->left[i].borrows);
        assert_int_equal(f->payload_bytes[i], SIZE);
        assert_int_equal(f->ip_bytes[i], SIZE - IP);
        assert_int_equal(payload->references, 2);
        assert_int_equal(payload->length, BYTES);
        assert_memory_equal(payload->bytes, bytes, BYTES);
        sim_payload_unref(payload);
        sim_payload_unref(payload);
    }
}

static void
test_queue_of_the_new_dscp(void **state)
{
    struct fixture *f = *state;
    const struct sim_frame frame = frame_of(CELL);
    struct sim_trim_config other = config;

    other.dscp = 5;
    other.queue_from_dscp = true;
    assert_int_equal(sim_set_trimming(f->sim, &other), ST_OK);
    fill(f);
    put(f, &frame);
    assert_int_equal(f->left[drain(f)].queue_index, 5);
}

static void
test_removed_port_forgets(void **state)
{
    struct fixture *f = *state;
    const struct sim_frame frame = frame_of(CELL);

    fill(f);
    put(f, &frame);
    assert_int_equal(trims(f).trimmed, 1);
    assert_int_equal(sim_port_remove(f->sim, 1), ST_OK);
    assert_int_equal(sim_port_add(f->sim, 1, 1, &port_40g), ST_OK);
    assert_int_equal(sim_fdb_set(f->sim, SIM_SETUP_MAC(1), 1), ST_OK);
    assert_int_equal(trims(f).trimmed, 0);
    assert_int_equal(sim_trims(f->sim).trimmed, 1);
    assert_int_equal(sim_trims(f->sim).dropped, 1);
    mmu_setup_attach_queue(sim_mmu(f->sim), 1, 0, f->profile);
    block(f, true);
    fill(f);
    put(f, &frame);
    assert_int_equal(trims(f).trimmed, 0);
}

static void
test_settings_are_checked(void **state)
{
    struct fixture *f = *state;
    const struct sim_trim_config wrong[] = {
        {.size_bytes = MIN_BYTES - 1},
        {.size_bytes = MAX_BYTES + 1},
        {.size_bytes = SIZE, .dscp = 64},
        {.size_bytes = SIZE, .queue = (uint8_t)f->chip.queues_per_port},
    };
    const struct sim_trim_config least = {.size_bytes = MIN_BYTES};
    const struct sim_trim_config most = {
        .size_bytes = MAX_BYTES,
        .dscp = 63,
        .queue = (uint8_t)(f->chip.queues_per_port - 1)};
    struct sim_trim_stats stats;

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(sim_set_trimming(f->sim, &wrong[i]), ST_INVALID);
    }
    assert_int_equal(sim_set_trimming(f->sim, &least), ST_OK);
    assert_int_equal(sim_set_trimming(f->sim, &most), ST_OK);
    assert_int_equal(sim_queue_set_trim(f->sim, N_PORTS, 0, true),
                     ST_NOT_FOUND);
    assert_int_equal(
        sim_queue_set_trim(f->sim, 1, f->chip.queues_per_port, true),
        ST_NOT_FOUND);
    assert_int_equal(
        sim_queue_get_trims(f->sim, 1, f->chip.queues_per_port, &stats),
        ST_NOT_FOUND);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_only_longer_frames_are_cut),
        TEST(test_only_ip_unicast_is_trimmed),
        TEST(test_bytes_are_cut),
        TEST(test_queue_of_the_new_dscp),
        TEST(test_removed_port_forgets),
        TEST(test_settings_are_checked),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
