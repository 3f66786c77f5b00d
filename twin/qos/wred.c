/* SPDX-License-Identifier: Apache-2.0 */

/* WRED curves. */

#include <config.h>

#include "twin/qos/wred.h"

/* Products of a length, a percentage and 32 random bits need more than 64. */
__extension__ typedef unsigned __int128 wide;

enum { FULL_PERCENT = 100 };

/* Returns true with a probability of 'part' / 'whole' percent. */
static bool
happens(wide part, uint64_t whole, struct random_stream *random)
{
    /* A random word / 2^32 < part / (100 whole), without the divisions. */
    return (wide)random_stream_u32(random) * whole * FULL_PERCENT < part << 32;
}

void
wred_prepare(struct wred_profile *profile)
{
    uint64_t quiet = WRED_NEVER;

    for (int i = 0; i < WRED_COLORS; i++) {
        const struct wred_color *color = &profile->colors[i];

        if (color->marks && color->mark.min_bytes < quiet) {
            quiet = color->mark.min_bytes;
        }
        if (color->drops && color->drop.min_bytes < quiet) {
            quiet = color->drop.min_bytes;
        }
    }
    profile->quiet_bytes = quiet;
}

bool
wred_falls__(const struct wred_curve *curve, bool gentle, uint64_t length,
             struct random_stream *random)
{
    const uint64_t min = curve->min_bytes;
    const uint64_t max = curve->max_bytes > min ? curve->max_bytes : min;

    if (min >= WRED_NEVER) {
        return false;
    }
    if (length <= max) {
        return happens((wide)curve->percent * (length - min), max - min,
                       random);
    }
    if (gentle && length < 2 * max) {
        return happens((wide)curve->percent * max +
                           (wide)(FULL_PERCENT - curve->percent) *
                               (length - max),
                       max, random);
    }
    return true;
}
