/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TELEMETRY_POLLING_RATES_H
#define ORCHD_TELEMETRY_POLLING_RATES_H

/* How fast packets and bytes pass a port.
 *
 * The same numbers that SONiC's script for the rates of ports computes: the
 * first rate is what was counted between two readings, each later one the
 * weighted mean of what was counted last and of the rate before (exponential
 * smoothing).  Other than there, the time between two readings is measured
 * and not taken from the configuration.
 *
 * Pure. */

#include <stdbool.h>
#include <stdint.h>

/* The weight of what was counted last: 2 / (1 + 10), for about ten readings. */
#define RATES_ALPHA 0.18

/* What is counted, in the order of the group PORT_RATES (counter_group.h). */
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

/* Updates 'rates' (zeroed at first) by two readings, 'elapsed_ns' apart.
 * Returns false, and changes nothing, if that is no time, or if a counter went
 * back: it was cleared, and what it counted is not known. */
bool rates_update(struct rates *rates, const uint64_t now[N_RATE_INPUTS],
                  const uint64_t old[N_RATE_INPUTS], int64_t elapsed_ns);

#endif /* orchd/telemetry/polling/rates.h */
