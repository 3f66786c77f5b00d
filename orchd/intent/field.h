/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_FIELD_H
#define ORCHD_INTENT_FIELD_H

#include <stddef.h>

/* One field of a row: a pair of texts, as in a hash of Redis.  Whoever holds
 * one says who owns the texts. */
struct field {
    const char *name;
    const char *value;
};

/* A row of CONFIG_DB as somebody wrote it, on its way in: the complete key
 * ("PORT|Ethernet0"), and its fields.  Without any it is a row all the same. */
struct field_row {
    const char *key;
    const struct field *fields;
    size_t n_fields;
};

#endif /* orchd/intent/field.h */
