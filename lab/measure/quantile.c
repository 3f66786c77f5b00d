/* SPDX-License-Identifier: Apache-2.0 */

/* Ranks of percentiles and of their confidence limits. */

#include <config.h>

#include "lab/measure/quantile.h"

#include <math.h>

#include "base/check.h"

/* Returns log P(B = k). */
static double
log_pmf(uint64_t n, double p, uint64_t k)
{
    const double a = (double)n, b = (double)k;

    return lgamma(a + 1) - lgamma(b + 1) - lgamma(a - b + 1) + b * log(p) +
           (a - b) * log1p(-p);
}

/* Returns the sum of P(B = i) for i = k, k + step, ... as long as terms matter;
 * 'k' is on the side of the mean on which they fall. */
static double
sum_tail(uint64_t n, double p, uint64_t k, int step)
{
    double term = exp(log_pmf(n, p, k));
    double sum = 0;

    for (;;) {
        const double i = (double)k;

        sum += term;
        if ((step < 0 && !k) || (step > 0 && k >= n) || term < sum * 1e-17) {
            return sum;
        }
        term *= step < 0 ? i / ((double)n - i + 1) * (1 - p) / p
                         : ((double)n - i) / (i + 1) * p / (1 - p);
        k = step < 0 ? k - 1 : k + 1;
    }
}

double
quantile_binomial_cdf(uint64_t n, double p, uint64_t k)
{
    if (k >= n || p <= 0) {
        return 1;
    }
    if (p >= 1) {
        return 0;
    }
    return (double)k < (double)n * p ? sum_tail(n, p, k, -1)
                                     : 1 - sum_tail(n, p, k + 1, 1);
}

/* Returns the smallest k in 0..n with P(B <= k) >= 'wanted'. */
static uint64_t
binomial_quantile(uint64_t n, double p, double wanted)
{
    uint64_t low = 0, high = n;

    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;

        if (quantile_binomial_cdf(n, p, middle) >= wanted) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    return low;
}

void
quantile_ranks(uint64_t n, double p, double confidence,
               struct quantile_ranks *ranks)
{
    const double tail = (1 - confidence) / 2;
    uint64_t low, high;

    orch_assert(n);
    ranks->rank = (uint64_t)ceil((double)n * p * (1 - 1e-15));
    ranks->rank = ranks->rank < 1 ? 1 : ranks->rank > n ? n : ranks->rank;
    if (p <= 0 || p >= 1) {
        ranks->low = ranks->high = ranks->rank;
        ranks->bounded = false;
        return;
    }
    /* P(B < low) <= tail: low - 1 is below the smallest k with more. */
    low = binomial_quantile(n, p, tail);
    /* P(B >= high) <= tail: P(B <= high - 1) >= 1 - tail. */
    high = binomial_quantile(n, p, 1 - tail) + 1;
    ranks->bounded = low >= 1 && high <= n;
    ranks->low = low < 1 ? 1 : low;
    ranks->high = high > n ? n : high;
}
