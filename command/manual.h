/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_MANUAL_H
#define ORCHD_COMMAND_MANUAL_H

/* The tables of options and verbs as JSON, from which scripts/manual.py makes
 * the manual pages and the completion of the daemons.
 *
 * "PROGRAM --help-json" prints, for all programs:
 *   {"program": NAME, "purpose": SENTENCE, "usage": TEXT,
 *    "options": [{"name", "letter" ("-o", null: none), "value" (null: a flag),
 *                "help"}],
 *    "verbs": [{"noun", "verb", "operands", "summary", "details", "options"}],
 *    "exits": [{"code", "meaning"}]} */

#include <jansson.h>

#include "command/option.h"

/* Returns a new array of the options in a list, which may be NULL. */
json_t *manual_options(const struct option *options);

/* Returns a new object about one verb; 'noun' and 'details' may be NULL. */
json_t *manual_verb(const char *noun, const char *verb, const char *operands,
                    const char *summary, const char *details,
                    const struct option *options);

/* Prints 'manual' and frees it. */
void manual_print(json_t *manual);

#endif /* command/manual.h */
