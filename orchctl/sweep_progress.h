/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SWEEP_PROGRESS_H
#define ORCHD_ORCHCTL_SWEEP_PROGRESS_H

/* A line on standard error that says how far many cases are; only on a
 * terminal. */

#include <stdbool.h>
#include <stddef.h>

struct sweep_progress {
    size_t n;        /* Cases. */
    double began_ms; /* case_runner_clock_ms() at the start. */
    bool shows;      /* Standard error is a terminal. */
    double shown_ms; /* When the line was written last. */
    int length;      /* Of that line. */
};

void sweep_progress_begin(struct sweep_progress *progress, size_t n);

/* Replaces the line; for case_runner_options. */
void sweep_progress_show(void *progress, size_t n_ended);

/* Removes the line. */
void sweep_progress_end(struct sweep_progress *progress);

/* Writes "12 of 100, 12 %, ETA 0:08" into 'buffer' and returns it. */
enum { SWEEP_PROGRESS_SIZE = 80 };
const char *sweep_progress_text(size_t n_ended, size_t n, double elapsed_ms,
                                char buffer[SWEEP_PROGRESS_SIZE]);

#endif /* orchctl/sweep_progress.h */
