/* SPDX-License-Identifier: Apache-2.0 */

/* Log-linear histograms. */

#include <config.h>

#include "base/histogram.h"

#include <string.h>

#define SUB_BUCKETS (1u << HISTOGRAM_SUB_BITS)

void
histogram_init(struct histogram *histogram)
{
    memset(histogram, 0, sizeof *histogram);
    histogram->min = UINT64_MAX;
}

uint32_t
histogram_bucket(uint64_t value)
{
    uint32_t shift;

    if (value < SUB_BUCKETS) {
        return (uint32_t)value;
    }
    /* The top bit and the next HISTOGRAM_SUB_BITS of 'value' stay. */
    shift = 63 - HISTOGRAM_SUB_BITS - (uint32_t)__builtin_clzll(value);
    return shift * SUB_BUCKETS + (uint32_t)(value >> shift);
}

uint64_t
histogram_low(uint32_t bucket)
{
    const uint32_t shift =
        bucket < 2 * SUB_BUCKETS ? 0 : bucket / SUB_BUCKETS - 1;

    return (uint64_t)(bucket - shift * SUB_BUCKETS) << shift;
}

uint64_t
histogram_high(uint32_t bucket)
{
    return bucket + 1 < HISTOGRAM_N_BUCKETS ? histogram_low(bucket + 1) - 1
                                            : UINT64_MAX;
}

/* Returns a + b, or UINT64_MAX if that is too large. */
static uint64_t
add_limited(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

void
histogram_add(struct histogram *histogram, uint64_t value)
{
    histogram->buckets[histogram_bucket(value)]++;
    histogram->n++;
    histogram->sum = add_limited(histogram->sum, value);
    histogram->min = value < histogram->min ? value : histogram->min;
    histogram->max = value > histogram->max ? value : histogram->max;
}

void
histogram_merge(struct histogram *histogram, const struct histogram *other)
{
    for (uint32_t i = 0; i < HISTOGRAM_N_BUCKETS; i++) {
        histogram->buckets[i] += other->buckets[i];
    }
    histogram->n += other->n;
    histogram->sum = add_limited(histogram->sum, other->sum);
    histogram->min = other->min < histogram->min ? other->min : histogram->min;
    histogram->max = other->max > histogram->max ? other->max : histogram->max;
}

uint64_t
histogram_rank(const struct histogram *histogram, uint64_t rank)
{
    uint64_t seen = 0;

    for (uint32_t i = 0; i < HISTOGRAM_N_BUCKETS; i++) {
        seen += histogram->buckets[i];
        if (seen && seen >= rank) {
            const uint64_t high = histogram_high(i);

            return high < histogram->max ? high : histogram->max;
        }
    }
    return histogram->max;
}
