/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_RANKS_H
#define ORCHD_ORCHLAB_RANKS_H

/* "mpirun -n N orchlab run": N processes that share a run.
 *
 * Only rank 0 prints, records and judges.  What can fail on one rank alone is
 * agreed on by ranks_agree(), so that all of them stop at the same place. */

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

struct communicator;

/* Joins the other ranks if a launcher of MPI has started several, and stores
 * how to reach them in '*comm', else NULL.  From then on another process
 * watches this one, and reports its rank if it dies.  A process with a proxy of
 * them (lab/exec/proxy.h) joins that.  Fails as launch_start()
 * (lab/exec/launch.h) and proxy_open() do. */
enum st ranks_join(struct communicator **comm, struct err *err) ST_WARN_UNUSED;

/* Leaves them, when all have printed what they have to say; NULL: there are
 * none.  Called by all. */
void ranks_leave(struct communicator *comm);

/* Passes SIGINT and SIGTERM on to 'pid', a child that has the run of this rank.
 * 0: it has ended, and they have no effect, as this process is about to end,
 * too; one that comes late at this rank must not disturb the others. */
void ranks_pass_signals(pid_t pid);

/* Reports that 'pid', a child that had the run of this rank, has ended with
 * 'status' (waitpid(2)) before it was done, and ends all ranks. */
_Noreturn void ranks_lose(struct communicator *comm, pid_t pid, int status);

/* Returns whether this rank speaks for all. */
bool ranks_leads(const struct communicator *comm);

/* Returns ST_OK if 'st' is that on all ranks.  Else the first rank that has
 * failed keeps its error, and others get one that says so. */
enum st ranks_agree(struct communicator *comm, enum st st,
                    struct err *err) ST_WARN_UNUSED;

/* Returns whether 'err' needs no message here: another rank reports it, and
 * rank 0 says which. */
bool ranks_is_silent(const struct communicator *comm, const struct err *err);

/* Returns what rank 0 calls it with. */
bool ranks_follow(struct communicator *comm, bool value);

#endif /* orchlab/ranks.h */
