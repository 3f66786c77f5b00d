/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_HASHING_H
#define ORCHD_LAB_ORACLE_HASHING_H

/* Balls into bins: how an ideal ECMP hash spreads 'balls' flows over 'bins'
 * links.
 *
 * The largest load is exact: P(max <= k) = m! / n^m [x^m] (sum_{j<=k} x^j /
 * j!)^n, computed with Poisson weights, which keep all terms positive.
 *
 * Reference: M. Raab, A. Steger, "Balls into bins: a simple and tight
 * analysis", RANDOM 1998; W. Feller, "An Introduction to Probability Theory",
 * vol. I, chapter II.5 (occupancy). */

#include <stdint.h>

/* The computation takes balls * bins * (largest load)^2 steps. */
enum { HASHING_MAX_BALLS = 20000, HASHING_MAX_BINS = 4096 };

/* Returns the expected number of bins with at least one ball: n (1 - (1 -
 * 1/n)^m).  'bins' is not 0. */
double hashing_expected_used(uint32_t balls, uint32_t bins);

/* Returns P(largest load <= 'load').  'balls' is at most HASHING_MAX_BALLS and
 * 'bins' (not 0) HASHING_MAX_BINS. */
double hashing_max_load_cdf(uint32_t balls, uint32_t bins, uint32_t load);

/* Returns the expected largest load, with the same limits. */
double hashing_expected_max(uint32_t balls, uint32_t bins);

/* Returns how many of 'second' links a switch can use if it chooses by the same
 * hash, modulo 'second', as the switch before it, modulo 'first': second / gcd.
 * Both are not 0. */
uint32_t hashing_polarized_used(uint32_t first, uint32_t second);

#endif /* lab/oracle/hashing.h */
