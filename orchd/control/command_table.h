/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_COMMAND_TABLE_H
#define ORCHD_CONTROL_COMMAND_TABLE_H

/* The commands of the daemon (command.h) as JSON, from which
 * scripts/python_commands.py makes the client for Python. */

#include <jansson.h>

/* Returns a new array of all commands, in the order of their tables:
 *
 * [{"noun": "breakpoint", "verb": "run", "effect": "changes", "summary": "let
 * the time ...", "arguments": [{"name": "ns", "type": "number", "required":
 * false, "min": 0, "max": 100000000}, ...]}, ...]
 *
 * "effect" is "changes", "views", or "sets" (changes with arguments, views
 * without).  "type" is "text", "texts", "number", "flag", "object" or "array";
 * a number has "min" and "max", a text of which only some are allowed has them
 * as "words".  "summary" is missing where the verb of orchctl of the same name
 * does the same: it describes it. */
json_t *command_table_json(void);

#endif /* orchd/control/command_table.h */
