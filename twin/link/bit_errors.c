/* SPDX-License-Identifier: Apache-2.0 */

/* Bit errors on a cable. */

#include <config.h>

#include "twin/link/bit_errors.h"

#include "base/check.h"

/* The longest mean gap, which keeps random_stream_exponential() exact. */
#define MAX_GAP_BITS (UINT64_C(1) << 56)

struct bit_error_rate
bit_error_rate_of(uint64_t numerator, uint64_t denominator, uint32_t burst_bits)
{
    struct bit_error_rate rate = {.burst_bits = burst_bits};

    orch_assert(numerator < denominator && burst_bits &&
                burst_bits <= BIT_ERRORS_MAX_BURST);
    orch_assert(denominator <= BIT_ERRORS_MAX_DENOMINATOR);
    if (numerator) {
        /* Exponential gaps are rounded down: with half a bit more, and the
         * quotient rounded up, the mean is right. */
        const uint64_t gap = burst_bits * (denominator - numerator) / numerator;

        rate.gap_bits = gap < MAX_GAP_BITS ? gap + 1 : MAX_GAP_BITS;
    }
    return rate;
}

/* Draws the next gap, and the burst behind it. */
static void
draw(struct bit_errors *errors)
{
    errors->gap =
        random_stream_exponential(&errors->random, errors->rate.gap_bits);
    errors->burst = 1 + (errors->rate.burst_bits > 1
                             ? random_stream_exponential(
                                   &errors->random, errors->rate.burst_bits - 1)
                             : 0);
}

void
bit_errors_init(struct bit_errors *errors, const struct bit_error_rate *rate,
                uint64_t seed, uint32_t entity, enum random_purpose purpose)
{
    *errors = (struct bit_errors){.rate = *rate};
    random_stream_init(&errors->random, seed, entity, purpose);
    if (rate->gap_bits) {
        draw(errors);
    }
}

bool
bit_errors_hit__(struct bit_errors *errors, uint64_t bits)
{
    while (bits > errors->gap) {
        bits -= errors->gap;
        errors->gap = 0;
        if (errors->burst > bits) {
            errors->burst -= bits;
            return true;
        }
        bits -= errors->burst;
        draw(errors);
    }
    errors->gap -= bits;
    return true;
}
