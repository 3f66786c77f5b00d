/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_EXECUTOR_H
#define ORCHD_COMMAND_EXECUTOR_H

/* Carries out runs in processes of their own, several at a time: "orchlab run
 * --executor", "orchctl breakpoint run --executor".  GNU parallel starts them,
 * here or over ssh, or Slurm as an array of jobs.
 *
 * Each run is one command that ends in its number, "orchlab run FILE --only
 * NUMBER".  What counts is what it leaves in the folder of results, so a
 * command that was killed, with any of its processes, is given again: it must
 * not repeat what is complete, and has to be right if a run goes on elsewhere.
 * Beside the results, in the folder "NAME-runs", are the commands ("commands",
 * one a line) and a line for each run that has ended ("ended"); it is removed
 * at the end.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/status.h"

struct arena;

enum executor_kind {
    EXECUTOR_NONE,
    EXECUTOR_LOCAL,
    EXECUTOR_SSH,
    EXECUTOR_SLURM
};

/* Where runs are carried out. */
struct executor {
    enum executor_kind kind;
    const char *jobs;  /* At a time on each machine; NULL: one per processor. */
    const char *hosts; /* SSH: as option -S of parallel, or a file of them. */
    const char *partition; /* SLURM; NULL: the default one. */
};

/* Parses "local", "local:JOBS", "ssh:HOSTS", "slurm" or "slurm:PARTITION" into
 * '*executor', whose texts are from 'arena'.  ST_INVALID: it is none of these.
 */
enum st executor_parse(const char *text, struct arena *arena,
                       struct executor *executor,
                       struct err *err) ST_WARN_UNUSED;

/* What is to be carried out. */
struct executor_task {
    const char *folder; /* Of results; is there. */
    const char *name;   /* Of the scenario. */
    /* The command of a run without its number, NULL-terminated, with absolute
     * paths.  It reports to standard error what keeps it from a result. */
    const char *const *command;
    const size_t *numbers; /* Of the runs. */
    size_t n;
    unsigned int ranks; /* Processes of each run, which 'command' starts. */
    FILE *progress;     /* A line at most once a second; NULL: none. */
};

/* How the process of a run has ended. */
struct executor_end {
    bool ended;         /* Else it never said so: it was killed. */
    int code;           /* Its exit code. */
    const char *host;   /* Where. */
    const char *reason; /* What it said last on standard error; "": nothing. */
};

/* Carries out all runs and stores an end for each in '*ends', in the order of
 * 'numbers', from 'arena'.  ST_NOT_FOUND: parallel or sbatch is not installed;
 * ST_EXISTS: another command carries out runs of that scenario into that
 * folder; ST_IO: a file cannot be written, or parallel or sbatch has failed or
 * was killed.  What
 * was carried out until then is in the folder. */
enum st executor_carry_out(const struct executor *executor,
                           const struct executor_task *task,
                           struct arena *arena, struct executor_end **ends,
                           struct err *err) ST_WARN_UNUSED;

#endif /* command/executor.h */
