/* SPDX-License-Identifier: Apache-2.0 */

/* When a PG asserts XOFF, and when it releases it.
 *
 * XOFF begins when admission reaches the threshold, which mmu_packet.c detects.
 * It ends at the resume point.  On some chips that is a fixed level.  On others
 * it is an offset below the threshold at the time when XOFF was asserted: if it
 * were recomputed while the pool drains it would rise, and XON would come too
 * early. All cells in headroom have to leave first, because headroom is above
 * any threshold. */

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
    const struct pg *pg = &mmu->pgs[ingress_more(mmu, account)->owner];
    const struct profile *profile = &mmu->profiles[pg->profile];
    uint64_t level = 0;

    if (mmu->chip->xon == CHIP_XON_RELATIVE_LATCHED) {
        if (limit == UINT64_MAX) {
            return UINT64_MAX;
        }
        if (limit >= profile->xon_offset) {
            level = account->guarantee + limit - profile->xon_offset;
        }
    }
    return max_u64(level, profile->xon);
}

void
mmu_account_assert__(struct mmu *mmu, struct account *account)
{
    account->is_xoff = true;
    ingress_more(mmu, account)->resume =
        account_resume(mmu, account, limit_now(mmu, MMU_INGRESS, account));
    if (mmu->flow) {
        mmu->flow(mmu->flow_context, ingress_more(mmu, account)->owner, true);
    }
}

void
mmu_account_release__(struct mmu *mmu, struct account *account)
{
    if (account->is_xoff) {
        account->is_xoff = false;
        if (mmu->flow) {
            mmu->flow(mmu->flow_context, ingress_more(mmu, account)->owner,
                      false);
        }
    }
}

void
mmu_account_try_release__(struct mmu *mmu, struct account *account)
{
    if (account->headroom == 0 && account->reserved + account->shared <=
                                      ingress_more(mmu, account)->resume) {
        mmu_account_release__(mmu, account);
    }
}

void
mmu_account_rejudge__(struct mmu *mmu, struct account *account)
{
    if (account->is_xoff) {
        ingress_more(mmu, account)->resume =
            account_resume(mmu, account, limit_now(mmu, MMU_INGRESS, account));
        mmu_account_try_release__(mmu, account);
    }
}
