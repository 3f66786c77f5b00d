/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_BENCH_HEADROOM_FAR_H
#define ORCHD_TESTS_BENCH_HEADROOM_FAR_H

/* Regional links: one PG behind tens of kilometres, on a chip as it is.
 *
 * If the plan says that it fits, the PG gets what the formula gives; if not, it
 * gets all the memory that there is as headroom.  The twin says what that is
 * worth, in the worst phase, when all frames have one length. */

#include <stdbool.h>
#include <stdint.h>

#include "orchctl/headroom_plan.h"

struct peer_switch {
    bool fits;               /* What the plan says. */
    uint64_t xoff_bytes;     /* What the formula gives ... */
    uint64_t headroom_bytes; /* ... and what the PG had. */
    uint64_t used_bytes;
    uint64_t lost_packets;
    uint64_t frames; /* That were sent, in the worst phase. */
};

/* Asks for the first group of 'question' and lets one of its ports pause, which
 * sends frames of 'frame_bytes' without FCS. */
void far_find(const struct plan_question *question, uint32_t frame_bytes,
              struct peer_switch *far);

#endif /* tests/bench/headroom_far.h */
