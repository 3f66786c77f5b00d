/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PAIRED_BOUNDS_H
#define ORCHD_RECONCILE_PAIRED_BOUNDS_H

/* Pairs of attributes of which one must not exceed the other.
 *
 * The thresholds of WRED and the rates and bursts of a scheduler come in pairs,
 * a lower and an upper one, and SAI libraries check each call by itself.  A
 * profile that moves from 1..2 MB to 3..4 MB cannot have its minimum set first,
 * and one that moves back not its maximum.  So the range is widened before it
 * is narrowed: the upper attribute first if the lower one is to rise above what
 * the upper one is now, else the lower one first.
 *
 * "Now" is what SAI accepted.  That a call is planned does not mean that it
 * will be accepted, so the order alone is not enough: before a call is made it
 * is looked at once more, and left out while it would cross the other bound.
 * Where a device failed without saying whether it has made the change, the
 * bound is taken to be anywhere between what was tried; as none of that crosses
 * the other bound, one of the two can always be set.
 *
 * An upper attribute of zero is no bound at all: SAI takes it for the whole
 * buffer, or for the speed of the port. */

#include <stdbool.h>

#include <sai.h>

struct object;
struct slot;

/* Returns the attribute in whose place among the changes of 'object' that of
 * 'slot' comes: its own, or if the pair must be swapped, that of the other. */
sai_attr_id_t paired_bounds_place(const struct object *object,
                                  const struct slot *slot);

/* Returns whether 'slot' of 'object' can be set to 'value' now without a lower
 * bound above its upper one; true for what has no bounds. */
bool paired_bounds_allow(const struct object *object, const struct slot *slot,
                         const sai_attribute_value_t *value);

/* Notes that 'slot' may hold 'value' or what it held before.  To be called
 * before the slot is made uncertain. */
void paired_bounds_blur(const struct object *object, struct slot *slot,
                        const sai_attribute_value_t *value);

#endif /* orchd/reconcile/paired_bounds.h */
