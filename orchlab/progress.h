/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_PROGRESS_H
#define ORCHD_ORCHLAB_PROGRESS_H

/* How far a run is, as a line for people or for programs. */

#include <stddef.h>
#include <stdint.h>

#include "lab/exec/run.h"

/* The state of a run at some real time. */
struct progress {
    int64_t wall_ns; /* Since the run began. */
    struct run_progress run;
};

enum { PROGRESS_SIZE = 256 };

/* Writes "1.5 ms of 6 ms, 25 %, 4.61 Mhops/s, ETA 0:12, 0 drops, 3 pauses" into
 * 'buffer' and returns it.  The rate of hops is that since 'before', the ETA
 * follows from virtual time and real time of the whole run; both are left out
 * while they are unknown. */
const char *progress_text(const struct progress *before,
                          const struct progress *now,
                          char buffer[PROGRESS_SIZE]);

/* The same as a JSON object in one line: wall_ns, virtual_ps, stop_ps, hops,
 * hops_per_s, eta_s, drops, pauses, marks, flows, flows_done. */
const char *progress_json(const struct progress *before,
                          const struct progress *now,
                          char buffer[PROGRESS_SIZE]);

#endif /* orchlab/progress.h */
