/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_RATES_H
#define ORCHD_TELEMETRY_POLLING_RATES_H

/* Rates of packets and bytes of a port.
 *
 * They are computed as in SONiC's script for port rates: the first rate is the
 * difference of two readings per time, each later one the weighted mean of the
 * newest difference and the previous rate (exponential smoothing).  Unlike that
 * script, orchd measures the time between two readings instead of taking it
 * from the configuration.
 *
 * Pure. */

#include <stdbool.h>
#include <stdint.h>

/* The weight of the newest difference: 2 / (1 + 10), for about ten readings. */
#define RATES_ALPHA 0.18

/* The counters, in the order of the group PORT_RATES (counter_group.h). */
enum rate_input {
    RATE_IN_UCAST,
    RATE_IN_NON_UCAST,
    RATE_IN_OCTETS,
    RATE_OUT_UCAST,
    RATE_OUT_NON_UCAST,
    RATE_OUT_OCTETS,
    N_RATE_INPUTS
};

/* Per second. */
struct rates {
    bool known;
    double rx_packets, tx_packets;
    double rx_bytes, tx_bytes;
};

/* Updates 'rates' (initially zeroed) with two readings, 'elapsed_ns' apart.
 * Returns false, and changes nothing, if that is not positive, or if a counter
 * has decreased, because it was cleared in between. */
bool rates_update(struct rates *rates, const uint64_t now[N_RATE_INPUTS],
                  const uint64_t old[N_RATE_INPUTS], int64_t elapsed_ns);

#endif /* orchd/telemetry/polling/rates.h */
