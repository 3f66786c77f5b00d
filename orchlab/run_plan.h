/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_PLAN_H
#define ORCHD_ORCHLAB_RUN_PLAN_H

/* The runs that "orchlab run" carries out: a file, the values that the command
 * line puts into it, and the choice among the runs.
 *
 * A value of the command line that is wrong is named by its option, other
 * mistakes by their place in the file. */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"
#include "lab/builder/experiment.h"
#include "lab/scenario/nic_files.h"
#include "lab/scenario/scenario.h"

struct arena;

struct run_plan {
    struct arena *arena;
    struct nic_files nics;
    struct scenario_input input;
    struct scenario_plan plan;
    size_t *chosen; /* Numbers of runs, ascending. */
    size_t n_chosen;
};

/* What the command line says about a plan; NULL: nothing. */
struct run_plan_options {
    const json_t *sets; /* Array of "PATH=VALUE". */
    const char *seed;
    const char *only; /* The number of a run, a variant, or a label. */
    const char *nics; /* The folder of the files of adapters; not NULL. */
};

/* Reads the file 'path' into '*plan' and parses each chosen run once.
 * ST_INVALID: the file or an option is wrong; ST_IO, ST_NOT_FOUND: the file
 * cannot be read.  End with run_plan_fini(), also after a failure. */
enum st run_plan_read(const char *path, const struct run_plan_options *options,
                      struct run_plan *plan, struct err *err) ST_WARN_UNUSED;
void run_plan_fini(struct run_plan *plan);

/* Parse run 'number'; load it with all its names resolved.  Both allocate from
 * 'arena'. */
enum st run_plan_parse(const struct run_plan *plan, size_t number,
                       struct arena *arena, struct scenario *scenario,
                       struct err *err) ST_WARN_UNUSED;
enum st run_plan_load(const struct run_plan *plan, size_t number,
                      struct arena *arena, struct experiment *experiment,
                      struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_plan.h */
