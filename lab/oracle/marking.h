/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_MARKING_H
#define ORCHD_LAB_ORACLE_MARKING_H

/* When a growing queue marks its first packet.
 *
 * N equal streams arrive in step, a frame of each at a time, at a queue whose
 * link sends one frame after the other.  Frame by frame, the length L of the
 * queue follows, and the probability of a mark: 0 up to Kmin, Pmax (L - Kmin) /
 * (Kmax - Kmin) up to Kmax, 1 above.  L is without the frame that is judged:
 * what it finds when it is queued, or what it leaves behind.
 *
 * The expected time of the first mark is the sum over all frames of their time
 * by the probability that they are marked and none before them.  With Kmin =
 * Kmax it is exact.
 *
 * Reference: S. Floyd, V. Jacobson, "Random early detection gateways for
 * congestion avoidance", IEEE/ACM ToN 1(4), 1993: without the average. */

#include <stdbool.h>
#include <stdint.h>

struct marking_queue {
    uint32_t n;            /* Streams. */
    int64_t first_ps;      /* When the first frames have arrived. */
    int64_t in_ps, out_ps; /* A frame at the speed of a stream, of the link. */
    uint64_t frame_bytes;  /* That a frame takes in the queue. */
    uint64_t kmin_bytes, kmax_bytes;
    double pmax;       /* 0..1. */
    bool at_departure; /* Judged when it leaves, by what it leaves behind. */
    double until_ps;   /* When something else stops the streams. */
};

/* Returns the expected time of the first mark in picoseconds.  INFINITY: with a
 * probability of 0.1 % or more there is none before 'until_ps', or the queue
 * does not grow. */
double marking_first_ps(const struct marking_queue *queue);

#endif /* lab/oracle/marking.h */
