/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_FIELD_H
#define ORCHD_INTENT_FIELD_H

/* One field of a row: a pair of texts, as in a hash of Redis.  Whoever holds
 * one says who owns the texts. */
struct field {
    const char *name;
    const char *value;
};

#endif /* orchd/intent/field.h */
