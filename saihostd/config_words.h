/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAIHOSTD_CONFIG_WORDS_H
#define ORCHD_SAIHOSTD_CONFIG_WORDS_H

/* Options from a configuration file and from the environment.
 *
 * The file of --config FILE, or of the variable PREFIX_CONFIG, has a line
 * "name = value" per option; a flag is true or false.  A variable of the
 * environment is PREFIX_NAME, in upper case with '_' for '-'.  They become
 * words in front of those of the command line, so that the later ones override:
 * the file, the environment, the command line. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct arena;

/* An option that may be in the file. */
struct config_option {
    const char *name;
    bool flag; /* It has no argument on the command line. */
};

struct config_words {
    char **argv; /* The words of all sources, with NULL at the end. */
    int argc;
    const char **origins; /* Where each word is from: "FILE:3", "SAIHOSTD_SAI";
                           * NULL: the command line. */
    struct arena *arena;
};

/* Collects the words of all sources.  'prefix' is "SOFTASICD"; 'environment'
 * ends with NULL.  ST_NOT_FOUND, ST_IO: the file cannot be read; ST_INVALID: a
 * line has no known option.  'err' has the first error with its place.  In any
 * case the caller ends '*words' with config_words_fini(). */
enum st config_words_init(struct config_words *words,
                          const struct config_option *options, size_t n,
                          const char *prefix, int argc, char **argv,
                          const char *const *environment,
                          struct err *err) ST_WARN_UNUSED;

void config_words_fini(struct config_words *words);

#endif /* saihostd/config_words.h */
