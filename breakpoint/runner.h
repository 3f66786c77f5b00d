/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_RUNNER_H
#define ORCHD_BREAKPOINT_RUNNER_H

/* Runs a scenario against a target, step by step, until the first step that
 * fails.
 *
 * The runner decides whether a step passes; a listener presents the run to a
 * person, a program or a test framework.  At the end, also after a failure, the
 * runner restores the target, so that a scenario does not affect the next
 * one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/scenario.h"
#include "breakpoint/target.h"

/* How a step or a run ended; the values are the exit codes of orchctl. */
enum run_outcome {
    RUN_PASSED = 0,
    RUN_FAILED = 1,      /* The switch did something else, or refused. */
    RUN_INVALID = 2,     /* The scenario refers to what does not exist. */
    RUN_UNREACHABLE = 3, /* The switch did not answer. */
};

/* The result of a claim. */
struct run_seen {
    int64_t value; /* Less the value in the claim's snapshot, if any. */
    bool passed;
};

/* The result of a step.  All pointers are borrowed for the call. */
struct run_step {
    const struct scenario *scenario;
    const struct step *step;
    size_t number; /* From 1. */
    enum run_outcome outcome;
    struct err err;             /* The error, unless only a claim failed. */
    struct file_position place; /* That 'err' refers to. */

    /* STEP_SEND, unless the target failed. */
    struct target_sent sent;

    /* The counters of all objects of the scenario, in their order, as read in
     * this step; NULL if it read none. */
    const struct target_reading *readings;

    /* STEP_SNAP: the counters in the snapshot to compare with; or NULL. */
    const struct target_reading *since;

    /* STEP_CFG: the answer to each row, if they could be written. */
    const struct target_answer *answers;

    /* STEP_WAIT_UNTIL: how long it took. */
    uint64_t waited_ns;

    /* The results of the claims of an expect step, in order. */
    const struct run_seen *seen;
    size_t n_seen; /* Fewer than claims if one could not be computed. */
};

/* Callbacks that follow a run.  Each may be NULL. */
struct run_listener {
    void (*begin)(void *context, const struct scenario *scenario);
    void (*step)(void *context, const struct run_step *step);
    /* 'n_steps' steps were started.  'left' says what could not be restored to
     * the state before the run; NULL: everything was restored. */
    void (*end)(void *context, const struct scenario *scenario, size_t n_steps,
                enum run_outcome outcome, const struct err *left);
    void *context;
    bool wants_readings; /* Read counters after each step, not only where claims
                          * need them. */
};

/* Runs 'scenario' against 'target' and returns how it ended. */
enum run_outcome runner_run(const struct scenario *scenario,
                            struct target *target,
                            const struct run_listener *listener);

/* The same in the middle of another run on 'target', for steps that a user
 * types.  Their changes are not undone at the end. */
enum run_outcome runner_run_within(const struct scenario *scenario,
                                   struct target *target,
                                   const struct run_listener *listener);

/* Starts a run to be advanced step by step.  'scenario', 'target' and
 * 'listener' are borrowed until runner_end(). */
struct run;
struct run *runner_begin(const struct scenario *scenario, struct target *target,
                         const struct run_listener *listener);

/* Runs the next step and returns how it ended.  Call it only while
 * runner_goes_on(). */
enum run_outcome runner_next(struct run *run);

/* Returns whether all steps so far have passed and more are left. */
bool runner_goes_on(const struct run *run);

/* Ends the run after the steps so far and returns its outcome. */
enum run_outcome runner_end(struct run *run);

/* Returns the outcome for the 'status' of a target operation. */
enum run_outcome runner_outcome(enum st status);

#endif /* breakpoint/runner.h */
