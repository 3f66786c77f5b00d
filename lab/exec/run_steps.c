/* SPDX-License-Identifier: Apache-2.0 */

/* Bulk-synchronous jobs: items of 'traffic' whose flows wait for each other.
 *
 * In a step each flow of the item has one message.  When all of them are over,
 * at both ends, the barrier is passed; 'compute' later the next step begins.
 * The barrier itself costs nothing.  run_barrier.c has one of messages. */

#include <config.h>

#include "base/arena.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

struct run_step {
    struct run *run;
    const struct traffic_spec *traffic;
    struct event timer;
    uint32_t n_flows;
    uint32_t n_over;  /* Flows that are over the present step. */
    uint64_t number;  /* Of the present step. */
    int64_t start_ps; /* Of the first step; -1: not yet. */
    int64_t end_ps;   /* Of the last one that was over. */
};

static struct run_step *
step_of(const struct run_flow *flow)
{
    return &flow->run->steps[flow->traffic - flow->run->scenario->traffic];
}

static bool
is_bulk(const struct traffic_spec *traffic)
{
    return traffic->compute_ps != QUANTITY_INFINITE &&
           traffic->barrier == TRAFFIC_BARRIER_FREE;
}

/* The next step of an item begins. */
static void
on_step(struct event *event, int64_t now_ps)
{
    struct run_step *step = EVENT_OWNER(event, struct run_step, timer);
    struct run *run = step->run;

    (void)now_ps;
    step->number++;
    for (uint32_t i = 0; i < run->n_flows; i++) {
        if (run->flows[i].traffic == step->traffic) {
            run_flow_fill(&run->flows[i]);
        }
    }
}

void
run_steps_create(struct run *run)
{
    run->steps = arena_alloc(run->arena, run->scenario->n_traffic + 1,
                             sizeof *run->steps);
    for (uint32_t i = 0; i < run->scenario->n_traffic; i++) {
        run->steps[i] = (struct run_step){
            .run = run,
            .traffic = &run->scenario->traffic[i],
            .timer = event_make(EVENT_TIMER_COMMAND, 0, i, on_step),
            .start_ps = -1};
    }
    for (uint32_t i = 0; i < run->n_flows; i++) {
        step_of(&run->flows[i])->n_flows++;
    }
}

void
run_steps_destroy(struct run *run)
{
    for (uint32_t i = 0; run->steps && i < run->scenario->n_traffic; i++) {
        engine_cancel(run->engine, &run->steps[i].timer);
    }
}

bool
run_steps_hold(const struct run_flow *flow)
{
    return flow->from_member || flow->disk
               ? flow->posted >= flow->n_allowed
               : is_bulk(flow->traffic) &&
                     flow->posted > step_of(flow)->number;
}

void
run_steps_note(struct run_flow *flow, uint64_t n, int64_t now_ps)
{
    struct run_step *step;

    if (!is_bulk(flow->traffic) || n == flow->n_steps) {
        return;
    }
    step = step_of(flow);
    flow->n_steps = n;
    if (step->start_ps < 0 || flow->start_ps < step->start_ps) {
        step->start_ps = flow->start_ps;
    }
    if (++step->n_over == step->n_flows) {
        step->n_over = 0;
        step->end_ps = now_ps;
        engine_schedule(flow->run->engine, &step->timer,
                        now_ps + flow->traffic->compute_ps);
    }
}

void
run_steps_describe(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->scenario->n_traffic; i++) {
        const struct run_step *step = &run->steps[i];
        /* The last one may be over without the next one begun. */
        const uint64_t n = step->number + (step->timer.position > 0);

        if (!is_bulk(step->traffic) || step->start_ps < 0) {
            continue;
        }
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE, "steps",
                            n);
        results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                            "steps_time_ps",
                            (uint64_t)(step->end_ps - step->start_ps));
    }
}
