/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_LOOKUP_LINES_H
#define ORCHD_DERIVE_LOOKUP_LINES_H

/* Texts of lookup tables: lines of columns, separated by blanks, the first two
 * of which are a speed and the length of a cable.  '#' begins a comment.
 *
 *     100000  40m  1248 2288 177632 0  # measured
 *
 * Pure: the caller reads the file, and bounds its length. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "orchd/derive/lookup_pairs.h"

enum { LOOKUP_LINE_SIZE = 256 }; /* No valid line is longer. */

/* Reads a line of 'length' bytes; others may follow it.  Fills 'err' and
 * returns ST_INVALID if it is wrong. */
typedef enum st lookup_lines_fn(void *context, const char *line, size_t length,
                                struct err *err);

/* Passes each line of 'text', from a file that messages call 'origin', to
 * 'read', and stops at the first that is wrong: returns ST_INVALID, and 'err'
 * begins with the number of the line. */
enum st lookup_lines_read(const char *text, const char *origin,
                          lookup_lines_fn *read, void *context,
                          struct err *err) ST_WARN_UNUSED;

/* Copies 'length' bytes of 'text' into 'line' and splits them into columns up
 * to a comment.  Stores the first 'most' columns, which point into 'line', and
 * in '*n' how many there are, 'most' + 1 if more.  Returns ST_INVALID if the
 * line is too long. */
enum st lookup_lines_split(const char *text, size_t length,
                           char line[LOOKUP_LINE_SIZE], char *columns[],
                           size_t most, size_t *n,
                           struct err *err) ST_WARN_UNUSED;

/* Parses the first two columns; NULL: missing.  Returns ST_INVALID and names
 * the column in 'err'. */
enum st lookup_lines_read_pair(const char *speed, const char *cable,
                               struct lookup_pair *pair,
                               struct err *err) ST_WARN_UNUSED;

/* Reports in 'err' that 'column' has the wrong 'value', or none (NULL).
 * Returns ST_INVALID. */
enum st lookup_lines_refuse(const char *column, const char *value,
                            const char *allowed, struct err *err);

/* Parses a cable length, "40m", of at most HEADROOM_CABLE_MAX_M. */
enum st cable_parse(const char *text, uint32_t *cable_m) ST_WARN_UNUSED;

#endif /* orchd/derive/lookup_lines.h */
