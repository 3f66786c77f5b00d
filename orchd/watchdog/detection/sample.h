/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_SAMPLE_H
#define ORCHD_WATCHDOG_DETECTION_SAMPLE_H

/* What was read from one queue and its priority at one time.
 *
 * The reader of counters fills it in; the watchdog itself does not use SAI.  If
 * a counter decreases (it was cleared, or the switch was restarted), the
 * watchdog starts again from that sample. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/storm_rule.h"

struct storm_sample {
    int64_t at_ns;   /* When the counters were read, not when they were due. */
    int64_t wall_ns; /* The time of day then, for people. */
    unsigned int measures; /* Which of the following are valid. */
    uint64_t packets;
    uint64_t occupancy_bytes;
    uint64_t frames;
    uint64_t pause_us;
    uint64_t ends;
    bool paused;

    bool link_up;
    bool
        pfc_off; /* orchd has made the switch ignore pauses of this priority. */
    bool forced; /* DEBUG_STORM: count as paused whatever the counters say. */
};

/* The packets sent and dropped in a storm, at the queue (TX) and at the
 * priority group of the same index (RX). */
struct storm_counts {
    uint64_t tx_packets;
    uint64_t tx_dropped;
    uint64_t rx_packets;
    uint64_t rx_dropped;
};

#endif /* orchd/watchdog/detection/sample.h */
