/* SPDX-License-Identifier: Apache-2.0 */

/* The rules of a bulk call. */

#include <config.h>

#include "vendors/softasic/sai/bulk.h"

bool
bulk_continues(struct bulk *bulk, uint32_t i)
{
    if (bulk->result == SAI_STATUS_SUCCESS ||
        bulk->mode == SAI_BULK_OP_ERROR_MODE_IGNORE_ERROR) {
        return true;
    }
    bulk->statuses[i] = SAI_STATUS_NOT_EXECUTED;
    return false;
}

void
bulk_note(struct bulk *bulk, uint32_t i, sai_status_t status)
{
    bulk->statuses[i] = status;
    if (status != SAI_STATUS_SUCCESS) {
        bulk->result = SAI_STATUS_FAILURE;
    }
}

sai_status_t
bulk_refuse_ids(uint32_t n_objects, const sai_object_id_t *oids,
                sai_bulk_op_error_mode_t mode, sai_status_t *statuses)
{
    struct bulk bulk = {mode, statuses, SAI_STATUS_SUCCESS};

    if (n_objects == 0 || !oids || !statuses) {
        return SAI_STATUS_INVALID_PARAMETER;
    }
    for (uint32_t i = 0; i < n_objects; i++) {
        if (bulk_continues(&bulk, i)) {
            bulk_note(&bulk, i, SAI_STATUS_INVALID_OBJECT_TYPE);
        }
    }
    return bulk.result;
}
