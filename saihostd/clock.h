/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_CLOCK_H
#define ORCHD_SAIHOSTD_CLOCK_H

/* The time of a switch that follows a real clock.
 *
 * A machine cannot carry 100 Gb/s from port to port in software, but it can let
 * time in the switch go slower: by a dilation of 1,000 a second outside is a
 * millisecond inside, so a port of 100 Gb/s is one of 100 Mb/s, a pause lasts
 * 1,000 times as long, and all proportions are right.
 *
 * The time of the switch may also be moved by others, who let it run ahead: it
 * then goes on from there.
 *
 * Pure: whoever asks says what time it is, in nanoseconds of a clock that does
 * not jump.  The time of the switch is int64 picoseconds, which ends after 106
 * days of its own, and stands still then. */

#include <stdint.h>

struct clock {
    uint32_t dilation; /* 1..1,000,000 */
    int64_t real_ns;   /* These two were the same instant. */
    int64_t switch_ps;
};

enum { CLOCK_DILATION_MAX = 1000000 };

/* Returns the time of the switch at 'real_ns', rounded down. */
int64_t clock_switch_ps(const struct clock *clock, int64_t real_ns);

/* Returns the first instant at which that is at least 'switch_ps', INT64_MAX if
 * there is none. */
int64_t clock_real_ns(const struct clock *clock, int64_t switch_ps);

/* The time of the switch is 'switch_ps' at 'real_ns'. */
void clock_set(struct clock *clock, int64_t real_ns, int64_t switch_ps);

#endif /* saihostd/clock.h */
