/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_EXPRESSION_H
#define ORCHD_BREAKPOINT_EXPRESSION_H

/* The arithmetic of scenarios: integers, references, and a choice.
 *
 * The numbers that a breakpoint is expected at follow from the configuration
 * (pool / cell, alpha / (1 + alpha)), so a scenario states the derivation and
 * not the result:
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
 * Values are signed 64-bit numbers; a result that does not fit is an error,
 * never wrapped.  A quotient is rounded towards zero; ceil(a, b) and floor(a,
 * b) round a / b up and down.  pow(a, b) is a to the power of b, which is not
 * negative; if(c, a, b) is a unless c is 0, then b.  A comparison is 1 or 0.  A
 * word (letters, digits, "_") is a text, and so may a reference be: texts can
 * be compared with == and !=, and be the result.  What does not matter of if(),
 * "&&" and "||" is not computed, so it may divide by zero.  Blanks may stand
 * anywhere between tokens. */

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

/* Finds the value of the reference that is the first 'length' bytes of
 * 'reference', without its "$".  A text that it stores must live as long as the
 * result of the expression is needed.  Fills 'err' and returns its status if
 * there is no such value. */
typedef enum st expression_lookup_fn(void *context, const char *reference,
                                     size_t length,
                                     struct expression_value *value,
                                     struct err *err);

/* Computes 'text' into '*value', whose text, if it is one, points into 'text'
 * or is what 'lookup' has stored.  On ST_INVALID fills 'err' with a reason and
 * stores the offset of the offending byte of 'text' in '*offset'; '*value' is
 * untouched. */
enum st expression_evaluate(const char *text, expression_lookup_fn *lookup,
                            void *context, struct expression_value *value,
                            size_t *offset, struct err *err) ST_WARN_UNUSED;

/* Returns the length of the name that 'text' starts with: a letter or "_",
 * then letters, digits and "_"; 0 if there is none. */
size_t expression_name_length(const char *text);

/* Returns the length of the reference that 'text' (after a "$") starts with, 0
 * if it starts with none. */
size_t expression_reference_length(const char *text);

/* Returns whether 'text' starts with a call of a function, "min(...". */
bool expression_is_call(const char *text);

#endif /* breakpoint/expression.h */
