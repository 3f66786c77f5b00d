/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_RETRY_H
#define ORCHD_LAB_ORACLE_RETRY_H

/* What link-level retry (twin/link/llr.h) lets through in theory: go-back-N
 * over a link whose bits are wrong independently of each other.
 *
 * A frame of L bytes takes T on the wire, and its sender knows after
 *
 *     R = T + 2 d + t
 *
 * how it arrived: d is the delay of the cable, t the time of an ordered set. N
 * frames of it may be outstanding.  A frame is damaged with P = 1 - (1 -
 * BER)^n, n being its bits with preamble and FCS, an ordered set with Q,
 * likewise.
 *
 *   Window.  Without errors a frame takes T, or (R + G / 2) / N if the window
 * is too small; ACKs, which come every G, wait for G / 2 on average.
 *
 *   First error.  The NACK comes R after the start of the frame, and the replay
 *   begins when the frame that is being sent then has ended: C = ceil(R / T) T,
 *   or R if the window has stopped the sender before.  If the NACK is lost, the
 *   replay timer D runs out: R + D.
 *
 *   Second error of a frame.  Only the timer notices it, and starts when the
 *   replay of the m = min(N, ceil(R / T)) outstanding frames has ended: m T +
 * D. Meanwhile new frames fill the window.  So each further error takes N T +
 * D, and a frame among the N that follow finds (N + m^2 / N) / 2 outstanding,
 * on average, instead of m; that is a share 1 - exp(-N P^2 / (1 - P)) of all.
 *
 * A frame takes T + P ((1 - Q) C + Q (R + D) + P C2 + P^2 C3 / (1 - P)) in all;
 * C2 and C3 are the costs of the second error and of further ones.  Ordered
 * sets for the other direction are left out: there is no traffic in it. */

struct retry_link {
    double ber; /* 0 to below 1. */
    double rate_bps;
    double delay_ps;    /* Of the cable, one way. */
    double frame_bytes; /* Without FCS. */
    double window_frames;
    double timer_ps;
    double spacing_bytes; /* Of ordered sets. */
};

/* Returns how many such frames a window of 'bytes' admits if the MAC may send
 * frames up to 'mtu_bytes'; lengths are without FCS. */
double retry_window_frames(double bytes, double mtu_bytes, double frame_bytes);

/* Returns the frames per second that 'link' delivers if there is always one to
 * be sent. */
double retry_frames_per_second(const struct retry_link *link);

#endif /* lab/oracle/retry.h */
