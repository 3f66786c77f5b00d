/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_NAME_PATTERN_H
#define ORCHD_LAB_BUILDER_NAME_PATTERN_H

/* Patterns of the names of nodes: "h-0-*-[0..7]".
 *
 * '*' stands for any characters but '-', and '[a..b]' for a number in that
 * range, without leading zeros.  A '*' at the end stands for the whole rest, so
 * that "h-0-*" is every host of podset 0. */

#include <stdbool.h>

/* Returns whether 'text' is a pattern: it has a '*' or a '['. */
bool name_pattern_is(const char *text);

/* Returns whether 'name' matches 'pattern'.  A malformed range matches
 * nothing. */
bool name_pattern_match(const char *pattern, const char *name);

#endif /* lab/builder/name_pattern.h */
