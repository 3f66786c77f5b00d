/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PARSER_H
#define ORCHD_BREAKPOINT_PARSER_H

/* From a YAML file to scenarios.
 *
 * A file is one scenario, or one for each of its variants: the combinations of
 * the values in "matrix", for each of the sets in "variants".  Each is loaded
 * by itself, from the file to the last step, because its parameters may decide
 * about chip, configuration and steps.
 *
 * Order of things: parameters are defined, the bench is opened with the chip,
 * the configuration is brought to it, and then the steps are read, which may
 * ask for facts of both. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

struct arena;
struct bench;
struct scenario;

/* What to load. */
struct parser_input {
    const char *file; /* For messages, and to find what it includes. */
    const char *text; /* NULL: what is in 'file'; else it need not exist, and
                       * includes nothing. */
    size_t length;
};

/* Stores the names of the variants of 'input', allocated from 'arena'; a file
 * without any has one that is called "".  Fails as parser_load() does. */
enum st parser_variants(const struct parser_input *input, struct arena *arena,
                        const char *const **names, size_t *n,
                        struct err *err) ST_WARN_UNUSED;

/* Loads variant number 'variant' of 'input' on 'bench' (NULL: on none; then it
 * cannot ask for facts).  On success the caller ends '*scenario' with
 * scenario_destroy().  ST_INVALID: the reason in 'err' starts with
 * "file:line:column: " and says what was expected.  ST_NOT_FOUND: the file
 * cannot be read.  Others: the bench has failed. */
enum st parser_load(const struct parser_input *input, size_t variant,
                    struct bench *bench, struct scenario **scenario,
                    struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/parser.h */
