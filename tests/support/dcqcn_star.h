/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_DCQCN_STAR_H
#define ORCHD_TESTS_SUPPORT_DCQCN_STAR_H

/* N senders with DCQCN and a queue that they share, without an engine.
 *
 * A sender always has data; its pacer spaces packets at the rate of its
 * reaction point, not above the line rate.  The queue drains as a fluid, is
 * never full, and marks packets on enqueue with the linear probability between
 * Kmin and Kmax.  A mark reaches the receiver when the queue at that time has
 * drained, and its notification the sender after 'rtt_ps' more. */

#include "twin/transport/dcqcn.h"

enum { DCQCN_STAR_MAX = 16 };

struct dcqcn_star_config {
    const struct dcqcn_profile *profile;
    int64_t line_bps; /* Of the senders and of the queue. */
    int n;            /* Senders: 1..DCQCN_STAR_MAX. */
    int64_t rtt_ps[DCQCN_STAR_MAX];
    int64_t start_ps[DCQCN_STAR_MAX];
    uint32_t packet_bytes;
    double kmin_bytes;
    double kmax_bytes;
    double pmax;
    uint64_t seed;
    int64_t from_ps; /* Results are from here ... */
    int64_t until_ps;
};

struct dcqcn_star_result {
    double rate_bps[DCQCN_STAR_MAX]; /* Mean. */
    double queue_bytes;              /* Mean, as packets see it. */
    double marked;                   /* Share of packets. */
    double utilization;
    uint64_t n_packets;
};

/* Runs it. */
struct dcqcn_star_result dcqcn_star_run(const struct dcqcn_star_config *config);

#endif /* tests/support/dcqcn_star.h */
