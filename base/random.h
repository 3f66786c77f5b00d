/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_RANDOM_H
#define ORCHD_BASE_RANDOM_H

/* Random numbers that are the same on every machine.
 *
 * The generator is xoshiro256**; splitmix64 fills its 256 bits of state from a
 * seed of 64 bits (Blackman and Vigna, "Scrambled linear pseudorandom number
 * generators", 2021).  All functions use integer arithmetic only, so the same
 * seed gives the same bits with every compiler and mathematical library.  The
 * generator is not cryptographic.
 *
 * The caller owns the state.  Each user has a state of its own, so that users
 * do not affect each other's sequences. */

#include <stdint.h>

struct random {
    uint64_t state[4];
};

/* Starts the sequence of 'seed'. */
void random_init(struct random *random, uint64_t seed);

/* Returns 64 random bits. */
uint64_t random_u64(struct random *random);

/* Returns a number below 'n' (not 0), each with the same probability. */
uint64_t random_below(struct random *random, uint64_t n);

/* Returns an exponentially distributed number with mean 'mean' (at most 2^57),
 * rounded down: the time to the next event of a Poisson process.  Values above
 * 64 times the mean, which have a probability of 1 in 10^27, become 64 times
 * the mean. */
uint64_t random_exponential(struct random *random, uint64_t mean);

/* Returns 64 random bits from another source. */
typedef uint64_t random_source_fn(void *source);

/* Do the same as random_below() and random_exponential() with numbers from
 * 'next'. */
uint64_t random_below_from(random_source_fn *next, void *source, uint64_t n);
uint64_t random_exponential_from(random_source_fn *next, void *source,
                                 uint64_t mean);

#endif /* base/random.h */
