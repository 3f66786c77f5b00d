/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_CASE_LIST_H
#define ORCHD_ORCHCTL_CASE_LIST_H

/* The cases that the operands of a command stand for: each variant of each
 * file, and for a directory all files NAME.yaml in it and below, in the order
 * of their names, except in directories called "common", which contain included
 * files. */

#include <stddef.h>

#include "base/status.h"
#include "breakpoint/parser.h"

struct arena;

struct case_list_item {
    const char *file;
    size_t variant;
    const char *variant_name; /* "" if the file has none. */

    /* The point of a sweep (orchctl/sweep_points.h), and which of its runs this
     * is, from 1. */
    const struct parser_set *sets;
    size_t n_sets;
    unsigned int repetition;
};

struct case_list {
    struct case_list_item *items; /* On the heap. */
    size_t n;
};

/* Adds the cases of 'path', with texts from 'arena'.  ST_NOT_FOUND: it cannot
 * be read.  ST_INVALID: a file has an error at its top level. */
enum st case_list_add(struct case_list *cases, const char *path,
                      struct arena *arena, struct err *err) ST_WARN_UNUSED;

/* Removes the cases of other variants.  ST_NOT_FOUND: there is no such variant;
 * 'err' lists the existing ones. */
enum st case_list_keep_variant(struct case_list *cases, const char *variant,
                               struct err *err) ST_WARN_UNUSED;

/* Keeps the first of every 'n' (at least 1) cases: a deterministic sample that
 * takes less time. */
void case_list_sample(struct case_list *cases, size_t n);

/* Returns what to load for 'one'. */
struct parser_input case_list_input(const struct case_list_item *one);

/* Frees the list. */
void case_list_fini(struct case_list *cases);

#endif /* orchctl/case_list.h */
