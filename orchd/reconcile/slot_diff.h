/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_SLOT_DIFF_H
#define ORCHD_RECONCILE_SLOT_DIFF_H

/* Whether a slot is where it is wanted: the question of which the whole plan
 * consists. */

#include <stdbool.h>

struct object;
struct slot;

/* Returns whether SAI would have to be called to bring 'slot' of 'object'
 * where it is wanted, whether or not a refusal stands in the way. */
bool slot_differs(const struct object *object, const struct slot *slot);

/* Returns whether some object that 'slot' holds was or will be replaced.  The
 * slot then differs although it wants the same object as ever: its id is not
 * the same. */
bool slot_is_stale(const struct slot *slot);

/* Returns whether 'object' must be replaced to become what is wanted. */
bool object_needs_replacement(const struct object *object);

#endif /* orchd/reconcile/slot_diff.h */
