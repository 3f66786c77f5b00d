/* SPDX-License-Identifier: Apache-2.0 */

/* The policies. */

#include <config.h>

#include "twin/mmu/mmu_policy.h"

#include <string.h>

#include "twin/mmu/mmu_state.h"

static uint64_t
limit_dt(const struct mmu_policy_view *view)
{
    return view->dynamic;
}

static uint64_t
limit_complete_sharing(const struct mmu_policy_view *view)
{
    return view->room;
}

static uint64_t
limit_static(const struct mmu_policy_view *view)
{
    return min_u64(view->alone, view->room);
}

static uint64_t
limit_abm(const struct mmu_policy_view *view)
{
    const uint64_t each =
        min_u64(view->dynamic, ADMIT_MANY_CELLS - 1) / view->congested;

    return each * view->drain / MMU_POLICY_WHOLE;
}

static const struct mmu_policy policies[] = {
    {"dt", limit_dt, false},
    {"complete_sharing", limit_complete_sharing, false},
    {"static", limit_static, false},
    {"abm", limit_abm, true},
};

const struct mmu_policy *
mmu_policy_at(size_t i)
{
    return i < sizeof policies / sizeof policies[0] ? &policies[i] : NULL;
}

const struct mmu_policy *
mmu_policy_find(const char *name)
{
    size_t i = 0;

    while (mmu_policy_at(i) && strcmp(policies[i].name, name)) {
        i++;
    }
    return mmu_policy_at(i);
}
