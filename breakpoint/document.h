/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_DOCUMENT_H
#define ORCHD_BREAKPOINT_DOCUMENT_H

/* A YAML file whose every node can say where it stands.
 *
 * Reading a scenario is walking its nodes with an idea of what each has to be.
 * This module holds what all such walks need: messages with file, line and
 * column; parameters and their substitution; and maps read by a table of
 * their keys. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct arena;
struct document;
struct fy_node;

/* Parses the 'length' bytes of 'text'.  ST_INVALID fills 'err'.  Whatever the
 * document hands out is allocated from 'arena', which is borrowed.  'file' is
 * for messages, and borrowed too. */
enum st document_open(const char *file, const char *text, size_t length,
                      struct arena *arena, struct document **document,
                      struct err *err) ST_WARN_UNUSED;

/* Frees 'document'; what it handed out stays.  Accepts NULL. */
void document_close(struct document *document);

/* Returns the root node, NULL if the document is empty. */
struct fy_node *document_root(const struct document *document);

/* Stores where 'node' begins, counted from 1; 1:1 for NULL. */
void document_place(const struct document *document, struct fy_node *node,
                    unsigned int *line, unsigned int *column);

/* Fills 'err' with "file:line:column: " of 'node' and the formatted text;
 * returns ST_INVALID. */
enum st document_fail(const struct document *document, struct fy_node *node,
                      struct err *err, const char *format, ...) ST_PRINTF(4, 5);

/* Defines the parameters from map 'node': each is a number (an expression of
 * those before it) or, if it starts with a letter, a text. */
enum st document_params(struct document *document, struct fy_node *node,
                        struct err *err) ST_WARN_UNUSED;

/* Computes scalar 'node', an expression, into '*value'; 'what' names it in
 * messages. */
enum st document_number(const struct document *document, struct fy_node *node,
                        const char *what, int64_t min, int64_t max,
                        int64_t *value, struct err *err) ST_WARN_UNUSED;

/* Stores the text of scalar 'node', with each "$name" replaced by that
 * parameter, in '*text'. */
enum st document_text(const struct document *document, struct fy_node *node,
                      const char *what, const char **text,
                      struct err *err) ST_WARN_UNUSED;

/* What the value of a key has to be, and what it is stored as. */
enum form_type {
    FORM_NODE,   /* Anything: struct fy_node * */
    FORM_TEXT,   /* A scalar: const char * */
    FORM_NUMBER, /* An expression in min..max: int64_t */
    FORM_WORD,   /* One of 'words': int, its position. */
};

/* One key that a map may have. */
struct form {
    const char *key;
    enum form_type type;
    bool required;
    size_t offset; /* Of the member in the caller's struct. */
    int64_t min, max;
    const char *const *words; /* Ends with NULL. */
};

/* Reads map 'node' by its 'n' (at most 32) 'forms' into the struct at 'base';
 * members without a key stay as they are.  Bit i of '*seen' tells whether
 * forms[i] had one.  'what' names the map in messages. */
enum st document_map(const struct document *document, struct fy_node *node,
                     const char *what, const struct form *forms, size_t n,
                     void *base, uint32_t *seen,
                     struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/document.h */
