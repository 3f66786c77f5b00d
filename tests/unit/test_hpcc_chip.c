/* SPDX-License-Identifier: Apache-2.0 */

/* The switch of the public simulation, chips/hpcc-fork.yaml: where PFC fires,
 * by the buffer alone. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "twin/chip/yaml/chip_file.h"

enum {
    PORTS = 65, /* 64 senders and one receiver. */
    RECEIVER = 64,
    PRIORITY = 3,
    FRAME_BYTES = 1048,
    RESERVE = 4096,
    XON_OFFSET = 3072,
    HEADROOM = 3 * 12500, /* Three times what 1 us at 100 Gb/s carries. */
};

struct fixture {
    struct chip *chip;
    struct mmu *mmu;
    uint32_t n_paused;
    bool paused[PORTS];
};

static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    struct fixture *f = context;

    f->paused[pg / mmu_chip(f->mmu)->pgs_per_port] = xoff;
    f->n_paused += xoff ? 1u : -1u;
}

static int
setup(void **state)
{
    static struct fixture fixture;
    struct fixture *f = &fixture;
    const struct mmu_options options = {.flow = on_flow, .context = f};
    struct mmu_profile_config in = {.reserved_bytes = RESERVE + HEADROOM,
                                    .dynamic_th = -3,
                                    .xoff_bytes = HEADROOM,
                                    .xon_bytes = RESERVE,
                                    .xon_offset_bytes = XON_OFFSET};
    struct mmu_profile_config out = {.dynamic_th = 7};
    uint32_t profiles[2];

    *f = (struct fixture){0};
    assert_int_equal(
        chip_file_load(TOP_SRCDIR "/chips", "hpcc-fork", &f->chip, NULL),
        ST_OK);
    f->mmu = mmu_setup_begin(f->chip, &options, PORTS, 1);
    in.pool = mmu_setup_pool(f->mmu, MMU_INGRESS, f->chip->memory_bytes, 0);
    out.pool = mmu_setup_pool(f->mmu, MMU_EGRESS, f->chip->memory_bytes, 0);
    profiles[0] = mmu_setup_profile(f->mmu, &in);
    profiles[1] = mmu_setup_profile(f->mmu, &out);
    for (uint32_t i = 0; i < PORTS; i++) {
        mmu_setup_attach_pg(f->mmu, i, PRIORITY, profiles[0]);
        mmu_setup_attach_queue(f->mmu, i, PRIORITY, profiles[1]);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_end(f->mmu);
    chip_file_destroy(f->chip);
    return 0;
}

/* Lets a frame of 'port' arrive for the receiver. */
static enum mmu_drop
arrive(struct fixture *f, uint32_t port)
{
    return mmu_admit(f->mmu, mmu_pg_id(f->mmu, port, PRIORITY),
                     mmu_queue_id(f->mmu, RECEIVER, PRIORITY), FRAME_BYTES, 0);
}

static bool
leave(struct fixture *f)
{
    struct mmu_departure departure;

    return mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, RECEIVER, PRIORITY),
                       &departure);
}

/* S: what is left of the memory when every port has its reserve and its
 * headroom. */
static uint64_t
shared_size(const struct fixture *f)
{
    return f->chip->memory_bytes - (uint64_t)PORTS * (RESERVE + HEADROOM);
}

/* Returns n alpha S / (1 + n alpha), with alpha 1/8: the shared bytes at which
 * PFC fires if 'n' PGs hold as much.  Exact but for a frame of each. */
static uint64_t
first_pfc_depth(const struct fixture *f, uint64_t n)
{
    return n * shared_size(f) / (8 + n);
}

/* Senders take turns and nothing leaves.  PFC fires at the frame with which a
 * PG holds, above its reserve, an eighth of what is free. */
static void
test_first_pfc_is_at_the_threshold(void **state)
{
    struct fixture *f = *state;

    for (uint32_t n = 1; n <= 48; n += n < 4 ? 1 : 11) {
        uint64_t held[PORTS] = {0};
        uint64_t used = 0;
        uint64_t level = 0;
        uint32_t port = n - 1;
        uint64_t depth;

        while (f->n_paused == 0) {
            port = (port + 1) % n;
            assert_int_equal(arrive(f, port), MMU_ADMITTED);
            level = held[port] > RESERVE ? held[port] - RESERVE : 0;
            used -= level;
            held[port] += FRAME_BYTES;
            level = held[port] > RESERVE ? held[port] - RESERVE : 0;
            used += level;
            assert_int_equal(f->n_paused, level >= (shared_size(f) - used) / 8);
        }
        assert_true(f->paused[port]);
        depth = first_pfc_depth(f, n);
        assert_in_range(used, depth - n * FRAME_BYTES,
                        depth + n * (uint64_t)FRAME_BYTES);
        while (leave(f)) {
        }
        assert_int_equal(f->n_paused, 0);
    }
}

/* XON is an offset below the threshold of that moment, not of the moment of
 * XOFF: with what others have left it is sooner. */
static void
test_xon_moves_with_the_threshold(void **state)
{
    struct fixture *f = *state;
    struct mmu_pg_stats stats;
    uint32_t port = 0;

    while (!f->paused[0]) {
        assert_int_equal(arrive(f, port), MMU_ADMITTED);
        port = (port + 1) % 8;
    }
    while (f->paused[0]) {
        assert_true(leave(f));
        mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, PRIORITY), &stats);
        if (f->paused[0]) {
            /* Judged when a frame of this port left, so others may have left
             * since: at most one each. */
            assert_true(stats.headroom > 0 ||
                        stats.shared + XON_OFFSET + 2 * FRAME_BYTES >
                            stats.limit);
        }
    }
    assert_true(stats.shared + XON_OFFSET <= stats.limit);
}

/* 48 senders at the speed of the receiver's port: when a frame of each has
 * arrived, one has left. */
static void
test_depth_of_48_to_1(void **state)
{
    struct fixture *f = *state;
    const uint64_t depth = first_pfc_depth(f, 48);
    uint64_t held = 0;

    while (f->n_paused == 0) {
        for (uint32_t port = 0; port < 48; port++) {
            assert_int_equal(arrive(f, port), MMU_ADMITTED);
        }
        assert_true(leave(f));
        held += 47 * (uint64_t)FRAME_BYTES;
    }
    assert_int_equal(mmu_used_cells(f->mmu), held);
    held -= 48 * (uint64_t)RESERVE;
    assert_in_range(held, depth - 48 * FRAME_BYTES, depth + 48 * FRAME_BYTES);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_first_pfc_is_at_the_threshold,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_xon_moves_with_the_threshold,
                                        setup, teardown),
        cmocka_unit_test_setup_teardown(test_depth_of_48_to_1, setup, teardown),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
