/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RUN_GATHER_H
#define ORCHD_ORCHLAB_RUN_GATHER_H

/* Moves the results of the runs of a scenario into one file, "NAME.sqlite" of
 * the folder (lab/measure/merged.h): "orchlab run --merge".  A file of a run is
 * removed when its rows are on the disk in the other one. */

#include <stddef.h>

#include "base/status.h"

struct arena;
struct merged;
struct run_outcome;
struct run_plan;

/* Moves the results of run 'number', which has ended as '*outcome' says, and
 * changes 'outcome->path', from 'arena', to where they are then.  A failed run
 * without results becomes a row with its reason; one that was interrupted or
 * changed stays a file of its own.  '*merged' is opened if it is NULL; the
 * caller closes it.  Fails as merged_open() and merged_add() do; the results
 * are where they were then. */
enum st run_gather(struct merged **merged, const struct run_plan *plan,
                   size_t number, struct arena *arena,
                   struct run_outcome *outcome, struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/run_gather.h */
