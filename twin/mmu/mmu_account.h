/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_ACCOUNT_H
#define ORCHD_TWIN_MMU_MMU_ACCOUNT_H

/* What follows from the cells that an account holds: its levels, and its
 * watermarks.  For the files of the MMU only; the structures are in
 * mmu_state.h. */

#include "twin/mmu/mmu_state.h"

/* The levels of an account. */
static inline uint64_t
account_headroom(const struct account_table *table,
                 const struct account *account)
{
    return account->flags & ACCOUNT_HEADROOM
               ? account_more(table, account)->headroom
               : 0;
}

static inline uint64_t
account_reserved(const struct account *account)
{
    return min_u64(account->held, account->guarantee);
}

static inline uint64_t
account_shared(const struct account_table *table, const struct account *account)
{
    return sat_sub(account->held, account->guarantee) -
           account_headroom(table, account);
}

static inline bool
account_is_live(const struct account *account)
{
    return !(account->flags & ACCOUNT_DRAINS);
}

static inline bool
account_is_xoff(const struct account *account)
{
    return (account->flags & ACCOUNT_XOFF) != 0;
}

/* Adds 'n' shared cells (modulo 2^64, so 'n' may be negative) to all sums over
 * 'account' of 'table'. */
static inline void
account_add_shared(struct mmu *mmu, const struct account_table *table,
                   const struct account *account, uint64_t n)
{
    mmu->parts[account->part].shared += n;
    if (mmu->counts_shares) {
        struct share *share = account_share(mmu, table, account);

        if (share) {
            share->shared += n;
        }
    }
}

/* Changes what 'account' has in headroom, and all sums over it. */
static inline void
account_add_headroom(struct mmu *mmu, const struct account_table *table,
                     struct account *account, uint64_t n)
{
    struct account_more *more = account_more(table, account);

    more->headroom += n;
    account->flags = (uint8_t)((account->flags & ~ACCOUNT_HEADROOM) |
                               (more->headroom ? ACCOUNT_HEADROOM : 0));
    mmu->parts[account->part].headroom += n;
    if (mmu->counts_shares) {
        struct share *share = account_share(mmu, table, account);

        if (share) {
            share->headroom += n;
        }
    }
}

/* Return the level that shared watermarks follow: of an account that holds
 * 'held' and has 'headroom' there, and of a pool. */
static inline uint64_t
account_watermark_level(const struct mmu *mmu, enum mmu_direction direction,
                        const struct account *account, uint64_t held,
                        uint64_t headroom)
{
    return mmu->chip->watermark_with_reserved && direction == MMU_INGRESS
               ? held - headroom
               : sat_sub(held, account->guarantee) - headroom;
}

static inline uint64_t
part_watermark_level(const struct mmu *mmu, const struct part *part)
{
    return mmu->chip->watermark_with_reserved ? part->held - part->headroom
                                              : part->shared;
}

static inline void
raise_to(uint64_t *watermark, uint64_t level)
{
    if (level > *watermark) {
        *watermark = level;
    }
}

/* Updates the watermarks of 'account' from its peak.  Must be called before its
 * guarantee changes. */
static inline void
account_fold(const struct mmu *mmu, enum mmu_direction direction,
             struct account *account)
{
    struct account_more *more =
        account_more(&mmu->accounts[direction], account);

    raise_to(
        &more->shared_watermark,
        account_watermark_level(mmu, direction, account, account->peak, 0));
    if (account->peak > more->total_watermark) {
        more->total_watermark = account->peak;
    }
    account->peak = 0;
}

/* Returns the number of PGs, or queues, of a port. */
static inline uint32_t
mmu_owners_per_port(const struct mmu *mmu, enum mmu_direction direction)
{
    return direction == MMU_INGRESS ? mmu->chip->pgs_per_port
                                    : mmu->chip->queues_per_port;
}

/* Returns the profile of PG or queue 'owner', MMU_NONE if it has none. */
static inline uint32_t
owner_profile(const struct mmu *mmu, enum mmu_direction direction,
              uint32_t owner)
{
    return mmu->accounts[direction].owners[owner].profile_1 - 1;
}

/* Returns the live account of PG or queue 'owner', which is not to be changed
 * if it is NO_ACCOUNT. */
static inline struct account *
live_account(const struct mmu *mmu, enum mmu_direction direction,
             uint32_t owner)
{
    const struct account_table *table = &mmu->accounts[direction];

    return &table->items[table->live[owner]];
}

/* Returns the live account of 'owner', to charge it. */
static inline struct account *
need_account(struct mmu *mmu, enum mmu_direction direction, uint32_t owner)
{
    if (mmu->accounts[direction].live[owner] == NO_ACCOUNT) {
        mmu_account_first__(mmu, direction, owner);
    }
    return live_account(mmu, direction, owner);
}

#endif /* twin/mmu/mmu_account.h */
