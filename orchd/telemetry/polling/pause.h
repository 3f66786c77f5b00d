/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_PAUSE_H
#define ORCHD_TELEMETRY_POLLING_PAUSE_H

/* How long and how often a priority of a port is paused, and for which share of
 * the time.
 *
 * Motivation: operators of large RoCE networks watch pauses rather than pause
 * frames: a frame may stop a link for a microsecond or, if it is repeated, for
 * as long as its sender likes.
 *
 * Counters are read at intervals, so single pauses are invisible.  What an
 * interval shows is how long the priority was paused in it and how many pauses
 * ended.  Each pause that ended counts as the mean of those that ended in the
 * same interval; a pause that goes on is carried over to the interval where it
 * ends.  So a pause that is longer than the interval between two readings is
 * measured well, and several short ones are averaged.
 *
 * If the switch does not count durations, they are estimated and marked as
 * such: each frame pauses for the longest possible time, 65535 quanta of 512
 * bit times (IEEE 802.3-2018 annex 31B), and all of them for at most the whole
 * interval.  If it does not count ends, a pause ends with the first interval
 * without pauses.
 *
 * Pure. */

#include <stdbool.h>
#include <stdint.h>

/* Upper bounds of the histogram, in microseconds; the last bucket has none. */
#define PAUSE_BOUNDS_US                                                        \
    {                                                                          \
        10, 100, 1000, 10000, 100000, 1000000                                  \
    }
#define PAUSE_BUCKETS 7

/* The counters of one priority in one direction. */
struct pause_reading {
    uint64_t frames; /* Of PFC, for this priority. */
    bool ends_known;
    uint64_t ends; /* Changes from paused to not paused. */
    bool us_known;
    uint64_t us; /* Total time paused. */
};

/* The pauses of one priority in one direction.  Initially zeroed. */
struct pause_history {
    bool us_estimated, ends_estimated;
    uint64_t us;         /* Since the first reading. */
    uint64_t n;          /* Pauses that ended. */
    uint64_t sum_us;     /* Their total length. */
    uint64_t longest_us; /* Including one that goes on. */
    uint64_t open_us;    /* Of one that goes on; 0: there is none. */
    uint64_t buckets[PAUSE_BUCKETS];
    uint64_t recent_us; /* Length of the last one, so far if it goes on. */
    int64_t recent_ns;  /* When the last one began, at the earliest; 0: there
                         * was none. */
    uint32_t share_ppm; /* Of the last interval, in millionths. */
};

/* Adds a reading, 'elapsed_ns' after 'old' by the clock of the switch, of a
 * port of 'mbps' (0: unknown; then nothing is estimated).  'old_ns', not 0, is
 * when 'old' was read, by any clock: that of 'recent_ns'.  Counters that have
 * decreased were cleared and are taken to have restarted at 0.  Returns whether
 * the interval had any pause. */
bool pause_update(struct pause_history *history,
                  const struct pause_reading *now,
                  const struct pause_reading *old, int64_t old_ns,
                  int64_t elapsed_ns, uint32_t mbps);

#endif /* orchd/telemetry/polling/pause.h */
