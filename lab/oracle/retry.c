/* SPDX-License-Identifier: Apache-2.0 */

/* What link-level retry lets through in theory. */

#include <config.h>

#include "lab/oracle/retry.h"

#include <math.h>

#define PS_PER_S      1e12
#define FRAMING_BYTES 12 /* Preamble and FCS. */
#define WIRE_BYTES    24 /* And the gap between frames. */
#define FCS_BYTES     4
#define SET_BYTES     8
#define BYTE_BITS     8

double
retry_window_frames(double bytes, double mtu_bytes, double frame_bytes)
{
    const double room = bytes - mtu_bytes - FCS_BYTES;

    return room < 0 ? 0 : floor(room / (frame_bytes + FCS_BYTES)) + 1;
}

/* Returns the probability that any of 'bytes' is wrong. */
static double
damage(const struct retry_link *link, double bytes)
{
    return -expm1(bytes * BYTE_BITS * log1p(-link->ber));
}

/* Returns what 'bytes' take, in picoseconds. */
static double
time_of(const struct retry_link *link, double bytes)
{
    return bytes * BYTE_BITS * PS_PER_S / link->rate_bps;
}

/* Returns what all errors of a frame but the first take, if it has one;
 * 'waiting' frames are outstanding. */
static double
later_ps(const struct retry_link *link, double bad, double waiting,
         double frame_ps)
{
    const double n = link->window_frames;
    const double crowded = -expm1(-n * bad * bad / (1 - bad));
    const double then = (n + waiting * waiting / n) / 2;
    const double second_ps =
        ((1 - crowded) * waiting + crowded * then) * frame_ps + link->timer_ps;
    const double third_ps = n * frame_ps + link->timer_ps;

    return bad * second_ps + bad * bad * third_ps / (1 - bad);
}

double
retry_frames_per_second(const struct retry_link *link)
{
    const double frame_ps = time_of(link, link->frame_bytes + WIRE_BYTES);
    const double round_ps =
        frame_ps + 2 * link->delay_ps + time_of(link, SET_BYTES);
    const double in_flight = ceil(round_ps / frame_ps);
    const double n = link->window_frames;
    const double bad = damage(link, link->frame_bytes + FRAMING_BYTES);
    const double bad_set = damage(link, SET_BYTES);
    const double window_ps =
        (round_ps + time_of(link, link->spacing_bytes) / 2) / n;
    const double first_ps = n < in_flight ? round_ps : in_flight * frame_ps;

    if (n < 1) {
        return 0;
    }
    return PS_PER_S /
           (fmax(frame_ps, window_ps) +
            bad * ((1 - bad_set) * first_ps +
                   bad_set * (round_ps + link->timer_ps) +
                   later_ps(link, bad, fmin(n, in_flight), frame_ps)));
}
