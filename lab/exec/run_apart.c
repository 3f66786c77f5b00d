/* SPDX-License-Identifier: Apache-2.0 */

/* Flows between parts of the fabric, which are ranks, and lanes of a rank.
 *
 * A flow is reported when its source is done, with what its destination has
 * counted.  In another part that may be at another time, so what it counts is
 * noted with its time (run_journal.h). */

#include <config.h>

#include "lab/exec/run_state.h"

/* Returns where the ends of 'flow' are. */
static enum run_apart
find_apart(const struct run_flow *flow)
{
    if (flow->run->ranks && run_ranks_cross(flow)) {
        return RUN_APART_RANKS;
    }
    return flow->run->lanes && run_lanes_cross(flow) ? RUN_APART_LANES
                                                     : RUN_APART_NO;
}

/* A nic_counted_fn. */
static void
on_counted(void *context, uint32_t qp, uint32_t bytes, bool is_marked,
           int64_t now_ps)
{
    const struct run_host *host = context;
    struct run_qp *of = &host->qps[qp];
    const struct run_flow *flow;

    (void)now_ps;
    if (of->is_source || of->apart == RUN_APART_NO) {
        return;
    }
    flow = &host->run->flows[of->flow];
    if (of->apart == RUN_APART_UNKNOWN) {
        of->apart = (uint8_t)find_apart(flow);
    }
    if (of->apart == RUN_APART_RANKS) {
        run_ranks_note_counted(flow, bytes, is_marked);
    } else if (of->apart == RUN_APART_LANES) {
        run_lanes_note_counted(flow, bytes, is_marked);
    }
}

void
run_apart_follow(struct run *run)
{
    for (uint32_t i = 0;
         (run->ranks || run->lanes) && i < run->topology->n_hosts; i++) {
        if (run->hosts[i].nic) {
            nic_set_counted(run->hosts[i].nic, on_counted, &run->hosts[i]);
        }
    }
}
