/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_PAUSE_H
#define ORCHD_TELEMETRY_POLLING_PAUSE_H

/* How long, how often and how badly a priority of a port is paused.
 *
 * Motivation: operators of large RoCE networks watch not the number of pause
 * frames but the pauses: a frame may stop a link for a microsecond or, if it is
 * repeated, for as long as its sender likes.
 *
 * Counters are read at intervals, so single pauses are not seen.  What is known
 * of an interval is how long the priority was paused in it and how many pauses
 * ended.  A pause that ends is taken to be as long as the mean of those that
 * ended in the same interval; one that goes on is carried over to the interval
 * where it ends.  A pause that is longer than the interval between two readings
 * is therefore measured well, and several short ones are levelled.
 *
 * Where the switch counts no durations, they are estimated, and marked as that:
 * each frame pauses for its longest time, 65535 quanta of 512 bit times (IEEE
 * 802.3-2018 annex 31B), and never for longer than there was time.  Where it
 * counts no ends, a pause ends with the first interval without any.
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

/* What the switch counts of one priority in one direction. */
struct pause_reading {
    uint64_t frames; /* Of PFC, for this priority. */
    bool ends_known;
    uint64_t ends; /* Changes from paused to not paused. */
    bool us_known;
    uint64_t us; /* Paused in all. */
};

/* What became of it.  Zeroed at first. */
struct pause_history {
    bool us_estimated, ends_estimated;
    uint64_t us;         /* Since the first reading. */
    uint64_t n;          /* Pauses that ended. */
    uint64_t sum_us;     /* Their length together. */
    uint64_t longest_us; /* Also of one that goes on. */
    uint64_t open_us;    /* Of one that goes on; 0: none does. */
    uint64_t buckets[PAUSE_BUCKETS];
    uint64_t recent_us; /* Length of the last one, or of what there is. */
    int64_t recent_ns;  /* When it was seen last. */
    uint32_t share_ppm; /* Of the last interval, in millionths. */
};

/* Takes in a reading at 'now_ns', 'elapsed_ns' after 'old', of a port of
 * 'mbps' (0: not known; then nothing can be estimated).  Counters that went
 * back were cleared: they are taken to have started at 0.  Returns whether
 * there was any pause in the interval. */
bool pause_update(struct pause_history *history,
                  const struct pause_reading *now,
                  const struct pause_reading *old, int64_t now_ns,
                  int64_t elapsed_ns, uint32_t mbps);

#endif /* orchd/telemetry/polling/pause.h */
