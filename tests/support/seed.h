/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_SEED_H
#define ORCHD_TESTS_SUPPORT_SEED_H

/* Random choices of tests whose state is a single number, so that it can be
 * printed where a test fails and given to it again (base/random.h has a state
 * of 256 bits, for the twin).  The generator is xorshift64 (Marsaglia,
 * "Xorshift RNGs", 2003); a seed is any number but 0. */

#include <stddef.h>
#include <stdint.h>

/* Returns 64 random bits. */
static inline uint64_t
seed_next(uint64_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 7;
    *seed ^= *seed << 17;
    return *seed;
}

/* Returns a number below 'n' (not 0); low bits are the weakest, and left out.
 */
static inline size_t
seed_below(uint64_t *seed, size_t n)
{
    return (size_t)((seed_next(seed) >> 11) % n);
}

#endif /* tests/support/seed.h */
