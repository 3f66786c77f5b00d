/* SPDX-License-Identifier: Apache-2.0 */

/* How fast an adapter can pass on what it receives, in theory. */

#include <config.h>

#include "lab/oracle/receiver.h"

#include <math.h>

#include "base/picoseconds.h"

double
receiver_hit_ratio(double entries, double n)
{
    return fmin(1, entries / n);
}

double
receiver_pcie_bps(double lanes, double transfers_per_s,
                  double max_payload_bytes)
{
    return lanes * transfers_per_s * 128 / 130 * max_payload_bytes /
           (max_payload_bytes + 26);
}

double
receiver_drain_bps(double bytes, double bus_bps, double reads, double read_ps,
                   double overlap)
{
    const double read_bps =
        overlap * bytes * 8 / (reads * read_ps) * (double)PS_PER_S;

    return reads > 0 ? fmin(bus_bps, read_bps) : bus_bps;
}
