/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_ADMIT_H
#define ORCHD_TWIN_MMU_MMU_ADMIT_H

/* Admission: applies the thresholds to one packet, without charging it.
 *
 * Both sides use the same rule.  Cells that fit the guarantee are admitted; the
 * rest must fit the account's threshold on the shared part of its partition:
 *
 *   free        = S - U, never below 0 (U: all shared cells of the partition)
 *   flat        limit = alpha * free, or a static number
 *   port        the port's cells stay below its own flat limit, whatever that
 *               of the PG or queue allows
 *   nested      limit = alpha * (alpha_port * free - used_port): 'free'
 *               is replaced by what is left of the port's limit
 *   policy      a policy decides instead of alpha * free (mmu_policy.h)
 *
 * A chip that charges first admits a packet while the threshold is not reached,
 * so it may exceed it by all but one cell of the packet.  A chip that checks
 * first judges the level including the packet; one that checks before does so
 * with the threshold from what is free without the packet.
 *
 * At ingress, cells above the threshold may go to headroom.  That is the PG's
 * own headroom, less what the chip deducts, and within the shared headroom pool
 * if there is one.  On chips whose ports share headroom, it is that of all PGs
 * of the port.
 *
 * The functions are inline, because they are most of the cost of a packet; see
 * mmu_packet.c. */

#include "twin/mmu/mmu_account.h"

/* How the cells of one packet are charged: all but 'rest' to the guarantee. */
struct split {
    uint64_t rest;
    bool to_headroom; /* 'rest' is charged to headroom; else to the shared
                       * part. */
};

static inline bool
account_is_unclaimed(const struct account_table *table,
                     const struct account *account)
{
    return account_more(table, account)->threshold.rule == ACCOUNT_UNCLAIMED;
}

/* Returns the threshold on the shared cells of 'account' if 'free' cells of its
 * partition are free, without the limit of its port.  A policy knows that more
 * than 'most' have no room. */
static inline uint64_t
account_limit(const struct mmu *mmu, const struct account_table *table,
              const struct account *account, uint64_t free, uint64_t most)
{
    const struct threshold *threshold =
        &account_more(table, account)->threshold;

    if (threshold->rule & ACCOUNT_COMPUTED) {
        return threshold_cells(free, threshold);
    }
    return threshold->rule == ACCOUNT_UNCLAIMED
               ? account_shared(table, account) + free
               : mmu_policy_limit__(mmu, table, account, free, most);
}

/* Returns the limit on the cells of the port of 'share' in the pool. */
static inline uint64_t
share_limit(const struct share *share, uint64_t free)
{
    const struct threshold *threshold = &share->threshold;

    return threshold->rule == ACCOUNT_UNCLAIMED
               ? UINT64_MAX
               : threshold_cells(free, threshold);
}

/* Returns account_limit() with the limit of the account's port applied, for the
 * level of the account plus 'cells'. */
static inline uint64_t
account_limit_in_port(const struct mmu *mmu, const struct account_table *table,
                      const struct account *account, uint64_t free,
                      uint64_t cells)
{
    const struct share *share =
        mmu->counts_shares ? account_share(mmu, table, account) : NULL;
    uint64_t limit;
    uint64_t used;
    uint64_t left;
    uint64_t most;

    if (!share || share->threshold.rule == ACCOUNT_UNCLAIMED ||
        account_is_unclaimed(table, account)) {
        return account_limit(mmu, table, account, free, UINT64_MAX);
    }
    limit = share_limit(share, free);
    used = share->shared + cells;
    if (used > limit) {
        return 0;
    }
    left = min_u64(limit - used, ADMIT_MANY_CELLS);
    most = account_shared(table, account) + cells + left;
    if (share->threshold.rule == ACCOUNT_DYNAMIC &&
        (account->flags & ACCOUNT_ALPHA) &&
        mmu->chip->port_alpha == CHIP_PORT_ALPHA_NESTED) {
        return account_limit(mmu, table, account, left, most);
    }
    return min_u64(account_limit(mmu, table, account, free, UINT64_MAX), most);
}

/* Returns whether 'account' may take 'cells' more of the shared part. */
MMU_INLINE bool
shared_fits(const struct mmu *mmu, enum mmu_direction direction,
            const struct account *account, uint64_t cells)
{
    const struct chip *chip = mmu->chip;
    const struct account_table *table = &mmu->accounts[direction];
    const struct part *part = &mmu->parts[account->part];
    bool is_ingress = direction == MMU_INGRESS;
    enum chip_threshold threshold =
        is_ingress ? chip->threshold : chip->egress_threshold;
    bool charges_first = threshold == CHIP_THRESHOLD_CHARGE_THEN_CHECK;
    uint64_t limit;

    if (account_is_unclaimed(table, account)) {
        return part->shared + cells <= part->size;
    }
    /* One call for all rules, so that it is inline. */
    limit = account_limit_in_port(
        mmu, table, account,
        sat_sub(part->size,
                part->shared + (threshold == CHIP_THRESHOLD_CHECK_THEN_CHARGE
                                    ? cells
                                    : 0)),
        charges_first ? 0 : cells);
    return account_shared(table, account) + (charges_first ? 1 : cells) <=
           limit;
}

/* Returns how many of 'cells' do not fit the guarantee of 'account'. */
static inline uint64_t
beyond_guarantee(const struct account *account, uint64_t cells)
{
    return min_u64(cells, sat_sub(account->held + cells, account->guarantee));
}

/* Returns whether the PGs of a port share its headroom. */
static inline bool
headroom_is_shared(const struct mmu *mmu, const struct part *part)
{
    return mmu->chip->headroom == CHIP_HEADROOM_PER_PORT_SHARE &&
           part->headroom_limit != UINT64_MAX;
}

/* Decides whether 'rest' cells may go to the headroom of 'account', whose own
 * headroom is not 0. */
static inline enum mmu_drop
headroom_admit(const struct mmu *mmu, const struct account *account,
               uint64_t own, uint64_t rest)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];
    const struct part *part = &mmu->parts[account->part];

    if (headroom_is_shared(mmu, part)) {
        const struct share *share = account_share(mmu, table, account);

        if (share->headroom + rest > share->headroom_max) {
            return MMU_HEADROOM;
        }
    } else if (account_headroom(table, account) + rest > own) {
        return MMU_HEADROOM;
    }
    return rest <= sat_sub(part->headroom_limit, part->headroom)
               ? MMU_ADMITTED
               : MMU_HEADROOM_POOL;
}

/* Returns why 'cells' do not fit the shared part: the pool is used up, or the
 * port or the account has reached its limit. */
static inline enum mmu_drop
shared_refusal(const struct mmu *mmu, enum mmu_direction direction,
               const struct account *account, uint64_t cells)
{
    const struct account_table *table = &mmu->accounts[direction];
    const struct part *part = &mmu->parts[account->part];
    const struct share *share =
        mmu->counts_shares ? account_share(mmu, table, account) : NULL;
    bool is_ingress = direction == MMU_INGRESS;

    if (part->shared >= part->limit && (account->flags & ACCOUNT_ALPHA)) {
        return is_ingress ? MMU_INGRESS_POOL : MMU_EGRESS_POOL;
    }
    if (share && share->threshold.rule != ACCOUNT_UNCLAIMED &&
        share->shared + cells >
            share_limit(share, sat_sub(part->limit, part->shared))) {
        return is_ingress ? MMU_INGRESS_PORT : MMU_EGRESS_PORT;
    }
    return is_ingress ? MMU_INGRESS_PG : MMU_EGRESS_QUEUE;
}

/* Decides for the ingress side in the order guarantee, shared, headroom. */
MMU_INLINE enum mmu_drop
ingress_admit(const struct mmu *mmu, const struct account *account,
              uint64_t cells, struct split *split)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];
    uint64_t rest = beyond_guarantee(account, cells);
    uint64_t own;

    split->rest = rest;
    split->to_headroom = false;
    /* Whether a packet fits its guarantee is unpredictable; that it needs more
     * and there is no room is rare, and so predicted well. */
    if (shared_fits(mmu, MMU_INGRESS, account, rest) || rest == 0) {
        return MMU_ADMITTED;
    }
    own = account_more(table, account)->headroom_max;
    if (own) {
        enum mmu_drop drop = headroom_admit(mmu, account, own, rest);

        split->to_headroom = drop == MMU_ADMITTED;
        return drop;
    }
    return account_is_unclaimed(table, account)
               ? MMU_NO_BUFFER
               : shared_refusal(mmu, MMU_INGRESS, account, rest);
}

/* Decides for the egress side, which has no headroom.  'is_lossy': the PG has
 * no headroom, so the limit on virtual output queues applies. */
MMU_INLINE enum mmu_drop
egress_admit(const struct mmu *mmu, const struct account *account,
             uint64_t cells, bool is_lossy, struct split *split)
{
    uint64_t rest = beyond_guarantee(account, cells);

    split->rest = rest;
    split->to_headroom = false;
    if (is_lossy && account->held + cells > mmu->voq_max) {
        return MMU_EGRESS_VOQ;
    }
    if (shared_fits(mmu, MMU_EGRESS, account, rest) || rest == 0) {
        return MMU_ADMITTED;
    }
    return account_is_unclaimed(&mmu->accounts[MMU_EGRESS], account)
               ? MMU_EGRESS_QUEUE
               : shared_refusal(mmu, MMU_EGRESS, account, rest);
}

/* Returns the current threshold on the shared cells of 'account'. */
static inline uint64_t
limit_now(const struct mmu *mmu, enum mmu_direction direction,
          const struct account *account)
{
    const struct part *part = &mmu->parts[account->part];

    return account_limit_in_port(mmu, &mmu->accounts[direction], account,
                                 sat_sub(part->limit, part->shared), 0);
}

enum {
    QUIET_BITS = 32,
    QUIET_MAX = 1 << 24, /* Cells; fits when shifted by QUIET_BITS. */
};

/* Returns by how many cells others may grow before 'account', which is below
 * its limit by 'distance', reaches it, if no port has a limit. */
static inline uint64_t
mmu_quiet_cells(const struct account *account, uint64_t distance)
{
    const uint64_t below = min_u64(distance - 1, QUIET_MAX);

    if (account->shift <= ALPHA_BITS) {
        return below >> (ALPHA_BITS - account->shift);
    }
    return account->shift < ALPHA_BITS + QUIET_BITS
               ? below << (account->shift - ALPHA_BITS)
               : UINT64_MAX; /* Others hardly matter. */
}

#endif /* twin/mmu/mmu_admit.h */
