/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_THRESHOLDS_H
#define ORCHD_BREAKPOINT_THRESHOLDS_H

/* Computes thresholds from the configuration and the chip description alone:
 * what a probe should find (breakpoint/probe.h).
 *
 * The formulas are those of docs/reference/chips.md, solved for the number of
 * the packet, while only the group or queue in question changes.  Amounts
 * without a unit in their names are in units of the chip: cells, or bytes if it
 * counts bytes.
 *
 * A packet takes whole cells.  It uses the guarantee first, then shared memory,
 * then headroom.  With F the shared memory that others leave and u the part in
 * use,
 *
 *   check then charge   admits while u <= alpha (F - u)
 *   charge then check   crosses with the u that makes u >= floor(alpha (F - u))
 *
 * This is independent of the code that admits packets. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct bench;

/* The parameters of a chip, from its description. */
struct thresholds_chip {
    uint64_t unit_bytes;
    uint64_t overhead_bytes, round_bytes; /* Of a packet. */
    uint64_t partitions;
    uint64_t headroom_overhead; /* Taken from each group without headroom
                                 * pool. */
    uint64_t egress_lag;
    bool guarantees;        /* Groups have guarantees; */
    bool size_minus_xoff;   /* they are the size less the headroom. */
    bool port_share;        /* Groups of a port share its headroom. */
    bool charges_first;     /* At ingress. */
    bool charges_first_out; /* At egress. */
    bool pauses_early;      /* With the packet before the first in headroom. */
    bool xon_absolute;
};

/* Reads the parameters from the bench, on which a switch is open. */
enum st thresholds_chip_read(struct bench *bench, struct thresholds_chip *chip,
                             struct err *err) ST_WARN_UNUSED;

/* A threshold as configured: dynamic, alpha = 2^dynamic_th, or static. */
struct thresholds_limit {
    bool is_static;
    int dynamic_th;           /* -20..20 */
    uint64_t static_th_bytes; /* At least one unit. */
};

/* A lossless priority group. */
struct thresholds_group {
    uint64_t size_bytes, xoff_bytes, xon_bytes, xon_offset_bytes;
    struct thresholds_limit limit;
    uint64_t pool_xoff_bytes;     /* 0: there is no shared headroom pool. */
    uint64_t port_headroom_bytes; /* Sum of xoff over the lossless groups of its
                                   * port. */
    uint64_t shared;              /* Of its partition, less what others hold. */
};

/* The thresholds of a group. */
struct thresholds_result {
    uint64_t packet; /* Units that one packet takes. */
    uint64_t guarantee;
    uint64_t pause_at;    /* The packet that asks for a pause. */
    uint64_t headroom;    /* Headroom left for the packets after that one if no
                           * other group uses any. */
    uint64_t in_headroom; /* Headroom that that packet takes. */
    uint64_t drop_at;     /* The first packet that is dropped. */
    uint64_t leave;       /* Packets out of 'pause_at' that have to leave to end
                           * the pause. */
};

/* Computes the thresholds for packets of 'packet_bytes'. */
void thresholds_of_group(const struct thresholds_chip *chip,
                         const struct thresholds_group *group,
                         uint32_t packet_bytes,
                         struct thresholds_result *thresholds);

/* Returns the number of the first packet that a lossy queue drops, with a
 * guarantee of 'size_bytes' and 'shared' units that the queues of its partition
 * share. */
uint64_t thresholds_queue_drop(const struct thresholds_chip *chip,
                               uint64_t size_bytes,
                               const struct thresholds_limit *limit,
                               uint64_t shared, uint32_t packet_bytes);

/* Returns the units that a packet of 'bytes' takes. */
uint64_t thresholds_packet(const struct thresholds_chip *chip, uint32_t bytes);

#endif /* breakpoint/thresholds.h */
