/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_CREDITS_H
#define ORCHD_SOFTASIC_PROGRAM_CREDITS_H

/* The attributes of vendors/softasic/cbfc.h, which SAI's metadata does not
 * have: credit-based flow control of ports (twin/switch/port_credit.h).
 *
 * What a client sets is kept in 'struct port_credits' of the port until it
 * enables them; then the twin gets all of it. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

/* Returns whether 'id' is in the range of the extension, used or not. */
bool credits_has_attribute(sai_object_type_t type, sai_attr_id_t id);

/* Sets an attribute of 'port'; the statuses are in cbfc.h, and 'err' explains
 * those that are not about the value. */
sai_status_t credits_set(struct asic *asic, const struct objects_item *port,
                         const sai_attribute_t *attribute, struct err *err);

/* Gets 'n' attributes of 'port', all of the extension. */
sai_status_t credits_get(const struct asic *asic,
                         const struct objects_item *port, uint32_t n,
                         sai_attribute_t *attributes);

#endif /* vendors/softasic/program/credits.h */
