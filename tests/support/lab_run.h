/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_LAB_RUN_H
#define ORCHD_TESTS_SUPPORT_LAB_RUN_H

/* Runs of scenarios for tests: a scenario in a string, and what it reports.
 *
 * The functions end the process if a scenario is refused, except
 * lab_run_refuse(). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "lab/builder/experiment.h"
#include "lab/exec/run.h"
#include "lab/measure/result_hash.h"
#include "lab/measure/sink.h"

enum { LAB_RUN_REASONS = SINK_N_DROP_REASONS };

struct arena;
struct communicator;

/* One of several ranks of a run: how it reaches the others, and which of them
 * has each node, in 'arena'. */
struct lab_run_rank {
    struct communicator *comm;
    const uint32_t *(*owners)(void *context, const struct topology *topology,
                              struct arena *arena);
    void *context;
    uint32_t n_lanes; /* As in lab_run_create_lanes(); 0: what suits it. */
};

/* A run and what it has reported so far. */
struct lab_run {
    struct arena *arena;
    struct experiment experiment;
    struct run *run;
    struct sink sink;

    struct result_hash hash; /* Does not depend on the order of reports. */
    uint64_t sequence;       /* Does. */
    struct sink_flow *flows; /* By number. */
    uint32_t n_flows;        /* Reported. */
    struct sink_message *messages;
    size_t n_messages;
    struct sink_io *ios; /* Of disks, and their steps. */
    size_t n_ios;
    struct sink_span *spans;
    size_t n_spans;
    uint64_t drops[LAB_RUN_REASONS];
    uint64_t n_drops;
    /* If there was one; the first that a switch has asked for. */
    struct sink_pause first_pause, last_pause, first_switch_pause;
    uint64_t n_pauses, n_ended_pauses, n_pauses_by_hosts;
    struct sink_mark first_mark;
    uint64_t n_marks;
    uint64_t n_samples;
    int64_t late_ps; /* The sum is of samples from here on. */
    double late_sum;
    uint64_t n_late;
    char *log; /* What was changed or found, a line each; NULL: nothing. */
};

/* Creates run 0 of the scenario 'text'.  End with lab_run_destroy(). */
struct lab_run *lab_run_create(const char *text);
void lab_run_destroy(struct lab_run *lab);

/* Does the same for one rank; rank 0 gets the reports of all. */
struct lab_run *lab_run_create_rank(const char *text,
                                    const struct lab_run_rank *rank);

/* Does the same for a fabric that is divided into up to 'n_lanes' parts, which
 * take turns (run_options.lanes). */
struct lab_run *lab_run_create_lanes(const char *text, uint32_t n_lanes);

/* Ends the run, with reports of what still lasts. */
void lab_run_finish(struct lab_run *lab);

/* Runs the scenario to its end, in pieces of 'piece_ps' (0: one piece), and
 * ends it. */
void lab_run_all(struct lab_run *lab, int64_t piece_ps);

/* Destroys 'lab', which has reported one message, and returns the latency of
 * that.  It may not have been lost. */
int64_t lab_run_end_latency(struct lab_run *lab);

/* Returns counter 'name' of node 'node', of the run for SINK_NONE, among those
 * of restarts, repairs, rollouts, drift and storage; 0 if there is none. */
uint64_t lab_run_counter(const struct lab_run *lab, uint32_t node,
                         const char *name);

/* Runs the scenario 'text' and returns the hash of its results. */
uint64_t lab_run_hash(const char *text, int64_t piece_ps);

/* Stores why the scenario 'text' is refused in '*err'; ends the process if it
 * is not. */
void lab_run_refuse(const char *text, struct err *err);
void lab_run_refuse_rank(const char *text, const struct lab_run_rank *rank,
                         struct err *err);

#endif /* tests/support/lab_run.h */
