/* SPDX-License-Identifier: Apache-2.0 */

/* Zero profiles for the rows of a port, and for what is between them. */

#include <config.h>

#include "orchd/derive/reclaim.h"

#include <string.h>

static uint64_t
mask_of(unsigned int first, unsigned int last)
{
    uint64_t up_to_last = last >= 63 ? UINT64_MAX : (UINT64_C(2) << last) - 1;

    return first > 63 ? 0 : up_to_last & ~((UINT64_C(1) << first) - 1);
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

/* Adds a binding for each run of 'mask'. */
static size_t
bind_mask(uint64_t mask, const char *profile, struct reclaim_binding *bindings)
{
    struct run runs[32];
    size_t n = profile ? runs_of_mask(mask, runs) : 0;

    for (size_t i = 0; i < n; i++) {
        bindings[i] = (struct reclaim_binding){runs[i], profile, false};
    }
    return n;
}

size_t
reclaim_bindings(const struct reclaim_rules *rules,
                 const struct reclaim_row *rows, size_t n,
                 unsigned int n_indices, struct reclaim_binding *bindings)
{
    uint64_t all = n_indices ? mask_of(0, n_indices - 1) : 0;
    size_t n_bindings = 0;

    if (rules->has_ids) {
        return bind_mask(rules->ids & all, rules->profile, bindings);
    }
    for (size_t i = 0; i < n; i++) {
        const char *profile = reclaim_zero_of(rules, rows[i].pool);

        all &= ~mask_of(rows[i].run.first, rows[i].run.last);
        if (profile) {
            bindings[n_bindings++] =
                (struct reclaim_binding){rows[i].run, profile, true};
        }
    }
    return n_bindings + bind_mask(all, rules->profile, bindings + n_bindings);
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
