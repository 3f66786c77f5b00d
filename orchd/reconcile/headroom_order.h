/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_HEADROOM_ORDER_H
#define ORCHD_RECONCILE_HEADROOM_ORDER_H

/* Orders changes of headroom so that lossless traffic always has enough.
 *
 * A profile reserves 'size' bytes.  XON is the level to which the buffer must
 * drain before traffic resumes; XOFF is what still arrives after a pause was
 * sent. XOFF comes out of 'size', unless the pool has a shared headroom (its
 * own XOFF is not zero).  A profile is *sound* if
 *
 *     size >= xon + xoff    or, with shared headroom,    size >= xon.
 *
 * SAI libraries check each call on its own, and packets do not wait for a plan
 * to finish.  So while a profile is sound and is meant to be sound, no single
 * call may leave it unsound:
 *
 *   - its size grows before its thresholds grow, and shrinks after they shrink;
 *     thresholds that shrink come before those that grow;
 *   - a pool gets its shared headroom before profiles rely on it, and gives it
 *     up after the last profile has stopped relying on it.
 *
 * Order alone is not enough, because SAI may refuse a call: each call is
 * checked again before it is made, and skipped while it would do harm.  If a
 * device failed without saying whether it made a change, the worse outcome is
 * assumed.  Between two sound states there is always an allowed call: first
 * those that shrink a threshold, then those that grow a size, then the rest.
 *
 * Where another program makes the changes (confirmation.h), it also orders
 * them: everything is allowed.
 *
 * A profile that is not sound, or is not meant to be, is changed in any order:
 * this module does not judge what a user configures. */

#include <stdbool.h>

#include <sai.h>

struct object;
struct slot;

/* Stores in '*order' the position of 'slot' among the changes of 'object'.
 * Returns false if this module does not order it. */
bool headroom_order_order(const struct object *object, const struct slot *slot,
                          int *order);

/* Returns whether 'slot' of 'object' may be set to 'value' now. */
bool headroom_order_allows(const struct object *object, const struct slot *slot,
                           const sai_attribute_value_t *value);

/* Returns whether 'object' may be created as wanted now. */
bool headroom_order_allows_creation(const struct object *object);

/* Returns the object that must change before 'object' can; NULL if there is
 * none. */
const struct object *headroom_order_waits_for(const struct object *object);

/* Records that 'slot' of 'object' may hold 'value' or its previous value.  Call
 * it before the slot is made uncertain. */
void headroom_order_blur(const struct object *object, struct slot *slot,
                         const sai_attribute_value_t *value);

/* Records that SAI accepted a change of 'slot' of 'object', for which others
 * may have waited. */
void headroom_order_note_change(struct object *object, const struct slot *slot);

#endif /* orchd/reconcile/headroom_order.h */
