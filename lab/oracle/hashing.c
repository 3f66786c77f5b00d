/* SPDX-License-Identifier: Apache-2.0 */

/* Balls into bins. */

#include <config.h>

#include "lab/oracle/hashing.h"

#include <math.h>
#include <stdlib.h>

#include "base/check.h"

double
hashing_expected_used(uint32_t balls, uint32_t bins)
{
    orch_assert(bins);
    return bins * (1 - pow(1 - 1.0 / bins, balls));
}

/* Stores P(X = j) for j = 0..'load' of a Poisson variable with mean 'mean'. */
static void
poisson(double mean, uint32_t load, double *weights)
{
    for (uint32_t j = 0; j <= load; j++) {
        weights[j] = mean > 0 ? exp(j * log(mean) - mean - lgamma(j + 1.0))
                              : (j ? 0 : 1);
    }
}

double
hashing_max_load_cdf(uint32_t balls, uint32_t bins, uint32_t load)
{
    double *weights;
    double *sums; /* P(the bins so far hold s, none more than 'load'). */
    double *next;
    double all;

    orch_assert(bins && bins <= HASHING_MAX_BINS && balls <= HASHING_MAX_BALLS);
    if (load >= balls) {
        return 1;
    }
    if ((uint64_t)load * bins < balls) {
        return 0;
    }
    weights = check_calloc(load + 1u, sizeof *weights);
    sums = check_calloc(balls + 1u, sizeof *sums);
    next = check_calloc(balls + 1u, sizeof *next);
    poisson((double)balls / bins, load, weights);
    sums[0] = 1;
    for (uint32_t bin = 1; bin <= bins; bin++) {
        double *swap = sums;

        for (uint32_t s = 0; s <= balls; s++) {
            const uint32_t last = load < s ? load : s;

            next[s] = 0;
            for (uint32_t j = 0; j <= last; j++) {
                next[s] += weights[j] * sums[s - j];
            }
        }
        sums = next;
        next = swap;
    }
    /* Given that all bins hold 'balls' together, which is Poisson as well. */
    all = exp(balls * log(balls) - balls - lgamma(balls + 1.0));
    all = sums[balls] / all;
    free(weights);
    free(sums);
    free(next);
    return fmin(all, 1);
}

double
hashing_expected_max(uint32_t balls, uint32_t bins)
{
    double expected = 0;

    orch_assert(bins);
    /* E[max] = sum of P(max > k). */
    for (uint32_t load = 0; load < balls; load++) {
        const double above = 1 - hashing_max_load_cdf(balls, bins, load);

        if (above < 1e-12) {
            break;
        }
        expected += above;
    }
    return expected;
}

uint32_t
hashing_polarized_used(uint32_t first, uint32_t second)
{
    uint32_t a = first, b = second;

    orch_assert(first && second);
    while (b) {
        const uint32_t rest = a % b;

        a = b;
        b = rest;
    }
    return second / a;
}
