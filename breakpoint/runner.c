/* SPDX-License-Identifier: Apache-2.0 */

/* Runs the steps of a scenario and checks the results that the target
 * reports. */

#include <config.h>

#include "breakpoint/runner.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"
#include "breakpoint/run_record.h"
#include "breakpoint/send_cause.h"

struct run {
    const struct scenario *scenario;
    struct target *target;
    const struct run_listener *listener;
    struct arena *arena;      /* Holds all readings. */
    struct run_record record; /* What the target has reported. */
    struct run_step *result;  /* Of the current step. */
    struct run_seen *seen;    /* Of the current step. */
    size_t n_done;
    bool is_inner; /* Within another run on the same target. */
    enum run_outcome outcome;
};

enum run_outcome
runner_outcome(enum st status)
{
    switch (status) {
    case ST_OK:
        return RUN_PASSED;
    case ST_INVALID:
        return RUN_INVALID;
    case ST_IO:
        return RUN_UNREACHABLE;
    case ST_NOT_FOUND:
    case ST_EXISTS:
    case ST_BUSY:
    case ST_NO_RESOURCE:
    case ST_UNSUPPORTED:
    case ST_DEVICE:
    default:
        return RUN_FAILED;
    }
}

/* Reports that the target does not support an operation. */
static enum st
run_unsupported(const struct step *step, struct err *err)
{
    return err_set(err, ST_UNSUPPORTED, "unsupported",
                   "this switch does not support '%s'", step_verb(step->kind));
}

/* Blocks or unblocks ports. */
static enum st
run_block(struct run *run, const struct step *step, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < step->block.n; i++) {
        st = run->target->ops->block(run->target, &step->block.blocks[i], err);
    }
    return st;
}

/* Sends packets.  The step fails if its condition is never met, because the
 * following steps depend on the state after it. */
static enum st
run_send(struct run *run, const struct step *step, struct err *err)
{
    struct target_sent *sent = &run->result->sent;
    enum st st = run->target->ops->send(run->target, &step->send, sent, err);

    if (!st && !sent->reached) {
        struct text cause = {0};

        send_cause_add(run->target, &step->send, sent, &cause);
        st = err_set(err, ST_DEVICE, "not-reached",
                     "expected %s within %llu packets, but it was not reached: "
                     "%s",
                     target_until_word(step->send.until),
                     (unsigned long long)step->send.count, text_string(&cause));
        text_fini(&cause);
    }
    return st;
}

/* Reads all objects of the scenario. */
static enum st
run_read(struct run *run, struct err *err)
{
    return run_record_read(&run->record, &run->result->readings, err);
}

/* Reads all objects, so that a later claim can refer to any of them. */
static enum st
run_snap(struct run *run, const struct step *step, struct err *err)
{
    enum st st = run_read(run, err);

    st = st ? st : run_record_receive(&run->record, true, err);
    if (!st && step->snap.since) {
        run->result->since =
            run_record_snapshot(&run->record, step->snap.since)->readings;
    }
    if (!st && step->snap.name) {
        run_record_keep(&run->record, step->snap.name, run->result->readings);
    }
    return st;
}

static bool
range_contains(const struct range *range, int64_t value)
{
    return value >= range->low && value <= range->high;
}

/* Records the value of the next claim and whether it passes. */
static void
run_judge(struct run *run, const struct range *range, int64_t value)
{
    struct run_seen *seen = &run->seen[run->result->n_seen++];

    seen->value = value;
    seen->passed = range_contains(range, value);
    if (!seen->passed) {
        run->result->outcome = RUN_FAILED;
    }
}

/* Computes the value of 'claim' from the current reading. */
static enum st
run_claim(struct run *run, const struct claim *claim, int64_t *value,
          struct err *err)
{
    const enum st st = run_record_value(&run->record, claim,
                                        run->result->readings, value, err);

    if (st) {
        run->result->place = claim->place;
    }
    return st;
}

/* Checks all claims of a step against one reading, so that they are about the
 * same moment.  Continues after a failed claim, because the second failure
 * often explains the first. */
static enum st
run_expect(struct run *run, const struct step *step, struct err *err)
{
    enum st st = run_read(run, err);

    for (size_t i = 0; !st && i < step->expect.n; i++) {
        const struct claim *claim = &step->expect.claims[i];
        int64_t value = 0;

        st = run_claim(run, claim, &value, err);
        if (!st) {
            run_judge(run, &claim->range, value);
        }
    }
    return st;
}

/* Lets time pass until a claim becomes true. */
static enum st
run_wait_until(struct run *run, const struct step *step, struct err *err)
{
    const struct claim *claim = step->until.claim;
    int64_t value = 0;
    enum st st;

    for (;;) {
        st = run_read(run, err);
        st = st ? st : run_claim(run, claim, &value, err);
        if (st || range_contains(&claim->range, value) ||
            run->result->waited_ns >= step->until.limit_ns) {
            break;
        }
        st = run->target->ops->run(run->target, step->until.step_ns, err);
        if (st) {
            break;
        }
        run->result->waited_ns += step->until.step_ns;
    }
    if (!st) {
        run_judge(run, &claim->range, value);
    }
    return st;
}

/* Checks claims about frames.  Reads the counters too, because they explain an
 * unexpected number of frames. */
static enum st
run_expect_rx(struct run *run, const struct step *step, struct err *err)
{
    enum st st = run_record_receive(&run->record, true, err);

    st = st ? st : run_read(run, err);
    for (size_t i = 0; !st && i < step->rx.n; i++) {
        const struct rx_claim *claim = &step->rx.claims[i];

        run_judge(run, &claim->range, run_record_rx_value(&run->record, claim));
    }
    return st;
}

static enum st
run_settle(struct run *run, const struct step *step, struct err *err)
{
    (void)step;
    return run->target->ops->settle(run->target, err);
}

static enum st
run_restart(struct run *run, const struct step *step, struct err *err)
{
    if (!run->target->ops->restart) {
        return run_unsupported(step, err);
    }
    return run->target->ops->restart(run->target, err);
}

static enum st
run_run(struct run *run, const struct step *step, struct err *err)
{
    return run->target->ops->run(run->target, step->run_ns, err);
}

static enum st
run_clear(struct run *run, const struct step *step, struct err *err)
{
    return run->target->ops->clear(run->target, step->clear.objects,
                                   step->clear.n, err);
}

/* Writes rows and checks that orchd answers them as expected. */
static enum st
run_cfg(struct run *run, const struct step *step, struct err *err)
{
    size_t n = step->cfg.n;
    struct target_row *rows = arena_alloc(run->arena, n + 1, sizeof *rows);
    struct target_answer *answers =
        arena_alloc(run->arena, n + 1, sizeof *answers);
    enum st st;

    if (!run->target->ops->configure) {
        return run_unsupported(step, err);
    }
    for (size_t i = 0; i < n; i++) {
        rows[i] = step->cfg.rows[i].row;
    }
    st = run->target->ops->configure(run->target, rows, n, run->arena, answers,
                                     err);
    run->result->answers = st ? NULL : answers;
    for (size_t i = 0; !st && i < n; i++) {
        const struct config_row *row = &step->cfg.rows[i];

        if (!scenario_answer_is(&answers[i], row->expected)) {
            run->result->place = row->place;
            st = err_set(
                err, ST_DEVICE, "row", "%s: expected %s, but it is %s%s%s%s%s",
                row->row.key, row->expected ? row->expected : "applied",
                answers[i].state, *answers[i].code ? " (" : "", answers[i].code,
                *answers[i].code ? "): " : "", answers[i].reason);
        }
    }
    return st;
}

/* Runs the steps that are one operation of the target. */
#define X(member, operation, name, verb)                                       \
    static enum st run_##operation(struct run *run, const struct step *step,   \
                                   struct err *err)                            \
    {                                                                          \
        if (!run->target->ops->operation) {                                    \
            return run_unsupported(step, err);                                 \
        }                                                                      \
        return run->target->ops->operation(run->target, &step->name, err);     \
    }
TARGET_STEP_LIST(X)
#undef X

static enum st
run_stop(struct run *run, const struct step *step, struct err *err)
{
    const struct target_ops *ops = run->target->ops;
    enum st st = ST_OK;

    if ((step->stop.n_flows && !ops->flow_stop) ||
        (step->stop.n_storms && !ops->storm_stop)) {
        return run_unsupported(step, err);
    }
    for (size_t i = 0; !st && i < step->stop.n_flows; i++) {
        st = ops->flow_stop(run->target, step->stop.flows[i], err);
    }
    for (size_t i = 0; !st && i < step->stop.n_storms; i++) {
        st = ops->storm_stop(run->target, step->stop.storms[i], err);
    }
    return st;
}

static enum st
run_say(struct run *run, const struct step *step, struct err *err)
{
    (void)run;
    (void)step;
    (void)err;
    return ST_OK;
}

typedef enum st step_run_fn(struct run *run, const struct step *step,
                            struct err *err);

static step_run_fn *const step_runners[N_STEP_KINDS] = {
    [STEP_SAY] = run_say,
    [STEP_BLOCK] = run_block,
    [STEP_UNBLOCK] = run_block,
    [STEP_SEND] = run_send,
    [STEP_SETTLE] = run_settle,
    [STEP_RESTART] = run_restart,
    [STEP_RUN] = run_run,
    [STEP_WAIT] = run_run,
    [STEP_WAIT_UNTIL] = run_wait_until,
    [STEP_CLEAR_WM] = run_clear,
    [STEP_SNAP] = run_snap,
    [STEP_CFG] = run_cfg,
    [STEP_STOP] = run_stop,
    [STEP_EXPECT] = run_expect,
    [STEP_EXPECT_PFC] = run_expect,
    [STEP_EXPECT_RX] = run_expect_rx,
#define X(member, operation, name, verb) [STEP_##member] = run_##operation,
    TARGET_STEP_LIST(X)
#undef X
};

/* Returns the maximum number of claims of a step. */
static size_t
scenario_claims_max(const struct scenario *scenario)
{
    size_t max = 1;

    for (size_t i = 0; i < scenario->n_steps; i++) {
        const struct step *step = &scenario->steps[i];
        size_t n = 0;

        if (step->kind == STEP_EXPECT || step->kind == STEP_EXPECT_PFC) {
            n = step->expect.n;
        } else if (step->kind == STEP_EXPECT_RX) {
            n = step->rx.n;
        }
        max = n > max ? n : max;
    }
    return max;
}

/* Allocates everything that a run may need, sized by the scenario. */
struct run *
runner_begin(const struct scenario *scenario, struct target *target,
             const struct run_listener *listener)
{
    struct arena *arena = arena_create(0);
    struct run *run = check_calloc(1, sizeof *run);

    run->scenario = scenario;
    run->target = target;
    run->listener = listener;
    run->arena = arena;
    run_record_init(&run->record, scenario, target, arena);
    run->seen =
        arena_alloc(arena, scenario_claims_max(scenario), sizeof *run->seen);
    if (listener->begin) {
        listener->begin(listener->context, scenario);
    }
    return run;
}

bool
runner_goes_on(const struct run *run)
{
    return run->outcome == RUN_PASSED && run->n_done < run->scenario->n_steps;
}

/* Prepares the first step: makes the counters start here, discards the frames
 * that have left the ports so far, and starts the traces that claims need. */
static enum st
run_prepare(struct run *run, struct err *err)
{
    const struct target_ops *ops = run->target->ops;
    enum st st = ops->start && !run->is_inner
                     ? ops->start(run->target, run->scenario->objects,
                                  run->scenario->n_objects, err)
                     : ST_OK;

    st = st ? st : run_record_receive(&run->record, false, err);
    return st ? st : run_record_trace(&run->record, err);
}

enum run_outcome
runner_next(struct run *run)
{
    const struct step *step = &run->scenario->steps[run->n_done];
    struct run_step result = {.scenario = run->scenario,
                              .step = step,
                              .number = run->n_done + 1,
                              .place = step->place,
                              .seen = run->seen};
    enum st st = ST_OK;

    orch_assert(runner_goes_on(run));
    run->result = &result;
    if (!run->n_done++) {
        st = run_prepare(run, &result.err);
    }
    st = st ? st : step_runners[step->kind](run, step, &result.err);
    if (!st && run->listener->wants_readings && !result.readings) {
        st = run_read(run, &result.err);
    }
    if (st) {
        result.outcome = runner_outcome(st);
    }
    if (run->listener->step) {
        run->listener->step(run->listener->context, &result);
    }
    run->result = NULL;
    run->outcome = result.outcome;
    return result.outcome;
}

/* Frees 'run' with everything that listeners were given. */
static void
run_destroy(struct run *run)
{
    run_record_fini(&run->record);
    arena_destroy(run->arena);
    free(run);
}

enum run_outcome
runner_end(struct run *run)
{
    enum run_outcome outcome = run->outcome;
    const struct target_ops *ops = run->target->ops;
    struct err err = {0};

    if (!run->is_inner && ops->restore && ops->restore(run->target, &err) &&
        outcome == RUN_PASSED) {
        outcome = runner_outcome(err.status);
    }
    if (run->listener->end) {
        run->listener->end(run->listener->context, run->scenario, run->n_done,
                           outcome, err.status ? &err : NULL);
    }
    run_destroy(run);
    return outcome;
}

/* Runs all steps. */
static enum run_outcome
run_all(struct run *run)
{
    while (runner_goes_on(run)) {
        (void)runner_next(run);
    }
    return runner_end(run);
}

enum run_outcome
runner_run(const struct scenario *scenario, struct target *target,
           const struct run_listener *listener)
{
    return run_all(runner_begin(scenario, target, listener));
}

enum run_outcome
runner_run_within(const struct scenario *scenario, struct target *target,
                  const struct run_listener *listener)
{
    struct run *run = runner_begin(scenario, target, listener);

    run->is_inner = true;
    return run_all(run);
}
