/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_TRANSPORT_PACER_H
#define ORCHD_TWIN_TRANSPORT_PACER_H

/* Spaces the packets of a queue pair by its rate.
 *
 * A packet of L bytes at rate R moves the time from which the next one is
 * eligible by L * 8 / R.  The remainder of the division is carried to the next
 * packet, so that n packets at a constant rate take floor(n * L * 8 / R)
 * picoseconds, without drift.  A change of the rate converts the remainder.
 *
 * With bursts, b packets are eligible at once; the next burst is eligible the
 * gap of all of them after the first one has started.  So the mean rate is R
 * with any b, and at the rate of the port there is no gap.  A burst that ends
 * early (nothing to send) is charged what it sent.
 *
 * A packet that is sent late (the port was busy, or there was nothing to send)
 * gives credit: at most 'max_lag_ps' of it moves the next packet forward.  With
 * 0 the gap counts from the time of sending, of a burst from that of its first
 * packet. */

#include <stdint.h>

/* Zero-initialised: the first packet is eligible at time 0. */
struct pacer {
    int64_t eligible_ps;  /* When the next packet may start. */
    int64_t rate_bps;     /* Of the last gap. */
    uint64_t rest;        /* Carried, in units of 1 / rate picoseconds. */
    uint32_t burst_bytes; /* Sent of the current burst. */
    uint32_t burst_packets;
};

enum { PACER_MAX_BYTES = 1 << 20 };

struct pacer_config {
    uint32_t burst;     /* Packets per burst, of at most PACER_MAX_BYTES
                         * together; 0 or 1: none. */
    uint32_t step_ps;   /* Gaps are rounded down to multiples of this, and
                         * nothing is carried; 0: exact. */
    int64_t max_lag_ps; /* Not negative. */
};

/* Counts a packet of 'bytes' (at most PACER_MAX_BYTES) that starts at 'now_ps',
 * not before 'eligible_ps', at 'rate_bps' (1..2^42).  So a change of the rate
 * only affects packets sent after it; a burst is charged at the rate of its
 * last packet. */
void pacer_sent(struct pacer *pacer, const struct pacer_config *config,
                uint32_t bytes, int64_t rate_bps, int64_t now_ps);

/* Ends a burst that has not sent all its packets, since there is nothing more
 * to send. */
void pacer_end_burst(struct pacer *pacer, const struct pacer_config *config,
                     int64_t rate_bps);

#endif /* twin/transport/pacer.h */
