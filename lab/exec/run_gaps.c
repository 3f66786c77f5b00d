/* SPDX-License-Identifier: Apache-2.0 */

/* How long flows get nothing: the time from the last packet that has arrived at
 * the destination of a flow to the next one.
 *
 * Looking at each packet would cost all runs some time, so the receivers are
 * looked at in equal intervals.  A gap counts if one of these passes without a
 * packet; its start is exact, and its end is the end of the interval in which
 * there is a packet again, so that a gap is never reported as shorter than it
 * was. */

#include <config.h>

#include "base/picoseconds.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

struct run_gaps {
    struct run *run;
    int64_t every_ps;
    struct event timer;
    struct {
        int64_t last_ps; /* Of the last packet; -1: none yet. */
        bool is_silent;  /* The last interval had none. */
    } * flows;
    int64_t *longest_ps; /* By host. */
    struct histogram lengths;
};

/* Notes that 'flow' got nothing for 'length_ps'. */
static void
add_gap(struct run_gaps *gaps, const struct run_flow *flow, int64_t length_ps)
{
    int64_t *longest_ps =
        &gaps->longest_ps[flow->destination - gaps->run->topology->n_switches];

    histogram_add(&gaps->lengths, (uint64_t)length_ps);
    if (length_ps > *longest_ps) {
        *longest_ps = length_ps;
    }
}

/* Looks at flow 'i'. */
static void
look(struct run_gaps *gaps, uint32_t i, int64_t now_ps)
{
    const struct run_flow *flow = &gaps->run->flows[i];
    const int64_t before_ps = gaps->flows[i].last_ps;
    const int64_t last_ps = run_flow_last_ps(flow);
    const bool is_silent = last_ps == before_ps;

    if (gaps->flows[i].is_silent && !is_silent && before_ps >= 0) {
        add_gap(gaps, flow, now_ps - before_ps);
    }
    gaps->flows[i].last_ps = last_ps;
    gaps->flows[i].is_silent = is_silent;
}

static void
on_look(struct event *event, int64_t now_ps)
{
    struct run_gaps *gaps = EVENT_OWNER(event, struct run_gaps, timer);

    for (uint32_t i = 0; i < gaps->run->n_flows; i++) {
        if (!gaps->run->flows[i].is_done) {
            look(gaps, i, now_ps);
        }
    }
    engine_schedule(gaps->run->engine, event, now_ps + gaps->every_ps);
}

void
run_gaps_create(struct run *run)
{
    struct run_gaps *gaps;

    if (!run->scenario->record.gaps_ps) {
        return;
    }
    gaps = arena_alloc(run->arena, 1, sizeof *gaps);
    gaps->run = run;
    gaps->every_ps = run->scenario->record.gaps_ps;
    gaps->flows =
        arena_alloc(run->arena, run->n_flows + 1U, sizeof *gaps->flows);
    gaps->longest_ps = arena_alloc(run->arena, run->topology->n_hosts + 1U,
                                   sizeof *gaps->longest_ps);
    histogram_init(&gaps->lengths);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        gaps->flows[i].last_ps = -1;
    }
    gaps->timer = event_make(EVENT_TIMER_OBSERVE, 3, 0, on_look);
    engine_schedule(run->engine, &gaps->timer, gaps->every_ps);
    run->gaps = gaps;
}

void
run_gaps_report(const struct run *run, struct results *results)
{
    struct run_gaps *gaps = run->gaps;

    if (!gaps) {
        return;
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];
        const int64_t length_ps = run_now(run) - run_flow_last_ps(flow);

        if ((flow->error || !flow->is_done) && run_flow_last_ps(flow) >= 0 &&
            length_ps > 2 * gaps->every_ps) {
            add_gap(gaps, flow, length_ps);
        }
    }
    for (uint32_t i = 0; i < run->topology->n_hosts; i++) {
        results_add_counter(results, run->topology->n_switches + i, 0,
                            SINK_NONE, "longest_gap_us",
                            (uint64_t)(gaps->longest_ps[i] / PS_PER_US));
    }
    results_add_histogram(results, "gap", "", &gaps->lengths);
}
