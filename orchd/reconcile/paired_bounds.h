/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_PAIRED_BOUNDS_H
#define ORCHD_RECONCILE_PAIRED_BOUNDS_H

/* Pairs of attributes of which the lower must not exceed the upper.
 *
 * The thresholds of WRED and the rates and bursts of a scheduler come in pairs,
 * and SAI libraries check each call on its own.  A profile that moves from 1..2
 * MB to 3..4 MB cannot have its minimum set first, and one that moves back
 * cannot have its maximum set first.  So a range is widened before it is
 * narrowed: the upper attribute comes first if the lower one is to rise above
 * the current upper one; otherwise the lower one comes first.
 *
 * "Current" means accepted by SAI.  A planned call may be refused, so the order
 * alone is not enough: each call is checked again before it is made, and
 * skipped while it would cross the other bound.  If a device failed without
 * saying whether it made a change, the bound is assumed to be anywhere between
 * the values that were tried.  None of these crosses the other bound, so one of
 * the two can always be set.
 *
 * An upper attribute of zero means no bound: SAI takes it for the whole buffer,
 * or for the speed of the port. */

#include <stdbool.h>

#include <sai.h>

struct object;
struct slot;

/* Returns the attribute at whose position among the changes of 'object' that of
 * 'slot' is made: its own, or the other one's if the pair must be swapped. */
sai_attr_id_t paired_bounds_place(const struct object *object,
                                  const struct slot *slot);

/* Returns whether 'slot' of 'object' can be set to 'value' now without the
 * lower bound exceeding the upper one; true for attributes that are in no
 * pair, and where another program makes the changes. */
bool paired_bounds_allow(const struct object *object, const struct slot *slot,
                         const sai_attribute_value_t *value);

/* Records that 'slot' may hold 'value' or its previous value.  Call it before
 * the slot is made uncertain. */
void paired_bounds_blur(const struct object *object, struct slot *slot,
                        const sai_attribute_value_t *value);

#endif /* orchd/reconcile/paired_bounds.h */
