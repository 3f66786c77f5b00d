/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_STACK_SET_CHANGED_H
#define ORCHD_SAI_STACK_SET_CHANGED_H

/* Sets what is not there already.
 *
 * A value that is set although it is there disturbs traffic on some switches,
 * and costs a call on all.  Which are, is asked in one call for all of them,
 * and the rest is set in another. */

#include <stdint.h>

#include "sai/core/backend.h"

/* Does 'call', an OP_SET_MANY on objects with ids, which goes on after a
 * failure, as far as the switch of 'inner' does not hold the values.  Stores in
 * '*n_set' how many had to be set.  Returns the status of a single object, else
 * what all came to, as backend_do_many() does. */
sai_status_t set_changed_set(struct sai_backend *inner,
                             const struct backend_many *call, uint32_t *n_set);

#endif /* sai/stack/set_changed.h */
