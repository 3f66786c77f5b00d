/* SPDX-License-Identifier: Apache-2.0 */

/* What the buffer refuses, temporarily or permanently, because of its state:
 * cells that have not drained, users, reserved memory.  The chip is so small
 * that these limits are near: one PG and one queue per port. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "twin/mmu/mmu.h"

enum {
    PORTS = 2,
    CELL = 200,
    MEMORY = 1000, /* Cells. */
    /* The chip tells its memory in kB: 1,024 bytes more may be promised. */
    SLACK = 5,
    POOLS = 16,
};

struct fixture {
    struct chip chip;
    struct mmu *mmu;
    uint32_t pools[POOLS];
    uint32_t profiles[POOLS]; /* Of the pool of that number. */
};

static uint32_t
make_pool(struct fixture *f, uint64_t xoff_cells)
{
    return mmu_setup_pool(f->mmu, MMU_INGRESS, 100 * CELL, xoff_cells * CELL);
}

static uint32_t
make_profile(struct fixture *f, uint32_t pool, uint64_t reserved_bytes)
{
    const struct mmu_profile_config config = {.pool = pool,
                                              .reserved_bytes = reserved_bytes,
                                              .is_static = true,
                                              .static_bytes = 50 * CELL};

    return mmu_setup_profile(f->mmu, &config);
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.ports = PORTS;
    f->chip.pgs_per_port = 1;
    f->chip.queues_per_port = 1;
    f->chip.cell_bytes = CELL;
    f->chip.memory_bytes = MEMORY * CELL;
    f->mmu = mmu_setup_begin(&f->chip, NULL, PORTS, 1);
    for (uint32_t i = 0; i < POOLS; i++) {
        f->pools[i] = make_pool(f, 0);
        f->profiles[i] = make_profile(f, f->pools[i], 0);
    }
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_end(f->mmu);
    test_free(f);
    return 0;
}

/* Sends a packet from 'port' to the last one, where it waits. */
static void
park(struct fixture *f, uint32_t port)
{
    uint32_t packet;

    assert_int_equal(mmu_enqueue(f->mmu, mmu_pg_id(f->mmu, port, 0),
                                 mmu_queue_id(f->mmu, PORTS - 1, 0), 64,
                                 &packet),
                     MMU_ADMITTED);
}

/* Lets the oldest packet leave. */
static void
leave(struct fixture *f)
{
    struct mmu_departure departure;

    assert_true(
        mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, PORTS - 1, 0), &departure));
}

/* Moves PG 0 on from pool to pool and leaves a cell behind in each.  Returns
 * the pool that it may not go to before something has drained. */
static uint32_t
move_until_busy(struct fixture *f, struct err *err)
{
    const uint32_t pg = mmu_pg_id(f->mmu, 0, 0);

    for (uint32_t i = 0; i < POOLS; i++) {
        const enum st status = mmu_pg_attach(f->mmu, pg, f->profiles[i], err);

        if (status != ST_OK) {
            assert_int_equal(status, ST_BUSY);
            assert_int_equal(mmu_pg_profile(f->mmu, pg), f->profiles[i - 1]);
            return i;
        }
        park(f, 0);
    }
    fail_msg("%d pools are not too many", POOLS);
    return 0;
}

static void
test_cells_have_to_drain_before_a_pg_moves_on(void **state)
{
    struct fixture *f = *state;
    const uint32_t pg = mmu_pg_id(f->mmu, 0, 0);
    struct err err = {0};
    const uint32_t busy = move_until_busy(f, &err);

    assert_in_range(busy, 2, POOLS - 1);
    assert_string_equal(err.code, "draining");
    /* It goes on where it is, and may go back to where it has been. */
    park(f, 0);
    assert_int_equal(mmu_pg_attach(f->mmu, pg, f->profiles[0], NULL), ST_OK);
    assert_int_equal(mmu_pg_attach(f->mmu, pg, f->profiles[busy], NULL),
                     ST_BUSY);
    leave(f); /* The only cell in pool 0, which is not left yet. */
    leave(f); /* That in pool 1, which is. */
    assert_int_equal(mmu_pg_attach(f->mmu, pg, f->profiles[busy], NULL), ST_OK);
    assert_int_equal(mmu_pg_profile(f->mmu, pg), f->profiles[busy]);
}

static void
test_a_port_returns_when_what_it_sent_has_drained(void **state)
{
    struct fixture *f = *state;

    (void)move_until_busy(f, NULL);
    assert_int_equal(mmu_port_remove(f->mmu, 0), ST_OK);
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_BUSY);
    leave(f);
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_OK);
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_EXISTS);
}

static void
test_what_is_used_cannot_go(void **state)
{
    struct fixture *f = *state;
    const uint32_t pg = mmu_pg_id(f->mmu, 0, 0);
    struct err err = {0};

    assert_int_equal(mmu_pg_attach(f->mmu, pg, f->profiles[0], NULL), ST_OK);
    assert_int_equal(
        mmu_port_attach(f->mmu, 1, f->pools[1], f->profiles[1], NULL), ST_OK);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(mmu_profile_remove(f->mmu, f->profiles[i], &err),
                         ST_BUSY);
        assert_string_equal(err.code, "in-use");
        assert_int_equal(mmu_pool_remove(f->mmu, f->pools[i], &err), ST_BUSY);
        assert_string_equal(err.code, "in-use");
    }
    assert_int_equal(mmu_pg_attach(f->mmu, pg, MMU_NONE, NULL), ST_OK);
    assert_int_equal(mmu_port_attach(f->mmu, 1, f->pools[1], MMU_NONE, NULL),
                     ST_OK);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(mmu_profile_remove(f->mmu, f->profiles[i], NULL),
                         ST_OK);
        assert_int_equal(mmu_pool_remove(f->mmu, f->pools[i], NULL), ST_OK);
    }
}

/* What is promised to PGs, and the headroom of pools, is one sum. */
static void
test_as_much_may_be_promised_as_a_size_in_kB_hides(void **state)
{
    struct fixture *f = *state;
    const uint32_t pool = make_pool(f, 400);
    const uint32_t pg = mmu_pg_id(f->mmu, 0, 0);
    const uint64_t left = MEMORY - 400 + SLACK;
    const uint32_t more = make_profile(f, pool, left * CELL + 1);
    const uint32_t all = make_profile(f, pool, left * CELL);
    struct err err = {0};

    assert_int_equal(mmu_pg_attach(f->mmu, pg, more, &err), ST_NO_RESOURCE);
    assert_string_equal(err.code, "reservations");
    assert_int_equal(mmu_pg_attach(f->mmu, pg, all, NULL), ST_OK);
    assert_int_equal(mmu_pg_attach(f->mmu, mmu_pg_id(f->mmu, 1, 0),
                                   make_profile(f, pool, 1), NULL),
                     ST_NO_RESOURCE);
}

int
main(void)
{
#define T(test) cmocka_unit_test_setup_teardown(test, setup, teardown)
    const struct CMUnitTest tests[] = {
        T(test_cells_have_to_drain_before_a_pg_moves_on),
        T(test_a_port_returns_when_what_it_sent_has_drained),
        T(test_what_is_used_cannot_go),
        T(test_as_much_may_be_promised_as_a_size_in_kB_hides),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
