/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PARSER_H
#define ORCHD_BREAKPOINT_PARSER_H

/* Turns a YAML file into scenarios.
 *
 * A file is one scenario, or one for each of its variants: every combination of
 * the values in "matrix", for each of the sets in "variants".  Each variant is
 * loaded separately from the start, because chip, configuration and steps may
 * depend on its parameters.
 *
 * The loader defines the parameters, opens the bench with the chip, configures
 * the switch, and then reads the steps, which may refer to facts about the chip
 * and to rows of the configuration. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "breakpoint/parser_input.h"

struct arena;
struct bench;
struct document_cache;
struct scenario;

/* Returns an empty cache for those who load the same files many times: a text
 * is parsed only once (yaml/document.h).  End with parser_cache_destroy(). */
struct document_cache *parser_cache_create(void);
void parser_cache_destroy(struct document_cache *cache);

/* Stores the names of the variants of 'input', allocated from 'arena'.  A file
 * without variants has one called "".  Fails as parser_load() does. */
enum st parser_variants(const struct parser_input *input, struct arena *arena,
                        const char *const **names, size_t *n,
                        struct err *err) ST_WARN_UNUSED;

/* Stores in '*digest' a digest of what the files of 'input' contain: the
 * scenario, those that it includes, and those of its configuration, except ones
 * that a parameter names.  Fails as parser_load() does. */
enum st parser_digest(const struct parser_input *input, uint64_t *digest,
                      struct err *err) ST_WARN_UNUSED;

/* Loads variant number 'variant' of 'input' on 'bench' (NULL: without a bench,
 * so the scenario cannot refer to facts).  On success the caller frees
 * '*scenario' with scenario_destroy().  ST_INVALID: the reason in 'err' starts
 * with "file:line:column: " and says what was expected, or with "--param
 * NAME=VALUE: " if it is because of that value.  ST_NOT_FOUND: the file cannot
 * be read.  Others: the bench has failed. */
enum st parser_load(const struct parser_input *input, size_t variant,
                    struct bench *bench, struct scenario **scenario,
                    struct err *err) ST_WARN_UNUSED;

#endif /* breakpoint/parser.h */
