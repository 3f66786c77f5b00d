/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BREAKPOINT_PARSER_INPUT_H
#define ORCHD_BREAKPOINT_PARSER_INPUT_H

/* A scenario to load, as text or by name, and values that replace its own. */

#include <stddef.h>

struct document_cache;

/* A value in place of that of the file: NAME is a parameter,
 * "row(TABLE|key).field", "chip.KEY" or a path ("topology.cable"). */
struct parser_set {
    const char *name, *value;
};

/* What to load. */
struct parser_input {
    const char *file; /* For messages, and to find included files. */
    const char *text; /* NULL: read 'file'.  Otherwise the contents: 'file' need
                       * not exist, and includes are not allowed. */
    size_t length;

    const struct parser_set *sets; /* Applied in order. */
    size_t n_sets;

    /* Files that were parsed before (parser_cache_create()); NULL: none. */
    struct document_cache *cache;
};

#endif /* breakpoint/parser_input.h */
