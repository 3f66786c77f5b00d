/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_ARGUMENTS_H
#define ORCHD_CONTROL_ARGUMENTS_H

/* The arguments of a command: checked against its table (command.h), and made
 * from texts for clients that have no types, such as the query of a URL. */

#include <jansson.h>
#include <stddef.h>

#include "base/status.h"

struct argument_text;
struct command;

/* Checks the members of 'arguments'.  Returns ST_OK, or ST_INVALID with what is
 * allowed in 'err'. */
enum st arguments_check(const struct command *command, json_t *arguments,
                        struct err *err) ST_WARN_UNUSED;

/* Stores the 'n' texts in '*arguments', a new object that the caller owns in
 * any case, with the types of the table: a number; "true" or "1" or "", "false"
 * or "0" for a flag; an array for what may be repeated; an object or array as
 * JSON.  What cannot be converted is stored as text, and is left for
 * arguments_check() to explain.  ST_INVALID: a text is not UTF-8, or is
 * repeated where the table has one value. */
enum st arguments_parse(const struct command *command,
                        const struct argument_text *texts, size_t n,
                        json_t **arguments, struct err *err) ST_WARN_UNUSED;

#endif /* orchd/control/arguments.h */
