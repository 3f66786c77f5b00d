/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RUN_REPORT_H
#define ORCHD_ORCHCTL_RUN_REPORT_H

/* Reports a run of a breakpoint scenario: for people as text, one line per step
 * with its result and details of failures; for programs as a JSON object with
 * the same facts. */

#include <jansson.h>
#include <stdbool.h>

#include "base/status.h"
#include "breakpoint/runner.h"

struct bench;
struct target_reading;

/* Options of the text report.  The rest is private. */
struct run_report {
    bool traces;        /* Print the changes of each step. */
    const char *save;   /* Directory for snapshots; NULL: do not write them. */
    struct err unsaved; /* Why a snapshot was not written; else no status. */

    const struct target_reading *before; /* The readings printed last. */
};

/* Returns a listener that prints a run as text with the options in 'report',
 * which must not move. */
struct run_listener run_report_text(struct run_report *report);

/* Where the JSON report puts runs, and whose time it notes with snapshots. */
struct run_report_list {
    json_t *runs; /* An array. */
    struct bench *bench;
};

/* Returns a listener that appends each run to 'list', borrowed. */
struct run_listener run_report_json(struct run_report_list *list);

/* Returns the name of 'outcome', for example "passed". */
const char *run_report_outcome(enum run_outcome outcome);

/* Returns the outcome of a run in JSON; "skipped" counts as passed. */
enum run_outcome run_report_outcome_of(const json_t *run);

/* Returns whether 'run' was skipped. */
bool run_report_is_skipped(const json_t *run);

#endif /* orchctl/run_report.h */
