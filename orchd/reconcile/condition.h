/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_CONDITION_H
#define ORCHD_RECONCILE_CONDITION_H

/* Attributes that are there only while another one has some value.
 *
 * A port has one mask of priorities for PFC, or one for each direction, and its
 * mode says which.  The mode comes from the row PORT, the mask from
 * PORT_QOS_MAP; so the row of the mask wants all that there might be, and the
 * condition that SAI has for each attribute (sai/core/metadata.h: VALID_IF_ANY)
 * decides which of them is meant.  That is so only of wants that say so
 * ('conditional' in translate.h): others are set whether or not they matter at
 * present.
 *
 * A mode that SAI refuses stays what it is, and with it the masks. */

#include <stdbool.h>

struct object;
struct slot;

/* Returns whether 'slot' of 'object' will be there once what is wanted of the
 * object is granted, as far as SAI is expected to grant it. */
bool condition_will_hold(const struct object *object, const struct slot *slot);

/* Returns whether 'slot' is there on the ASIC as it is. */
bool condition_holds(const struct object *object, const struct slot *slot);

#endif /* orchd/reconcile/condition.h */
