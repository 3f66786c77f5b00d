/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_FIELD_H
#define ORCHD_INTENT_FIELD_H

#include <stddef.h>

/* One field of a row: a pair of strings, as in a Redis hash.  The owner of the
 * strings is named where a field is stored. */
struct field {
    const char *name;
    const char *value;
};

/* A row of CONFIG_DB as it comes in: the complete key ("PORT|Ethernet0") and
 * its fields.  A row may have no fields. */
struct field_row {
    const char *key;
    const struct field *fields;
    size_t n_fields;
};

#endif /* orchd/intent/field.h */
