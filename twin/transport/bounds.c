/* SPDX-License-Identifier: Apache-2.0 */

/* Compares settings with their ranges. */

#include <config.h>

#include "twin/transport/bounds.h"

enum st
bounds_check(const struct bound *bounds, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct bound *bound = &bounds[i];

        if (bound->value < bound->low || bound->value > bound->high) {
            return err_set(err, ST_INVALID, "range",
                           "%s must be between %lld and %lld, not %lld",
                           bound->field, (long long)bound->low,
                           (long long)bound->high, (long long)bound->value);
        }
    }
    return ST_OK;
}
