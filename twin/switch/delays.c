/* SPDX-License-Identifier: Apache-2.0 */

/* The distribution of the times that frames spend in a queue. */

#include <config.h>

#include "twin/switch/delays.h"

#include "base/check.h"
#include "base/histogram.h"
#include "base/picoseconds.h"

enum {
    MAX_BITS = 40, /* Of a time in nanoseconds. */
    N_BUCKETS = (MAX_BITS - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS,
};

#define MAX_NS  ((UINT64_C(1) << MAX_BITS) - 1)
#define MILLION UINT64_C(1000000)

__extension__ typedef unsigned __int128 u128;

struct delays {
    uint64_t buckets[N_BUCKETS];
};

struct delays *
delays_create(void)
{
    return check_calloc(1, sizeof(struct delays));
}

void
delays_add(struct delays *delays, int64_t delay_ps)
{
    const uint64_t ns = (uint64_t)delay_ps / PS_PER_NS;

    delays->buckets[histogram_bucket(ns < MAX_NS ? ns : MAX_NS)]++;
}

int64_t
delays_percentile_ps(const struct delays *delays, uint32_t ppm, int64_t max_ps)
{
    uint64_t n = 0;
    uint64_t below = 0;
    uint64_t rank;

    for (uint32_t i = 0; delays && i < N_BUCKETS; i++) {
        n += delays->buckets[i];
    }
    rank = (uint64_t)(((u128)n * ppm + MILLION - 1) / MILLION);
    for (uint32_t i = 0; n && i < N_BUCKETS; i++) {
        below += delays->buckets[i];
        if (below && below >= rank) {
            const int64_t end_ps =
                ((int64_t)histogram_high(i) + 1) * PS_PER_NS - 1;

            return end_ps < max_ps ? end_ps : max_ps;
        }
    }
    return 0;
}
