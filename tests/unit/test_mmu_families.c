/* SPDX-License-Identifier: Apache-2.0 */

/* The mechanisms that distinguish families of chips, each on a chip that has
 * just that one; and the fixed points that theory gives for thresholds. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "twin/mmu/mmu.h"

enum {
    CELL = 256,
    PORTS = 8,
    OUT = PORTS - 1, /* Where all packets go. */
    UNTIL = 1 << 20,
};

struct fixture {
    struct chip chip;
    struct mmu *mmu;
};

/* Makes a buffer of the chip of 'f' with all ports. */
static void
start(struct fixture *f)
{
    f->mmu = mmu_setup_begin(&f->chip, NULL, PORTS, f->chip.partitions);
}

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.memory_bytes = 100000 * CELL;
    f->chip.ports = PORTS;
    f->chip.shared_limit = (struct chip_shared_limit){.divided = true};
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    mmu_setup_end(f->mmu);
    free(f);
    return 0;
}

static uint32_t
pool(struct fixture *f, enum mmu_direction direction, uint64_t cells,
     uint64_t headroom)
{
    return mmu_setup_pool(f->mmu, direction, cells * CELL, headroom * CELL);
}

static uint32_t
profile(struct fixture *f, const struct mmu_profile_config *config)
{
    return mmu_setup_profile(f->mmu, config);
}

static void
attach_pg(struct fixture *f, uint32_t port, uint32_t index, uint32_t profile)
{
    mmu_setup_attach_pg(f->mmu, port, index, profile);
}

static void
attach_queue(struct fixture *f, uint32_t index, uint32_t profile)
{
    mmu_setup_attach_queue(f->mmu, OUT, index, profile);
}

/* Lets queue 'index' of the egress port take whatever comes. */
static void
open_queue(struct fixture *f, uint32_t index)
{
    attach_queue(f, index,
                 profile(f, &(struct mmu_profile_config){
                                .pool = pool(f, MMU_EGRESS, 100000, 0),
                                .is_static = true}));
}

static enum mmu_drop
offer(struct fixture *f, uint32_t port, uint32_t index)
{
    uint32_t packet;

    return mmu_enqueue(f->mmu, mmu_pg_id(f->mmu, port, index),
                       mmu_queue_id(f->mmu, OUT, index), 64, &packet);
}

/* Returns how many packets are admitted until one is not; '*why' says why. */
static uint32_t
fill(struct fixture *f, uint32_t port, uint32_t index, enum mmu_drop *why)
{
    uint32_t n = 0;

    while ((*why = offer(f, port, index)) == MMU_ADMITTED && n < UNTIL) {
        n++;
    }
    return n;
}

static uint32_t
fill_to_xoff(struct fixture *f, uint32_t port, uint32_t index)
{
    uint32_t n = 0;

    while (!mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, port, index)) &&
           n < UNTIL) {
        assert_int_equal(offer(f, port, index), MMU_ADMITTED);
        n++;
    }
    return n;
}

static void
drain(struct fixture *f, uint32_t index, uint32_t n)
{
    struct mmu_departure departure;

    for (uint32_t i = 0; i < n; i++) {
        assert_true(
            mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, OUT, index), &departure));
    }
}

static void
attach_port(struct fixture *f, uint32_t port, uint32_t pool, uint32_t profile)
{
    assert_int_equal(mmu_port_attach(f->mmu, port, pool, profile, NULL), ST_OK);
}

/* XOFF ------------------------------------------------------------------ */

/* Two PGs of a pool of 9,000 cells, one after the other: packets to XOFF, and
 * from there to the first one that is lost. */
static void
xoff_and_drop(struct fixture *f, uint32_t n_packet_cells,
              const uint32_t expected[4])
{
    struct mmu_profile_config config = {.reserved_bytes = 4 * CELL,
                                        .xoff_bytes = 12 * CELL};
    uint32_t lossless;
    enum mmu_drop why;

    f->chip.threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    f->chip.packet_overhead_bytes = (n_packet_cells - 1) * CELL;
    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    lossless = profile(f, &config);
    for (uint32_t port = 0; port < 2; port++) {
        attach_pg(f, port, 3, lossless);
        assert_int_equal(fill_to_xoff(f, port, 3), expected[2 * port]);
        assert_int_equal(fill(f, port, 3, &why), expected[2 * port + 1]);
        assert_int_equal(why, MMU_HEADROOM);
    }
}

/* u = 9000 - u: 4500, and 4 of the guarantee.  The other: u = 4500 - u. */
static void
test_xoff_in_headroom(void **state)
{
    xoff_and_drop(*state, 1, (uint32_t[]){4505, 11, 2255, 11});
}

static void
test_xoff_before_headroom(void **state)
{
    struct fixture *f = *state;

    f->chip.xoff = CHIP_XOFF_BEFORE_HEADROOM;
    xoff_and_drop(f, 1, (uint32_t[]){4504, 12, 2254, 12});
}

/* Another packet of that size needs headroom, though half of it does not. */
static void
test_xoff_before_headroom_of_two_cells(void **state)
{
    struct fixture *f = *state;

    f->chip.xoff = CHIP_XOFF_BEFORE_HEADROOM;
    xoff_and_drop(f, 2, (uint32_t[]){2252, 6, 1127, 6});
}

/* A PG whose pool is used up by others pauses when its guarantee is full. */
static void
test_xoff_before_headroom_at_guarantee(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 4 * CELL,
                                        .xoff_bytes = 12 * CELL};

    f->chip.xoff = CHIP_XOFF_BEFORE_HEADROOM;
    f->chip.threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 0, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    assert_int_equal(fill_to_xoff(f, 0, 3), 4);
}

/* Fills a headroom pool as hardware tests do: 'each' packets to each of 'n'
 * PGs, one PG after the other, then one by one until each is XOFF; 'extra' in
 * all.  Then 'xoff' packets for the headroom of all but the last, which takes
 * 'rest' and drops the next one. */
struct pool_test {
    uint32_t n;
    uint64_t shared; /* Cells of the partition. */
    uint64_t headroom;
    uint32_t xoff;
    int8_t dynamic_th;
    uint32_t each;
    uint32_t extra;
    uint32_t rest;
};

static void
run_pool_test(struct fixture *f, const struct pool_test *test)
{
    struct mmu_profile_config config = {.reserved_bytes = 6 * CELL,
                                        .xoff_bytes = test->xoff * CELL,
                                        .dynamic_th = test->dynamic_th};
    struct mmu_pg_stats stats;
    uint32_t extra = 0;
    uint32_t lossless;
    enum mmu_drop why;

    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, test->shared, test->headroom);
    lossless = profile(f, &config);
    for (uint32_t i = 0; i < test->n; i++) {
        attach_pg(f, i % OUT, 1 + i / OUT, lossless);
    }
    for (uint32_t i = 0; i < test->n; i++) {
        for (uint32_t j = 0; j < test->each; j++) {
            assert_int_equal(
                mmu_enqueue(f->mmu, mmu_pg_id(f->mmu, i % OUT, 1 + i / OUT),
                            mmu_queue_id(f->mmu, OUT, 3), 64, &(uint32_t){0}),
                MMU_ADMITTED);
        }
    }
    for (uint32_t i = 0; i < test->n; i++) {
        uint32_t id = mmu_pg_id(f->mmu, i % OUT, 1 + i / OUT);

        while (!mmu_pg_is_xoff(f->mmu, id)) {
            mmu_enqueue(f->mmu, id, mmu_queue_id(f->mmu, OUT, 3), 64,
                        &(uint32_t){0});
            extra++;
        }
    }
    assert_int_equal(extra, test->extra);
    for (uint32_t i = 0; i < test->n; i++) {
        uint32_t id = mmu_pg_id(f->mmu, i % OUT, 1 + i / OUT);
        uint32_t n = i + 1 < test->n ? test->xoff : test->rest;

        for (uint32_t j = 0; j < n; j++) {
            why = mmu_enqueue(f->mmu, id, mmu_queue_id(f->mmu, OUT, 3), 64,
                              &(uint32_t){0});
            assert_int_equal(why, MMU_ADMITTED);
        }
        mmu_pg_get(f->mmu, id, &stats);
        assert_in_range(stats.headroom, n, n + 1);
    }
    why = mmu_enqueue(
        f->mmu, mmu_pg_id(f->mmu, (test->n - 1) % OUT, 1 + (test->n - 1) / OUT),
        mmu_queue_id(f->mmu, OUT, 3), 64, &(uint32_t){0});
    assert_int_equal(why, MMU_HEADROOM_POOL);
    assert_null(mmu_check(f->mmu));
}

/* Public data of TH: 2,620 packets each, 1,292 of headroom, and 1,165 of the
 * last.  One more packet lowers the limit to 2,614, which is what the others
 * hold beyond their guarantees. */
static void
test_xoff_by_others_th(void **state)
{
    struct fixture *f = *state;

    f->chip.xoff_by_others = true;
    run_pool_test(f, &(struct pool_test){.n = 4,
                                         .shared = 13071,
                                         .headroom = 5041,
                                         .xoff = 1292,
                                         .each = 2620,
                                         .extra = 1,
                                         .rest = 1165});
}

/* TH2, 14 PGs: nine need packets of their own, the first two of them two, since
 * their limit is 1,822 still; it is 1,820 for the last four. */
static void
test_xoff_by_others_th2(void **state)
{
    struct fixture *f = *state;

    f->chip.xoff_by_others = true;
    run_pool_test(f, &(struct pool_test){.n = 14,
                                         .shared = 40059,
                                         .headroom = 9408,
                                         .xoff = 682,
                                         .dynamic_th = -3,
                                         .each = 1826,
                                         .extra = 12,
                                         .rest = 542});
}

/* TH2, 19 PGs: with 1,490 packets all are XOFF, the last one with one cell in
 * headroom.  So 47 are left for it, where the pool less 18 of 520 has 48. */
static void
test_xoff_by_others_th2_of_19(void **state)
{
    struct fixture *f = *state;

    f->chip.xoff_by_others = true;
    run_pool_test(f, &(struct pool_test){.n = 19,
                                         .shared = 40059,
                                         .headroom = 9408,
                                         .xoff = 520,
                                         .dynamic_th = -3,
                                         .each = 1490,
                                         .extra = 0,
                                         .rest = 47});
}

/* A pool of 100 cells, alpha 1: after 34 and 31 cells the first is below its
 * limit of 35.  Returns whether one more of the second makes it XOFF. */
static bool
is_xoff_by_other(struct fixture *f)
{
    struct mmu_profile_config config = {.xoff_bytes = 10 * CELL};
    uint32_t lossless;

    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 100, 0);
    lossless = profile(f, &config);
    attach_pg(f, 0, 3, lossless);
    attach_pg(f, 1, 3, lossless);
    for (uint32_t i = 0; i < 34; i++) {
        assert_int_equal(offer(f, 0, 3), MMU_ADMITTED);
    }
    for (uint32_t i = 0; i < 31; i++) {
        assert_int_equal(offer(f, 1, 3), MMU_ADMITTED);
    }
    assert_false(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    assert_int_equal(offer(f, 1, 3), MMU_ADMITTED);
    assert_false(mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 1, 3)));
    return mmu_pg_is_xoff(f->mmu, mmu_pg_id(f->mmu, 0, 3));
}

static void
test_xoff_by_others_is_of_the_chip(void **state)
{
    struct fixture *f = *state;

    assert_false(is_xoff_by_other(f));
    mmu_setup_end(f->mmu);
    f->chip.xoff_by_others = true;
    assert_true(is_xoff_by_other(f));
}

/* 3 of 5 cells of the guarantee, then 12 in all and one in headroom. */
static void
test_watermark_with_reserved(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 5 * CELL,
                                        .is_static = true,
                                        .static_bytes = 7 * CELL,
                                        .xoff_bytes = 2 * CELL};
    struct mmu_pg_stats pg;
    struct mmu_pool_stats pool_stats;

    f->chip.watermark_with_reserved = true;
    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 100, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    for (uint32_t i = 1; i <= 13; i++) {
        uint32_t level = i < 12 ? i : 12;

        assert_int_equal(offer(f, 0, 3), MMU_ADMITTED);
        mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &pg);
        assert_int_equal(pg.shared_watermark, level);
        assert_int_equal(pg.shared, level > 5 ? level - 5 : 0);
        assert_int_equal(mmu_pool_get(f->mmu, config.pool, &pool_stats), ST_OK);
        assert_int_equal(pool_stats.shared_watermark, level);
    }
    drain(f, 3, 10);
    mmu_pg_clear_watermarks(f->mmu, mmu_pg_id(f->mmu, 0, 3),
                            MMU_WATERMARK_SHARED);
    mmu_pool_clear_watermarks(f->mmu, config.pool, MMU_WATERMARK_SHARED);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &pg);
    assert_int_equal(pg.shared_watermark, 3);
    assert_int_equal(mmu_pool_get(f->mmu, config.pool, &pool_stats), ST_OK);
    assert_int_equal(pool_stats.shared_watermark, 3);
}

static void
test_headroom_watermark_factor(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {
        .is_static = true, .static_bytes = CELL, .xoff_bytes = 20 * CELL};
    struct mmu_pool_stats stats;
    struct mmu_pg_stats pg;

    f->chip.headroom_watermark_factor = 4;
    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 100, 50);
    attach_pg(f, 0, 3, profile(f, &config));
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(offer(f, 0, 3), MMU_ADMITTED);
    }
    assert_int_equal(mmu_pool_get(f->mmu, config.pool, &stats), ST_OK);
    assert_int_equal(stats.headroom, 7);
    assert_int_equal(stats.headroom_watermark, 28);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &pg);
    assert_int_equal(pg.headroom_watermark, 7);
}

/* A port of alpha 1/2 and PGs of alpha 1 in a pool of 900: a PG alone would
 * have 450, but its port has no more than 300.  Nested, it would have 180. */
static void
test_independent_thresholds(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.dynamic_th = -1};
    enum mmu_drop why;
    uint32_t port;
    uint32_t lossy;

    f->chip.port_alpha = CHIP_PORT_ALPHA_INDEPENDENT;
    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 900, 0);
    port = profile(f, &config);
    config.dynamic_th = 0;
    lossy = profile(f, &config);
    attach_pg(f, 0, 3, lossy);
    attach_pg(f, 1, 3, lossy);
    attach_port(f, 0, config.pool, port);
    assert_int_equal(fill(f, 0, 3, &why), 300);
    assert_int_equal(why, MMU_INGRESS_PORT);
    /* Without a threshold of its port: u = 600 - u. */
    assert_int_equal(fill(f, 1, 3, &why), 300);
    assert_int_equal(why, MMU_INGRESS_PG);
}

static void
test_pool_size_is_rounded_up(void **state)
{
    struct fixture *f = *state;
    struct mmu_pool_stats stats;
    uint32_t id;

    f->chip.pool_round_bytes = 100 * CELL;
    start(f);
    id = pool(f, MMU_INGRESS, 901, 0);
    assert_int_equal(mmu_pool_get(f->mmu, id, &stats), ST_OK);
    assert_int_equal(stats.shared_limit, 1000);
    id = pool(f, MMU_INGRESS, 1000, 0);
    assert_int_equal(mmu_pool_get(f->mmu, id, &stats), ST_OK);
    assert_int_equal(stats.shared_limit, 1000);
    id = pool(f, MMU_EGRESS, 901, 0);
    assert_int_equal(mmu_pool_get(f->mmu, id, &stats), ST_OK);
    assert_int_equal(stats.shared_limit, 901);
}

/* Ports ----------------------------------------------------------------- */

static void
test_nested_thresholds(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.xoff_bytes = 10 * CELL};
    uint32_t lossless;
    uint32_t port;

    f->chip.port_alpha = CHIP_PORT_ALPHA_NESTED;
    f->chip.threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    start(f);
    open_queue(f, 3);
    open_queue(f, 4);
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    lossless = profile(f, &config);
    config.xoff_bytes = 0;
    config.dynamic_th = 1;
    port = profile(f, &config);
    attach_pg(f, 0, 3, lossless);
    attach_pg(f, 0, 4, lossless);
    attach_pg(f, 1, 3, lossless);
    attach_port(f, 0, config.pool, port);
    assert_int_equal(mmu_port_profile(f->mmu, 0, config.pool), port);
    assert_int_equal(mmu_port_profile(f->mmu, 1, config.pool), MMU_NONE);

    /* u = 2 (9000 - u) - u: 4500.  The first packet in headroom is XOFF. */
    assert_int_equal(fill_to_xoff(f, 0, 3), 4501);
    /* The other: u = 2 (9000 - 4500 - u) - 4500 - u: 1125. */
    assert_int_equal(fill_to_xoff(f, 0, 4), 1126);
    /* Of a port without a threshold: u = 9000 - 5625 - u. */
    assert_int_equal(fill_to_xoff(f, 1, 3), 1688);
    drain(f, 3, 4501 + 1688);
    drain(f, 4, 1126);
    /* Without the profile of the port half of the pool is there again. */
    attach_port(f, 0, config.pool, MMU_NONE);
    assert_int_equal(fill_to_xoff(f, 0, 3), 4501);
    drain(f, 3, 4501);
    attach_pg(f, 0, 4, MMU_NONE);
    assert_int_equal(fill_to_xoff(f, 0, 3), 4501);
}

static void
test_dynamic_thresholds_of_ports_need_a_chip_that_nests(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.xoff_bytes = 10 * CELL};
    uint32_t lossless;

    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    lossless = profile(f, &config);
    attach_pg(f, 0, 3, lossless);
    config.dynamic_th = -3;
    config.xoff_bytes = 0;
    attach_port(f, 0, config.pool, profile(f, &config));
    assert_int_equal(fill_to_xoff(f, 0, 3), 4500);
}

static void
test_static_thresholds_of_ports(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.dynamic_th = 3};
    enum mmu_drop why;
    uint32_t bound;

    start(f);
    open_queue(f, 0);
    open_queue(f, 1);
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    attach_pg(f, 0, 0, profile(f, &config));
    attach_pg(f, 0, 1, mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 0, 0)));
    attach_pg(f, 1, 0, mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 0, 0)));
    /* What is held before the bound comes counts. */
    for (int i = 0; i < 30; i++) {
        assert_int_equal(offer(f, 0, 0), MMU_ADMITTED);
    }
    config.is_static = true;
    config.static_bytes = 100 * CELL;
    bound = profile(f, &config);
    attach_port(f, 0, config.pool, bound);
    assert_int_equal(fill(f, 0, 1, &why), 70);
    assert_int_equal(why, MMU_INGRESS_PORT);
    assert_int_equal(offer(f, 0, 0), MMU_INGRESS_PORT);
    assert_int_equal(offer(f, 1, 0), MMU_ADMITTED);
    config.static_bytes = 110 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, bound, &config, NULL), ST_OK);
    assert_int_equal(fill(f, 0, 0, &why), 10);
    assert_int_equal(mmu_port_drops(f->mmu, 0, MMU_INGRESS_PORT), 3);
    assert_int_equal(mmu_port_drops(f->mmu, 1, MMU_INGRESS_PORT), 0);
    /* A profile stays as long as a port has it; the port's end frees it. */
    assert_int_equal(mmu_profile_remove(f->mmu, bound, NULL), ST_BUSY);
    assert_int_equal(mmu_port_remove(f->mmu, 0), ST_OK);
    assert_int_equal(mmu_profile_remove(f->mmu, bound, NULL), ST_OK);
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_OK);
    /* What the former port left behind is not the new one's. */
    attach_pg(f, 0, 0, mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 1, 0)));
    bound = profile(f, &config);
    attach_port(f, 0, config.pool, bound);
    assert_int_equal(fill(f, 0, 0, &why), 110);
}

static void
test_thresholds_of_egress_ports(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.dynamic_th = 3};
    enum mmu_drop why;

    start(f);
    config.pool = pool(f, MMU_EGRESS, 9000, 0);
    attach_queue(f, 0, profile(f, &config));
    attach_queue(f, 1, profile(f, &config));
    config.is_static = true;
    config.static_bytes = 50 * CELL;
    attach_port(f, OUT, config.pool, profile(f, &config));
    assert_int_equal(fill(f, 0, 0, &why), 50);
    assert_int_equal(why, MMU_EGRESS_PORT);
    assert_int_equal(offer(f, 0, 1), MMU_EGRESS_PORT);
    drain(f, 0, 20);
    assert_int_equal(fill(f, 0, 1, &why), 20);
    assert_true(mmu_drop_is_egress(why));
    assert_int_equal(mmu_port_drops(f->mmu, OUT, MMU_EGRESS_PORT), 3);
}

static void
test_profiles_of_ports_are_checked(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 60000 * CELL};
    struct mmu_pool_stats stats;
    uint32_t in;
    uint32_t out;
    uint32_t large;

    start(f);
    in = pool(f, MMU_INGRESS, 90000, 0);
    out = pool(f, MMU_EGRESS, 90000, 0);
    config.pool = in;
    large = profile(f, &config);
    assert_int_equal(mmu_port_attach(f->mmu, 0, in, large, NULL), ST_OK);
    assert_int_equal(mmu_port_attach(f->mmu, 1, in, large, NULL),
                     ST_NO_RESOURCE);
    assert_int_equal(mmu_port_profile(f->mmu, 1, in), MMU_NONE);
    assert_int_equal(mmu_pool_get(f->mmu, in, &stats), ST_OK);
    assert_int_equal(stats.shared_size, 30000);
    /* Memory that ports reserve admits no packet of others: S is as before. */
    assert_int_equal(stats.shared_limit, 90000);
    config.reserved_bytes = 101000 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, large, &config, NULL),
                     ST_NO_RESOURCE);
    config.reserved_bytes = 10000 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, large, &config, NULL), ST_OK);
    assert_int_equal(mmu_port_attach(f->mmu, 1, in, large, NULL), ST_OK);
    assert_int_equal(mmu_pool_get(f->mmu, in, &stats), ST_OK);
    assert_int_equal(stats.shared_size, 70000);
    assert_int_equal(mmu_port_attach(f->mmu, 0, out, large, NULL), ST_INVALID);
    assert_int_equal(mmu_port_attach(f->mmu, 0, 77, large, NULL), ST_INVALID);
    assert_int_equal(mmu_port_attach(f->mmu, PORTS, in, large, NULL),
                     ST_INVALID);
    assert_int_equal(mmu_port_attach(f->mmu, 0, in, 77, NULL), ST_INVALID);
    assert_int_equal(mmu_port_profile(f->mmu, 0, in), large);
}

/* Headroom --------------------------------------------------------------- */

static void
test_pgs_of_a_port_share_headroom(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {
        .is_static = true, .static_bytes = 10 * CELL, .xoff_bytes = 20 * CELL};
    struct mmu_pg_stats stats;
    enum mmu_drop why;
    uint32_t lossless;

    f->chip.headroom = CHIP_HEADROOM_PER_PORT_SHARE;
    start(f);
    for (uint32_t i = 2; i < 5; i++) {
        open_queue(f, i);
    }
    config.pool = pool(f, MMU_INGRESS, 9000, 70);
    lossless = profile(f, &config);
    config.xoff_bytes = 0;
    attach_pg(f, 0, 2, profile(f, &config)); /* Lossy: no part of it. */
    attach_pg(f, 0, 3, lossless);
    attach_pg(f, 0, 4, lossless);
    attach_pg(f, 1, 3, lossless);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &stats);
    assert_int_equal(stats.headroom_limit, 40);
    assert_int_equal(fill(f, 0, 3, &why), 10 + 40);
    assert_int_equal(why, MMU_HEADROOM);
    assert_int_equal(fill(f, 0, 4, &why), 10);
    assert_int_equal(why, MMU_HEADROOM);
    assert_int_equal(fill(f, 0, 2, &why), 10);
    assert_int_equal(why, MMU_INGRESS_PG);
    /* One less of the PGs is less for the others, but none is taken back. */
    attach_pg(f, 0, 4, MMU_NONE);
    drain(f, 3, 15);
    assert_int_equal(fill(f, 0, 3, &why), 0);
    drain(f, 3, 10);
    assert_int_equal(fill(f, 0, 3, &why), 5);
    assert_int_equal(fill(f, 1, 3, &why), 10 + 20);
    assert_int_equal(why, MMU_HEADROOM);
}

static void
test_without_a_pool_headroom_is_private_and_smaller(void **state)
{
    static const struct chip_speed_value at[] = {{400000, 12}};
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 25 * CELL,
                                        .is_static = true,
                                        .static_bytes = 10 * CELL,
                                        .xoff_bytes = 20 * CELL};
    enum mmu_drop why;

    f->chip.headroom = CHIP_HEADROOM_PER_PORT_SHARE;
    f->chip.headroom_overhead =
        (struct chip_by_speed){.otherwise = 4, .items = at, .n = 1};
    start(f);
    open_queue(f, 3);
    open_queue(f, 4);
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    attach_pg(f, 0, 4, mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    mmu_port_set_speed(f->mmu, 0, 100000);
    /* 25 - 20 are guaranteed, 20 - 4 are its headroom. */
    assert_int_equal(fill(f, 0, 3, &why), 5 + 10 + 16);
    drain(f, 3, 31);
    mmu_port_set_speed(f->mmu, 0, 400000);
    assert_int_equal(fill(f, 0, 3, &why), 5 + 10 + 8);
    drain(f, 3, 23);
    /* With a pool 25 are guaranteed, and the headroom is that of two. */
    assert_int_equal(
        mmu_pool_set(f->mmu, config.pool,
                     &(struct mmu_pool_config){.direction = MMU_INGRESS,
                                               .size_bytes = 9000 * CELL,
                                               .xoff_bytes = 100 * CELL},
                     NULL),
        ST_OK);
    assert_int_equal(fill(f, 0, 3, &why), 25 + 10 + 40);
}

static void
test_a_size_that_contains_headroom(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 25 * CELL,
                                        .is_static = true,
                                        .static_bytes = 10 * CELL,
                                        .xoff_bytes = 20 * CELL};
    struct mmu_pg_stats stats;

    f->chip.pg_guarantee = CHIP_GUARANTEE_SIZE_MINUS_XOFF;
    start(f);
    config.pool = pool(f, MMU_INGRESS, 9000, 100);
    attach_pg(f, 0, 3, profile(f, &config));
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &stats);
    assert_int_equal(stats.guarantee, 5);
    assert_int_equal(stats.headroom_limit, 20);
}

static void
test_packets_of_a_port_take_more_than_their_length(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 10 * CELL};
    struct mmu_pg_stats stats;
    enum mmu_drop why;

    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    attach_pg(f, 1, 3, profile(f, &config));
    /* Exactly a cell, and one byte more. */
    mmu_port_set_extra(f->mmu, 0, CELL - 64);
    assert_int_equal(fill(f, 0, 3, &why), 10);
    assert_int_equal(fill(f, 1, 3, &why), 10);
    drain(f, 3, 20);
    mmu_port_set_extra(f->mmu, 0, CELL - 64 + 1);
    assert_int_equal(fill(f, 0, 3, &why), 5);
    assert_int_equal(fill(f, 1, 3, &why), 10);
    /* Bytes are those of the packets, also in a PG that is new. */
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &stats);
    assert_int_equal(stats.shared, 10);
    assert_int_equal(stats.bytes, stats.packets * 64);
    open_queue(f, 4);
    attach_pg(f, 0, 4, mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 0, 3)));
    assert_int_equal(offer(f, 0, 4), MMU_ADMITTED);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 4), &stats);
    assert_int_equal(stats.bytes, 64);
    assert_int_equal(stats.shared, 2);
    /* A new port in the slot takes nothing more. */
    assert_int_equal(mmu_port_remove(f->mmu, 0), ST_OK);
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_OK);
    attach_pg(f, 0, 4, mmu_pg_profile(f->mmu, mmu_pg_id(f->mmu, 1, 3)));
    assert_int_equal(offer(f, 0, 4), MMU_ADMITTED);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 4), &stats);
    assert_int_equal(stats.shared, 1);
}

/* Egress ----------------------------------------------------------------- */

static void
test_egress_shares_what_ingress_does(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 7 * CELL};
    struct mmu_pool_config small = {.direction = MMU_INGRESS,
                                    .size_bytes = 2000 * CELL};
    const struct mmu_pool_config none = {.direction = MMU_EGRESS};
    enum mmu_drop why;
    uint32_t in;

    f->chip.egress_shared = CHIP_EGRESS_SHARED_INGRESS_SHARED;
    f->chip.partitions = 2;
    start(f);
    config.pool = pool(f, MMU_EGRESS, 50000, 0);
    attach_queue(f, 0, profile(f, &config));
    /* Without an ingress pool its own: 7 + floor(25000 / 2). */
    assert_int_equal(fill(f, 0, 0, &why), 7 + 12500);
    drain(f, 0, 12507);
    in = pool(f, MMU_INGRESS, 8000, 0);
    assert_int_equal(fill(f, 0, 0, &why), 7 + 2000);
    drain(f, 0, 2007);
    assert_int_equal(mmu_pool_set(f->mmu, in, &small, NULL), ST_OK);
    assert_int_equal(fill(f, 0, 0, &why), 7 + 500);
    drain(f, 0, 507);
    /* Nothing at all where their own pool has no size. */
    assert_int_equal(mmu_pool_set(f->mmu, config.pool, &none, NULL), ST_OK);
    assert_int_equal(fill(f, 0, 0, &why), 7);
}

static void
test_lossy_pgs_absorb_the_guarantee_of_their_queue(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true};
    struct mmu_pg_stats stats;
    uint32_t in;

    f->chip.egress_pg_absorbs_queue_min = true;
    start(f);
    in = pool(f, MMU_INGRESS, 9000, 0);
    config.pool = pool(f, MMU_EGRESS, 9000, 0);
    config.reserved_bytes = 7 * CELL;
    attach_queue(f, 0, profile(f, &config));
    attach_queue(f, 3, profile(f, &config));
    config.pool = in;
    config.reserved_bytes = 0;
    attach_pg(f, 0, 0, profile(f, &config));
    config.xoff_bytes = 5 * CELL;
    attach_pg(f, 0, 3, profile(f, &config));
    for (int i = 0; i < 10; i++) {
        assert_int_equal(offer(f, 0, 0), MMU_ADMITTED);
        assert_int_equal(offer(f, 0, 3), MMU_ADMITTED);
    }
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.shared, 3);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 3), &stats);
    assert_int_equal(stats.shared, 10);
    assert_null(mmu_check(f->mmu));
    drain(f, 0, 7); /* Those that were absorbed leave first. */
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.shared, 3);
    drain(f, 0, 3);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 0), &stats);
    assert_int_equal(stats.shared, 0);
}

static void
test_virtual_output_queues_are_bounded(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true};
    enum mmu_drop why;
    uint32_t out;

    f->chip.voq_cap_bytes = 100 * CELL;
    f->chip.partitions = 2;
    start(f);
    out = pool(f, MMU_EGRESS, 9000, 0);
    config.pool = out;
    attach_queue(f, 0, profile(f, &config));
    attach_queue(f, 3, profile(f, &config));
    config.pool = pool(f, MMU_INGRESS, 9000, 0);
    attach_pg(f, 0, 0, profile(f, &config));
    config.xoff_bytes = CELL;
    attach_pg(f, 0, 3, profile(f, &config));
    /* Strictly below. */
    assert_int_equal(fill(f, 0, 0, &why), 99);
    assert_int_equal(why, MMU_EGRESS_VOQ);
    assert_int_equal(mmu_port_drops(f->mmu, OUT, MMU_EGRESS_VOQ), 1);
    for (int i = 0; i < 200; i++) { /* Lossless traffic is not. */
        assert_int_equal(offer(f, 0, 3), MMU_ADMITTED);
    }
    /* Queues in one memory: a dynamic limit is a part of the whole of it. */
    drain(f, 0, 99);
    config = (struct mmu_profile_config){.pool = out, .dynamic_th = -7};
    attach_queue(f, 0, profile(f, &config));
    assert_int_equal(fill(f, 0, 0, &why), (9000 - 200) / 129);
    assert_int_equal(why, MMU_EGRESS_QUEUE);
}

/* Reasons ---------------------------------------------------------------- */

static void
test_packets_that_leave_unsent(void **state)
{
    struct fixture *f = *state;
    struct mmu_departure departure;
    struct mmu_queue_stats stats;
    struct mmu_pg_stats pg;
    uint32_t queue;

    start(f);
    open_queue(f, 0);
    open_queue(f, 1);
    queue = mmu_queue_id(f->mmu, OUT, 0);
    assert_int_equal(mmu_queue_head(f->mmu, queue), MMU_NONE);
    assert_false(mmu_discard(f->mmu, queue, MMU_AGED, &departure));
    for (int i = 0; i < 6; i++) {
        assert_int_equal(offer(f, 0, 0), MMU_ADMITTED);
    }
    assert_int_equal(offer(f, 0, 1), MMU_ADMITTED);
    assert_int_not_equal(mmu_queue_head(f->mmu, queue), MMU_NONE);
    assert_true(mmu_discard(f->mmu, queue, MMU_AGED, &departure));
    assert_int_equal(departure.length_bytes, 64);
    assert_int_equal(mmu_queue_flush(f->mmu, queue, MMU_FLUSHED), 5);
    assert_int_equal(mmu_port_flush(f->mmu, OUT, MMU_ADMIN_DOWN), 1);
    mmu_refuse(f->mmu, mmu_pg_id(f->mmu, 0, 0), queue, 100, MMU_WRED);
    mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, 0, 0), &pg);
    assert_int_equal(pg.packets, 6 + 1); /* Refused ones came, too. */
    assert_int_equal(pg.bytes, 6 * 64 + 100);
    mmu_queue_get(f->mmu, queue, &stats);
    assert_int_equal(stats.packets, 0);
    assert_int_equal(stats.dropped_packets, 7);
    assert_int_equal(stats.dropped_bytes, 6 * 64 + 100);
    assert_int_equal(mmu_port_drops(f->mmu, OUT, MMU_AGED), 1);
    assert_int_equal(mmu_port_drops(f->mmu, OUT, MMU_FLUSHED), 5);
    assert_int_equal(mmu_port_drops(f->mmu, OUT, MMU_ADMIN_DOWN), 1);
    assert_int_equal(mmu_port_drops(f->mmu, OUT, MMU_WRED), 1);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
}

static void
test_reasons_of_pools(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.dynamic_th = 0};
    enum mmu_drop why;

    start(f);
    open_queue(f, 0);
    config.pool = pool(f, MMU_INGRESS, 100, 0);
    attach_pg(f, 0, 0, profile(f, &config));
    config.is_static = true; /* Takes all there is. */
    attach_pg(f, 1, 0, profile(f, &config));
    assert_int_equal(fill(f, 0, 0, &why), 50);
    assert_int_equal(why, MMU_INGRESS_PG);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(offer(f, 1, 0), MMU_ADMITTED);
    }
    assert_int_equal(offer(f, 0, 0), MMU_INGRESS_POOL);
    assert_int_equal(mmu_port_drops(f->mmu, 0, MMU_INGRESS_POOL), 1);
}

/* Theory ----------------------------------------------------------------- */

/* N equal PGs with alpha end at S / (1 / alpha + N) each (Choudhury and Hahne,
 * 1998), whatever is checked first. */
static void
fixed_point(struct fixture *f, int exponent, uint32_t n, uint64_t cells)
{
    struct mmu_profile_config config = {.dynamic_th = exponent};
    double alpha = exponent < 0 ? 1.0 / (1 << -exponent) : 1 << exponent;
    double expected = (double)cells / (1 / alpha + n);
    bool grows = true;

    start(f);
    open_queue(f, 0);
    config.pool = pool(f, MMU_INGRESS, cells, 0);
    for (uint32_t i = 0; i < n; i++) {
        attach_pg(f, i, 0, profile(f, &config));
    }
    while (grows) {
        grows = false;
        for (uint32_t i = 0; i < n; i++) {
            grows |= offer(f, i, 0) == MMU_ADMITTED;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        struct mmu_pg_stats stats;

        mmu_pg_get(f->mmu, mmu_pg_id(f->mmu, i, 0), &stats);
        assert_true((double)stats.shared > expected - 2);
        assert_true((double)stats.shared < expected + 2);
    }
    assert_null(mmu_check(f->mmu));
    mmu_destroy(f->mmu);
}

static void
test_fixed_points(void **state)
{
    struct fixture *f = *state;

    for (int exponent = -6; exponent <= 3; exponent++) {
        for (uint32_t n = 1; n < PORTS; n += 2) {
            f->chip.threshold = CHIP_THRESHOLD_CHARGE_THEN_CHECK;
            fixed_point(f, exponent, n, 1000);
            f->chip.threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE;
            fixed_point(f, exponent, n, 997);
        }
    }
    start(f);
}

/* The headroom of all ports together is the pool's, however it is shared. */
static void
test_shares_add_up(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {
        .is_static = true, .static_bytes = CELL, .xoff_bytes = 13 * CELL};
    struct mmu_pool_stats stats;
    uint32_t sum = 0;
    enum mmu_drop why;
    uint32_t lossless;

    f->chip.headroom = CHIP_HEADROOM_PER_PORT_SHARE;
    start(f);
    open_queue(f, 3);
    config.pool = pool(f, MMU_INGRESS, 9000, 100);
    lossless = profile(f, &config);
    for (uint32_t port = 0; port < OUT; port++) {
        attach_pg(f, port, 3, lossless);
        attach_pg(f, port, 4, lossless);
    }
    for (uint32_t port = 0; port < OUT; port++) {
        uint32_t n = fill(f, port, 3, &why) - 1;

        assert_int_equal(n, sum + 26 <= 100 ? 26 : 100 - sum);
        assert_int_equal(why, n == 26 ? MMU_HEADROOM : MMU_HEADROOM_POOL);
        sum += n;
    }
    assert_int_equal(sum, 100);
    assert_int_equal(mmu_pool_get(f->mmu, config.pool, &stats), ST_OK);
    assert_int_equal(stats.headroom, 100);
    assert_int_equal(stats.headroom_watermark, 100);
}

static void
test_guarantees_fit_beside_pools_that_reserve(void **state)
{
    struct fixture *f = *state;
    struct mmu_pool_config config = {.direction = MMU_INGRESS,
                                     .size_bytes = 90000 * CELL,
                                     .xoff_bytes = 10003 * CELL};
    struct mmu_profile_config two = {.reserved_bytes = 2 * CELL,
                                     .xoff_bytes = CELL};
    struct mmu_profile_config none = {.xoff_bytes = CELL};
    struct err err = {0};
    uint32_t large, empty;

    /* 100,000 cells, and 1,024 bytes of tolerance: one cell too many. */
    f->chip.pools_reserve = true;
    start(f);
    assert_int_equal(mmu_pool_create(f->mmu, &config, &two.pool, NULL), ST_OK);
    none.pool = two.pool;
    large = profile(f, &two);
    empty = profile(f, &none);
    assert_int_equal(
        mmu_pg_attach(f->mmu, mmu_pg_id(f->mmu, 0, 3), large, &err),
        ST_NO_RESOURCE);
    assert_string_equal(err.code, "reservations");
    assert_int_equal(
        mmu_pg_attach(f->mmu, mmu_pg_id(f->mmu, 0, 3), empty, NULL), ST_OK);
    config.xoff_bytes = 10002 * CELL;
    assert_int_equal(mmu_pool_set(f->mmu, two.pool, &config, NULL), ST_OK);
    assert_int_equal(
        mmu_pg_attach(f->mmu, mmu_pg_id(f->mmu, 0, 3), large, NULL), ST_OK);
    /* Pools are accepted at any size, and egress is not concerned. */
    config.size_bytes = 200000 * CELL;
    assert_int_equal(mmu_pool_set(f->mmu, two.pool, &config, NULL), ST_OK);
    two.pool = pool(f, MMU_EGRESS, 200000, 0);
    two.xoff_bytes = 0;
    mmu_setup_attach_queue(f->mmu, 0, 3, profile(f, &two));
    /* Elsewhere the size of a pool reserves nothing. */
    f->chip.pools_reserve = false;
    two.pool = none.pool;
    assert_int_equal(
        mmu_pg_attach(f->mmu, mmu_pg_id(f->mmu, 1, 3), profile(f, &two), NULL),
        ST_OK);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(test_packets_of_a_port_take_more_than_their_length),
        TEST(test_xoff_in_headroom),
        TEST(test_xoff_before_headroom),
        TEST(test_xoff_before_headroom_of_two_cells),
        TEST(test_xoff_before_headroom_at_guarantee),
        TEST(test_xoff_by_others_th),
        TEST(test_xoff_by_others_th2),
        TEST(test_xoff_by_others_th2_of_19),
        TEST(test_xoff_by_others_is_of_the_chip),
        TEST(test_watermark_with_reserved),
        TEST(test_headroom_watermark_factor),
        TEST(test_independent_thresholds),
        TEST(test_pool_size_is_rounded_up),
        TEST(test_nested_thresholds),
        TEST(test_dynamic_thresholds_of_ports_need_a_chip_that_nests),
        TEST(test_static_thresholds_of_ports),
        TEST(test_thresholds_of_egress_ports),
        TEST(test_profiles_of_ports_are_checked),
        TEST(test_pgs_of_a_port_share_headroom),
        TEST(test_without_a_pool_headroom_is_private_and_smaller),
        TEST(test_a_size_that_contains_headroom),
        TEST(test_egress_shares_what_ingress_does),
        TEST(test_lossy_pgs_absorb_the_guarantee_of_their_queue),
        TEST(test_virtual_output_queues_are_bounded),
        TEST(test_packets_that_leave_unsent),
        TEST(test_reasons_of_pools),
        TEST(test_fixed_points),
        TEST(test_shares_add_up),
        TEST(test_guarantees_fit_beside_pools_that_reserve),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
