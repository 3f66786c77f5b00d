/* SPDX-License-Identifier: Apache-2.0 */

/* Moves results of runs into one file. */

#include <config.h>

#include "orchlab/run_gather.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/text.h"
#include "lab/measure/merged.h"
#include "lab/measure/reader.h"
#include "lab/measure/results.h"
#include "orchlab/run_lock.h"
#include "orchlab/run_one.h"
#include "orchlab/run_plan.h"
#include "process/wallclock.h"

#define NS_PER_S INT64_C(1000000000)

/* Returns whether the file 'path' has a run in 'state'. */
static bool
has_state(const char *path, enum results_state state)
{
    struct reader *reader;
    bool has;

    if (reader_open(path, &reader, NULL)) {
        return false;
    }
    has = strcmp(reader_run(reader)->state, results_state_name(state)) == 0;
    reader_close(reader);
    return has;
}

/* Adds a row for a run that left no results. */
static enum st
add_failed(struct merged *merged, const struct run_plan *plan, size_t number,
           struct arena *arena, const struct run_outcome *outcome,
           int64_t *place, struct err *err)
{
    struct scenario *scenario = arena_alloc(arena, 1, sizeof *scenario);
    struct merged_param *params;
    char started[WALLCLOCK_SIZE];
    struct results_about about = {
        .key = outcome->key, .version = PACKAGE_VERSION, .started = started};
    size_t n = 0;
    enum st st = run_plan_parse(plan, number, arena, scenario, err);

    if (st) {
        return st;
    }
    wallclock_format((int64_t)time(NULL) * NS_PER_S, started);
    about.name = scenario->name;
    about.scenario = scenario->text;
    about.path = scenario->file;
    about.seed = scenario->run.seed;
    about.stop_ps = scenario->stop_ps;
    params = arena_alloc(arena, scenario->run.n_parameters + 1, sizeof *params);
    for (; n < scenario->run.n_parameters; n++) {
        params[n] = (struct merged_param){scenario->run.parameters[n].path,
                                          scenario->run.parameters[n].value};
    }
    if (*scenario->run.variant) {
        params[n++] = (struct merged_param){"variant", scenario->run.variant};
    }
    return merged_add_failed(merged, &about, params, n, outcome->failure.reason,
                             place, err);
}

/* Moves the results, while no other process carries out this run or moves them,
 * too: that has been done then. */
static enum st
move(struct merged *merged, const struct run_outcome *outcome, int64_t *place,
     struct err *err)
{
    struct run_lock *lock;
    bool waited;
    enum st st = run_lock_take(outcome->path, &lock, &waited, err);

    if (st) {
        return st;
    }
    st = merged_add(merged, outcome->path, place, err);
    if (!st) {
        (void)unlink(outcome->path);
    } else if (st == ST_NOT_FOUND) {
        *place = merged_find(outcome->merged, outcome->key);
        st = *place ? ST_OK : st;
    }
    run_lock_give(lock);
    return st;
}

enum st
run_gather(struct merged **merged, const struct run_plan *plan, size_t number,
           struct arena *arena, struct run_outcome *outcome, struct err *err)
{
    const bool has_failed = outcome->state == RESULTS_FAILED;
    size_t length;
    const bool is_single = !reader_split_path(outcome->path, &length);
    struct text path = {0};
    int64_t place = 0;
    enum st st = ST_OK;

    if ((outcome->state != RESULTS_COMPLETE && !has_failed) || !is_single) {
        return ST_OK;
    }
    if (!*merged) {
        st = merged_open(outcome->merged, merged, err);
    }
    if (!st && has_failed && !has_state(outcome->path, RESULTS_FAILED)) {
        st = add_failed(*merged, plan, number, arena, outcome, &place, err);
    } else if (!st) {
        st = move(*merged, outcome, &place, err);
    }
    if (!st) {
        text_addf(&path, "%s#%lld", outcome->merged, (long long)place);
        outcome->path = arena_strdup(arena, text_string(&path));
        text_fini(&path);
    }
    return st;
}
