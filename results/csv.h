/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RESULTS_CSV_H
#define ORCHD_RESULTS_CSV_H

/* Writes the rows of a query as comma-separated values.
 *
 * A line of column names, then one per row; numbers unchanged, NULL empty,
 * texts in quotes where they need them (RFC 4180, with line feeds only).  With
 * a tab as separator texts are never quoted, for gnuplot. */

#include <stdio.h>

#include "base/status.h"

struct query;

/* Writes all rows to 'file', without the column "run".  'separator' is ',' or
 * '\t'.  ST_IO if the results cannot be read; errors of 'file' are its owner's.
 */
enum st csv_write(struct query *query, char separator, FILE *file,
                  struct err *err) ST_WARN_UNUSED;

/* Writes 'text' to 'file' as a value, in quotes if it has a character that
 * separates values. */
void csv_write_text(const char *text, FILE *file);

#endif /* results/csv.h */
