/* SPDX-License-Identifier: Apache-2.0 */

/* Times of an idle fabric. */

#include <config.h>

#include "lab/oracle/delay.h"

#include "base/check.h"
#include "base/picoseconds.h"

enum { QUANTUM_BITS = 512 };

/* Returns bits * 10^12 / rate, rounded up, without overflow. */
static int64_t
bits_to_ps(uint64_t bits, uint64_t rate_bps)
{
    const unsigned __int128 product =
        (unsigned __int128)bits * (uint64_t)PS_PER_S;

    orch_assert(rate_bps);
    return (int64_t)((product + rate_bps - 1) / rate_bps);
}

int64_t
delay_send_ps(uint64_t bytes, uint64_t rate_bps)
{
    return bits_to_ps(bytes * 8, rate_bps);
}

int64_t
delay_path_ps(const struct delay_hop *hops, uint32_t n, uint64_t wire_bytes)
{
    int64_t sum = 0;

    for (uint32_t i = 0; i < n; i++) {
        sum += delay_send_ps(wire_bytes, hops[i].rate_bps) +
               (int64_t)(hops[i].length_mm * DELAY_PS_PER_MM) +
               hops[i].pipeline_ps;
    }
    return sum;
}

int64_t
delay_round_trip_ps(const struct delay_hop *hops, uint32_t n,
                    uint64_t wire_bytes, uint64_t ack_bytes, int64_t turn_ps)
{
    return delay_path_ps(hops, n, wire_bytes) + turn_ps +
           delay_path_ps(hops, n, ack_bytes);
}

int64_t
delay_train_ps(const struct delay_hop *hops, uint32_t n, uint64_t n_packets,
               uint64_t wire_bytes)
{
    int64_t slowest = 0;

    for (uint32_t i = 0; i < n; i++) {
        const int64_t send = delay_send_ps(wire_bytes, hops[i].rate_bps);

        slowest = send > slowest ? send : slowest;
    }
    return n_packets ? delay_path_ps(hops, n, wire_bytes) +
                           (int64_t)(n_packets - 1) * slowest
                     : 0;
}

int64_t
delay_pause_ps(uint32_t quanta, uint64_t rate_bps)
{
    return bits_to_ps((uint64_t)quanta * QUANTUM_BITS, rate_bps);
}
