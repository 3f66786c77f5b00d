/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_CLOCK_H
#define ORCHD_SAIHOSTD_CLOCK_H

/* The virtual time of a switch that follows a real clock.
 *
 * A machine cannot forward 100 Gb/s between ports in software, but it can slow
 * down the time of the switch.  With a dilation of 1,000 a second of real time
 * is a millisecond in the switch.  So a port of 100 Gb/s carries 100 Mb/s, a
 * pause lasts 1,000 times as long, and all proportions are right.
 *
 * Other callers may also advance the time of the switch; it then continues from
 * there.
 *
 * Pure: the caller passes the real time, in nanoseconds of a monotonic clock.
 * The time of the switch is int64 picoseconds, which ends after 106 days of
 * switch time; then it stands still. */

#include <stdint.h>

struct clock {
    uint32_t dilation; /* 1..1,000,000 */
    int64_t real_ns;   /* These two are the same instant. */
    int64_t switch_ps;
};

enum { CLOCK_DILATION_MAX = 1000000 };

/* Returns the time of the switch at 'real_ns', rounded down. */
int64_t clock_switch_ps(const struct clock *clock, int64_t real_ns);

/* Returns the first real time at which the time of the switch is at least
 * 'switch_ps', INT64_MAX if there is none. */
int64_t clock_real_ns(const struct clock *clock, int64_t switch_ps);

/* Sets the time of the switch at 'real_ns' to 'switch_ps'. */
void clock_set(struct clock *clock, int64_t real_ns, int64_t switch_ps);

#endif /* saihostd/clock.h */
