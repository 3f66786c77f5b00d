/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_EXPRESSION_H
#define ORCHD_BREAKPOINT_EXPRESSION_H

/* The arithmetic of scenarios: integer expressions with references.
 *
 * Where a breakpoint is expected follows from the configuration (pool / cell,
 * alpha / (1 + alpha)), so a scenario states the derivation instead of the
 * result:
 *
 *     expression = both { "||" both }
 *     both       = comparison { "&&" comparison }
 *     comparison = sum [ ("==" | "!=" | "<" | "<=" | ">" | ">=") sum ]
 *     sum        = product { ("+" | "-") product }
 *     product    = factor { ("*" | "/" | "%") factor }
 *     factor     = ("-" | "!") factor | "(" expression ")" | number
 *                | "$" reference | function | word
 *     function   = ("min" | "max" | "ceil" | "floor" | "pow" | "if")
 *                  "(" expression { "," expression } ")"
 *     reference  = name | "chip." name | "row(" key ")." field
 *     field      = letters, digits and "_" | "$" name
 *
 * Values are signed 64-bit numbers.  A result that does not fit is an error; it
 * never wraps.  A quotient is rounded towards zero; ceil(a, b) and floor(a, b)
 * round a / b up and down.  pow(a, b) is a to the power of b, and b must not be
 * negative.  if(c, a, b) is a if c is not 0, else b.  A comparison is 1 or 0.
 * A word (letters, digits, "_") is text, and a reference may be text: text can
 * be compared with == and != and can be the result.  Operands of if(), "&&" and
 * "||" that do not affect the result are not computed, so they may divide by
 * zero.  Blanks are allowed between all tokens. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

/* A number, or the first 'length' bytes of 'text' if that is not NULL. */
struct expression_value {
    int64_t number;
    const char *text;
    size_t length;
};

/* Finds the value of the reference in the first 'length' bytes of 'reference',
 * without its "$".  A text that it stores must stay valid as long as the result
 * of the expression is used.  Fills 'err' and returns its status if there is no
 * such value. */
typedef enum st expression_lookup_fn(void *context, const char *reference,
                                     size_t length,
                                     struct expression_value *value,
                                     struct err *err);

/* Computes 'text' into '*value'.  If the value is text, it points into 'text'
 * or to what 'lookup' has stored.  On ST_INVALID fills 'err' with a reason,
 * stores the offset of the offending byte of 'text' in '*offset', and leaves
 * '*value' untouched. */
enum st expression_evaluate(const char *text, expression_lookup_fn *lookup,
                            void *context, struct expression_value *value,
                            size_t *offset, struct err *err) ST_WARN_UNUSED;

/* Returns the length of the name at the start of 'text' (a letter or "_", then
 * letters, digits and "_"), or 0 if there is none. */
size_t expression_name_length(const char *text);

/* Returns the length of the reference at the start of 'text' (after a "$"), or
 * 0 if there is none. */
size_t expression_reference_length(const char *text);

/* Returns whether 'text' starts with a function call, "min(...". */
bool expression_is_call(const char *text);

#endif /* breakpoint/expression.h */
