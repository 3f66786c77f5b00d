/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_MEASURE_MERGED_H
#define ORCHD_LAB_MEASURE_MERGED_H

/* One results file with many runs, into which those of others are moved.
 *
 * Each run is added in a transaction of its own that is on the disk at its end,
 * so whatever is killed, a run is in the file as a whole or not at all.  A run
 * is known by its key: added again, it replaces the one before under the same
 * number, and several processes that add runs wait for each other. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct merged;
struct results_about;

/* A parameter of a run. */
struct merged_param {
    const char *name, *value;
};

/* Checks, and changes nothing, that merged_open() can open the file 'path', or
 * that there is none.  Fails as it does. */
enum st merged_check(const char *path, struct err *err) ST_WARN_UNUSED;

/* Opens the file 'path', which is created if there is none.  ST_IO; ST_INVALID:
 * it is no results file; ST_UNSUPPORTED: it has another version. */
enum st merged_open(const char *path, struct merged **merged,
                    struct err *err) ST_WARN_UNUSED;

/* Closes the file, and leaves one plain file unless another process reads it.
 * Accepts NULL. */
void merged_close(struct merged *merged);

/* Adds the run in 'path', a results file with one run, and stores its number.
 * Fails as merged_open() does; the file is as before then. */
enum st merged_add(struct merged *merged, const char *path, int64_t *number,
                   struct err *err) ST_WARN_UNUSED;

/* Adds a run with 'n' parameters that has no results: it failed for 'reason'.
 */
enum st merged_add_failed(struct merged *merged,
                          const struct results_about *about,
                          const struct merged_param *params, size_t n,
                          const char *reason, int64_t *number,
                          struct err *err) ST_WARN_UNUSED;

/* Returns the number of the complete run with 'key' in the file 'path', 0:
 * there is none. */
int64_t merged_find(const char *path, const char *key);

#endif /* lab/measure/merged.h */
