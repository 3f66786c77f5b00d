/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RUN_FILES_H
#define ORCHD_ORCHCTL_RUN_FILES_H

/* The files that "breakpoint run" makes, as its options name them:
 *
 *   --results     results of all cases (orchctl/result_files.h)
 *   --trace-file  a trace for each case (orchctl/trace_file.h), which the run
 *                 itself writes
 *   --plot        a picture of the results, or of the trace of a single case
 *                 (orchctl/sweep_plot.h)
 *   --save        snapshots (orchctl/run_report.h), which the run itself writes
 *
 * Check first what can be checked before a long run; then open the files, run
 * the cases, and end the files with the results.
 *
 * Functions that return an int print errors, and return the exit code:
 * CONTROL_DONE, or what orchctl ends with. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

struct invocation;
struct result_files;

/* Checks --save and --trace-file. */
int run_files_check(const struct invocation *invocation);

/* Checks the options of --plot for 'n_cases'. */
int run_files_check_plot(const struct invocation *invocation, size_t n_cases);

/* Creates the files of --results.  End them with run_files_end(). */
int run_files_open(const struct invocation *invocation,
                   struct result_files **files);

/* Writes and closes 'files', and draws the picture.  If it 'prints', names the
 * files and the traces of 'n_cases'.  'results' (orchctl/case_runner.h) may be
 * NULL. */
int run_files_end(const struct invocation *invocation,
                  struct result_files *files, const json_t *results,
                  size_t n_cases, bool prints);

/* Draws the picture of --plot; not from a trace unless there 'is_trace': a
 * scenario that is skipped has none. */
int run_files_draw(const struct invocation *invocation, bool is_trace);

#endif /* orchctl/run_files.h */
