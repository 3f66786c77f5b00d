/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_RANK_H
#define ORCHD_LAB_MEASURE_RANK_H

/* How well values follow an order, where single pairs may be the wrong way
 * round: Spearman's rank correlation.
 *
 * The smallest value has rank 0, and equal ones share the mean of the ranks
 * that they take together.  The result is the correlation of these ranks with
 * the places of the values.
 *
 * Reference: C. Spearman, "The proof and measurement of association between two
 * things", American Journal of Psychology 15, 1904. */

#include <stddef.h>

/* Returns the correlation of 'n' (at least 2) finite 'values' with their places
 * in the list: 1 if they grow all along, -1 if they fall; NAN if all are equal.
 * The time is quadratic in 'n'. */
double rank_correlation(const double *values, size_t n);

#endif /* lab/measure/rank.h */
