/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_TCP_CONGESTION_H
#define ORCHD_TWIN_TRANSPORT_TCP_CONGESTION_H

/* Congestion controls of TCP: how the congestion window grows and shrinks.
 *
 * A congestion control is a provider of the operations of 'struct
 * tcp_congestion_ops'.  It decides about the size of the window only; which
 * segments are lost, and when they are sent again, is the business of the
 * connection (tcp.h).  All arithmetic is of integers, so results are the same
 * with every compiler.
 *
 *   reno    RFC 5681: slow start, then one segment per window; half on loss.
 *   cubic   RFC 9438: W(t) = C (t - K)^3 + W_max with C = 0.4 and a decrease to
 *           0.7, the Reno-friendly region, and fast convergence.  Times are in
 *           whole microseconds; what a division leaves is carried.
 *   dctcp   RFC 8257: like reno, but an echoed mark reduces the window by
 *           alpha / 2, where alpha is the moving average, with g = 1/16, of
 *           the marked share of the bytes.
 *
 * Slow start counts bytes (RFC 3465): an acknowledgement of n bytes adds at
 * most n, and at most 'abc_segments' segments unless that is 0.  With 1 it is
 * that of RFC 5681; Linux has no limit.
 *
 * Left out: HyStart, pacing. */

#include <stdbool.h>
#include <stdint.h>

enum tcp_algorithm { TCP_RENO, TCP_CUBIC, TCP_DCTCP, TCP_N_ALGORITHMS };

struct tcp_congestion_ops;

struct tcp_cubic {
    uint64_t w_max_bytes;
    uint64_t origin_bytes;   /* The maximum of the curve. */
    uint64_t estimate_bytes; /* W_est of the Reno-friendly region. */
    uint64_t estimate_rest;  /* Carried, in 1/(17 cwnd) bytes. */
    uint64_t rest;           /* Carried, in 1/cwnd bytes. */
    uint64_t prior_bytes;    /* The window before the last reduction. */
    int64_t k_us;
    int64_t epoch_ps; /* Start of congestion avoidance; -1: not yet. */
    bool after_loss;  /* The epoch begins after a fast recovery. */
};

struct tcp_dctcp {
    uint32_t alpha; /* In 2^-20. */
    uint64_t acked_bytes;
    uint64_t marked_bytes;
    uint64_t window_end; /* Position in the stream. */
};

/* The state.  Read-only for users. */
struct tcp_congestion {
    const struct tcp_congestion_ops *ops;
    uint32_t mss_bytes;
    uint32_t abc_segments;
    bool fast_convergence; /* Of cubic. */
    uint64_t cwnd_bytes;
    uint64_t ssthresh_bytes;
    uint64_t grown_bytes; /* Acknowledged in congestion avoidance and not turned
                           * into growth yet. */
    struct tcp_cubic cubic;
    struct tcp_dctcp dctcp;
};

struct tcp_congestion_ops {
    const char *name;

    /* Grows the window in congestion avoidance: 'acked_bytes' (not 0) were
     * acknowledged at 'now_ps', and the window was full.  'srtt_ps' is the
     * smoothed round-trip time. */
    void (*avoid)(struct tcp_congestion *congestion, uint64_t acked_bytes,
                  int64_t srtt_ps, int64_t now_ps);

    /* A loss (or, with 'is_mark', an echoed mark, at most one per window) while
     * 'flight_bytes' were in flight.  Sets 'ssthresh_bytes', and nothing else
     * that others read. */
    void (*reduce)(struct tcp_congestion *congestion, uint64_t flight_bytes,
                   bool is_mark);

    /* An acknowledgement of 'acked_bytes' arrived, up to position 'una' of the
     * stream, when 'next' was the next to send; 'marked': with ECE.  NULL: of
     * no interest. */
    void (*observe)(struct tcp_congestion *congestion, uint64_t acked_bytes,
                    bool marked, uint64_t una, uint64_t next);
};

/* Fills '*congestion' with the initial window of 'initial_segments'; with fast
 * convergence. */
void tcp_congestion_init(struct tcp_congestion *congestion,
                         enum tcp_algorithm algorithm, uint32_t mss_bytes,
                         uint32_t initial_segments, uint32_t abc_segments);

/* Grows the window, which was full, by an acknowledgement of 'acked_bytes'. */
void tcp_congestion_acked(struct tcp_congestion *congestion,
                          uint64_t acked_bytes, int64_t srtt_ps,
                          int64_t now_ps);

/* Reduces slow start threshold and window after a loss or a mark. */
void tcp_congestion_reduce(struct tcp_congestion *congestion,
                           uint64_t flight_bytes, bool is_mark);

/* Reduces both after a retransmission timeout: the window to one segment.  The
 * threshold stays if 'is_repeated', because the same data timed out before. */
void tcp_congestion_timeout(struct tcp_congestion *congestion,
                            uint64_t flight_bytes, bool is_repeated);

/* Replaces the window, and begins a new epoch of congestion avoidance. */
void tcp_congestion_set(struct tcp_congestion *congestion, uint64_t cwnd_bytes);

/* Returns the name of 'algorithm', such as "cubic". */
const char *tcp_algorithm_name(enum tcp_algorithm algorithm);

/* Returns W_cubic(t) of RFC 9438, section 4.2, in bytes, 't_us' after the start
 * of the present epoch; 0 if it is negative.  For tests. */
uint64_t tcp_cubic_window(const struct tcp_congestion *congestion,
                          int64_t t_us);

/* Returns the cube root of n * 10^18 / 0.4, rounded down, for n = 'bytes' /
 * 'mss_bytes': K of RFC 9438 in microseconds.  For tests. */
int64_t tcp_cubic_k_us(uint64_t bytes, uint32_t mss_bytes);

/* The providers. */
extern const struct tcp_congestion_ops tcp_reno_ops;
extern const struct tcp_congestion_ops tcp_cubic_ops;
extern const struct tcp_congestion_ops tcp_dctcp_ops;

#endif /* twin/transport/tcp_congestion.h */
