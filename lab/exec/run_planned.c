/* SPDX-License-Identifier: Apache-2.0 */

/* What a scenario plans, and whether all of it has happened when the run is
 * over.
 *
 * The parser compares times with 'stop'.  Only the run knows when its traffic
 * is complete, which ends it before ('stop_when_done').  A fault that
 * begins later would be missing in the results without a word. */

#include <config.h>

#include "lab/exec/run.h"
#include "lab/exec/run_state.h"
#include "lab/exec/run_storage.h"

/* Finds something that has not happened yet: returns what it has not done, and
 * its place in '*place'; NULL if there is nothing. */
static const char *
find_pending(const struct run *run, const struct scenario_place **place)
{
    const struct scenario *scenario = run->scenario;
    const struct restart_spec *restart = run_restarts_pending(run);

    for (size_t i = 0; i < scenario->n_faults; i++) {
        if (run->faults[i].start_ps > run_now(run)) {
            *place = &run->faults[i].spec->place;
            return "this fault begins";
        }
    }
    if (restart) {
        *place = &restart->place;
        return "this restart is over";
    }
    if (run_repairs_pending(run)) {
        *place = &run_repairs_pending(run)->place;
        return "this repair is over";
    }
    if (run->drift && scenario->drift.audit_ps > run_now(run)) {
        *place = &scenario->drift.place;
        return "the audit of 'drift'";
    }
    *place = &scenario->rollout.place;
    return run_rollout_is_pending(run) ? "the rollout is over" : NULL;
}

enum st
run_planned_check(const struct run *run, struct err *err)
{
    const struct scenario_place *place;
    const char *pending = find_pending(run, &place);
    enum st st;

    if (!pending) {
        return ST_OK;
    }
    st = scenario_fail(run->scenario, place, err,
                       "the run ends at %.3f us, when its traffic is complete, "
                       "before %s",
                       (double)run_now(run) / 1e6, pending);
    err_set_remedy(err, "set 'stop_when_done: false', which lets the run last "
                        "until 'stop', or let the traffic last longer");
    return st;
}
