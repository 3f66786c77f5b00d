/* SPDX-License-Identifier: Apache-2.0 */

/* When a PG asserts XOFF, and when it releases it.
 *
 * XOFF begins when admission reaches the threshold, which mmu_packet.c detects.
 * It ends at the resume point.  On some chips that is a fixed level, on some an
 * offset below the threshold at the time of each departure.  On others it is an
 * offset below the threshold at the time when XOFF was asserted: if it
 * were recomputed while the pool drains it would rise, and XON would come too
 * early. All cells in headroom have to leave first, because headroom is above
 * any threshold.
 *
 * On chips with 'xoff_by_others' XOFF also begins when other PGs grow so much
 * that the limit of a PG falls to what it holds.  To look at all PGs after each
 * packet would be slow.  So each partition knows by how many cells it may grow
 * before that can happen to the PG that is nearest to its limit. */

#include <config.h>

#include "twin/mmu/mmu.h"

#include "twin/mmu/mmu_admit.h"
#include "twin/mmu/mmu_state.h"

/* Returns the rest of an ingress account; only these have headroom and XOFF. */
static struct account_more *
ingress_more(const struct mmu *mmu, const struct account *account)
{
    return account_more(&mmu->accounts[MMU_INGRESS], account);
}

/* Computes the resume point of 'account' for a threshold of 'limit'.  The fixed
 * minimum (XON) ensures that a PG whose threshold is below the offset resumes
 * at all. */
static uint64_t
account_resume(const struct mmu *mmu, const struct account *account,
               uint64_t limit)
{
    const uint32_t id =
        owner_profile(mmu, MMU_INGRESS, ingress_more(mmu, account)->owner);
    const struct profile *profile = &mmu->profiles[id];
    uint64_t level = 0;

    if (mmu->chip->xon != CHIP_XON_ABSOLUTE) {
        if (limit == UINT64_MAX) {
            return UINT64_MAX;
        }
        if (limit >= profile->xon_offset) {
            level = account->guarantee + limit - profile->xon_offset;
        }
    }
    return max_u64(level, profile->xon);
}

/* Sets the resume point of 'account' by its limit now.  If it moves with the
 * limit, each departure has to ask: mmu_account_try_release__(). */
static void
set_resume(const struct mmu *mmu, struct account *account)
{
    account->resume =
        mmu->chip->xon == CHIP_XON_RELATIVE
            ? UINT64_MAX
            : account_resume(mmu, account,
                             limit_now(mmu, MMU_INGRESS, account));
}

void
mmu_account_assert__(struct mmu *mmu, struct account *account)
{
    account->flags |= ACCOUNT_XOFF;
    set_resume(mmu, account);
    if (mmu->flow) {
        mmu->flow(mmu->flow_context, ingress_more(mmu, account)->owner, true);
    }
}

void
mmu_account_release__(struct mmu *mmu, struct account *account)
{
    if (account_is_xoff(account)) {
        account->flags &= (uint8_t)~ACCOUNT_XOFF;
        mmu->parts[account->part].quiet = 0; /* It may be at its limit. */
        if (mmu->flow) {
            mmu->flow(mmu->flow_context, ingress_more(mmu, account)->owner,
                      false);
        }
    }
}

void
mmu_account_try_release__(struct mmu *mmu, struct account *account)
{
    uint64_t resume = account->resume;

    if (account->flags & ACCOUNT_HEADROOM) {
        return;
    }
    if (mmu->chip->xon == CHIP_XON_RELATIVE) {
        resume =
            account_resume(mmu, account, limit_now(mmu, MMU_INGRESS, account));
    }
    if (account->held <= resume) {
        mmu_account_release__(mmu, account);
    }
}

void
mmu_account_rejudge__(struct mmu *mmu, struct account *account)
{
    mmu->parts[account->part].quiet = 0;
    if (account_is_xoff(account)) {
        set_resume(mmu, account);
        mmu_account_try_release__(mmu, account);
    }
}

/* By others ------------------------------------------------------------ */

/* Returns whether 'account' asserts XOFF as soon as it is at its limit. */
static bool
may_assert(const struct account *account)
{
    const unsigned int relevant =
        ACCOUNT_DRAINS | ACCOUNT_XOFF | ACCOUNT_LOSSLESS;

    return (account->flags & relevant) == ACCOUNT_LOSSLESS &&
           account->packets && account->held >= account->guarantee;
}

/* The same, where ports may have limits. */
static uint64_t
quiet_cells(const struct mmu *mmu, const struct account *account,
            uint64_t distance)
{
    const uint64_t cells = mmu_quiet_cells(account, distance);

    if (mmu->policy) {
        return 0; /* Its limits may fall by anything. */
    }
    if (!mmu->counts_shares) {
        return cells;
    }
    /* A port's limit falls by what its other PGs take, and faster where it is
     * dynamic. */
    return mmu->chip->port_alpha == CHIP_PORT_ALPHA_NONE
               ? min_u64(cells, min_u64(distance - 1, QUIET_MAX))
               : 0;
}

/* Judges 'account', and returns by how many cells others may grow before it has
 * to be judged again. */
static uint64_t
judge(struct mmu *mmu, struct account *account)
{
    uint64_t limit;
    uint64_t shared;

    if (!may_assert(account)) {
        return UINT64_MAX;
    }
    limit = limit_now(mmu, MMU_INGRESS, account);
    shared = account_shared(&mmu->accounts[MMU_INGRESS], account);
    if (shared < limit) {
        return quiet_cells(mmu, account, limit - shared);
    }
    mmu_account_assert__(mmu, account);
    return UINT64_MAX;
}

/* Judges all PGs of the partition with number 'part', in the order of PGs. */
static void
judge_all(struct mmu *mmu, uint32_t part)
{
    uint64_t quiet = UINT64_MAX;

    for (uint32_t base = 0; base < mmu->n_pgs; base += 64) {
        uint64_t left = mmu->lossless[base / 64];

        for (; left; left &= left - 1) {
            struct account *account = live_account(
                mmu, MMU_INGRESS, base + (uint32_t)__builtin_ctzll(left));

            if (account->part == part) {
                quiet = min_u64(quiet, judge(mmu, account));
            }
        }
    }
    mmu->parts[part].quiet = quiet;
}

void
mmu_xoff_others__(struct mmu *mmu, const struct account *account,
                  uint64_t cells)
{
    const struct account_table *table = &mmu->accounts[MMU_INGRESS];
    struct part *part = &mmu->parts[account->part];

    if (cells > part->quiet) {
        judge_all(mmu, account->part);
        return;
    }
    part->quiet -= cells;
    if (may_assert(account)) {
        const uint64_t limit = limit_now(mmu, MMU_INGRESS, account);
        const uint64_t shared = account_shared(table, account);

        part->quiet = shared < limit
                          ? min_u64(part->quiet,
                                    quiet_cells(mmu, account, limit - shared))
                          : 0;
    }
}
