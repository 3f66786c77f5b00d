/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_CONTENT_H
#define ORCHD_INTENT_CONTENT_H

/* The fields of one row: sorted, immutable, in one block of memory.
 *
 * A switch has thousands of rows, and a row in memory shares its content with
 * what was derived from it.  Contents are therefore reference-counted. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "orchd/intent/field.h"

struct content {
    uint32_t n_users; /* Each calls content_unref(). */
    uint32_t n;
    struct field fields[]; /* By name; the strings follow in the same block. */
};

/* Returns a sorted copy of the 'n' fields, without those whose name or value is
 * NULL.  The caller holds the only reference. */
struct content *content_create(const struct field *fields, size_t n);

/* content_ref() adds a reference to 'content' and returns it; it accepts NULL.
 * content_unref() drops a reference and frees the content with the last one. */
struct content *content_ref(struct content *content);
void content_unref(struct content *content);

/* Returns whether both have the same fields with the same values. */
bool content_equal(const struct content *a, const struct content *b);

/* Returns whether 'a' has every field of 'b', with any value. */
bool content_covers(const struct content *a, const struct content *b);

/* Returns the value of 'name' among the 'n' sorted fields, or NULL. */
const char *content_find(const struct field *fields, size_t n,
                         const char *name);

/* Does the same among fields in any order. */
const char *content_search(const struct field *fields, size_t n,
                           const char *name);

/* Returns whether field 'name' among the 'n' sorted fields has 'value'. */
bool content_is(const struct field *fields, size_t n, const char *name,
                const char *value);

#endif /* orchd/intent/content.h */
