/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_DOCUMENT_H
#define ORCHD_BREAKPOINT_DOCUMENT_H

/* YAML files whose every node can say where it stands.
 *
 * A scenario is one file and those that it includes; all that follows (values,
 * keys, steps) walks their nodes with an idea of what each has to be.  This
 * module parses the files and makes messages that lead to the place, in the
 * form that editors and compilers agreed on: "file:line:column: text". */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;
struct document;
struct fy_node;

/* The most files that one scenario consists of. */
#define DOCUMENT_FILES_MAX 16

/* Returns a document without files.  Whatever it hands out is allocated from
 * 'arena', which is borrowed.  End with document_destroy(). */
struct document *document_create(struct arena *arena);

/* Frees 'document'; what it handed out stays.  Accepts NULL. */
void document_destroy(struct document *document);

/* Parses the 'length' bytes of 'text' as the next file and stores its root node
 * (NULL if it is empty).  'file' is for messages.  ST_INVALID fills 'err'. */
enum st document_add(struct document *document, const char *file,
                     const char *text, size_t length, struct fy_node **root,
                     struct err *err) ST_WARN_UNUSED;

/* Stores where 'node' begins, counted from 1; 1:1 for NULL. */
void document_position(const struct document *document, struct fy_node *node,
                       unsigned int *line, unsigned int *column);

/* Returns the name of the file that 'node' is in; it lives as long as the
 * arena. */
const char *document_file(const struct document *document,
                          struct fy_node *node);

/* Fills 'err' with the place of 'node' (or 'offset' bytes behind it) and the
 * formatted text; returns ST_INVALID. */
enum st document_fail(const struct document *document, struct fy_node *node,
                      struct err *err, const char *format, ...) ST_PRINTF(4, 5);
enum st document_fail_at(const struct document *document, struct fy_node *node,
                         size_t offset, struct err *err, const char *format,
                         ...) ST_PRINTF(5, 6);

/* Returns the value of key 'name' in 'node', NULL if it has none or is no map.
 */
struct fy_node *document_member(struct fy_node *node, const char *name);

/* Stores the raw text of 'node', which has to be a scalar that is not empty;
 * 'what' names it in messages. */
enum st document_scalar(const struct document *document, struct fy_node *node,
                        const char *what, const char **text,
                        struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/document.h */
