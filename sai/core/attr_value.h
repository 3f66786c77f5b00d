/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_CORE_ATTR_VALUE_H
#define ORCHD_SAI_CORE_ATTR_VALUE_H

/* Copies, compares and returns attribute values with their lists.
 *
 * Motivation: a value may point to a list with another owner, and its bytes
 * contain padding.  Code that keeps values (a backend, the memory of the
 * reconciler) needs deep copies, and code that compares values must ignore the
 * padding.  The kind of a value comes from the metadata
 * (sai/core/metadata.h). */

#include <stdbool.h>
#include <stdint.h>

#include <sai.h>

#include "sai/core/kind.h"

struct arena;

/* Makes '*to' a deep copy of '*from' and zeroes the padding of '*to'.  The
 * list, if any, is allocated with malloc() and owned by '*to', which the caller
 * frees with attr_value_fini(); an empty list has no memory.  The previous
 * value of
 * '*to' is not freed. */
void attr_value_copy(enum kind kind, const sai_attribute_value_t *from,
                     sai_attribute_value_t *to);

/* Like attr_value_copy(), but 'arena' owns the list. */
void attr_value_copy_to_arena(struct arena *arena, enum kind kind,
                              const sai_attribute_value_t *from,
                              sai_attribute_value_t *to);

/* Frees the list of '*value', which attr_value_copy() made, and zeroes
 * '*value'. */
void attr_value_fini(enum kind kind, sai_attribute_value_t *value);

/* Returns whether both values are equal, without their padding.  Lists must
 * have the same elements in the same order; text is compared up to its
 * terminator. */
bool attr_value_equal(enum kind kind, const sai_attribute_value_t *a,
                      const sai_attribute_value_t *b);

/* Implements get: copies 'stored' to the caller's '*value'.  In '*value', the
 * caller passes the capacity and memory of a list.  If they suffice, the
 * elements are copied and the count is set; otherwise the result is
 * SAI_STATUS_BUFFER_OVERFLOW, the count is the needed capacity, and the memory
 * is unchanged.  The rest of '*value' becomes zero.  The same holds for the
 * inner lists of a list of lists: if the outer list has room, each inner list
 * gets the count that it needs. */
sai_status_t attr_value_get(enum kind kind, const sai_attribute_value_t *stored,
                            sai_attribute_value_t *value);

#endif /* sai/core/attr_value.h */
