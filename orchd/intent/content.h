/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_CONTENT_H
#define ORCHD_INTENT_CONTENT_H

/* The fields of one row: sorted, immutable, in one piece of memory.
 *
 * There are thousands, and who is handed one often keeps it, so it is counted:
 * a row in memory and what was made of it share one. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/intent/field.h"

struct content {
    uint32_t n_users; /* Each ends with content_unref(). */
    uint32_t n;
    struct field fields[]; /* By name; the strings follow in the same block. */
};

/* Returns a sorted copy of the 'n' fields, leaving out those whose name or
 * value is NULL.  The caller is its one user. */
struct content *content_create(const struct field *fields, size_t n);

/* Returns 'content', which has one user more or is NULL; or takes a user away,
 * and frees it with the last one. */
struct content *content_ref(struct content *content);
void content_unref(struct content *content);

/* Returns whether both have the same fields with the same values. */
bool content_equal(const struct content *a, const struct content *b);

/* Returns whether 'a' has every field that 'b' has, with whatever value. */
bool content_covers(const struct content *a, const struct content *b);

/* Returns the value of 'name' among the 'n' sorted fields, or NULL. */
const char *content_find(const struct field *fields, size_t n,
                         const char *name);

#endif /* orchd/intent/content.h */
