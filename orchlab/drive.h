/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_DRIVE_H
#define ORCHD_ORCHLAB_DRIVE_H

/* Drives a run: gives it virtual time in pieces, reports its progress, and
 * talks to the user while it stands still at a break.
 *
 * A piece is as long as takes about DRIVE_PIECE_NS of real time, so that Ctrl-C
 * and progress do not wait; the result does not depend on it.  At a break (or
 * with 'interactive' at the start) it reads commands, one per line:
 *
 *     continue [TIME]   run on, or up to a virtual time ("2ms")
 *     step [N]          run the next event, or N of them
 *     set WHAT          change a row of a switch, or a link: see run_set()
 *     break WHAT        add a break: a time, drop, pause, mark, flow N
 *     publish SWITCH    publish a switch in Redis, for SONiC tools and orchctl,
 *                       now and at later breaks; "off" ends that
 *     release           close the results file up to the next command, so that
 *                       it can be copied
 *     state             print the progress
 *     quit              end the run as interrupted; so does the end of input
 *
 * An error in a command is reported and the next one read. */

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"
#include "lab/exec/run.h"

#define DRIVE_PIECE_NS  INT64_C(50000000)
#define DRIVE_REPORT_NS INT64_C(1000000000)

/* The run: functions as those of lab/exec/run.h, with 'context' in place of the
 * run.  'set', 'publish', 'stand' and 'release' may be NULL: not possible,
 * nothing to do. */
struct drive_target {
    void *context;
    enum run_state (*until)(void *context, int64_t until_ps);
    enum run_state (*step)(void *context, uint64_t n);
    int64_t (*now_ps)(void *context);
    /* Looks at the whole fabric: called for reports and commands only. */
    void (*get_progress)(void *context, struct run_progress *progress);
    const char *(*break_reason)(void *context);
    enum st (*add_break)(void *context, const char *text, struct err *err);
    enum st (*set)(void *context, const char *text, struct err *err);
    enum st (*publish)(void *context, const char *name, struct err *err);
    /* Called when the run comes to a stand, before commands are read. */
    enum st (*stand)(void *context, struct err *err);
    /* Closes the results file after storing how far the run is in it, and opens
     * it again before anything else happens. */
    enum st (*release)(void *context, const struct run_progress *progress,
                       struct err *err);
    enum st (*reopen)(void *context, struct err *err);
    /* Stores how far the run is in the results file. */
    enum st (*save)(void *context, const struct run_progress *progress,
                    struct err *err);
};

struct drive_options {
    int64_t (*now_ns)(void *clock); /* Real time, from any start. */
    void *clock;
    FILE *progress;   /* NULL: no progress. */
    bool terminal;    /* Progress in one line that is overwritten, else JSON. */
    FILE *input;      /* Commands. */
    FILE *output;     /* Answers. */
    bool interactive; /* Read commands before the run starts. */
    int64_t piece_ps; /* The shortest piece of virtual time; 0: 1 ns. */
};

/* Drives 'target' to its end and stores how it ended in '*state': RUN_STOPPED,
 * RUN_INTERRUPTED or RUN_FAILED.  ST_IO: the results cannot be saved; the run
 * ends there.
 */
enum st drive(const struct drive_target *target,
              const struct drive_options *options, enum run_state *state,
              struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/drive.h */
