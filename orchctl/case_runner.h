/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CASE_RUNNER_H
#define ORCHD_ORCHCTL_CASE_RUNNER_H

/* Runs the cases of a list, in this process or in several, and gathers what
 * came of them.
 *
 * The result of a case is a JSON object: "name", "file", "outcome" (of struct
 * run_outcome, or "skipped"), "steps" (report.h), "milliseconds", "reason" if
 * it could not be loaded, and "text": all that a person would have read of it.
 */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "breakpoint/runner.h"

struct bench;
struct case_list;

struct case_runner_options {
    /* Makes a bench; NULL if that fails, which it says on stderr.  'context' is
     * for both. */
    struct bench *(*open)(void *context);
    void (*close)(void *context, struct bench *bench);
    void *context;

    unsigned int n_jobs; /* Processes; at least 1. */
    bool streams;        /* Print text as it comes, and do not keep it. */
    bool traces;         /* Tell the state after each step. */
    const char *save;    /* Directory for snapshots; NULL: none. */

    /* Told of each result when it is there, in the order of the cases as far
     * as one process runs them.  May be NULL. */
    void (*done)(void *context, const json_t *result);
    void *done_context;
};

/* Returns the time in milliseconds, from whenever it is counted. */
double case_runner_clock_ms(void);

/* Runs all cases of 'cases'; stores a list of their results, in order, in
 * '*results', which the caller releases.  Returns the worst outcome. */
enum run_outcome case_runner_run(const struct case_list *cases,
                                 const struct case_runner_options *options,
                                 json_t **results);

#endif /* orchctl/case_runner.h */
