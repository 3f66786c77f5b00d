/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_DELAY_H
#define ORCHD_LAB_ORACLE_DELAY_H

/* Times of an idle fabric, in picoseconds, exact.
 *
 * Every node stores a whole frame before it forwards it: a frame of L bytes on
 * the wire takes, for each link of its path, L * 8 / rate to send and 5 ns per
 * metre to arrive, and in each switch the latency of its pipeline.
 *
 * Sizes are on the wire: payload, headers, FCS, preamble and gap (RoCEv2: 1024
 * bytes of payload are 1086 with FCS and 1106 on the wire). */

#include <stdint.h>

/* Picoseconds that light needs for a millimetre of cable: 5 ns per metre. */
enum { DELAY_PS_PER_MM = 5 };

/* A link of a path and the node at its end. */
struct delay_hop {
    uint64_t rate_bps; /* Not 0. */
    uint64_t length_mm;
    int64_t pipeline_ps; /* Of the node behind it, before it sends. */
};

/* Returns how long 'bytes' take to send at 'rate_bps', rounded up.  'bytes' is
 * at most 2^40. */
int64_t delay_send_ps(uint64_t bytes, uint64_t rate_bps);

/* Returns the time from the first bit sent to the last bit received over the
 * 'n' 'hops'. */
int64_t delay_path_ps(const struct delay_hop *hops, uint32_t n,
                      uint64_t wire_bytes);

/* Returns the time from the start of a packet of 'wire_bytes' to the arrival of
 * its acknowledgement of 'ack_bytes', which takes the same path back and is
 * sent 'turn_ps' after the packet has arrived: 2 * sum(propagation + pipeline)
 * + sum of sending both. */
int64_t delay_round_trip_ps(const struct delay_hop *hops, uint32_t n,
                            uint64_t wire_bytes, uint64_t ack_bytes,
                            int64_t turn_ps);

/* Returns how long 'n_packets' of 'wire_bytes' take over an idle path from the
 * first bit sent to the last received: the slowest link is never idle between
 * the first and the last packet. */
int64_t delay_train_ps(const struct delay_hop *hops, uint32_t n,
                       uint64_t n_packets, uint64_t wire_bytes);

/* Returns how long a pause of 'quanta' (0..65535) lasts at 'rate_bps': a
 * quantum is the time of 512 bits (IEEE 802.3-2018 annex 31B.2). */
int64_t delay_pause_ps(uint32_t quanta, uint64_t rate_bps);

#endif /* lab/oracle/delay.h */
