/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_HOST_RECEIVER_H
#define ORCHD_TWIN_HOST_RECEIVER_H

/* What arrived, and how late.
 *
 * A receiver counts frames by DSCP, by the queue that they left the last switch
 * from, and by flow; per flow also order, duplicates, congestion marks and
 * latency, which is the time from the first bit on the sender's wire to the
 * last bit here.
 *
 * Order.  The frames of a flow are numbered from 0.  One with a number above
 * all before it is in order, and what it skips is missing.  One with a lower
 * number is a duplicate if it was here before, else late, and no longer
 * missing. Whether it was is known for the 64 numbers below the highest; an
 * older one counts as late.
 *
 * Latencies are kept in a histogram whose steps are 1/32 of the value, so that
 * percentiles are at most 3.2 % too high, and exact below 64 ps; minimum,
 * maximum and mean are exact. */

#include <stdbool.h>
#include <stdint.h>

#include "twin/forwarding/frame.h"

enum {
    RECEIVER_DSCPS = 64,
    RECEIVER_QUEUES = 64,
    RECEIVER_STEPS = 32,
    RECEIVER_BUCKETS = 59 * RECEIVER_STEPS,
};

struct receiver_flow {
    uint32_t flow;
    uint64_t frames;
    uint64_t bytes; /* Without FCS. */
    uint64_t ce;    /* Frames with congestion experienced. */

    uint64_t next; /* One above the highest number. */
    uint64_t seen; /* Bit i: number next - 1 - i was here. */
    uint64_t missing;
    uint64_t late;
    uint64_t duplicates;

    int64_t min_ps;
    int64_t max_ps;
    uint64_t sum_ps;  /* Of latencies; good for 200 days of them. */
    int64_t first_ps; /* Arrivals. */
    int64_t last_ps;
    uint64_t latencies[RECEIVER_BUCKETS];
};

/* The members are for reading. */
struct receiver {
    uint64_t frames;
    uint64_t bytes;
    uint64_t by_dscp[RECEIVER_DSCPS]; /* What is not IP is in none. */
    uint64_t by_queue[RECEIVER_QUEUES];
    struct receiver_flow **flows; /* In order of their numbers. */
    uint32_t n_flows;
};

/* Returns an empty receiver.  End with receiver_destroy(). */
struct receiver *receiver_create(void);

/* Frees 'receiver'.  Accepts NULL. */
void receiver_destroy(struct receiver *receiver);

/* Counts 'frame', which has arrived at 'now_ps'. */
void receiver_take(struct receiver *receiver, const struct sim_frame *frame,
                   int64_t now_ps);

/* Forgets all counts; numbers seen so far are not missed later. */
void receiver_clear(struct receiver *receiver);

/* Returns what is known of flow 'flow', NULL if nothing has arrived of it.
 * Borrowed. */
const struct receiver_flow *receiver_flow(const struct receiver *receiver,
                                          uint32_t flow);

/* Returns the mean latency, 0 without frames. */
int64_t receiver_mean_ps(const struct receiver_flow *flow);

/* Returns the latency that 'ppm' millionths of the frames do not exceed, 0
 * without frames. */
int64_t receiver_percentile_ps(const struct receiver_flow *flow, uint32_t ppm);

/* Returns the bits per second of frames, with FCS, preamble and gap if
 * 'on_wire', over a window of 'window_ps' (not 0), rounded down. */
uint64_t receiver_bits_per_s(const struct receiver_flow *flow,
                             int64_t window_ps, bool on_wire);

#endif /* twin/host/receiver.h */
