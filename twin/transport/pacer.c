/* SPDX-License-Identifier: Apache-2.0 */

/* Spaces the packets of a queue pair by its rate. */

#include <config.h>

#include "twin/transport/pacer.h"

#define PS_PER_BYTE_AT_1_BPS UINT64_C(8000000000000)

_Static_assert(sizeof(struct pacer) == 32, "half a cache line per queue pair");

/* For products of two 64-bit numbers; gcc and clang have it on 64-bit
 * targets. */
__extension__ typedef unsigned __int128 u128;

/* Moves the eligible time by the gap of 'bytes' in whole steps. */
static __attribute__((noinline)) void
charge_steps(struct pacer *pacer, uint32_t step_ps, uint32_t bytes)
{
    const uint64_t gap_ps =
        bytes * PS_PER_BYTE_AT_1_BPS / (uint64_t)pacer->rate_bps;

    pacer->eligible_ps += (int64_t)(gap_ps - gap_ps % step_ps);
    pacer->rest = 0;
}

/* The gap that comes now begins at 'now_ps', or earlier if there is lag. */
static void
begin(struct pacer *pacer, const struct pacer_config *config, int64_t now_ps)
{
    const int64_t base_ps = now_ps - config->max_lag_ps;

    if (pacer->eligible_ps < base_ps) {
        pacer->eligible_ps = base_ps;
        pacer->rest = 0;
    }
}

/* Moves the eligible time by the gap of 'bytes'. */
static void
charge(struct pacer *pacer, const struct pacer_config *config, uint32_t bytes,
       int64_t rate_bps)
{
    uint64_t total;

    if (pacer->rate_bps != rate_bps) {
        if (pacer->rest) {
            pacer->rest = (uint64_t)((u128)pacer->rest * (uint64_t)rate_bps /
                                     (uint64_t)pacer->rate_bps);
        }
        pacer->rate_bps = rate_bps;
    }
    if (config->step_ps) {
        charge_steps(pacer, config->step_ps, bytes);
        return;
    }
    total = bytes * PS_PER_BYTE_AT_1_BPS + pacer->rest;
    pacer->eligible_ps += (int64_t)(total / (uint64_t)rate_bps);
    pacer->rest = total % (uint64_t)rate_bps;
}

void
pacer_sent(struct pacer *pacer, const struct pacer_config *config,
           uint32_t bytes, int64_t rate_bps, int64_t now_ps)
{
    if (!pacer->burst_packets) {
        begin(pacer, config, now_ps);
    }
    if (config->burst > 1) {
        pacer->burst_bytes += bytes;
        if (++pacer->burst_packets < config->burst) {
            return;
        }
        bytes = pacer->burst_bytes;
        pacer->burst_bytes = 0;
        pacer->burst_packets = 0;
    }
    charge(pacer, config, bytes, rate_bps);
}

void
pacer_end_burst(struct pacer *pacer, const struct pacer_config *config,
                int64_t rate_bps)
{
    if (pacer->burst_packets > 0) {
        charge(pacer, config, pacer->burst_bytes, rate_bps);
        pacer->burst_bytes = 0;
        pacer->burst_packets = 0;
    }
}
