/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_PROGRAM_STORED_H
#define ORCHD_SOFTASIC_PROGRAM_STORED_H

/* Objects that are validated and stored, but not simulated.
 *
 * A control plane such as SONiC's creates them when it starts, and ends if one
 * is refused.  So the switch accepts them: types, references, keys and limits
 * are checked as for any object, and an object in use cannot be removed.  No
 * frame is mirrored or sampled, and no counter counts.  The library logs that
 * once per type.
 *
 *   mirror session
 *   sampler of packets
 *   map of tunnels, its entries (tunnels.h has the tunnels)
 *   debug counter (its index is the lowest free one)
 *
 * Attributes by which ports and other objects would use mirrors and samplers
 * have only their defaults (supported_attributes.h), so that no client relies
 * on them. */

#include <stdbool.h>

#include <sai.h>

#include "vendors/softasic/state.h"

enum { STORED_MAX = 1024 };

/* Returns whether objects of 'type' are only stored. */
bool stored_handles_type(sai_object_type_t type);

/* Checks a new object: SAI_STATUS_INSUFFICIENT_RESOURCES beyond STORED_MAX of
 * its type. */
sai_status_t stored_create(struct asic *asic, struct objects_item *item);

/* Returns the index of a debug counter. */
int64_t stored_debug_index(const struct asic *asic,
                           const struct objects_item *item);

#endif /* vendors/softasic/program/stored.h */
