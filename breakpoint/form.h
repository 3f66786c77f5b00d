/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_FORM_H
#define ORCHD_BREAKPOINT_FORM_H

/* Maps read by a table of their keys.
 *
 * Each verb has a table of the keys that its map may have, with the type and
 * range of their values.  Nothing of a file is left unread: a key that the
 * table does not have is an error that names the most similar one, for a
 * misspelt expectation must not pass. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct fy_node;
struct values;

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

/* The most keys of a table. */
#define FORM_KEYS_MAX 64

/* Reads map 'node' by its 'n' (at most FORM_KEYS_MAX) 'forms' into the struct
 * at 'base'; members without a key stay as they are.  Bit i of '*seen' tells
 * whether forms[i] had one.  'what' names the map in messages. */
enum st form_read(struct values *values, struct fy_node *node, const char *what,
                  const struct form *forms, size_t n, void *base,
                  uint64_t *seen, struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/form.h */
