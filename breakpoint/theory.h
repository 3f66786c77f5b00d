/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_THEORY_H
#define ORCHD_BREAKPOINT_THEORY_H

/* Where thresholds are, from configuration and chip description alone: what a
 * probe should find (breakpoint/probe.h).
 *
 * Formulas are those of docs/explanation/buffer-model.md, solved for the
 * packet, while nobody but the group or queue in question changes.  All amounts
 * without a unit in their names are in units of the chip: cells, or bytes where
 * it counts bytes.
 *
 * A packet takes whole cells.  First comes what is guaranteed, then what is
 * shared, then headroom.  With F the part of the shared amount that others
 * leave and u the part that is used,
 *
 *   check then charge   admits while u <= alpha (F - u)
 *   charge then check   crosses with the u that makes u >= floor(alpha (F - u))
 *
 * Nothing here is taken from the code that admits packets. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct bench;

/* What a chip description says of it. */
struct theory_chip {
    uint64_t unit_bytes;
    uint64_t overhead_bytes, round_bytes; /* Of a packet. */
    uint64_t partitions;
    uint64_t headroom_overhead; /* Off each group, without a headroom pool. */
    uint64_t egress_lag;
    bool guarantees;        /* Groups have guarantees, ... */
    bool size_minus_xoff;   /* ... of their size less their headroom. */
    bool port_share;        /* Groups of a port share its headroom. */
    bool charges_first;     /* At ingress. */
    bool charges_first_out; /* At egress. */
    bool xon_absolute;
};

/* Reads it from the bench, where a switch is open. */
enum st theory_chip_read(struct bench *bench, struct theory_chip *chip,
                         struct err *err) ST_WARN_UNUSED;

/* A threshold as configured: dynamic, alpha = 2^dynamic_th, or static. */
struct theory_limit {
    bool is_static;
    int dynamic_th;           /* -20..20 */
    uint64_t static_th_bytes; /* At least one unit. */
};

/* A lossless priority group. */
struct theory_group {
    uint64_t size_bytes, xoff_bytes, xon_bytes, xon_offset_bytes;
    struct theory_limit limit;
    uint64_t pool_xoff_bytes;     /* 0: there is no shared headroom pool. */
    uint64_t port_headroom_bytes; /* xoff of all lossless groups of its port. */
    uint64_t shared;              /* Of its partition, less what others hold. */
};

/* Its thresholds. */
struct theory_thresholds {
    uint64_t packet; /* What one takes. */
    uint64_t guarantee;
    uint64_t pause_at; /* The packet that asks for a pause. */
    uint64_t headroom; /* What is left of it for packets after that one, if no
                        * other group uses any. */
    uint64_t in_headroom; /* What that one takes of it. */
    uint64_t drop_at;     /* The first packet that is dropped. */
    uint64_t leave;       /* Packets that have to leave of 'pause_at' to end the
                           * pause. */
};

/* Works them out for packets of 'packet_bytes'. */
void theory_group_thresholds(const struct theory_chip *chip,
                             const struct theory_group *group,
                             uint32_t packet_bytes,
                             struct theory_thresholds *thresholds);

/* Returns the first packet that a lossy queue drops, with a guarantee of
 * 'size_bytes' and 'shared' units that queues share in its partition. */
uint64_t theory_queue_drop(const struct theory_chip *chip, uint64_t size_bytes,
                           const struct theory_limit *limit, uint64_t shared,
                           uint32_t packet_bytes);

/* Returns the units that a packet of 'bytes' takes. */
uint64_t theory_packet(const struct theory_chip *chip, uint32_t bytes);

#endif /* breakpoint/theory.h */
