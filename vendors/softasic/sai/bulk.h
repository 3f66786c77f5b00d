/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_BULK_H
#define ORCHD_SOFTASIC_SAI_BULK_H

/* The rules of a bulk call: what is still done after a failure, and what the
 * whole call answers. */

#include <stdbool.h>

#include <sai.h>

/* A bulk call under way; begins with 'result' SAI_STATUS_SUCCESS. */
struct bulk {
    sai_bulk_op_error_mode_t mode;
    sai_status_t *statuses;
    sai_status_t result;
};

/* Returns whether object 'i' is to be worked on; marks it if not. */
bool bulk_goes_on(struct bulk *bulk, uint32_t i);

/* Notes the outcome for object 'i'. */
void bulk_note(struct bulk *bulk, uint32_t i, sai_status_t status);

#endif /* vendors/softasic/sai/bulk.h */
