/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_TRANSPORT_H
#define ORCHD_LAB_ORACLE_TRANSPORT_H

/* What a transport reaches in theory.
 *
 * Goodput is a fraction of the rate without loss.  Losses are independent with
 * probability 'p' (0..1) for each packet.  Source: LAB 1 (rows A7, A36, C5, D9)
 * and 2.11. */

#include <stdint.h>

/* Returns the goodput of go-back-N: each loss costs the 'window' packets that
 * were in flight and the silence of 'recovery_ps' in packets of 'packet_bits'
 * at 'rate_bps': 1 / (1 + p (W + D C / L)). */
double transport_go_back_n(double p, double window, double recovery_ps,
                           double rate_bps, double packet_bits);

/* Returns the probability (1 - p)^M that a message of 'packets' is received
 * without loss: with go-back-0, which starts a message again, nothing else is
 * goodput. */
double transport_go_back_0(double p, uint64_t packets);

/* Returns the goodput of go-back-0 with messages of 'packets': M / (M + (1 / q
 * - 1) (K - 1 + W + D C / L)).  q = (1 - p)^M is the probability that an
 * attempt succeeds, so 1 / q - 1 fail before; in each of these the first lost
 * packet is on average the K-th, K = 1 / p - M q / (1 - q), and W and D follow
 * as with go-back-N.  'p' is not 0. */
double transport_go_back_0_goodput(double p, uint64_t packets, double window,
                                   double recovery_ps, double rate_bps,
                                   double packet_bits);

/* Returns the goodput of selective repetition: 1 - p. */
double transport_selective(double p);

/* Returns how long 'n' senders of 'bytes' each need into one link of
 * 'rate_bps', in picoseconds: N S / C, the ideal of an incast. */
double transport_incast_ps(uint32_t n, double bytes, double rate_bps);

/* Returns the rate in bit/s of messages of 'bytes' if each waits for the one
 * before it: S / (RTT + t). */
double transport_serial_bps(double bytes, double rtt_ps, double extra_ps);

#endif /* lab/oracle/transport.h */
