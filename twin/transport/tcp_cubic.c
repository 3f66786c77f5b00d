/* SPDX-License-Identifier: Apache-2.0 */

/* CUBIC (RFC 9438) in integers.
 *
 * Windows are in bytes and times in microseconds.  With n segments of m bytes,
 * C = 0.4 segments / s^3 and d = t - K in microseconds,
 *
 *     W(t) = W_max + 0.4 m (d / 10^6)^3 = W_max + 2 m d^3 / (5 * 10^18)
 *
 * and K = cbrt(n / 0.4) s = cbrt(n * 5/2 * 10^18) us.  Products of 128 bits
 * hold all of this for windows below 2^40 bytes and times below 2^30 us. */

#include <config.h>

#include "twin/transport/tcp_congestion.h"

__extension__ typedef unsigned __int128 u128;

#define US_CUBED UINT64_C(1000000000000000000)

enum {
    PS_PER_US = 1000000,
    T_MAX_US = 1 << 30,
    C_NUMERATOR = 2,
    C_DENOMINATOR = 5,
    BETA_NUMERATOR = 7, /* 0.7 */
    BETA_DENOMINATOR = 10,
    /* Alpha of section 4.3, 3 (1 - beta) / (1 + beta) = 9/17. */
    ALPHA_NUMERATOR = 9,
    ALPHA_DENOMINATOR = 17,
    ROOT_BITS = 41,
};

/* Returns the cube root of 'n', rounded down. */
static uint64_t
cube_root(u128 n)
{
    uint64_t root = 0;

    for (int bit = ROOT_BITS; bit >= 0; bit--) {
        const uint64_t tried = root | UINT64_C(1) << bit;

        if ((u128)tried * tried * tried <= n) {
            root = tried;
        }
    }
    return root;
}

int64_t
tcp_cubic_k_us(uint64_t bytes, uint32_t mss_bytes)
{
    return (int64_t)cube_root((u128)bytes * US_CUBED * C_DENOMINATOR /
                              ((u128)mss_bytes * C_NUMERATOR));
}

uint64_t
tcp_cubic_window(const struct tcp_congestion *congestion, int64_t t_us)
{
    const struct tcp_cubic *cubic = &congestion->cubic;
    const int64_t bounded_us = t_us < T_MAX_US ? t_us : T_MAX_US;
    const bool is_below = bounded_us < cubic->k_us;
    const uint64_t d = (uint64_t)(is_below ? cubic->k_us - bounded_us
                                           : bounded_us - cubic->k_us);
    const uint64_t delta_bytes =
        (uint64_t)((u128)d * d * d * C_NUMERATOR * congestion->mss_bytes /
                   ((u128)US_CUBED * C_DENOMINATOR));

    if (!is_below) {
        return cubic->origin_bytes + delta_bytes;
    }
    return cubic->origin_bytes > delta_bytes ? cubic->origin_bytes - delta_bytes
                                             : 0;
}

/* Begins congestion avoidance.  After a timeout, or without a loss before, K is
 * 0 and the curve begins at its maximum (section 4.8 and 4.10). */
static void
begin_epoch(struct tcp_congestion *congestion, int64_t now_ps)
{
    struct tcp_cubic *cubic = &congestion->cubic;
    const uint64_t cwnd_bytes = congestion->cwnd_bytes;

    cubic->epoch_ps = now_ps;
    cubic->estimate_bytes = cwnd_bytes;
    cubic->estimate_rest = 0;
    cubic->rest = 0;
    cubic->k_us = 0;
    cubic->origin_bytes = cwnd_bytes;
    if (cubic->after_loss && cwnd_bytes < cubic->w_max_bytes) {
        cubic->origin_bytes = cubic->w_max_bytes;
        cubic->k_us = tcp_cubic_k_us(cubic->w_max_bytes - cwnd_bytes,
                                     congestion->mss_bytes);
    }
}

/* Advances W_est (section 4.3): alpha segments per window, one per window above
 * the window before the last reduction. */
static void
advance_estimate(struct tcp_congestion *congestion, uint64_t acked_bytes)
{
    struct tcp_cubic *cubic = &congestion->cubic;
    const uint64_t alpha = cubic->estimate_bytes < cubic->prior_bytes
                               ? ALPHA_NUMERATOR
                               : ALPHA_DENOMINATOR;
    const uint64_t divisor = congestion->cwnd_bytes * ALPHA_DENOMINATOR;

    cubic->estimate_rest += acked_bytes * congestion->mss_bytes * alpha;
    cubic->estimate_bytes += cubic->estimate_rest / divisor;
    cubic->estimate_rest %= divisor;
}

static void
cubic_avoid(struct tcp_congestion *congestion, uint64_t acked_bytes,
            int64_t srtt_ps, int64_t now_ps)
{
    struct tcp_cubic *cubic = &congestion->cubic;
    const uint64_t cwnd_bytes = congestion->cwnd_bytes;
    int64_t t_us;
    uint64_t target_bytes;

    if (cubic->epoch_ps < 0) {
        begin_epoch(congestion, now_ps);
    }
    advance_estimate(congestion, acked_bytes);
    t_us = (now_ps - cubic->epoch_ps) / PS_PER_US;
    if (tcp_cubic_window(congestion, t_us) < cubic->estimate_bytes) {
        if (cubic->estimate_bytes > cwnd_bytes) {
            congestion->cwnd_bytes = cubic->estimate_bytes;
        }
        return;
    }
    target_bytes = tcp_cubic_window(congestion, t_us + srtt_ps / PS_PER_US);
    if (target_bytes > cwnd_bytes + cwnd_bytes / 2) {
        target_bytes = cwnd_bytes + cwnd_bytes / 2;
    }
    if (target_bytes > cwnd_bytes) {
        cubic->rest += (target_bytes - cwnd_bytes) * acked_bytes;
        congestion->cwnd_bytes += cubic->rest / cwnd_bytes;
        cubic->rest %= cwnd_bytes;
    }
}

/* Sections 4.6 and 4.7. */
static void
cubic_reduce(struct tcp_congestion *congestion, uint64_t flight_bytes,
             bool is_mark)
{
    struct tcp_cubic *cubic = &congestion->cubic;
    const uint64_t cwnd_bytes = congestion->cwnd_bytes;

    (void)is_mark;
    cubic->w_max_bytes =
        congestion->fast_convergence && cwnd_bytes < cubic->w_max_bytes
            ? cwnd_bytes * (BETA_DENOMINATOR + BETA_NUMERATOR) /
                  (2 * BETA_DENOMINATOR)
            : cwnd_bytes;
    cubic->prior_bytes = cwnd_bytes;
    cubic->after_loss = true;
    congestion->ssthresh_bytes =
        flight_bytes * BETA_NUMERATOR / BETA_DENOMINATOR;
}

const struct tcp_congestion_ops tcp_cubic_ops = {
    .name = "cubic", .avoid = cubic_avoid, .reduce = cubic_reduce};
