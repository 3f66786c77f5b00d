/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_ASIC_BACKEND_H
#define ORCHD_SOFTASIC_SAI_ASIC_BACKEND_H

/* One software switch as a backend (sai/core/backend.h), without a library.
 *
 * SAI's entry points have no handle, so a library has one switch per process.
 * A fabric has many.  This backend calls the verbs of one struct asic
 * (vendors/softasic/sai/asic.h), which have a handle, so that the users of
 * backends can drive any number of switches. */

#include "base/status.h"
#include "sai/core/backend.h"

struct asic;

struct asic_backend {
    struct sai_backend backend; /* First: what users of backends get. */
    struct asic *asic;          /* Borrowed. */
    struct err last;            /* Why the latest refused call was refused;
                                 * 'reason' is empty if SAI's status says
                                 * everything. */
};

/* Initializes '*backend' for 'asic', which must outlive it. */
void asic_backend_init(struct asic_backend *backend, struct asic *asic);

/* Lists the objects of 'type' of the switch of 'backend', a struct
 * asic_backend, as asic_list() does: for sai/stack/adoption.h. */
sai_status_t asic_backend_list(void *backend, sai_object_type_t type,
                               uint32_t *n, sai_object_key_t *keys);

#endif /* vendors/softasic/sai/asic_backend.h */
