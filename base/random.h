/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_RANDOM_H
#define ORCHD_BASE_RANDOM_H

/* Random numbers that are the same on every machine.
 *
 * The generator is xoshiro256**, its 256 bits of state filled from a seed of 64
 * by splitmix64 (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2021).  All that is derived from it is integer arithmetic, so
 * that the same seed gives the same bits, whatever the compiler and its
 * mathematical library.  Not for secrets.
 *
 * The state is the caller's; whoever draws for purposes of its own has a state
 * of its own, so that what others draw does not matter. */

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Makes 'random' the sequence of 'seed'. */
void random_init(struct random *random, uint64_t seed);

/* Returns 64 random bits. */
uint64_t random_u64(struct random *random);

/* Returns a number below 'n' (not 0), each with the same probability. */
uint64_t random_below(struct random *random, uint64_t n);

/* Returns a number of an exponential distribution with mean 'mean' (at most
 * 2^57), rounded down: the time to the next event of a Poisson process.  Values
 * above 64 times the mean, of which there is one in 10^27, are cut to it. */
uint64_t random_exponential(struct random *random, uint64_t mean);

#endif /* base/random.h */
