/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SOFTASIC_SAI_BULK_H
#define ORCHD_SOFTASIC_SAI_BULK_H

/* The rules of a bulk call: whether it goes on after a failure, and which
 * status the whole call returns. */

#include <stdbool.h>

#include <sai.h>

/* A bulk call under way; begins with 'result' SAI_STATUS_SUCCESS. */
struct bulk {
    sai_bulk_op_error_mode_t mode;
    sai_status_t *statuses;
    sai_status_t result;
};

/* Returns whether the call goes on with object 'i'; if not, its status becomes
 * SAI_STATUS_NOT_EXECUTED. */
bool bulk_continues(struct bulk *bulk, uint32_t i);

/* Records the outcome for object 'i'. */
void bulk_note(struct bulk *bulk, uint32_t i, sai_status_t status);

/* Refuses a call on objects of a type that has keys, not ids: each object with
 * SAI_STATUS_INVALID_OBJECT_TYPE.  Returns the status of the call. */
sai_status_t bulk_refuse_ids(uint32_t n_objects, const sai_object_id_t *oids,
                             sai_bulk_op_error_mode_t mode,
                             sai_status_t *statuses);

#endif /* vendors/softasic/sai/bulk.h */
