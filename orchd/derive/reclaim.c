/* SPDX-License-Identifier: Apache-2.0 */

/* Zero profiles for the rows of a port, and for the indices between them. */

#include <config.h>

#include "orchd/derive/reclaim.h"

#include <string.h>

uint64_t
reclaim_mask(struct run run)
{
    uint64_t up_to_last =
        run.last >= 63 ? UINT64_MAX : (UINT64_C(2) << run.last) - 1;

    return run.first > 63 ? 0 : up_to_last & ~((UINT64_C(1) << run.first) - 1);
}

const char *
reclaim_zero_of(const struct reclaim_rules *rules, const char *pool)
{
    for (size_t i = 0; pool && i < rules->n_zeros; i++) {
        if (!strcmp(rules->zeros[i].pool, pool)) {
            return rules->zeros[i].profile;
        }
    }
    return NULL;
}

const char *
reclaim_row(const struct reclaim_rules *rules, struct run run, const char *pool)
{
    if (rules->has_ids) {
        return rules->ids & reclaim_mask(run) ? rules->profile : NULL;
    }
    return reclaim_zero_of(rules, pool);
}

size_t
reclaim_rest(const struct reclaim_rules *rules, uint64_t configured,
             unsigned int n_indices, struct run *runs)
{
    uint64_t all = n_indices ? reclaim_mask((struct run){0, n_indices - 1}) : 0;

    if (!rules->profile) {
        return 0;
    }
    if (rules->has_ids) {
        all &= rules->ids;
    }
    return runs_of_mask(all & ~configured, runs);
}

bool
reclaim_without_removal(const struct reclaim_rules *rules,
                        const char *const *pools, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (!reclaim_zero_of(rules, pools[i])) {
            return false;
        }
    }
    return !rules->has_ids;
}
