/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_REPORT_H
#define ORCHD_ORCHLAB_RUN_REPORT_H

/* Prints what "orchlab run" has found: for people, or as JSON. */

#include <jansson.h>

#include "lab/exec/judge.h"
#include "lab/scenario/scenario.h"
#include "orchlab/run_one.h"

/* Prints a run: how it ended, its verdicts and hash.  'n' is the number of runs
 * that are carried out; of several, a line each and what has failed. */
void run_report_print(const char *name, const struct scenario_run *run,
                      const struct run_outcome *outcome, size_t n);

/* Prints the verdicts across runs, if there are any. */
void run_report_print_across(const struct judge_serieses *serieses);

/* Prints the runs of a plan as a table. */
void run_report_print_plan(const struct scenario_plan *plan,
                           const size_t *chosen, size_t n);

/* Return the same as JSON; the reference in docs lists the members. */
json_t *run_report_json(const struct scenario_run *run,
                        const struct run_outcome *outcome);
json_t *run_report_across_json(const struct judge_serieses *serieses);
json_t *run_report_plan_json(const struct scenario_plan *plan,
                             const size_t *chosen, size_t n);

#endif /* orchlab/run_report.h */
