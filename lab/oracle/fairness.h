/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_FAIRNESS_H
#define ORCHD_LAB_ORACLE_FAIRNESS_H

/* Max-min fair rates by water filling.
 *
 * All rates rise together; a flow stops when it reaches its cap or a link on
 * its path is full.  The result is the one allocation in which no flow can get
 * more without taking from one that has no more than it.
 *
 * Reference: D. Bertsekas, R. Gallager, "Data Networks", 2nd ed., section
 * 6.5.2. */

#include <stdint.h>

/* A flow; it uses each link of its path once. */
struct fairness_flow {
    const uint32_t *links; /* Borrowed; below the number of links. */
    uint32_t n_links;
    double cap; /* The most it can send; INFINITY: no cap.  Not negative. */
};

/* Stores in 'rates' the max-min fair rate of each of 'n' flows over 'n_links'
 * links with 'capacities' (not negative), in the unit of the capacities.  A
 * flow without links gets its cap. */
void fairness_max_min(const double *capacities, uint32_t n_links,
                      const struct fairness_flow *flows, uint32_t n,
                      double *rates);

/* Returns Jain's index (sum x)^2 / (n sum x^2): 1 if all are equal, 1/n if one
 * has everything; 1 if all are 0 or there are none.
 *
 * Reference: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness",
 * DEC-TR-301, 1984. */
double fairness_jain(const double *values, uint32_t n);

#endif /* lab/oracle/fairness.h */
