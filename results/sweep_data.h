/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_SWEEP_DATA_H
#define ORCHD_RESULTS_SWEEP_DATA_H

/* Reads the results of a sweep: which parameters and measurements it has, and
 * the points of a curve.
 *
 * A measurement is written SNAPSHOT:OBJECT:COUNTER, "paused:pg
 * Ethernet0|3:shared_bytes"; SNAPSHOT may be '*' for all. */

#include <stddef.h>

#include "base/status.h"

struct database;

enum { SWEEP_DATA_MEASURES_MAX = 8 };

/* The x of points: the simulated time of the snapshot, in microseconds. */
#define SWEEP_DATA_TIME "time"

/* The SQL of the reason why run 'r' did not pass: its own, else the first claim
 * that did not hold; NULL if it passed. */
#define SWEEP_DATA_REASON_SQL                                                  \
    "coalesce(r.reason, (SELECT 'expected ' || text || ', got ' || CAST(value" \
    " AS INTEGER) FROM verdicts v WHERE v.run = r.run AND NOT passed ORDER BY" \
    " number LIMIT 1)) AS reason"

/* What to draw. */
struct sweep_data_choice {
    const char *x;  /* A parameter with numbers, or SWEEP_DATA_TIME. */
    const char *by; /* A parameter with a curve for each value; NULL: none. */
    const char *const *measures;
    size_t n_measures; /* At least 1. */
};

/* Opens the results file of a sweep.  ST_INVALID: it is none; otherwise as
 * database_open().  database_close() ends it. */
enum st sweep_data_open(const char *path, struct database **database,
                        struct err *err) ST_WARN_UNUSED;

/* Checks that the sweep has parameter 'name' and measurement 'measure'.
 * ST_INVALID: 'err' lists what it has and names the nearest. */
enum st sweep_data_check_param(struct database *database, const char *name,
                               struct err *err) ST_WARN_UNUSED;
enum st sweep_data_check_measure(struct database *database, const char *measure,
                                 struct err *err) ST_WARN_UNUSED;

/* Makes the temporary table "points" (run, curve, x, y, state) of 'choice' for
 * the queries of figures, in the order of curves and x. */
enum st sweep_data_points(struct database *database,
                          const struct sweep_data_choice *choice,
                          struct err *err) ST_WARN_UNUSED;

/* Returns the last part of the name of a parameter, for axes: "dynamic_th" of
 * "row(BUFFER_PROFILE|p).dynamic_th". */
const char *sweep_data_short(const char *name);

#endif /* results/sweep_data.h */
