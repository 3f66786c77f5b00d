/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SWEEP_QUERY_H
#define ORCHD_ORCHCTL_SWEEP_QUERY_H

/* The queries of the tables about a sweep (results/sweep_data.h). */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"

struct database;
struct text;

/* Selects measurement, runs, lowest and highest of each measurement. */
extern const char sweep_query_measurements[];

/* Appends to 'sql' the query of the runs: the columns 'first', then one for
 * each parameter and for each of 'measures' (an array of texts, NULL: none),
 * the columns 'last' and the reason why a run did not pass.  Columns are
 * expressions of SQL on the run 'r'.  ST_INVALID: there is no such measurement.
 */
enum st sweep_query_runs(struct database *database, const json_t *measures,
                         const char *first, const char *last, struct text *sql,
                         struct err *err) ST_WARN_UNUSED;

/* Stores in '*measures', a new array, the first 'most' measurements that differ
 * between runs, and in '*n' how many do. */
enum st sweep_query_changing(struct database *database, size_t most,
                             json_t **measures, size_t *n,
                             struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/sweep_query.h */
