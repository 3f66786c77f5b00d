/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_ARGUMENTS_H
#define ORCHD_CONTROL_ARGUMENTS_H

/* The arguments of a command: checked against its table, and made
 * from texts for clients that have no types, such as the query of a URL. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum argument_type {
    ARGUMENT_TEXT,   /* A string that is not empty. */
    ARGUMENT_TEXTS,  /* An array of such. */
    ARGUMENT_NUMBER, /* An integer in min..max. */
    ARGUMENT_FLAG,   /* A boolean. */
    ARGUMENT_OBJECT, /* A JSON object. */
    ARGUMENT_ARRAY,  /* Any JSON array. */
};

struct argument {
    const char *name; /* NULL ends a list of arguments. */
    enum argument_type type;
    bool required;
    int64_t min, max;
    const char *const *words; /* The allowed texts, ends with NULL; NULL: any
                               * text. */
};

/* The arguments of a verb. */
struct argument_list {
    const char *noun, *verb;
    const struct argument *arguments; /* NULL: none. */
};

/* An argument without a type. */
struct argument_text {
    const char *name, *value;
};

/* Checks the members of 'arguments'.  Returns ST_OK, or ST_INVALID with what is
 * allowed in 'err'. */
enum st arguments_check(const struct argument_list *list, json_t *arguments,
                        struct err *err) ST_WARN_UNUSED;

/* Stores the 'n' texts in '*arguments', a new object that the caller owns in
 * any case, with the types of the table: a number; "true" or "1" or "", "false"
 * or "0" for a flag; an array for what may be repeated; an object or array as
 * JSON.  What cannot be converted is stored as text, and is left for
 * arguments_check() to explain.  ST_INVALID: a text is not UTF-8, or is
 * repeated where the table has one value. */
enum st arguments_parse(const struct argument_list *list,
                        const struct argument_text *texts, size_t n,
                        json_t **arguments, struct err *err) ST_WARN_UNUSED;

#endif /* orchd/control/arguments.h */
