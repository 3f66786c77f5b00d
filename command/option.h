/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_COMMAND_OPTION_H
#define ORCHD_COMMAND_OPTION_H

/* Options of command lines as tables: parsing, help, complaints.
 *
 * orchctl and orchlab share it, so that their options look and fail alike:
 * "--name VALUE", "--name=VALUE", "--flag"; an unknown one names the nearest.
 *
 * An option of some names has a letter, too, which is the same in all commands:
 * "-o FILE" wherever there is "--output", and "-h" for "--help".  Letters
 * cannot be joined to each other or to their value. */

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

enum option_type {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_TEXTS,  /* May be repeated; the argument is an array. */
    OPTION_NUMBER, /* In min..max. */

    /* The name of a file, which may be missing; the argument is then true.  The
     * next word is its value if it looks like one: it ends in a dot and
     * letters, and does not begin with '-'. */
    OPTION_FILE,
};

/* An option "--name"; its value becomes the argument 'name'. */
struct option {
    const char *name; /* NULL ends a list. */
    enum option_type type;
    const char *value; /* The placeholder in help: "PORT". */
    int64_t min, max;
    const char *help;
};

/* A list of options (NULL: none) and the object that gets their values. */
struct option_set {
    const struct option *options;
    json_t *values;
};

/* Returns "-o" for "output"; NULL if options of this name have no letter. */
const char *option_letter(const char *name);

/* Returns the name of the option that 'word' ("--output=FILE", "-o") is, and
 * stores its length; NULL if it is no option. */
const char *option_name(const char *word, size_t *length);

/* Returns the option with the first 'length' bytes of 'name' as its name, or
 * NULL. */
const struct option *option_find(const struct option *options, const char *name,
                                 size_t length);

/* Returns whether 'word' is the value of an OPTION_FILE before it. */
bool option_looks_like_file(const char *word);

/* Parses the option in argv[*i] and its value, for which it may advance '*i',
 * into the first of the 'n' sets that knows it.  ST_INVALID: 'err' says what is
 * wrong, and lists the options if there is none of that name. */
enum st option_take(const struct option_set *sets, size_t n, int argc,
                    char **argv, int *i, struct err *err) ST_WARN_UNUSED;

/* Prints a list of options with their help, aligned. */
void option_print(const struct option *options);

/* Prints 'left' and 'right' in two columns, on two lines if 'left' is longer
 * than 'width'. */
void option_print_entry(const char *left, int width, const char *right);

/* Prints "program: reason" and the details of 'err' to standard error. */
void option_complain(const char *program, const struct err *err);

#endif /* command/option.h */
