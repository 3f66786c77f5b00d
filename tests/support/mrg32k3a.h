/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_MRG32K3A_H
#define ORCHD_TESTS_SUPPORT_MRG32K3A_H

/* The combined multiple recursive generator MRG32k3a, with which ns-3 draws.
 *
 *   x_n = (1403580 x_(n-2) - 810728 x_(n-3)) mod (2^32 - 209)
 *   y_n = (527612 y_(n-1) - 1370589 y_(n-3)) mod (2^32 - 22853)
 *   u_n = (x_n - y_n) mod (2^32 - 209), by 2^32 - 208
 *
 * Stream k begins 2^127 k steps after the seed, substream r of it 2^76 r steps
 * later.
 *
 * Reference: P. L'Ecuyer, "Good parameters and implementations for combined
 * multiple recursive random number generators", Operations Research 47(1),
 * 1999; L'Ecuyer, Simard, Chen, Kelton, "An object-oriented random-number
 * package with many long streams and substreams", ibid. 50(6), 2002. */

#include <stdint.h>

struct mrg32k3a {
    uint64_t x[3], y[3]; /* Oldest first. */
};

/* Sets all six values of 'generator' to 'seed' (1..2^32 - 22854). */
void mrg32k3a_init(struct mrg32k3a *generator, uint32_t seed);

/* Moves 'generator' by 2^'power' steps (0..127). */
void mrg32k3a_jump(struct mrg32k3a *generator, unsigned int power);

/* Returns the next number, in (0, 1). */
double mrg32k3a_next(struct mrg32k3a *generator);

#endif /* tests/support/mrg32k3a.h */
