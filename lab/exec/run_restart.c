/* SPDX-License-Identifier: Apache-2.0 */

/* Switches whose control plane starts again.
 *
 * As long as there is none, nothing changes on the switch: its watchdog does
 * not look, and its routes stay what they are, whatever happens to links.  When
 * it starts, it brings the switch to what its configuration says by the
 * pipeline of a real box, and catches up with the routes.
 *
 * A chip that is initialized loses its buffer and what was programmed.  Its
 * ports are down from then on until the pipeline has programmed them, and so
 * are their links: the other ends withdraw their next hops, and all other
 * routes follow after the convergence time. */

#include <config.h>

#include "base/random.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

/* The first of the seeds of restarts (fabric_seed()). */
#define FIRST_RESTART (UINT64_C(1) << 41)

/* What happens next. */
enum step { STEP_BEGIN, STEP_RESET, STEP_END };

struct run_restart {
    struct run_switch *sw;
    const struct restart_spec *spec;
    int64_t start_ps;
    enum step step;
    bool is_over;
    struct event timer;
    struct run_outage outage;
};

/* The chip is initialized. */
static enum st
reset(struct run_restart *restart, struct err *err)
{
    const enum st st = run_outage_set(&restart->outage, true, err);

    return st ? st : switch_instance_reset(restart->sw->instance, err);
}

/* The control plane starts. */
static enum st
end(struct run_restart *restart, struct err *err)
{
    struct run_switch *sw = restart->sw;
    struct switch_restart found = {0};
    enum st st = switch_instance_restart(sw->instance, &found, err);

    sw->is_headless = false;
    sw->n_restarts++;
    sw->found.n_adopted += found.n_adopted;
    sw->found.n_created += found.n_created;
    sw->found.n_set += found.n_set;
    sw->found.n_removed += found.n_removed;
    if (!st && restart->spec->kind != RESTART_WARM) {
        st = run_outage_set(&restart->outage, false, err);
    }
    st = st ? st : run_routes_catch_up(sw, err);
    return st ? st : run_watchdog_start(sw, err);
}

/* Plans the next step. */
static void
plan(struct run_restart *restart, enum step step, int64_t when_ps)
{
    restart->step = step;
    engine_schedule(restart->sw->run->engine, &restart->timer, when_ps);
}

static void
on_step(struct event *event, int64_t now_ps)
{
    struct run_restart *restart = EVENT_OWNER(event, struct run_restart, timer);
    const struct restart_spec *spec = restart->spec;
    const int64_t end_ps = restart->start_ps + spec->for_ps;
    struct err err = {0};
    enum st st = ST_OK;

    (void)now_ps;
    switch (restart->step) {
    case STEP_BEGIN:
        restart->sw->is_headless = true;
        run_watchdog_stop(restart->sw);
        if (spec->kind == RESTART_COLD) {
            st = reset(restart, &err);
        }
        if (spec->kind == RESTART_FAST) {
            plan(restart, STEP_RESET, end_ps - spec->blink_ps);
        } else {
            plan(restart, STEP_END, end_ps);
        }
        break;
    case STEP_RESET:
        st = reset(restart, &err);
        plan(restart, STEP_END, end_ps);
        break;
    default:
        restart->is_over = true;
        st = end(restart, &err);
    }
    if (st) {
        run_fail(restart->sw->run, &err);
    }
}

/* Checks that restart 'number' and those before it of its switch do not
 * overlap. */
static enum st
check_alone(const struct run *run, const struct run_restart *restarts,
            size_t number, struct err *err)
{
    const struct run_restart *restart = &restarts[number];

    for (size_t i = 0; i < number; i++) {
        const struct run_restart *other = &restarts[i];

        if (other->sw == restart->sw &&
            other->start_ps <= restart->start_ps + restart->spec->for_ps &&
            restart->start_ps <= other->start_ps + other->spec->for_ps) {
            return scenario_fail(run->scenario, &restart->spec->place, err,
                                 "%s restarts at this time already (line %u)",
                                 restart->spec->node,
                                 (unsigned int)other->spec->place.line);
        }
    }
    return ST_OK;
}

enum st
run_restarts_create(struct run *run, struct err *err)
{
    const struct scenario *scenario = run->scenario;
    struct run_restart *restarts =
        arena_alloc(run->arena, scenario->n_restarts + 1, sizeof *restarts);
    enum st st = ST_OK;

    run->restarts = restarts;
    for (size_t i = 0; !st && i < scenario->n_restarts; i++) {
        const struct restart_spec *spec = &scenario->restarts[i];
        struct random random;

        random_init(&random, fabric_seed(run->fabric, FIRST_RESTART + i));
        restarts[i] = (struct run_restart){
            /* references_check() has found it. */
            .sw = &run->switches[topology_find(run->topology, spec->node)],
            .spec = spec,
            .start_ps =
                spec->at_ps +
                (int64_t)random_below(&random, (uint64_t)spec->jitter_ps + 1),
            .timer =
                event_make(EVENT_TIMER_COMMAND, 1, (uint32_t)(2 * i), on_step)};
        run_outage_init(&restarts[i].outage, run, restarts[i].sw->node, 1,
                        (uint32_t)(2 * i + 1));
        st = check_alone(run, restarts, i, err);
        if (!st) {
            plan(&restarts[i], STEP_BEGIN, restarts[i].start_ps);
        }
    }
    return st;
}

const struct restart_spec *
run_restarts_pending(const struct run *run)
{
    for (size_t i = 0; i < run->scenario->n_restarts; i++) {
        if (!run->restarts[i].is_over) {
            return run->restarts[i].spec;
        }
    }
    return NULL;
}

void
run_restarts_report(const struct run *run, struct results *results)
{
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        const struct run_switch *sw = &run->switches[i];
        const struct {
            const char *name;
            uint64_t value;
        } counters[] = {
            {"restarts", sw->n_restarts},
            {"restart_adopted", sw->found.n_adopted},
            {"restart_created", sw->found.n_created},
            {"restart_set", sw->found.n_set},
            {"restart_removed", sw->found.n_removed},
        };

        for (size_t k = 0;
             sw->n_restarts && k < sizeof counters / sizeof *counters; k++) {
            results_add_counter(results, i, SINK_NONE, SINK_NONE,
                                counters[k].name, counters[k].value);
        }
    }
}
