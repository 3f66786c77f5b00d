/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_PARSE_H
#define ORCHD_BASE_PARSE_H

/* Strict reading of numbers and lists, once, at the edge.
 *
 * Nothing here accepts what the C library's strto*() would let through: no
 * blanks, no plus sign, no trailing text, no wrap-around.  Every function
 * returns ST_OK, or ST_INVALID and leaves its outputs alone. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Parses all of 'text' as a decimal number in 'min'..'max' into '*value'. */
enum st parse_u64(const char *text, uint64_t min, uint64_t max,
                  uint64_t *value) ST_WARN_UNUSED;

/* The same for a number that may be negative ("-3"). */
enum st parse_s64(const char *text, int64_t min, int64_t max,
                  int64_t *value) ST_WARN_UNUSED;

/* Parses "N" or "L-H" (both inclusive, L <= H, H <= 'max') into '*first' and
 * '*last'.  "3-3" is the single index 3; "7-3" is invalid. */
enum st parse_range(const char *text, unsigned int max, unsigned int *first,
                    unsigned int *last) ST_WARN_UNUSED;

/* Walks a comma-separated list.  Start with '*cursor' at the text; each call
 * stores the start and length of the next item and returns true; after the
 * last one '*cursor' is NULL and the result false.  The empty text has one
 * empty item, as ",a" has two: a caller for whom "" means "no items" says so
 * first. */
bool parse_list_next(const char **cursor, const char **item, size_t *length);

/* Returns 'text' without its leading blanks, and sets '*length' to what is
 * left without the trailing ones.  Blanks are space, tab, CR and LF. */
const char *parse_trim(const char *text, size_t *length);

#endif /* base/parse.h */
