/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PARSER_H
#define ORCHD_BREAKPOINT_PARSER_H

/* From a YAML file to a scenario.
 *
 * Each verb has a table of the keys that its map may have, with the type and
 * range of their values; document.h reads maps by such tables and says what is
 * wrong and where.  Nothing of the file is left unread: a key that no table
 * has is an error, for a misspelt expectation must not pass. */

#include <stddef.h>

#include "base/status.h"

struct scenario;

/* The longest file that is read. */
#define PARSER_BYTES_MAX ((size_t)1024 * 1024)

/* Loads a scenario from the 'length' bytes of 'text'; 'file' is for messages
 * and need not exist.  On success the caller ends '*scenario' with
 * scenario_destroy().  ST_INVALID: the reason in 'err' starts with
 * "file:line:column: " and says what was expected. */
enum st parser_parse(const char *file, const char *text, size_t length,
                     struct scenario **scenario,
                     struct err *err) ST_WARN_UNUSED;

/* Reads 'file' and parses it.  ST_NOT_FOUND if it cannot be read. */
enum st parser_load(const char *file, struct scenario **scenario,
                    struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/parser.h */
