/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_OFFLINE_OFFLINE_BENCH_H
#define ORCHD_OFFLINE_OFFLINE_BENCH_H

/* Breakpoint scenarios without a daemon, a database and a switch: a bench
 * (breakpoint/bench.h) that gives each scenario the whole flow in this process,
 * with a softasic of the chip that it names and a clock that stands still
 * between steps.
 *
 * What runs is what runs on a switch: rows go through intent, derive,
 * translate, reconcile and SAI.  So a scenario takes milliseconds, gives the
 * same numbers every time, and starts from nothing.
 *
 * Reading the YANG modules is most of the cost of a start; a bench does it
 * once.
 *
 * One at a time in a process, as it loads a libsai (offline/pipeline.h). */

#include "base/status.h"

struct bench;

struct offline_bench_options {
    const char *yang_dir;
    const char *sai;   /* Path of softasic. */
    const char *chips; /* Directory of chip descriptions. */
};

/* Makes a bench; the texts of 'options' are borrowed.  Fails as
 * schema_create() does.  End with offline_bench_destroy(). */
enum st offline_bench_create(const struct offline_bench_options *options,
                             struct bench **bench,
                             struct err *err) ST_WARN_UNUSED;

/* Ends the bench with its switch.  Accepts NULL. */
void offline_bench_destroy(struct bench *bench);

#endif /* offline/offline_bench.h */
