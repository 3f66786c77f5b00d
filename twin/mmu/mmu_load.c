/* SPDX-License-Identifier: Apache-2.0 */

/* Asks policies.  Which PGs and queues are congested, and how fast each
 * drains. */

#include <config.h>

#include "twin/mmu/mmu_load.h"

#include <stdlib.h>

#include "twin/mmu/mmu_admit.h"
#include "twin/mmu/mmu_policy.h"

enum {
    PS_PER_US = 1000000,
    BITS_PER_BYTE = 8,
};

/* What is known of a PG or queue. */
struct owner_load {
    int64_t since_ps;    /* When its period began. */
    uint64_t left_bytes; /* In this period. */
    uint32_t drain;      /* In the last one; MMU_POLICY_WHOLE: see below. */
    uint32_t counted_1;  /* Where it counts as congested, plus 1; 0: it does
                          * not. */
    bool is_used;        /* It has had packets since 'since_ps'. */
};

struct mmu_load {
    mmu_clock_fn *clock;
    const void *context;
    struct owner_load *owners[2];
    uint32_t *congested[2]; /* By partition and index. */
};

/* Returns the load of the PGs and queues of 'mmu', all idle. */
static struct mmu_load *
load_create(const struct mmu *mmu, mmu_clock_fn *clock, const void *context)
{
    const size_t n_parts =
        (size_t)(mmu->chip->pools + 2) * mmu->chip->partitions;
    struct mmu_load *load = check_calloc(1, sizeof *load);

    load->clock = clock;
    load->context = context;
    for (int i = MMU_INGRESS; i <= MMU_EGRESS; i++) {
        const uint32_t n = i == MMU_INGRESS ? mmu->n_pgs : mmu->n_queues;

        load->owners[i] = check_calloc(n, sizeof *load->owners[i]);
        load->congested[i] = check_calloc(
            n_parts * mmu_owners_per_port(mmu, (enum mmu_direction)i),
            sizeof *load->congested[i]);
    }
    return load;
}

void
mmu_load_destroy__(struct mmu_load *load)
{
    if (load) {
        for (int i = MMU_INGRESS; i <= MMU_EGRESS; i++) {
            free(load->owners[i]);
            free(load->congested[i]);
        }
        free(load);
    }
}

static int64_t
time_of(const struct mmu_load *load)
{
    return load->clock ? load->clock(load->context) : 0;
}

/* Returns where PGs or queues of the index of 'owner' are counted whose account
 * is 'account'. */
static uint32_t
place_of(const struct mmu *mmu, enum mmu_direction direction,
         const struct account *account, uint32_t owner)
{
    const uint32_t n = mmu_owners_per_port(mmu, direction);

    return account->part * n + owner % n;
}

/* Counts 'owner' as congested at 'place_1' - 1; 0: as not congested. */
static void
count_at(struct mmu_load *load, enum mmu_direction direction, uint32_t owner,
         uint32_t place_1)
{
    struct owner_load *one = &load->owners[direction][owner];

    if (one->counted_1) {
        load->congested[direction][one->counted_1 - 1]--;
    }
    if (place_1) {
        load->congested[direction][place_1 - 1]++;
    }
    one->counted_1 = place_1;
}

/* Returns the share of a port of 'speed_mbps' that 'bytes' in 'time_ps' are. */
static uint32_t
share_of(uint64_t bytes, uint32_t speed_mbps, int64_t time_ps)
{
    /* Mb/s are bits per us. */
    const uint64_t most =
        (uint64_t)speed_mbps * (uint64_t)(time_ps / PS_PER_US);
    const uint64_t bits = bytes * BITS_PER_BYTE;

    return bits >= most ? MMU_POLICY_WHOLE
                        : (uint32_t)(bits * MMU_POLICY_WHOLE / most);
}

/* Returns what 'owner' drains at 'now_ps'. */
static uint32_t
drain_at(const struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
         int64_t now_ps)
{
    const struct owner_load *one = &mmu->load->owners[direction][owner];
    const int64_t time_ps = now_ps - one->since_ps;
    const uint32_t port = owner / mmu_owners_per_port(mmu, direction);

    return one->is_used && time_ps >= MMU_POLICY_PERIOD_PS
               ? share_of(one->left_bytes, mmu->ports[port].speed_mbps, time_ps)
               : one->drain;
}

/* Begins a period of 'owner' if the last one is over.  One that was empty has
 * no rate: it may be sent at that of its port; nor does it count anywhere. */
static void
note_rate(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
          uint32_t left_bytes)
{
    struct mmu_load *load = mmu->load;
    struct owner_load *one = &load->owners[direction][owner];
    const int64_t now_ps = time_of(load);
    const uint64_t held = live_account(mmu, direction, owner)->held;

    one->left_bytes += left_bytes;
    if (!one->is_used) {
        *one = (struct owner_load){
            .since_ps = now_ps, .drain = MMU_POLICY_WHOLE, .is_used = true};
    } else if (now_ps - one->since_ps >= MMU_POLICY_PERIOD_PS) {
        one->drain = drain_at(mmu, direction, owner, now_ps);
        one->since_ps = now_ps;
        one->left_bytes = 0;
    }
    if (held == 0) {
        one->is_used = false;
        one->drain = MMU_POLICY_WHOLE;
    }
}

/* Takes note that 'owner' has had a packet, of which 'left_bytes' have left. */
static void
note(struct mmu *mmu, enum mmu_direction direction, uint32_t owner,
     uint32_t left_bytes)
{
    const struct account_table *table = &mmu->accounts[direction];
    const struct account *account = live_account(mmu, direction, owner);
    bool is_congested = false;

    note_rate(mmu, direction, owner, left_bytes);
    if (account->flags & ACCOUNT_ALPHA) {
        const uint64_t shared = account_shared(table, account);
        const uint64_t limit = limit_now(mmu, direction, account);

        is_congested =
            shared && shared >= limit / 10 * MMU_POLICY_CONGESTED +
                                    limit % 10 * MMU_POLICY_CONGESTED / 10;
    }
    count_at(mmu->load, direction, owner,
             is_congested ? place_of(mmu, direction, account, owner) + 1 : 0);
}

void
mmu_load_forget__(struct mmu *mmu, enum mmu_direction direction, uint32_t owner)
{
    count_at(mmu->load, direction, owner, 0);
    mmu->load->owners[direction][owner] = (struct owner_load){0};
}

/* Sets 'congested' and 'drain' of 'view' for 'account' of 'owner', which is
 * live. */
static void
view_load(const struct mmu *mmu, enum mmu_direction direction,
          const struct account *account, uint32_t owner,
          struct mmu_policy_view *view)
{
    const struct mmu_load *load = mmu->load;
    const struct owner_load *one = &load->owners[direction][owner];
    const uint32_t n =
        load->congested[direction][place_of(mmu, direction, account, owner)];

    view->congested = n ? n : 1;
    view->drain = !one->is_used
                      ? MMU_POLICY_WHOLE
                      : drain_at(mmu, direction, owner, time_of(load));
}

/* Policies ------------------------------------------------------------- */

const struct mmu_policy *
mmu_policy(const struct mmu *mmu)
{
    return mmu->policy;
}

/* Returns alpha / (1 + alpha) * 'cells' for alpha = 2^(ALPHA_BITS - shift). */
static uint64_t
alone_cells(uint64_t cells, uint8_t shift)
{
    return (cells << ALPHA_BITS) /
           ((UINT64_C(1) << ALPHA_BITS) + (UINT64_C(1) << shift));
}

uint64_t
mmu_policy_limit__(const struct mmu *mmu, const struct account_table *table,
                   const struct account *account, uint64_t free, uint64_t most)
{
    const struct account_more *more = account_more(table, account);
    const struct part *part = &mmu->parts[account->part];
    const uint64_t shared = account_shared(table, account);
    struct mmu_policy_view view = {
        .shared = shared,
        .size = part->size,
        .room = min_u64(shared + sat_sub(part->size, part->shared), most),
        .dynamic = threshold_cells(free, &more->threshold),
        .alone = alone_cells(part->size, more->threshold.shift),
        .congested = 1,
        .drain = MMU_POLICY_WHOLE,
    };

    if (mmu->load) {
        view_load(mmu, (enum mmu_direction)(table - mmu->accounts), account,
                  more->owner, &view);
    }
    return mmu->policy->limit(&view);
}

void
mmu_report__(struct mmu *mmu, uint32_t pg, uint32_t queue, uint32_t left_bytes)
{
    if (mmu->load) {
        note(mmu, MMU_INGRESS, pg, left_bytes);
        note(mmu, MMU_EGRESS, queue, left_bytes);
    }
    if (mmu->watch) {
        mmu->watch(mmu->watch_context, pg, queue);
    }
}

/* Has the policy, or the built-in rule, decide about all live accounts of
 * 'direction' with dynamic thresholds. */
static void
spread(struct mmu *mmu, enum mmu_direction direction)
{
    struct account_table *table = &mmu->accounts[direction];
    const uint32_t n = direction == MMU_INGRESS ? mmu->n_pgs : mmu->n_queues;

    for (uint32_t owner = 0; owner < n; owner++) {
        struct account *account = live_account(mmu, direction, owner);

        if (account->flags & ACCOUNT_ALPHA) {
            account_more(table, account)->threshold.rule =
                mmu->policy ? ACCOUNT_POLICY : ACCOUNT_DYNAMIC;
            if (direction == MMU_INGRESS) {
                mmu_account_rejudge__(mmu, account);
            }
        }
    }
}

void
mmu_set_policy(struct mmu *mmu, const struct mmu_policy *policy,
               mmu_clock_fn *clock, const void *context)
{
    if (!policy && !mmu->policy) {
        return; /* All switches are created so. */
    }
    mmu_load_destroy__(mmu->load);
    mmu->load =
        policy && policy->measures ? load_create(mmu, clock, context) : NULL;
    mmu->policy = policy;
    mmu->reports = mmu->watch || policy;
    mmu_judge_path__(mmu);
    spread(mmu, MMU_INGRESS);
    spread(mmu, MMU_EGRESS);
}
