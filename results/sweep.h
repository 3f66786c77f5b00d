/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_SWEEP_H
#define ORCHD_RESULTS_SWEEP_H

/* Writes a results file with the runs of a sweep, one after another, in one
 * transaction: a file is complete or empty.
 *
 * The first error is kept, later rows are ignored, and sweep_writer_finish()
 * reports it. */

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct sweep_writer;

/* A run; texts are copied, and may be NULL where the schema allows it. */
struct sweep_run {
    const char *name; /* Unique in the file. */
    const char *path; /* Of the scenario. */
    const char *scenario;
    const char *chip;  /* "th". */
    const char *state; /* "passed". */
    const char *reason;
    unsigned int repetition; /* From 1. */
    int64_t virtual_ps;      /* Simulated time at the end; negative: unknown. */
    int64_t packets;         /* That the switch received; negative: unknown. */
    int64_t wall_ns;
};

/* Creates 'path'.  ST_EXISTS, ST_IO. */
enum st sweep_writer_create(const char *path, const char *version,
                            const char *started, struct sweep_writer **writer,
                            struct err *err) ST_WARN_UNUSED;

/* Starts the next run, to which the rows after it belong. */
void sweep_writer_run(struct sweep_writer *writer, const struct sweep_run *run);

void sweep_writer_param(struct sweep_writer *writer, const char *name,
                        const char *value);

/* A counter 'name' of 'object' ("pg Ethernet0|3") in 'snapshot', taken at
 * 't_ps' (negative: unknown). */
void sweep_writer_measurement(struct sweep_writer *writer, const char *snapshot,
                              int64_t t_ps, const char *object,
                              const char *name, int64_t value);

/* Whether claim 'number' of the run holds, and the value seen. */
void sweep_writer_verdict(struct sweep_writer *writer, uint32_t number,
                          const char *text, bool passed, int64_t value);

/* Commits, frees 'writer' and reports the first error. */
enum st sweep_writer_finish(struct sweep_writer *writer,
                            struct err *err) ST_WARN_UNUSED;

#endif /* results/sweep.h */
