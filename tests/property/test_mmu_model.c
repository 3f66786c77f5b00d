/* SPDX-License-Identifier: Apache-2.0 */

/* Random traffic and configuration of random chips against a slow, obvious
 * buffer.
 *
 * After each step all levels, limits, flow states and verdicts must agree, and
 * mmu_check() must be content.
 *
 * Every step draws from a generator of its own, seeded by the run and by its
 * number, so that steps can be left out without changing the others.  A run
 * that fails is shrunk that way: to the steps that it takes to fail.
 *
 * Usage: test_mmu_model [SEED [RUNS]].  MMU_MODEL_RUNS in the environment is
 * the default of RUNS, for long runs. */

#include <config.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/parse.h"
#include "tests/property/mmu_reference.h"
#include "tests/property/mmu_steps.h"
#include "twin/mmu/mmu_policy.h"

enum { DEFAULT_RUNS = 40 };

static uint64_t flows;

static void
on_flow(void *context, uint32_t pg, bool xoff)
{
    (void)context;
    orch_assert(m.reported[pg] != xoff);
    m.reported[pg] = xoff;
    flows++;
}

static struct charge
sum_of(int direction, int owner)
{
    struct charge sum = {0};

    for (int i = 0; i < m.n_charges[direction]; i++) {
        const struct charge *c = &m.charges[direction][i];

        if (c->owner == owner) {
            sum.total += c->total;
            sum.headroom += c->headroom;
            sum.guarantee += reference_reserved(c);
        }
    }
    return sum;
}

static bool
compare_owners(void)
{
    for (int o = 0; o < OWNERS; o++) {
        struct mmu_pg_stats pg;
        struct mmu_queue_stats queue;
        struct charge in = sum_of(MMU_INGRESS, o);
        struct charge out = sum_of(MMU_EGRESS, o);

        if (!m.live[o / PER_PORT]) {
            continue;
        }
        mmu_pg_get(m.mmu, (uint32_t)o, &pg);
        mmu_queue_get(m.mmu, (uint32_t)o, &queue);
        EXPECT(pg.is_xoff == m.xoff[o]);
        EXPECT(m.reported[o] == m.xoff[o]);
        /* A pool that was removed under load hides the older charges of the
         * reference; levels are then compared by mmu_check() alone. */
        EXPECT(pg.reserved + pg.shared + pg.headroom >= in.total);
        EXPECT(queue.reserved + queue.shared >= out.total);
        if (pg.reserved + pg.shared + pg.headroom == in.total) {
            EXPECT(pg.reserved == in.guarantee);
            EXPECT(pg.headroom == in.headroom);
        }
        EXPECT(pg.shared_watermark >= pg.shared);
        EXPECT(pg.headroom_watermark >= pg.headroom);
        EXPECT(pg.total_watermark >= pg.reserved + pg.shared + pg.headroom);
        EXPECT(pg.total_watermark >= pg.shared_watermark);
        EXPECT(queue.total_watermark >= queue.shared_watermark);
    }
    return true;
}

static bool
compare(void)
{
    const char *wrong = mmu_check(m.mmu);

    if (wrong) {
        if (!steps_quiet) {
            printf("mmu_check: %s\n", wrong);
        }
        return false;
    }
    EXPECT(mmu_used_cells(m.mmu) == reference_memory_used());
    for (int i = 0; i < POOLS; i++) {
        struct mmu_pool_stats stats;
        struct charge sum = {0};
        int direction = (int)m.pools[i].config.direction;

        if (!m.pools[i].exists) {
            continue;
        }
        EXPECT(mmu_pool_get(m.mmu, m.pools[i].handle, &stats) == ST_OK);
        for (int c = 0; c < m.n_charges[direction]; c++) {
            const struct charge *charge = &m.charges[direction][c];

            if (charge->pool == i) {
                sum.total += charge->total;
                sum.headroom += charge->headroom;
                sum.guarantee += reference_reserved(charge);
            }
        }
        EXPECT(stats.shared_limit == reference_pool_limit(direction, i));
        EXPECT(stats.headroom == sum.headroom);
        EXPECT(stats.reserved == sum.guarantee);
        EXPECT(stats.shared == sum.total - sum.headroom - sum.guarantee);
    }
    EXPECT(mmu_unclaimed_cells(m.mmu, MMU_INGRESS) ==
           reference_unclaimed(MMU_INGRESS));
    EXPECT(mmu_unclaimed_cells(m.mmu, MMU_EGRESS) ==
           reference_unclaimed(MMU_EGRESS));
    return compare_owners();
}

/* Drops charges without packets that are not used again. */
static void
collect(void)
{
    for (int d = 0; d < 2; d++) {
        for (int i = 0; i < m.n_charges[d]; i++) {
            const struct charge *c = &m.charges[d][i];
            int last = m.n_charges[d] - 1;

            if (c->packets ||
                (c->owner >= 0 && reference_live_charge(d, c->owner) == i)) {
                continue;
            }
            m.charges[d][i] = m.charges[d][last];
            for (int p = 0; p < m.n_packets; p++) {
                for (int k = 0; k < COPIES; k++) {
                    if (d == MMU_EGRESS && m.packets[p].out[k] == last) {
                        m.packets[p].out[k] = i;
                    }
                }
                if (d == MMU_INGRESS && m.packets[p].in == last) {
                    m.packets[p].in = i;
                }
            }
            m.n_charges[d]--;
            i--;
        }
    }
}

static void
random_chip(void)
{
    static const struct chip_speed_value fast[] = {{400000, 9}};
    struct chip *chip = &m.chip;

    chip_init(chip);
    chip->cell_bytes = (uint32_t[]){1, 64, 208, 256}[reference_random(4)];
    chip->memory_bytes = 40000 + reference_random(200000);
    chip->partitions = (uint32_t)(1 + reference_random(3));
    chip->threshold = (enum chip_threshold)reference_random(3);
    chip->pool_round_bytes = reference_random(2) ? reference_random(999) : 0;
    chip->watermark_with_reserved = reference_random(3) == 0;
    chip->xoff_by_others =
        chip->threshold == CHIP_THRESHOLD_CHARGE_THEN_CHECK &&
        reference_random(2);
    chip->xoff = (enum chip_xoff)reference_random(2);
    chip->egress_threshold = (enum chip_threshold)reference_random(3);
    chip->egress_lag_cells = (uint32_t)reference_random(3);
    chip->pg_guarantee = (enum chip_guarantee)reference_random(3);
    chip->xon = (enum chip_xon)reference_random(3);
    chip->static_zero_blocks = reference_random(3) == 0;
    chip->packet_overhead_bytes =
        reference_random(2) ? (uint32_t)reference_random(60) : 0;
    chip->packet_round_bytes = reference_random(3) ? 1 : 16;
    chip->shared_limit = (struct chip_shared_limit){
        .minus_shp = reference_random(2),
        .minus_pg_size = reference_random(3) == 0,
        .minus_pg_min = reference_random(2),
        .per_port_cells = (uint32_t)reference_random(4),
        .divided = reference_random(3) != 0};
    chip->headroom = reference_random(3) ? CHIP_HEADROOM_PER_PG
                                         : CHIP_HEADROOM_PER_PORT_SHARE;
    chip->headroom_overhead =
        (struct chip_by_speed){.otherwise = 2, .items = fast, .n = 1};
    chip->port_alpha = (enum chip_port_alpha)reference_random(3);
    chip->egress_shared = reference_random(3)
                              ? CHIP_EGRESS_SHARED_OWN_POOL
                              : CHIP_EGRESS_SHARED_INGRESS_SHARED;
    chip->egress_pg_absorbs_queue_min = reference_random(3) == 0;
    chip->voq_cap_bytes = reference_random(3) ? 0 : chip->memory_bytes / 8;
    chip->ports = PORTS;
    chip->pgs_per_port = PER_PORT;
    chip->queues_per_port = PER_PORT;
    chip->pools = 64;
    chip->profiles = PROFILES;
}

static bool
step(void)
{
    uint64_t what = reference_random(100);

    if (what < 52) {
        return step_enqueue();
    }
    if (what < 86) {
        return step_dequeue();
    }
    if (what < 88) {
        return reference_random(2)   ? step_speed()
               : reference_random(3) ? step_extra()
                                     : step_port();
    }
    if (what < 89) {
        return step_port_attach();
    }
    return what < 91 ? step_pool() : what < 95 ? step_profile() : step_attach();
}

/* The first steps make a switch on which there is something to see. */
static bool
setup(int i)
{
    if (i < PORTS * 4) {
        return m.live[i / 4] || step_port();
    }
    return i < SETUP / 4   ? step_pool()
           : i < SETUP / 2 ? step_profile()
                           : step_attach();
}

/* Takes the steps of 'seed' but those that 'skip' has, up to 'n'.  Returns the
 * number of the one that failed, 'n' if none did. */
static int
run(uint64_t seed, const bool *skip, int n)
{
    int failed = n;

    memset(&m, 0, sizeof m);
    m.random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    random_chip();
    memset(m.profile, 0xff, sizeof m.profile);
    memset(m.port_profile, 0xff, sizeof m.port_profile);
    m.mmu = mmu_create(&m.chip, &(struct mmu_options){.flow = on_flow});
    if (reference_random(4) == 0) { /* The same rule by another way. */
        mmu_set_policy(m.mmu, mmu_policy_find("dt"), NULL, NULL);
    }
    for (int i = 0; i < n && failed == n; i++) {
        bool ok = true;

        m.random =
            (seed + (uint64_t)i * 1000003) * UINT64_C(0x9e3779b97f4a7c15) + 1;
        if (!skip[i]) {
            ok = i < SETUP ? setup(i) : step();
        }
        collect();
        if (!ok || !compare()) {
            failed = i;
        }
    }
    mmu_destroy(m.mmu);
    return failed;
}

/* Leaves out of 'skip' what is not needed for a failure at or before step
 * 'last': chunks of steps, then smaller ones. */
static void
shrink(uint64_t seed, bool *skip, int *last)
{
    for (int size = *last / 2; size >= 1; size /= 2) {
        for (int from = 0; from + size <= *last; from += size) {
            bool before[STEPS];
            int failed;

            memcpy(before, skip, sizeof before);
            memset(&skip[from], true, (size_t)size * sizeof skip[0]);
            failed = run(seed, skip, *last + 1);
            if (failed > *last) {
                memcpy(skip, before, sizeof before);
            } else {
                *last = failed;
            }
        }
    }
}

/* Says which steps of the run that failed at 'last' it takes. */
static void
explain(uint64_t seed, bool *skip, int last)
{
    int n = 0;

    steps_quiet = true;
    shrink(seed, skip, &last);
    steps_quiet = false;
    printf("seed %llu, shrunk to steps", (unsigned long long)seed);
    for (int i = 0; i <= last; i++) {
        if (!skip[i]) {
            printf(" %d", i);
            n++;
        }
    }
    printf(" (%d):\n", n);
    (void)run(seed, skip, last + 1);
}

/* Returns whether 'drop' is a verdict that this test can meet. */
static bool
can_happen(int drop)
{
    return drop != MMU_WRED && drop < MMU_FLUSHED;
}

int
main(int argc, char **argv)
{
    static bool skip[STEPS];
    const char *wanted = getenv("MMU_MODEL_RUNS");
    uint64_t seed = 1;
    uint64_t runs = DEFAULT_RUNS;

    if (argc > 3 ||
        (wanted && parse_u64(wanted, 1, UINT32_MAX, &runs) != ST_OK) ||
        (argc > 1 && parse_u64(argv[1], 0, UINT32_MAX, &seed) != ST_OK) ||
        (argc > 2 && parse_u64(argv[2], 1, UINT32_MAX, &runs) != ST_OK)) {
        printf("usage: test_mmu_model [SEED [RUNS]]\n");
        return 2;
    }
    for (uint64_t i = 0; i < runs; i++) {
        int failed = run(seed + i, skip, STEPS);

        if (failed < STEPS) {
            explain(seed + i, skip, failed);
            return 1;
        }
    }
    printf("%llu runs of %d steps from seed %llu agree:",
           (unsigned long long)runs, STEPS, (unsigned long long)seed);
    for (int i = 0; i < MMU_N_DROPS; i++) {
        printf(" %llu %s,", (unsigned long long)steps_verdicts[i],
               mmu_drop_name((enum mmu_drop)i));
        orch_assert(runs < DEFAULT_RUNS || steps_verdicts[i] > 0 ||
                    !can_happen(i));
    }
    orch_assert(runs < DEFAULT_RUNS || steps_passed > 0);
    printf(" %llu changes of XOFF, %llu passed\n", (unsigned long long)flows,
           (unsigned long long)steps_passed);
    return 0;
}
