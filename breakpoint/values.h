/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_VALUES_H
#define ORCHD_BREAKPOINT_VALUES_H

/* The values of the names in a scenario: parameters, loop variables, and facts
 * about the chip and the configuration.
 *
 * A parameter is computed when it is first needed.  So parameters can be in any
 * order, a variant that replaces a parameter changes all that depend on it, and
 * parameters that depend on the configuration can stand beside those that
 * define it.  A parameter can refer to other parameters, but not to loop
 * variables.
 *
 * A value that starts with a letter is text, in which "$name" and
 * "$(expression)" are replaced; "$$" is a dollar sign.  Any other value is an
 * expression (expression.h), as is a function call.  Loops and keys that take
 * lists accept a list. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;
struct bench;
struct choices;
struct document;
struct fy_node;
struct values;

/* Creates an empty set of values.  All arguments are borrowed.  'bench' may be
 * NULL; facts are unknown then.  End with values_destroy(). */
struct values *values_create(struct document *document, struct arena *arena,
                             struct bench *bench);

/* Frees 'values'.  Texts that it returned stay in the arena.  Accepts NULL. */
void values_destroy(struct values *values);

/* Returns the document that messages refer to. */
struct document *values_document(const struct values *values);

/* Defines, or replaces, the parameter named by 'key' with the value 'node'.
 * ST_INVALID: not a valid name or value. */
enum st values_define(struct values *values, struct fy_node *key,
                      struct fy_node *node, struct err *err) ST_WARN_UNUSED;

/* Defines all parameters of map 'node', which is called 'what' in messages. */
enum st values_define_map(struct values *values, struct fy_node *node,
                          const char *what, struct err *err) ST_WARN_UNUSED;

/* Returns whether there is a parameter 'name'; adds the names of all. */
bool values_has(const struct values *values, const char *name);
void values_list_names(const struct values *values, struct choices *choices);

/* Computes all parameters that have not been needed yet, to find errors. */
enum st values_check(struct values *values, struct err *err) ST_WARN_UNUSED;

/* Declare that the facts about the chip, and about the configuration, are known
 * from now on. */
void values_know_chip(struct values *values);
void values_know_rows(struct values *values);

/* Binds the variable 'name' (borrowed) to the value of 'node', or to a number,
 * until values_unbind(), which removes the latest binding. */
enum st values_bind(struct values *values, const char *name,
                    struct fy_node *node, struct err *err) ST_WARN_UNUSED;
void values_bind_number(struct values *values, const char *name,
                        int64_t number);
void values_unbind(struct values *values);

/* Computes scalar 'node', an expression, into '*value'; 'what' names it in
 * messages. */
enum st values_number(struct values *values, struct fy_node *node,
                      const char *what, int64_t min, int64_t max,
                      int64_t *value, struct err *err) ST_WARN_UNUSED;

/* Computes "low..high", two expressions.  If 'node' does not have this form,
 * only sets '*is_range' to false. */
enum st values_range(struct values *values, struct fy_node *node,
                     const char *what, int64_t *low, int64_t *high,
                     bool *is_range, struct err *err) ST_WARN_UNUSED;

/* Stores the text of scalar 'node', with references replaced. */
enum st values_text(struct values *values, struct fy_node *node,
                    const char *what, const char **text,
                    struct err *err) ST_WARN_UNUSED;

/* Stores the value of scalar 'node' as text; an expression becomes its
 * number. */
enum st values_any(struct values *values, struct fy_node *node,
                   const char *what, const char **text,
                   struct err *err) ST_WARN_UNUSED;

/* Returns the list that scalar 'node' refers to ("$ports"), else 'node'. */
struct fy_node *values_list(const struct values *values, struct fy_node *node);

#endif /* breakpoint/values.h */
