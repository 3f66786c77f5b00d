/* SPDX-License-Identifier: Apache-2.0 */

/* Rounds of an SRD context, and the rate and flight that follow from them. */

#include <config.h>

#include "twin/transport/srd_state.h"

enum { ROUND_PACKETS = 8 };

#define PS_PER_S INT64_C(1000000000000)

static uint64_t
mtu_wire(const struct srd *srd)
{
    return srd_wire_bytes__(srd->config->mtu_bytes);
}

/* Starts the next round.  If there is nothing to send now it may last until
 * there is, so it is idle from the start. */
static void
begin(struct srd *srd)
{
    struct srd_rate *rate = &srd->rate;

    rate->number++;
    rate->begin_ps = -1;
    rate->bytes = 0;
    rate->packets = 0;
    rate->n_sampled = 0;
    rate->n_high = 0;
    rate->is_idle = !srd_has_waiting__(srd);
}

void
srd_rate_init__(struct srd *srd)
{
    struct srd_rate *rate = &srd->rate;

    *rate = (struct srd_rate){.rate_bps = srd->config->line_bps,
                              .limit_bytes =
                                  srd->config->initial_packets * mtu_wire(srd),
                              .is_starting = true};
    begin(srd);
    rate->is_idle = false;
}

/* Returns the delivery rate of the round: the first acknowledgement starts the
 * clock, so its packet does not count.  Packets are about equal. */
static int64_t
measure(const struct srd_rate *rate, int64_t line_bps)
{
    const int64_t span_ps = rate->last_ps - rate->begin_ps;
    const __int128 bits =
        (__int128)rate->bytes * 8 * (rate->packets - 1) / rate->packets;
    const __int128 bps = span_ps ? bits * PS_PER_S / span_ps : line_bps;

    return bps > line_bps ? line_bps : (int64_t)bps;
}

/* Returns whether 'measured_bps' is less than the rate R allows.  While the
 * flight still grows to what the line needs, it is what limits the delivery. */
static bool
is_below_rate(const struct srd *srd, int64_t measured_bps)
{
    const struct srd_rate *rate = &srd->rate;

    return !rate->is_idle && !(rate->is_starting && !rate->is_full) &&
           measured_bps < rate->rate_bps / 100 * 95;
}

/* Returns whether the round shows congestion. */
static bool
is_congested(struct srd *srd, int64_t measured_bps)
{
    const struct srd_rate *rate = &srd->rate;
    const int64_t ack_ps = rate->last_ps - rate->begin_ps;
    const int64_t sent_ps = rate->last_sent_ps - rate->first_sent_ps;
    const bool is_high = 2 * rate->n_high > rate->n_sampled;
    const bool is_slower = (rate->is_starting && ack_ps * 95 > sent_ps * 100) ||
                           is_below_rate(srd, measured_bps);

    srd->counters.congested_by_rtt += is_high;
    srd->counters.congested += is_high || is_slower;
    return is_high || is_slower;
}

/* Returns the least round-trip time of the longest packets. */
static int64_t
longest_ps(const struct srd *srd)
{
    uint32_t size = SRD_N_SIZES - 1;

    while (size && !srd->least_ps[size]) {
        size--;
    }
    return srd->least_ps[size];
}

/* Sets the limit of what is in flight from the delivery rate. */
static void
limit(struct srd *srd)
{
    struct srd_rate *rate = &srd->rate;
    const __int128 bits =
        (__int128)rate->delivery_bps * longest_ps(srd) / PS_PER_S;

    rate->limit_bytes = (uint64_t)(bits * 5 / 32) + 2 * mtu_wire(srd);
}

/* Slow start: the flight doubles up to what the line can need. */
static void
start_up(struct srd *srd)
{
    struct srd_rate *rate = &srd->rate;
    const uint64_t twice = 2 * rate->limit_bytes;

    rate->delivery_bps = srd->config->line_bps;
    limit(srd);
    rate->is_full = twice >= rate->limit_bytes;
    if (!rate->is_full) {
        rate->limit_bytes = twice;
    }
}

/* R after a round with congestion, in which 'last_bps' were delivered. */
static void
lower(struct srd *srd, int64_t last_bps)
{
    struct srd_rate *rate = &srd->rate;
    const int64_t lower_bps =
        last_bps - (last_bps >> srd->config->decrease_shift);

    rate->delivery_bps = last_bps;
    rate->rate_bps =
        lower_bps > srd->config->min_bps ? lower_bps : srd->config->min_bps;
}

/* R after a round without. */
static void
raise(struct srd *srd)
{
    struct srd_rate *rate = &srd->rate;
    const __int128 bits =
        (__int128)mtu_wire(srd) * 8 * srd->config->increase_packets;
    const __int128 bps = rate->rate_bps + bits * PS_PER_S / srd->srtt_ps;

    rate->rate_bps =
        bps < srd->config->line_bps ? (int64_t)bps : srd->config->line_bps;
}

static void
end_round(struct srd *srd)
{
    struct srd_rate *rate = &srd->rate;
    const int64_t last_bps = measure(rate, srd->config->line_bps);
    const int64_t measured_bps =
        last_bps > rate->previous_bps ? last_bps : rate->previous_bps;
    bool congested;

    rate->previous_bps = last_bps;
    srd->counters.rounds++;
    congested = is_congested(srd, measured_bps);
    if (rate->is_starting && !congested) {
        start_up(srd);
    } else {
        rate->is_starting = false;
        /* What was delivered while there was at times nothing to send says
         * nothing about what could have been, so it sets no rate. */
        if (congested && !rate->is_idle) {
            lower(srd, last_bps);
        } else if (!rate->is_idle || measured_bps > rate->delivery_bps) {
            rate->delivery_bps = measured_bps;
        }
        if (!congested && !rate->is_idle) {
            raise(srd);
        }
        limit(srd);
    }
    srd_paths_compare__(srd);
    begin(srd);
}

void
srd_rate_acked__(struct srd *srd, uint32_t bytes, int64_t sent_ps,
                 int64_t now_ps)
{
    struct srd_rate *rate = &srd->rate;

    if (sent_ps < 0) {
        return;
    }
    if (rate->begin_ps < 0) {
        rate->begin_ps = now_ps;
        rate->first_sent_ps = rate->last_sent_ps = sent_ps;
    }
    rate->last_ps = now_ps;
    rate->first_sent_ps =
        sent_ps < rate->first_sent_ps ? sent_ps : rate->first_sent_ps;
    rate->last_sent_ps =
        sent_ps > rate->last_sent_ps ? sent_ps : rate->last_sent_ps;
    rate->bytes += bytes;
    rate->packets++;
    if (rate->packets >= ROUND_PACKETS && srd->srtt_ps &&
        now_ps - rate->begin_ps >= srd->srtt_ps) {
        end_round(srd);
    }
}
