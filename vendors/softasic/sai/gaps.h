/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_GAPS_H
#define ORCHD_SOFTASIC_SAI_GAPS_H

/* What this switch accepts without simulating it.
 *
 * Objects: all of the types in stored.h, and those of partly simulated types
 * that have no effect: tunnels other than IPINIP and their entries, host
 * interfaces that are no network device of a port, entries of the host table
 * that select none.
 *
 * Attributes: those of ports and of the switch that no part of the twin reads,
 * among them notifications that never come, and single ones of other types.
 * Other types refuse what they do not simulate (supported_attributes.h).
 * Attributes that describe, such as labels, are no gaps, nor are notifications
 * of what never happens, such as a change of the state of the switch. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/softasic.h"
#include "vendors/softasic/state.h"

/* Above the number of attributes that are gaps. */
#define GAPS_N_ATTRIBUTES 176

/* Return whether some objects of 'type' have no effect; whether 'item' has
 * none. */
bool gaps_has_type(sai_object_type_t type);
bool gaps_has_object(const struct asic *asic, const struct objects_item *item);

/* Returns the number of attribute 'id' of 'type' among the gaps, below
 * GAPS_N_ATTRIBUTES; GAPS_N_ATTRIBUTES if it is none. */
uint32_t gaps_attribute(sai_object_type_t type, sai_attr_id_t id);

/* Implements 'gaps' of softasic_ops. */
sai_status_t gaps_list(const struct asic *asic, uint32_t *n,
                       struct softasic_gap *rows);

#endif /* vendors/softasic/sai/gaps.h */
