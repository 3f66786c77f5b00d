/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TWIN_MMU_MMU_POLICY_H
#define ORCHD_TWIN_MMU_MMU_POLICY_H

/* Admission policies: what the limit of a dynamic account is now.
 *
 * Problem: chips have one rule for the shared part of a buffer, dynamic
 * thresholds, and papers propose others.  A policy replaces this one rule and
 * nothing else: guarantees, headroom, static thresholds, limits of ports,
 * partitions, XOFF and drops stay those of the chip.  So policies can be
 * compared on any chip with any configuration.
 *
 * A policy is a function.  The buffer asks it whenever it needs the limit of a
 * PG or a queue whose profile has a dynamic threshold (dynamic_th), and hands
 * it all that the published policies depend on.  'dt' gives the same numbers as
 * the rule that is built in, but by this interface: tests compare the two.
 *
 *   name              limit on the shared cells of one PG or queue
 *   dt                alpha * (S - U)
 *                     Choudhury and Hahne, 1998.
 *   complete_sharing  all that is free
 *   static            alpha / (1 + alpha) * S, and no more than is free: what
 *                     dt leaves to one alone, whatever the others hold
 *                     Irland, 1978 ("sharing with maximum queue lengths").
 *   abm               alpha / n * (S - U) * mu / b
 *                     Addanki, Apostolaki, Ghobadi, Schmid and Vanbever,
 *                     "ABM: Active buffer management in datacenters", SIGCOMM
 *                     2022.
 *
 * S is the size of the shared part of the partition (B in that paper), U the
 * level of it (Q), n the number of congested PGs or queues of the same index
 * (priority) in the partition, and mu / b the share of the rate of its port
 * that it drains at.
 *
 * With abm, the n congested queues of a priority may together hold
 * alpha * (S - U), as much as one queue of dt.  So a priority never has more
 * than alpha / (1 + alpha) * S for long, however many of its queues are
 * congested, and beside other congested priorities it can have
 * alpha / (1 + sum of all alphas) * S: they isolate each other.  And what a
 * queue may hold is gone after alpha / n * (S - U) / b, whatever its share of
 * the port.
 *
 * Measuring n and mu / b is left open by the paper.  Here a PG or queue counts
 * as congested while it holds MMU_POLICY_CONGESTED / 10 of its limit or more,
 * as of its last packet.  mu is what has left in the last full period of
 * MMU_POLICY_PERIOD_PS; it is b while it has not been in use for so long.  Both
 * are assumptions (docs/explanation/fabric.md).  The paper defines its rule for
 * queues at egress; to apply it to PGs, which it does not know, is one more.
 *
 * Left out: EDT (Shan, Jiang and Ren, "Absorbing micro-burst traffic by
 * enhancing dynamic threshold policy of data center switches", INFOCOM 2015),
 * which lifts the limit of a queue for a short while after a burst begins.  It
 * needs a state and timers for each queue; the policies here are functions of
 * what the buffer holds and measures.
 *
 * Cost: with a policy all packets take the slow path, as the fast path knows
 * the built-in rule only; without, there is none. */

#include <stdint.h>

#include "base/status.h"

struct mmu;

/* mu / b of one that drains at the rate of its port. */
#define MMU_POLICY_WHOLE 65536u

enum {
    MMU_POLICY_CONGESTED = 9, /* Tenths of the limit. */
    MMU_POLICY_PERIOD_PS = 10000000,
};

/* What a policy decides by.  Levels are in cells. */
struct mmu_policy_view {
    uint64_t shared;    /* Of the PG or queue. */
    uint64_t size;      /* S */
    uint64_t room;      /* What it could hold if it took all that is free. */
    uint64_t dynamic;   /* alpha * (S - U), rounded down; where the chip nests
                         * limits, alpha times what the port has left. */
    uint64_t alone;     /* alpha / (1 + alpha) * size, likewise. */
    uint32_t congested; /* n, at least 1. */
    uint32_t drain;     /* mu / b, 0..MMU_POLICY_WHOLE */
};

struct mmu_policy {
    const char *name;
    /* Returns the limit on 'shared'.  It may be beyond what is free: the pool
     * refuses what it does not have. */
    uint64_t (*limit)(const struct mmu_policy_view *view);
    bool measures; /* It uses 'congested' or 'drain', which are 1 and
                    * MMU_POLICY_WHOLE otherwise. */
};

/* Returns the policy 'i' counted from 0, NULL beyond the last one. */
const struct mmu_policy *mmu_policy_at(size_t i);

/* Returns the policy that is called 'name', NULL if there is none. */
const struct mmu_policy *mmu_policy_find(const char *name);

/* Returns the time in ps; never falls. */
typedef int64_t mmu_clock_fn(const void *context);

/* Makes 'policy' decide from now on; NULL: the built-in rule.  'policy' and
 * 'context' must outlive 'mmu' or the next call.  'clock' may be NULL: mu is
 * then b.  Packets in the buffer stay; XOFF is judged again. */
void mmu_set_policy(struct mmu *mmu, const struct mmu_policy *policy,
                    mmu_clock_fn *clock, const void *context);

/* Returns the policy in force, NULL: the built-in rule. */
const struct mmu_policy *mmu_policy(const struct mmu *mmu);

#endif /* twin/mmu/mmu_policy.h */
