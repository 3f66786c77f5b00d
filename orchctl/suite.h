/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_SUITE_H
#define ORCHD_ORCHCTL_SUITE_H

/* The cases that the operands of a command mean: each variant of each file, and
 * of a directory all files NAME.yaml in it and below, in the order of their
 * names, but for directories called "common", which have what is included. */

#include <stddef.h>

#include "base/status.h"

struct arena;

struct suite_case {
    const char *file;
    size_t variant;
    const char *variant_name; /* "" if the file has none. */
};

struct suite {
    struct suite_case *cases; /* On the heap. */
    size_t n;
};

/* Adds the cases of 'path', whose texts are from 'arena'.  ST_NOT_FOUND: it
 * cannot be read; ST_INVALID: a file is wrong at the top. */
enum st suite_add(struct suite *suite, const char *path, struct arena *arena,
                  struct err *err) ST_WARN_UNUSED;

/* Keeps only the cases of that variant.  ST_NOT_FOUND: there is none; 'err'
 * lists those there are. */
enum st suite_keep(struct suite *suite, const char *variant,
                   struct err *err) ST_WARN_UNUSED;

/* Keeps the first of every 'n' (at least 1) cases: a sample that takes a part
 * of the time and is the same each time. */
void suite_thin(struct suite *suite, size_t n);

/* Frees the list. */
void suite_fini(struct suite *suite);

#endif /* orchctl/suite.h */
