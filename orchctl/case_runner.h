/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CASE_RUNNER_H
#define ORCHD_ORCHCTL_CASE_RUNNER_H

/* Runs the cases of a list, in this process or in several, and collects the
 * results.
 *
 * The result of a case is a JSON object: "name", "file", "outcome" (of enum
 * run_outcome, or "skipped"), "steps" (run_report.h), "milliseconds", "reason"
 * if it could not be loaded, and "text": the output for people; for a point of
 * a sweep also "params" and "repetition", and with a simulated switch "time_ps"
 * and "packets"; "trace" if there is a trace file of it. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "breakpoint/runner.h"

struct bench;
struct case_list;
struct case_list_item;
struct case_store;

struct case_runner_options {
    /* Creates a bench.  Returns NULL, and prints the reason to stderr, if that
     * fails.  'context' is passed to both functions. */
    struct bench *(*open)(void *context);
    void (*close)(void *context, struct bench *bench);
    void *context;

    unsigned int n_jobs; /* Processes; at least 1. */
    bool streams;        /* Print output immediately, do not capture it. */
    bool traces;         /* Print the changes of each step. */
    const char *save;    /* Directory for snapshots; NULL: none. */

    /* The file of --trace-file, or of several cases what their names are made
     * from (trace_file.h); NULL: none.  Only for a bench that traces. */
    const char *trace_file;

    /* Where results are kept; cases whose result is there are not run again.
     * NULL: nowhere. */
    struct case_store *store;

    /* Called with each result as soon as it is available, in the order of the
     * cases within one process.  May be NULL. */
    void (*done)(void *context, const json_t *result);
    void *done_context;

    /* Called after each case, in any order, with the number of cases that have
     * ended.  May be NULL. */
    void (*progress)(void *context, size_t n_ended);
    void *progress_context;
};

/* Returns the monotonic time in milliseconds. */
double case_runner_clock_ms(void);

/* Returns the result of a case that has not run because of 'reason'. */
json_t *case_runner_not_run(const struct case_list_item *one,
                            enum run_outcome outcome, const char *reason);

/* Returns the worst outcome in a list of results. */
enum run_outcome case_runner_worst(const json_t *results);

/* Runs all cases of 'cases'; stores a list of their results, in order, in
 * '*results', which the caller releases.  Returns the worst outcome.  Unless
 * 'options' streams, SIGINT or SIGTERM lets the cases that run end and leaves
 * the others out: the list is shorter then, and stop_signal_came(). */
enum run_outcome case_runner_run(const struct case_list *cases,
                                 const struct case_runner_options *options,
                                 json_t **results);

#endif /* orchctl/case_runner.h */
