/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_RECEIVER_H
#define ORCHD_TWIN_HOST_RECEIVER_H

/* Counts the frames that arrive at a host, and measures their latency.
 *
 * A receiver counts frames by DSCP, by the queue from which the last switch
 * sent them, and by flow.  Per flow it also counts reordering, duplicates and
 * congestion marks, and measures latency: the time from the first bit on the
 * sender's wire to the last bit here.
 *
 * Order.  The frames of a flow are numbered from 0.  A frame whose number is
 * above all numbers before it is in order, and the numbers that it skips are
 * missing.  A frame with a lower number is a duplicate if that number has
 * arrived before, else it is late and no longer missing. The receiver remembers
 * the 64 numbers below the highest; an older frame counts as late.
 *
 * Latencies are kept in the buckets of base/histogram.h, whose steps are 1/32
 * of the value.  So percentiles are at most 3.2 % too high, and exact below
 * 64 ps.  Minimum,
 * maximum and mean are exact. */

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "twin/forwarding/frame.h"

enum {
    RECEIVER_DSCPS = 64,
    RECEIVER_QUEUES = 64,
};

struct receiver_flow {
    uint32_t flow;
    uint64_t frames;
    uint64_t bytes; /* Without FCS. */
    uint64_t ce;    /* Frames with ECN codepoint CE (congestion experienced). */

    uint64_t next; /* One above the highest number. */
    uint64_t seen; /* Bit i: number next - 1 - i has arrived. */
    uint64_t missing;
    uint64_t late;
    uint64_t duplicates;

    int64_t min_ps;
    int64_t max_ps;
    uint64_t sum_ps;  /* Sum of latencies; overflows after 200 days. */
    int64_t first_ps; /* The first and the last arrival. */
    int64_t last_ps;
    uint64_t latencies[HISTOGRAM_N_BUCKETS];
};

/* Read-only for users. */
struct receiver {
    uint64_t frames;
    uint64_t bytes;
    uint64_t by_dscp[RECEIVER_DSCPS]; /* Frames that are not IP do not count
                                       * here. */
    uint64_t by_queue[RECEIVER_QUEUES];
    struct receiver_flow **flows; /* Sorted by number. */
    uint32_t n_flows;
    struct receiver_flow *last; /* Of the last frame; NULL: none yet. */
};

/* Returns a new receiver with all counters 0.  End with receiver_destroy(). */
struct receiver *receiver_create(void);

/* Frees 'receiver'.  Accepts NULL. */
void receiver_destroy(struct receiver *receiver);

/* Counts 'frame', which has arrived at 'now_ps'. */
void receiver_take(struct receiver *receiver, const struct sim_frame *frame,
                   int64_t now_ps);

/* Clears all counters.  Sequence numbers seen so far do not become missing. */
void receiver_clear(struct receiver *receiver);

/* Returns the counters of flow 'flow', or NULL if none of its frames has
 * arrived.  Borrowed. */
const struct receiver_flow *receiver_flow(const struct receiver *receiver,
                                          uint32_t flow);

/* Returns the mean latency, 0 without frames. */
int64_t receiver_mean_ps(const struct receiver_flow *flow);

/* Returns the latency that 'ppm' millionths of the frames do not exceed, 0
 * without frames. */
int64_t receiver_percentile_ps(const struct receiver_flow *flow, uint32_t ppm);

/* Returns the rate of 'flow' in bits per second over 'window_ps' (not 0),
 * rounded down.  With 'on_wire' FCS, preamble and gap count. */
uint64_t receiver_bits_per_s(const struct receiver_flow *flow,
                             int64_t window_ps, bool on_wire);

#endif /* twin/host/receiver.h */
