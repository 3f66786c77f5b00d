/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_LAUNCH_H
#define ORCHD_LAB_EXEC_LAUNCH_H

/* The ranks that a launcher of MPI has started: mpirun, or srun.
 *
 * There are two implementations: launch_mpi.c, and launch_none.c of a build
 * without MPI, whose launch_start() fails. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct arena;
struct communicator;
struct experiment;

/* Returns whether this build has MPI, and the name and version of the library,
 * "" without one. */
bool launch_is_built(void);
const char *launch_library(void);

/* Joins the other ranks, and stores how to reach them in '*comm'.  'n' is how
 * many ranks the launcher has announced.  ST_UNSUPPORTED: this build has no
 * MPI, or the launcher is of another one. */
enum st launch_start(uint32_t n, struct communicator **comm,
                     struct err *err) ST_WARN_UNUSED;

/* What this rank has exchanged with others, and how long it was in functions of
 * MPI, where it also waits for others. */
struct launch_stats {
    uint64_t windows; /* Exchanges with neighbors. */
    uint64_t bytes;   /* Sent to neighbors. */
    int64_t ns;
};

/* Stores what was exchanged since the last call. */
void launch_take_stats(struct communicator *comm, struct launch_stats *stats);

/* Leaves the other ranks, all of which call it; or, with a 'code' that is not
 * 0, ends the processes of all ranks with that code. */
void launch_end(struct communicator *comm, int code);

/* Divides the fabric of 'experiment' among the ranks, with METIS, and stores
 * the rank of each node in '*owners', in 'arena'; the same on all ranks.
 * Collective.  ST_INVALID: it has fewer nodes than there are ranks. */
enum st launch_divide(struct communicator *comm,
                      const struct experiment *experiment, struct arena *arena,
                      const uint32_t **owners, struct err *err) ST_WARN_UNUSED;

#endif /* lab/exec/launch.h */
