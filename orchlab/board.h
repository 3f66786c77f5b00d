/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_BOARD_H
#define ORCHD_ORCHLAB_BOARD_H

/* What the runs of a scenario file have come to, from results that exist.
 *
 * Results belong to a run of the file if they have the same name and the same
 * scenario, so those of an earlier version of the file do not count.  Of
 * several results of one run the newest count.  Verdicts are those that were
 * recorded with the run; lines with 'across' are judged again. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "lab/measure/metric.h"
#include "lab/scenario/scenario.h"
#include "orchlab/run_plan.h"

struct run_files;

/* A line of 'expect:' over all runs that have results. */
struct board_line {
    const char *text;       /* As in the file. */
    bool is_reported;       /* Only reported: the file does not fail by it. */
    size_t n, passed;       /* Verdicts. */
    bool is_known;          /* There are values. */
    double least, greatest; /* With an oracle: relative deviations. */
    enum metric_unit unit;
    const char *target; /* What it asks for. */
};

struct board {
    struct run_plan plan;
    struct scenario scenario; /* Of the first run. */
    size_t n_runs, n_complete;
    const char **paths;       /* Results of complete runs: 'n_complete'. */
    struct board_line *lines; /* By number; 'n' is 0 without a verdict. */
    size_t n_lines;
    size_t n_failed, n_deviating; /* Lines that some verdict failed; those that
                                   * are only reported are deviating. */
};

/* Reads the scenario 'path', whose adapters are files of the folder 'nics', and
 * what is in 'files' about it into '*board'; of
 * one that is of another row than 'row' (NULL: any) only the first run.  End
 * with board_fini(), also after a failure.  ST_INVALID: the file is wrong;
 * others: it cannot be read, or results cannot. */
enum st board_read(const char *path, const char *nics,
                   const struct run_files *files, const char *row,
                   struct board *board, struct err *err) ST_WARN_UNUSED;
void board_fini(struct board *board);

/* X(member, name).  How a scenario stands. */
#define BOARD_STATES(X)                                                        \
    X(NOT_RUN, "not-run")                                                      \
    X(FAILED, "FAIL")                                                          \
    X(DEVIATING, "deviates") /* All that is required holds, and all runs are   \
                              * there; not what is reported. */                \
    X(PARTIAL, "partial")    /* So does what was run. */                       \
    X(PASSED, "pass")

enum board_state {
#define X(member, name) BOARD_##member,
    BOARD_STATES(X)
#undef X
};

enum board_state board_state(const struct board *board);
const char *board_state_name(enum board_state state);

#endif /* orchlab/board.h */
