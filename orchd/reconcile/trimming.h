/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_RECONCILE_TRIMMING_H
#define ORCHD_RECONCILE_TRIMMING_H

/* How the attributes of packet trimming, SWITCH_TRIMMING|GLOBAL, differ from
 * other attributes.
 *
 * - They are set in an order of their own: size, then how the DSCP is chosen
 *   before the DSCP and the traffic class, then the same for the queue.
 * - None returns to its default when its field or its row is removed, or when
 *   the mode that uses it is left: the ASIC *keeps* the value.  So a removal
 *   makes no call, as in SONiC's orchagent, and the row says that it had no
 *   effect.
 * - A traffic class, queue or size that the switch does not have is found
 *   before any call, as far as what the switch has is known. */

#include <stdbool.h>

#include <sai.h>

struct claim;
struct slot;
struct want;

/* Returns what the row of 'claim' asks for and the switch does not have, or
 * NULL; NULL for rows of other tables. */
const struct want *trimming_lacking(const struct claim *claim);

/* Returns the position of attribute 'id' of the switch among the changes of
 * trimming; false if it is another attribute. */
bool trimming_order(sai_attr_id_t id, int *order);

/* Returns whether the ASIC keeps the value of 'slot', which no row wants. */
bool trimming_keeps(const struct slot *slot);

#endif /* orchd/reconcile/trimming.h */
