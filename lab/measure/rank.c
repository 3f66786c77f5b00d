/* SPDX-License-Identifier: Apache-2.0 */

/* Rank correlation. */

#include <config.h>

#include "lab/measure/rank.h"

#include <math.h>

#include "base/check.h"

/* Returns the rank of the value at 'place' among 'values'. */
static double
rank_of(const double *values, size_t n, size_t place)
{
    size_t below = 0, equal = 0;

    for (size_t i = 0; i < n; i++) {
        below += values[i] < values[place];
        equal += values[i] <= values[place] && values[i] >= values[place];
    }
    return (double)below + ((double)equal - 1) / 2;
}

double
rank_correlation(const double *values, size_t n)
{
    const double mean = ((double)n - 1) / 2;
    double both = 0, places = 0, ranks = 0;

    orch_assert(n >= 2);
    for (size_t i = 0; i < n; i++) {
        const double place = (double)i - mean;
        const double rank = rank_of(values, n, i) - mean;

        both += place * rank;
        places += place * place;
        ranks += rank * rank;
    }
    return ranks > 0 ? both / sqrt(places * ranks) : (double)NAN;
}
