/* SPDX-License-Identifier: Apache-2.0 */

/* Random numbers that are the same on every machine. */

#include <config.h>

#include "base/random.h"

enum { MAX_WHOLE_MEANS = 64 };

/* For products of two 64-bit numbers; gcc and clang have it on 64-bit
 * targets. */
__extension__ typedef unsigned __int128 u128;

static uint64_t
rotate_left(uint64_t x, int k)
{
    return x << k | x >> (64 - k);
}

/* splitmix64: a bijection on 64 bits, so no two seeds give the same state, and
 * no seed gives the state of zeros that xoshiro never leaves. */
void
random_init(struct random *random, uint64_t seed)
{
    for (int i = 0; i < 4; i++) {
        uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);

        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        random->state[i] = z ^ z >> 31;
    }
}

uint64_t
random_u64(struct random *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9;
    uint64_t t = s[1] << 17;

    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate_left(s[3], 45);
    return result;
}

/* The upper half of random * n is below n.  The few values of the lower half
 * that would make some results more likely are drawn again (Lemire, "Fast
 * random integer generation in an interval", 2019). */
uint64_t
random_below_from(random_source_fn *next, void *source, uint64_t n)
{
    u128 product = (u128)next(source) * n;

    if ((uint64_t)product < n) {
        uint64_t excess = -n % n;

        while ((uint64_t)product < excess) {
            product = (u128)next(source) * n;
        }
    }
    return (uint64_t)(product >> 64);
}

/* Draws numbers from [0, 1) as long as each is below its predecessor.  If their
 * count is odd, the first is the fraction; this happens with probability
 * 1 - 1/e and gives it the density e^-x.  Each even count adds 1 to the
 * integral part (von Neumann, "Various techniques used in connection with
 * random digits", 1951). */
uint64_t
random_exponential_from(random_source_fn *next, void *source, uint64_t mean)
{
    for (uint64_t whole = 0; whole < MAX_WHOLE_MEANS; whole++) {
        uint64_t first = next(source);
        uint64_t last = first;
        uint64_t drawn = next(source);
        unsigned int n = 1;

        while (drawn < last) {
            last = drawn;
            drawn = next(source);
            n++;
        }
        if (n % 2 == 1) {
            return whole * mean + (uint64_t)((u128)first * mean >> 64);
        }
    }
    return MAX_WHOLE_MEANS * mean;
}

/* A random_source_fn. */
static uint64_t
draw(void *random)
{
    return random_u64(random);
}

uint64_t
random_below(struct random *random, uint64_t n)
{
    return random_below_from(draw, random, n);
}

uint64_t
random_exponential(struct random *random, uint64_t mean)
{
    return random_exponential_from(draw, random, mean);
}
