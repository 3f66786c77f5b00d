/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_YAML_DOCUMENT_H
#define ORCHD_YAML_DOCUMENT_H

/* The YAML files of a scenario, with the position of every node.
 *
 * A scenario of breakpoint/ or lab/scenario/ is one file and the files that it
 * includes.  Its modules walk the nodes and know what each has to contain. This
 * module parses the files and formats messages with the position of a node as
 * compilers do: "file:line:column: text". */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;
struct document;
struct document_cache;
struct fy_node;

/* The maximum number of files of one scenario. */
#define DOCUMENT_FILES_MAX 16

/* Returns a document without files.  All texts and nodes that it returns are
 * allocated from 'arena', which is borrowed.  End with document_destroy(). */
struct document *document_create(struct arena *arena);

/* Frees 'document'; texts that it returned stay in the arena.  Accepts NULL. */
void document_destroy(struct document *document);

/* Keeps the trees of documents that have ended for documents that parse the
 * same text again: a sweep loads one scenario a thousand times.  The last
 * DOCUMENT_CACHE_TREES are kept.  A text that differs is another one, whatever
 * its file is called. */
#define DOCUMENT_CACHE_TREES 32
struct document_cache *document_cache_create(void);
void document_cache_destroy(struct document_cache *cache);

/* Takes trees from 'cache' from now on, and gives all to it in the end; it has
 * to outlive 'document'.  NULL: none. */
void document_use_cache(struct document *document,
                        struct document_cache *cache);

/* Says that the caller changes nodes of 'document': its trees are no longer
 * what the texts say, so no other document gets them. */
void document_changes(struct document *document);

/* Parses the 'length' bytes of 'text' as the next file and stores its root node
 * (NULL if it is empty).  'file' is its name in messages.  ST_INVALID fills
 * 'err'. */
enum st document_add(struct document *document, const char *file,
                     const char *text, size_t length, struct fy_node **root,
                     struct err *err) ST_WARN_UNUSED;

/* Returns 'digest' extended by the texts of all files (base/digest.h). */
uint64_t document_digest(const struct document *document, uint64_t digest);

/* Stores the line and column at which 'node' begins, counted from 1; 1:1 for
 * NULL. */
void document_position(const struct document *document, struct fy_node *node,
                       unsigned int *line, unsigned int *column);

/* Returns the name of the file that contains 'node'; valid as long as the
 * arena. */
const char *document_file(const struct document *document,
                          struct fy_node *node);

/* Fills 'err' with the position of 'node' (or 'offset' bytes after it) and the
 * formatted text.  Returns ST_INVALID. */
enum st document_fail(const struct document *document, struct fy_node *node,
                      struct err *err, const char *format, ...) ST_PRINTF(4, 5);
enum st document_fail_at(const struct document *document, struct fy_node *node,
                         size_t offset, struct err *err, const char *format,
                         ...) ST_PRINTF(5, 6);

/* Returns the value of key 'name' in 'node', or NULL if 'node' is not a map or
 * has no such key. */
struct fy_node *document_member(struct fy_node *node, const char *name);

/* Returns whether 'node' explicitly has no value: "null" or "~", unquoted. */
bool document_is_none(struct fy_node *node);

/* Stores the raw text of 'node', which has to be a non-empty scalar; 'what'
 * names it in messages. */
enum st document_scalar(const struct document *document, struct fy_node *node,
                        const char *what, const char **text,
                        struct err *err) ST_WARN_UNUSED;

#endif /* yaml/document.h */
