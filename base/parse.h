/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_PARSE_H
#define ORCHD_BASE_PARSE_H

/* Strict parsing of numbers and lists from outside.
 *
 * Unlike the C library's strto*(), these functions refuse leading blanks, a
 * plus sign, trailing text and overflow.  Every function that can fail returns
 * ST_OK, or ST_INVALID and leaves its outputs unchanged. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Parses all of 'text' as a decimal number in 'min'..'max' into '*value'. */
enum st parse_u64(const char *text, uint64_t min, uint64_t max,
                  uint64_t *value) ST_WARN_UNUSED;

/* Like parse_u64(), for a number that may be negative ("-3"). */
enum st parse_s64(const char *text, int64_t min, int64_t max,
                  int64_t *value) ST_WARN_UNUSED;

/* Parses "N" or "L-H" (both inclusive, L <= H, H <= 'max') into '*first' and
 * '*last'.  "3-3" is the single index 3; "7-3" is invalid. */
enum st parse_range(const char *text, unsigned int max, unsigned int *first,
                    unsigned int *last) ST_WARN_UNUSED;

/* Parses the name of a priority group or queue of a port: "Ethernet0|3", as in
 * keys of CONFIG_DB.  ':' and '.' are accepted for '|'.  Stores the length of
 * the port's name and the index, which is at most 'max'. */
enum st parse_place(const char *text, unsigned int max, size_t *length,
                    unsigned int *index) ST_WARN_UNUSED;

/* Iterates over a comma-separated list.  Start with '*cursor' at the text. Each
 * call stores the start and length of the next item and returns true; after the
 * last item it returns false.  The empty text has one empty item, as ",a" has
 * two items: a caller to which "" means "no items" checks that first. */
bool parse_list_next(const char **cursor, const char **item, size_t *length);

/* Parses a list of priorities, 0 to 7, "3,4", into a bit for each; "none" has
 * none.  '*mask' is unchanged on failure. */
enum st parse_priorities(const char *text, uint8_t *mask) ST_WARN_UNUSED;

/* Returns the first byte of 'text' that is not blank and sets '*length' to the
 * length from there to the last such byte.  Blanks are space, tab, CR and
 * LF. */
const char *parse_trim(const char *text, size_t *length);

#endif /* base/parse.h */
