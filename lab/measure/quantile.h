/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_QUANTILE_H
#define ORCHD_LAB_MEASURE_QUANTILE_H

/* Percentiles with an interval that says how far to trust them.
 *
 * The p-quantile of n samples is the one of rank ceil(p n) (nearest rank).  The
 * number of samples below the true quantile is binomial (n, p) whatever their
 * distribution, so order statistics bound it exactly: the interval from rank l
 * to rank u contains it with probability P(l <= B < u), B ~ binomial(n, p).
 *
 * Reference: H. A. David, H. N. Nagaraja, "Order Statistics", 3rd ed., section
 * 7.1. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Ranks from 1. */
struct quantile_ranks {
    uint64_t rank;
    uint64_t low,
        high; /* With at least the confidence asked for, if 'bounded'. */
    /* Whether n is large enough to bound the quantile on both sides; otherwise
     * 'low' is 1 or 'high' is n, and the true quantile may lie beyond. */
    bool bounded;
};

/* Stores the ranks of the 'p'-quantile (0 < p < 1; 0 and 1 are the extremes) of
 * 'n' (not 0) samples with 'confidence' (0.5..0.9999). */
void quantile_ranks(uint64_t n, double p, double confidence,
                    struct quantile_ranks *ranks);

/* Returns P(B <= k) for B ~ binomial(n, p). */
double quantile_binomial_cdf(uint64_t n, double p, uint64_t k);

#endif /* lab/measure/quantile.h */
