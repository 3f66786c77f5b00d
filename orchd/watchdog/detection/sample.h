/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_WATCHDOG_DETECTION_SAMPLE_H
#define ORCHD_WATCHDOG_DETECTION_SAMPLE_H

/* What was read of one queue and its priority at one time.
 *
 * Whoever reads counters fills one in; the watchdog knows no SAI.  Counters
 * only grow; one that does not (it was cleared, the switch was restarted) makes
 * the watchdog begin anew, not err. */

#include <stdbool.h>
#include <stdint.h>

#include "orchd/watchdog/detection/storm_rule.h"

struct storm_sample {
    int64_t at_ns;         /* When the counters were read, not when they were
                            * to be. */
    unsigned int measures; /* Which of the following could be read. */
    uint64_t packets;
    uint64_t occupancy_bytes;
    uint64_t frames;
    uint64_t pause_us;
    uint64_t ends;
    bool paused;

    bool link_up;
    bool pfc_off; /* The switch does not obey pauses of this priority, because
                   * of us. */
    bool forced;  /* A test wants a storm, whatever the counters say. */
};

/* The packets that a storm costs, sent and dropped, at the queue (TX) and at
 * the priority group of the same index (RX). */
struct storm_counts {
    uint64_t tx_packets;
    uint64_t tx_dropped;
    uint64_t rx_packets;
    uint64_t rx_dropped;
};

#endif /* orchd/watchdog/detection/sample.h */
