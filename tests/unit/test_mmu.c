/* SPDX-License-Identifier: Apache-2.0 */

/* Each mechanism of the buffer on its own, with numbers worked out by hand.
 * Packets are of one cell unless said otherwise. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "twin/mmu/mmu.h"
#include "vendors/softasic/softasic.h"

enum {
    PORTS = 40,
    CELL = 256,
    LENGTH = 64,
};

#define UNLIMITED UINT64_MAX

struct fixture {
    struct chip chip;
    struct mmu *mmu;
    uint32_t n_flows; /* Changes of XOFF. */
    uint32_t last_pg;
    bool last_xoff;
};

static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    struct fixture *f = context;

    f->n_flows++;
    f->last_pg = pg;
    f->last_xoff = xoff;
}

/* Creates the MMU of 'f->chip' again, with all ports in partition 0. */
static void
start(struct fixture *f)
{
    mmu_destroy(f->mmu);
    f->n_flows = 0;
    f->mmu = mmu_setup_begin(
        &f->chip, &(struct mmu_options){.flow = on_flow, .context = f}, PORTS,
        1);
}

static int
setup(void **state)
{
    struct fixture *f = test_calloc(1, sizeof *f);

    chip_init(&f->chip);
    f->chip.ports = PORTS;
    f->chip.memory_bytes = 20000 * CELL;
    start(f);
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

static uint32_t
pool(struct fixture *f, enum mmu_direction direction, uint64_t size,
     uint64_t xoff)
{
    return mmu_setup_pool(f->mmu, direction, size, xoff);
}

static uint32_t
profile(struct fixture *f, const struct mmu_profile_config *config)
{
    return mmu_setup_profile(f->mmu, config);
}

static uint32_t
pg_id(struct fixture *f, uint32_t port, uint32_t index)
{
    return mmu_pg_id(f->mmu, port, index);
}

static void
attach_pg(struct fixture *f, uint32_t port, uint32_t index, uint32_t id)
{
    mmu_setup_attach_pg(f->mmu, port, index, id);
}

static void
attach_queue(struct fixture *f, uint32_t port, uint32_t index, uint32_t id)
{
    mmu_setup_attach_queue(f->mmu, port, index, id);
}

/* Offers one packet from PG 'index' of 'port' to queue 0 of the last port. */
static enum mmu_drop
offer(struct fixture *f, uint32_t port, uint32_t index)
{
    uint32_t packet;

    return mmu_enqueue(f->mmu, pg_id(f, port, index),
                       mmu_queue_id(f->mmu, PORTS - 1, 0), LENGTH, &packet);
}

static void
admit(struct fixture *f, uint32_t port, uint32_t index, uint64_t n)
{
    for (uint64_t i = 0; i < n; i++) {
        assert_int_equal(offer(f, port, index), MMU_ADMITTED);
    }
}

static void
drain(struct fixture *f, uint64_t n)
{
    struct mmu_departure departure;

    for (uint64_t i = 0; i < n; i++) {
        assert_true(mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, PORTS - 1, 0),
                                &departure));
    }
}

static uint64_t
fill_to_xoff(struct fixture *f, uint32_t port, uint32_t index)
{
    uint64_t n = 0;

    while (!mmu_pg_is_xoff(f->mmu, pg_id(f, port, index))) {
        admit(f, port, index, 1);
        n++;
    }
    return n;
}

/* Returns the index, from 1, of the first packet dropped. */
static uint64_t
fill_to_drop(struct fixture *f, uint32_t port, uint32_t index,
             enum mmu_drop *why)
{
    uint64_t n = 1;
    enum mmu_drop drop;

    while ((drop = offer(f, port, index)) == MMU_ADMITTED) {
        n++;
    }
    if (why) {
        *why = drop;
    }
    return n;
}

static struct mmu_pg_stats
pg_stats(struct fixture *f, uint32_t port, uint32_t index)
{
    struct mmu_pg_stats stats;

    mmu_pg_get(f->mmu, pg_id(f, port, index), &stats);
    return stats;
}

static struct mmu_queue_stats
queue_stats(struct fixture *f, uint32_t port, uint32_t index)
{
    struct mmu_queue_stats stats;

    mmu_queue_get(f->mmu, mmu_queue_id(f->mmu, port, index), &stats);
    return stats;
}

static struct mmu_pool_stats
pool_stats(struct fixture *f, uint32_t id)
{
    struct mmu_pool_stats stats;

    assert_int_equal(mmu_pool_get(f->mmu, id, &stats), ST_OK);
    return stats;
}

/* The breakpoints of Trident 2: 4898 = 6 + floor((61376 - 64 * 271) / 9). */
static void
test_guarantee_is_size_minus_xoff(void **state)
{
    struct fixture *f = *state;
    uint32_t in;
    uint32_t id;
    enum mmu_drop why;

    f->chip.cell_bytes = 208;
    f->chip.memory_bytes = 12779520;
    f->chip.pg_guarantee = CHIP_GUARANTEE_SIZE_MINUS_XOFF;
    f->chip.shared_limit = (struct chip_shared_limit){.minus_pg_size = true};
    start(f);
    in = pool(f, MMU_INGRESS, 12766208, 0);
    id = profile(f, &(struct mmu_profile_config){.pool = in,
                                                 .reserved_bytes = 56368,
                                                 .dynamic_th = -3,
                                                 .xoff_bytes = 55120,
                                                 .xon_bytes = 18432,
                                                 .xon_offset_bytes = 2496});
    for (uint32_t i = 0; i < 64; i++) {
        attach_pg(f, i / 2, 3 + i % 2, id);
    }
    assert_int_equal(pool_stats(f, in).shared_limit, 61376 - 64 * 271);
    assert_int_equal(fill_to_xoff(f, 0, 3), 4898);
    assert_int_equal(pg_stats(f, 0, 3).reserved, 6);
    assert_int_equal(fill_to_drop(f, 0, 3, &why), 266);
    assert_int_equal(why, MMU_HEADROOM);
    /* The 265 of headroom, and then 12 from the limit. */
    drain(f, 265 + 11);
    assert_true(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 3)));
    drain(f, 1);
    assert_false(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 3)));
    assert_int_equal(f->n_flows, 2);
}

/* Tomahawk: the first drop is xoff + 1 after PFC; XON after 12 packets; four
 * PGs at once; the rest of the shared headroom pool. */
static void
test_partitions_and_shared_headroom(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 1248,
                                        .xoff_bytes = 268736,
                                        .xon_bytes = 2288,
                                        .xon_offset_bytes = 2288};
    uint32_t id;
    enum mmu_drop why;

    f->chip.cell_bytes = 208;
    f->chip.memory_bytes = 17039360;
    f->chip.partitions = 4;
    f->chip.shared_limit = (struct chip_shared_limit){.divided = true};
    start(f);
    config.pool = pool(f, MMU_INGRESS, 10875072, 4194112);
    id = profile(f, &config);
    for (uint32_t i = 0; i < 4; i++) {
        attach_pg(f, i, 3, id);
    }
    assert_int_equal(pool_stats(f, config.pool).shared_limit, 13071);
    assert_int_equal(fill_to_xoff(f, 0, 3), 6542);
    drain(f, 11);
    assert_true(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 3)));
    drain(f, 1);
    assert_false(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 3)));
    admit(f, 0, 3, 12);
    assert_int_equal(fill_to_drop(f, 0, 3, NULL), 1293);
    for (uint32_t i = 1; i < 4; i++) {
        fill_to_xoff(f, i, 3);
    }
    assert_int_equal(fill_to_drop(f, 1, 3, NULL), 1293);
    assert_int_equal(fill_to_drop(f, 2, 3, NULL), 1293);
    assert_int_equal(fill_to_drop(f, 3, 3, &why), 1165 + 1);
    assert_int_equal(why, MMU_HEADROOM_POOL);
    assert_int_equal(pool_stats(f, config.pool).headroom, 5041);
    assert_int_equal(pool_stats(f, config.pool).headroom_watermark, 5041);
}

/* u is the smallest with u >= floor(alpha * (1000 - u - others)). */
static void
test_dynamic_thresholds(void **state)
{
    static const struct {
        enum chip_threshold threshold;
        int dynamic_th;
        uint64_t others;
        uint64_t xoff_at;
    } rows[] = {
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, 0, 0, 500},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, -1, 0, 333},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, -2, 0, 200},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, -3, 0, 111},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, -3, 100, 100},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, 1, 0, 667},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, 3, 0, 889},
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, 3, 500, 445},
        /* The packet that goes to headroom: floor(alpha S / (1+alpha)) + 1. */
        {CHIP_THRESHOLD_CHECK_THEN_CHARGE, 0, 0, 501},
        {CHIP_THRESHOLD_CHECK_THEN_CHARGE, -1, 0, 334},
        {CHIP_THRESHOLD_CHECK_THEN_CHARGE, -3, 0, 112},
        {CHIP_THRESHOLD_CHECK_THEN_CHARGE, 3, 0, 889},
        /* The pool is gone: at once. */
        {CHIP_THRESHOLD_CHARGE_THEN_CHECK, 0, 1000, 1},
        {CHIP_THRESHOLD_CHECK_THEN_CHARGE, 0, 1000, 1},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct mmu_profile_config config = {.dynamic_th = rows[i].dynamic_th,
                                            .xoff_bytes = 1000 * CELL};

        f->chip.threshold = rows[i].threshold;
        start(f);
        config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
        attach_pg(f, 0, 3, profile(f, &config));
        config.is_static = true;
        attach_pg(f, 1, 0, profile(f, &config));
        admit(f, 1, 0, rows[i].others);
        assert_int_equal(fill_to_xoff(f, 0, 3), rows[i].xoff_at);
        assert_null(mmu_check(f->mmu));
    }
}

static void
test_guarantee_comes_first_even_if_the_pool_is_gone(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 7 * CELL - 1,
                                        .xoff_bytes = 3 * CELL};

    config.pool = pool(f, MMU_INGRESS, 100 * CELL, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    config.reserved_bytes = 0;
    config.is_static = true;
    attach_pg(f, 1, 0, profile(f, &config));
    admit(f, 1, 0, 500);
    assert_int_equal(pg_stats(f, 0, 3).limit, 0);
    admit(f, 0, 3, 6);
    assert_false(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 3)));
    admit(f, 0, 3, 1);
    assert_true(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 3)));
    assert_int_equal(pg_stats(f, 0, 3).shared, 0);
    assert_int_equal(fill_to_drop(f, 0, 3, NULL), 4);
}

static void
test_static_thresholds(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 30 * CELL + 100};
    uint32_t id;
    enum mmu_drop why;

    config.pool = pool(f, MMU_INGRESS, 100 * CELL, 0);
    id = profile(f, &config);
    attach_pg(f, 0, 0, id);
    assert_int_equal(fill_to_drop(f, 0, 0, &why), 31);
    assert_int_equal(why, MMU_INGRESS_PG);
    /* A threshold of zero is none, and then even the pool is no limit. */
    config.static_bytes = 0;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    admit(f, 0, 0, 300);
    assert_int_equal(pg_stats(f, 0, 0).limit, UNLIMITED);
    f->chip.static_zero_blocks = true;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    assert_int_equal(offer(f, 0, 0), MMU_INGRESS_PG);
}

static void
test_special_alphas(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.dynamic_th = -8};
    uint32_t id;

    f->chip.alpha_exponents[-8 + 128] = CHIP_ALPHA_ZERO;
    f->chip.alpha_exponents[7 + 128] = CHIP_ALPHA_UNLIMITED;
    config.pool = pool(f, MMU_INGRESS, 100 * CELL, 0);
    id = profile(f, &config);
    attach_pg(f, 0, 0, id);
    assert_int_equal(offer(f, 0, 0), MMU_INGRESS_PG);
    config.dynamic_th = 7;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    admit(f, 0, 0, 1000);
    /* The ends of the range neither overflow nor trap. */
    for (int n = -128; n <= 127; n++) {
        config.dynamic_th = n;
        assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
        offer(f, 0, 0);
    }
    config.dynamic_th = 128;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_INVALID);
}

/* TD2: first drop at 8 + min{u: u >= floor(8 * (35225 + 2 - u))} + 1; TD3:
 * without the lag, floor(8 * 126332 / 9) + 7 + 1. */
static void
test_lossy_queue_drops(void **state)
{
    static const struct {
        uint32_t cell_bytes;
        uint32_t lag;
        uint64_t pool_bytes;
        uint64_t queue_bytes;
        uint64_t drop_at;
    } rows[] = {
        {208, 2, 7326924, 1518, 31322},
        {208, 2, 9243812 / 4, 1518, 9887},
        {256, 0, 32340992, 1792, 112303},
    };
    struct fixture *f = *state;

    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct mmu_profile_config config = {
            .reserved_bytes = rows[i].queue_bytes, .dynamic_th = 3};
        enum mmu_drop why;

        f->chip.cell_bytes = rows[i].cell_bytes;
        f->chip.memory_bytes = UINT64_C(1) << 26;
        f->chip.egress_lag_cells = rows[i].lag;
        f->chip.egress_threshold = rows[i].lag
                                       ? CHIP_THRESHOLD_CHARGE_THEN_CHECK
                                       : CHIP_THRESHOLD_CHECK_THEN_CHARGE;
        start(f);
        config.pool = pool(f, MMU_EGRESS, rows[i].pool_bytes, 0);
        attach_queue(f, PORTS - 1, 0, profile(f, &config));
        assert_int_equal(fill_to_drop(f, 0, 0, &why), rows[i].drop_at);
        assert_int_equal(why, MMU_EGRESS_QUEUE);
        assert_int_equal(queue_stats(f, PORTS - 1, 0).dropped_packets, 1);
        assert_int_equal(queue_stats(f, PORTS - 1, 0).dropped_bytes, LENGTH);
        assert_int_equal(pg_stats(f, 0, 0).dropped_packets, 0);
        assert_int_equal(pg_stats(f, 0, 0).packets, rows[i].drop_at);
    }
}

/* The egress side refuses: the ingress side must not have been charged. */
static void
test_both_sides_or_none(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 5 * CELL};
    uint32_t in = pool(f, MMU_INGRESS, 100 * CELL, 0);

    config.pool = pool(f, MMU_EGRESS, 100 * CELL, 0);
    attach_queue(f, PORTS - 1, 0, profile(f, &config));
    config.pool = in;
    config.static_bytes = 50 * CELL;
    attach_pg(f, 0, 0, profile(f, &config));
    assert_int_equal(fill_to_drop(f, 0, 0, NULL), 6);
    assert_int_equal(pg_stats(f, 0, 0).shared, 5);
    assert_int_equal(pool_stats(f, in).shared, 5);
    assert_int_equal(mmu_used_cells(f->mmu), 5);
}

static void
test_without_profile_only_unclaimed_memory_serves(void **state)
{
    struct fixture *f = *state;
    uint32_t a;
    enum mmu_drop why;
    struct mmu_pool_config config = {.direction = MMU_INGRESS,
                                     .size_bytes = 12000 * CELL};

    assert_int_equal(mmu_unclaimed_cells(f->mmu, MMU_INGRESS), 20000);
    a = pool(f, MMU_INGRESS, 19000 * CELL, 0);
    pool(f, MMU_EGRESS, 15000 * CELL, 0);
    pool(f, MMU_EGRESS, 12000 * CELL, 0);
    assert_int_equal(mmu_unclaimed_cells(f->mmu, MMU_INGRESS), 1000);
    /* Egress pools overlap. */
    assert_int_equal(mmu_unclaimed_cells(f->mmu, MMU_EGRESS), 5000);
    assert_int_equal(fill_to_drop(f, 0, 0, &why), 1001);
    assert_int_equal(why, MMU_NO_BUFFER);
    assert_false(mmu_pg_is_xoff(f->mmu, pg_id(f, 0, 0)));
    assert_int_equal(pool_stats(f, a).shared, 0);
    assert_int_equal(pg_stats(f, 0, 0).guarantee, 0);
    assert_int_equal(mmu_pool_set(f->mmu, a, &config, NULL), ST_OK);
    assert_int_equal(fill_to_drop(f, 0, 0, &why), 4001);
    assert_int_equal(why, MMU_EGRESS_QUEUE);
}

static void
test_memory_is_finite(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true};
    enum mmu_drop why;
    uint32_t packet;
    uint64_t n = 0;

    config.pool = pool(f, MMU_INGRESS, 30000 * CELL, 0);
    attach_pg(f, 0, 0, profile(f, &config));
    assert_int_equal(fill_to_drop(f, 0, 0, &why), 20001);
    assert_int_equal(why, MMU_NO_BUFFER);
    assert_int_equal(mmu_used_cells(f->mmu), 20000);

    /* Again, with packets of two cells, which leave descriptors over that were
     * used before, and limits on neither side. */
    drain(f, 20000);
    config.pool = pool(f, MMU_EGRESS, 40000 * CELL, 0);
    attach_queue(f, PORTS - 1, 0, profile(f, &config));
    do {
        why =
            mmu_enqueue(f->mmu, pg_id(f, 0, 0),
                        mmu_queue_id(f->mmu, PORTS - 1, 0), CELL + 1, &packet);
        n++;
    } while (why == MMU_ADMITTED);
    assert_int_equal(n, 10001);
    assert_int_equal(why, MMU_NO_BUFFER);
    assert_int_equal(mmu_used_cells(f->mmu), 20000);
}

static void
test_watermarks_restart_at_the_present(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 5 * CELL,
                                        .is_static = true,
                                        .static_bytes = 20 * CELL,
                                        .xoff_bytes = 10 * CELL};
    uint32_t in = pool(f, MMU_INGRESS, 1000 * CELL, 100 * CELL);

    config.pool = in;
    attach_pg(f, 0, 3, profile(f, &config));
    config.pool = pool(f, MMU_EGRESS, 1000 * CELL, 0);
    config.static_bytes = 900 * CELL;
    config.xoff_bytes = 0;
    attach_queue(f, PORTS - 1, 0, profile(f, &config));
    admit(f, 0, 3, 5);
    assert_int_equal(pg_stats(f, 0, 3).shared_watermark, 0);
    assert_int_equal(pg_stats(f, 0, 3).total_watermark, 5);
    assert_int_equal(pool_stats(f, in).shared_watermark, 0);
    admit(f, 0, 3, 30);
    assert_int_equal(offer(f, 0, 3), MMU_HEADROOM);
    drain(f, 18);
    assert_int_equal(pg_stats(f, 0, 3).shared_watermark, 20);
    assert_int_equal(pg_stats(f, 0, 3).headroom_watermark, 10);
    assert_int_equal(pg_stats(f, 0, 3).total_watermark, 35);
    assert_int_equal(queue_stats(f, PORTS - 1, 0).shared_watermark, 30);
    assert_int_equal(queue_stats(f, PORTS - 1, 0).total_watermark, 35);
    assert_int_equal(pool_stats(f, in).shared_watermark, 20);
    assert_int_equal(pool_stats(f, in).headroom_watermark, 10);
    mmu_pg_clear_watermarks(f->mmu, pg_id(f, 0, 3), MMU_WATERMARK_SHARED);
    assert_int_equal(pg_stats(f, 0, 3).shared_watermark, 12);
    assert_int_equal(pg_stats(f, 0, 3).headroom_watermark, 10);
    mmu_pg_clear_watermarks(f->mmu, pg_id(f, 0, 3), MMU_WATERMARK_HEADROOM);
    assert_int_equal(pg_stats(f, 0, 3).headroom_watermark, 0);
    assert_int_equal(pg_stats(f, 0, 3).total_watermark, 35);
    mmu_pg_clear_watermarks(f->mmu, pg_id(f, 0, 3), MMU_WATERMARK_TOTAL);
    assert_int_equal(pg_stats(f, 0, 3).total_watermark, 17);
    assert_int_equal(pg_stats(f, 0, 3).shared_watermark, 12);
    mmu_queue_clear_watermarks(f->mmu, mmu_queue_id(f->mmu, PORTS - 1, 0),
                               MMU_WATERMARK_ALL);
    assert_int_equal(queue_stats(f, PORTS - 1, 0).shared_watermark, 12);
    assert_int_equal(queue_stats(f, PORTS - 1, 0).total_watermark, 17);
    mmu_pool_clear_watermarks(f->mmu, in, MMU_WATERMARK_ALL);
    assert_int_equal(pool_stats(f, in).shared_watermark, 12);
    assert_int_equal(pool_stats(f, in).headroom_watermark, 0);
}

static void
test_copies_are_charged_once_at_ingress(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 4 * CELL};
    uint32_t queues[3];
    enum mmu_drop drops[3];
    struct mmu_departure departure;
    uint32_t first = MMU_NONE;
    uint32_t packet = MMU_NONE;

    config.pool = pool(f, MMU_EGRESS, 100 * CELL, 0);
    attach_queue(f, 11, 0, profile(f, &config));
    for (uint32_t i = 0; i < 3; i++) {
        queues[i] = mmu_queue_id(f->mmu, 10 + i, 0);
    }
    for (int i = 0; i < 6; i++) {
        uint32_t n = mmu_enqueue_copies(f->mmu, pg_id(f, 0, 0), queues, 3,
                                        LENGTH, &packet, drops);

        assert_int_equal(n, i < 4 ? 3 : 2);
        assert_int_equal(drops[1], i < 4 ? MMU_ADMITTED : MMU_EGRESS_QUEUE);
        first = i ? first : packet;
        assert_null(mmu_check(f->mmu));
    }
    assert_int_equal(mmu_used_cells(f->mmu), 6);
    assert_int_equal(pg_stats(f, 0, 0).shared, 6);
    assert_int_equal(queue_stats(f, 11, 0).shared, 4);
    assert_int_equal(queue_stats(f, 11, 0).dropped_packets, 2);
    for (int i = 0; i < 3; i++) {
        assert_true(mmu_dequeue(f->mmu, queues[i], &departure));
        assert_int_equal(departure.packet, first);
        assert_int_equal(departure.is_last, i == 2);
        assert_int_equal(mmu_used_cells(f->mmu), i == 2 ? 5 : 6);
    }
    /* No queue takes it: nothing is charged. */
    assert_int_equal(mmu_enqueue_copies(f->mmu, pg_id(f, 0, 0), &queues[1], 1,
                                        LENGTH, &packet, drops),
                     1);
    assert_int_equal(mmu_enqueue_copies(f->mmu, pg_id(f, 0, 0), &queues[1], 1,
                                        LENGTH, &packet, drops),
                     0);
    assert_int_equal(mmu_used_cells(f->mmu), 6);
}

/* The caller's number stays with a packet, also if it has copies, and is that
 * of each packet that has the index later. */
static void
test_callers_number_stays_with_the_packet(void **state)
{
    struct fixture *f = *state;
    const uint32_t queues[] = {mmu_queue_id(f->mmu, 3, 1),
                               mmu_queue_id(f->mmu, 4, 1)};
    struct mmu_departure departure;
    enum mmu_drop drops[2];
    uint32_t packet;

    for (uint32_t user = 70; user < 73; user++) {
        assert_int_equal(
            mmu_admit(f->mmu, pg_id(f, 0, 0), queues[0], LENGTH, user),
            MMU_ADMITTED);
    }
    assert_int_equal(mmu_user(f->mmu, mmu_queue_head(f->mmu, queues[0])), 70);
    for (uint32_t user = 70; user < 73; user++) {
        assert_true(mmu_dequeue(f->mmu, queues[0], &departure));
        assert_int_equal(departure.user, user);
        assert_true(departure.is_last);
    }
    assert_int_equal(mmu_enqueue_copies(f->mmu, pg_id(f, 0, 0), queues, 2,
                                        LENGTH, &packet, drops),
                     2);
    assert_int_equal(mmu_user(f->mmu, packet), 0);
    mmu_set_user(f->mmu, packet, UINT32_MAX);
    for (int i = 1; i >= 0; i--) {
        assert_true(mmu_dequeue(f->mmu, queues[i], &departure));
        assert_int_equal(departure.user, UINT32_MAX);
        assert_int_equal(departure.packet, packet);
    }
    assert_int_equal(
        mmu_enqueue(f->mmu, pg_id(f, 0, 0), queues[0], LENGTH, &packet),
        MMU_ADMITTED);
    assert_true(mmu_dequeue(f->mmu, queues[0], &departure));
    assert_int_equal(departure.user, 0);
}

/* PGs and queues take memory when they are used, once, and not again after
 * their port was removed. */
static void
test_memory_is_for_what_is_used(void **state)
{
    struct fixture *f = *state;
    struct mmu_memory before;
    struct mmu_memory after;
    struct mmu_departure departure;
    uint32_t packet;

    mmu_memory(f->mmu, &before);
    assert_int_equal(before.packets, 0);
    assert_true(before.hot + before.cold <= before.reserved);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 0, 0),
                                     mmu_queue_id(f->mmu, 5, 2), LENGTH,
                                     &packet),
                         MMU_ADMITTED);
        assert_true(
            mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, 5, 2), &departure));
        mmu_memory(f->mmu, &after);
        assert_int_equal(after.hot - before.hot, 2 * 64);
        assert_int_equal(after.packets, 32);
    }
    assert_int_equal(mmu_port_remove(f->mmu, 5), ST_OK);
    assert_int_equal(mmu_port_add(f->mmu, 5, 0), ST_OK);
    assert_int_equal(queue_stats(f, 5, 2).packets, 0);
    assert_false(mmu_dequeue(f->mmu, mmu_queue_id(f->mmu, 5, 2), &departure));
    assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 5, 1),
                                 mmu_queue_id(f->mmu, 5, 3), LENGTH, &packet),
                     MMU_ADMITTED);
    mmu_memory(f->mmu, &after);
    assert_int_equal(after.hot - before.hot, 3 * 64);
    assert_null(mmu_check(f->mmu));
}

/* The lag of a pool's counter is for queues of that pool: a queue without a
 * profile gets no more than the unclaimed memory. */
static void
test_lag_does_not_extend_the_unclaimed_memory(void **state)
{
    struct fixture *f = *state;
    const uint64_t unclaimed = mmu_unclaimed_cells(f->mmu, MMU_EGRESS);
    uint32_t packet;
    uint64_t n = 0;

    f->chip.egress_lag_cells = 2;
    f->chip.threshold = CHIP_THRESHOLD_CHECK_THEN_CHARGE;
    start(f);
    pool(f, MMU_EGRESS, 100 * CELL, 0);
    while (mmu_enqueue(f->mmu, pg_id(f, 0, 0), mmu_queue_id(f->mmu, 1, 0),
                       LENGTH, &packet) == MMU_ADMITTED) {
        n++;
    }
    assert_int_equal(n, unclaimed - 100);
}

/* A copy needs a descriptor of its own: without one it is lost at egress. */
static void
test_copies_without_descriptors_are_dropped(void **state)
{
    struct fixture *f = *state;
    uint32_t queues[3];
    enum mmu_drop drops[3];
    uint32_t packet = MMU_NONE;

    mmu_destroy(f->mmu);
    f->mmu = mmu_create(&f->chip, &(struct mmu_options){.packets = 2});
    for (uint32_t i = 0; i < PORTS; i++) {
        assert_int_equal(mmu_port_add(f->mmu, i, 0), ST_OK);
    }
    for (uint32_t i = 0; i < 3; i++) {
        queues[i] = mmu_queue_id(f->mmu, 10 + i, 0);
    }
    assert_int_equal(mmu_enqueue_copies(f->mmu, pg_id(f, 0, 0), queues, 3,
                                        LENGTH, &packet, drops),
                     2);
    assert_int_equal(drops[2], MMU_EGRESS_QUEUE);
    assert_int_equal(queue_stats(f, 12, 0).dropped_packets, 1);
    assert_int_equal(queue_stats(f, 12, 0).dropped_bytes, LENGTH);
    assert_int_equal(mmu_port_drops(f->mmu, 12, MMU_EGRESS_QUEUE), 1);
    assert_int_equal(queue_stats(f, 11, 0).dropped_packets, 0);
    /* None for a packet at all: lost at ingress. */
    assert_int_equal(offer(f, 0, 0), MMU_NO_BUFFER);
}

static void
test_large_packets_take_many_cells(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .reserved_bytes = 4 * CELL,
                                        .static_bytes = 8 * CELL,
                                        .xoff_bytes = 12 * CELL};
    uint32_t queue = mmu_queue_id(f->mmu, 1, 0);
    uint32_t packet;

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    /* 6 cells each: 4 + 2, then 6 (which reach the limit), then headroom. */
    assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 0, 3), queue, 1500, &packet),
                     MMU_ADMITTED);
    assert_int_equal(pg_stats(f, 0, 3).reserved, 4);
    assert_int_equal(pg_stats(f, 0, 3).shared, 2);
    assert_false(pg_stats(f, 0, 3).is_xoff);
    assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 0, 3), queue, 1500, &packet),
                     MMU_ADMITTED);
    assert_true(pg_stats(f, 0, 3).is_xoff);
    assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 0, 3), queue, 1500, &packet),
                     MMU_ADMITTED);
    assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 0, 3), queue, 1500, &packet),
                     MMU_ADMITTED);
    assert_int_equal(pg_stats(f, 0, 3).headroom, 12);
    assert_int_equal(mmu_enqueue(f->mmu, pg_id(f, 0, 3), queue, 1, &packet),
                     MMU_HEADROOM);
}

static void
test_cells_of_packets(void **state)
{
    static const uint32_t cells[] = {1, 64, 127, 208, 254, 256, 420};
    struct fixture *f = *state;
    uint32_t packet;
    uint64_t before;

    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        f->chip.cell_bytes = cells[i];
        f->chip.memory_bytes = UINT64_C(1) << 28;
        for (uint32_t overhead = 0; overhead < 60; overhead += 48) {
            f->chip.packet_overhead_bytes = overhead;
            start(f);
            for (uint32_t length = 1; length < 9300; length += 7) {
                before = mmu_used_cells(f->mmu);
                assert_int_equal(mmu_enqueue(f->mmu, 0, 0, length, &packet),
                                 MMU_ADMITTED);
                assert_int_equal(mmu_used_cells(f->mmu) - before,
                                 (length + overhead + cells[i] - 1) / cells[i]);
            }
        }
    }
}

static void
test_absolute_xon(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 10 * CELL,
                                        .is_static = true,
                                        .static_bytes = 50 * CELL,
                                        .xoff_bytes = 10 * CELL,
                                        .xon_bytes = 10 * CELL};

    f->chip.xon = CHIP_XON_ABSOLUTE;
    start(f);
    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    assert_int_equal(fill_to_xoff(f, 0, 3), 60);
    drain(f, 49);
    assert_true(pg_stats(f, 0, 3).is_xoff);
    drain(f, 1);
    assert_false(pg_stats(f, 0, 3).is_xoff);
}

/* Headroom must be empty, however low the shared level and the offset are. */
static void
test_xoff_holds_while_headroom_is_used(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {
        .is_static = true, .static_bytes = 50 * CELL, .xoff_bytes = 10 * CELL};

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    admit(f, 0, 3, 53);
    drain(f, 2);
    assert_true(pg_stats(f, 0, 3).is_xoff);
    drain(f, 1);
    assert_false(pg_stats(f, 0, 3).is_xoff);
}

static void
test_threshold_change_is_judged_at_once(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 50 * CELL,
                                        .xoff_bytes = 10 * CELL,
                                        .xon_offset_bytes = 5 * CELL};
    uint32_t id;

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    id = profile(f, &config);
    attach_pg(f, 0, 3, id);
    admit(f, 0, 3, 50);
    assert_true(pg_stats(f, 0, 3).is_xoff);
    config.static_bytes = 100 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    assert_false(pg_stats(f, 0, 3).is_xoff);
    assert_int_equal(f->n_flows, 2);
    assert_int_equal(f->last_pg, pg_id(f, 0, 3));
    assert_false(f->last_xoff);
}

static void
test_detached_cells_drain_from_their_pool(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .reserved_bytes = 5 * CELL,
                                        .static_bytes = 20 * CELL,
                                        .xoff_bytes = 10 * CELL};
    uint32_t a = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    uint32_t b = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    uint32_t in_a;
    uint32_t in_b;

    config.pool = a;
    in_a = profile(f, &config);
    config.pool = b;
    in_b = profile(f, &config);
    attach_pg(f, 0, 3, in_a);
    admit(f, 0, 3, 30);
    assert_true(pg_stats(f, 0, 3).is_xoff);
    attach_pg(f, 0, 3, in_b);
    assert_false(pg_stats(f, 0, 3).is_xoff);
    assert_int_equal(pool_stats(f, a).shared, 20);
    assert_int_equal(pool_stats(f, b).shared, 0);
    admit(f, 0, 3, 7);
    assert_int_equal(pool_stats(f, b).shared, 2);
    assert_int_equal(pg_stats(f, 0, 3).shared, 22);
    assert_null(mmu_check(f->mmu));
    attach_pg(f, 0, 3, MMU_NONE);
    admit(f, 0, 3, 1);
    /* The profiles can go, and so can the pool that still drains. */
    assert_int_equal(mmu_profile_remove(f->mmu, in_a, NULL), ST_OK);
    assert_int_equal(mmu_pool_remove(f->mmu, a, NULL), ST_OK);
    assert_null(mmu_check(f->mmu));
    assert_int_not_equal(pool(f, MMU_INGRESS, CELL, 0), a);
    drain(f, 30);
    assert_int_equal(pool(f, MMU_INGRESS, CELL, 0), a);
    assert_int_equal(pool_stats(f, b).shared, 2);
    drain(f, 8);
    assert_int_equal(pool_stats(f, b).shared, 0);
    assert_int_equal(pool_stats(f, b).reserved, 0);
    assert_int_equal(mmu_used_cells(f->mmu), 0);
}

/* They say what the PG had at most, in whichever pool that was. */
static void
test_watermarks_outlast_a_change_of_pool(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {
        .is_static = true, .static_bytes = 20 * CELL, .xoff_bytes = 10 * CELL};
    const uint32_t queue = mmu_queue_id(f->mmu, PORTS - 1, 0);

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    admit(f, 0, 3, 27);
    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    drain(f, 27);
    admit(f, 0, 3, 2);
    assert_int_equal(pg_stats(f, 0, 3).shared_watermark, 20);
    assert_int_equal(pg_stats(f, 0, 3).headroom_watermark, 7);
    assert_int_equal(pg_stats(f, 0, 3).total_watermark, 27);
    mmu_pg_clear_watermarks(f->mmu, pg_id(f, 0, 3), MMU_WATERMARK_ALL);
    assert_int_equal(pg_stats(f, 0, 3).shared_watermark, 2);
    assert_int_equal(pg_stats(f, 0, 3).headroom_watermark, 0);
    /* A queue has no headroom: to clear that of it clears nothing. */
    mmu_queue_clear_watermarks(f->mmu, queue, MMU_WATERMARK_HEADROOM);
    assert_int_equal(queue_stats(f, PORTS - 1, 0).shared_watermark, 27);
    mmu_queue_clear_watermarks(f->mmu, queue, MMU_WATERMARK_SHARED);
    assert_int_equal(queue_stats(f, PORTS - 1, 0).shared_watermark, 2);
}

static void
test_return_to_a_pool_finds_the_old_cells(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .static_bytes = 20 * CELL};
    uint32_t a;
    uint32_t b;

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    a = profile(f, &config);
    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    b = profile(f, &config);
    attach_pg(f, 0, 0, a);
    admit(f, 0, 0, 15);
    for (int i = 0; i < 1000; i++) {
        attach_pg(f, 0, 0, b);
        attach_pg(f, 0, 0, MMU_NONE);
        attach_pg(f, 0, 0, a);
    }
    assert_null(mmu_check(f->mmu));
    assert_int_equal(fill_to_drop(f, 0, 0, NULL), 6);
}

/* XOFF does not survive the way to another pool and back, but what is in
 * headroom still leaves first. */
static void
test_return_to_a_pool_finds_its_headroom(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {
        .is_static = true, .static_bytes = 50 * CELL, .xoff_bytes = 10 * CELL};
    uint32_t lossless;

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    lossless = profile(f, &config);
    attach_pg(f, 0, 3, lossless);
    admit(f, 0, 3, 53);
    assert_int_equal(pg_stats(f, 0, 3).headroom, 3);
    attach_pg(f, 0, 3, MMU_NONE);
    attach_pg(f, 0, 3, lossless);
    assert_false(pg_stats(f, 0, 3).is_xoff);
    drain(f, 2);
    assert_int_equal(pg_stats(f, 0, 3).headroom, 1);
    assert_int_equal(pg_stats(f, 0, 3).shared, 50);
}

static void
test_guarantee_change_moves_cells_between_levels(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.is_static = true,
                                        .reserved_bytes = 5 * CELL,
                                        .static_bytes = 20 * CELL,
                                        .xoff_bytes = 10 * CELL};
    uint32_t id;

    config.pool = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    id = profile(f, &config);
    attach_pg(f, 0, 3, id);
    admit(f, 0, 3, 30);
    config.reserved_bytes = 28 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    assert_int_equal(pg_stats(f, 0, 3).reserved, 28);
    assert_int_equal(pg_stats(f, 0, 3).shared, 0);
    assert_int_equal(pg_stats(f, 0, 3).headroom, 2);
    assert_null(mmu_check(f->mmu));
    config.reserved_bytes = 0;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    assert_int_equal(pg_stats(f, 0, 3).reserved, 0);
    assert_int_equal(pg_stats(f, 0, 3).shared, 28);
    assert_int_equal(pg_stats(f, 0, 3).headroom, 2);
}

static void
test_shared_limit_follows_attachments(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 10 * CELL,
                                        .xoff_bytes = 10 * CELL};
    uint32_t in = pool(f, MMU_INGRESS, 1000 * CELL, 100 * CELL);
    uint32_t id;

    config.pool = in;
    id = profile(f, &config);
    assert_int_equal(pool_stats(f, in).shared_limit, 900);
    attach_pg(f, 0, 3, id);
    attach_pg(f, 0, 4, id);
    attach_pg(f, 0, 4, id);
    assert_int_equal(pool_stats(f, in).shared_limit, 880);
    assert_int_equal(pool_stats(f, in).shared_size, 880);
    config.reserved_bytes = 20 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, id, &config, NULL), ST_OK);
    assert_int_equal(pool_stats(f, in).shared_limit, 860);
    attach_pg(f, 0, 3, MMU_NONE);
    assert_int_equal(pool_stats(f, in).shared_limit, 880);
    assert_int_equal(mmu_port_remove(f->mmu, 0), ST_OK);
    assert_int_equal(pool_stats(f, in).shared_limit, 900);
    assert_int_equal(mmu_profile_remove(f->mmu, id, NULL), ST_OK);
}

static void
test_reservations_fit_the_memory(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.reserved_bytes = 9000 * CELL};
    struct mmu_pool_config shp = {.direction = MMU_INGRESS,
                                  .size_bytes = 20000 * CELL,
                                  .xoff_bytes = 2000 * CELL};
    struct err err = {0};
    uint32_t in = pool(f, MMU_INGRESS, 20000 * CELL, 0);
    uint32_t id;
    uint32_t small;

    config.pool = in;
    id = profile(f, &config);
    config.reserved_bytes = 2000 * CELL;
    small = profile(f, &config);
    attach_pg(f, 0, 0, id);
    attach_pg(f, 1, 0, id);
    assert_int_equal(mmu_pg_attach(f->mmu, pg_id(f, 2, 0), id, &err),
                     ST_NO_RESOURCE);
    assert_string_equal(err.code, "reservations");
    attach_pg(f, 2, 0, small);
    assert_int_equal(mmu_pool_set(f->mmu, in, &shp, NULL), ST_NO_RESOURCE);
    /* A replacement counts as one, not as two. */
    attach_pg(f, 1, 0, small);
    assert_int_equal(mmu_pool_set(f->mmu, in, &shp, NULL), ST_OK);
    config.reserved_bytes = 9000 * CELL;
    assert_int_equal(mmu_profile_set(f->mmu, small, &config, NULL),
                     ST_NO_RESOURCE);
    assert_int_equal(pool_stats(f, in).shared_limit, 20000 - 2000 - 13000);
}

static void
test_wrong_configurations_are_refused(void **state)
{
    struct fixture *f = *state;
    struct mmu_pool_config config = {.direction = MMU_EGRESS, .xoff_bytes = 1};
    struct mmu_profile_config p = {.pool = 5};
    uint32_t in = pool(f, MMU_INGRESS, 1000 * CELL, 0);
    uint32_t out = pool(f, MMU_EGRESS, 1000 * CELL, 0);
    uint32_t id = 77;

    assert_int_equal(mmu_pool_create(f->mmu, &config, &id, NULL), ST_INVALID);
    config = (struct mmu_pool_config){.size_bytes = UINT64_MAX};
    assert_int_equal(mmu_pool_create(f->mmu, &config, &id, NULL), ST_INVALID);
    config = (struct mmu_pool_config){.direction = MMU_EGRESS};
    assert_int_equal(mmu_pool_set(f->mmu, in, &config, NULL), ST_INVALID);
    assert_int_equal(mmu_pool_set(f->mmu, MMU_NONE, &config, NULL), ST_INVALID);
    assert_int_equal(mmu_pool_remove(f->mmu, 31, NULL), ST_INVALID);
    assert_int_equal(mmu_profile_create(f->mmu, &p, &id, NULL), ST_INVALID);
    p = (struct mmu_profile_config){.pool = out, .xoff_bytes = 1};
    assert_int_equal(mmu_profile_create(f->mmu, &p, &id, NULL), ST_INVALID);
    p = (struct mmu_profile_config){.pool = out, .reserved_bytes = UINT64_MAX};
    assert_int_equal(mmu_profile_create(f->mmu, &p, &id, NULL), ST_INVALID);
    assert_int_equal(id, 77);
    p = (struct mmu_profile_config){.pool = out};
    id = profile(f, &p);
    assert_int_equal(mmu_pg_attach(f->mmu, 0, id, NULL), ST_INVALID);
    assert_int_equal(mmu_pg_attach(f->mmu, 0, id + 1, NULL), ST_INVALID);
    assert_int_equal(mmu_pg_attach(f->mmu, MMU_NONE, id, NULL), ST_INVALID);
    assert_int_equal(mmu_queue_attach(f->mmu, MMU_NONE, id, NULL), ST_INVALID);
    assert_int_equal(mmu_queue_attach(f->mmu, 0, id, NULL), ST_OK);
    assert_int_equal(mmu_profile_remove(f->mmu, id, NULL), ST_BUSY);
    assert_int_equal(mmu_pool_remove(f->mmu, out, NULL), ST_BUSY);
    p.pool = in;
    assert_int_equal(mmu_profile_set(f->mmu, id, &p, NULL), ST_INVALID);
    assert_int_equal(mmu_profile_set(f->mmu, id + 1, &p, NULL), ST_INVALID);
    assert_int_equal(mmu_port_add(f->mmu, PORTS, 0), ST_INVALID);
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_EXISTS);
    assert_int_equal(mmu_port_remove(f->mmu, PORTS), ST_NOT_FOUND);
}

static void
test_handles_run_out(void **state)
{
    struct fixture *f = *state;
    struct mmu_pool_config config = {.direction = MMU_INGRESS};
    struct mmu_profile_config p = {.pool = 0};
    uint32_t id = 0;

    f->chip.pools = 3;
    f->chip.profiles = 2;
    start(f);
    for (uint32_t i = 0; i < 3; i++) {
        pool(f, MMU_INGRESS, CELL, 0);
    }
    assert_int_equal(mmu_pool_create(f->mmu, &config, &id, NULL),
                     ST_NO_RESOURCE);
    profile(f, &p);
    profile(f, &p);
    assert_int_equal(mmu_profile_create(f->mmu, &p, &id, NULL), ST_NO_RESOURCE);
}

static void
test_packet_indices_are_used_again(void **state)
{
    struct fixture *f = *state;
    struct mmu_departure departure;
    uint32_t packet;

    mmu_destroy(f->mmu);
    f->mmu = mmu_create(&f->chip, &(struct mmu_options){.packets = 3});
    assert_int_equal(mmu_port_add(f->mmu, 0, 0), ST_OK);
    assert_int_equal(mmu_packet_capacity(f->mmu), 4);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 3; i++) {
            assert_int_equal(mmu_enqueue(f->mmu, 0, 0, LENGTH, &packet),
                             MMU_ADMITTED);
            assert_in_range(packet, 1, 3);
        }
        assert_int_equal(mmu_enqueue(f->mmu, 0, 0, LENGTH, &packet),
                         MMU_NO_BUFFER);
        for (int i = 0; i < 3; i++) {
            assert_true(mmu_dequeue(f->mmu, 0, &departure));
        }
        assert_false(mmu_dequeue(f->mmu, 0, &departure));
    }
}

/* Pools beyond 4 GiB, counted in bytes. */
static void
test_bytes_beyond_32_bits(void **state)
{
    struct fixture *f = *state;
    struct mmu_profile_config config = {.dynamic_th = 0,
                                        .xoff_bytes = UINT64_C(1) << 33};

    f->chip.unit = CHIP_UNIT_BYTE;
    f->chip.cell_bytes = 1;
    f->chip.packet_overhead_bytes = 48;
    f->chip.packet_round_bytes = 16;
    f->chip.memory_bytes = UINT64_C(1) << 34;
    f->chip.shared_limit = (struct chip_shared_limit){.divided = true};
    start(f);
    config.pool = pool(f, MMU_INGRESS, UINT64_C(12) << 30, 0);
    attach_pg(f, 0, 3, profile(f, &config));
    assert_int_equal(pg_stats(f, 0, 3).limit, UINT64_C(12) << 30);
    admit(f, 0, 3, 10);
    assert_int_equal(pg_stats(f, 0, 3).shared, 1120);
    assert_int_equal(pg_stats(f, 0, 3).limit, (UINT64_C(12) << 30) - 1120);
}

static void
test_names_of_drops(void **state)
{
    (void)state;
    assert_string_equal(mmu_drop_name(MMU_ADMITTED), "admitted");
    assert_string_equal(mmu_drop_name(MMU_HEADROOM), "headroom");
    assert_string_equal(mmu_drop_name(MMU_EGRESS_QUEUE), "egress-queue");
    /* The twin reports the same names. */
#define X(member, slug, is_egress)                                             \
    assert_string_equal(mmu_drop_name(MMU_##member), slug);                    \
    assert_int_equal(mmu_drop_is_egress(MMU_##member), is_egress);
    SOFTASIC_DROP_LIST(X)
#undef X
}

#define MMU_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

/* What a watch has seen. */
struct watched {
    struct fixture *f;
    uint32_t n;
    uint32_t pg, queue; /* Of the last packet. */
    uint64_t peak;      /* Of the PG, in cells. */
    uint64_t last;
};

/* A mmu_watch_fn. */
static void
on_packet(void *context, uint32_t pg, uint32_t queue)
{
    struct watched *seen = context;
    struct mmu_pg_stats stats;

    mmu_pg_get(seen->f->mmu, pg, &stats);
    seen->n++;
    seen->pg = pg;
    seen->queue = queue;
    seen->last = stats.reserved + stats.shared + stats.headroom;
    seen->peak = seen->last > seen->peak ? seen->last : seen->peak;
}

static void
test_watch_sees_every_packet(void **state)
{
    struct fixture *f = *state;
    const uint32_t in = pool(f, MMU_INGRESS, 100 * CELL, 0);
    const uint32_t out = pool(f, MMU_EGRESS, 100 * CELL, 0);
    struct watched seen = {.f = f};
    struct mmu_pg_stats stats;
    uint64_t n_slow;

    attach_pg(f, 0, 3,
              profile(f, &(struct mmu_profile_config){.pool = in,
                                                      .is_static = true,
                                                      .static_bytes =
                                                          6 * (uint64_t)CELL}));
    attach_queue(f, PORTS - 1, 0,
                 profile(f, &(struct mmu_profile_config){.pool = out}));
    n_slow = mmu_slow_count(f->mmu);
    mmu_set_watch(f->mmu, on_packet, &seen);
    admit(f, 0, 3, 4);
    assert_int_equal(seen.n, 4);
    assert_int_equal(seen.pg, pg_id(f, 0, 3));
    assert_int_equal(seen.queue, mmu_queue_id(f->mmu, PORTS - 1, 0));
    assert_int_equal(seen.last, 4);
    while (offer(f, 0, 3) == MMU_ADMITTED) {
    }
    mmu_pg_get(f->mmu, seen.pg, &stats);
    assert_int_equal(seen.n, stats.packets); /* Dropped ones as well. */
    assert_int_equal(stats.dropped_packets, 1);
    assert_int_equal(seen.peak, stats.total_watermark);
    assert_false(
        mmu_pass(f->mmu, seen.pg, mmu_queue_id(f->mmu, PORTS - 1, 1), LENGTH));
    drain(f, stats.packets - 1);
    assert_int_equal(seen.last, 0);
    assert_int_equal(seen.n, 2 * stats.packets - 1);
    assert_int_equal(mmu_slow_count(f->mmu) - n_slow, seen.n);

    mmu_set_watch(f->mmu, NULL, NULL);
    admit(f, 0, 3, 1);
    drain(f, 1);
    assert_int_equal(seen.n, 2 * stats.packets - 1);
}

/* Peaks of the fast path have 32 bits, which 8 GB that are counted in bytes
 * exceed: it takes packets below, and no watermark ends there. */
static void
test_watermarks_beyond_32_bits(void **state)
{
    enum { LARGE = 120000, N = 40000 };
    struct fixture *f = *state;
    const uint64_t bytes = UINT64_C(8) << 30;
    struct mmu_pg_stats pg = {0};
    struct mmu_queue_stats queue;
    uint32_t in, out, id, to, packet;
    uint64_t n_slow;

    f->chip.unit = CHIP_UNIT_BYTE;
    f->chip.cell_bytes = 1;
    f->chip.memory_bytes = bytes;
    start(f);
    in = pool(f, MMU_INGRESS, bytes, 0);
    out = pool(f, MMU_EGRESS, bytes, 0);
    attach_pg(f, 0, 3,
              profile(f, &(struct mmu_profile_config){.pool = in,
                                                      .is_static = true,
                                                      .static_bytes = bytes}));
    attach_queue(
        f, PORTS - 1, 0,
        profile(f, &(struct mmu_profile_config){
                       .pool = out, .is_static = true, .static_bytes = bytes}));
    id = pg_id(f, 0, 3);
    to = mmu_queue_id(f->mmu, PORTS - 1, 0);
    admit(f, 0, 3, N); /* Makes the descriptors. */
    drain(f, N);
    n_slow = mmu_slow_count(f->mmu);
    for (uint64_t i = 1; i <= N; i++) {
        assert_int_equal(mmu_enqueue(f->mmu, id, to, LARGE, &packet),
                         MMU_ADMITTED);
        if (i * LARGE <= UINT32_MAX) {
            assert_int_equal(mmu_slow_count(f->mmu), n_slow);
        }
    }
    mmu_pg_get(f->mmu, id, &pg);
    assert_int_equal(pg.shared, (uint64_t)N * LARGE);
    drain(f, N);
    mmu_pg_get(f->mmu, id, &pg);
    mmu_queue_get(f->mmu, to, &queue);
    assert_true(pg.total_watermark > UINT32_MAX);
    assert_int_equal(pg.shared_watermark, (uint64_t)N * LARGE);
    assert_int_equal(pg.total_watermark, (uint64_t)N * LARGE);
    assert_int_equal(queue.total_watermark, (uint64_t)N * LARGE);
    mmu_pg_clear_watermarks(f->mmu, id, MMU_WATERMARK_TOTAL);
    mmu_pg_get(f->mmu, id, &pg);
    assert_int_equal(pg.total_watermark, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        MMU_TEST(test_guarantee_is_size_minus_xoff),
        MMU_TEST(test_partitions_and_shared_headroom),
        MMU_TEST(test_dynamic_thresholds),
        MMU_TEST(test_guarantee_comes_first_even_if_the_pool_is_gone),
        MMU_TEST(test_static_thresholds),
        MMU_TEST(test_special_alphas),
        MMU_TEST(test_lossy_queue_drops),
        MMU_TEST(test_both_sides_or_none),
        MMU_TEST(test_without_profile_only_unclaimed_memory_serves),
        MMU_TEST(test_memory_is_finite),
        MMU_TEST(test_watermarks_restart_at_the_present),
        MMU_TEST(test_copies_are_charged_once_at_ingress),
        MMU_TEST(test_copies_without_descriptors_are_dropped),
        MMU_TEST(test_callers_number_stays_with_the_packet),
        MMU_TEST(test_memory_is_for_what_is_used),
        MMU_TEST(test_lag_does_not_extend_the_unclaimed_memory),
        MMU_TEST(test_large_packets_take_many_cells),
        MMU_TEST(test_cells_of_packets),
        MMU_TEST(test_absolute_xon),
        MMU_TEST(test_xoff_holds_while_headroom_is_used),
        MMU_TEST(test_threshold_change_is_judged_at_once),
        MMU_TEST(test_detached_cells_drain_from_their_pool),
        MMU_TEST(test_watermarks_outlast_a_change_of_pool),
        MMU_TEST(test_return_to_a_pool_finds_the_old_cells),
        MMU_TEST(test_return_to_a_pool_finds_its_headroom),
        MMU_TEST(test_guarantee_change_moves_cells_between_levels),
        MMU_TEST(test_shared_limit_follows_attachments),
        MMU_TEST(test_reservations_fit_the_memory),
        MMU_TEST(test_wrong_configurations_are_refused),
        MMU_TEST(test_handles_run_out),
        MMU_TEST(test_packet_indices_are_used_again),
        MMU_TEST(test_bytes_beyond_32_bits),
        MMU_TEST(test_watch_sees_every_packet),
        MMU_TEST(test_watermarks_beyond_32_bits),
        cmocka_unit_test(test_names_of_drops),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
