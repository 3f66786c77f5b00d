/* SPDX-License-Identifier: Apache-2.0 */

/* Weighted choice. */

#include <config.h>

#include "twin/forwarding/ecmp.h"

#include <stdlib.h>
#include <string.h>

#include "base/check.h"

/* For products of two 64-bit numbers. */
__extension__ typedef unsigned __int128 wide;

void
ecmp_fini(struct ecmp *ecmp)
{
    free(ecmp->members);
    *ecmp = (struct ecmp){0};
}

/* Returns the position of 'key', or where to insert it. */
static uint32_t
find(const struct ecmp *ecmp, uint64_t key)
{
    uint32_t i = 0;

    while (i < ecmp->n && ecmp->members[i].key < key) {
        i++;
    }
    return i;
}

/* Recomputes the ranges from member 'i' on, and what depends on them. */
static void
add_up(struct ecmp *ecmp, uint32_t i)
{
    uint64_t total;

    for (; i < ecmp->n; i++) {
        ecmp->members[i].end =
            (i ? ecmp->members[i - 1].end : 0) + ecmp->members[i].weight;
    }
    total = ecmp->n ? ecmp->members[ecmp->n - 1].end : 0;
    ecmp->is_even = true;
    for (i = 0; i < ecmp->n; i++) {
        ecmp->is_even &= ecmp->members[i].weight == 1;
    }
    ecmp->inverse = total && total <= UINT32_MAX ? UINT64_MAX / total + 1 : 0;
}

/* Returns 'hash' modulo 'total', which is below 2^32: the fraction of hash /
 * total in 64 bits, times total.  'inverse' is 2^64 / total, rounded up; for 1
 * it has overflowed to 0, which is right.  (Lemire, Kaser and Kurz, "Faster
 * remainder by direct computation", 2019.) */
static uint32_t
remainder_of(uint32_t hash, uint64_t total, uint64_t inverse)
{
    return (uint32_t)((wide)(inverse * hash) * total >> 64);
}

void
ecmp_set(struct ecmp *ecmp, uint64_t key, uint32_t target, uint32_t weight)
{
    const uint32_t at = find(ecmp, key);

    if (at == ecmp->n || ecmp->members[at].key != key) {
        if (ecmp->n == ecmp->size) {
            ecmp->size = ecmp->size ? 2 * ecmp->size : 4;
            ecmp->members = check_realloc(ecmp->members,
                                          ecmp->size * sizeof *ecmp->members);
        }
        memmove(&ecmp->members[at + 1], &ecmp->members[at],
                (ecmp->n - at) * sizeof *ecmp->members);
        ecmp->n++;
    }
    ecmp->members[at] =
        (struct ecmp_member){.key = key, .target = target, .weight = weight};
    add_up(ecmp, at);
}

bool
ecmp_remove(struct ecmp *ecmp, uint64_t key)
{
    const uint32_t at = find(ecmp, key);

    if (at == ecmp->n || ecmp->members[at].key != key) {
        return false;
    }
    ecmp->n--;
    memmove(&ecmp->members[at], &ecmp->members[at + 1],
            (ecmp->n - at) * sizeof *ecmp->members);
    add_up(ecmp, at);
    return true;
}

/* Returns the point of the ranges that 'hash' stands for. */
static uint64_t
point_of(const struct ecmp *ecmp, uint64_t total, uint32_t hash)
{
    const uint64_t step = total >> 32;

    if (total <= UINT32_MAX) {
        return remainder_of(hash, total, ecmp->inverse);
    }
    /* Scales 'hash' to the range without a wider product. */
    return step * hash + ((total & UINT32_MAX) * hash >> 32);
}

uint32_t
ecmp_choose(const struct ecmp *ecmp, uint32_t hash)
{
    const uint64_t total = ecmp->n ? ecmp->members[ecmp->n - 1].end : 0;
    uint64_t point;
    uint32_t low = 0;
    uint32_t high = ecmp->n;

    if (total == 0) {
        return ECMP_NONE;
    }
    point = point_of(ecmp, total, hash);
    if (ecmp->is_even) {
        return ecmp->members[point].target;
    }
    while (low + 1 < high) {
        const uint32_t middle = low + (high - low) / 2;

        if (ecmp->members[middle - 1].end <= point) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return ecmp->members[low].target;
}
