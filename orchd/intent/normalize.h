/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_NORMALIZE_H
#define ORCHD_INTENT_NORMALIZE_H

/* Validates one row as the database has it and returns its effective content,
 * or the error.
 *
 * Existing tools write rows in several dialects. They are normalized before the
 * schema checks the row:
 *   - the pair NULL: NULL marks a row without fields, and is dropped;
 *   - "field@" is how SONiC's connector stores a list; it becomes "field";
 *   - blanks around a value are dropped (warning "trimmed-blanks");
 *   - "[TABLE|name]" is an old way to write a reference; it becomes the name if
 *     the table is the right one (warning "legacy-reference"); so does each
 * item of a list of references;
 *   - an empty reference is dropped (warning "empty-reference"), except in
 *     BUFFER_PG, where it requests a computed profile;
 *   - a cable length "None" is dropped (warning "no-length").
 *
 * Errors have the codes of schema.h, and "reference" for a bracket that names
 * the wrong table. */

#include <stdbool.h>

#include "base/status.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "orchd/intent/schema.h"
#include "orchd/intent/table.h"

/* The row to validate.  All borrowed. */
struct normalize_input {
    enum table table;
    const struct key *key;
    const struct content *raw;      /* As the database has it. */
    const struct content *previous; /* In force, or NULL: a field whose bad
                                     * value is tolerated keeps the value it has
                                     * there. */
    const char *buffer_model;       /* In force, or NULL. */
    bool strict;
};

/* Validates 'input'.  On ST_OK stores the effective content in '*content',
 * with one reference that belongs to the caller; on ST_INVALID fills 'err'.
 * Appends to 'warnings' in both cases. */
enum st normalize_row(struct schema *schema,
                      const struct normalize_input *input,
                      struct content **content, struct text *warnings,
                      struct err *err) ST_WARN_UNUSED;

#endif /* orchd/intent/normalize.h */
