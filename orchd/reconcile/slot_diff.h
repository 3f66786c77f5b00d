/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_SLOT_DIFF_H
#define ORCHD_RECONCILE_SLOT_DIFF_H

/* Whether a slot differs from what is wanted: the basis of every plan. */

#include <stdbool.h>

struct object;
struct slot;

/* Returns whether a SAI call is needed to bring 'slot' of 'object' to what is
 * wanted, whether or not a refusal stands. */
bool slot_differs(const struct object *object, const struct slot *slot);

/* Returns whether an object on the ASIC gets 'slot' by a SAI call of its own,
 * whether or not a refusal stands: it differs, or a row names the default that
 * it has and that was never set.  The latter call changes nothing on the
 * switch, and no answer depends on it, but ASIC_DB then shows what the row
 * says. */
bool slot_is_to_be_set(const struct object *object, const struct slot *slot);

/* Returns whether an object that 'slot' refers to was or will be replaced.  The
 * slot then differs although it wants the same object: the id has changed. */
bool slot_is_stale(const struct slot *slot);

/* Returns whether 'object' must be replaced to become what is wanted. */
bool object_needs_replacement(const struct object *object);

/* Returns the pool that 'object', a profile, is to use but whose direction on
 * the ASIC is not yet the wanted one, and which the plan does not replace, or
 * which the plan takes back; NULL if there is none.  A profile must not be
 * replaced for such a pool: its users could not be bound to the new one, which
 * is of the other direction. */
const struct object *object_awaited_pool(const struct object *object);

#endif /* orchd/reconcile/slot_diff.h */
