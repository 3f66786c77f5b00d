/* SPDX-License-Identifier: Apache-2.0 */

/* Values of switches that something else than orchd changes, and an audit of
 * all switches that finds them.  What it finds is in the list of changes: which
 * switch, which object and attribute, what was intended, what is there. */

#include <config.h>

#include "base/random.h"
#include "lab/builder/switch_drift.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

/* The seed of what drifts (fabric_seed()). */
#define DRIFT_SEED (UINT64_C(1) << 42)

/* A switch with a value that drifts. */
struct drifted {
    uint32_t node;
    struct switch_drift made;
};

struct run_drift {
    struct run *run;
    struct drifted *list;
    uint32_t n;
    struct event begin, audit;
    uint32_t *found, *wrong; /* By switch. */
    uint64_t compared;       /* Values. */
};

/* Returns the drift of switch 'node', NULL if it has none. */
static const struct drifted *
drift_of(const struct run_drift *drift, uint32_t node)
{
    for (uint32_t i = 0; i < drift->n; i++) {
        if (drift->list[i].node == node) {
            return &drift->list[i];
        }
    }
    return NULL;
}

static void
on_begin(struct event *event, int64_t now_ps)
{
    struct run_drift *drift = EVENT_OWNER(event, struct run_drift, begin);
    struct run *run = drift->run;
    const uint32_t n_switches = run->topology->n_switches;
    const uint32_t wanted = (uint32_t)run->scenario->drift.switches;
    struct random random;
    struct err err = {0};

    (void)now_ps;
    random_init(&random, fabric_seed(run->fabric, DRIFT_SEED));
    drift->list = arena_alloc(run->arena, wanted + 1U, sizeof *drift->list);
    while (drift->n < wanted) {
        const uint32_t node = (uint32_t)random_below(&random, n_switches);
        struct drifted *drifted = &drift->list[drift->n];

        if (drift_of(drift, node)) {
            continue;
        }
        drifted->node = node;
        if (switch_drift_make(run->switches[node].instance, &random,
                              &drifted->made, &err)) {
            run_fail(run, &err);
            return;
        }
        drift->n++;
    }
}

/* The audit of one switch. */
struct audit {
    struct run_drift *drift;
    uint32_t node;
};

/* A switch_difference_fn. */
static void
on_difference(void *context, const struct switch_difference *difference)
{
    const struct audit *audit = context;
    struct run_drift *drift = audit->drift;
    const struct drifted *drifted = drift_of(drift, audit->node);

    if (drifted && drifted->made.oid == difference->of.oid &&
        drifted->made.attribute == difference->of.attribute) {
        drift->found[audit->node]++;
    } else {
        drift->wrong[audit->node]++;
    }
    run_note(drift->run, "drift: %s %s %s is %s, not %s",
             drift->run->topology->nodes[audit->node].name, difference->row,
             difference->attribute, difference->found, difference->intended);
}

static void
on_audit(struct event *event, int64_t now_ps)
{
    struct run_drift *drift = EVENT_OWNER(event, struct run_drift, audit);
    const struct run *run = drift->run;

    (void)now_ps;
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        struct audit audit = {drift, i};

        drift->compared += switch_drift_audit(run->switches[i].instance,
                                              on_difference, &audit);
    }
}

void
run_drift_create(struct run *run)
{
    const struct drift_spec *spec = &run->scenario->drift;
    const uint32_t n = run->topology->n_switches;
    struct run_drift *drift;

    if (!spec->audit_ps) {
        return;
    }
    drift = arena_alloc(run->arena, 1, sizeof *drift);
    *drift = (struct run_drift){
        .run = run,
        .begin = event_make(EVENT_TIMER_COMMAND, 2, 0, on_begin),
        .audit = event_make(EVENT_TIMER_OBSERVE, 4, 0, on_audit),
        .found = arena_alloc(run->arena, n, sizeof *drift->found),
        .wrong = arena_alloc(run->arena, n, sizeof *drift->wrong)};
    engine_schedule(run->engine, &drift->begin, spec->at_ps);
    engine_schedule(run->engine, &drift->audit, spec->audit_ps);
    run->drift = drift;
}

void
run_drift_report(const struct run *run, struct results *results)
{
    const struct run_drift *drift = run->drift;
    uint64_t missed = 0;

    if (!drift) {
        return;
    }
    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        if (drift->found[i]) {
            results_add_counter(results, i, SINK_NONE, SINK_NONE, "drift_found",
                                drift->found[i]);
        }
        if (drift->wrong[i]) {
            results_add_counter(results, i, SINK_NONE, SINK_NONE, "drift_false",
                                drift->wrong[i]);
        }
    }
    for (uint32_t i = 0; i < drift->n; i++) {
        missed += !drift->found[drift->list[i].node];
    }
    results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                        "drift_missed", missed);
    results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                        "drift_compared", drift->compared);
}
