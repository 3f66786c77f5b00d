/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_SET_CHANGED_H
#define ORCHD_SAI_STACK_SET_CHANGED_H

/* Sets only the values that differ from those on the switch.
 *
 * Setting an attribute to its current value disturbs traffic on some switches
 * and costs a call on all.  One call reads the current values of all objects,
 * and a second call sets those that differ. */

#include <stdint.h>

#include "sai/core/backend.h"

/* Performs the part of 'call' that changes values on the switch of 'inner'.
 * 'call' is an OP_SET_MANY on objects with ids that does not stop on errors.
 * Stores the number of values that were there in '*n_same'; they count as set
 * in the statuses.  Returns the status of a single object, else the overall
 * result, as backend_do_many() does. */
sai_status_t set_changed_set(struct sai_backend *inner,
                             const struct backend_many *call, uint32_t *n_same);

#endif /* sai/stack/set_changed.h */
