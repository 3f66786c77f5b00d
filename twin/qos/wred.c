/* SPDX-License-Identifier: Apache-2.0 */

/* WRED curves. */

#include <config.h>

#include "twin/qos/wred.h"

/* Products of a length, a percentage and 32 random bits need more than 64. */
__extension__ typedef unsigned __int128 wide;

enum { FULL_PERCENT = 100 };

/* Returns true with a probability of 'part' / 'whole' percent. */
static bool
happens(wide part, uint64_t whole, const struct wred_chance *chance,
        struct random_stream *random)
{
    const uint32_t word =
        chance ? chance->draw(chance->context) : random_stream_u32(random);

    /* A random word / 2^32 < part / (100 whole), without the divisions. */
    return (wide)word * whole * FULL_PERCENT < part << 32;
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
wred_falls__(const struct wred_profile *profile, const struct wred_curve *curve,
             uint64_t length, struct random_stream *random)
{
    const uint64_t min = curve->min_bytes;
    const uint64_t max = curve->max_bytes > min ? curve->max_bytes : min;

    if (min >= WRED_NEVER) {
        return false;
    }
    if (length <= max) {
        return happens((wide)curve->percent * (length - min), max - min,
                       profile->chance, random);
    }
    if (profile->gentle && length < 2 * max) {
        return happens((wide)curve->percent * max +
                           (wide)(FULL_PERCENT - curve->percent) *
                               (length - max),
                       max, profile->chance, random);
    }
    return true;
}
