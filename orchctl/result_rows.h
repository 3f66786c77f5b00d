/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RESULT_ROWS_H
#define ORCHD_ORCHCTL_RESULT_ROWS_H

/* The measurements and claims in results of cases (orchctl/case_runner.h), and
 * results as rows of text. */

#include <jansson.h>
#include <stdint.h>
#include <stdio.h>

/* A counter of a named snapshot. */
struct result_measurement {
    const char *snapshot;
    int64_t t_ps;       /* Simulated; negative: unknown. */
    const char *object; /* "pg Ethernet0|3" */
    const char *name;   /* "shared_bytes" */
    int64_t value;
};

/* Call a function for each measurement, or each claim of 'result', numbered
 * from 0. */
typedef void result_rows_measurement_fn(void *context,
                                        const struct result_measurement *one);
void result_rows_measurements(const json_t *result,
                              result_rows_measurement_fn *function,
                              void *context);
typedef void result_rows_claim_fn(void *context, unsigned int number,
                                  const json_t *claim);
void result_rows_claims(const json_t *result, result_rows_claim_fn *function,
                        void *context);

/* Writes a header and a line per result: run, name, file, repetition, the
 * parameters, outcome, reason, time_ps, packets, milliseconds, and the
 * measurements as "SNAPSHOT:OBJECT:COUNTER"; what a run does not have is
 * empty. */
void result_rows_csv(const json_t *results, FILE *file);

/* Writes an object per line: the same, with "params", "measurements" by
 * snapshot and object, and "verdicts". */
void result_rows_json(const json_t *results, FILE *file);

#endif /* orchctl/result_rows.h */
