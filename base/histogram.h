/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_HISTOGRAM_H
#define ORCHD_BASE_HISTOGRAM_H

/* Log-linear histograms of 64-bit values.
 *
 * Values below 32 have a bucket each.  From there each power of two is divided
 * into 32 buckets, so a bucket is at most 1/32 (2^-5) of its lower limit wide.
 * The buckets are the same in all histograms: merging is adding, in any order.
 * Count, sum, smallest and largest value are exact.
 *
 * A histogram takes 15.4 KB: one per group, not one per flow. */

#include <stdint.h>

enum {
    HISTOGRAM_SUB_BITS = 5,
    HISTOGRAM_N_BUCKETS = (64 - HISTOGRAM_SUB_BITS + 1) << HISTOGRAM_SUB_BITS,
};

struct histogram {
    uint64_t n;
    uint64_t sum; /* Stays at UINT64_MAX once it is reached. */
    uint64_t min; /* UINT64_MAX while empty. */
    uint64_t max;
    uint64_t buckets[HISTOGRAM_N_BUCKETS];
};

/* Empties 'histogram'. */
void histogram_init(struct histogram *histogram);

/* Adds 'value', or all values of 'other'. */
void histogram_add(struct histogram *histogram, uint64_t value);
void histogram_merge(struct histogram *histogram,
                     const struct histogram *other);

/* Returns the bucket of 'value', and the smallest and the largest value of
 * 'bucket'. */
uint32_t histogram_bucket(uint64_t value);
uint64_t histogram_low(uint32_t bucket);
uint64_t histogram_high(uint32_t bucket);

/* Returns the value of rank 'rank' (1..n, else it is limited to that): the
 * largest value of its bucket, but not more than the largest of all.  0 if
 * empty. */
uint64_t histogram_rank(const struct histogram *histogram, uint64_t rank);

#endif /* base/histogram.h */
