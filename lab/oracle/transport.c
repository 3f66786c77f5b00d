/* SPDX-License-Identifier: Apache-2.0 */

/* What a transport reaches in theory. */

#include <config.h>

#include "lab/oracle/transport.h"

#include <math.h>

#include "base/picoseconds.h"

double
transport_go_back_n(double p, double window, double recovery_ps,
                    double rate_bps, double packet_bits)
{
    const double silent_packets =
        recovery_ps / (double)PS_PER_S * rate_bps / packet_bits;

    return 1 / (1 + p * (window + silent_packets));
}

double
transport_go_back_0(double p, uint64_t packets)
{
    return pow(1 - p, (double)packets);
}

double
transport_go_back_0_goodput(double p, uint64_t packets, double window,
                            double recovery_ps, double rate_bps,
                            double packet_bits)
{
    const double silent_packets =
        recovery_ps / (double)PS_PER_S * rate_bps / packet_bits;
    const double whole = transport_go_back_0(p, packets);
    const double first_lost = 1 / p - (double)packets * whole / (1 - whole);

    return (double)packets /
           ((double)packets +
            (1 / whole - 1) * (first_lost - 1 + window + silent_packets));
}

double
transport_selective(double p)
{
    return 1 - p;
}

double
transport_incast_ps(uint32_t n, double bytes, double rate_bps)
{
    return n * bytes * 8 / rate_bps * (double)PS_PER_S;
}

double
transport_serial_bps(double bytes, double rtt_ps, double extra_ps)
{
    return bytes * 8 / (rtt_ps + extra_ps) * (double)PS_PER_S;
}
