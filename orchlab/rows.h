/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHLAB_ROWS_H
#define ORCHD_ORCHLAB_ROWS_H

/* Prints the rows of a query: as a table, as JSON, or as CSV.
 *
 * Columns ending in _ps, _bps, _bytes and _mm have units: a table shows them
 * readable ("12.5 us") under a heading without the ending; JSON and CSV have
 * the numbers and names of the results file. */

#include <jansson.h>
#include <stdint.h>

#include "base/status.h"

struct query;

enum rows_form { ROWS_TABLE, ROWS_JSON, ROWS_CSV };

/* Prints all rows of 'query' in 'form'; a table without rows prints 'none'.
 * Adds their number to '*n'.  ST_IO: the results cannot be read. */
enum st rows_print(struct query *query, enum rows_form form, const char *none,
                   uint64_t *n, struct err *err) ST_WARN_UNUSED;

/* Stores the rows as a new array of objects in '*rows'. */
enum st rows_to_json(struct query *query, json_t **rows,
                     struct err *err) ST_WARN_UNUSED;

#endif /* orchlab/rows.h */
