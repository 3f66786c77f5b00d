/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_HEADROOM_CROWD_H
#define ORCHD_TESTS_BENCH_HEADROOM_CROWD_H

/* A shared headroom pool when many PGs pause at once.
 *
 * A pool that is smaller than the sum of what it promises bets that not all PGs
 * pause at the same time.  Here they do: 'k' ports, drawn among all of the
 * chip, are driven into XOFF within the time of one frame, each with a frame of
 * the switch's own somewhere on its wire; nothing drains until all have
 * stopped.  Where, when and with which frames is random and repeatable.
 *
 * One PG per port: two of a port share its wire, and so take hardly more
 * together than one. */

#include <stddef.h>
#include <stdint.h>

#include "orchctl/headroom_plan.h"

enum { CROWD_LENGTHS_MAX = 8 };

struct crowd_config {
    /* One group, of all ports of the chip, and a ratio. */
    struct plan_question question;
    uint32_t lengths[CROWD_LENGTHS_MAX]; /* Of frames, drawn per sender. */
    size_t n_lengths;
    uint32_t n_runs;
};

struct crowd {
    uint32_t n_at_once;    /* PGs that the plan says one partition absorbs. */
    uint32_t n_lossy;      /* Runs that lost something. */
    uint64_t lost_packets; /* Of all runs. */
    uint64_t lost_bytes;
    uint64_t most_packets; /* In one run. */
    uint64_t most_bytes;
    uint64_t frames; /* Simulated. */
};

/* Lets 'k' PGs pause at once, 'n_runs' times. */
void crowd_find(const struct crowd_config *config, uint32_t k,
                struct crowd *crowd);

#endif /* tests/bench/headroom_crowd.h */
