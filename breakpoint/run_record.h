/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_RUN_RECORD_H
#define ORCHD_BREAKPOINT_RUN_RECORD_H

/* What a target has reported in a run (breakpoint/runner.h): the frames that
 * left each port that claims are about, and snapshots, which keep the counters
 * and the frames of their moment under a name.  From these the values of claims
 * are computed. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/frame_log.h"
#include "breakpoint/scenario.h"
#include "breakpoint/target.h"

struct arena;

struct run_snapshot {
    const char *name;                      /* By which claims refer to it. */
    const struct target_reading *readings; /* One per object, in order. */
    struct frame_log *frame_logs;          /* One per rx_port, in order. */
};

/* The members are private. */
struct run_record {
    const struct scenario *scenario;
    struct target *target;
    struct arena *arena;
    struct run_snapshot *snapshots; /* In the arena; room for one per step. */
    size_t n_snapshots;
    struct frame_log *frame_logs; /* One per rx_port. */
};

/* Makes an empty record, sized by 'scenario'.  All arguments are borrowed;
 * readings live in 'arena'. */
void run_record_init(struct run_record *record, const struct scenario *scenario,
                     struct target *target, struct arena *arena);

/* Frees what is not in the arena. */
void run_record_fini(struct run_record *record);

/* Starts the traces that claims about the order or the headers of frames need.
 * ST_UNSUPPORTED: the target has none. */
enum st run_record_trace(struct run_record *record,
                         struct err *err) ST_WARN_UNUSED;

/* Reads all objects of the scenario, and stores their counters, in order. */
enum st run_record_read(struct run_record *record,
                        const struct target_reading **readings,
                        struct err *err) ST_WARN_UNUSED;

/* Fetches the frames that left the ports since the last call; adds them to the
 * logs if 'counts', else discards them. */
enum st run_record_receive(struct run_record *record, bool counts,
                           struct err *err) ST_WARN_UNUSED;

/* Keeps 'readings' and the frames so far as snapshot 'name' (borrowed). */
void run_record_keep(struct run_record *record, const char *name,
                     const struct target_reading *readings);

/* Returns snapshot 'name', which an earlier step has taken. */
const struct run_snapshot *run_record_snapshot(const struct run_record *record,
                                               const char *name);

/* Computes the value of 'claim' from 'readings' and its snapshots, as a signed
 * number.  A counter that does not fit (an absent limit) is the largest signed
 * number.  ST_INVALID: the object has no such counter; 'err' lists those that
 * it has. */
enum st run_record_value(const struct run_record *record,
                         const struct claim *claim,
                         const struct target_reading *readings, int64_t *value,
                         struct err *err) ST_WARN_UNUSED;

/* Returns the value of 'claim', as frame_log_value(), for the frames so far. */
int64_t run_record_rx_value(const struct run_record *record,
                            const struct rx_claim *claim);

#endif /* breakpoint/run_record.h */
