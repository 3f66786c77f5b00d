/* SPDX-License-Identifier: Apache-2.0 */

/* Exponential smoothing of four differences. */

#include <config.h>

#include "orchd/telemetry/polling/rates.h"

/* Moves '*rate' towards 'count' per 'seconds'. */
static void
smooth(double *rate, uint64_t count, double seconds, bool known)
{
    const double now = (double)count / seconds;

    *rate = known ? RATES_ALPHA * now + (1 - RATES_ALPHA) * *rate : now;
}

bool
rates_update(struct rates *rates, const uint64_t now[N_RATE_INPUTS],
             const uint64_t old[N_RATE_INPUTS], int64_t elapsed_ns)
{
    const double seconds = (double)elapsed_ns / 1e9;
    uint64_t passed[N_RATE_INPUTS];

    if (elapsed_ns <= 0) {
        return false;
    }
    for (int i = 0; i < N_RATE_INPUTS; i++) {
        if (now[i] < old[i]) {
            return false;
        }
        passed[i] = now[i] - old[i];
    }
    smooth(&rates->rx_packets,
           passed[RATE_IN_UCAST] + passed[RATE_IN_NON_UCAST], seconds,
           rates->known);
    smooth(&rates->rx_bytes, passed[RATE_IN_OCTETS], seconds, rates->known);
    smooth(&rates->tx_packets,
           passed[RATE_OUT_UCAST] + passed[RATE_OUT_NON_UCAST], seconds,
           rates->known);
    smooth(&rates->tx_bytes, passed[RATE_OUT_OCTETS], seconds, rates->known);
    rates->known = true;
    return true;
}
