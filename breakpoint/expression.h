/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_EXPRESSION_H
#define ORCHD_BREAKPOINT_EXPRESSION_H

/* The arithmetic of scenarios: integers, parameters, + - * / and parentheses.
 *
 * The numbers that a breakpoint is expected at follow from the configuration
 * (pool / cell, alpha / (1 + alpha)), so a scenario states the derivation and
 * not the result:
 *
 *     expression = term { ("+" | "-") term }
 *     term       = factor { ("*" | "/") factor }
 *     factor     = "-" factor | "(" expression ")" | number | "$" name
 *
 * Values are signed 64-bit; a result that does not fit is an error, never
 * wrapped.  A quotient is rounded towards zero, so (a + b - 1) / b rounds up.
 * Blanks may stand anywhere between tokens. */

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* Finds the value of the parameter whose name is the first 'length' bytes of
 * 'name'.  Fills 'err' and returns its status if that has no number. */
typedef enum st expression_lookup_fn(void *context, const char *name,
                                     size_t length, int64_t *value,
                                     struct err *err);

/* Computes 'text' into '*value'.  On ST_INVALID fills 'err' with a reason and
 * stores the offset of the offending byte of 'text' in '*offset'; '*value' is
 * untouched. */
enum st expression_evaluate(const char *text, expression_lookup_fn *lookup,
                            void *context, int64_t *value, size_t *offset,
                            struct err *err) ST_WARN_UNUSED;

/* Returns the length of the name that 'text' starts with: a letter or "_",
 * then letters, digits and "_"; 0 if there is none. */
size_t expression_name_length(const char *text);

#endif /* breakpoint/expression.h */
