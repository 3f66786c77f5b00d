/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CONDITION_H
#define ORCHD_RECONCILE_CONDITION_H

/* Attributes that exist only while another attribute has some value.
 *
 * A port has one PFC mask of priorities, or one for each direction; its PFC
 * mode says which.  The mode comes from the row PORT, the mask from
 * PORT_QOS_MAP.  So the row with the mask wants all the masks, and the
 * condition in the SAI metadata (sai/core/metadata.h: VALID_IF_ANY) decides
 * which of them apply.  That holds only for wants marked 'conditional'
 * (translate.h); others are set whether or not they have an effect at present.
 *
 * If SAI refuses the mode, the mode and the masks stay as they are. */

#include <stdbool.h>

struct object;
struct slot;

/* Returns whether the condition of 'slot' of 'object' will hold once SAI has
 * accepted what is wanted, except for what it has refused. */
bool condition_will_hold(const struct object *object, const struct slot *slot);

/* Returns whether the condition of 'slot' holds on the ASIC now. */
bool condition_holds(const struct object *object, const struct slot *slot);

#endif /* orchd/reconcile/condition.h */
