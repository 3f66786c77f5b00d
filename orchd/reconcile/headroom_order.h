/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_HEADROOM_ORDER_H
#define ORCHD_RECONCILE_HEADROOM_ORDER_H

/* Changes of headroom in an order in which none is ever missing.
 *
 * A profile reserves 'size' bytes.  Of these, XON is what must have left before
 * traffic resumes, and XOFF what still arrives after a pause was sent; unless
 * the pool has a shared headroom (its own XOFF is not zero), from which the
 * latter is then taken.  A profile is *sound* if
 *
 *     size >= xon + xoff    or, with shared headroom,    size >= xon.
 *
 * SAI libraries check each call by itself, and packets do not wait for a plan
 * to end.  So as long as a profile is sound and is meant to be, no single call
 * may leave it otherwise:
 *
 *   - its size grows before, and shrinks after, its thresholds, and of these
 *     what shrinks comes before what grows;
 *   - shared headroom is there before profiles begin to count on it, and goes
 *     when none does any more.
 *
 * Order alone is not enough, since a call may be refused: each is looked at
 * once more before it is made, and left out while it would do harm.  Where a
 * device failed without saying whether it has made a change, the worse of both
 * is assumed.  From any sound state to any sound one there is always a call
 * that is allowed: first what shrinks a threshold, then what enlarges a size,
 * then the rest.
 *
 * A profile that is not sound, or is not meant to be, is changed as it comes:
 * what a user writes is not judged here. */

#include <stdbool.h>

#include <sai.h>

struct object;
struct slot;

/* Returns the position of 'slot' among the changes of 'object' in '*order'; or
 * false if it does not matter. */
bool headroom_order_order(const struct object *object, const struct slot *slot,
                          int *order);

/* Returns whether 'slot' of 'object' can be set to 'value' now. */
bool headroom_order_allows(const struct object *object, const struct slot *slot,
                           const sai_attribute_value_t *value);

/* Returns whether 'object' can be created as it is wanted now. */
bool headroom_order_allows_creation(const struct object *object);

/* Returns the other object whose change has to come before one that 'object'
 * is to undergo, NULL if there is none. */
const struct object *headroom_order_waits_for(const struct object *object);

/* Notes that 'slot' of 'object' may hold 'value' or what it held before.  To be
 * called before the slot is made uncertain. */
void headroom_order_blur(const struct object *object, struct slot *slot,
                         const sai_attribute_value_t *value);

/* Notes that SAI accepted a change of 'slot' of 'object': others may have
 * waited for it. */
void headroom_order_note_change(struct object *object, const struct slot *slot);

#endif /* orchd/reconcile/headroom_order.h */
