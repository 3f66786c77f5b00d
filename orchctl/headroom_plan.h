/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_HEADROOM_PLAN_H
#define ORCHD_ORCHCTL_HEADROOM_PLAN_H

/* Plans headroom: can this chip be lossless over these cables?
 *
 * From ports, cables and a chip it computes what each lossless priority group
 * (PG) has to absorb after it has asked its peer to pause
 * (orchd/derive/headroom.h), what all PGs take if each has its own headroom,
 * what is left to share and therefore when PFC and ECN start, and what a shared
 * headroom pool changes.
 *
 * Some chips divide their memory into partitions.  The ports of a group are
 * assumed to be spread evenly, and the fullest partition decides:
 *
 *     guarantees   PGs * xon
 *     headroom     PGs * xoff, or the shared headroom pool: PGs * xoff / ratio,
 *                  but at least one xoff, else a single pause would lose
 *     S            what is left after both and the reserved bytes; where pools
 *                  take their size from the memory ("pools_reserve" of the
 *                  chip), also after what the chip carves out of the pool
 *
 * A PG that is congested together with n - 1 others of its partition pauses at
 * guarantee + S / (1/alpha + n) (Choudhury and Hahne, 1998; twin/mmu).  If it
 * fills 'fan_out' queues evenly, each queue has to mark before its length
 * reaches that divided by 'fan_out', which gives Kmin (Zhu et al., "Congestion
 * control for large-scale RDMA deployments", 2015, section 4).
 *
 * Sizes are in bytes, of whole cells: reservations are rounded up, the rest is
 * rounded down.  Pure: no I/O. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/derive/headroom.h"
#include "orchd/derive/platform.h"
#include "twin/chip/chip.h"

/* The maximum number of groups; more than anyone types. */
#define PLAN_GROUPS_MAX 64
#define PLAN_PORTS_MAX  4096

/* A group of equal ports. */
struct plan_group {
    uint32_t n_ports;
    struct headroom_port port;
};

struct plan_question {
    const struct chip *chip;
    const struct platform *platform;
    struct headroom_traffic traffic;
    uint32_t n_priorities;   /* Lossless priorities per port. */
    uint32_t ratio;          /* 0: headroom is private. */
    int alpha_exponent;      /* Of the PGs, -8..7. */
    uint32_t n_congested;    /* PGs congested together in a partition; at least
                              * 1. */
    uint32_t fan_out;        /* Queues that a PG fills; at least 1. */
    uint64_t reserved_bytes; /* For queues, lossy traffic and others. */
    struct plan_group groups[PLAN_GROUPS_MAX];
    size_t n_groups;
};

/* The answer for one group. */
struct plan_group_answer {
    struct headroom headroom; /* Private. */
    uint64_t n_pgs;
    uint64_t guarantee_bytes; /* Of one PG: xon, in whole cells; */
    uint64_t xoff_bytes;      /* and its xoff. */
    uint64_t private_bytes;   /* All its PGs: guarantee and headroom. */

    /* The number of PGs of this group, in one partition, whose headroom the
     * shared headroom pool can hold at the same time if no others use it. */
    uint64_t n_at_once;

    /* The longest cable with which the plan fits, all else being equal; valid
     * only if 'some_cable_fits'. */
    bool some_cable_fits;
    uint32_t longest_cable_m;
};

/* Whether headroom of one kind fits. */
struct plan_room {
    uint64_t headroom_bytes; /* All partitions: private, or the pool. */
    uint64_t needed_bytes;   /* With guarantees and reserved bytes. */
    int64_t left_bytes;      /* To share; negative: missing. */
    bool fits;
};

struct plan_answer {
    uint64_t memory_bytes;
    uint32_t cell_bytes;
    uint32_t n_partitions;
    uint64_t n_pgs;
    struct plan_group_answer groups[PLAN_GROUPS_MAX];

    struct plan_room private_room;
    struct plan_room shared_room; /* At 'ratio'; zeroed if that is 0. */
    bool fits;                    /* The kind asked for. */

    bool can_share;     /* The chip has shared headroom pools. */
    uint32_t min_ratio; /* The smallest that fits; 0: none. */

    /* The memory size that would fit the question and one congested PG. */
    uint64_t enough_bytes;

    /* Valid only if 'fits'. */
    uint64_t shared_limit_bytes; /* S of one partition. */
    uint64_t pfc_bytes;          /* In a PG when it pauses. */
    uint64_t kmin_bytes;         /* 0: PFC fires before ECN could mark. */
    uint64_t pool_size_bytes;    /* To configure. */
    uint64_t pool_xoff_bytes;
};

/* Answers 'question', whose members are in range, into '*answer'. */
void plan_answer(const struct plan_question *question,
                 struct plan_answer *answer);

/* Returns the rules for computing headroom: the chip's parameters and the
 * platform's formula. */
struct headroom_rules plan_rules(const struct plan_question *question);

/* Returns the time that light takes through a cable and back, in ns. */
int64_t plan_round_trip_ns(uint32_t cable_m);

#endif /* orchctl/headroom_plan.h */
