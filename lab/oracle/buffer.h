/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_ORACLE_BUFFER_H
#define ORCHD_LAB_ORACLE_BUFFER_H

/* Depths at which a switch pauses and marks, and the headroom of a link.
 *
 * With dynamic thresholds a PG may hold alpha * (S - U), S the shared buffer
 * net of what is reserved and U what is used of it.  N equal PGs that fill one
 * queue stop at u = alpha * (S - N u), that is u = alpha S / (1 + N alpha),
 * when the queue holds N u = N alpha S / (1 + N alpha): the PFC point.  WRED
 * marks by the depth of that queue.  So marking begins before PFC if Kmin is
 * below the PFC point, and every packet is marked before PFC if Kmax is.
 *
 * Reference: A. K. Choudhury, E. L. Hahne, "Dynamic queue length thresholds for
 * shared-memory packet switches", IEEE/ACM ToN 6(2), 1998; LAB 2.11. */

#include <stdint.h>

/* alpha = numerator / denominator: 1/16, 8/1. */
struct buffer_alpha {
    uint32_t numerator, denominator; /* Not 0. */
};

/* Returns what one of 'n' (not 0) equal PGs holds when they reach their limit,
 * or all of them together, rounded down.  'shared' is in any unit, below 2^40.
 */
uint64_t buffer_pg_point(uint64_t shared, uint32_t n,
                         struct buffer_alpha alpha);
uint64_t buffer_pfc_point(uint64_t shared, uint32_t n,
                          struct buffer_alpha alpha);

/* Which fires first as a queue fills. */
enum buffer_first {
    BUFFER_PFC_FIRST,       /* Kmin is at or above the PFC point. */
    BUFFER_ECN_FIRST,       /* Marking begins before; some packets pass. */
    BUFFER_ECN_FULLY_FIRST, /* All packets are marked before PFC. */
};

/* Returns what fires first at a queue with WRED between 'kmin' and 'kmax',
 * filled by 'n' equal PGs; all sizes in the unit of 'shared'. */
enum buffer_first buffer_first(uint64_t shared, uint32_t n,
                               struct buffer_alpha alpha, uint64_t kmin,
                               uint64_t kmax);

/* A link that has to be lossless. */
struct buffer_link {
    uint64_t rate_bps;
    uint64_t length_mm;
    int64_t response_ps;  /* From the pause frame's end to the sender's stop. */
    uint32_t pause_bytes; /* Of the pause frame on the wire: 84. */
    uint32_t own_bytes;   /* Largest frame on the wire of the pausing port. */
    uint32_t peer_bytes;  /* Largest frame on the wire of the paused port. */
};

/* Returns the bytes on the wire that can arrive after a PG decides to pause:
 * the rest of a frame that the port is sending, the pause frame, both
 * directions of the cable, the response of the peer, and the frame that the
 * peer has begun. Rounded up. */
uint64_t buffer_headroom_bytes(const struct buffer_link *link);

/* Returns the part of it that grows with the length, 2 * d * C / 8 with 5 ns
 * per metre: what is in flight in both directions.  Rounded up. */
uint64_t buffer_in_flight_bytes(uint64_t rate_bps, uint64_t length_mm);

#endif /* lab/oracle/buffer.h */
