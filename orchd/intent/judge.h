/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_JUDGE_H
#define ORCHD_INTENT_JUDGE_H

/* One row as the database has it -> what it means, or what is wrong with it.
 *
 * Existing tools write rows in several dialects.  Before the schema sees a
 * row, these are reduced to one:
 *   - the pair NULL: NULL marks a row without fields, and is dropped;
 *   - "field@" is what SONiC's connector makes of a list; it is "field";
 *   - blanks around a value are dropped (warning "trimmed-blanks");
 *   - "[TABLE|name]" is an old way to write a reference; it is the name, if
 *     the table is the right one (warning "legacy-reference"); likewise each
 *     item of a list of references;
 *   - an empty reference is no reference (warning "empty-reference"), but in
 *     BUFFER_PG, where a missing profile asks for one to be computed;
 *   - "None" is no length of a cable (warning "no-length").
 *
 * Errors have the codes of schema.h, and "reference" for a bracket that names
 * the wrong table. */

#include <stdbool.h>

#include "base/status.h"
#include "orchd/intent/content.h"
#include "orchd/intent/key.h"
#include "orchd/intent/schema.h"
#include "orchd/intent/table.h"

/* The question.  All borrowed. */
struct judge_case {
    enum table table; /* A live one. */
    const struct key *key;
    const struct content *raw;      /* As the database has it. */
    const struct content *previous; /* In force, or NULL: a field with a bad
                                     * value that is tolerated keeps the one
                                     * it has there. */
    const char *buffer_model;       /* In force, or NULL. */
    bool strict;
};

/* Judges 'question'.  On ST_OK stores the effective content in '*content', of
 * which the caller is the one user; on ST_INVALID fills 'err'.  Adds to
 * 'warnings' in both cases. */
enum st judge_row(struct schema *schema, const struct judge_case *question,
                  struct content **content, struct text *warnings,
                  struct err *err) ST_WARN_UNUSED;

#endif /* orchd/intent/judge.h */
