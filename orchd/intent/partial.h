/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_PARTIAL_H
#define ORCHD_INTENT_PARTIAL_H

/* Completes a row of CONFIG_DB that has only some fields.
 *
 * An operator who tunes a derived profile writes the one field to change, as if
 * the profile was in CONFIG_DB:
 *
 *     HSET BUFFER_PROFILE|pg_lossless_100000_40m_profile dynamic_th -2
 *
 * The other fields come from the derived row, and follow it. */

#include <stddef.h>

#include "orchd/intent/field.h"

struct content;

/* Returns 'over' with those of the 'n' fields of a derived profile that it
 * lacks.  A threshold of 'over' replaces the derived one of either kind. The
 * caller holds the only reference. */
struct content *partial_complete(const struct content *over,
                                 const struct field *fields, size_t n);

#endif /* orchd/intent/partial.h */
