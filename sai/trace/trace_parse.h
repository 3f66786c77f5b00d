/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_TRACE_TRACE_PARSE_H
#define ORCHD_SAI_TRACE_TRACE_PARSE_H

/* Parses lines in the form of sai/trace/trace.h as SAI calls. */

#include <stddef.h>

#include "base/status.h"
#include "sai/trace/trace.h"

struct arena;

/* Parses 'line', which has no newline, into '*call', with lists and arrays
 * allocated from 'arena'.  A returned list that did not fit has its count and a
 * NULL list.  ST_INVALID: 'line' has another form; 'err' describes the error.
 */
enum st trace_parse(struct arena *arena, const char *line,
                    struct trace_call *call, struct err *err) ST_WARN_UNUSED;

/* Decodes the %XX form of the first 'length' bytes of 'string' and stops at the
 * first error.  Allocated from 'arena'. */
char *trace_unescape(struct arena *arena, const char *string, size_t length);

#endif /* sai/trace/trace_parse.h */
