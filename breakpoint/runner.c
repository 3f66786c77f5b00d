/* SPDX-License-Identifier: Apache-2.0 */

/* Judges each step of a scenario by what its target says. */

#include <config.h>

#include "breakpoint/runner.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/check.h"
#include "base/text.h"

/* Frames of one kind that left a port, added up over the run. */
struct tally {
    struct target_frames *rows; /* On the heap; kinds of frames, counted. */
    size_t n, size;
};

struct snapshot {
    const char *name;                      /* As claims refer to it. */
    const struct target_reading *readings; /* One per object, in order. */
};

struct run {
    const struct scenario *scenario;
    struct target *target;
    struct arena *arena;        /* Of all readings. */
    struct snapshot *snapshots; /* In the arena; room for every step. */
    size_t n_snapshots;
    struct tally *tallies; /* One per rx_port. */
    const char **blocked;  /* In the arena; room for every name. */
    size_t n_blocked;
    struct run_step *result; /* Of the step under way. */
    struct run_seen *seen;   /* Of the same. */
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

/* Keeps the list of blocked ports; a port is in it at most once. */
static void
run_note_block(struct run *run, const char *port, bool blocked)
{
    size_t i = 0;

    while (i < run->n_blocked && strcmp(run->blocked[i], port)) {
        i++;
    }
    if (blocked && i == run->n_blocked) {
        run->blocked[run->n_blocked++] = port;
    } else if (!blocked && i < run->n_blocked) {
        run->blocked[i] = run->blocked[--run->n_blocked];
    }
}

/* Blocks or unblocks ports.  A port counts as blocked from the moment that the
 * target says so, even if the next one fails. */
static enum st
run_block(struct run *run, const struct step *step, struct err *err)
{
    bool blocked = step->kind == STEP_BLOCK;
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < step->ports.n; i++) {
        const char *port = step->ports.names[i];

        st = run->target->ops->block(run->target, port, blocked, err);
        if (!st) {
            run_note_block(run, port, blocked);
        }
    }
    return st;
}

/* Sends.  That a condition never came is a failure of the step: what follows in
 * a scenario is about the state after it. */
static enum st
run_send(struct run *run, const struct step *step, struct err *err)
{
    struct target_sent *sent = &run->result->sent;
    enum st st = run->target->ops->send(run->target, &step->send, sent, err);

    if (!st && !sent->reached) {
        st = err_set(err, ST_DEVICE, "not-reached",
                     "expected %s within %llu packets, it did not come",
                     step->send.until == TARGET_UNTIL_XOFF ? "XOFF" : "a drop",
                     (unsigned long long)step->send.count);
    }
    return st;
}

/* Reads all objects of the scenario. */
static enum st
run_read(struct run *run, struct err *err)
{
    size_t n = run->scenario->n_objects;
    struct target_reading *readings =
        arena_alloc(run->arena, n + 1, sizeof *readings);
    enum st st = run->target->ops->read(run->target, run->scenario->objects, n,
                                        run->arena, readings, err);

    if (!st) {
        run->result->readings = readings;
    }
    return st;
}

/* Reads everything, so that a later claim can refer to any object. */
static enum st
run_snap(struct run *run, const struct step *step, struct err *err)
{
    enum st st = run_read(run, err);

    if (!st && step->snap.name) {
        struct snapshot *snapshot = &run->snapshots[run->n_snapshots++];

        snapshot->name = step->snap.name;
        snapshot->readings = run->result->readings;
    }
    return st;
}

/* Says that an object has no such counter, and what it has. */
static enum st
fail_no_stat(const struct run *run, const struct claim *claim,
             const struct target_reading *reading, struct err *err)
{
    struct text names = {0};
    char object[160];
    enum st st;

    for (size_t i = 0; i < reading->n; i++) {
        text_add_item(&names, ", ", reading->stats[i].name);
    }
    target_object_text(&run->scenario->objects[claim->object], object,
                       sizeof object);
    run->result->line = claim->line;
    run->result->column = claim->column;
    st = err_set(err, ST_INVALID, "no-stat", "%s has no stat '%s'", object,
                 claim->stat);
    err_set_field(err, "stat", claim->stat, text_string(&names));
    text_fini(&names);
    return st;
}

/* Finds the counter of 'claim' in 'readings' as a signed number; what is too
 * large for that (a limit that is not there) becomes the largest. */
static enum st
claim_value(const struct run *run, const struct claim *claim,
            const struct target_reading *readings, int64_t *value,
            struct err *err)
{
    const struct target_reading *reading = &readings[claim->object];
    const struct target_stat *stat = target_reading_find(reading, claim->stat);

    if (!stat) {
        return fail_no_stat(run, claim, reading, err);
    }
    *value = stat->value > INT64_MAX ? INT64_MAX : (int64_t)stat->value;
    return ST_OK;
}

/* Returns the snapshot 'name', which the scenario has taken. */
static const struct target_reading *
run_snapshot(const struct run *run, const char *name)
{
    size_t i = 0;

    orch_assert(run->n_snapshots > 0);
    while (strcmp(run->snapshots[i].name, name)) {
        i++;
        orch_assert(i < run->n_snapshots); /* The parser saw it taken. */
    }
    return run->snapshots[i].readings;
}

static bool
range_contains(const struct range *range, int64_t value)
{
    return value >= range->low && value <= range->high;
}

/* Notes what was seen of the next claim. */
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

/* Judges all claims of a step by one reading, so that they speak of the same
 * moment, and all of them, for the second often explains the first. */
static enum st
run_expect(struct run *run, const struct step *step, struct err *err)
{
    enum st st = run_read(run, err);

    for (size_t i = 0; !st && i < step->expect.n; i++) {
        const struct claim *claim = &step->expect.claims[i];
        int64_t value = 0, since = 0;

        st = claim_value(run, claim, run->result->readings, &value, err);
        if (!st && claim->since) {
            st = claim_value(run, claim, run_snapshot(run, claim->since),
                             &since, err);
        }
        if (!st) {
            run_judge(run, &claim->range, value - since);
        }
    }
    return st;
}

/* Adds 'row' to 'tally'. */
static void
tally_add(struct tally *tally, const struct target_frames *row)
{
    for (size_t i = 0; i < tally->n; i++) {
        struct target_frames *other = &tally->rows[i];

        if (other->dscp == row->dscp && other->queue == row->queue &&
            other->ce == row->ce) {
            other->frames += row->frames;
            return;
        }
    }
    if (tally->n == tally->size) {
        tally->size = tally->size ? 2 * tally->size : 8;
        tally->rows =
            check_realloc(tally->rows, tally->size * sizeof *tally->rows);
    }
    tally->rows[tally->n++] = *row;
}

/* Takes what left the ports since it was last taken; 'counts' tells whether
 * it is added up or forgotten. */
static enum st
run_receive(struct run *run, bool counts, struct err *err)
{
    enum st st = ST_OK;

    for (size_t i = 0; !st && i < run->scenario->n_rx_ports; i++) {
        const struct target_frames *rows = NULL;
        size_t n = 0;

        st = run->target->ops->received(run->target, run->scenario->rx_ports[i],
                                        run->arena, &rows, &n, err);
        for (size_t k = 0; !st && counts && k < n; k++) {
            tally_add(&run->tallies[i], &rows[k]);
        }
    }
    return st;
}

/* Adds up the frames that a claim speaks of. */
static int64_t
tally_count(const struct tally *tally, const struct rx_claim *claim)
{
    int64_t frames = 0;

    for (size_t i = 0; i < tally->n; i++) {
        const struct target_frames *row = &tally->rows[i];

        if ((claim->dscp < 0 || claim->dscp == row->dscp) &&
            (claim->queue < 0 || claim->queue == row->queue) &&
            (claim->ce < 0 || claim->ce == (int)row->ce)) {
            frames += (int64_t)row->frames;
        }
    }
    return frames;
}

/* Judges claims about frames.  The counters are read as well: they are what
 * explains a number of frames that is not as expected. */
static enum st
run_expect_rx(struct run *run, const struct step *step, struct err *err)
{
    enum st st = run_receive(run, true, err);

    st = st ? st : run_read(run, err);
    for (size_t i = 0; !st && i < step->rx.n; i++) {
        const struct rx_claim *claim = &step->rx.claims[i];

        run_judge(run, &claim->range,
                  tally_count(&run->tallies[claim->rx_port], claim));
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
    [STEP_RUN] = run_run,
    [STEP_CLEAR_WM] = run_clear,
    [STEP_SNAP] = run_snap,
    [STEP_EXPECT] = run_expect,
    [STEP_EXPECT_PFC] = run_expect,
    [STEP_EXPECT_RX] = run_expect_rx,
};

/* The most claims that a step has, and the most ports it blocks. */
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

/* Counts the ports that steps may block, an upper bound for how many can be
 * blocked at once. */
static size_t
scenario_blocks(const struct scenario *scenario)
{
    size_t n = 1;

    for (size_t i = 0; i < scenario->n_steps; i++) {
        if (scenario->steps[i].kind == STEP_BLOCK) {
            n += scenario->steps[i].ports.n;
        }
    }
    return n;
}

/* Allocates all that a run may need, sized by the scenario. */
static void
run_init(struct run *run, const struct scenario *scenario,
         struct target *target)
{
    struct arena *arena = arena_create(0);

    memset(run, 0, sizeof *run);
    run->scenario = scenario;
    run->target = target;
    run->arena = arena;
    run->snapshots =
        arena_alloc(arena, scenario->n_steps + 1, sizeof *run->snapshots);
    run->tallies =
        arena_alloc(arena, scenario->n_rx_ports + 1, sizeof *run->tallies);
    run->blocked =
        arena_alloc(arena, scenario_blocks(scenario), sizeof *run->blocked);
    run->seen =
        arena_alloc(arena, scenario_claims_max(scenario), sizeof *run->seen);
}

/* Frees it; what observers were told is gone with it. */
static void
run_fini(struct run *run)
{
    for (size_t i = 0; i < run->scenario->n_rx_ports; i++) {
        free(run->tallies[i].rows);
    }
    arena_destroy(run->arena);
}

/* Does step 'number' - 1, the first of which begins the run, and tells the
 * observer. */
static enum run_outcome
run_step(struct run *run, size_t i, const struct run_observer *observer)
{
    const struct step *step = &run->scenario->steps[i];
    struct run_step result = {.scenario = run->scenario,
                              .step = step,
                              .number = i + 1,
                              .line = step->line,
                              .column = step->column,
                              .seen = run->seen};
    enum st st = ST_OK;

    run->result = &result;
    if (!i) {
        st = run_receive(run, false, &result.err);
    }
    st = st ? st : step_runners[step->kind](run, step, &result.err);
    if (st) {
        result.outcome = runner_outcome(st);
    }
    if (observer->step) {
        observer->step(observer->context, &result);
    }
    run->result = NULL;
    return result.outcome;
}

enum run_outcome
runner_run(const struct scenario *scenario, struct target *target,
           const struct run_observer *observer)
{
    enum run_outcome outcome = RUN_PASSED;
    struct run run;
    size_t n = 0;

    run_init(&run, scenario, target);
    if (observer->begin) {
        observer->begin(observer->context, scenario);
    }
    while (outcome == RUN_PASSED && n < scenario->n_steps) {
        outcome = run_step(&run, n++, observer);
    }
    for (size_t i = 0; i < run.n_blocked; i++) {
        struct err ignored;

        /* The run is over: there is nobody left to tell. */
        (void)!target->ops->block(target, run.blocked[i], false, &ignored);
        (void)!target->ops->settle(target, &ignored);
    }
    if (observer->end) {
        observer->end(observer->context, scenario, n, outcome);
    }
    run_fini(&run);
    return outcome;
}
