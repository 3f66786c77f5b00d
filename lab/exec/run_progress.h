/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_EXEC_RUN_PROGRESS_H
#define ORCHD_LAB_EXEC_RUN_PROGRESS_H

/* How far a run is, and why it stands. */

#include <stdint.h>

/* Why run_until() returned. */
enum run_state {
    RUN_RUNNING, /* The time given is reached; there is more. */
    RUN_STOPPED, /* The scenario's 'stop', or nothing is left to happen. */
    RUN_BROKEN,  /* A break condition holds; run_break_reason() says which. */
    RUN_INTERRUPTED, /* run_interrupt(). */
    RUN_FAILED,      /* A change of the fabric was refused, or the traffic is
                      * complete before something planned: run_failure(). */
};

/* How far a run is. */
struct run_progress {
    int64_t now_ps;
    int64_t stop_ps;
    uint64_t hops; /* Frames that have crossed a link, ACK and CNP included. */
    uint64_t drops;
    uint64_t pauses; /* Started. */
    uint64_t marks;
    uint64_t skipped, lost; /* Messages, as in struct sink_flow. */
    uint32_t flows, flows_done;
};

#endif /* lab/exec/run_progress.h */
