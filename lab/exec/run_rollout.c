/* SPDX-License-Identifier: Apache-2.0 */

/* A configuration that switches get step by step, and the guard that stops the
 * plan.
 *
 * Each step changes the configuration of its switches by the pipeline.  Then
 * the guard looks at what has happened since: probes without an answer, their
 * latency, frames that a counter shows as dropped, and values on any switch
 * that differ from what its control plane intends.  A frame that a link loses
 * without a trace is in no counter, so only probes show it.  The plan goes on
 * if nothing is beyond its limit, and otherwise ends; its log is in
 * the list of changes. */

#include <config.h>

#include <inttypes.h>
#include <string.h>

#include "base/picoseconds.h"
#include "base/text.h"
#include "lab/builder/switch_drift.h"
#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/measure/results.h"

/* X(member, name): why the guard may stop the plan: no probe has come to an
 * end, or a key of 'guard' is exceeded. */
#define REASONS(X)                                                             \
    X(PROBES, "rollout_stopped_probes")                                        \
    X(ERRORS, "rollout_stopped_errors")                                        \
    X(P99, "rollout_stopped_p99")                                              \
    X(DROPS, "rollout_stopped_drops")                                          \
    X(DRIFT, "rollout_stopped_drift")

enum reason {
#define X(member, name) REASON_##member,
    REASONS(X)
#undef X
        N_REASONS
};

struct run_rollout {
    struct run *run;
    const struct rollout_spec *spec;
    const struct traffic_spec *probes;
    struct switch_set *sets;
    struct event timer;
    bool *is_set; /* By switch. */
    uint32_t n_set;
    size_t begun, passed; /* Steps. */
    bool has_stopped;
    bool reasons[N_REASONS]; /* Of the stop. */

    /* Since the last step. */
    uint64_t n_probes, n_errors, n_drops;
    struct histogram latency;
    uint64_t *judged; /* By flow: messages that were judged before. */
};

/* Measurement -------------------------------------------------------------- */

void
run_rollout_note_message(const struct run_flow *flow, int64_t latency_ps,
                         bool lost)
{
    struct run_rollout *rollout = flow->run->rollout;

    if (!rollout || flow->traffic != rollout->probes) {
        return;
    }
    rollout->n_probes++;
    rollout->n_errors += lost || latency_ps > rollout->spec->guard.within_ps;
    histogram_add(&rollout->latency, (uint64_t)latency_ps);
}

void
run_rollout_note_drop(const struct run *run, enum sink_drop_reason reason)
{
    if (run->rollout && reason != SINK_DROP_FAULT) {
        run->rollout->n_drops++;
    }
}

static void
begin_window(struct run_rollout *rollout)
{
    const struct run *run = rollout->run;

    rollout->n_probes = rollout->n_errors = rollout->n_drops = 0;
    histogram_init(&rollout->latency);
    for (uint32_t i = 0; i < run->n_flows; i++) {
        rollout->judged[i] = run->flows[i].judged;
    }
}

/* Counts the probes that should have had an answer: those that have not run
 * into their timeout, which may be long, and those that did so before the last
 * step, behind which no others may have been sent. */
static void
count_unanswered(struct run_rollout *rollout)
{
    const struct run *run = rollout->run;

    for (uint32_t i = 0; i < run->n_flows; i++) {
        const struct run_flow *flow = &run->flows[i];

        for (uint64_t n = flow->completed;
             flow->traffic == rollout->probes && n < flow->posted; n++) {
            const int64_t age_ps =
                run_now(run) - flow->posted_ps[n % flow->depth];

            if ((n >= flow->judged || n < rollout->judged[i]) &&
                age_ps > rollout->spec->guard.within_ps) {
                rollout->n_probes++;
                rollout->n_errors++;
                histogram_add(&rollout->latency, (uint64_t)age_ps);
            }
        }
    }
}

/* A switch_difference_fn. */
static void
count_difference(void *n, const struct switch_difference *difference)
{
    (void)difference;
    ++*(int64_t *)n;
}

/* Returns how many values of all switches differ from what is intended. */
static int64_t
audit(const struct run *run)
{
    int64_t n = 0;

    for (uint32_t i = 0; i < run->topology->n_switches; i++) {
        (void)switch_drift_audit(run->switches[i].instance, count_difference,
                                 &n);
    }
    return n;
}

/* The plan ----------------------------------------------------------------- */

/* Stores for which reasons what the guard has measured is wrong. */
static void
find_reasons(struct run_rollout *rollout, int64_t p99_ps, int64_t drift)
{
    const struct rollout_guard *guard = &rollout->spec->guard;
    bool *reasons = rollout->reasons;

    reasons[REASON_PROBES] = !rollout->n_probes;
    reasons[REASON_ERRORS] = (unsigned __int128)rollout->n_errors *
                                 (uint64_t)guard->errors.denominator >
                             (unsigned __int128)rollout->n_probes *
                                 (uint64_t)guard->errors.numerator;
    reasons[REASON_P99] = p99_ps > guard->p99_ps;
    reasons[REASON_DROPS] = rollout->n_drops > (uint64_t)guard->drops;
    reasons[REASON_DRIFT] = drift > guard->drift;
}

/* Says in 'text' what 'reason' is about. */
static void
explain(const struct run_rollout *rollout, enum reason reason, int64_t p99_ps,
        int64_t drift, struct text *text)
{
    const struct rollout_guard *guard = &rollout->spec->guard;

    switch (reason) {
    case REASON_PROBES:
        text_add(text, "no probe was answered or lost");
        break;
    case REASON_ERRORS:
        text_addf(text,
                  "%" PRIu64 " of %" PRIu64 " probes had no answer in "
                  "%" PRId64 " ns",
                  rollout->n_errors, rollout->n_probes,
                  guard->within_ps / PS_PER_NS);
        break;
    case REASON_P99:
        text_addf(text, "p99 of the probes is %" PRId64 " ns, above %" PRId64,
                  p99_ps / PS_PER_NS, guard->p99_ps / PS_PER_NS);
        break;
    case REASON_DROPS:
        text_addf(text, "%" PRIu64 " frame%s dropped, more than %" PRId64,
                  rollout->n_drops, rollout->n_drops == 1 ? " was" : "s were",
                  guard->drops);
        break;
    case REASON_DRIFT:
        text_addf(text,
                  "%" PRId64 " value%s of switches differ%s from what is "
                  "intended, more than %" PRId64,
                  drift, text_plural((uint64_t)drift), drift == 1 ? "s" : "",
                  guard->drift);
        break;
    case N_REASONS:
        break;
    }
}

/* Judges the step that was begun last.  Returns whether it has passed. */
static bool
judge(struct run_rollout *rollout)
{
    const struct rollout_step *step = &rollout->spec->steps[rollout->begun - 1];
    const int64_t drift = audit(rollout->run);
    struct text text = {0};
    int64_t p99_ps;
    bool passes;

    count_unanswered(rollout);
    p99_ps = (int64_t)histogram_rank(&rollout->latency,
                                     (rollout->n_probes * 99 + 99) / 100);
    find_reasons(rollout, p99_ps, drift);
    for (int i = 0; i < N_REASONS; i++) {
        if (rollout->reasons[i]) {
            text_add(&text, text.length ? "; " : "");
            explain(rollout, (enum reason)i, p99_ps, drift, &text);
        }
    }
    passes = text.length == 0;
    if (passes) {
        run_note(rollout->run,
                 "rollout: step %zu, %s, has passed: %" PRIu64
                 " probes, %" PRIu64 " errors, p99 %" PRId64 " ns, %" PRIu64
                 " drops, %" PRId64 " values differ",
                 rollout->begun, step->name, rollout->n_probes,
                 rollout->n_errors, p99_ps / PS_PER_NS, rollout->n_drops,
                 drift);
    } else {
        run_note(rollout->run, "rollout: stops after step %zu, %s: %s",
                 rollout->begun, step->name, text_string(&text));
    }
    text_fini(&text);
    return passes;
}

/* Gives the switches of the next step their configuration. */
static enum st
begin_step(struct run_rollout *rollout, struct err *err)
{
    struct run *run = rollout->run;
    const struct rollout_step *step = &rollout->spec->steps[rollout->begun];
    struct reference_list switches = {NULL, 0};
    uint32_t n = 0;
    enum st st =
        references_switches(run->scenario, run->topology, &step->switches,
                            &step->place, run->arena, &switches, err);

    for (size_t i = 0; !st && i < switches.n; i++) {
        const uint32_t node = switches.numbers[i];

        if (!rollout->is_set[node]) {
            st = run_switch_set(run, node, rollout->sets, rollout->spec->n_set,
                                err);
            rollout->is_set[node] = true;
            n++;
        }
    }
    rollout->n_set += n;
    rollout->begun++;
    begin_window(rollout);
    run_note(run, "rollout: step %zu, %s: %u switch%s, %u in all",
             rollout->begun, step->name, (unsigned int)n, n == 1 ? "" : "es",
             (unsigned int)rollout->n_set);
    return st;
}

static void
on_step(struct event *event, int64_t now_ps)
{
    struct run_rollout *rollout = EVENT_OWNER(event, struct run_rollout, timer);
    struct err err = {0};

    if (rollout->begun) {
        rollout->has_stopped = !judge(rollout);
        rollout->passed += !rollout->has_stopped;
    }
    if (rollout->has_stopped || rollout->begun == rollout->spec->n_steps) {
        return;
    }
    if (begin_step(rollout, &err)) {
        run_fail(rollout->run, &err);
        return;
    }
    engine_schedule(rollout->run->engine, event,
                    now_ps + rollout->spec->soak_ps);
}

/* Finds the probes of 'rollout'. */
static enum st
find_probes(struct run_rollout *rollout, struct err *err)
{
    const struct scenario *scenario = rollout->run->scenario;
    const char *name = rollout->spec->guard.traffic;

    /* references_check() has found it. */
    for (size_t i = 0; i < scenario->n_traffic; i++) {
        if (!strcmp(scenario->traffic[i].name, name)) {
            rollout->probes = &scenario->traffic[i];
        }
    }
    return rollout->probes->kind == TRAFFIC_PING
               ? ST_OK
               : scenario_fail(scenario, &rollout->spec->place, err,
                               "the guard's traffic is of kind 'ping', and "
                               "'%s' is not",
                               name);
}

enum st
run_rollout_create(struct run *run, struct err *err)
{
    const struct rollout_spec *spec = &run->scenario->rollout;
    struct run_rollout *rollout;

    if (!spec->n_steps) {
        return ST_OK;
    }
    rollout = arena_alloc(run->arena, 1, sizeof *rollout);
    run->rollout = rollout;
    rollout->run = run;
    rollout->spec = spec;
    rollout->sets =
        arena_alloc(run->arena, spec->n_set + 1, sizeof *rollout->sets);
    for (size_t i = 0; i < spec->n_set; i++) {
        const struct config_field *field = &spec->set[i];
        struct text row = {0};

        text_addf(&row, "%s|%s", field->table, field->key);
        rollout->sets[i] =
            (struct switch_set){arena_strdup(run->arena, text_string(&row)),
                                field->field, field->value};
        text_fini(&row);
    }
    rollout->is_set = arena_alloc(run->arena, run->topology->n_switches,
                                  sizeof *rollout->is_set);
    rollout->judged =
        arena_alloc(run->arena, run->n_flows + 1U, sizeof *rollout->judged);
    begin_window(rollout);
    rollout->timer = event_make(EVENT_TIMER_COMMAND, 3, 0, on_step);
    engine_schedule(run->engine, &rollout->timer, spec->start_ps);
    return find_probes(rollout, err);
}

bool
run_rollout_is_pending(const struct run *run)
{
    const struct run_rollout *rollout = run->rollout;

    return rollout && !rollout->has_stopped &&
           rollout->passed < rollout->spec->n_steps;
}

void
run_rollout_report(const struct run *run, struct results *results)
{
    const struct run_rollout *rollout = run->rollout;

    if (rollout) {
        const struct {
            const char *name;
            uint64_t value;
        } counters[] = {
            {"rollout_steps_begun", rollout->begun},
            {"rollout_steps_passed", rollout->passed},
            {"rollout_stopped", rollout->has_stopped},
            {"rollout_switches", rollout->n_set},
#define X(member, name) {name, rollout->reasons[REASON_##member]},
            REASONS(X)
#undef X
        };

        for (size_t i = 0; i < sizeof counters / sizeof *counters; i++) {
            results_add_counter(results, SINK_NONE, SINK_NONE, SINK_NONE,
                                counters[i].name, counters[i].value);
        }
    }
}
