/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_LINK_BIT_ERRORS_H
#define ORCHD_TWIN_LINK_BIT_ERRORS_H

/* Bit errors on a cable.
 *
 * Bits that are sent alternate between gaps without an error and bursts in
 * which every bit is wrong.  The lengths of gaps are exponentially distributed,
 * those of bursts are geometrically distributed; their means follow from the
 * bit error ratio (BER) and the mean length of a burst B:
 *
 *     P(a bit is wrong) = BER,   P(a burst begins at a bit) = BER / B.
 *
 * With B = 1 errors are independent, and a frame of n bits is intact with
 * probability (1 - BER)^n.  A longer burst damages fewer frames at the same
 * BER, the model of Gilbert (1960) with a bad state in which all bits are
 * wrong.  Only bits that are sent count, so the pause between two frames
 * neither ends a burst nor begins one.
 *
 * The cost per frame is one subtraction, as the next gap is drawn only when the
 * last one has ended. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/event/random_stream.h"

enum {
    BIT_ERRORS_MAX_BURST = 8192, /* Of the mean length, in bits. */
};

/* The largest denominator of a BER. */
#define BIT_ERRORS_MAX_DENOMINATOR UINT64_C(1000000000000000)

/* What a cable does.  'gap_bits' is the mean gap, B / BER - B, at most 2^56; 0:
 * there are no errors.  'burst_bits' is B, 1 to BIT_ERRORS_MAX_BURST. */
struct bit_error_rate {
    uint64_t gap_bits;
    uint32_t burst_bits;
};

/* Returns the rate of a BER of 'numerator' / 'denominator' (below 1; numerator
 * 0: no errors) in bursts of 'burst_bits' on average.  A BER below 2^-56 is
 * that. */
struct bit_error_rate bit_error_rate_of(uint64_t numerator,
                                        uint64_t denominator,
                                        uint32_t burst_bits);

/* The bits of one direction of a cable. */
struct bit_errors {
    struct bit_error_rate rate;
    struct random_stream random;
    uint64_t gap;   /* Bits left without an error; */
    uint64_t burst; /* then so many wrong ones. */
};

/* Starts the stream of 'entity' for 'purpose' (twin/event/random_stream.h) in a
 * gap. */
void bit_errors_init(struct bit_errors *errors,
                     const struct bit_error_rate *rate, uint64_t seed,
                     uint32_t entity, enum random_purpose purpose);

/* Goes on by 'bits', some of which are wrong.  Returns true. */
bool bit_errors_hit__(struct bit_errors *errors, uint64_t bits);

/* Sends the next 'bits'.  Returns whether any of them is wrong. */
static inline bool
bit_errors_hit(struct bit_errors *errors, uint64_t bits)
{
    if (!errors->rate.gap_bits) {
        return false;
    }
    if (errors->gap >= bits) {
        errors->gap -= bits;
        return false;
    }
    return bit_errors_hit__(errors, bits);
}

#endif /* twin/link/bit_errors.h */
