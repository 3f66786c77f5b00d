/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CASE_LIST_H
#define ORCHD_ORCHCTL_CASE_LIST_H

/* The cases that the operands of a command mean: each variant of each file, and
 * of a directory all files NAME.yaml in it and below, in the order of their
 * names, but for directories called "common", which have what is included. */

#include <stddef.h>

#include "base/status.h"

struct arena;

struct case_list_item {
    const char *file;
    size_t variant;
    const char *variant_name; /* "" if the file has none. */
};

struct case_list {
    struct case_list_item *items; /* On the heap. */
    size_t n;
};

/* Adds the cases of 'path', whose texts are from 'arena'.  ST_NOT_FOUND: it
 * cannot be read; ST_INVALID: a file is wrong at the top. */
enum st case_list_add(struct case_list *cases, const char *path,
                      struct arena *arena, struct err *err) ST_WARN_UNUSED;

/* Keeps only the cases of that variant.  ST_NOT_FOUND: there is none; 'err'
 * lists those there are. */
enum st case_list_keep_variant(struct case_list *cases, const char *variant,
                               struct err *err) ST_WARN_UNUSED;

/* Keeps the first of every 'n' (at least 1) cases: a sample that takes a part
 * of the time and is the same each time. */
void case_list_sample(struct case_list *cases, size_t n);

/* Frees the list. */
void case_list_fini(struct case_list *cases);

#endif /* orchctl/case_list.h */
