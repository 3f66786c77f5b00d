/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_LLR_ORDER_H
#define ORCHD_RECONCILE_LLR_ORDER_H

/* The order of the attributes of link-level retry of a port.
 *
 * A link must have a profile before it is protected, and as long as it is:
 *
 *     start      profile; remote; local on
 *     stop       remote, local off; no profile
 *     change     local, remote off; profile; remote, local on
 *
 * "Remote" protects what the port sends, "local" what it receives.  A profile
 * whose create-only attributes change is replaced, which is a change of each
 * port that uses it. */

#include <stdbool.h>

#include <sai.h>

struct object;
struct slot;

/* Returns whether attribute 'id' of objects of 'type' is one of the three. */
bool llr_order_concerns(sai_object_type_t type, sai_attr_id_t id);

/* Stores the position of the change of 'slot' among those of 'object'; false if
 * it is another attribute. */
bool llr_order_order(const struct object *object, const struct slot *slot,
                     int *order);

/* Returns whether 'slot' has to be off while the profile of 'object' changes,
 * as it does now, and on again afterwards.  Stores the positions of both
 * changes. */
bool llr_order_pauses(const struct object *object, const struct slot *slot,
                      int *off, int *on);

/* Returns whether 'slot' of 'object' can be set to 'value' now: a direction to
 * on only if the port certainly has a profile, the profile only if both
 * directions are certainly off, and a direction that is to be on to off only if
 * the profile is still to change.  True for other attributes. */
bool llr_order_allows(const struct object *object, const struct slot *slot,
                      const sai_attribute_value_t *value);

/* Returns the slot whose change SAI refuses if it refuses to set 'slot' of
 * 'object' to 'value': the profile if a direction is to be off only for it, or
 * else 'slot'. */
struct slot *llr_order_refused(const struct object *object, struct slot *slot,
                               const sai_attribute_value_t *value);

/* Returns whether a change of 'slot' of 'object' only makes way for another
 * profile, or undoes that because the profile was refused: then it is no reason
 * to try again what was refused, or it would never end. */
bool llr_order_is_passing(const struct object *object, const struct slot *slot);

#endif /* orchd/reconcile/llr_order.h */
