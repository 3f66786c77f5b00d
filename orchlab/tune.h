/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_TUNE_H
#define ORCHD_ORCHLAB_TUNE_H

/* "orchlab tune": which values of ECN, headroom or alpha suit a fabric and its
 * loads.
 *
 * Stage 1 forecasts a grid of values by theory, the fluid model of DCQCN or the
 * depth at which PFC fires (tune_grid.c).  Stage 2 runs the loads with the
 * values of the best forecasts and with the present ones (tune_runs.c).  Stage
 * 3 runs loads that nothing was chosen by, with the best of stage 2; the first
 * that holds there is recommended (tune_choice.c).  Files of the question are
 * these and tune_loads.c (the scenarios of the runs), tune_rows.c (values as
 * rows of CONFIG_DB) and tune_report.c. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/status.h"
#include "base/text.h"
#include "lab/fluid/dcqcn_fluid.h"
#include "orchlab/run_folders.h"
#include "orchlab/run_one.h"

struct invocation;
struct tune;

enum {
    TUNE_ARENA = 1 << 16,
    TUNE_ROLES_MAX = 16,
    TUNE_LOADS_MAX = 8,
    TUNE_VALUES = 3,     /* Of a candidate, at most. */
    TUNE_GRID_MAX = 512, /* Candidates of stage 1. */
    TUNE_TRIED_MAX = 64, /* And of stage 2. */
};

/* What a run has come to. */
struct tune_outcome {
    double p99_s; /* Of messages; INFINITY: none has ended. */
    double goodput_bps;
    double paused_s;
    double dropped;
};

/* Values of the question, and what is known of them. */
struct tune_candidate {
    char name[16];              /* "present", "c12". */
    double values[TUNE_VALUES]; /* In the order of the question. */
    json_t *rows;               /* By role: those that differ. */
    /* Stage 1.  'done' is the completion of an incast in units of the ideal,
     * the geometric mean over several numbers of senders. */
    bool is_forecast;
    double done;
    double queue_bytes; /* Mean; the longest of them. */
    double paused_s;
    bool is_stable; /* All of them. */
    /* Stages 2 and 3: by load. */
    struct tune_outcome outcomes[TUNE_LOADS_MAX];
    /* The p99 by that of the present values, the geometric mean over the loads
     * of stage 2; likewise the goodput, of the worst load; and the sum of
     * pauses. */
    double p99_ratio, goodput_ratio, paused_sum_s;
    bool is_equal;    /* No less goodput, no more drops than at present. */
    bool is_on_front; /* Nothing tried is better in all three. */
    /* Stage 3: the same, of its loads; 0: not tried there. */
    double unseen_p99_ratio, unseen_goodput_ratio;
};

/* A scenario whose traffic is run. */
struct tune_load {
    const char *name;
    const char *file; /* NULL: the storage-like load of the lab. */
    bool is_unseen;   /* Of stage 3. */
    const char *text; /* The scenario of its runs, without variants. */
    const char *path; /* Where it is written. */
    double stop_s;
};

/* A kind of values: "ecn". */
struct tune_question {
    const char *name;
    size_t n_values;
    const char *value_names[TUNE_VALUES];
    /* Fills 'tune->candidates[0]' with the present values and the others with
     * a grid; forecasts them. */
    enum st (*make_grid)(struct tune *tune, struct err *err);
    /* Adds the rows of 'candidate' for role number 'role'. */
    void (*add_rows)(const struct tune *tune, size_t role,
                     struct tune_candidate *candidate);
    /* Writes the values for people. */
    void (*say)(const double values[], struct text *text);
};

struct tune {
    const struct invocation *invocation;
    const struct tune_question *question;
    struct run_manner manner;
    struct run_folders folders;
    struct arena *arena;

    /* The fabric: of the first switch of each role. */
    const char *roles[TUNE_ROLES_MAX];
    json_t *configs[TUNE_ROLES_MAX];
    uint64_t shared_bytes[TUNE_ROLES_MAX]; /* Of pools with headroom. */
    uint64_t
        headroom_bytes[TUNE_ROLES_MAX]; /* A PG of its longest link needs. */
    size_t n_roles;
    struct dcqcn_loop loop;
    bool has_loop; /* DCQCN decides how fast hosts send. */

    struct tune_load loads[TUNE_LOADS_MAX];
    size_t n_loads;

    struct tune_candidate *candidates; /* [0] has the present values. */
    size_t n_candidates;
    size_t n_tried;   /* Of stage 2: the first of them. */
    size_t chosen;    /* 0: the present values stay. */
    struct text note; /* More sentences. */
};

/* Read the files of the command line, make the scenarios of the loads, and look
 * at the switches.  Fails as run_plan_read() and run_create() do. */
enum st tune_loads_read(struct tune *tune, struct err *err) ST_WARN_UNUSED;

/* The questions; NULL behind the last. */
const struct tune_question *tune_question_at(size_t i);

/* Returns the row of 'table' that the question changes in the configuration of
 * role 'role', and its key in '*key': for WRED_PROFILE the first that marks,
 * for BUFFER_PROFILE the first with headroom, for BUFFER_POOL that of this;
 * NULL: none.  Borrowed. */
const json_t *tune_rows_find(const struct tune *tune, size_t role,
                             const char *table, const char **key);

/* Returns the depth of a queue at which PFC stops 'n' senders, the least over
 * all roles; INFINITY: no priority group is lossless. */
double tune_rows_pfc_bytes(const struct tune *tune, uint32_t n);

/* Orders the candidates by their forecasts, those of [1] and up, best first:
 * the ones that no other beats in all of completion, queue and pauses, then
 * those that only they beat, and so on.  Those of stage 2 are chosen from all
 * over the best.  Without forecasts the order stays. */
void tune_choice_order(struct tune *tune);

/* Compares what stage 2 has measured with the present values, finds the front,
 * and orders the tried candidates by their p99, the fit ones first. */
void tune_choice_judge(struct tune *tune);

/* Compares what stage 3 has measured of candidates 1 to 'n', and stores the
 * first that is better than the present values in 'chosen'. */
void tune_choice_confirm(struct tune *tune, size_t n);

/* Runs load 'load' with candidates 0 to 'n' - 1 and stores the outcomes.
 * ST_BUSY: interrupted; else fails as run_one() does. */
enum st tune_runs_carry_out(struct tune *tune, size_t load, size_t n,
                            struct err *err) ST_WARN_UNUSED;

/* Prints the answer: a table, a sentence and rows, or JSON; writes what --rows
 * and --output ask for. */
enum st tune_report(struct tune *tune, struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/tune.h */
