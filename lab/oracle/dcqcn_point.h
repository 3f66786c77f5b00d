/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_DCQCN_POINT_H
#define ORCHD_LAB_ORACLE_DCQCN_POINT_H

/* The fixed point of the fluid model of DCQCN: N flows share one link.
 *
 *     p*^3 = R_AI N^2 / (tau' C^2) (1 / B + N / (t C))^2
 *     q*   = Kmin + p* / Pmax (Kmax - Kmin)
 *
 * in packets and seconds: R_AI additive increase, tau' period of alpha, C rate
 * of the link, B byte counter, t timer.  It holds for small p*.  If p* is above
 * Pmax, the queue settles where marking is certain, at Kmax.
 *
 * Reference: Y. Zhu et al., "ECN or Delay: Lessons Learnt from Analysis of
 * DCQCN and TIMELY", ACM CoNEXT 2016; derived again in LAB 2.11. */

#include <stdbool.h>
#include <stdint.h>

struct dcqcn_link {
    double rate_bps;
    double packet_bytes;
    uint32_t n; /* Flows. */
    /* Of the reaction point. */
    double additive_bps;
    double alpha_period_s; /* tau' */
    double timer_s;        /* t */
    double byte_counter;   /* B in bytes; INFINITY: none. */
    /* Of the queue. */
    double kmin_bytes, kmax_bytes;
    double pmax; /* 0..1. */
};

struct dcqcn_point {
    double p;           /* Probability of a mark. */
    double queue_bytes; /* q* */
    double rate_bps;    /* Of each flow: C / N. */
    bool at_kmax;       /* p* > Pmax: the queue sits at Kmax. */
};

/* Stores the fixed point of 'link'.  All of its members are above 0, except
 * 'kmin_bytes', which may be 0. */
void dcqcn_point_solve(const struct dcqcn_link *link,
                       struct dcqcn_point *point);

#endif /* lab/oracle/dcqcn_point.h */
