/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RUN_REPORT_H
#define ORCHD_ORCHCTL_RUN_REPORT_H

/* What a run of a breakpoint scenario looks like: to people, one line per step
 * with what was seen, and at a failure all that explains it; to programs, one
 * JSON object with the same facts. */

#include <jansson.h>
#include <stdbool.h>

#include "breakpoint/runner.h"

struct target_reading;

/* How a run is told as text.  The rest is private. */
struct run_report {
    bool traces;      /* Tell what each step has changed. */
    const char *save; /* Directory for snapshots; NULL: they are not kept. */

    const struct target_reading *before; /* The readings told last. */
};

/* Returns a listener that prints a run as text, as 'report' says, which has to
 * stay where it is. */
struct run_listener run_report_text(struct run_report *report);

/* Returns a listener that appends each run to the array 'runs', borrowed. */
struct run_listener run_report_json(json_t *runs);

/* Returns the name of 'outcome', for example "passed". */
const char *run_report_outcome(enum run_outcome outcome);

/* Returns the outcome that a run as JSON had; "skipped" counts as passed. */
enum run_outcome run_report_outcome_of(const json_t *run);

/* Returns whether 'run' was not to be run. */
bool run_report_is_skipped(const json_t *run);

#endif /* orchctl/run_report.h */
