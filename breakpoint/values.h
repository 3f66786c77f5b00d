/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_VALUES_H
#define ORCHD_BREAKPOINT_VALUES_H

/* What the names in a scenario stand for: parameters, the variables of loops,
 * and facts of chip and configuration.
 *
 * A parameter is computed when it is first needed, so their order is free, one
 * that is replaced by a variant changes all that follow from it, and those that
 * ask for the configuration can stand beside those that make it.  It sees other
 * parameters, not the variables of loops.
 *
 * A value that starts with a letter is a text, in which "$name" and
 * "$(expression)" are replaced; "$$" is a dollar.  Any other is an expression
 * (expression.h), as is a call of a function.  A list is for loops and for
 * places that take lists. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;
struct bench;
struct document;
struct fy_node;
struct values;

/* Returns no values yet.  All arguments are borrowed; 'bench' may be NULL, then
 * facts are not known.  End with values_destroy(). */
struct values *values_create(struct document *document, struct arena *arena,
                             struct bench *bench);

/* Frees 'values'; what they handed out lives in the arena.  Accepts NULL. */
void values_destroy(struct values *values);

/* Returns the document that messages refer to. */
struct document *values_document(const struct values *values);

/* Defines a parameter, or replaces one of that name, by 'node', which is the
 * value of 'key'.  ST_INVALID: that is no name or no value. */
enum st values_define(struct values *values, struct fy_node *key,
                      struct fy_node *node, struct err *err) ST_WARN_UNUSED;

/* Defines all of map 'node', called 'what' in messages. */
enum st values_define_map(struct values *values, struct fy_node *node,
                          const char *what, struct err *err) ST_WARN_UNUSED;

/* Computes all parameters that nobody has asked for. */
enum st values_check(struct values *values, struct err *err) ST_WARN_UNUSED;

/* Say that the facts of the chip, and of the configuration, are known now. */
void values_know_chip(struct values *values);
void values_know_rows(struct values *values);

/* Gives 'name' (borrowed) a value until values_unbind(), which undoes the
 * latest; of 'node' by the rule above, or a number. */
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

/* Computes "low..high", two expressions; '*is_range' is false, and nothing
 * else done, if 'node' is nothing of that kind. */
enum st values_range(struct values *values, struct fy_node *node,
                     const char *what, int64_t *low, int64_t *high,
                     bool *is_range, struct err *err) ST_WARN_UNUSED;

/* Stores the text of scalar 'node', with references replaced. */
enum st values_text(struct values *values, struct fy_node *node,
                    const char *what, const char **text,
                    struct err *err) ST_WARN_UNUSED;

/* Stores the value of scalar 'node' as text: of an expression the number. */
enum st values_any(struct values *values, struct fy_node *node,
                   const char *what, const char **text,
                   struct err *err) ST_WARN_UNUSED;

/* Returns the list that scalar 'node' is the name of, "$ports"; else 'node'. */
struct fy_node *values_list(const struct values *values, struct fy_node *node);

#endif /* breakpoint/values.h */
