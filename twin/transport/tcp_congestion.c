/* SPDX-License-Identifier: Apache-2.0 */

/* What congestion controls have in common, reno and dctcp. */

#include <config.h>

#include "twin/transport/tcp_congestion.h"

enum { MIN_SEGMENTS = 2, DCTCP_UNIT = 1 << 20, DCTCP_G_SHIFT = 4 };

static const struct tcp_congestion_ops *const providers[] = {
    [TCP_RENO] = &tcp_reno_ops,
    [TCP_CUBIC] = &tcp_cubic_ops,
    [TCP_DCTCP] = &tcp_dctcp_ops,
};

const char *
tcp_algorithm_name(enum tcp_algorithm algorithm)
{
    return providers[algorithm]->name;
}

void
tcp_congestion_init(struct tcp_congestion *congestion,
                    enum tcp_algorithm algorithm, uint32_t mss_bytes,
                    uint32_t initial_segments, uint32_t abc_segments)
{
    *congestion = (struct tcp_congestion){
        .ops = providers[algorithm],
        .mss_bytes = mss_bytes,
        .abc_segments = abc_segments,
        .fast_convergence = true,
        .cwnd_bytes = (uint64_t)initial_segments * mss_bytes,
        .ssthresh_bytes = UINT64_MAX,
        .cubic = {.epoch_ps = -1},
        .dctcp = {.alpha = DCTCP_UNIT}};
}

/* Returns by how much slow start grows the window. */
static uint64_t
slow_start(const struct tcp_congestion *congestion, uint64_t acked_bytes)
{
    const uint64_t limit =
        (uint64_t)congestion->abc_segments * congestion->mss_bytes;
    const uint64_t room = congestion->ssthresh_bytes - congestion->cwnd_bytes;
    const uint64_t grown = limit && acked_bytes > limit ? limit : acked_bytes;

    return grown < room ? grown : room;
}

void
tcp_congestion_acked(struct tcp_congestion *congestion, uint64_t acked_bytes,
                     int64_t srtt_ps, int64_t now_ps)
{
    if (congestion->cwnd_bytes < congestion->ssthresh_bytes) {
        congestion->cwnd_bytes += slow_start(congestion, acked_bytes);
    } else {
        congestion->ops->avoid(congestion, acked_bytes, srtt_ps, now_ps);
    }
}

void
tcp_congestion_set(struct tcp_congestion *congestion, uint64_t cwnd_bytes)
{
    congestion->cwnd_bytes = cwnd_bytes;
    congestion->grown_bytes = 0;
    congestion->cubic.epoch_ps = -1;
}

void
tcp_congestion_reduce(struct tcp_congestion *congestion, uint64_t flight_bytes,
                      bool is_mark)
{
    const uint64_t least = (uint64_t)MIN_SEGMENTS * congestion->mss_bytes;

    congestion->ops->reduce(congestion, flight_bytes, is_mark);
    if (congestion->ssthresh_bytes < least) {
        congestion->ssthresh_bytes = least;
    }
    tcp_congestion_set(congestion, congestion->ssthresh_bytes);
}

void
tcp_congestion_timeout(struct tcp_congestion *congestion, uint64_t flight_bytes,
                       bool is_repeated)
{
    if (!is_repeated) {
        tcp_congestion_reduce(congestion, flight_bytes, false);
    }
    congestion->cubic.after_loss = false;
    tcp_congestion_set(congestion, congestion->mss_bytes);
}

/* Reno --------------------------------------------------------------------- */

/* RFC 5681, section 3.1: a segment per window of acknowledged bytes. */
static void
reno_avoid(struct tcp_congestion *congestion, uint64_t acked_bytes,
           int64_t srtt_ps, int64_t now_ps)
{
    (void)srtt_ps;
    (void)now_ps;
    congestion->grown_bytes += acked_bytes;
    while (congestion->grown_bytes >= congestion->cwnd_bytes) {
        congestion->grown_bytes -= congestion->cwnd_bytes;
        congestion->cwnd_bytes += congestion->mss_bytes;
    }
}

/* RFC 5681, equation 4. */
static void
reno_reduce(struct tcp_congestion *congestion, uint64_t flight_bytes,
            bool is_mark)
{
    (void)is_mark;
    congestion->ssthresh_bytes = flight_bytes / 2;
}

const struct tcp_congestion_ops tcp_reno_ops = {
    .name = "reno", .avoid = reno_avoid, .reduce = reno_reduce};

/* DCTCP -------------------------------------------------------------------- */

/* RFC 8257, section 3.3: losses as reno, marks by alpha. */
static void
dctcp_reduce(struct tcp_congestion *congestion, uint64_t flight_bytes,
             bool is_mark)
{
    const uint64_t cwnd_bytes = congestion->cwnd_bytes;

    congestion->ssthresh_bytes =
        is_mark ? cwnd_bytes -
                      cwnd_bytes * congestion->dctcp.alpha / (2 * DCTCP_UNIT)
                : flight_bytes / 2;
}

/* RFC 8257, section 3.3, steps 1 to 8: once per window of data. */
static void
dctcp_observe(struct tcp_congestion *congestion, uint64_t acked_bytes,
              bool marked, uint64_t una, uint64_t next)
{
    struct tcp_dctcp *dctcp = &congestion->dctcp;

    dctcp->acked_bytes += acked_bytes;
    dctcp->marked_bytes += marked ? acked_bytes : 0;
    if (una > dctcp->window_end && dctcp->acked_bytes) {
        const uint64_t share =
            dctcp->marked_bytes * DCTCP_UNIT / dctcp->acked_bytes;

        dctcp->alpha -= dctcp->alpha >> DCTCP_G_SHIFT;
        dctcp->alpha += (uint32_t)(share >> DCTCP_G_SHIFT);
        dctcp->window_end = next;
        dctcp->acked_bytes = 0;
        dctcp->marked_bytes = 0;
    }
}

const struct tcp_congestion_ops tcp_dctcp_ops = {.name = "dctcp",
                                                 .avoid = reno_avoid,
                                                 .reduce = dctcp_reduce,
                                                 .observe = dctcp_observe};
