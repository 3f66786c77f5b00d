/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_FLUID_DCQCN_FLUID_H
#define ORCHD_LAB_FLUID_DCQCN_FLUID_H

/* The fluid model of DCQCN in time: n equal flows share one link.
 *
 * Notifications.  A queue marks with probability p, so that marks come to a
 * flow of rate R as a Poisson process of m = -ln(1 - p) R per second.  The
 * receiver is silent for tau after a notification, so one comes after a time X
 * = tau + an exponential time of mean 1 / m.  Until then the timer (period t)
 * and the byte counter (B packets) have j events, taken as those of one timer
 * of period u = 1 / (1 / t + R / B); P(X >= s) is 1 up to tau, then exp(-m (s -
 * tau)).
 *
 * A cycle.  Let r be the rate when a notification comes.  It becomes
 * r (1 - a / 2), and each event halves what is missing to r; from event F on
 * the target grows by AI, of which the events that follow take half, then half
 * of the rest.  So with means over X, and x = exp(-m u),
 *
 *     dr/dt = (AI E[w] - r a / 2 E[2^-j]) / E[X]
 *     E[w]  = P(X >= F t) (1 / (1 - x) - 1 / (2 - x))
 *     da/dt = g (1 - a - a E[d]) / E[X],   d periods of tau' without one
 *     dq/dt = n r (1 - a / 2 E[share of the cut, over time]) - C
 *
 * where p and R of the cycle are those of a delay D ago.  The queue marks
 * linearly between Kmin and Kmax, above it always, and a full one (PFC pauses
 * its senders) grows no further.  All flows start at the speed of the link.
 *
 * The published equations (Zhu et al.) let cuts and events happen independently
 * of each other at mean rates.  They leave out that the receiver is silent for
 * tau, in which the timer undoes most of a cut, and their queue is 18 to
 * 25 % shorter than that of packets; this one is within 11 %.  Where p is small
 * both have the fixed point of lab/oracle/dcqcn_point.h but for a factor.
 *
 * A loop of long delay or high gain does not settle: is_stable is whether it
 * does.  The model leaves out hyper increase, bursts, that packets are whole (a
 * queue of a few packets is no fluid), and all that differs between flows.  GSL
 * integrates, in fixed steps that divide the delay.
 *
 * Reference: Y. Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of
 * DCQCN and TIMELY", ACM CoNEXT 2016. */

#include <stdbool.h>

#include "base/status.h"
#include "lab/oracle/dcqcn_point.h"

struct dcqcn_loop {
    struct dcqcn_link link;
    double g;           /* Gain of alpha. */
    double cnp_gap_s;   /* tau */
    double fast_stages; /* F */
    double delay_s;     /* D */
    double limit_bytes; /* At which PFC pauses the senders; INFINITY: none. */
    double line_bps;    /* The most that a flow sends. */
    double min_bps;     /* And the least. */
    double size_bytes; /* Of the message whose time 'done_s' is; on the wire. */
};

struct dcqcn_course {
    /* Of the whole time. */
    double mean_bytes;
    double peak_bytes;
    double utilization; /* Share of the link that the flows used; 0..1. */
    double paused_s;    /* The queue was at its limit. */
    double done_s;      /* When each flow has sent 'size_bytes' and the queue
                         * has drained; INFINITY: later. */
    /* Of the last quarter. */
    double settled_bytes;
    double deviation_bytes;
    bool is_stable; /* The deviation is below a tenth of the queue there. */
};

/* Returns whether this build can integrate. */
bool dcqcn_fluid_is_built(void);

/* Follows 'loop' for 'time_s', into '*course'.
 * ST_UNSUPPORTED: this build has no GSL; ST_DEVICE: the integration failed. */
enum st dcqcn_fluid_run(const struct dcqcn_loop *loop, double time_s,
                        struct dcqcn_course *course,
                        struct err *err) ST_WARN_UNUSED;

#endif /* lab/fluid/dcqcn_fluid.h */
