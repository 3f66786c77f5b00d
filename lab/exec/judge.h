/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_JUDGE_H
#define ORCHD_LAB_EXEC_JUDGE_H

/* Judges runs: the lines of 'expect:' become verdicts.
 *
 * A verdict follows from the results file of a run alone, so a run can be
 * judged while its file is open for writing (after results_progress()), and
 * again later.  Lines with 'across' compare several runs and are judged by
 * judge_across(); judge_run() leaves them out. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "lab/measure/verdict.h"
#include "lab/scenario/scenario.h"

struct arena;
struct reader; /* lab/measure/reader.h */
struct sink;

/* A scenario_metric_fn that knows the metrics of results files. */
enum st judge_metric(const char *text, enum quantity_kind *kind,
                     struct err *err) ST_WARN_UNUSED;

/* A line of 'expect:' and its verdict. */
struct judgement {
    const struct expect_spec *expect; /* Borrowed from the scenario. */
    struct verdict verdict;
};

struct judgements {
    struct judgement *list; /* In the order of the file. */
    size_t n;
    size_t n_failed; /* Without those that are only reported. */
};

/* Judges the run in 'reader' by 'scenario' into '*judgements', from 'arena'.
 * ST_INVALID: a metric of the scenario is wrong ("file:line:column: ...");
 * ST_IO: the results cannot be read. */
enum st judge_run(const struct scenario *scenario, struct reader *reader,
                  struct arena *arena, struct judgements *judgements,
                  struct err *err) ST_WARN_UNUSED;

/* Records all of 'judgements' through 'sink'. */
void judge_record(const struct judgements *judgements, const struct sink *sink);

/* A finished run of a plan. */
struct judge_file {
    const struct scenario_run *run;
    const char *path; /* Of its results; NULL: there are none. */
};

/* A line with 'across' for runs that differ in its parameter only. */
struct judge_series {
    const struct expect_spec *expect;
    const char *label; /* What these runs have in common; "" if nothing is
                        * varied besides. */
    struct verdict verdict;
};

struct judge_serieses {
    struct judge_series *list;
    size_t n;
    size_t n_failed;     /* Without those that are only reported. */
    size_t n_incomplete; /* Not judged: a run of the order has no results. */
};

/* Judges the lines with 'across' of 'scenario' over those of the 'n' runs that
 * are like its own in everything but the parameter; the scenario has to be that
 * of a run with the first value of the order.  Adds to '*serieses', from
 * 'arena'.  Lines that begin with another value are left out, so that a caller
 * that passes the scenario of each run judges each series once.  Fails as
 * judge_run(). */
enum st judge_across(const struct scenario *scenario,
                     const struct judge_file *files, size_t n,
                     struct arena *arena, struct judge_serieses *serieses,
                     struct err *err) ST_WARN_UNUSED;

#endif /* lab/exec/judge.h */
