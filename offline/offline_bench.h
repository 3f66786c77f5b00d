/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_BENCH_H
#define ORCHD_OFFLINE_OFFLINE_BENCH_H

/* Runs breakpoint scenarios without a daemon, a database or a switch: a bench
 * (breakpoint/bench.h) that gives each scenario the whole pipeline in this
 * process, with a softasic of the chip that it names and a clock that stands
 * still between steps.
 *
 * The code is the same as on a switch: rows pass through intent, derive,
 * translate, reconcile and SAI.  A scenario takes milliseconds, gives the same
 * numbers every time, and starts from an empty switch.
 *
 * Reading the YANG modules is most of the cost of a start, so a bench reads
 * them only once.
 *
 * A process can have only one at a time, because it loads a libsai
 * (offline/pipeline.h). */

#include <stdbool.h>

#include "base/status.h"

struct agent;
struct bench;
struct dynamic_state_chip;

struct offline_bench_options {
    const char *yang_dir;
    const char *sai;   /* Path of softasic. */
    const char *chips; /* Directory of chip files. */
    bool strict;       /* Reject rows with unknown fields. */

    /* Applies settings to the agent of each switch, which has no rows yet; may
     * fill '*parameters', which then override the chip file.  NULL: none. */
    enum st (*configure)(void *context, struct agent *agent,
                         struct dynamic_state_chip *parameters,
                         struct err *err);
    void *context;
};

/* Creates a bench; the texts of 'options' are borrowed.  Fails as
 * schema_create() does.  End with offline_bench_destroy(). */
enum st offline_bench_create(const struct offline_bench_options *options,
                             struct bench **bench,
                             struct err *err) ST_WARN_UNUSED;

/* Destroys the bench and its switch.  Accepts NULL. */
void offline_bench_destroy(struct bench *bench);

#endif /* offline/offline_bench.h */
