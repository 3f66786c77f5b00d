/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_COMPUTED_H
#define ORCHD_SOFTASIC_SAI_COMPUTED_H

/* Attributes that are computed, not stored: properties and state of the switch.
 *
 * They are the rows of one table; vendors/objects/port_family.h computes some
 * more.  A read-only attribute in neither place is not implemented. */

#include <sai.h>

#include "vendors/softasic/state.h"

/* An objects_compute_fn; 'context' is the struct asic. */
sai_status_t computed_get(void *context, const struct objects_item *item,
                          sai_attribute_t *attribute);

/* Returns whether attribute 'id' of 'type' can be read on this chip although it
 * is not stored and has no default. */
bool computed_supports(const struct asic *asic, sai_object_type_t type,
                       sai_attr_id_t id);

#endif /* vendors/softasic/sai/computed.h */
