/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_SWITCH_DELAYS_H
#define ORCHD_TWIN_SWITCH_DELAYS_H

/* The distribution of the times that frames spend in a queue.
 *
 * A time is rounded down to nanoseconds and counted in a bucket of
 * base/histogram.h, so a percentile is at most 3.2 % and 1 ns too high.  Times
 * of 2^40 ns (18 minutes) and more count as that.
 *
 * A distribution takes 9.2 kB, so a queue has one only after its first
 * frame. */

#include <stdint.h>

struct delays;

/* Returns an empty distribution.  End with free(). */
struct delays *delays_create(void);

/* Counts 'delay_ps', which is not negative. */
void delays_add(struct delays *delays, int64_t delay_ps);

/* Returns the time that 'ppm' millionths of the frames do not exceed, but not
 * more than 'max_ps', the longest of all.  0 if 'delays' is NULL or empty. */
int64_t delays_percentile_ps(const struct delays *delays, uint32_t ppm,
                             int64_t max_ps);

#endif /* twin/switch/delays.h */
