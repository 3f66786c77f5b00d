/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_RESULT_FILES_H
#define ORCHD_ORCHCTL_RESULT_FILES_H

/* Writes the results of cases, above all of a sweep, into files for other
 * programs.
 *
 * The suffix chooses the format: ".sqlite" a results file (results/schema.h),
 * ".csv" a line for each run with a column for each parameter and measurement,
 * ".jsonl" a JSON object in a line for each run.  Measurements are the counters
 * of named snapshots. */

#include <jansson.h>

#include "base/status.h"

struct result_files;

/* Creates the files 'paths', an array of texts (NULL: none).  ST_INVALID: a
 * suffix is unknown.  ST_EXISTS: there is such a file.  ST_IO. */
enum st result_files_open(const json_t *paths, struct result_files **files,
                          struct err *err) ST_WARN_UNUSED;

/* Writes 'results' (orchctl/case_runner.h) into all files. */
void result_files_write(struct result_files *files, const json_t *results);

/* Closes and frees 'files', and reports the first error.  A file that could not
 * take all results is removed.  Accepts NULL. */
enum st result_files_close(struct result_files *files,
                           struct err *err) ST_WARN_UNUSED;

#endif /* orchctl/result_files.h */
