/* SPDX-License-Identifier: Apache-2.0 */

/* An array of bits. */

#include <config.h>

#include "orchd/reconcile/lane_set.h"

#include <stddef.h>

bool
lane_set_add(struct lane_set *set, const struct lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        const uint32_t word = lanes->list[i] / 64;
        const uint64_t bit = UINT64_C(1) << lanes->list[i] % 64;

        if (word >= sizeof set->words / sizeof *set->words ||
            set->words[word] & bit) {
            return false;
        }
        set->words[word] |= bit;
    }
    return true;
}

void
lane_set_remove(struct lane_set *set, const struct lanes *lanes)
{
    for (uint32_t i = 0; i < lanes->n; i++) {
        const uint32_t lane = lanes->list[i];

        set->words[lane / 64] &= ~(UINT64_C(1) << lane % 64);
    }
}
