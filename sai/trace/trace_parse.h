/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_TRACE_TRACE_PARSE_H
#define ORCHD_SAI_TRACE_TRACE_PARSE_H

/* A line of text, in the form of sai/trace/trace.h, as a SAI call. */

#include <stddef.h>

#include "base/status.h"
#include "sai/trace/trace.h"

struct arena;

/* Parses 'line', which has no end of line, into '*call'; lists and arrays are
 * pieces of 'arena'.  An answer whose list did not fit has its count and a list
 * of NULL.  ST_INVALID: it is no such line, and 'err' says what is wrong. */
enum st trace_parse(struct arena *arena, const char *line,
                    struct trace_call *call, struct err *err) ST_WARN_UNUSED;

/* Undoes the %XX form of the first 'length' bytes of 'string'; stops at what is
 * no such form.  A piece of 'arena'. */
char *trace_unescape(struct arena *arena, const char *string, size_t length);

#endif /* sai/trace/trace_parse.h */
