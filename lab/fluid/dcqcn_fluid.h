/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_FLUID_DCQCN_FLUID_H
#define ORCHD_LAB_FLUID_DCQCN_FLUID_H

/* The fluid model of DCQCN in time: n equal flows share one link.
 *
 * In packets and seconds, with x(t - D) delayed by the loop from the mark to
 * the cut, p the probability of a mark, and M(y) = 1 - (1 - p)^y:
 *
 *     dq/dt = n R - C
 *     da/dt = g / tau' (M(tau' R) - a)
 *     dT/dt = -(T - R) / tau M(tau R)
 *             + AI R [p (1 - p)^(F B) / ((1 - p)^-B - 1)
 *                     + p (1 - p)^(F t R) / ((1 - p)^-(t R) - 1)]
 *     dR/dt = -R a / (2 tau) M(tau R)
 *             + (T - R) / 2 R [p / ((1 - p)^-B - 1) + p / ((1 - p)^-(t R) - 1)]
 *
 * where on the right p and R of M and of the brackets are those of t - D.  The
 * queue marks linearly between Kmin and Kmax, above it always, and a full one
 * (PFC pauses its senders) grows no further.  All flows start at the speed of
 * the link.  GSL integrates, in fixed steps that divide the delay.
 *
 * The model has a fixed point (lab/oracle/dcqcn_point.h), but a loop of large
 * delay or high gain does not settle there: is_stable is whether it does.  It
 * leaves out hyper increase, bursts, that packets are whole, and all that
 * differs between flows.
 *
 * Reference: Y. Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of
 * DCQCN and TIMELY", ACM CoNEXT 2016; derived again in LAB 2.11. */

#include <stdbool.h>

#include "base/status.h"
#include "lab/oracle/dcqcn_point.h"

struct dcqcn_loop {
    struct dcqcn_link link;
    double g;           /* Gain of alpha. */
    double cnp_gap_s;   /* tau */
    double fast_stages; /* F */
    double delay_s;     /* D, above 0. */
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

/* Follows 'loop' for 'time_s', more than 4 delays, into '*course'.
 * ST_UNSUPPORTED: this build has no GSL; ST_DEVICE: the integration failed. */
enum st dcqcn_fluid_run(const struct dcqcn_loop *loop, double time_s,
                        struct dcqcn_course *course,
                        struct err *err) ST_WARN_UNUSED;

#endif /* lab/fluid/dcqcn_fluid.h */
