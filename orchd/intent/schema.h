/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_SCHEMA_H
#define ORCHD_INTENT_SCHEMA_H

/* The YANG modules, asked about one row at a time.
 *
 * Ranges, patterns, enumerations, mandatory leaves, defaults and the rules
 * among the fields of a row ("must") are written once, in schemas/, and come
 * from there through libyang.  Validating a whole tree would cost milliseconds
 * and stop at the first error, so a row is judged alone: the type of each leaf
 * first, then mandatory leaves, then the rules.  References to other rows are
 * checked for their form only.
 *
 * This module and intent.c are the only users of libyang. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"
#include "orchd/intent/intent.h"
#include "orchd/intent/table.h"

struct schema;

/* Loads the modules of all live tables from 'directory'.  On failure returns
 * ST_INVALID or ST_NOT_FOUND, fills 'err' with the module and libyang's
 * message, and leaves '*schema' alone. */
enum st schema_create(const char *directory, struct schema **schema,
                      struct err *err) ST_WARN_UNUSED;

/* Frees 'schema'.  Accepts NULL. */
void schema_destroy(struct schema *schema);

/* Judges one row of a live table.  'fields' are trimmed and without the
 * placeholder; on ST_OK their values are in canonical form in 'canonical',
 * which has room for 'n' entries and points into memory of 'schema' that lives
 * until the next call.  Unknown fields have a NULL name there and are named in
 * 'warnings'.  ST_INVALID fills 'err': code ("range", "enum", "pattern",
 * "type", "mandatory", "rule", "key"), field, value, allowed, reason, remedy.
 */
enum st schema_check_row(struct schema *schema, enum table table,
                         const char *key, const struct field *fields, size_t n,
                         struct field *canonical, struct text *warnings,
                         struct err *err) ST_WARN_UNUSED;

#endif /* orchd/intent/schema.h */
