/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_ATTR_VALUE_H
#define ORCHD_SAI_CORE_ATTR_VALUE_H

/* Copying, comparing and handing out attribute values with their lists.
 *
 * Motivation: a value may point to a list that belongs to somebody else, and
 * its bytes contain padding.  Whoever keeps values (a backend, the memory of
 * the reconciler) copies them deeply; whoever compares them looks at what they
 * mean.  Kinds come from the metadata (sai/core/metadata.h). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"

struct arena;

/* Makes '*to' a copy of '*from' that shares nothing with it; all other bytes
 * of '*to' become zero.  The list, if any, is allocated with malloc() and
 * belongs to '*to', which ends with attr_value_fini(); an empty list has no
 * memory. What '*to' held before is not freed. */
void attr_value_copy(enum kind kind, const sai_attribute_value_t *from,
                     sai_attribute_value_t *to);

/* The same, but the list is a piece of 'arena' and goes with it. */
void attr_value_copy_to_arena(struct arena *arena, enum kind kind,
                              const sai_attribute_value_t *from,
                              sai_attribute_value_t *to);

/* Frees the list of '*value' and zeroes '*value'.  Only for what
 * attr_value_copy() has made. */
void attr_value_fini(enum kind kind, sai_attribute_value_t *value);

/* Returns whether both mean the same: equal contents, padding aside.  Lists
 * are equal in length and order; text is equal up to its end. */
bool attr_value_equal(enum kind kind, const sai_attribute_value_t *a,
                      const sai_attribute_value_t *b);

/* Answers a get: copies 'stored' to the caller's '*value'.  For a list, the
 * caller has set its capacity and memory: if they suffice the elements are
 * copied there and the count is set; else the result is
 * SAI_STATUS_BUFFER_OVERFLOW, the count says what is needed and the memory is
 * left alone.  The rest of '*value' becomes zero.  In a list of lists the
 * capacities of the inner ones count in the same way; where the outer one has
 * room, each gets the count that it needs. */
sai_status_t attr_value_get(enum kind kind, const sai_attribute_value_t *stored,
                            sai_attribute_value_t *value);

#endif /* sai/core/attr_value.h */
