/* SPDX-License-Identifier: Apache-2.0 */

/* Admission policies on all chips: random packets and changes of profiles.
 *
 * Two buffers get the same steps.  If one has policy 'dt', and the other the
 * built-in rule, they must be equal after each step: verdicts, XOFF, levels,
 * limits and watermarks.  With any policy all invariants hold (mmu_check()),
 * levels never exceed the memory, and an empty buffer has paused nobody. */

#include <config.h>

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/mmu_setup.h"
#include "twin/chip/yaml/chip_file.h"
#include "twin/mmu/mmu_policy.h"

enum {
    PORTS = 6,
    INDICES = 2, /* A lossless and a lossy PG and queue of each port. */
    STEPS = 1500,
    POOL_BYTES = 600000,
    SHP_BYTES = 60000,
    SPEED_MBPS = 10000,
    STEP_PS = 400000,
};

/* One of the two buffers. */
struct side {
    struct mmu *mmu;
    uint64_t xoffs; /* Digest of all changes of XOFF. */
};

static uint64_t state;
static int64_t now_ps;

static uint32_t
draw(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 33) % n;
}

static int64_t
clock_now(const void *context)
{
    (void)context;
    return now_ps;
}

static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    struct side *side = context;

    side->xoffs = (side->xoffs ^ (pg * 2 + xoff + 1)) * UINT64_C(0x100000001b3);
}

/* The profiles of a side: lossless, lossy, of queues. */
enum { LOSSLESS, LOSSY, QUEUES, N_PROFILES };

static struct mmu_profile_config
profile_config(int which, const uint32_t *pools, bool with_shp, int th)
{
    return (struct mmu_profile_config){
        .pool = pools[which == QUEUES],
        .reserved_bytes = which == LOSSLESS && !with_shp ? 12000 : 2000,
        .dynamic_th = th,
        .xoff_bytes = which == LOSSLESS ? 10000 : 0,
        .xon_bytes = which == LOSSLESS ? 1000 : 0,
        .xon_offset_bytes = which == LOSSLESS ? 2000 : 0};
}

static void
side_begin(struct side *side, const struct chip *chip, bool with_shp,
           const int *th, uint32_t *profiles, uint32_t *pools)
{
    const struct mmu_options options = {.flow = on_flow, .context = side};

    side->xoffs = 1;
    side->mmu = mmu_setup_begin(chip, &options, PORTS, chip->partitions);
    pools[0] = mmu_setup_pool(side->mmu, MMU_INGRESS, POOL_BYTES,
                              with_shp ? SHP_BYTES : 0);
    pools[1] = mmu_setup_pool(side->mmu, MMU_EGRESS, POOL_BYTES, 0);
    for (int i = 0; i < N_PROFILES; i++) {
        const struct mmu_profile_config config =
            profile_config(i, pools, with_shp, th[i]);

        profiles[i] = mmu_setup_profile(side->mmu, &config);
    }
    for (uint32_t port = 0; port < PORTS; port++) {
        mmu_port_set_speed(side->mmu, port, SPEED_MBPS);
        for (uint32_t i = 0; i < INDICES; i++) {
            mmu_setup_attach_pg(side->mmu, port, i, profiles[i]);
            mmu_setup_attach_queue(side->mmu, port, i, profiles[QUEUES]);
        }
    }
}

/* Fails unless both sides are equal. */
static void
assert_equal(const struct side *a, const struct side *b)
{
    assert_int_equal(a->xoffs, b->xoffs);
    assert_int_equal(mmu_used_cells(a->mmu), mmu_used_cells(b->mmu));
    for (uint32_t port = 0; port < PORTS; port++) {
        for (uint32_t i = 0; i < INDICES; i++) {
            const uint32_t pg = mmu_pg_id(a->mmu, port, i);
            const uint32_t queue = mmu_queue_id(a->mmu, port, i);
            struct mmu_pg_stats in[2];
            struct mmu_queue_stats out[2];

            memset(in, 0, sizeof in);
            memset(out, 0, sizeof out);
            mmu_pg_get(a->mmu, pg, &in[0]);
            mmu_pg_get(b->mmu, pg, &in[1]);
            mmu_queue_get(a->mmu, queue, &out[0]);
            mmu_queue_get(b->mmu, queue, &out[1]);
            assert_memory_equal(&in[0], &in[1], sizeof in[0]);
            assert_memory_equal(&out[0], &out[1], sizeof out[0]);
        }
    }
}

/* Takes one step with both sides. */
static void
step(struct side *sides, int n, const uint32_t *profiles, const uint32_t *pools,
     bool with_shp)
{
    const uint32_t what = draw(100);
    const uint32_t from = draw(PORTS);
    const uint32_t to = draw(3) ? 0 : draw(PORTS);
    const uint32_t index = draw(INDICES);
    const uint32_t bytes = 64 + draw(4000);
    const int th = (int)draw(6) - 3;
    const int which = (int)draw(N_PROFILES);
    enum mmu_drop verdicts[2] = {MMU_ADMITTED, MMU_ADMITTED};

    now_ps += STEP_PS;
    for (int i = 0; i < n; i++) {
        struct mmu *mmu = sides[i].mmu;
        const uint32_t queue = mmu_queue_id(mmu, to, index);

        if (what < 66) {
            verdicts[i] =
                mmu_admit(mmu, mmu_pg_id(mmu, from, index), queue, bytes, 0);
        } else if (what < 97) {
            struct mmu_departure departure;

            (void)mmu_dequeue(mmu, queue, &departure);
        } else if (what < 98) {
            (void)mmu_queue_flush(mmu, queue, MMU_FLUSHED);
        } else {
            const struct mmu_profile_config config =
                profile_config(which, pools, with_shp, th);

            assert_int_equal(
                mmu_profile_set(mmu, profiles[which], &config, NULL), ST_OK);
        }
    }
    assert_int_equal(verdicts[0], verdicts[n - 1]);
}

/* Empties the buffer. */
static void
drain(struct side *side)
{
    for (uint32_t port = 0; port < PORTS; port++) {
        (void)mmu_port_flush(side->mmu, port, MMU_FLUSHED);
    }
    assert_int_equal(mmu_used_cells(side->mmu), 0);
    for (uint32_t port = 0; port < PORTS; port++) {
        assert_false(
            mmu_pg_is_xoff(side->mmu, mmu_pg_id(side->mmu, port, LOSSLESS)));
    }
}

/* Runs random steps on 'chip' with 'policy'; 'is_twin': beside the built-in
 * rule. */
static void
run(const struct chip *chip, const struct mmu_policy *policy, bool is_twin,
    uint64_t seed)
{
    struct side sides[2];
    const int n = is_twin ? 2 : 1;
    bool with_shp;
    int th[N_PROFILES];
    uint32_t profiles[N_PROFILES];
    uint32_t pools[2];

    state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    now_ps = 0;
    with_shp = draw(2);
    for (int i = 0; i < N_PROFILES; i++) {
        th[i] = (int)draw(6) - 3;
    }
    for (int i = 0; i < n; i++) {
        side_begin(&sides[i], chip, with_shp, th, profiles, pools);
    }
    mmu_set_policy(sides[0].mmu, policy, clock_now, NULL);
    assert_ptr_equal(mmu_policy(sides[0].mmu), policy);
    for (int i = 0; i < STEPS; i++) {
        step(sides, n, profiles, pools, with_shp);
        if (is_twin) {
            assert_equal(&sides[0], &sides[1]);
        }
        if (i % 16 == 0) {
            mmu_setup_verify(sides[0].mmu);
        }
        if (i == STEPS / 2 && !is_twin) { /* A change under load. */
            mmu_set_policy(sides[0].mmu, NULL, NULL, NULL);
            mmu_set_policy(sides[0].mmu, policy, clock_now, NULL);
        }
    }
    for (int i = 0; i < n; i++) {
        drain(&sides[i]);
        mmu_setup_end(sides[i].mmu);
    }
}

/* Calls 'run' on each chip file. */
static void
each_chip(const struct mmu_policy *policy, bool is_twin)
{
    DIR *folder = opendir(CHIPS_DIR);
    int n = 0;

    assert_non_null(folder);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        const char *dot = strrchr(entry->d_name, '.');
        char path[512];
        struct chip *chip;
        struct err err;

        if (!dot || strcmp(dot, ".yaml")) {
            continue;
        }
        snprintf(path, sizeof path, "%s/%s", CHIPS_DIR, entry->d_name);
        if (chip_file_load_file(path, &chip, &err) != ST_OK) {
            fail_msg("%s: %s", path, err.reason);
        }
        for (uint64_t seed = 1; seed <= 2; seed++) {
            run(chip, policy, is_twin, seed + (uint64_t)n * 100);
        }
        n++;
        chip_file_destroy(chip);
    }
    closedir(folder);
    assert_true(n >= 12);
}

static void
test_dt_is_built_in(void **unused)
{
    (void)unused;
    each_chip(mmu_policy_find("dt"), true);
}

static void
test_invariants(void **unused)
{
    (void)unused;
    for (size_t i = 0; mmu_policy_at(i); i++) {
        each_chip(mmu_policy_at(i), false);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_dt_is_built_in),
        cmocka_unit_test(test_invariants),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
