/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_RUNNER_H
#define ORCHD_BREAKPOINT_RUNNER_H

/* Runs a scenario against a target, step by step, until the first one that
 * does not turn out as expected.
 *
 * The runner judges and a listener tells: what a person, a program or a test
 * framework wants to see of a run is the same sequence of facts in different
 * clothes.  At the end, however it comes, the target is asked to be as it was
 * found, so that one scenario does not decide the next. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/scenario.h"
#include "breakpoint/target.h"

/* How a step or a run ended; the values are those that orchctl exits with. */
enum run_outcome {
    RUN_PASSED = 0,
    RUN_FAILED = 1,      /* The switch did something else, or said no. */
    RUN_INVALID = 2,     /* The scenario asks for what does not exist. */
    RUN_UNREACHABLE = 3, /* The switch did not answer. */
};

/* A claim and the truth. */
struct run_seen {
    int64_t value; /* Less the value in the claim's snapshot, if any. */
    bool passed;
};

/* What happened in a step.  All that it points to is borrowed for the call. */
struct run_step {
    const struct scenario *scenario;
    const struct step *step;
    size_t number; /* From 1. */
    enum run_outcome outcome;
    struct err err;             /* Why, unless a claim just did not hold. */
    struct file_position place; /* Of what 'err' is about. */

    /* STEP_SEND, if the target could do it. */
    struct target_sent sent;

    /* The counters of all objects of the scenario, in their order, as they
     * were in this step; NULL if they were not looked at. */
    const struct target_reading *readings;

    /* STEP_SNAP: the same at the snapshot to compare with; or NULL. */
    const struct target_reading *since;

    /* STEP_CFG: what became of each row, if they could be written. */
    const struct target_answer *answers;

    /* STEP_WAIT_UNTIL: how long it took. */
    uint64_t waited_ns;

    /* For each claim of an expecting step, in order. */
    const struct run_seen *seen;
    size_t n_seen; /* May be fewer, if one could not be judged. */
};

/* Follows a run.  Each may be NULL. */
struct run_listener {
    void (*begin)(void *context, const struct scenario *scenario);
    void (*step)(void *context, const struct run_step *step);
    /* 'n_steps' were begun.  'left' says what could not be put back as it was
     * before the run; NULL: all was. */
    void (*end)(void *context, const struct scenario *scenario, size_t n_steps,
                enum run_outcome outcome, const struct err *left);
    void *context;
    bool wants_readings; /* After each step, not only where they are judged. */
};

/* Runs 'scenario' against 'target' and returns how it ended. */
enum run_outcome runner_run(const struct scenario *scenario,
                            struct target *target,
                            const struct run_listener *listener);

/* The same in the middle of another run on 'target', for steps that come up on
 * the way: what they have changed stays. */
enum run_outcome runner_run_within(const struct scenario *scenario,
                                   struct target *target,
                                   const struct run_listener *listener);

/* A run step by step.  'scenario', 'target' and 'listener' are borrowed
 * until the end. */
struct run;
struct run *runner_begin(const struct scenario *scenario, struct target *target,
                         const struct run_listener *listener);

/* Does the next step, and returns how it ended.  To be called only while
 * runner_goes_on(). */
enum run_outcome runner_next(struct run *run);

/* Returns whether all steps so far have passed, and one is left. */
bool runner_goes_on(const struct run *run);

/* Ends the run, which has done what it has, and returns how. */
enum run_outcome runner_end(struct run *run);

/* Returns the outcome that goes with a target's 'status'. */
enum run_outcome runner_outcome(enum st status);

#endif /* breakpoint/runner.h */
