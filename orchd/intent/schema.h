/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_SCHEMA_H
#define ORCHD_INTENT_SCHEMA_H

/* The YANG modules, applied to one row at a time.
 *
 * Ranges, patterns, enumerations, mandatory leaves and the rules among the
 * fields of a row ("must") are written once, in schemas/; libyang reads them
 * from there.  Validating a whole tree would cost milliseconds and stop at the
 * first error, so each row is validated alone: the type of each leaf first,
 * then mandatory leaves, then the rules.
 *
 * References to other rows are checked for their form only, and a rule that
 * depends on other rows is left to the validation of a whole tree.  The one
 * exception is DEVICE_METADATA.buffer_model, which decides what other rows
 * need: the caller passes its value, and schema_needs_model() returns which
 * tables to validate again when it changes.
 *
 * In the modules, the error-message of a "must" is the reason that the user
 * reads, its error-app-tag the code, and its description the remedy.  The
 * error-message of a pattern says what the value may be.  The extension
 * sonic-types:refers-to names the table that a plain name refers to where that
 * table has no module.
 *
 * This module is the only user of libyang. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "base/text.h"
#include "orchd/intent/field.h"
#include "orchd/intent/key.h"
#include "orchd/intent/table.h"

struct content;
struct schema;

/* Loads the modules of all tables from 'directory'.  On failure returns
 * ST_INVALID or ST_NOT_FOUND, fills 'err' with the module and libyang's
 * message, and leaves '*schema' alone. */
enum st schema_create(const char *directory, struct schema **schema,
                      struct err *err) ST_WARN_UNUSED;

/* Frees 'schema'.  Accepts NULL. */
void schema_destroy(struct schema *schema);

/* A row to validate.  All borrowed. */
struct schema_row {
    enum table table;
    const struct key *key;      /* As key_parse() made it. */
    const struct field *fields; /* Trimmed, without the NULL placeholder. */
    size_t n;
    const char *buffer_model; /* As accepted before; NULL if not configured. */
    bool strict;              /* Unknown fields are an error. */

    /* The content that was accepted before, or NULL: unchanged fields of a map
     * are not checked again. */
    const struct content *accepted;
};

/* Validates 'row'.  On ST_OK its fields are in 'canonical', which has room for
 * 'row->n' entries, in the same order and in canonical form: numbers without
 * sign or leading zeros. The strings are valid until the next call. The name is
 * NULL where the field is to be ignored (it is unknown, or has no meaning in
 * this row), and the value is NULL where a bad value must not affect the rest
 * of the row (DEVICE_METADATA).  'warnings', a comma list to which items are
 * added, names both.
 *
 * ST_INVALID fills 'err': field, value, allowed, reason, remedy, and a code:
 *   "type"          not a number where one is needed,
 *   "range"         a number out of bounds,
 *   "enum"          not one of the allowed words,
 *   "pattern"       text of the wrong form,
 *   "mandatory"     a field, or every entry of a map, is missing,
 *   "duplicate"     two spellings of the same key in a map, or the same
 *                   value twice in a list,
 *   "unknown-field" only if strict,
 *   "key"           the key of the row,
 *   or the error-app-tag of a rule. */
enum st schema_check_row(struct schema *schema, const struct schema_row *row,
                         struct field *canonical, struct text *warnings,
                         struct err *err) ST_WARN_UNUSED;

/* Returns whether a verdict on rows of 'table' depends on the buffer model. */
bool schema_needs_model(const struct schema *schema, enum table table);

/* Returns the name of the table that 'field' of a row of 'table' refers to,
 * NULL if it is no reference. */
const char *schema_reference(const struct schema *schema, enum table table,
                             const char *field);

/* What the modules say about a field.  The schema owns the strings. */
struct schema_field {
    const char *allowed;       /* For users, as in errors: "1..100". */
    const char *default_value; /* The default; NULL: none. */
    const char *refers_to;     /* As schema_reference() says. */
};

/* Fills '*found' for 'field' of a row of 'table', which is not a map.  Returns
 * false, and leaves '*found' alone, if such rows have no such field. */
bool schema_find_field(const struct schema *schema, enum table table,
                       const char *field, struct schema_field *found);

/* Returns ST_OK if rows of 'table' can have 'field'; those of a map have any.
 * ST_INVALID fills 'err' with code "unknown-field", the nearest field and the
 * existing ones. */
enum st schema_check_name(const struct schema *schema, enum table table,
                          const char *field, struct err *err) ST_WARN_UNUSED;

/* Returns whether 'field' of a row of 'table' is a comma list of values. */
bool schema_is_list(const struct schema *schema, enum table table,
                    const char *field);

/* Appends "slug field" to a comma list of warnings, unless the list is long. */
void schema_warn(struct text *warnings, const char *slug, const char *field);

#endif /* orchd/intent/schema.h */
